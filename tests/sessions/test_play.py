"""A game with people in it: what it waits for, who sees what, and what is saved when."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import pytest

from number_duels.core.game import AnyGame, IllegalMove, Seat
from number_duels.core.match import Match
from number_duels.core.names import SEAT_NAMES
from number_duels.core.player import AnyMatch, Forfeit, Situation
from number_duels.core.record import Person, Record
from number_duels.core.runner import play_match
from number_duels.core.scene import ASKED, OVER, SAID, TOLD, WORKING, Scene
from number_duels.games import load
from number_duels.players.external import ExternalPlayer, Fault, Limits
from number_duels.players.registry import player, seat_player
from number_duels.sessions.narration import ToldTurns, concession, told_so_far
from number_duels.sessions.play import (
    NO_TURN,
    NOT_READY,
    Awaited,
    Company,
    PlaySession,
    PlayWork,
    draw_prompt,
    make_scene,
    waits_for,
)
from tests.sixth_game.toys.two_prizes import TwoPrizes

BID, KNOT, STACK, DROP = (
    load(name) for name in ("number-bid", "number-knot", "number-stack-showdown", "number-drop")
)
TWO_PEOPLE = ("human", "human")
NAMES = ("Ann", "Bo")
VIEWERS = (*Seat, None)
AGAINST_RANDOM = ("human", "random")


@dataclass
class Shelf:
    """Keeps the moves of every match that is saved."""

    saved: list[str] = field(default_factory=list)

    def write(self, match: AnyMatch) -> None:
        self.saved.append(match.record.moves)


def session_of(game: AnyGame, who: tuple[str, str] = TWO_PEOPLE, seed: int = 7) -> PlaySession:
    one, two = (Person(name, kind) for name, kind in zip(NAMES, who, strict=True))
    players = (seat_player(who[0], game, None), seat_player(who[1], game, None))
    return PlaySession(Match(game, seed, players=(one, two)), players, Shelf())


def saved(session: PlaySession) -> list[str]:
    assert isinstance(session.store, Shelf)
    return session.store.saved


def run(session: PlaySession) -> PlayWork:
    """Do the slow thing that is next, as a face does."""
    work = session.work()
    assert work
    session.finish(work, work.run())
    return work


# ---- what is waited for ------------------------------------------------------------


def test_of_two_who_choose_a_person_is_asked_before_the_computer() -> None:
    session = session_of(BID, ("random", "human"))
    assert waits_for(session.match).seat is Seat.ONE
    assert session.next() == (Awaited.CHOOSE, (Seat.TWO, Seat.ONE))
    assert session.work() is None
    session.choose(Seat.TWO, "7")
    assert session.next() == (Awaited.CHOOSE, (Seat.ONE,))
    assert run(session).seat is Seat.ONE
    assert session.match.turn_number == 2


def test_a_card_is_waited_for_from_the_one_who_draws_it_and_saved_at_once() -> None:
    session = session_of(STACK, ("random", "human"))
    assert session.next() == (Awaited.DRAW, (Seat.ONE,))
    assert run(session).seat is Seat.ONE
    assert saved(session) == [session.match.record.moves] != [""]
    run(session)
    assert session.next() == (Awaited.DRAW, (Seat.TWO,))
    assert session.work() is None
    assert session.addressed is Seat.TWO


def test_a_game_that_is_over_waits_for_nothing() -> None:
    session = session_of(KNOT)
    session.resign()
    assert (session.next(), session.work()) == ((Awaited.OVER, ()), None)


# ---- who sees what -----------------------------------------------------------------


def test_two_people_choose_secretly_behind_a_curtain() -> None:
    session = session_of(BID)
    for seat in Seat:
        scene = session.scene(session.viewer)
        assert (scene.stage, scene.you, scene.question) == (SAID, None, None)
        assert scene.headline == f"Pass the keyboard to {seat}"
        session.act("ready")
        asked = session.scene(session.viewer)
        assert (asked.stage, asked.you) == (ASKED, seat)
        assert asked.question
        assert asked.question.secret
        session.act("choose", "7", seat)
    assert session.needs_curtain()


def test_nothing_is_secret_where_one_person_plays_or_nothing_is_hidden() -> None:
    alone, open_game = session_of(BID, AGAINST_RANDOM), session_of(KNOT)
    for session in (alone, open_game):
        assert not session.needs_curtain()
        assert session.viewer is Seat.ONE
        question = session.scene(Seat.ONE).question
        assert question
        assert not question.secret


def test_a_card_that_one_person_sees_is_drawn_while_the_other_looks_away() -> None:
    session = session_of(STACK)
    assert session.viewer is Seat.ONE
    assert session.scene(Seat.ONE).detail.endswith("Player 2, please look away.")
    session.act("draw", viewer=Seat.ONE)
    assert session.viewer is Seat.ONE
    session.cover()
    assert (session.needs_curtain(), session.scene(None).drawn) == (True, "?")
    session.act("ready")
    assert session.scene(session.viewer).drawn == str(session.match.history.steps[-1].event)


def test_the_one_person_looks_at_the_screen_and_is_spoken_to_in_their_turn() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    assert (session.viewer, session.addressed) == (Seat.ONE, Seat.ONE)
    session.choose(Seat.ONE, "S1")
    assert (session.viewer, session.addressed) == (Seat.ONE, None)
    assert (session_of(KNOT).viewer, session_of(BID).addressed) == (Seat.ONE, None)


def spoken(session: PlaySession) -> list[str]:
    return [line for speech in session.speak() for line in speech.lines]


def test_what_was_said_is_not_said_again() -> None:
    session = session_of(KNOT)
    opening = spoken(session)
    assert any("Player 1" in line for line in opening)
    assert spoken(session) == []
    session.choose(Seat.ONE, "S5")
    assert any("Player 2" in line for line in spoken(session))
    assert spoken(session) == []


def test_a_turn_that_has_begun_is_told_from_its_beginning() -> None:
    session = session_of(STACK)
    start = spoken(session)
    session.draw()
    card = spoken(session)
    assert card
    resumed = list(PlaySession(session.match, (None, None), None).speak())
    assert [line for speech in resumed for line in speech.lines] == start + card
    assert [speech.pause for speech in resumed if speech.changed] == [draw_prompt(session.game)]


def test_a_turn_that_was_taken_back_is_announced_again() -> None:
    session = session_of(KNOT)
    first = list(session.speak())[-1]
    session.choose(Seat.ONE, "S5")
    list(session.speak())
    session.take_back()
    assert list(session.speak()) == [first]
    session.choose(Seat.ONE, "S4")
    assert any("4" in line for line in spoken(session))


def test_a_game_that_is_given_up_is_told_once_and_nothing_else() -> None:
    session = session_of(BID, AGAINST_RANDOM)
    list(session.speak())
    session.resign()
    assert spoken(session) == ["", "Player 1 resigned.", "Player 2 wins the game!"]


# ---- in words ----------------------------------------------------------------------


ANN_AND_BO = Company(None, NAMES)


def on_a_page(match: AnyMatch, viewer: Seat | None, company: Company = ANN_AND_BO) -> Scene:
    """What a viewer of Ann and Bo's game sees in a browser."""
    told = told_so_far(match, viewer, NAMES)
    return make_scene(match, company._replace(viewer=viewer), told)


