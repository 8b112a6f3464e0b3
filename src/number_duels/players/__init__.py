"""Players other than people: built-in players, bots, functions, policies and models."""
