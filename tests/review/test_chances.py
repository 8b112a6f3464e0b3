"""Win, draw and loss: three chances that agree with the value and with playing it out."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import pytest

import number_duels as nd
from number_duels.core.reachable_states import successors
from number_duels.review import position as module
from number_duels.review.position import (
    AnySolution,
    Chances,
    chances,
    examine_with_chances,
    position_of,
)
from tests.core.playing import walk


def played_out(solution: AnySolution, state: Hashable) -> Chances:
    """The chances by plain recursion over every choice of both strategies, cutting nothing off."""
    game = solution.game

    known: dict[Hashable, tuple[float, float, float]] = {}

    def of(state: Hashable) -> tuple[float, float, float]:
        key = game.key(state)
        if key not in known:
            known[key] = worked_out(state)
        return known[key]

    def worked_out(state: Hashable) -> tuple[float, float, float]:
        turn = game.turn(state)
        if isinstance(turn, nd.Outcome):
            return float(turn.winner == 0), float(turn.winner is None), float(turn.winner == 1)
        if isinstance(turn, nd.Chance):
            after = [(float(odds), game.drawn(state, e)) for e, odds in turn.odds.items()]
        else:
            made: list[tuple[float, dict[nd.Seat, Hashable]]] = [(1.0, {})]
            for seat in turn.options:
                made = [
                    (odds * more, {**moves, seat: move})
                    for odds, moves in made
                    for move, more in solution.strategy(state, seat).items()
                    if more
                ]
            after = [(odds, game.resolve(state, moves)) for odds, moves in made]
        parts = [(odds, of(one)) for odds, one in after]
        win, draw, loss = (sum(odds * part[n] for odds, part in parts) for n in range(3))
        return win, draw, loss

    return Chances(*of(state))


def test_chances_are_those_of_playing_it_out(solution: AnySolution) -> None:
    for state in walk(solution.game, Random(1)):
        found = chances(solution, state)
        assert found is not None
        wanted = played_out(solution, state)
        assert (found.win, found.draw, found.loss) == pytest.approx(
            (wanted.win, wanted.draw, wanted.loss), abs=1e-7
        )
        assert found.win - found.loss == pytest.approx(solution.value(state), abs=1e-7)


def test_an_option_has_chances_of_its_own(solution: AnySolution) -> None:
    for state in walk(solution.game, Random(5)):
        position = examine_with_chances(solution, state)
        for options in position.options.values():
            for option in options:
                assert option.chances is not None
                value = option.chances.win - option.chances.loss
                assert value == pytest.approx(option.value, abs=1e-7)


def draw_reachable(game: nd.AnyGame) -> dict[Hashable, bool]:
    """Whether a draw can be reached from every key of a game."""
    known: dict[Hashable, bool] = {}

    def visit(state: Hashable) -> bool:
        key = game.key(state)
        if key not in known:
            turn = game.turn(state)
            if isinstance(turn, nd.Outcome):
                known[key] = turn.winner is None
            else:
                # All are visited, also those after the first draw that is found.
                known[key] = sum(visit(after) for after in successors(game, state, turn)) > 0
        return known[key]

    visit(game.start())
    return known


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("high-low-battle", {"cards": 4, "rounds": 3}),
        ("high-low-battle", {"cards": 4, "rounds": 4}),
        ("high-low-battle", {"cards": 4, "rounds": 2, "level": "draw"}),
        ("number-stack-showdown", {"target": 9, "highest": 4, "copies": 2}),
        ("number-stack-showdown", {"target": 12, "highest": 4, "copies": 2}),
    ],
)
def test_where_no_draw_may_come_none_can_be_reached(
    name: str, settings: dict[str, int | str]
) -> None:
    game = nd.load(name, **settings)
    reachable = draw_reachable(game)
    closed = [key for key, state in nd.states(game) if not game.may_draw(state)]
    assert not any(reachable[key] for key in closed)
    assert closed or game.may_draw(game.start())


def test_where_no_draw_may_come_the_value_tells_the_chances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_STATES", 0)  # nobody looks ahead
    game = nd.load("number-stack-showdown", target=9, highest=4, copies=2)
    solution = nd.solve(game)
    found, value = chances(solution, game.start()), solution.value(game.start())
    assert found is not None
    assert (found.win, found.draw, found.loss) == pytest.approx(
        ((1 + value) / 2, 0, (1 - value) / 2)
    )


def test_no_draw_is_looked_for_where_none_may_come() -> None:
    assert not nd.load("number-stack-showdown").may_draw(nd.load("number-stack-showdown").start())
    game = nd.load("high-low-battle")
    after = game.play(game.start(), {seat: game.parse(str(9 - seat)) for seat in nd.Seat})
    assert game.may_draw(game.start())
    assert not game.may_draw(after)


def test_what_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nd.load("number-stack-showdown", target=20, highest=5, copies=2)
    solution = nd.solve(game, cache=False)
    monkeypatch.setattr(module, "MAX_STATES", 50)
    assert chances(solution, game.start()) is None
    state = game.start()
    position = examine_with_chances(solution, state)
    assert position.chances is None


def test_where_both_choose_a_large_rest_of_the_game_is_not_looked_at() -> None:
    game = nd.load("high-low-battle", cards=7, rounds=7)
    solution = nd.solve(game)
    assert chances(solution, game.start()) is None
    near_the_end, _ = position_of(game, None, "7/7 6/6 5/4 4/5")
    assert chances(solution, near_the_end) is not None