def standings(match: AnyMatch, company: Company = ANN_AND_BO) -> list[tuple[str, str]]:
    """The headline and the detail for both seats and for a spectator."""
    scenes = [on_a_page(match, viewer, company) for viewer in VIEWERS]
    return [(scene.headline, scene.detail) for scene in scenes]


def doings(match: AnyMatch, company: Company = ANN_AND_BO) -> list[tuple[str, ...]]:
    """What both players do, as both seats and a spectator read it."""
    scenes = [on_a_page(match, viewer, company) for viewer in VIEWERS]
    return [tuple(side.doing for side in scene.sides) for scene in scenes]


def test_who_is_to_move_is_said_to_each_viewer() -> None:
    match = session_of(KNOT).match
    assert standings(match) == [("Your turn", ""), ("Ann's turn", ""), ("Ann's turn", "")]
    assert doings(match) == [("to move", ""), ("thinking…", ""), ("thinking…", "")]
    scenes = [on_a_page(match, viewer) for viewer in VIEWERS]
    assert [scene.stage for scene in scenes] == [ASKED, TOLD, TOLD]
    assert [bool(scene.question) for scene in scenes] == [True, False, False]
    assert {scene.to_move for scene in scenes} == {(Seat.ONE,)}


def test_who_has_chosen_is_said_and_what_only_to_them() -> None:
    match = session_of(BID).match
    assert standings(match)[2] == ("Ann and Bo are choosing", "")
    match.submit(Seat.ONE, "7")
    assert standings(match) == [
        ("You chose 7", "Waiting for Bo."),
        ("Your turn", "Ann has chosen."),
        ("Bo's turn", "Ann has chosen."),
    ]
    assert doings(match)[1] == ("chosen", "to move")
    assert doings(match, ANN_AND_BO._replace(absent=frozenset(Seat)))[1:] == [
        ("chosen, left", "to move"),
        ("chosen, left", "left"),
    ]
    assert [on_a_page(match, viewer).answer for viewer in VIEWERS] == ["7", "", ""]


