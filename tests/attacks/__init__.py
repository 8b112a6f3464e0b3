"""Attacks on a real server, each a program with a bound; `python -m tests.attacks` runs them."""
