"""Who can sit in a chair besides people: built-in players, bots, functions, models."""
