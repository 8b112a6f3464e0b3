"""The line mode, to play and train line by line at a terminal or in a pipe."""
