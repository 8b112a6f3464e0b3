"""Number Stack Showdown on paper: deals, records and what people type."""

from __future__ import annotations

import pytest

from number_duels import Match, Seat
from number_duels.games.number_stack_showdown import Choice, NumberStackShowdown
from tests.games.table import played

GAME = NumberStackShowdown()


def test_a_turn_is_the_card_and_what_was_done_with_it() -> None:
    assert played(GAME, "7k 10g 7").record.moves == "7k 10g 7"
    assert [str(choice) for choice in Choice] == ["k", "g"]


def test_a_record_keeps_a_card_that_is_drawn_and_not_placed() -> None:
    match = Match(GAME, seed=3)
    match.draw()
    card = match.view(Seat.ONE).card
    assert match.record.moves == str(card)
    again = Match.from_record(GAME, match.record)
    assert again.view(Seat.ONE).card == card


def test_a_deal_is_the_top_of_the_deck_and_the_rest_stays_random() -> None:
    orders = set()
    for seed in range(4):
        match = Match(GAME, seed=seed, deal="7 10 5")
        for _ in range(6):
            match.draw()
            match.submit(match.view(None).mover, Choice.KEEP)
        assert match.record.deal == "7 10 5"
        assert match.record.moves.startswith("7k 10k 5k ")
        orders.add(match.record.moves)
    assert len(orders) > 1


@pytest.mark.parametrize("deal", ["11", "0", "-1", "seven", "7 x", "\u0667", "7.5", "7k"])
def test_a_deal_of_cards_that_are_not_there_is_refused(deal: str) -> None:
    with pytest.raises(ValueError, match="A deal has cards from 1 to 10"):
        GAME.start(deal=deal)


def test_a_deal_of_too_many_of_a_card_is_refused() -> None:
    GAME.start(deal="7 7 7 7")
    with pytest.raises(ValueError, match="The deck has 4 of card 7, not 5"):
        GAME.start(deal="7 7 7 7 7")


def test_a_record_whose_cards_are_not_those_dealt_is_refused() -> None:
    with pytest.raises(ValueError, match=r"turn 2.*deal"):
        played(GAME, "7k 9g", "7 10 5")


@pytest.mark.parametrize(
    ("text", "choice"),
    [("k", Choice.KEEP), ("Keep", Choice.KEEP), (" G ", Choice.GIVE), ("give", Choice.GIVE)],
)
def test_what_people_type_is_taken(text: str, choice: Choice) -> None:
    assert GAME.parse(text) is choice


@pytest.mark.parametrize("text", ["", "7", "7k", "maybe", "keep it", "kg"])
def test_what_is_no_move_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"A move is k \(keep\) or g \(give\)"):
        GAME.parse(text)
