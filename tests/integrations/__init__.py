"""The recipes of examples/recipes with the real libraries: run by `make test-integrations` alone.

Each library has a folder here, with its requirements and its tests, and an environment of its own:
they are gigabytes, and some exclude each other.
"""
