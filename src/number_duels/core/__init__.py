"""What every game is made of: turns, matches, records, players, words and boards."""
