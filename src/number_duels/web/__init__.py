"""The web server: pages, HTTP API, services and database."""
