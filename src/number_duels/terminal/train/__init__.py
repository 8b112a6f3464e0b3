"""The trainer at the terminal: what the line mode and the full screen share."""
