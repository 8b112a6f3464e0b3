"""Cards from one's own games: every mistake, once, and nobody else's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.review.player_stats import NO_PEOPLE, TWO_PEOPLE, UNFINISHED, Ungraded
from number_duels.review.position import examine
from number_duels.trainer.book import Book, BookFile, RemoveCard
from number_duels.trainer.own_mistakes import mistakes, new_cards
from tests.clock import ManualClock
from tests.review.positions import SMALL, random_match
from tests.some_games import SOME_GAMES
from tests.trainer.events import DAY, MONDAY

ANN, BO, WEAK = nd.Person("Ann"), nd.Person("Bo"), nd.Person("Computer", "level:1")
PERFECT = nd.Person("Perfect", "perfect")
some_games = pytest.mark.parametrize("name", SOME_GAMES)


def played(
    name: str, seed: int = 1, players: tuple[nd.Person, nd.Person] = (ANN, WEAK)
) -> nd.Record:
    record = random_match(nd.load(name, **SMALL.get(name, {})), seed).record
    return replace(record, players=players, started=f"2026-01-{seed + 1:02}T20:00:00Z")


def with_mistakes(name: str = "number-knot") -> nd.Record:
    """A game in which Player 1 threw something away."""
    games = (played(name, seed) for seed in range(20))
    return next(game for game in games if mistakes(game, nd.Seat.ONE))


# ---- which moves ---------------------------------------------------------------


@some_games
def test_every_move_that_cost_two_percent_or_more_becomes_a_card(name: str) -> None:
    for seed in range(4):
        record = played(name, seed)
        for seat in nd.Seat:
            costs = [grade.loss for grade in nd.review(record).grades if grade.seat is seat]
            cards = mistakes(record, seat)
            assert [card.cost for card in cards] == pytest.approx(
                [cost for cost in costs if cost >= 0.04]
            )


@some_games
def test_a_card_is_the_spot_in_which_the_mistake_was_made(name: str) -> None:
    record = with_mistakes(name)
    solution = nd.solve(record.match().game)
    steps = record.match().history.steps
    for card in mistakes(record, nd.Seat.ONE):
        spot = card.spot.open()
        assert (spot.id, spot.seat, card.played) == (card.card, nd.Seat.ONE, record.started[:10])
        step = steps[len(spot.history.steps)]
        assert step.before == spot.state
        costs = examine(solution, spot.state).costs[nd.Seat.ONE]
        assert costs.moves[str(step.moves[nd.Seat.ONE])][0] == pytest.approx(card.cost)


def test_a_game_that_was_given_up_has_its_mistakes() -> None:
    found = 0
    for seed in range(9):
        match = played("number-knot", seed).match()
        match.undo()
        before = [card.card for card in mistakes(match.record, nd.Seat.ONE)]
        match.concede(nd.Seat.ONE, "resigned.")
        assert [card.card for card in mistakes(match.record, nd.Seat.ONE)] == before
        found += len(before)
    assert found


# ---- whose games ---------------------------------------------------------------


@some_games
def test_games_against_computers_count_for_the_person_in_either_seat(name: str) -> None:
    record = with_mistakes(name)
    for players, seat in (((ANN, WEAK), nd.Seat.ONE), ((WEAK, ANN), nd.Seat.TWO)):
        found = new_cards(Book(), [replace(record, players=players)])
        expected = {card.card for card in mistakes(record, seat)}
        assert {card.card for card in found.cards} == expected
        assert (found.games, found.left_out) == (1, {})


def test_games_without_a_you_are_left_out_and_counted() -> None:
    record = with_mistakes()
    others = [
        replace(record, players=(ANN, BO)),
        replace(record, players=(WEAK, PERFECT)),
        replace(record, result="*", reason=""),
    ]
    found = new_cards(Book(), others)
    assert (found.cards, found.games) == ((), 0)
    assert found.left_out == {TWO_PEOPLE: 1, NO_PEOPLE: 1, UNFINISHED: 1}


def test_a_named_player_has_a_book_whoever_it_met() -> None:
    record = with_mistakes()
    games = [replace(record, players=(BO, ANN)), replace(record, players=(PERFECT, WEAK))]
    for name, seat in (("Bo", nd.Seat.ONE), ("Computer", nd.Seat.TWO)):
        found = new_cards(Book(), games, name=name)
        assert {card.card for card in found.cards} == {c.card for c in mistakes(record, seat)}
        assert found.left_out == {f"without {name}": 1}


def test_a_game_that_breaks_the_rules_or_is_too_large_is_left_out_with_its_reason(
    own_cache: Path,
) -> None:
    broken = replace(with_mistakes(), moves="S99")
    large = replace(nd.Match(nd.load("number-stack-showdown")).record, players=(ANN, WEAK))
    large = replace(large, moves="7k 10g", result="1-0", reason="Player 2 resigned.")
    found = new_cards(Book(), [broken, large])
    assert found.games == 0
    assert sorted(found.left_out.values()) == [1, 1]
    assert any("to the cache" in reason for reason in found.left_out)
    with pytest.raises(Ungraded, match="to the cache"):
        mistakes(large, nd.Seat.ONE)
    assert not list(own_cache.rglob("number-stack*"))


def test_a_card_is_added_when_the_game_is_looked_at() -> None:
    clock = ManualClock()
    found = new_cards(Book(), [with_mistakes()], clock=clock)
    assert {card.time for card in found.cards} == {clock.now()}


# ---- once ----------------------------------------------------------------------


def test_reading_games_again_adds_nothing(tmp_path: Path) -> None:
    file = BookFile(tmp_path / "training.jsonl")
    games = [played(name, seed) for name in nd.games() for seed in range(3)]
    file.append(*new_cards(file.read(), [*games, *games]).cards)
    cards = file.read().cards
    assert len({card.id for card in cards}) == len(cards) > 5
    assert new_cards(file.read(), reversed(games)).cards == ()


def test_a_removed_card_does_not_come_back_by_itself() -> None:
    record = with_mistakes()
    (first, *others) = new_cards(Book(), [record]).cards
    book = Book((first, RemoveCard.of(first.card, MONDAY + 400 * DAY)))
    again = new_cards(book, [record, replace(record, started="2027-01-01T20:00:00Z")])
    assert [card.card for card in again.cards] == [card.card for card in others]


def test_progress_goes_from_nothing_to_all() -> None:
    seen: list[float] = []
    new_cards(Book(), [played("number-knot", seed) for seed in range(4)], progress=seen.append)
    assert seen[0] == 0
    assert seen[-1] == 1
    assert seen == sorted(seen)
