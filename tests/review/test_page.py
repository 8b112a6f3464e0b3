"""The hints and reviews of docs/review_examples.md are those of the program."""

from __future__ import annotations

import pytest

import write_reviews

COMMAND = "run: python scripts/write_reviews.py"


@pytest.mark.parametrize("name", ["number-bid", "number-drop", "number-knot"])
def test_examples_are_current(name: str) -> None:
    page = write_reviews.PAGE.read_text(encoding="utf-8")
    told = [*write_reviews.hints([name]), *write_reviews.reviews([name])]
    assert len(told) >= 6
    assert all(part in page for part in told), COMMAND


@pytest.mark.slow
def test_the_page_is_current() -> None:
    assert write_reviews.PAGE.read_text(encoding="utf-8") == write_reviews.page(), COMMAND
    assert (len(write_reviews.HINTS), len(write_reviews.REVIEWS)) == (10, 10)
