"""Play compared step by step with a second implementation of each game."""

from __future__ import annotations

from collections.abc import Hashable
from copy import deepcopy
from fractions import Fraction
from random import Random

import pytest

import number_duels as nd
from number_duels.core.board import Meter
from tests.conftest import SLOW
from tests.core import playing
from tests.games import second_opinion

GAMES = 300 if SLOW else 15
#: The games that are written a second time; one that is not is held to the laws alone.
KNOWN = {kind.__name__ for kind in second_opinion.Table.__subclasses__()}
TABLES = [table for table in playing.TABLES if type(table.game).__name__ in KNOWN]

#: Settings at which a game is small enough to compare all of it.
SMALL: list[tuple[str, playing.Settings]] = [
    ("number-bid", {"numbers": 4}),
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 4, "rounds": 2}),
    ("high-low-battle", {"cards": 4, "rounds": 3, "level": "draw"}),
    ("number-knot", {"numbers": 4, "life": 3}),
    ("number-knot", {"numbers": 3, "life": 9, "first": 2, "exhausted": "higher-life"}),
    ("number-drop", {"side": 2}),
    ("number-drop", {"side": 2, "first": 2}),
    ("number-stack-showdown", {"target": 5, "highest": 3, "copies": 2}),
    ("number-stack-showdown", {"target": 4, "highest": 3, "copies": 2, "overflow": "allowed"}),
    ("number-stack-showdown", {"target": 9, "highest": 2, "copies": 2, "first": 2}),
]


def second(game: nd.AnyGame) -> second_opinion.Table:
    """The other implementation, which has the same class name and settings."""
    made = getattr(second_opinion, type(game).__name__)(**game.settings)
    assert isinstance(made, second_opinion.Table)
    return made


def agree(game: nd.AnyGame, state: Hashable, other: second_opinion.Table) -> None:
    """Whether both say the same about a position: figures, options, odds and result."""
    meters = [part.value for part in game.board(state) if isinstance(part, Meter)]
    assert meters == other.figures()
    turn = game.turn(state)
    assert other.result() == (turn.result if isinstance(turn, nd.Outcome) else "*")
    if isinstance(turn, nd.Chance):
        deck = other.deck()
        odds = {card: Fraction(count, deck.total()) for card, count in deck.items()}
        assert {str(event): odd for event, odd in turn.odds.items()} == odds
    elif isinstance(turn, nd.Decision):
        assert not other.deck()
        assert {int(s): set(map(str, o)) for s, o in turn.options.items()} == other.open()


def follow(game: nd.AnyGame, state: Hashable, how: Hashable, other: second_opinion.Table) -> None:
    """Take the same step on the second implementation."""
    if isinstance(game.turn(state), nd.Chance):
        other.draw(str(how))
    else:
        assert isinstance(how, tuple)
        other.play({int(seat): str(move) for seat, move in how})


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.label)
def test_both_implementations_agree_at_every_step(table: playing.Table) -> None:
    game = table.game
    for seed in range(GAMES):
        rng = Random(f"{table.label}/{seed}")
        state, other = game.start(rng), second(game)
        agree(game, state, other)
        while options := playing.children(game, state, rng, limit=1):
            how, following = rng.choice(options)
            follow(game, state, how, other)
            state = following
            agree(game, state, other)


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_both_implementations_agree_everywhere(name: str, settings: playing.Settings) -> None:
    game = nd.load(name, **settings)
    waiting = [(game.start(), second(game))]
    seen = {game.start()}
    for state, other in waiting:
        agree(game, state, other)
        for how, following in playing.children(game, state, Random(0), limit=1000):
            if following not in seen:
                seen.add(following)
                again = deepcopy(other)
                follow(game, state, how, again)
                waiting.append((following, again))


def test_every_game_of_the_documents_is_written_twice_and_compared_in_full() -> None:
    names = {"NumberBid", "HighLowBattle", "NumberStackShowdown", "NumberKnot", "NumberDrop"}
    assert names <= KNOWN
    assert {type(nd.load(name, **settings)).__name__ for name, settings in SMALL} == KNOWN
