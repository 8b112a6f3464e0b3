"""Review, analysis and rules: what is known about a game, read from page to page."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static, Tabs
from textual.widgets._footer import FooterKey

from number_duels.core.game import SomeGame
from number_duels.core.settings import setting_label
from number_duels.games import load, names
from number_duels.review.position import AnySolution
from number_duels.review.words import OFTEN, PERFECT
from number_duels.sessions.review import NOT_ALONE, ReviewSession
from number_duels.terminal.app.analysis_page import AnalysisScreen
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.dialogs import KeyHelp
from number_duels.terminal.app.new_game import NewGameScreen
from number_duels.terminal.app.review_page import (
    NO_MISTAKE,
    NOT_OWN,
    RetryScreen,
    ReviewScreen,
)
from number_duels.terminal.app.rules_page import RulesScreen, rules_lines
from number_duels.terminal.app.table import ReplayScreen
from number_duels.terminal.config import remember
from tests.patience import PATIENCE_S
from tests.some_games import SOME_GAMES
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import (
    ListeningApp,
    opened,
    press,
    rows_of,
    seen,
    settle,
    text_of,
)
from tests.terminal.app.samples import (
    ANN,
    COMPUTER,
    habitual_records,
    sample_record,
    save_records,
    save_samples,
)

RIGHT = "would have kept the draw."


@awaited
async def test_a_review_says_the_verdict_and_what_would_have_been_right() -> None:
    save_samples()
    async with opened(["s", "v", "@"]) as (app, pilot):
        assert isinstance(app.screen, ReviewScreen)
        assert text_of(app, "#verdict") == (
            "Ann made no mistake. Computer's only mistake was adding 3 in turn 2."
        )
        said = text_of(app, "#why")
        assert said.startswith("Ann: no mistakes in 2 moves.\n")
        assert "At the start: it is a draw if both play perfectly." in said
        assert "m: Computer's next mistake." in said
        await press(pilot, "m")
        assert text_of(app, "#when") == "Before turn 2"
        said = " ".join(text_of(app, "#why").split())
        assert "A blunder. Adding 3 turns Computer's draw into a loss." in said
        assert "would have kept the draw." in said
        await press(pilot, "right")
        assert "Right. Subtracting 9 costs nothing." in text_of(app, "#why")
        assert "Subtracting 8 would also have cost nothing." in text_of(app, "#why")
        await press(pilot, "p")  # nothing is punished here
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "left", "p", "end")
        assert isinstance(app.screen, ReplayScreen)
        assert "How adding 3 is punished" in text_of(app, "#table-title")
        assert "and wins." in text_of(app, "#log-lines")
        await press(pilot, "q", "right")
        await press(pilot, "f")
        assert app.notices[-1] == NO_MISTAKE
        await press(pilot, "m", "a", "@")  # after the last mistake, the first
        assert isinstance(app.screen, AnalysisScreen)
        assert text_of(app, "#line") == "after S5"
        await press(pilot, "q", "w")
        assert isinstance(app.screen, ReplayScreen)


@pytest.mark.parametrize("key", ["f", "enter"])
@awaited
async def test_ones_own_mistake_is_tried_again_on_its_board(key: str) -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened() as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await press(pilot, "@")
        assert "m: your next mistake, f: try again." in text_of(app, "#why")
        assert {"m", "f"} <= {one.key for one in app.screen.query(FooterKey)}
        await press(pilot, "down", "f", "up")  # the computer's move
        assert app.notices[-1] == NOT_OWN
        await press(pilot, key, *([] if key == "f" else [key]), "@")
        retry = app.screen
        assert isinstance(retry, RetryScreen)
        assert text_of(app, "#title") == "Number Knot"
        assert retry.scene.path == "So far: Computer subtracts 5 from you."
        assert retry.query_one(BoardView).names == ("You", "Computer")
        retry.act("answer", "A3")
        await press(pilot, "@", "enter", "@")
        retry.act("answer", "A7")
        await settle(pilot)
        assert retry.scene.verdict
        assert retry.scene.verdict.right
        await press(pilot, "enter", "@")
        assert isinstance(app.screen, ReviewScreen)
        assert text_of(app, "#when") == "Before turn 2"
        assert RIGHT in text_of(app, "#why")


@awaited
async def test_a_review_looks_at_ones_last_games_for_habits() -> None:
    save_records(habitual_records())
    async with opened(["s", "v", "@"]) as (app, _):
        assert "in every round of 3 games." in text_of(app, "#verdict")


@pytest.mark.parametrize(
    ("way", "name"),
    [("s v @", "#why"), ("s v @", "#verdict"), ("a @", "#said"), ("s w @", "#notice")],
)
@awaited
async def test_no_sum_is_broken(way: str, name: str) -> None:
    save_samples()
    async with opened(way.split()) as (app, pilot):
        for length in range(1, 12):
            app.screen.query_one(name, Static).update(f"{'x' * length} {'8 - 3 = 5 and ' * 8}")
            await settle(pilot)
            assert "".join(rows_of(app)).count("8 - 3 = 5") == 8


@pytest.mark.parametrize("key", ["m", "f"])
@awaited
async def test_a_key_that_comes_before_the_review_is_ready_goes_to_the_first_mistake(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, work_out = Event(), ReviewSession._work_out

    def wait(session: ReviewSession, solution: AnySolution) -> None:
        assert gate.wait(PATIENCE_S)
        work_out(session, solution)

    monkeypatch.setattr(ReviewSession, "_work_out", wait)
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened() as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await press(pilot, key)
        gate.set()
        await press(pilot, "@")
        assert isinstance(app.screen, ReviewScreen)
        assert text_of(app, "#when") == "Before turn 2"


@awaited
async def test_the_right_move_is_shown_once_it_is_tried_twice_or_asked_for() -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened() as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await press(pilot, "@", "m")
        assert RIGHT not in text_of(app, "#why")
        assert app.notices == []
        await press(pilot, "m")
        assert app.notices == ["That was your only mistake."]
        await press(pilot, "f", "@")
        retry = app.screen
        assert isinstance(retry, RetryScreen)
        retry.act("answer", "A3")
        await settle(pilot)
        await press(pilot, "q", "@")  # after one try
        assert isinstance(app.screen, ReviewScreen)
        assert RIGHT not in text_of(app, "#why")
        await press(pilot, "s")
        assert RIGHT in text_of(app, "#why")


@awaited
async def test_a_short_review_has_room_for_the_text_of_a_mistake_and_scrolls_to_the_answer() -> (
    None
):
    record = sample_record("high-low-battle", None, "9/1 5/4 1/8 2/7 6/2", (ANN, COMPUTER))
    async with opened(size=(80, 24)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await press(pilot, "@", "m", "@")
        right = app.screen.query_one(".right")
        assert text_of(app, "#why").endswith("\n\nWhich move is better?")
        assert right.max_scroll_y == 0
        await press(pilot, "s", "@")
        assert "Mixing these choices" in text_of(app, "#why")
        assert right.scroll_offset.y == right.max_scroll_y > 0
        await press(pilot, "down", "@")
        assert right.scroll_offset.y == 0


@pytest.mark.parametrize("width", [80, 130])
@awaited
async def test_a_tall_review_says_that_a_secret_choice_of_the_opponent_moves_the_curve(
    width: int,
) -> None:
    record = sample_record("high-low-battle", None, "9/1 8/2 7/3 6/4 5/9", (ANN, COMPUTER))
    async with opened(size=(width, 40)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        assert " ".join(text_of(app, ".left .chart").split()).endswith(NOT_ALONE)
        last = str(app.screen.query_one(OptionList).get_option_at_index(10).prompt).split()
        assert "-" not in last  # perfect play does not mix where all moves are equally good


@pytest.mark.parametrize("width", [60, 80, 120])
@awaited
async def test_every_column_of_moves_has_its_title(width: int) -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened(size=(width, 24)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        heading = text_of(app, ".left #columns")
        assert heading.split() == ["turn", "player", "move", "cost"]
        row = app.screen.query_one(OptionList).get_option_at_index(2).prompt
        assert len(heading) == len(str(row)) + 1
        assert str(row).endswith("50%")


@awaited
async def test_the_moves_are_cut_again_when_their_column_gets_another_width() -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened(size=(120, 24)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        app.screen.query_one(".left").styles.width = 37  # as when a style arrives late
        await settle(pilot)
        moves = app.screen.query_one(OptionList)
        rows = [len(str(moves.get_option_at_index(place).prompt)) for place in (1, 2, 3)]
        assert rows == [moves.size.width - 2] * 3


@pytest.mark.parametrize("width", [80, 120])
@awaited
async def test_all_keys_of_a_review_fit_into_its_footer(width: int) -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened(size=(width, 24)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await press(pilot, "@", "m")
        keys = app.screen.query(FooterKey)
        assert [key.description for key in keys][:3] == ["Back", "Your next mistake", "Try again"]
        assert max(key.region.right for key in keys) <= width


@pytest.mark.parametrize(
    ("moves", "width"), [("A1 A2 A3 A4 A5 A6 A7 A8 A9", 80), ("S5 A3 S9", 140)]
)
@awaited
async def test_the_footer_of_a_review_shows_more_keys_where_there_is_room(
    moves: str, width: int
) -> None:
    record = sample_record("number-knot", None, moves, (COMPUTER, ANN))
    async with opened(size=(width, 24)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        keys = app.screen.query(FooterKey)
        assert {"a", "w", "F3"} <= {key.key_display for key in keys}
        assert max(key.region.right for key in keys) <= width
        await press(pilot, "w")
        assert isinstance(app.screen, ReplayScreen)
        await press(pilot, "q", "a")
        assert isinstance(app.screen, AnalysisScreen)


@awaited
async def test_the_board_has_the_same_size_before_each_turn_and_at_the_end() -> None:
    record = sample_record("number-stack-showdown", None, "9k 10g 5k 6k 8g", (COMPUTER, ANN))
    async with opened(size=(100, 40)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        board, rows = app.screen.query_one(BoardView), list[int]()
        for _ in range(6):
            rows.append(board.size.height)
            assert "Cards Remaining in Deck" in seen(app)
            await press(pilot, "down")
        assert rows == rows[:1] * 6


@awaited
async def test_the_board_grows_with_the_screen_and_leaves_room_for_the_words() -> None:
    record, rows = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN)), list[int]()
    for size in ((80, 24), (120, 40), (200, 50)):
        async with opened(size=size) as (app, pilot):
            await app.push_screen(ReviewScreen(record))
            await press(pilot, "@", "m", "@")
            rows.append(app.screen.query_one(BoardView).size.height)
            assert app.screen.query_one(".right").max_scroll_y == 0
    assert rows == sorted(set(rows))
    assert rows[-1] > 50 / 3


@awaited
async def test_the_chart_names_its_player_and_its_signs() -> None:
    record = sample_record("number-knot", None, "S5 A3 S9", (COMPUTER, ANN))
    async with opened(size=(120, 40)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        *rows, legend = text_of(app, ".left .chart").splitlines()
        assert legend == "Ann's winning chance  ● Ann's mistake"
        assert rows[0].startswith("100% ")
        assert "●" in "".join(rows)
        (low,) = (row for row in rows if row.lstrip().startswith("0% "))
        assert low.split()[-1].endswith("⣀")  # Ann lost


@awaited
async def test_a_mark_in_the_chart_stands_at_the_chance_after_the_choice_alone() -> None:
    record = sample_record("high-low-battle", None, "1/9", (ANN, COMPUTER))
    async with opened(size=(120, 40)) as (app, pilot):
        screen = ReviewScreen(record)
        await app.push_screen(screen)
        await settle(pilot)
        chart = screen.scene.chart
        assert chart
        (mark,) = chart.marks
        assert mark.height < chart.curves[0].points[1][1] - 0.3
        rows = text_of(app, ".left .chart").splitlines()
        (at,) = (n for n, row in enumerate(rows) if row.endswith("●"))
        (bottom,) = (n for n, row in enumerate(rows) if row.lstrip().startswith("0% "))
        assert at == round((1 - mark.height) * bottom)
        curve = next(n for n, row in enumerate(rows) if row[-1] >= "\u2801")
        assert [row[-1] for row in rows[curve + 1 : at]] == ["│"] * (at - curve - 1)
        assert at - curve > 1
        assert any("│ after both choices" in row for row in rows)


@pytest.mark.parametrize(("width", "explained"), [(80, False), (120, True)])
@awaited
async def test_the_column_of_perfect_play_is_explained_where_it_stands(
    width: int, *, explained: bool
) -> None:
    record = sample_record("high-low-battle", None, "1/9 9/8", (ANN, COMPUTER))
    async with opened(size=(width, 40)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        assert (PERFECT in text_of(app, "#columns")) is explained
        assert (OFTEN in text_of(app, "#why")) is explained


# ---- analysis ------------------------------------------------------------------


@asynccontextmanager
async def analyzed(
    game: SomeGame, width: int = 80
) -> AsyncIterator[tuple[ListeningApp, Pilot[int]]]:
    async with opened(size=(width, 24)) as (app, pilot):
        await app.push_screen(AnalysisScreen(game, None, ""))
        await settle(pilot)
        yield app, pilot


@awaited
async def test_the_list_of_keys_names_each_key_that_steps_through_the_moves() -> None:
    async with analyzed(load("number-knot")) as (app, pilot):
        await press(pilot, "question_mark")
        listed = app.screen
        assert isinstance(listed, KeyHelp)
        keys = {what: key for key, what in listed.rows()}
        assert keys["Forward"] == ">"
        assert set(keys["Take back"].split()) == {"←", "Backspace"}


@awaited
async def test_a_move_is_chosen_typed_and_taken_back() -> None:
    async with analyzed(load("number-knot")) as (app, pilot):
        await press(pilot, "down", "enter", "@")
        assert text_of(app, "#line").startswith("after ")
        await press(pilot, "backspace", "@", *"s 5", "enter", "@")
        assert text_of(app, "#line") == "after S5"
        await press(pilot, *"A3 S9", "enter", "@")
        assert "life total has reached" in text_of(app, "#said")
        await press(pilot, "left", "@")
        assert text_of(app, "#line") == "after S5 A3"
        await press(pilot, *"A3", "enter", "@")
        assert len(app.notices) == 1


@pytest.mark.parametrize(("width", "shown"), [(80, 2), (120, 3)])
@awaited
async def test_figures_are_listed_as_far_as_they_fit(width: int, shown: int) -> None:
    async with analyzed(load("high-low-battle", cards=4, rounds=2), width) as (app, _):
        options = app.screen.query_one(OptionList)
        rows = [str(option.prompt).rstrip() for option in options.options]
        columns = text_of(app, "#columns").replace("at worst", "worst").split()[2:]
        assert columns == ["chance", "often", "worst"][:shown]
        assert max(map(len, rows)) <= options.size.width


# ---- rules ---------------------------------------------------------------------


@awaited
async def test_the_rules_of_every_game_are_side_by_side() -> None:
    remember(opponent="random")  # who needs no solution
    async with opened(["r"]) as (app, pilot):
        tabs = app.screen.query_one(Tabs)
        seen = [tabs.active]
        for _ in names()[1:]:
            await press(pilot, "right")
            seen.append(tabs.active)
        assert seen == list(names())
        assert text_of(app, "#note") == load(seen[-1]).summary
        await press(pilot, "n")
        assert isinstance(app.screen, NewGameScreen)
        await press(pilot, "f1")
        assert isinstance(app.screen, RulesScreen)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("name", SOME_GAMES)
def test_rules_fit_any_width_and_lose_no_word(name: str, width: int) -> None:
    game = load(name)
    lines = [
        line.plain for line in rules_lines(game.rule_sections(), game.describe_settings(), width)
    ]
    assert max(map(len, lines)) <= width
    shown = " ".join(" ".join(lines).lower().split())
    known = game.describe_settings()

    def in_form(found: re.Match[str]) -> str:
        setting = known[found[1]]
        return f"“{setting_label(found[1], setting)}: {setting.in_words(found[2])}”".lower()

    settings = re.sub(r"--set\s(\S+)=([\w-]+)", in_form, game.rules.lower())
    told = settings.split()
    missing = [word for word in told if word.replace("-", " ") not in shown.replace("-", " ")]
    assert missing == []
