"""What the pages of the games say and show: a module and a file of prose for each game.

A module has `measured()`, the figures as they are kept; `words(facts)`, what the prose leaves open,
with what the prose takes for granted asserted; `drawings(facts)`, the pictures by their names;
`LAWS`, what the prose says of the whole game and tests/trainer/game_laws.py checks; the seed, the
moves and the turns of the game that is told (`WORKED_…`); and what the last commands are about.
"""
