"""Games in the database."""
