"""Locks, both ways: what plain recursion over the rules says, at every state of small games."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.solvers import kernels, solve
from tests.solvers.helpers import Settings
from tests.solvers.plain_locks import compare

STACK = {"target": 7, "highest": 3, "copies": 2}
CASES: list[tuple[str, Settings, list[str]]] = [
    ("number-bid", {"numbers": 5}, ["2 never 5"]),
    ("number-bid", {"numbers": 5}, ["1 never 1 4 5"]),
    ("number-bid", {"numbers": 5}, ["2 always 4"]),
    ("number-bid", {"numbers": 5}, ["2 plays 2:30 5:10", "1 never 5"]),
    (
        "high-low-battle",
        {"cards": 4, "rounds": 3},
        ["2 plays 1:1 3:3 4:2 at 1/2", "2 plays 3:1 1:9 at 1/2"],
    ),
    ("number-bid", {"numbers": 5}, ["2 always 1 at 2/3", "2 never 5 at start"]),
    ("number-bid", {"numbers": 5}, ["2 plays 1:1 3:3 at 5/2", "2 never 3 4"]),
    ("high-low-battle", {"cards": 4, "rounds": 3}, ["2 never 4"]),
    ("high-low-battle", {"cards": 5, "rounds": 2}, ["2 never 1"]),
    ("high-low-battle", {"cards": 4, "rounds": 3}, ["1 plays 1:1 2:1 3:1", "1 never 1"]),
    ("high-low-battle", {"cards": 4, "rounds": 3}, ["1 always 4 at start", "2 always 2 at 4/1"]),
    ("number-knot", {"numbers": 4, "life": 5}, ["1 never S4 S3"]),
    ("number-knot", {"numbers": 4, "life": 6, "first": 2}, ["1 plays A1:1 S2:2", "2 never S4"]),
    ("number-knot", {"numbers": 4, "life": 5}, ["2 always A1 at S2"]),
    ("number-drop", {"side": 2}, ["1 never 4-1 3+1 2"]),
    ("number-drop", {"side": 2, "first": 2}, ["1 plays 3-1:2 4:1 4+3:1", "2 always 2-1"]),
    ("number-drop", {"side": 2}, ["2 plays 3-1:1 4-1:2 at 4-2"]),
    ("number-stack-showdown", dict(STACK), ["2 never g"]),
    ("number-stack-showdown", dict(STACK), ["1 plays k:1 g:3", "2 always g"]),
    (
        "number-stack-showdown",
        {**STACK, "first": 2, "overflow": "allowed"},
        ["2 always k at start"],
    ),
    ("number-stack-showdown", dict(STACK), ["2 never k at 3k 2", "1 plays k:2 g:1 at 3g 2g"]),
]


#: Every second case has each game and each kind of lock; the others are for the long run.
SOME_CASES = [
    pytest.param(*case, marks=pytest.mark.slow if number % 2 else ())
    for number, case in enumerate(CASES)
]


@pytest.mark.parametrize(("name", "settings", "texts"), SOME_CASES)
def test_every_state_has_the_value_that_plain_recursion_finds(
    name: str, settings: Settings, texts: list[str]
) -> None:
    compare(solve(nd.load(name, **settings), cache=False), texts)


@pytest.mark.parametrize(("name", "settings", "texts"), CASES[::3])
def test_the_same_without_a_kernel(
    name: str, settings: Settings, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "find_kernel", lambda _: None)
    compare(solve(nd.load(name, **settings), cache=False), texts)