def test_a_seat_that_nobody_has_taken_is_waited_for() -> None:
    match, free = session_of(KNOT).match, ANN_AND_BO._replace(free=frozenset({Seat.TWO}))
    waiting = ("Waiting for your friend", "")
    invited = (f"Ann challenges you to {match.game.title}", "")
    assert standings(match, free)[::2] == [waiting, invited]
    assert doings(match, free)[::2] == [("", "not here yet"), ("", "free")]
    scenes = [on_a_page(match, viewer, free) for viewer in (Seat.ONE, None)]
    assert [[action.key for action in scene.actions] for scene in scenes] == [["close"], ["join"]]
    assert [scene.question for scene in scenes] == [None, None]
    nobody = free._replace(names=SEAT_NAMES)
    shown = [on_a_page(match, viewer, nobody).sides[1].name for viewer in (Seat.ONE, None)]
    assert shown == ["Your friend", "Your seat"]


@pytest.mark.parametrize(
    ("game", "who", "said"),
    [
        (KNOT, ("random", "human"), "Player 1 is thinking…"),
        (STACK, ("random", "human"), "Player 1 draws…"),
        (TwoPrizes(), TWO_PEOPLE, "Drawing a card…"),
    ],
    ids=["a move", "a card of the computer", "a card of nobody"],
)
def test_what_no_person_does_is_said(game: AnyGame, who: tuple[str, str], said: str) -> None:
    session = session_of(game, who)
    scene = session.scene(session.viewer)
    assert (scene.stage, scene.headline) == (WORKING, said)
    run(session)
    assert session.scene(session.viewer).headline != said


def test_who_won_is_said_to_each_viewer_and_why() -> None:
    match = session_of(KNOT).match
    match.concede(Seat.TWO, "resigned.")
    why = "Bo resigned."
    assert standings(match) == [("You win", why), ("You lose", why), ("Ann wins", why)]
    assert doings(match) == [("winner", "")] * 3
    assert on_a_page(match, None).log[-1].lines == (why, "Ann wins the game!")
    assert on_a_page(match, None).tables == ()
    record = Record(BID.name, {"numbers": 2}, None, 7, moves="1/1 2/2")
    assert [headline for headline, _ in standings(record.match())] == ["A draw"] * 3


def test_a_game_that_counts_no_points_has_no_score() -> None:
    for game in (KNOT, STACK, DROP):
        match: AnyMatch = Match(game, 7)
        play_match(match, {seat: player("random", game) for seat in Seat})
        scene = on_a_page(match, Seat.ONE)
        assert (scene.stage, scene.tables) == (OVER, ())
        assert scene.headline in ("You win", "You lose", "A draw")


def test_both_have_their_score_at_the_end_and_who_looks_comes_first() -> None:
    match = Record(BID.name, {"numbers": 2}, None, 7, moves="2/1").match()
    for viewer in VIEWERS:
        (table,) = on_a_page(match, viewer).tables
        rows = [("Ann", ("3",), 1.0, Seat.ONE), ("Bo", ("0",), 0.0, Seat.TWO)]
        found = [(row.words, row.cells, row.share, row.seat) for row in table.rows]
        won = {Seat.ONE: "You win", Seat.TWO: "You lose", None: "Ann wins"}[viewer]
        assert on_a_page(match, viewer).headline == f"{won} by 3"
        assert (table.title, found) == ("Score", rows[::-1] if viewer is Seat.TWO else rows)


def test_a_rematch_that_is_offered_is_gone_to_or_watched() -> None:
    match = session_of(KNOT).match
    match.concede(Seat.TWO, "resigned.")
    labels = [
        [action.label for action in on_a_page(match, viewer, company).actions]
        for company in (ANN_AND_BO, ANN_AND_BO._replace(rematch=True))
        for viewer in (Seat.ONE, None)
    ]
    always = ["Review", "New game"]
    offered = [["Rematch"], [], ["Go to the rematch"], ["Watch the rematch"]]
    assert labels == [found + always for found in offered]


