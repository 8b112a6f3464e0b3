"""`bot:COMMAND`: a program in any language that speaks JSON Lines."""
