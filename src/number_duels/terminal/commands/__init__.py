"""The commands of `duels`. Each module has one command or a few related ones."""
