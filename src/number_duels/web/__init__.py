"""The games on a page: a server, its store, and an HTTP interface for programs."""
