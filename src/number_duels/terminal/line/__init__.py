"""The line mode, in which the user plays and trains without the full screen."""
