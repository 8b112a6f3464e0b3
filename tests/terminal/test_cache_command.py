"""`duels cache`: what was worked out and kept, and how to be rid of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.review.player_stats import player_stats
from tests.review.positions import random_match
from tests.terminal.desk import Desk, Finished, hear_out, hear_until

#: A file that an older version left, as its name and its header would have it.
TORN = "number-knot-0123-4567"


@pytest.fixture
def cache(own_cache: Path) -> Path:
    """Two solutions, a review, and a file that is damaged."""
    players = (nd.Person("Ann"), nd.Person("Computer", "perfect"))
    record = random_match(nd.load("number-knot", life=6, numbers=5), seed=1).record
    player_stats([replace(record, players=players)])
    nd.solve(nd.load("number-bid", numbers=4))
    (own_cache / "number-duels" / "solutions" / TORN).write_bytes(b"NDUELS")
    return own_cache


def names(cache: Path) -> set[str]:
    """What is left, by the first words of its name."""
    files = (path for path in (cache / "number-duels").rglob("*") if path.is_file())
    return {f"{path.parent.name}/{'-'.join(path.name.split('-')[:2])}" for path in files}


ALL = {"solutions/number-knot", "solutions/number-bid", "reviews/number-knot"}


def run(desk: Desk, cache: Path, *words: str) -> Finished:
    return desk.run("cache", *words, XDG_CACHE_HOME=str(cache))


def test_it_shows_what_is_there_and_how_large(desk: Desk, cache: Path) -> None:
    done = run(desk, cache)
    assert (done.status, done.err) == (0, "")
    head, *lines = done.out.splitlines()
    assert head.startswith(f"{cache / 'number-duels'}: ")
    said = [" ".join(line.split()[2:]) for line in lines]
    assert "solution number-bid numbers=4" in said
    assert "solution number-knot life=6 numbers=5" in said  # and exhausted=draw, as usual
    assert "review number-knot 1 game" in said
    assert "damaged outdated" in said


def test_the_json_is_one_object(desk: Desk, cache: Path) -> None:
    found = json.loads(run(desk, cache, "--json").out)
    assert found["folder"] == str(cache / "number-duels")
    assert found["bytes"] == sum(one["bytes"] for one in found["files"]) > 0
    assert {one["kind"] for one in found["files"]} == {"solution", "review", "damaged"}
    assert all(Path(one["file"]).exists() for one in found["files"])


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ([], set()),
        (["reviews"], ALL - {"reviews/number-knot"}),
        (["solutions"], {"reviews/number-knot", "solutions/number-knot"}),  # the damaged file
        (["bid"], ALL - {"solutions/number-bid"}),
        (["outdated"], ALL),
        (["reviews", "bid"], {"solutions/number-knot"}),
    ],
)
def test_what_is_named_goes_and_the_rest_stays(
    words: Sequence[str], left: set[str], desk: Desk, cache: Path
) -> None:
    done = run(desk, cache, "clear", *words, "--yes")
    assert (done.status, done.out) == (0, "")
    assert names(cache) == left
    torn = cache / "number-duels" / "solutions" / TORN
    assert torn.exists() is bool(words and "outdated" not in words)


def test_nothing_goes_before_somebody_agrees(desk: Desk, cache: Path) -> None:
    done = run(desk, cache, "clear")
    assert done.status == 2
    assert "--yes" in done.sentence
    assert names(cache) == ALL
    for answer, left in (("n", ALL), ("yes", set())):
        with desk.sit("cache", "clear", environment={"XDG_CACHE_HOME": str(cache)}) as session:
            hear_until(session, "[y/N]")
            session.type(answer)
            hear_out(session)
        assert names(cache) == left


def test_an_empty_cache_has_nothing_to_delete(desk: Desk, own_cache: Path) -> None:
    assert run(desk, own_cache).status == 0
    done = run(desk, own_cache, "clear")
    assert (done.status, done.err) == (0, "There is nothing to delete.\n")


@pytest.mark.parametrize("word", ["chess", "solution"])
def test_a_word_that_means_nothing_here_is_answered_with_those_that_do(
    word: str, desk: Desk, cache: Path
) -> None:
    done = run(desk, cache, "clear", word, "--yes")
    assert done.status == 2
    assert "solutions, strategies, reviews, outdated" in done.sentence
    assert names(cache) == ALL