def test_the_log_has_what_was_said_turn_by_turn() -> None:
    match = session_of(STACK).match
    match.draw()
    match.submit(Seat.ONE, "k")
    match.draw()
    opening, first, second = on_a_page(match, Seat.ONE).log
    assert (opening.turn, opening.lines[0]) == (0, "Welcome to Number Stack Showdown!")
    card = str(match.history.steps[0].event)
    assert first.lines[:2] == ("Ann's Turn", f"You drew a {card}.")
    assert (first.turn, first.moves, first.drawn) == (1, {Seat.ONE: "k"}, card)
    assert (second.moves, second.drawn) == ({}, "?")
    assert [opening.short, second.short] == ["", "Bo drew a card."]
    assert first.short == f"Ann keeps {card} (total {card})."


def test_turns_that_were_told_are_not_told_again() -> None:
    match, kept = session_of(KNOT).match, ToldTurns()
    match.submit(Seat.ONE, "S1")
    before = told_so_far(match, None, NAMES, kept)
    match.submit(Seat.TWO, "S2")
    after = told_so_far(match, None, NAMES, kept)
    assert all(one is other for one, other in zip(before, after, strict=False))
    renamed = told_so_far(match, None, ("Eve", "Bo"), kept)
    assert renamed[1].told.lines[-1] == "Eve subtracts 1 from Bo."


def test_the_status_tells_the_turn_the_computer_and_what_was_taken_back() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    session.act("choose", "S1", Seat.ONE)
    run(session)
    session.act("take_back", viewer=Seat.ONE)
    assert session.scene(Seat.ONE).status == ("turn 1", "Bo: Random", "1 move taken back")
    session.act("resign", viewer=Seat.ONE)
    assert session.scene(Seat.ONE).status[0] == "over"


def test_a_turn_in_which_both_choose_is_a_round() -> None:
    assert session_of(BID).scene(None).status[0] == "round 1"


def test_the_log_of_a_player_names_the_opponent() -> None:
    session = session_of(DROP, AGAINST_RANDOM)
    session.act("choose", "2+1", Seat.ONE)
    lines = session.scene(Seat.ONE).log[-1].lines
    assert any("from Player 2's grid" in line for line in lines)
    assert not any("opponent" in line for line in lines)


# ---- actions -----------------------------------------------------------------------


def test_until_the_computer_is_ready_keys_say_so() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    session.match.hints = True
    players, session.players = session.players, (None, None)
    assert reasons(session) == {"hint": NOT_READY, "take_back": NOT_READY, "resign": ""}
    session.players = players
    assert reasons(session) == {"hint": "", "take_back": NO_TURN, "resign": ""}


def reasons(session: PlaySession) -> dict[str, str]:
    return {action.key: action.why_not for action in session.scene(Seat.ONE).actions}


def test_an_action_that_is_not_possible_now_says_why_and_changes_nothing() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    session.act("choose", "S1", Seat.ONE)
    work = session.work()
    assert work
    scene = session.scene(Seat.ONE)
    assert {action.key: bool(action.why_not) for action in scene.actions} == {
        "take_back": True,
        "resign": True,
    }
    before = session.match.record
    for key, reason in (
        ("take_back", "The computer is thinking"),
        ("resign", "when it is your turn"),
        ("draw", "not possible now"),
        ("ready", "not possible now"),
        ("dance", "not possible now"),
    ):
        assert not scene.offers(key)
        with pytest.raises(ValueError, match=reason):
            session.act(key, viewer=Seat.ONE)
    with pytest.raises(IllegalMove, match="Only Player 2 can move now"):
        session.act("choose", "S2", Seat.ONE)
    assert session.match.record == before


def test_a_hint_is_offered_to_who_chooses_if_nothing_is_hidden() -> None:
    knot, stack, off = session_of(KNOT), session_of(STACK), session_of(KNOT)
    knot.match.hints = stack.match.hints = True
    assert knot.scene(Seat.ONE).offers("hint")
    assert not stack.scene(Seat.ONE).offers("hint")  # a card is to be drawn
    assert "hint" not in {action.key for action in off.scene(Seat.ONE).actions}


def test_after_the_game_it_can_be_reviewed_watched_again_or_played_again() -> None:
    session = session_of(KNOT)
    session.act("resign", viewer=Seat.ONE)
    scene = session.scene(session.viewer)
    assert (scene.stage, scene.headline, scene.detail) == (
        OVER,
        "Player 2 wins",
        "Player 1 resigned.",
    )
    keys = [action.key for action in scene.actions]
    assert keys == ["review", "replay", "rematch", "again", "leave", "take_back"]


# ---- what is saved, taken back and given up ----------------------------------------


