"""The solution of every game at a small setting."""

from tests.review.conftest import solution

__all__ = ["solution"]
