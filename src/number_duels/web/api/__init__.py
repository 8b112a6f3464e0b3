"""The HTTP API: routes, models, dependencies and event streams."""
