"""Randomness: exact odds, and streams that do not disturb one another."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import number_duels as nd
from number_duels.core.randomness import sample, stream
from tests.core.playing import TABLES, draws, positions


class Ticket(Random):
    """A source of chance that gives one ticket, and remembers how many there were."""

    def __init__(self, ticket: int) -> None:
        super().__init__(0)
        self.ticket, self.tickets = ticket, 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.tickets = start
        return self.ticket


def assert_exact(odds: dict[str, Fraction]) -> None:
    tickets = lcm(*(odd.denominator for odd in odds.values()))
    drawn: Counter[str] = Counter()
    for ticket in range(tickets):
        rng = Ticket(ticket)
        drawn[sample(odds, rng)] += 1
        assert rng.tickets == tickets
    assert {event: Fraction(count, tickets) for event, count in drawn.items()} == odds


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8))
def test_over_all_tickets_each_event_comes_as_often_as_its_odds_say(weights: list[int]) -> None:
    assert_exact({str(n): Fraction(w, sum(weights)) for n, w in enumerate(weights)})


def test_the_odds_of_every_game_are_sampled_exactly() -> None:
    tables = list(filter(draws, TABLES))
    for table in tables:
        turns = [table.game.turn(state) for state in positions(table)]
        odds = [turn.odds for turn in turns if isinstance(turn, nd.Chance)]
        assert odds
        for some in odds[:10]:
            assert_exact({str(event): odd for event, odd in some.items()})
    assert len(tables) >= 5


def test_odds_that_do_not_sum_to_one_are_an_error() -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        sample({"a": Fraction(1, 3)}, Ticket(2))


def test_a_stream_is_the_same_for_the_same_seed_and_purpose() -> None:
    assert stream(7, "draw", 3).random() == stream(7, "draw", 3).random()


def test_streams_for_different_purposes_are_different() -> None:
    purposes = [
        ("deal",),
        ("draw", 0),
        ("draw", 1),
        ("seat", 0, 1),
        ("seat", 1, 1),
        ("seat", 0, 11),
    ]
    first = {stream(seed, *purpose).random() for seed in (1, 2, 11) for purpose in purposes}
    assert len(first) == 3 * len(purposes)


def test_the_stream_of_a_seed_never_changes() -> None:
    """A record made today is played on with the same cards tomorrow."""
    assert [stream(7, "draw", n).randrange(40) for n in range(6)] == [20, 13, 27, 20, 3, 6]


def test_a_match_without_a_seed_gets_one_that_its_record_keeps() -> None:
    seeds = {nd.Match(nd.load(name)).record.seed for name in nd.games() for _ in range(4)}
    assert len(seeds) == 4 * len(nd.games())
    assert all(isinstance(seed, int) and 0 <= seed < 2**48 for seed in seeds)


def test_a_card_does_not_follow_from_the_one_before() -> None:
    game = nd.load("number-stack-showdown")
    second: dict[str, set[str]] = {}
    for seed in range(400):
        match = nd.Match(game, seed=seed)
        match.draw()
        match.submit(nd.Seat.ONE, "k")
        match.draw()
        first, then = (str(step.event) for step in match.history if not step.moves)
        second.setdefault(first, set()).add(then)
    assert all(len(cards) >= 7 for cards in second.values())
