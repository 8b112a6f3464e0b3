"""One module for each command of `duels`, or for a few that belong together."""
