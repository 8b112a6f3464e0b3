"""Watching a game again without a face: every turn on its board, and no more than may be seen."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.board import Numbers, changed
from number_duels.core.game import Seat
from number_duels.core.history import History
from number_duels.core.player import AnyMatch
from number_duels.core.scene import frame_json
from number_duels.sessions.replay import ReplaySession, line_frames
from tests.core.playing import VIEWERS
from tests.review.positions import SMALL, random_match
from tests.some_games import CARDS, SECRET, SOME_GAMES

NAMES = ("You", "Bo")
KNOT = nd.load("number-knot")


def played(name: str, seed: int = 3) -> AnyMatch:
    return random_match(nd.load(name, **SMALL[name]), seed)


def knot(moves: str) -> AnyMatch:
    return nd.Record(KNOT.name, KNOT.settings, None, 7, moves=moves).match()


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("name", SOME_GAMES)
def test_every_turn_has_its_board_its_moves_and_its_words(name: str, viewer: Seat | None) -> None:
    match = played(name)
    start, *turns = ReplaySession.of(match, viewer).frames
    steps = [step for step in match.steps(viewer) if step.moves]
    board = match.game.board
    assert start.lines == tuple(match.game.opening(match.steps(viewer)[0].before))
    assert [frame.turn for frame in (start, *turns)] == list(range(len(steps) + 1))
    assert [frame.at.split() for frame in turns][-1] == match.moves(viewer).split()
    for before, frame, step in zip((start, *turns), turns, steps, strict=False):
        assert frame.board == tuple(board(step.after))
        assert frame.moves == {seat: str(move) for seat, move in step.moves.items()}
        assert frame.words.keys() == frame.moves.keys()
        assert frame.changed == changed(before.board, frame.board) != {}
        told = tuple(match.game.tell(step.before, step.moves, step.after, viewer))
        assert frame.lines[-len(told) :] == told
        assert frame.at == f"{before.at} {frame.drawn}{'/'.join(frame.moves.values())}".strip()
        assert frame.said == match.game.sum_up(step.before, step.moves, step.after)


def test_names_are_put_in_and_who_looks_on_is_no_you() -> None:
    session = ReplaySession.of(knot("S5 A3"), None, NAMES)
    assert session.frames[1].said == "You subtract 5 from Bo."
    session.act("last")
    told = [line for one in session.scene().log for line in one.lines]
    assert "Bo's Turn:" in told
    assert "Player" not in " ".join(told)


def test_one_goes_forward_and_back_and_to_any_turn() -> None:
    session = ReplaySession.of(knot("S9 S8 S1"))
    seen = []
    for key, text in (
        *(("next", ""), ("back", ""), ("back", ""), ("last", ""), ("next", "")),
        *(("first", ""), ("go", "2"), ("go", "99")),
    ):
        session.act(key, text)
        scene = session.scene()
        assert scene.board == session.frames[session.place].board
        assert [one.turn for one in scene.log] == list(range(1, session.place + 1))
        seen.append(scene.status[0])
    assert seen == [
        *("turn 1 of 3", "start of 3 turns", "start of 3 turns", "turn 3 of 3"),
        *("turn 3 of 3", "start of 3 turns", "turn 2 of 3", "turn 3 of 3"),
    ]
    with pytest.raises(ValueError, match="from 0 to 3"):
        session.act("go", "two")
    with pytest.raises(ValueError, match="not possible"):
        session.act("hint")


def test_a_game_that_was_given_up_says_so_in_its_last_frame() -> None:
    for moves in ("", "S5 A3"):
        match = knot(moves)
        match.concede(Seat.TWO, "resigned.")
        *_, last = ReplaySession.of(match, None, NAMES).frames
        assert last.lines[-2:] == ("Bo resigned.", "You win the game!")


def test_a_game_that_is_not_over_says_where_it_stops() -> None:
    for moves, turn in (("", 1), ("S5 A3", 3)):
        *_, last = ReplaySession.of(knot(moves)).frames
        assert last.lines[-1] == f"The game stops here, at turn {turn}."


def test_a_card_in_hand_is_seen_only_by_the_one_who_drew_it() -> None:
    settings = nd.load(CARDS, **SMALL[CARDS]).settings
    matches = [nd.Record(CARDS, settings, None, 7, moves=f"2k {card}").match() for card in "34"]
    for viewer in VIEWERS:
        three, four = (ReplaySession.of(match, viewer) for match in matches)
        assert (three.frames == four.frames) == (viewer is not Seat.TWO)


def test_a_choice_that_waits_is_nowhere() -> None:
    match: AnyMatch = nd.Match(nd.load(SECRET, **SMALL[SECRET]), seed=5)
    before = [ReplaySession.of(match, viewer).scene() for viewer in VIEWERS]
    match.submit(Seat.ONE, match.options(Seat.ONE)[-1])
    assert [ReplaySession.of(match, viewer).scene() for viewer in VIEWERS] == before


def test_a_line_goes_on_from_a_card_in_hand() -> None:
    game = nd.load(CARDS)
    history = History.read(game, game.start(), "7k 10")
    start, first, second = line_frames(history, "7k 10g 3k")
    assert (start.said, start.at) == ("Before turn 2.", "7k 10")
    assert (first.at, first.moves, first.drawn) == ("7k 10g", {Seat.TWO: "g"}, "")
    assert (second.at, second.turn, second.drawn) == ("7k 10g 3k", 3, "3")
    # The turn had begun, so it is not announced again.
    assert first.announced == 0 < second.announced


def test_json_says_whose_move_changed_what_and_by_how_much() -> None:
    frame = ReplaySession.of(knot("S5 A3")).frames[2]
    found = frame_json(frame)
    (pool,) = [n for n, part in enumerate(frame.board) if isinstance(part, Numbers)]
    changes = found["changed"]
    assert isinstance(changes, list)
    notes = {(one["part"] == pool, one["seat"], one["note"]) for one in changes}
    assert notes == {(True, 2, ""), (False, None, "+3")}
    assert found["short"] == {"2": "Add 3"}
    cards = ReplaySession.of(played(CARDS)).frames[1]
    short = {str(seat + 1): f"{cards.drawn}: {words}" for seat, words in cards.words.items()}
    assert frame_json(cards)["short"] == short
