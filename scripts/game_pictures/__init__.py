"""The pictures of the games' pages: a module for each game.

A module has `measured()`, the figures as they are stored, and `drawings(facts)`, the pictures by
their names.
"""
