"""Games for tests of code that knows no game: two in `make test`, all of them in `make test-all`.

A test that takes a game and not its name can also use a toy (`tests.sixth_game.toys`).
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

import number_duels as nd


def sample(cases: Iterable[object], count: int) -> list[ParameterSet]:
    """For `pytest.mark.parametrize`: the first cases, and the others in the long run.

    A case is an argument or a tuple of all arguments.
    """
    return [
        pytest.param(
            *(case if type(case) is tuple else (case,)),
            marks=() if number < count else pytest.mark.slow,
        )
        for number, case in enumerate(cases)
    ]


def both_choose(name: str) -> bool:
    """Whether a game begins with both choosing at once."""
    game = nd.load(name)
    turn = game.turn(game.start())
    return isinstance(turn, nd.Decision) and len(turn.options) == 2


def begins_with_a_card(name: str) -> bool:
    """Whether a game begins with a card that only its drawer sees."""
    game = nd.load(name)
    return isinstance(game.turn(game.start()), nd.Chance)


#: Games in which both choose at once, for tests of mixed strategies.
BOTH_CHOOSE = [name for name in nd.games() if both_choose(name)]

#: A game with secret choices, and one with cards.
SECRET = next(name for name in nd.games() if both_choose(name))
CARDS = next(name for name in nd.games() if begins_with_a_card(name))

#: For `pytest.mark.parametrize`: those two, and every other game in the long run.
SOME_GAMES = [
    pytest.param(name, marks=() if name in (SECRET, CARDS) else pytest.mark.slow)
    for name in nd.games()
]
