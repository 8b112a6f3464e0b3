"""The kernel of Number Drop with large grids has the values that the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.games.number_drop import NumberDrop, State
from number_duels.solvers.cache import silent
from number_duels.solvers.kernels.number_drop import Kernel
from number_duels.solvers.solver import method_for


def positions(game: NumberDrop, games: int) -> Iterator[State]:
    """The positions of random games."""
    for seed in range(games):
        match = nd.Match(game, seed)
        nd.play_match(match, ["random", "random"])
        yield from (step.before for step in match.history)


@pytest.mark.parametrize("how_many", [200, pytest.param(None, marks=pytest.mark.slow)], ids=str)
def test_positions_of_the_usual_grids_have_the_same_value(how_many: int | None) -> None:
    game = NumberDrop()
    kernel = Kernel(game)
    tables, known = kernel.solve(silent), nd.solve(game)
    assert tables.states == known.states == 204_722
    every = (s for _, s in nd.states(game) if isinstance(game.turn(s), nd.Decision))
    compared = 0
    for state in positions(game, how_many) if how_many else every:
        assert kernel.value(state, tables.sections) == known.value(state)
        compared += 1
    assert compared >= (1_000 if how_many else known.states)


def test_it_is_used_where_no_other_method_has_room() -> None:
    assert isinstance(method_for(NumberDrop(side=4)), Kernel)
    assert not isinstance(method_for(NumberDrop(side=3)), Kernel)
    with pytest.raises(ValueError, match=r"its table would have 1,125,899,906,842,624 states"):
        nd.solve(NumberDrop(side=5))


def drawn_state(rng: Random, cells: int) -> State:
    """Any position with numbers on both sides, few or many."""

    def grid() -> tuple[int | None, ...]:
        left = set(rng.sample(range(1, cells + 1), rng.randint(1, cells)))
        return tuple(n if n in left else None for n in range(1, cells + 1))

    return State((grid(), grid()), rng.choice(list(Seat)))


@pytest.mark.slow
def test_on_a_grid_of_sixteen_whoever_moves_second_wins() -> None:
    game = NumberDrop(side=4)
    solution = nd.solve(game, cache=False)
    assert solution.states == 5_497_548_113
    openings = solution.values(game.start(), Seat.ONE)
    assert len(openings) == 240
    assert set(openings.values()) == {-1.0}
    rng = Random(4)
    for _ in range(5_000):
        state = drawn_state(rng, 16)
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        after = [game.resolve(state, {state.mover: move}) for move in turn.options[state.mover]]
        best = max if state.mover is Seat.ONE else min
        assert solution.value(state) == best(map(solution.value, after))
