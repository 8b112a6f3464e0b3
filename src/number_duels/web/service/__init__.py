"""What requests ask for: games in progress, the computer at the table, analyses."""
