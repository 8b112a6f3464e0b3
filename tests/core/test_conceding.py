"""A game that somebody gives up: it is over, written down, and read again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.review.json import review_json
from number_duels.sessions.narration import concession
from tests.some_games import SOME_GAMES

GAMES = pytest.mark.parametrize("name", SOME_GAMES)


def begun(name: str) -> AnyMatch:
    """A match with one step played."""
    match: nd.Match[Hashable, Hashable, Hashable] = nd.Match(nd.load(name), seed=3)
    turn = match.turn
    if isinstance(turn, nd.Chance):
        match.draw()
    elif isinstance(turn, nd.Decision):
        for seat, options in turn.options.items():
            match.submit(seat, options[0])
    return match


@GAMES
@pytest.mark.parametrize("seat", nd.Seat)
@pytest.mark.parametrize("how", ["resigned.", "forfeits: it was late."])
def test_the_other_seat_wins_and_the_record_says_why(name: str, seat: nd.Seat, how: str) -> None:
    match = begun(name)
    match.concede(seat, how)
    assert match.turn == nd.Outcome(seat.other, f"{seat} {how}")
    assert match.conceded
    again = nd.Match.from_record(match.game, nd.Record.from_json(match.record.to_json()))
    assert again.turn == match.turn
    assert again.record == match.record


@GAMES
def test_nothing_is_played_after_it(name: str) -> None:
    match = begun(name)
    open_moves = {seat: match.options(seat) for seat in nd.Seat}
    match.concede(nd.Seat.ONE, "resigned.")
    for seat, options in open_moves.items():
        assert match.options(seat) == ()
        for move in options:
            with pytest.raises(nd.IllegalMove, match="over"):
                match.submit(seat, move)
    with pytest.raises(nd.IllegalMove):
        match.draw()
    with pytest.raises(nd.IllegalMove, match="over"):
        match.concede(nd.Seat.TWO, "resigned.")


@GAMES
def test_an_undo_takes_back_the_concession_and_no_turn(name: str) -> None:
    match = begun(name)
    before = match.record
    match.concede(nd.Seat.ONE, "resigned.")
    match.undo()
    assert not match.conceded
    assert match.record == before


@GAMES
def test_a_concession_before_the_first_turn_can_be_taken_back(name: str) -> None:
    match: AnyMatch = nd.Match(nd.load(name), seed=3)
    match.concede(nd.Seat.TWO, "resigned.")
    match.undo()
    assert match.result == "*"
    with pytest.raises(nd.IllegalMove, match="no turn to take back"):
        match.undo()


def test_a_way_to_end_that_nobody_could_read_again_is_refused() -> None:
    match = begun("number-knot")
    with pytest.raises(ValueError, match="resigned"):
        match.concede(nd.Seat.ONE, "left the room")


def test_a_result_that_nobody_conceded_is_still_refused() -> None:
    record = begun("number-knot").record
    text = record.to_json().replace('"result": "*"', '"result": "1-0"')
    with pytest.raises(ValueError, match="its moves lead to"):
        nd.Match.from_record(nd.load("number-knot"), nd.Record.from_json(text))


def test_two_players_that_fail_at_once_get_a_draw_that_charges_both() -> None:
    class Silent:
        def choose(self, situation: object) -> Hashable:
            raise nd.Forfeit("illegal", "no answer.")

    match: AnyMatch = nd.Match("number-bid", seed=1)
    outcome = nd.play_match(match, [Silent(), Silent()])
    assert outcome.winner is None
    assert outcome.reason == "Player 1 forfeits: no answer. Player 2 forfeits: no answer."
    again = nd.Record.from_json(match.record.to_json()).match()
    assert (again.turn, again.record) == (outcome, match.record)
    found = nd.review(match.record)
    assert [found.players[seat].loss for seat in nd.Seat] == [1.0, 1.0]
    told = review_json(found)
    assert [told[key] for key in ("forfeit", "second_forfeit")] == [
        {"seat": 1, "loss": 1.0},
        {"seat": 2, "loss": 1.0},
    ]
    assert concession(match)[1] == "The game is a draw."
    match.undo()
    assert match.result == "*"


def test_both_seats_forfeit_only_where_both_choose() -> None:
    match = begun("number-knot")
    reasons = "forfeits: it was late.", "forfeits: it was late."
    with pytest.raises(nd.IllegalMove, match="only when both are to choose"):
        match.concede_both(*reasons)
    draw = replace(match.record, result="1/2-1/2")
    for reason in ("Player 1 {} Player 2 {}".format(*reasons), f"Player 1 {reasons[0]}"):
        with pytest.raises(ValueError, match=r"Both seats|its moves lead to"):
            replace(draw, reason=reason).match()
    with pytest.raises(ValueError, match="must start with"):
        begun("number-bid").concede_both("resigned.", "resigned.")
