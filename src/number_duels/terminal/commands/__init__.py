"""The commands of `duels`, one module per command or per few related ones."""
