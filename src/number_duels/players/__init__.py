"""Players that are programs: built-in players, bots, functions, policies and language models."""
