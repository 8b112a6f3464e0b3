"""The games on a page: a server, its repository, and an HTTP interface for programs."""
