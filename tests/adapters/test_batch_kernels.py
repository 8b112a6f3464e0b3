"""The packed rules are the readable rules: in every position, with every action."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from number_duels import load
from number_duels.adapters.batch import Batch, compiled
from number_duels.adapters.packed.rules import Rules
from tests.adapters.positions import Numbers, Positions, Turns, put
from tests.core.playing import Settings, every
from tests.lazy import Lazy

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled.driver import BatchKernel
numba, turns_in_code = Lazy("numba"), Lazy("number_duels.adapters.batch.compiled.turns")

pytestmark = pytest.mark.usefixtures("compiled_kernels")
OVERFLOW = ("forbidden", "allowed")
SMALL = [
    *every("number-bid", numbers=(2, 3, 7)),
    *every("high-low-battle", cards=(1, 3), rounds=(1,), level=("sudden-death", "draw")),
    *every("high-low-battle", cards=(4,), rounds=(2, 4), level=("sudden-death", "draw")),
    *every(
        "number-knot",
        life=(1, 4, 99),
        numbers=(1, 5),
        exhausted=("draw", "higher-life"),
        first=(1, 2),
    ),
    *every("number-drop", side=(1, 2), first=(1, 2)),
    *every("number-stack-showdown", target=(1, 5, 12, 40), highest=(3,), overflow=OVERFLOW),
    *every("number-stack-showdown", target=(7,), highest=(13,), copies=(1,), overflow=OVERFLOW),
    ("number-stack-showdown", {"target": 9, "highest": 2, "copies": 8, "first": 2}),
]
LARGE: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 11}),
    ("high-low-battle", {}),
    ("high-low-battle", {"level": "draw", "rounds": 7, "cards": 7}),
    ("number-knot", {}),
    ("number-knot", {"exhausted": "higher-life", "first": 2}),
    ("number-drop", {}),
    ("number-drop", {"first": 2}),
    ("number-stack-showdown", {"target": 20, "highest": 5, "copies": 3}),
]


def agree_everywhere(name: str, settings: Settings) -> None:
    """Compare what a kernel and the readable rules make of every position."""
    game = load(name, **settings)
    kernel = compiled.find_kernel(game)
    assert kernel is not None
    positions = Positions(game, kernel.packed)
    for turns in positions.legal_turns():
        check_legal_actions(positions, turns)
    check_illegal_actions(positions)
    check_choices(positions, kernel)


def check_legal_actions(positions: Positions, turns: Turns) -> None:
    """The next position, what is seen of it and what is open there; or the end."""
    batch = Batch(positions.game, len(turns.where))
    start = batch._arrays.rows[0].copy(), batch.observations[0].copy(), batch.masks[0].copy()
    assert (positions.rows == start[0]).all(axis=1).any()
    put(batch, positions, turns.where)
    batch.step(turns.actions)
    over = turns.following < 0
    going, after, ends = ~over, turns.following[~over], ~turns.following[over]
    assert (batch.done == over).all()
    assert not batch.illegal.any()
    assert not batch.rewards[going].any()
    assert (batch.rewards[over] == positions.won[ends][:, None] * (1, -1)).all()
    assert (batch.final_observations[over] == positions.ends_seen[ends]).all()
    assert (batch._arrays.rows[going] == positions.rows[after]).all()
    deciding = positions.deciding[after]
    assert (batch.movers[going] == deciding[:, 0]).all()
    assert (batch.observations[going] == positions.seen[after[:, None], deciding]).all()
    assert (batch.masks[going] == positions.masks[after]).all()
    if not positions.encoding.event_count:  # a new game: without cards they all begin alike
        assert (batch._arrays.rows[over] == start[0]).all()
        assert (batch.observations[over] == start[1]).all()
        assert (batch.masks[over] == start[2]).all()


def check_illegal_actions(positions: Positions) -> None:
    """Whoever acts illegally has lost, and nothing has moved."""
    where, actions, faults = positions.illegal_turns()
    batch = Batch(positions.game, len(where))
    put(batch, positions, where)
    batch.step(actions)
    assert batch.done.all()
    assert (batch.illegal == faults).all()
    assert (batch.rewards == np.where(faults, -1, 1)).all()
    assert (batch.final_observations == positions.seen[where]).all()


def check_choices(positions: Positions, kernel: BatchKernel) -> None:
    """A random choice picks the options in their order."""
    listed = choosing(kernel.packed.rules)
    for place in range(positions.masks.shape[1]):
        found = np.full((len(positions.rows), positions.encoding.action_count), -1)
        listed(kernel.settings, positions.rows, positions.deciding[:, place], found)
        for options, seat, row in zip(
            positions.options, positions.deciding[:, place], found, strict=True
        ):
            expected = [positions.encoding.action(move) for move in options[seat]]
            assert row[: len(expected)].tolist() == expected
            assert (row[len(expected) :] == -1).all()


@cache
def choosing(rules: Rules) -> Callable[[object, Numbers, Numbers, Numbers], None]:
    """Lists the choices of every position."""
    load_row, (choices, choose) = rules.load, turns_in_code.make_choices(rules)

    def listed(settings: object, rows: Numbers, seats: Numbers, found: Numbers) -> None:
        for index in range(len(rows)):
            state = load_row(rows, index)
            for choice in range(choices(settings, state, seats[index])):
                found[index, choice] = choose(settings, state, seats[index], choice)

    return cast("Callable[[object, Numbers, Numbers, Numbers], None]", numba.njit(listed))


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_kernels_follow_the_rules_of_small_games(name: str, settings: Settings) -> None:
    agree_everywhere(name, settings)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), LARGE)
def test_kernels_follow_the_rules_of_whole_games(name: str, settings: Settings) -> None:
    agree_everywhere(name, settings)
