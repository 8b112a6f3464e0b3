"""One's own record as a scene: results, streaks, what moves cost, what does not count."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from number_duels.core.game import Seat
from number_duels.core.scene import Scene, Table
from number_duels.review.player_stats import DRAWN, LOST, WON, OwnGame, PlayerStats
from number_duels.review.tally import Tally
from number_duels.sessions.statistics import (
    AGAINST_COMPUTER,
    columns_chart,
    levels_beaten,
    statistics_scene,
    training_sentences,
)
from number_duels.terminal.commands.stats import stats_lines
from number_duels.trainer.book import AnswerGiven, Book
from number_duels.trainer.spot import Spot

GAME = OwnGame("2026-03-01", "number-knot", "level:2", WON)


def table(scene: Scene, kind: str) -> Table:
    """The first table of a kind."""
    return next(one for one in scene.tables if one.kind == kind)


def graded(loss: float, result: int = WON) -> OwnGame:
    """A game with three decisions, of which the last cost something."""
    thirds = [Tally.of_game([(one, 2.0)], 0.0) for one in (0.0, 0.0, loss)]
    tally = Tally.of_game([(0.0, 2.0), (0.0, 2.0), (loss, 2.0)], 0.0)
    return replace(GAME, result=result, tally=tally, phases=tuple(thirds))


def test_results_are_told_by_game_by_opponent_and_all_together() -> None:
    other = replace(GAME, game="number-stack-showdown", opponent="random", result=DRAWN)
    scene = statistics_scene(PlayerStats((graded(0.5), graded(1.0, LOST), other)))
    assert scene.headline == "3 games: 1 won, 1 drawn, 1 lost"
    by_game, by_opponent = (one for one in scene.tables if one.kind == "scores")
    assert [(row.words, row.cells) for row in by_game.rows] == [
        ("Number Knot", ("2", "1", "0", "1", "13%", "-")),
        ("Number Stack Showdown", ("1", "0", "1", "0", "-", "-")),
        ("All", ("3", "1", "1", "1", "13%", "-")),
    ]
    assert [row.words for row in by_opponent.rows] == ["Random", "Level 2"]
    assert table(scene, "totals").rows[0].cells == ("3", "1", "1", "1", "13%")
    assert [(row.words, row.cells) for row in table(scene, "shares").rows] == [
        ("Opening", ("0%", "0% per move")),
        ("Middle", ("0%", "0% per move")),
        ("End", ("100%", "38% per move")),
    ]


@pytest.mark.parametrize(
    ("losses", "told"),
    [
        ([1.0] * 5 + [0.5] * 5, "better"),
        ([0.5] * 4 + [1.0] * 5, "-"),
        ([0.5] * 5 + [1.0] * 5, "worse"),
        ([0.5] * 11, "steady"),
    ],
)
def test_a_trend_compares_the_later_games_with_the_first(losses: list[float], told: str) -> None:
    scene = statistics_scene(PlayerStats(tuple(map(graded, losses))))
    assert table(scene, "scores").rows[0].cells[-1] == told


def test_the_cost_per_move_says_how_many_moves_it_counts() -> None:
    losses = [(0.4, 2.0), (0.0, 0.0), (2.0, 2.0), (0.0, 0.0), (0.0, 2.0)]
    game = replace(GAME, tally=Tally.of_game(losses, 0.0))
    scene = statistics_scene(PlayerStats((game,)))
    assert table(scene, "totals").rows[0].cells[-1] == "40%"
    assert scene.notes[1] == (
        "Cost per move: how much a move lowers your winning chance, on average."
        " It counts 3 of your 5 moves: those in which a mistake was possible."
    )


def test_groups_have_their_titles_and_empty_ones_are_left_out() -> None:
    scene = statistics_scene(PlayerStats((GAME,)), {"By game": {"Knot": [GAME]}, "People": {}}, 1)
    assert table(scene, "scores").title == "By game"
    assert scene.notes == (AGAINST_COMPUTER, "1 game still to be graded…")
    assert scene.chart is None


def test_the_highest_level_beaten_in_each_game_is_told_with_the_next_one() -> None:
    games = [replace(GAME, opponent=f"level:{level}") for level in (1, 3, 2)]
    games += [replace(GAME, opponent="level:4", result=DRAWN), replace(GAME, opponent="random")]
    games.append(replace(GAME, game="number-bid", opponent="level:5"))
    games.append(replace(GAME, game="number-drop", result=LOST))
    assert list(levels_beaten(games)) == [
        "Number Bid: you have beaten level 5 (next: Perfect).",
        "Number Knot: you have beaten level 3 (next: level 4).",
    ]
    assert set(levels_beaten(games)) <= set(statistics_scene(PlayerStats(tuple(games))).lines)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([WON], ()),
        ([WON, WON], ("You won your last 2 games.", "Your longest streak: 2 wins in a row.")),
        (
            [WON, WON, LOST, LOST],
            ("You lost your last 2 games.", "Your longest streak: 2 wins in a row."),
        ),
    ],
)
def test_streaks_are_told(results: list[int], said: tuple[str, ...]) -> None:
    games = tuple(replace(GAME, opponent="random", result=result) for result in results)
    assert statistics_scene(PlayerStats(games)).lines == said


def test_what_does_not_count_is_told() -> None:
    stats = PlayerStats((replace(GAME, ungraded="too large."),), {"unfinished": 2, "taken back": 1})
    assert statistics_scene(stats).notes == (
        AGAINST_COMPUTER,
        "Not graded: 1 game; too large.",
        "Left out: unfinished (2), taken back (1).",
    )


def test_no_figure_is_over_100_percent_however_many_mistakes_a_game_has() -> None:
    tally = Tally.of_game([(2.0, 2.0)] * 3, 0.0)
    game = replace(GAME, tally=tally, phases=(Tally.of_game([(2.0, 2.0)], 0.0),) * 3)
    scene = statistics_scene(PlayerStats((game,)))
    assert scene.chart
    told = " ".join([*stats_lines(scene), scene.chart.said])
    assert max(map(float, re.findall(r"([\d.]+)%", told))) == 100


def test_a_chart_has_a_column_a_game_until_there_are_too_many() -> None:
    (curve,) = columns_chart([0.0, 1.0, 0.5]).curves
    assert curve.points == ((0.0, 0.0), (1.0, 1.0), (2.0, 0.5))
    chart = columns_chart([n / 1000 for n in range(1000)])
    heights = [height for _, height in chart.curves[0].points]
    assert len(heights) == 60
    assert heights == sorted(heights)
    # Small losses are not drawn as large ones.
    small = columns_chart([0.01])
    assert small.curves[0].points[0][1] == pytest.approx(0.1)
    assert small.axis == ((1.0, "10%"), (0.5, "5%"), (0.0, "0%"))


def test_the_record_in_lines_has_all_figures_and_words() -> None:
    scene = statistics_scene(PlayerStats((graded(0.5), graded(2.0)), {"unfinished": 1}))
    lines = list(stats_lines(scene))
    said = "\n".join(lines)
    assert all(text in said for text in (*scene.lines, *scene.notes))
    assert any(line.split() == ["0%", "▃█", "33%"] for line in lines), said
    for one in (table(scene, "scores"), table(scene, "shares")):
        for row in one.rows:
            assert any(
                line.strip().startswith(row.words) and all(cell in line for cell in row.cells)
                for line in lines
            )


def test_training_is_counted_by_kind() -> None:
    spot = Spot("number-knot", {"first": 1}, None, "", Seat.ONE).open()
    noon = datetime(2026, 11, 16, 12, tzinfo=UTC)

    def given(kind: str, *, right: bool, note: str = "") -> AnswerGiven:
        return AnswerGiven.of(
            spot, noon, kind=kind, form="move", answer="S3", cost=0.0, right=right, note=note
        )

    book = Book((given("drill", right=True), given("drill", right=False)))
    assert list(training_sentences(book, noon.date())) == [
        "Training: 2 answers, 50% right (drills 1 of 2)."
    ]
    solved = book.merged(Book((given("daily", right=True, note="2026-11-16"),)))
    assert list(training_sentences(solved, noon.date()))[1] == (
        "Daily puzzle: solved on 1 day; streak 1 day (best 1)."
    )
    wrong = given("daily", right=False, note="2026-11-16")
    tried = Book((wrong,)).merged(solved)
    assert "daily puzzles 1 of 1" in next(training_sentences(tried, noon.date()))
    assert not list(training_sentences(Book(), noon.date()))


def test_the_computers_levels_are_listed_from_random_to_perfect() -> None:
    met = ("perfect", "level:5", "bot:mine", "level:2", "level:2", "random", "human")
    games = tuple(replace(GAME, opponent=who) for who in met)
    shown = next(one for one in statistics_scene(PlayerStats(games)).tables if "opp" in one.title)
    names = [row.words for row in shown.rows]
    assert names == ["A person", "Random", "Level 2", "Level 5", "Perfect", "bot:mine"]
