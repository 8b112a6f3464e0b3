"""Taking a move back against the computer: counted, undone that far, and chosen afresh."""

from __future__ import annotations

import json
from collections.abc import Hashable

import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch, situation
from tests.documented import DOCUMENTED
from tests.some_games import SOME_GAMES

#: Games that do not end before the fourth turn.
GAMES = pytest.mark.parametrize(
    "name", [game for game in SOME_GAMES if game.values[0] in DOCUMENTED]
)


def played(name: str, turns: int) -> AnyMatch:
    match: AnyMatch = nd.Match[Hashable, Hashable, Hashable](nd.load(name), seed=3)
    while match.turn_number <= turns:
        turn = match.turn
        if isinstance(turn, nd.Decision):
            for seat, options in turn.options.items():
                match.submit(seat, options[0])
        else:
            match.draw()
    return match


@GAMES
@pytest.mark.parametrize("seat", nd.Seat)
def test_the_seats_last_move_and_all_after_it_are_gone(name: str, seat: nd.Seat) -> None:
    match = played(name, 4)
    moved = [n for n, step in enumerate(match.history) if seat in step.moves][-1]
    kept = match.history.steps[:moved]
    match.take_back(seat)
    begun = [n for n, step in enumerate(kept, 1) if step.moves]
    assert match.history.steps == kept[: begun[-1] if begun else 0]


@GAMES
def test_the_record_counts_it_and_is_read_again(name: str) -> None:
    match = played(name, 3)
    assert "takebacks" not in dict(match.record)
    match.take_back(nd.Seat.ONE)
    match.take_back(nd.Seat.ONE)
    assert dict(match.record)["takebacks"] == 2
    again = nd.Record.from_json(match.record.to_json()).match()
    assert (again.takebacks, again.record) == (2, match.record)


def test_who_mixes_chooses_afresh_and_the_same_after_resuming() -> None:
    match = played("high-low-battle", 1)

    def chosen(match: AnyMatch) -> float:
        return situation(match, nd.Seat.TWO).rng.random()

    seen = [chosen(match)]
    for _ in range(3):
        match.submit(nd.Seat.ONE, "5")
        match.submit(nd.Seat.TWO, "5")
        match.take_back(nd.Seat.ONE)
        seen.append(chosen(match))
        assert chosen(match.record.match()) == seen[-1]
    assert len(set(seen)) == 4


def test_a_card_once_drawn_comes_again() -> None:
    match = played("number-stack-showdown", 3)
    cards = [step.event for step in match.history if not step.moves]
    match.take_back(nd.Seat.TWO)
    match.draw()
    assert match.history.steps[-1].event == cards[1]


def test_there_must_be_a_move_to_take_back() -> None:
    match = played("number-knot", 1)
    with pytest.raises(nd.IllegalMove, match="Player 2 has no move to take back yet"):
        match.take_back(nd.Seat.TWO)
    assert match.takebacks == 0


def test_a_game_that_was_given_up_is_taken_up_again() -> None:
    match = played("number-knot", 2)
    match.concede(nd.Seat.ONE, "resigned.")
    match.take_back(nd.Seat.ONE)
    assert (match.outcome, str(match.history)) == (None, "A1 A2")


@pytest.mark.parametrize("count", [-1, True, "2", 1.5])
def test_a_count_is_a_count(count: object) -> None:
    written = dict(nd.Record("number-knot", {"first": 1}, None, 7)) | {"takebacks": count}
    with pytest.raises(ValueError, match="takebacks must be a whole number, 0 or more"):
        nd.Record.from_json(json.dumps(written))


def test_a_move_can_be_taken_back_after_giving_up_and_the_concession_with_it() -> None:
    match = nd.Match(nd.load("number-knot"), seed=1)
    for seat, move in zip(nd.Seat, ("S5", "A3"), strict=True):
        match.submit(seat, move)
    match.concede(nd.Seat.ONE, "resigned.")
    match.take_back(nd.Seat.TWO)
    assert (str(match.history), match.conceded, match.takebacks) == ("S5", False, 1)
