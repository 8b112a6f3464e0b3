"""The full-screen application: home, table, replay, and the pages around a game."""
