"""The `duels` command: its parser, its commands, the line mode and the full-screen application."""
