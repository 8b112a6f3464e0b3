"""What requests ask for: games in progress, the computer's turns, analyses."""