def test_a_change_is_saved_at_once_and_a_secret_choice_never() -> None:
    session = session_of(BID)
    session.choose(Seat.ONE, "7")
    assert saved(session) == []
    session.choose(Seat.TWO, "6")
    assert saved(session) == ["7/6"]
    session.take_back()
    session.resign()
    assert saved(session) == ["7/6", "", ""]


def test_a_move_against_the_computer_is_taken_back_and_counted() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    session.choose(Seat.ONE, "S1")
    run(session)
    told = "The last turn is taken back. You have taken back 1 move in this game."
    assert session.take_back() == told
    assert (str(session.match.history), session.match.takebacks) == ("", 1)
    with pytest.raises(IllegalMove, match="no turn to take back yet"):
        session.take_back()


@pytest.mark.parametrize("who", [AGAINST_RANDOM, TWO_PEOPLE])
@pytest.mark.parametrize("moves", ["", "S1 S2", "S1 S2 S3 S4"])
def test_after_a_resignation_only_the_resignation_is_taken_back(
    who: tuple[str, str], moves: str
) -> None:
    session = session_of(KNOT, who)
    for number, move in enumerate(moves.split()):
        session.match.submit(Seat(number % 2), move)
    session.resign()
    assert session.take_back().startswith("The resignation is taken back.")
    assert (str(session.match.history), session.match.outcome) == (moves, None)


def test_two_people_take_back_a_turn_that_nobody_counts() -> None:
    session = session_of(KNOT)
    session.choose(Seat.ONE, "S1")
    session.choose(Seat.TWO, "S2")
    assert session.take_back() == "The last turn is taken back."
    assert (str(session.match.history), session.match.takebacks) == ("S1", 0)


def test_computers_take_nothing_back() -> None:
    session = session_of(KNOT, ("random", "random"))
    run(session)
    with pytest.raises(IllegalMove, match="the computer plays both sides"):
        session.take_back()


def test_the_one_person_resigns_or_of_two_the_one_to_move() -> None:
    alone, two = session_of(KNOT, AGAINST_RANDOM), session_of(KNOT)
    for session in (alone, two):
        session.choose(Seat.ONE, "S1")
        session.resign()
    assert (alone.match.result, two.match.result) == ("0-1", "1-0")
    assert concession(two.match) == ["Player 2 resigned.", "Player 1 wins the game!"]


def test_a_rematch_swaps_the_seats() -> None:
    session = session_of(KNOT, AGAINST_RANDOM)
    session.choose(Seat.ONE, "S1")
    again = session.rematch()
    assert again.players == session.match.players[::-1]
    assert (again.record.moves, again.game, again.hints) == ("", KNOT, False)


# ---- external players --------------------------------------------------------------


class Guest(ExternalPlayer):
    """An external player that plays what it is told, and then knows nothing more."""

    def __init__(self, *answers: str, absent: bool = False) -> None:
        super().__init__(Limits(retries=0))
        self.answers, self.absent = list(answers), absent
        self.heard: list[Hashable] = []

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        if self.absent:
            raise Forfeit("crashed", "it is not there")
        self.heard.append(seat)

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        if not self.answers:
            raise Forfeit("late", "no answer in time")
        return self.answers.pop(0)

    def end(self, view: Hashable, result: str, reason: str) -> None:
        self.heard.append(result)


def with_guest(guest: Guest) -> PlaySession:
    session = session_of(KNOT)
    session.match.players = (Person("Ann"), Person("Bot", "py:guest:play"))
    session.players = None, guest
    return session


def test_an_external_player_hears_of_the_beginning_plays_and_hears_the_end() -> None:
    guest = Guest("S2")
    session = with_guest(guest)
    assert (run(session).seat, guest.heard) == (Seat.TWO, [Seat.TWO])
    assert session.work() is None  # a person moves first
    session.choose(Seat.ONE, "S1")
    assert run(session).seat is Seat.TWO
    session.resign()
    session.end()
    assert (session.match.record.moves, guest.heard) == ("S1 S2", [Seat.TWO, "0-1"])


@pytest.mark.parametrize(
    ("guest", "reason"),
    [
        (Guest(absent=True), "Player 2 forfeits: it is not there"),
        (Guest(), "Player 2 forfeits: no answer in time"),
    ],
    ids=["at the beginning", "in a turn"],
)
def test_a_player_that_cannot_go_on_loses_and_that_is_saved(guest: Guest, reason: str) -> None:
    session = with_guest(guest)
    run(session)
    if not session.match.outcome:
        session.choose(Seat.ONE, "S1")
        run(session)
    assert concession(session.match) == [reason, "Player 1 wins the game!"]
    assert session.work() is None
    assert saved(session)[-1] == session.match.record.moves
