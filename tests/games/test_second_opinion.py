"""Random play, compared step by step with a second implementation of each game."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import number_duels as nd
from number_duels.core.board import Meter
from tests.conftest import SLOW
from tests.core import playing
from tests.games import second_opinion

GAMES = 300 if SLOW else 15


def second(game: nd.AnyGame) -> second_opinion.Table:
    """The other implementation, which has the same class name and settings."""
    made = getattr(second_opinion, type(game).__name__)(**game.settings)
    assert isinstance(made, second_opinion.Table)
    return made


@pytest.mark.parametrize("table", playing.TABLES, ids=lambda table: table.label)
def test_both_implementations_agree_at_every_step(table: playing.Table) -> None:
    for seed in range(GAMES):
        compare(table.game, Random(f"{table.label}/{seed}"))


def compare(game: nd.AnyGame, rng: Random) -> None:
    """Play one game on both, and look for a difference after every step."""
    state, other = game.start(rng), second(game)
    while True:
        meters = [part.value for part in game.board(state) if isinstance(part, Meter)]
        assert meters == other.figures()
        turn = game.turn(state)
        if isinstance(turn, nd.Outcome):
            assert turn.result == other.result()
            return
        assert other.result() == "*"
        if isinstance(turn, nd.Chance):
            deck = other.deck()
            odds = {card: Fraction(count, deck.total()) for card, count in deck.items()}
            assert {str(event): odd for event, odd in turn.odds.items()} == odds
            event = rng.choice(list(turn.odds))
            state = game.play(state, {None: event})
            other.draw(str(event))
        else:
            assert not other.deck()
            written = {int(seat): set(map(str, o)) for seat, o in turn.options.items()}
            assert written == other.open()
            moves = {seat: rng.choice(options) for seat, options in turn.options.items()}
            state = game.play(state, moves)
            other.play({int(seat): str(move) for seat, move in moves.items()})
