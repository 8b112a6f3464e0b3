"""The line mode, for playing and training in lines of text, at a terminal or in a pipe."""
