"""Services behind the API: games, profiles, training and solver processes."""
