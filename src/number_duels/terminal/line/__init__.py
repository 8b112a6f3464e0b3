"""The line mode: a terminal or a pipe, read and written a line at a time."""
