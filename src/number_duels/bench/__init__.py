"""A fixed suite of games and positions that measures any player; see docs/bench.md."""
