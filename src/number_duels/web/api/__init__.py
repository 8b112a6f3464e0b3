"""The HTTP interface: routes, messages, who may ask, events."""
