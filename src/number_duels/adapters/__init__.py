"""Adapters for libraries that researchers use. Each module needs its own library."""
