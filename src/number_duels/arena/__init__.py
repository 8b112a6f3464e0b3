"""Tournaments between many players, and their statistics; see docs/arena.md."""
