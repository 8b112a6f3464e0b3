"""Many games among many players, and what they show; see docs/arena.md."""
