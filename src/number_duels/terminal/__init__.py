"""The `duels` command: a table for two at one keyboard, and everything around it."""
