"""A fixed suite of games and positions by which any player is measured; see docs/bench.md."""
