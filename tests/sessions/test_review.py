"""Reviews without a face: where a game turned, what each move cost, what would have been right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.core.history import History
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.core.scene import Chart, Finding, Scene
from number_duels.review.mistakes import LEAST_MISTAKE
from number_duels.review.words import COST, LUCK, capital, chance, cost, fall, luck_words
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.review import NOT_ALONE, ReviewSession
from number_duels.sessions.train import TrainSession
from number_duels.trainer.book import AddCard
from tests.clock import START
from tests.review.positions import SMALL, random_match
from tests.sessions.training import MemoryBook, worked
from tests.some_games import CARDS, SECRET, SOME_GAMES
from tests.terminal.training import TickingClock

KNOT = nd.load("number-knot")
NAMES = ("You", "Bo")
HIGH_LOW = nd.load("high-low-battle", cards=6, rounds=5)
AGAINST = (Person("Player 1"), Person("Player 2", "level:3"))
#: Every card of Player 1 is the highest.
DESCENDING = nd.Record(
    HIGH_LOW.name, HIGH_LOW.settings, None, 7, AGAINST, moves="6/2 5/1 4/3 3/6 2/5"
)
#: Player 1's second card costs less than 2% of the winning chance.
SMALL_LOSS = replace(DESCENDING, settings={**HIGH_LOW.settings, "rounds": 4}, moves="5/2 6/4")
#: Player 1's second card is one that perfect play seldom chooses.
RARE_CARD = replace(SMALL_LOSS, moves="2/3 1/6")
#: Player 2's second turn turns a draw into a loss.
SAMPLE = nd.Record(KNOT.name, KNOT.settings, None, 7, moves="S5 A3 S9", result="1-0")


def reviewed(
    match: AnyMatch,
    names: tuple[str, str] | None = None,
    reader: Seat | None = None,
    earlier: Iterable[nd.Record] = (),
) -> ReviewSession:
    """A review that is worked out."""
    session = ReviewSession(match, names, None if reader is None else (reader,), earlier)
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
        assert finding.verdict.right == (grade.loss < LEAST_MISTAKE)
        assert finding.cost == (cost(grade.loss) if grade.loss else "")
        assert (finding.loss, finding.kind) == (grade.loss, grade.kind)
        before = finding.before
        history = History.read(match.game, match.history.start, before.at)
        assert before.board == tuple(match.game.board(history.state))
        assert grade.move in map(str, history.turn.options[grade.seat])  # type: ignore[union-attr] # a decision
        keys = [action.key for action in finding.actions]
        assert ("punished" in keys) == bool(finding.frames) == grade.is_mistake
        own = grade.seat is Seat.TWO
        assert ("again" in keys) == ("retry" in keys) == (grade.is_mistake and own)
        assert ("solve" in keys) == ("retry" in keys)
        assert ("card" in keys) == own
        assert "analyze" in keys
        if finding.frames:
            assert " would have kept " in finding.right
            assert finding.right not in finding.verdict.sentences
            assert finding.frames[1].turn == grade.turn
            assert finding.frames[1].moves[grade.seat] == grade.move
    assert len({finding.key for finding in scene.findings}) == len(scene.findings)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SOME_GAMES)
def test_the_chart_is_the_winning_chance_and_names_every_mistake(name: str, seed: int) -> None:
    session = reviewed(random_game(name, seed))
    found, chart = session.review, session.scene().chart
    assert found
    assert chart
    (curve,) = chart.curves
    assert curve.points == tuple((n, (1 + value) / 2) for n, value in enumerate(found.course))
    assert all(0 <= height <= 1 for _, height in curve.points)
    wrong = [grade for grade in found.grades if grade.is_mistake]
    assert [mark.seat for mark in chart.marks] == [grade.seat for grade in wrong]
    for mark, grade in zip(chart.marks, wrong, strict=True):
        height = curve.points[grade.turn][1]
        if [one.turn for one in found.grades].count(grade.turn) == 2:
            # Both chose at once: the mark shows this choice alone.
            sign = 1 if grade.seat is chart.seat else -1
            height = curve.points[grade.turn - 1][1] - sign * grade.loss / 2
        assert (mark.turn, mark.height) == pytest.approx((grade.turn, height))
    assert len({(mark.turn, mark.height) for mark in chart.marks}) == len(chart.marks)
    turn = session.turn_word
    assert all(f"{turn} {grade.turn}, {grade.seat}" in chart.said for grade in wrong)
    assert ", ".join(map(chance, found.course)) in chart.said


def test_a_mark_says_what_the_choice_alone_changed_if_both_choose() -> None:
    chart = reviewed(random_game(KNOT.name, 0), NAMES).scene().chart
    assert chart
    assert not chart.note
    for seat in Seat:
        session = reviewed(DESCENDING.match(), NAMES, seat)
        found, chart = session.review, session.scene().chart
        assert found
        assert chart
        assert chart.note == NOT_ALONE
        assert chart.marks
        for mark, made in zip(chart.marks, found.mistakes, strict=True):
            values = made.before.value, made.after.value
            if mark.own:
                after = chance(found.course[made.turn] * (1, -1)[seat])
                assert (
                    f"from {mark.change}" == f"{fall(*values)} by this choice, {after} after both"
                )


@pytest.mark.parametrize(
    ("moves", "headline", "at"),
    [
        ("S5 A3 S9", "The only mistake was Bo's: adding 3 in turn 2.", "S5"),
        ("S5 A9", "Nobody made a mistake.", ""),
        ("", "Nobody made a move.", ""),
    ],
)
def test_the_headline_names_the_biggest_mistake(moves: str, headline: str, at: str) -> None:
    scene = reviewed(knot(moves), NAMES).scene()
    assert (scene.headline, scene.at) == (headline, at)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("number-drop", {"side": 2}),
        ("number-drop", {"side": 3}),
        ("number-knot", {"numbers": 3, "life": 3}),
        (CARDS, SMALL[CARDS]),
    ],
)
def test_the_headline_says_why_a_player_without_mistakes_lost(
    name: str, settings: dict[str, int | str]
) -> None:
    game, won = nd.load(name, **settings), []
    for seed in range(20):
        match = nd.Match(game, seed=seed)
        nd.play_match(match, {seat: nd.player("perfect", game) for seat in Seat})
        winner = match.outcome.winner if match.outcome else None
        if winner is None:
            assert reviewed(match).scene().headline == "Nobody made a mistake."
            continue
        won.append(winner)
        names = ("Ann", "You") if winner is Seat.ONE else ("You", "Ann")
        for reader in (winner, winner.other, None):
            session = reviewed(match, names, reader)
            assert session.review
            before = session.review.course[0] * (1, -1)[winner.other]
            why = "Ann wins if both play perfectly"
            if name == CARDS:
                why = f"the cards lowered your winning chance from {chance(before)} to 0%"
            first = "Ann made no mistake. " if reader is winner else ""
            assert session.scene().headline == f"{first}You could not have done better: {why}."
            assert (before == -1) == (name != CARDS)
    assert won


@pytest.mark.parametrize("reader", [Seat.ONE, Seat.TWO, None])
@pytest.mark.parametrize("name", SOME_GAMES)
def test_the_headline_names_the_readers_biggest_mistake_first(
    name: str, reader: Seat | None
) -> None:
    for seed in range(3):
        session = reviewed(random_game(name, seed), reader=reader)
        scene, found = session.scene(), session.review
        assert found
        mine = [one for one in scene.findings if not one.verdict.right and one.seat is reader]
        wrong = mine or [one for one in scene.findings if not one.verdict.right]
        if not wrong:
            continue
        most = max(wrong, key=lambda one: one.loss)
        alone = [one for one in wrong if reader is None or one.seat is most.seat]
        tied = [one for one in alone if one.cost == most.cost]
        whose = "the" if reader is None else f"{most.seat}'s"
        which = f"{whose} {'only' if alone == [most] else 'biggest'} mistake"
        if tied == alone != [most]:
            said = f"{capital(whose)} {len(tied)} mistakes cost the same: {most.cost} each."
            assert said in scene.headline
        else:
            if tied != [most]:
                which = f"one of {whose} costliest mistakes"
            assert f"{capital(which)} was " in scene.headline
            assert f" in {session.turn_word} {most.turn}." in scene.headline
        assert (f"{reader} made no mistake." in scene.headline) == (reader is not None and not mine)
        assert scene.at == most.before.at


def test_both_players_have_their_figures() -> None:
    scene = reviewed(SAMPLE.match(), NAMES).scene()
    (table,) = scene.tables
    assert table.columns == ("Mistakes", "Biggest mistake")
    assert [(row.words, row.cells) for row in table.rows] == [
        ("You", ("0 in 2 moves", "none")),
        ("Bo", ("1 in 1 move", "50% to 0%")),
    ]
    assert table.sentences == (
        "You: no mistakes in 2 moves.",
        "Bo: 1 mistake in 1 move. It lowered Bo's winning chance from 50% to 0%.",
    )
    assert set(table.sentences) <= set(scene.lines)
    (nobody,) = reviewed(knot(""), NAMES).scene().tables
    assert {row.cells for row in nobody.rows} == {("0 in 0 moves", "none")}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SOME_GAMES)
def test_no_percentage_of_a_review_is_over_100(name: str, seed: int) -> None:
    scene = reviewed(random_game(name, seed), NAMES).scene()
    assert scene.chart
    cells = [cell for table in scene.tables for row in table.rows for cell in row.cells]
    told = " ".join([*scene.lines, *cells, scene.chart.said])
    assert all(float(figure) <= 100 for figure in re.findall(r"([\d.]+)%", told)), told


def test_luck_of_more_than_a_game_is_100_percent_or_more() -> None:
    assert luck_words(2.5) == "added 100% or more"


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (
            "S8 S3 A4 A9 S6 A1 A7 S2 A5",
            "What now? Go through your mistakes, and try each of them again.",
        ),
        ("S5 A3 S9", "What now? Try turn 2 again and find a better move."),
        ("S5 A9", ""),
    ],
)
def test_the_review_says_what_to_do_now(moves: str, said: str) -> None:
    assert reviewed(knot(moves), NAMES).scene().prompt == said


def test_a_predictable_player_is_told_to_vary() -> None:
    scene = reviewed(DESCENDING.match(), ("You", "Computer")).scene()
    assert scene.prompt.startswith("What now? Vary your choices")


def test_the_right_move_of_ones_own_mistake_is_hidden_until_it_is_asked_for() -> None:
    def told(session: ReviewSession) -> str:
        found = session.scene().verdict
        assert found
        return " ".join(found.sentences)

    session = reviewed(SAMPLE.match(), ("Bo", "You"), Seat.TWO)
    session.act("mistake")
    assert "would have kept" not in told(session)
    assert session.scene().offers("solve")
    session.act("solve")
    assert told(session).endswith("Adding 6, 7, 8 or 9 would have kept the draw.")
    assert not session.scene().offers("solve")
    other = reviewed(SAMPLE.match(), NAMES, Seat.ONE)
    other.act("mistake")
    assert "would have kept" in told(other)
    assert not other.scene().offers("solve")
    with pytest.raises(ValueError, match="not possible"):
        reviewed(SAMPLE.match(), NAMES).act("solve")


def test_the_legend_tells_the_mistakes_of_both_players_apart() -> None:
    def drawn(name: str, seed: int) -> Chart:
        chart = reviewed(random_game(name, seed), NAMES, Seat.ONE).scene().chart
        assert chart
        return chart

    charts = [drawn(name, seed) for name in (KNOT.name, HIGH_LOW.name) for seed in range(3)]
    for chart in charts:
        legend = " ".join(chart.legend)
        assert ("● your mistake" in legend) == (Seat.ONE in {one.seat for one in chart.marks})
        assert ("○ Bo's mistake" in legend) == (Seat.TWO in {one.seat for one in chart.marks})
        assert all((mark.sign == "●") == (mark.seat is Seat.ONE) for mark in chart.marks)


def test_luck_is_told_where_there_was_some() -> None:
    session = reviewed(random_game(CARDS, 1), NAMES)
    scene, (table,) = session.scene(), session.scene().tables
    assert table.columns[-1] == "Luck"
    words = [row.cells[-1] for row in table.rows]
    assert sorted(one.split()[0] for one in words) == ["added", "cost"]
    assert len({one.split()[1] for one in words}) == 1
    assert scene.notes == (COST, LUCK)


def test_a_headline_says_what_luck_cost_a_loser_without_mistakes() -> None:
    settings = nd.load(CARDS, target=20, highest=5, copies=3).settings
    moves = "4k 2k 3k 1k 2k 5g 1k 2g 5g 3k 4g 3k 5k"
    match = nd.Record(CARDS, settings, None, 7, moves=moves).match()
    assert reviewed(match, NAMES, Seat.ONE).scene().headline == (
        "You made no mistake. Luck cost 66%. Bo's only mistake was giving the 5 in turn 6."
    )
    assert "Luck" not in reviewed(match, NAMES, Seat.TWO).scene().headline


def test_no_luck_is_told_where_both_choose_at_once() -> None:
    """There, luck would be how two choices happened to meet."""
    for seed in range(3):
        scene = reviewed(random_game(HIGH_LOW.name, seed), NAMES).scene()
        assert scene.groups
        assert "uck" not in " ".join((*scene.lines, *scene.notes, *scene.tables[0].columns))


def test_one_goes_to_ones_own_mistakes_or_without_any_to_the_opponents() -> None:
    def visited(match: AnyMatch, reader: Seat | None) -> list[Seat]:
        session = reviewed(match, NAMES, reader)
        seats = []
        for _ in session.scene().findings:
            session.act("mistake")
            assert session.here
            assert not session.here.verdict.right
            seats.append(session.here.seat)
        return seats

    game = random_game(CARDS, 1)
    assert set(visited(game, Seat.ONE)) == {Seat.ONE}
    assert set(visited(game, Seat.TWO)) == {Seat.TWO}
    assert set(visited(game, None)) == set(Seat)
    assert set(visited(SAMPLE.match(), Seat.ONE)) == {Seat.TWO}


def test_one_goes_from_mistake_to_mistake_and_around() -> None:
    session = reviewed(knot("A3 S8 S6 S5"), NAMES)
    whole = session.scene()
    assert (whole.path, whole.verdict, session.here) == ("The end", None, None)
    keys = [one.key for one in whole.findings]
    wrong = sorted(1 + keys.index(key) for group in whole.groups for key in group.keys)
    assert [n for n, one in enumerate(whole.findings, 1) if not one.verdict.right] == wrong
    visited = []
    for _ in range(len(wrong) + 1):
        session.act("mistake")
        visited.append(session.place)
        scene = session.scene()
        assert scene.path == f"Before turn {whole.findings[session.place - 1].turn}"
        assert scene.verdict
        assert scene.verdict.headline == whole.findings[session.place - 1].verdict.headline
        assert scene.frames
    assert visited == [*wrong, wrong[0]]
    session.act("go")
    assert session.scene() == whole
    session.act("go", whole.findings[-1].key)
    assert session.place == len(whole.findings)
    with pytest.raises(ValueError, match="not possible"):
        session.act("go", "99.1")
    with pytest.raises(ValueError, match="Nobody made a mistake"):
        reviewed(knot("S5")).act("mistake")


def test_a_mistake_can_be_watched_as_it_is_punished() -> None:
    session = reviewed(SAMPLE.match(), NAMES)
    assert session.punishment() is None
    session.act("mistake")
    found = session.punishment()
    assert isinstance(found, ReplaySession)
    assert found.place == 1  # after the mistake
    found.act("last")
    assert found.scene().status == ("step 2 of 2", "How adding 3 is punished")
    for count, said in ((3, "start of 2 turns"), (2, "start of 1 turn")):
        assert ReplaySession("", found.frames[:count]).scene().status[0] == said
    assert found.scene().log[-1].lines[-1] == "You win the game!"
    assert [told.turn for told in found.scene().log] == [1, 2]


def test_only_ones_own_decisions_make_cards_and_each_is_from_the_game_at_its_cost() -> None:
    def cards(who: str, reader: Seat | None = None) -> list[AddCard | None]:
        people = Person("Ann"), Person("Bo", who)
        match = replace(SAMPLE, players=people, started="2026-01-09T").match()
        session = reviewed(match, reader=reader)
        assert session.card() is None
        found = []
        for finding in session.scene().findings:
            session.act("go", finding.key)
            assert bool(session.card()) == session.scene().offers("card")
            found.append(session.card())
        return found

    first, mistake, last = cards("human")
    assert first
    assert mistake
    assert last
    assert (mistake.spot.moves, mistake.spot.seat) == ("S5", Seat.TWO)
    assert (mistake.source, mistake.cost, mistake.played) == ("game", 1.0, "2026-01-09")
    assert (first.source, first.cost, first.played) == ("game", 0.0, "2026-01-09")
    assert [bool(card) for card in cards("perfect")] == [True, False, True]
    assert [bool(card) for card in cards("human", Seat.TWO)] == [False, True, False]


@pytest.mark.parametrize("right", ["A7", "A1"])
def test_ones_own_mistake_is_asked_again_twice_and_then_explained(right: str) -> None:
    session = reviewed(SAMPLE.match(), ("Bo", "You"), Seat.TWO)
    assert session.retry() is None
    session.act("mistake")
    plan = session.retry()
    assert plan
    again = TrainSession(plan, book := MemoryBook(), TickingClock(START))
    scene = worked(again)
    assert (scene.stage, scene.you) == ("asked", Seat.TWO)
    assert scene.board == session.scene().board
    assert [side.name for side in scene.sides] == ["Bo", "You"]
    assert scene.path == "So far: Bo subtracts 5 from you."
    again.act("answer", "A3")
    first = again.scene()
    assert first.verdict
    assert not first.verdict.right
    assert first.verdict.sentences == (
        "Your answer: add 3.",
        "Adding 3 turns your draw into a loss.",
        "Bo can now win by subtracting 8.",
        "Try again.",
    )
    assert first.frames[-1].at == "S5 A3 S8"
    assert (first.tables, first.actions[0].label) == ((), "Try again")
    assert [card.source for card in book.read().cards] == ["game"]
    again.act("next")
    assert worked(again).stage == "asked"
    again.act("answer", right)
    told = again.scene()
    assert told.verdict
    assert told.verdict.right == (right == "A7")
    assert "Add" in " ".join(told.verdict.sentences) or told.verdict.right
    assert {table.kind for table in told.tables} == {"options"}
    again.act("next")
    assert again.scene().stage == "over"
    other = reviewed(SAMPLE.match(), NAMES, Seat.ONE)
    other.act("mistake")
    assert other.retry() is None


def test_the_chart_and_the_table_show_the_readers_chance_wherever_they_sit() -> None:
    def drawn(reader: Seat) -> tuple[Scene, list[float]]:
        scene = reviewed(SAMPLE.match(), ("Ann", "You"), reader).scene()
        assert scene.chart
        return scene, [height for _, height in scene.chart.curves[0].points]

    (one, first), (two, second) = drawn(Seat.ONE), drawn(Seat.TWO)
    assert (first, second) == ([0.5, 0.5, 1.0, 1.0], [0.5, 0.5, 0.0, 0.0])
    assert one.chart
    assert two.chart
    assert one.chart.title == two.chart.title == "Your winning chance"
    assert (one.chart.seat, two.chart.seat) == tuple(Seat)
    assert two.chart.said.startswith("Your winning chance after each turn: 50%, 50%, 0%, 0%")
    (last,) = (line for line in two.lines if line.startswith("   3"))
    assert last.endswith("············   0%")
    only = reviewed(replace(SAMPLE, players=(Person("X", "random"), Person("Bo"))).match())
    assert only.scene().chart.title == "Player 2's winning chance"  # type: ignore[union-attr]
    assert only.scene().chart.seat is Seat.TWO  # type: ignore[union-attr] # it is worked out
    nobody = replace(SAMPLE, players=(Person("X", "random"), Person("Y", "random")))
    assert reviewed(nobody.match()).scene().chart.seat is Seat.ONE  # type: ignore[union-attr]


def test_a_small_loss_is_an_inaccuracy_and_listed_with_no_mistakes() -> None:
    session = reviewed(SMALL_LOSS.match(), NAMES)
    found, scene = session.review, session.scene()
    assert found
    grade, finding = found.grades[2], scene.findings[2]
    assert 0.03 < grade.loss < LEAST_MISTAKE
    assert (finding.kind, finding.verdict.headline) == ("inaccuracy", "An inaccuracy.")
    assert finding.verdict.right
    assert finding.verdict.sentences[0].startswith("On average, playing 6 lowers your winning")
    assert "1 move cost less than 2%." in scene.tables[0].sentences[0]
    assert finding.cost == cost(grade.loss)
    assert (found.mistakes, scene.headline) == ((), "Nobody made a mistake.")
    assert scene.chart
    assert scene.chart.marks == ()
    assert any("is called an inaccuracy, not a mistake" in line for line in scene.lines)
    assert found.players[Seat.ONE].loss == grade.loss


def test_the_review_says_first_that_a_descending_hand_is_predictable() -> None:
    said = (
        "Predictable: you play the highest number in every round."
        " An opponent who knows this can win every game."
    )
    scene = reviewed(DESCENDING.match(), ("You", "Computer")).scene()
    assert scene.headline.startswith(said)
    assert scene.lines[0].startswith(said)
    assert scene.tables[0].rows[0].cells[0] == "0 in 5 moves"


def test_a_choice_of_a_mixed_strategy_says_how_often_perfect_play_makes_it() -> None:
    scene = reviewed(DESCENDING.match(), ("You", "Computer")).scene()
    first = scene.findings[0]
    assert (first.kind, first.often) == ("right", "1 of 4")
    assert first.verdict.sentences[-1] == "Here, perfect play makes this choice in 1 of 4 games."
    assert any("1 of 4" in line for line in scene.lines)
    finding = reviewed(RARE_CARD.match()).scene().findings[2]
    assert (finding.kind, finding.verdict.headline, finding.cost) == (
        "rare",
        "Right, but unusual.",
        "",
    )
    assert finding.verdict.right
    assert finding.verdict.sentences[-2:] == (
        "Here, perfect play makes this choice in 1 of 270 games.",
        "If Player 2 guesses 1 and plays 2, Player 1's winning chance falls from 24% to 0%.",
    )


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
    assert findings[1].verdict.sentences[0] == "Adding 3 turns Player 2's draw into a loss."
    assert [side.name for side in scene.scene().sides] == ["You", "X"]


def test_without_a_mistake_the_rounds_in_which_luck_helped_the_winner_most_are_named() -> None:
    game = nd.load(SECRET, **SMALL[SECRET])
    told = set()
    for seed in range(20):
        match: AnyMatch = nd.Match(game, seed)
        nd.play_match(match, {seat: nd.player("perfect", game) for seat in nd.Seat})
        session = reviewed(match)
        scene, found = session.scene(), session.review
        assert found
        if found.mistakes or found.habits:
            continue
        sign = {"1-0": 1, "0-1": -1}.get(match.result, 0)
        brought = [sign * (after - before) for before, after in pairwise(found.luck)]
        most = max(brought)
        named = [int(one) for one in re.findall(r"\d+", scene.headline)]
        assert named == [n for n, luck in enumerate(brought, 1) if sign and luck >= most / 2]
        assert ("decided the game." in scene.headline) is bool(sign)
        assert "Luck" not in scene.tables[0].columns
        told.add(match.result)
        # A loser reads which choices met in the round that cost most, and finds it by a button.
        for seat in nd.Seat:
            own = reviewed(match, reader=seat).scene()
            falls = [(before - after) * (1, -1)[seat] for before, after in pairwise(found.course)]
            turn = falls.index(max(falls)) + 1
            lost = sign == (-1, 1)[seat]
            assert own.prompt.startswith(f"In round {turn}, ") is lost
            assert own.offers(f"go {turn}.{seat + 1}") is lost
    assert len(told) > 1
