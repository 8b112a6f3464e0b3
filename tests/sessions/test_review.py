"""Reviews without a face: where a game turned, what each move cost, what would have been right."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.core.history import History
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.core.scene import Finding
from number_duels.review.words import chance, cost
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.review import ReviewSession
from number_duels.trainer.book import AddCard
from tests.review.positions import SMALL, random_match
from tests.some_games import CARDS, SOME_GAMES

KNOT = nd.load("number-knot")
NAMES = ("You", "Bo")
#: Player 2's second turn turns a draw into a loss.
SAMPLE = nd.Record(KNOT.name, KNOT.settings, None, 7, moves="S5 A3 S9", result="1-0")


def reviewed(
    match: AnyMatch, names: tuple[str, str] | None = None, viewer: Seat | None = None
) -> ReviewSession:
    """A review that is worked out."""
    session = ReviewSession(match, names, viewer)
    assert session.scene().stage == "working"
    while work := session.work():
        work.run(nd.solve(work.game))
    assert session.scene().stage == "told"
    return session


def knot(moves: str) -> AnyMatch:
    return replace(SAMPLE, moves=moves, result="*").match()


def random_game(name: str, seed: int) -> AnyMatch:
    return random_match(nd.load(name, **SMALL[name]), seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SOME_GAMES)
def test_every_decision_has_a_finding_on_the_board_that_was_decided_on(
    name: str, seed: int
) -> None:
    match = random_game(name, seed)
    session = reviewed(match, NAMES, Seat.TWO)
    found, scene = session.review, session.scene()
    assert found
    for finding, grade in zip(scene.findings, found.grades, strict=True):
        assert (finding.turn, finding.seat) == (grade.turn, grade.seat)
        assert finding.verdict.right == (not finding.cost) == (grade.loss == 0)
        assert finding.cost == (cost(grade.loss) if grade.loss else "")
        before = finding.before
        history = History.read(match.game, match.history.start, before.at)
        assert before.board == tuple(match.game.board(history.state))
        assert grade.move in map(str, history.turn.options[grade.seat])  # type: ignore[union-attr] # a decision
        keys = [action.key for action in finding.actions]
        assert ("punished" in keys) == bool(finding.frames) == bool(grade.loss)
        assert ("again" in keys) == (grade.loss > 0 and grade.seat is Seat.TWO)
        assert {"analyze", "card"} <= set(keys)
        if finding.frames:
            assert finding.verdict.sentences[-1].startswith("Right was ")
            assert finding.frames[1].turn == grade.turn
            assert finding.frames[1].moves[grade.seat] == grade.move
    assert len({finding.key for finding in scene.findings}) == len(scene.findings)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SOME_GAMES)
def test_the_chart_names_every_mistake_where_the_line_of_skill_falls_or_rises(
    name: str, seed: int
) -> None:
    session = reviewed(random_game(name, seed))
    found, chart = session.review, session.scene().chart
    assert found
    assert chart
    skill, *luck = chart.curves
    assert [turn for turn, _ in skill.points] == sorted(turn for turn, _ in skill.points)
    assert skill.points[-1] == pytest.approx((len(found.course) - 1, (1 + found.skill[-1]) / 2))
    wrong = [grade for grade in found.grades if grade.loss]
    assert [mark.seat for mark in chart.marks] == [grade.seat for grade in wrong]
    marks = {(mark.turn, mark.height): mark.seat for mark in chart.marks}
    for (_, before), point in pairwise(skill.points):
        if point in marks:
            assert (point[1] < before) == (marks[point] is Seat.ONE)
    assert [curve.dashed for curve in luck] == [True] * any(abs(n) >= 0.0005 for n in found.luck)
    assert all(f"turn {grade.turn}, {grade.seat}" in chart.said for grade in wrong)
    assert ", ".join(map(chance, found.skill)) in chart.said


@pytest.mark.parametrize(
    ("moves", "headline", "at"),
    [
        ("S5 A3 S9", "The game turned in turn 2: Bo's add 3.", "S5"),
        ("S5 A9", "Nobody made a mistake.", ""),
        ("", "Nothing was decided.", ""),
    ],
)
def test_the_headline_says_where_the_game_turned(moves: str, headline: str, at: str) -> None:
    scene = reviewed(knot(moves), NAMES).scene()
    assert (scene.headline, scene.at) == (headline, at)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_game_turns_at_its_last_decisive_mistake_else_at_its_costliest(
    name: str, seed: int
) -> None:
    session = reviewed(random_game(name, seed))
    scene, found = session.scene(), session.review
    assert found
    if not found.mistakes:
        return
    decisive = [one for one in scene.findings if one.decisive]
    most = max(grade.loss for grade in found.grades)
    costliest = [
        one for one, grade in zip(scene.findings, found.grades, strict=True) if grade.loss == most
    ]
    turned = decisive[-1] if decisive else costliest[0]
    how = "The game turned" if decisive else "The costliest mistake was made"
    assert scene.headline.startswith(f"{how} in turn {turned.turn}: {turned.seat}'s ")
    assert scene.at == turned.before.at


def test_both_players_have_their_figures() -> None:
    (table,) = reviewed(SAMPLE.match(), NAMES).scene().tables
    assert table.columns == ("Accuracy", "Mistakes cost")
    assert [(row.words, row.cells) for row in table.rows] == [
        ("You", ("100%", "0%")),
        ("Bo", ("0%", "50%")),
    ]
    assert table.sentences == (
        "You: accuracy 100%, no mistakes.",
        "Bo: accuracy 0%, mistakes cost 50%.",
    )
    (nobody,) = reviewed(knot(""), NAMES).scene().tables
    assert {row.cells for row in nobody.rows} == {("-", "0%")}


def test_luck_is_told_where_there_was_some() -> None:
    session = reviewed(random_game(CARDS, 1), NAMES)
    scene, (table,) = session.scene(), session.scene().tables
    assert table.columns[-1] == "Luck"
    words = [row.cells[-1] for row in table.rows]
    assert sorted(one.split()[0] for one in words) == ["brought", "cost"]
    assert len({one.split()[1] for one in words}) == 1
    assert scene.notes[0].startswith("Luck is ")
    assert reviewed(SAMPLE.match()).scene().notes == ()


def test_one_goes_from_mistake_to_mistake_and_around() -> None:
    session = reviewed(knot("A3 S8 S6 S5"), NAMES)
    whole = session.scene()
    assert (whole.path, whole.verdict, session.here) == ("The end", None, None)
    wrong = [n for n, one in enumerate(whole.findings, 1) if not one.verdict.right]
    visited = []
    for _ in range(len(wrong) + 1):
        session.act("mistake")
        visited.append(session.place)
        scene = session.scene()
        assert scene.path == f"Before turn {whole.findings[session.place - 1].turn}"
        assert scene.verdict == whole.findings[session.place - 1].verdict
        assert scene.frames
    assert visited == [*wrong, wrong[0]]
    session.act("go")
    assert session.scene() == whole
    session.act("go", whole.findings[-1].key)
    assert session.place == len(whole.findings)
    with pytest.raises(ValueError, match="not possible"):
        session.act("go", "99.1")
    with pytest.raises(ValueError, match="threw anything away"):
        reviewed(knot("S5")).act("mistake")


def test_a_mistake_can_be_watched_as_it_is_punished() -> None:
    session = reviewed(SAMPLE.match(), NAMES)
    assert session.punishment() is None
    session.act("mistake")
    found = session.punishment()
    assert isinstance(found, ReplaySession)
    found.act("last")
    assert found.scene().status == ("step 2 of 2", "How Bo's add 3 is punished")
    assert found.scene().log[-1].lines[-1] == "You win the game!"


def test_a_mistake_of_a_person_makes_the_card_that_a_book_makes_of_it() -> None:
    def card(who: str) -> AddCard:
        people = Person("Ann"), Person("Bo", who)
        session = reviewed(replace(SAMPLE, players=people, started="2026-01-09T").match())
        assert session.card() is None
        session.act("mistake")
        found = session.card()
        assert found
        return found

    own, other = card("human"), card("perfect")
    assert (own.spot, own.card) == (other.spot, other.card)
    assert (own.spot.moves, own.spot.seat) == ("S5", Seat.TWO)
    assert (own.source, own.cost, own.played) == ("game", 1.0, "2026-01-09")
    assert (other.source, other.cost) == ("analysis", 0.0)


@pytest.mark.parametrize(
    ("result", "moves", "said"),
    [("1-0", "S5 A3 S9", "You won"), ("*", "S5", "unfinished"), ("1-0", "S5", "You won")],
)
def test_it_says_who_played_and_how_it_ended(result: str, moves: str, said: str) -> None:
    reason = "Player 2 resigned." if (result, moves) == ("1-0", "S5") else ""
    match = replace(SAMPLE, moves=moves, result=result, reason=reason).match()
    scene = reviewed(match, NAMES).scene()
    assert scene.status == ("You and Bo", said)
    assert ("Bo resigned." in scene.lines) == bool(reason)
    assert [side.name for side in scene.sides] == ["You", "Bo"]


def test_a_card_in_hand_changes_nothing() -> None:
    """The luck, the board, or a finding would tell which card it is."""
    scenes = []
    for card in "14":
        record = nd.Record(CARDS, nd.load(CARDS, **SMALL[CARDS]).settings, None, 7)
        scenes.append(reviewed(replace(record, moves=f"2k 3g {card}").match()).scene())
    assert scenes[0] == scenes[1]
    assert scenes[0].path == "So far"


def test_words_without_names_are_for_a_face_that_puts_them_in() -> None:
    scene = reviewed(replace(SAMPLE, players=(Person("Player 1"), Person("X", "random"))).match())
    findings: tuple[Finding, ...] = scene.scene().findings
    assert findings[1].verdict.sentences[0] == "Player 2's add 3 turns a draw into a loss."
    assert [side.name for side in scene.scene().sides] == ["You", "X"]
