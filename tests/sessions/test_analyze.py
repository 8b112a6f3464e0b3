"""Analyses without a face: any position by its keys, what is said of it, back and forward."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.core.history import History
from number_duels.core.scene import Row, Scene, Table
from number_duels.review.position import examine_with_chances
from number_duels.review.words import advice
from number_duels.sessions.analyze import AnalyzeSession
from tests.sixth_game.toys.two_prizes import TwoPrizes
from tests.terminal.training import KNOT, loaded

GAMES: dict[str, nd.AnyGame] = {
    "both": loaded("number-bid", numbers=5),
    "mixed": loaded("high-low-battle", cards=4, rounds=2),
    "cards": loaded("number-stack-showdown", target=10, highest=3, copies=2),
    "turns": loaded("number-knot", numbers=4, life=5),
    "a deal": loaded("number-drop", side=2),
    "cards for both": cast("nd.AnyGame", TwoPrizes()),
}
PRIZES = GAMES["cards for both"]


def worked(session: AnalyzeSession) -> Scene:
    """What there is to see once all work is done."""
    while work := session.work():
        work.run(nd.solve(work.game))
    return session.scene()


def tables(scene: Scene, *kinds: str) -> list[Table]:
    return [table for table in scene.tables if table.kind in kinds]


def path(scene: Scene) -> tuple[Row, ...]:
    (table,) = tables(scene, "path")
    return table.rows


def choices(scene: Scene) -> list[Row]:
    """List the moves of the next seat to choose, or the cards that may come."""
    rows = [row for table in tables(scene, "options", "draws") for row in table.rows]
    return [row for row in rows if row.seat in (None, *scene.to_move[:1])]


def here(scene: Scene) -> str:
    (row,) = (row for row in path(scene) if row.here)
    return row.key


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_keys_lead_through_any_game_and_back(game: nd.AnyGame) -> None:
    deal = "1243 4231" if game.name == "number-drop" else None
    session, rng = AnalyzeSession(game, deal), Random(5)
    seen = [session.at]
    while (scene := worked(session)).stage != "over":
        for row in choices(scene):  # every line leads somewhere
            AnalyzeSession(game, deal, row.key)
        seen.append(rng.choice(choices(scene)).key)
        session.act("go", seen[-1])
        assert session.at == seen[-1] == here(session.scene())
    assert not choices(scene)
    assert History.read(game, game.start(deal=deal), session.at).outcome
    whole = [at for at in seen if "?" not in at]
    assert [row.key for row in path(scene)] == whole
    for at in reversed(whole[:-1]):
        session.act("back")
        assert session.at == at
    with pytest.raises(ValueError, match="not possible"):
        session.act("back")
    for at in whole[1:]:
        session.act("forward")
        assert session.at == at
    assert not session.scene().offers("forward")
    # The address of a position is all that a session needs to know.
    again = AnalyzeSession(game, deal, whole[1], line=whole[-1])
    assert [row.key for row in path(again.scene())] == whole


@pytest.mark.parametrize("name", ["both", "mixed", "cards for both"])
def test_either_seat_may_pick_first_and_change_its_mind(name: str) -> None:
    session = AnalyzeSession(GAMES[name])
    if tables(worked(session), "draws"):
        session.act("go", choices(session.scene())[0].key)
    start, scene = session.at, worked(session)
    assert scene.to_move == (Seat.ONE, Seat.TWO)
    assert scene.prompt == "Pick a move for each player."
    one, two = (table.rows for table in tables(scene, "options"))
    session.act("go", two[0].key)
    scene = session.scene()
    assert (scene.to_move, scene.prompt) == ((Seat.ONE,), "Now pick a move for Player 1.")
    assert scene.path.endswith(f"Player 2 plays {two[0].short}")
    assert [side.doing for side in scene.sides] == ["to move", "chosen"]
    assert session.work() is None
    first, second = (table.rows for table in tables(scene, "options"))
    assert [row.here for row in second] == [True, *([False] * (len(second) - 1))]
    assert second[1].key == two[1].key
    session.act("back")
    assert session.at == start
    session.act("go", second[1].key)
    session.act("type", one[0].short)
    turn = f"{one[0].short}/{two[1].short}"
    assert session.at.endswith(turn)
    assert first[0].key.endswith(f"{one[0].short}/{two[0].short}")


def test_a_move_is_written_right_after_the_card_that_was_drawn_for_it() -> None:
    session = AnalyzeSession(PRIZES, at="p2")
    session.act("type", "3")
    assert (session.at, session.asked) == ("p23/?", (Seat.TWO,))
    session.act("type", "1")
    assert session.at == "p23/1"
    session.act("type", "p1 2/?")
    assert AnalyzeSession(PRIZES, at="p23/1 p12/?").at == session.at == "p23/1 p12/?"


def test_what_people_type_is_played_or_refused_in_a_sentence() -> None:
    session = AnalyzeSession(KNOT)
    session.act("type", "s 5")
    session.act("type", "A3 S9")
    assert session.at == "S5 A3 S9"
    assert [row.words for row in path(session.scene())] == ["Start", "S5", "A3", "S9"]
    with pytest.raises(ValueError, match=r"turn 4 \(A4\): the game was already over"):
        session.act("type", "A4")
    session.act("back")
    with pytest.raises(ValueError, match=r"turn 3 \(A3\): A3 is not available"):
        session.act("type", "A3")
    assert session.at == "S5 A3"


def test_another_move_begins_another_line() -> None:
    session = AnalyzeSession(KNOT, at="S5", line="S5 A3 S9")
    session.act("go", "S5 A3")
    assert session.scene().offers("forward")
    session.act("back")
    session.act("go", "S5 A4")
    assert [row.key for row in path(session.scene())] == ["start", "S5", "S5 A4"]
    assert not session.scene().offers("forward")


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ("7/6 11/?", r"turn 2 \(11/\?\): 11 is not available"),
        ("?/?", "for a missing move"),
        ("7/6/?", "for a missing move"),
        ("?", "for a missing move"),
        ("x/?", r"turn 1 \(x/\?\)"),
        ("7/? 6/5", r"turn 1 \(7/\?\)"),
    ],
)
def test_half_a_turn_that_cannot_be_is_refused(at: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        AnalyzeSession(loaded("number-bid"), at=at)
    with pytest.raises(ValueError, match="for a missing move"):
        AnalyzeSession(KNOT, at="S5/?")
    with pytest.raises(ValueError, match="already over"):
        AnalyzeSession(KNOT, at="S5 A3 S9 1/?")


def test_the_figures_are_those_of_the_review_and_one_position_is_worked_out_once() -> None:
    game = GAMES["mixed"]
    session = AnalyzeSession(game)
    assert session.scene().stage == "working"
    scene, position = worked(session), examine_with_chances(nd.solve(game), game.start())
    assert session.position == position
    for table, seat in zip(tables(scene, "options"), Seat, strict=True):
        assert table.sentences == tuple(advice(position, seat))
        assert [row.words for row in table.rows] == [one.words for one in position.options[seat]]
        assert sum(row.good or False for row in table.rows) == 3
    assert scene.headline == "Both choose at once"
    assert [row.cells for (row,) in (one.rows for one in tables(scene, "balance"))] == [("50%",)]
    session.act("go", "2/3")
    assert session.work()
    session.act("back")
    assert session.work() is None


def test_the_end_is_told_and_nothing_can_be_chosen_there() -> None:
    scene = worked(AnalyzeSession(KNOT, at="S5 A3 S9", names=("You", "Computer")))
    assert (scene.stage, scene.headline) == ("over", "Over: 1-0")
    assert scene.detail.startswith("Computer's life total has reached")
    assert [(side.name, side.doing) for side in scene.sides] == [
        ("You", "winner"),
        ("Computer", ""),
    ]
    assert [table.kind for table in scene.tables] == ["path", "balance"]


def test_players_are_called_by_their_names() -> None:
    scene = worked(AnalyzeSession(KNOT, at="S5 A3", names=("You", "Computer")))
    assert (scene.headline, scene.detail) == ("Your turn", "You win if both play perfectly.")
    (balance,), (options,) = tables(scene, "balance"), tables(scene, "options")
    assert balance.rows[0].words == "Your winning chance"
    assert options.sentences[0].startswith("Your best move")


def test_a_book_is_given_the_decision_of_whoever_chooses_next() -> None:
    session = AnalyzeSession(GAMES["both"], at="1/2 5/?")
    assert session.spot
    assert (session.spot.spot.moves, session.spot.seat) == ("1/2", Seat.TWO)
    assert AnalyzeSession(GAMES["cards"]).spot is None


def test_a_deal_is_held_to() -> None:
    game = loaded("number-stack-showdown")
    assert AnalyzeSession(game, "7 8", "7k").at == "7k"
    with pytest.raises(ValueError, match="the deal has 7"):
        AnalyzeSession(game, "7", "8k")
