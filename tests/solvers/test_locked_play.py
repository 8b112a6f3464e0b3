"""Locks at the usual settings: the best reply brings what is said, and facts that are known."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.solvers.best_response import expected
from tests.solvers.helpers import Settings, wrapped

ONE, TWO = nd.Seat


@pytest.mark.parametrize(
    ("name", "settings", "texts"),
    [
        ("number-bid", {"numbers": 5}, ["2 never 5"]),
        ("high-low-battle", {"cards": 5, "rounds": 2}, ["2 never 1", "1 plays 4:1 5:2"]),
        ("number-knot", {"numbers": 4, "life": 5}, ["1 never S4 S3"]),
        ("number-drop", {"side": 2}, ["2 plays 3-1:1 4-1:2 at 4-2"]),
        ("number-stack-showdown", {"target": 7, "highest": 3, "copies": 2}, ["2 never g"]),
    ],
)
def test_the_best_reply_brings_what_it_is_said_to(
    name: str, settings: Settings, texts: list[str]
) -> None:
    game = nd.load(name, **settings)
    policy = nd.solve(game, locks=texts, cache=False).policy
    found = nd.best_response(game, policy)
    asked = nd.best_response(game, wrapped(policy), cache=False)
    assert found.values == pytest.approx(asked.values, abs=1e-9)
    assert found.values[ONE] == pytest.approx(expected(game, found.strategy, policy), abs=1e-9)
    assert found.values[TWO] == pytest.approx(-expected(game, policy, found.strategy), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "texts", "reply", "adjusted"),
    [
        # Whoever never bids 10 gives it away: the other wins for certain.
        ("number-bid", ["2 never 10"], 1.0, 1.0),
        ("number-bid", ["2 never 1"], 0.0, 0.0),
        ("high-low-battle", ["2 never 9 at start"], 0.1407152359, 0.0193975138),
        ("high-low-battle", ["2 always 5 at start"], 0.5278736494, 0.5278736494),
        ("number-knot", ["2 never S9"], 0.0, 0.0),
        ("number-knot", ["2 always A1 at S5"], 1.0, 1.0),
    ],
)
def test_the_usual_settings(name: str, texts: list[str], reply: float, adjusted: float) -> None:
    game = nd.load(name)
    locked = nd.solve(game, locks=texts)
    (seat,) = (seat.other for seat in locked.rules.seats)
    assert locked.reply_value(game.start(), seat) == pytest.approx(reply, abs=1e-6)
    assert locked.value(game.start()) == pytest.approx(adjusted, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("high-low-battle", "2 never 9"),
        ("high-low-battle", "2 never 9 at 9/8"),
        ("number-drop", "2 never 9-8"),
        ("number-stack-showdown", "2 never g"),
        ("number-stack-showdown", "2 plays k:1 g:1 at 7k 10"),
    ],
)
def test_a_lock_never_helps_and_adjusting_never_hurts(name: str, text: str) -> None:
    game = nd.load(name)
    locked = nd.solve(game, locks=[text])
    start, value = game.start(), locked.solution.value(game.start())
    reply, adjusted = locked.reply_value(start, ONE), locked.value(start)
    assert value - 1e-7 <= adjusted <= reply + 1e-7
    assert locked.reply_value(start, TWO) == pytest.approx(value, abs=1e-7)


def test_strategies_within_the_locks_bring_the_value() -> None:
    game = nd.load("high-low-battle", cards=4, rounds=3)
    locked = nd.solve(game, locks=["2 never 4", "1 plays 1:1 3:1"], cache=False)
    start = game.start()
    for seat, sign in ((ONE, 1), (TWO, -1)):
        odds, values = locked.strategy(start, seat), locked.values(start, seat)
        assert sum(odds.values()) == pytest.approx(1.0)
        mean = sum(odds[move] * values[move] for move in odds)
        assert mean == pytest.approx(sign * locked.value(start), abs=1e-9)
    assert locked.strategy(start, TWO)[game.parse("4")] == 0.0


def test_only_who_decides_has_moves_to_ask_for() -> None:
    game = nd.load("number-knot", numbers=3, life=3)
    locked = nd.solve(game, locks=["2 never S3"], cache=False)
    for ask in (locked.values, locked.strategy, locked.reply_values):
        with pytest.raises(ValueError, match="Player 2 has no decision"):
            ask(game.start(), TWO)
