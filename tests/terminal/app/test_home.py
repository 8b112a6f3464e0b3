"""The first screen: what a newcomer meets, what today brings, and the same keys as in lines."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from textual.widgets import OptionList, Static

from number_duels.core.clock import SYSTEM_CLOCK
from number_duels.core.record import Person, Record
from number_duels.core.scene import OVER, SAID
from number_duels.games import find, names
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.board_view import Notice
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.home import HomeScreen, MoreScreen
from number_duels.terminal.app.page import TOO_SOON, UNSEEN_SECONDS
from number_duels.terminal.app.rules_page import RulesScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.app.train_page import TrainScreen, TrainSetupScreen
from number_duels.terminal.commands.book import local_day
from number_duels.terminal.commands.menu import menu
from number_duels.terminal.config import remember
from number_duels.terminal.menu_entries import (
    games_entries,
    home_entries,
    like_last_time,
    read_book,
    read_today,
    training_entries,
)
from number_duels.terminal.saves import SavedGame, saved_games
from number_duels.trainer.book import AddCard, AnswerGiven, BookFile
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import daily
from number_duels.trainer.schedule import DAY
from tests.clock import ManualClock
from tests.some_games import sample
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import (
    KNOT_KEY,
    ListeningApp,
    opened,
    press,
    rows_of,
    seen,
    settle,
)
from tests.terminal.app.samples import ANN, COMPUTER, sample_record, save_records, save_samples
from tests.terminal.desk import Desk
from tests.terminal.training import KNOT, drills

DAY_SECONDS = 86_400


def entries(app: DuelsApp) -> dict[str, str]:
    """The lines of the menu, by their keys."""
    found = app.screen.query_one(OptionList).options
    return {option.id: str(option.prompt) for option in found if option.id}


def marked(app: DuelsApp) -> str | None:
    option = app.screen.query_one(OptionList).highlighted_option
    return option.id if option else None


def knot_day() -> ManualClock:
    """A day whose puzzle is quickly worked out."""
    clock = ManualClock()
    while daily(local_day(clock)).game != KNOT.name:
        clock.advance(DAY_SECONDS)
    return clock


# ---- the first minute ----------------------------------------------------------


@awaited
async def test_on_the_first_start_the_first_entry_is_the_shortest_lesson() -> None:
    async with opened() as (app, pilot):
        first, line = next(iter(entries(app).items()))
        assert (first, marked(app)) == ("n", "n")
        assert "New here? Learn Number Knot in 3 minutes" in line
        await press(pilot, "enter", "@")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.scene.stage == SAID
        assert "step 1 of" in seen(app)
        screen = app.screen
        while screen.scene.question is None:
            await press(pilot, "enter", "@")
        screen.chosen(screen.session.asked_task().exercise.best[0])
        await settle(pilot)
        await press(pilot, "q", "@")
        assert isinstance(app.screen, HomeScreen)
        assert marked(app) == "n"
        assert "Go on with the lesson" in entries(app)["n"]
        assert "Number Knot" in entries(app)["n"]


def test_no_lesson_is_shorter_than_the_first_one() -> None:
    assert min(names(), key=lambda name: lesson(name).minutes) == KNOT.name


@pytest.mark.parametrize("known", ["a saved game", "a card"])
@awaited
async def test_who_has_played_or_trained_is_not_new(known: str) -> None:
    if known == "a card":
        (task,) = drills(KNOT, 3, 1)
        BookFile().append(AddCard.of(task.spot, ManualClock().now(), source="drill", cost=1.0))
    else:
        save_samples()
    async with opened() as (app, _):
        assert "New here?" not in entries(app).get("n", "")


@awaited
async def test_training_offers_the_lesson_first_and_what_is_due_before_it() -> None:
    async with opened(["t", "@"]) as (app, _):
        assert next(iter(entries(app))) == marked(app) == "n"
    (task,) = drills(KNOT, 3, 1)
    BookFile().append(AddCard.of(task.spot, ManualClock().now(), source="drill", cost=1.0))
    async with opened(["t", "@"], clock=ManualClock()) as (app, _):
        assert next(iter(entries(app))) == "n"


# ---- the next day ----------------------------------------------------------------


@awaited
async def test_home_shows_the_puzzle_of_the_day_the_streak_and_the_cards_that_are_due() -> None:
    clock = knot_day()
    (task,) = drills(KNOT, 3, 1)
    BookFile().append(AddCard.of(task.spot, clock.now(), source="drill", cost=1.0))
    async with opened(["@"], clock=clock) as (app, pilot):
        assert "Number Knot, difficulty ★" in entries(app)["y"]
        assert entries(app)["o"].endswith("Practice mistakes      1 mistake")
        await press(pilot, "y", "@")
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        screen.chosen(daily(local_day(clock)).answers[0])
        await settle(pilot)
        await press(pilot, "enter", "@", "enter", "@")
        assert isinstance(app.screen, HomeScreen)
        assert "solved, streak 1; come back tomorrow for 2" in entries(app)["y"]
        await press(pilot, "o", "@")
        cards = app.screen
        assert isinstance(cards, DrillScreen)
        cards.chosen(cards.session.asked_task().exercise.best[0])
        await settle(pilot)
        await press(pilot, "enter", "@", "enter", "@")
        assert "o" not in entries(app)


@awaited
async def test_home_counts_the_mistakes_of_a_game_as_soon_as_it_is_over() -> None:
    async with opened(["@"]) as (app, pilot):
        assert "o" not in entries(app)
        await press(pilot, "r", "@")
        save_records([sample_record(KNOT.name, None, "S5 A3 S9", (COMPUTER, ANN))])
        await press(pilot, "q", "@")
        assert isinstance(app.screen, HomeScreen)
        assert entries(app)["o"].endswith("Practice mistakes      1 mistake")


@awaited
async def test_home_begins_with_the_most_useful_thing_and_marks_it() -> None:
    clock = knot_day()
    (task,) = drills(KNOT, 3, 1)
    BookFile().append(AddCard.of(task.spot, clock.now(), source="drill", cost=1.0))
    async with opened(["@"], clock=clock) as (app, pilot):
        assert list(entries(app))[:3] == ["o", "y", "n"]
        assert marked(app) == "o"
        await press(pilot, KNOT_KEY, "@", "enter", "@")
        assert isinstance(app.screen, TableScreen)
        await press(pilot, "s", "9", "enter", "@", "q", "y", "@")
        assert list(entries(app))[:4] == ["c", "o", "y", "n"]
        assert marked(app) == "c"
        await press(pilot, "y", "@")
        assert isinstance(app.screen, DrillScreen)
        app.screen.chosen(daily(local_day(clock)).answers[0])
        await press(pilot, "@", "enter", "@", "enter", "@")
        keys = list(entries(app))
        assert keys[:3] == ["c", "o", "n"]
        assert keys.index("y") == keys.index("t") + 1


@pytest.mark.parametrize(
    ("result", "who"), [("1-0", "level:3"), ("0-1", "level:2"), ("1/2-1/2", "level:2")]
)
def test_like_last_time_offers_the_level_after_one_that_was_beaten(result: str, who: str) -> None:
    players = (Person("Ann", "human"), Person("Computer", "level:2"))
    record = Record(KNOT.name, {}, None, 1, players, "S9", result)
    saved = SavedGame(Path("a.json"), record, 1, "level:2", "")
    again = like_last_time(record, [saved])
    assert again.words[-1] == who
    assert again.title == ("Next level" if result == "1-0" else "Like last time")


@pytest.mark.parametrize(
    ("who", "result", "note"),
    [
        ("level:2", "1-0", " Next: level 3."),
        ("level:5", "1-0", " Next: Perfect."),
        ("level:2", "0-1", ""),
        ("random", "1-0", ""),
    ],
)
def test_a_game_in_the_menu_names_the_level_after_the_highest_beaten_one(
    who: str, result: str, note: str
) -> None:
    players = (Person("Ann", "human"), Person("Computer", who))
    record = Record(KNOT.name, {}, None, 1, players, "S9", result)
    saved = SavedGame(Path("a.json"), record, 1, who, "")
    notes = {entry.words[1]: entry.note for entry in games_entries("play", [saved])}
    assert notes.pop(KNOT.name) == f"{find(KNOT.name).summary}{note}"
    assert notes == {name: find(name).summary for name in names() if name != KNOT.name}


@awaited
async def test_home_counts_the_days_in_a_row_and_says_what_today_adds() -> None:
    clock = knot_day()
    today = local_day(clock)
    for days in (1, 2):
        day = today - days * DAY
        solved = AnswerGiven.of(
            daily(day).spot.open(),
            clock.now() - days * DAY,
            kind="daily",
            form="move",
            answer="",
            cost=0.0,
            right=True,
            note=str(day),
        )
        BookFile().append(solved)
    async with opened(["@"], clock=clock) as (app, _):
        assert "2 days in a row (best 2)" in seen(app)
        assert "  for a 3-day streak: " in entries(app)["y"]


@awaited
async def test_the_result_of_the_day_goes_to_the_clipboard() -> None:
    clock = knot_day()
    async with opened(["y", "@"], clock=clock) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        await press(pilot, "c")
        assert not app.clipboard
        screen.chosen(daily(local_day(clock)).answers[0])
        await settle(pilot)
        await press(pilot, "enter", "@")
        assert screen.scene.stage == OVER
        assert "c: copy the result." in str(screen.query_one(Notice).content)
        beside = str(screen.query_one("#drill-said", Static).content)
        assert "A new puzzle comes tomorrow." in " ".join(beside.split())
        await press(pilot, "c")
        assert app.clipboard == screen.scene.share
        assert str(local_day(clock)) in app.clipboard
        assert "Copied to the clipboard." in seen(app)
        # Tomorrow is another puzzle; today's result can be copied again.
        app.copy_to_clipboard("")
        await press(pilot, "q", "y", "@", "c")
        assert str(local_day(clock)) in app.clipboard


# ---- one program -------------------------------------------------------------------


@awaited
async def test_the_menus_in_lines_have_the_same_keys_and_entries(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save_samples()
    remember(game=KNOT.name, opponent="random")
    async with opened(["@"]) as (app, pilot):
        assert list(entries(app)) == ["c", "y", "n", *"12345", "l", *"tsiaremq"]
        await press(pilot, "t", "@")
        train = list(entries(app).items())
        await press(pilot, "q", "@")  # with a mistake that training found
        home = list(entries(app).items())
    monkeypatch.setattr("sys.stdin", StringIO("t\nq\nq\n"))
    menu(Namespace(plain=True, clock=SYSTEM_CLOCK))
    menus = capsys.readouterr().out.split("\n\nWhat would you like to ")[:2]
    for shown, told in ((home, menus[0]), ([*train, ("q", "q Back")], menus[1])):
        listed = [line.split() for line in told.splitlines() if line.startswith("  ")]
        assert [words[0] for words in listed] == [key for key, _ in shown]
        assert listed == [line.split() for _, line in shown]


@awaited
async def test_the_last_game_is_played_again_by_one_key() -> None:
    save_samples()
    remember(game="number-bid")  # which was trained since
    last = next(saved_games()).record
    async with opened(["l", "@"]) as (app, _):
        assert isinstance(app.screen, TableScreen)
        match = app.screen.match
        assert (match.game, match.hints) == (last.match().game, last.hints)
        assert match.players == (last.players[0], Person("Computer", "level:3"))  # 2 was beaten


#: Ways to lists, forms and tables; in the long run to pages that take a while, too.
QUICK_WAYS, SLOW_WAYS = ("", "s", "s w", "e", "4 @"), ("s v @", "i @", "t @", "t @ d")


@pytest.mark.parametrize(
    ("key", "ways"),
    [
        ("r", QUICK_WAYS[:2]),
        pytest.param("r", QUICK_WAYS[2:], marks=pytest.mark.slow),
        pytest.param("r", SLOW_WAYS, marks=pytest.mark.slow),
        pytest.param("f1", QUICK_WAYS + SLOW_WAYS, marks=pytest.mark.slow),
    ],
)
@awaited
async def test_the_key_of_the_rules_is_the_same_everywhere(key: str, ways: tuple[str, ...]) -> None:
    save_samples()
    async with opened() as (app, pilot):
        for keys in ways:
            await press(pilot, *keys.split(), key)
            assert isinstance(app.screen, RulesScreen)
            while len(app.screen_stack) > 2:
                await press(pilot, "q")


@awaited
async def test_t_is_training_and_v_a_review() -> None:
    save_samples()
    async with opened(["t", "@"]) as (app, pilot):
        assert isinstance(app.screen, TrainScreen)
        await press(pilot, "q", "s", "v", "@")
        assert "Review" in str(app.screen.query_one("#title", Static).render())
        assert "t" not in app.screen.active_bindings


def test_a_letter_means_the_same_at_home_and_in_training() -> None:
    (task,) = drills(KNOT, 3, 1)
    clock = ManualClock()
    BookFile().append(AddCard.of(task.spot, clock.now(), source="drill", cost=1.0))
    home = {one.key: one.words for one in home_entries(read_today(clock))}
    train = {one.key: ("train", *one.words) for one in training_entries(read_book(clock), clock)}
    both = home.keys() & train.keys()
    assert both == {"n", "o", "y"}
    assert [key for key in both if home[key][:2] != train[key]] == []


#: Ways to screens that open by themselves or by Enter.
ENTER_WAYS = ("", "t @ enter @")


@pytest.mark.parametrize("way", ENTER_WAYS)
@awaited
async def test_a_second_enter_right_after_a_change_of_screen_is_ignored(way: str) -> None:
    save_samples()
    remember(game=KNOT.name)
    clock = ManualClock()
    async with opened(["@", *way.split()], clock=clock) as (app, pilot):
        page = app.screen
        before = seen(app)
        for delay in (0.0, UNSEEN_SECONDS - 0.01):
            clock.advance(delay)
            await pilot.press("enter")
            await settle(pilot)
            assert app.screen is page
            assert app.notices[-1] == TOO_SOON
        app.clear_notifications()
        await press(pilot, "enter", "@")
        assert app.screen is not page or seen(app) != before


@pytest.mark.parametrize("way", ["t @", "s", f"{KNOT_KEY} @", "t @ d @", "a @", "t @ q @"])
@awaited
async def test_enter_counts_at_once_on_a_screen_that_a_letter_opened(way: str) -> None:
    save_samples()
    remember(game=KNOT.name)
    async with opened(["@", *way.split()], clock=ManualClock()) as (app, pilot):
        page, before = app.screen, seen(app)
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen is not page or seen(app) != before
        assert TOO_SOON not in app.notices


@awaited
async def test_one_q_too_many_does_not_quit() -> None:
    async with opened(["@", "t", "@", "q", "@", "q", "@"]) as (app, pilot):
        assert app.notices[-1] == "Press q again to quit."
        assert app.return_value is None
        await press(pilot, "q", "@")
        assert app.return_value == 0


@pytest.mark.parametrize("keys", [["q"], ["t", "@", "q", "@", "down", "q"]], ids=str)
@awaited
async def test_q_quits_at_once_where_no_screen_has_just_closed(keys: list[str]) -> None:
    async with opened(["@", *keys, "@"]) as (app, _):
        assert app.return_value == 0


@awaited
async def test_enter_counts_at_once_after_another_key() -> None:
    async with opened(["@", "t", "@"], clock=ManualClock()) as (app, pilot):
        await pilot.press("down", "up", "enter")
        await settle(pilot)
        assert isinstance(app.screen, TrainSetupScreen)


# ---- lists ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "way", sample([["s"], ["a", "@"], [], ["t", "@"], ["s", "v", "@"]], 2), ids=str
)
@awaited
async def test_the_same_keys_move_in_every_list(way: list[str]) -> None:
    save_samples()
    async with opened(way) as (app, pilot):
        listed = app.screen.query_one(OptionList)
        await press(pilot, "g")
        first = listed.highlighted
        await press(pilot, "j")
        second = listed.highlighted
        assert first == 0
        assert second is not None
        assert second > first
        await press(pilot, "k")
        assert listed.highlighted == first
        last = max(n for n, option in enumerate(listed.options) if not option.disabled)
        for key in ("G", "end"):
            await press(pilot, "home", key)
            assert listed.highlighted == last
        for key in ("space", "pagedown"):
            await press(pilot, "home", key)
            assert listed.highlighted != first


@pytest.mark.parametrize("way", [["r"], ["i", "@"]], ids=str)
@awaited
async def test_the_same_keys_scroll_every_text(way: list[str]) -> None:
    save_samples()
    async with opened(way, size=(60, 20)) as (app, pilot):
        text = app.screen.query_one(".reading")
        for key in ("j", "space", "pagedown", "G", "end"):
            await press(pilot, "g", key)
            assert text.scroll_y > 0
        await press(pilot, "home", "j", "k")
        assert text.scroll_y == 0


# ---- notices ----------------------------------------------------------------------------


@awaited
async def test_a_notice_lies_below_the_heading_and_covers_nothing_that_is_asked() -> None:
    app = ListeningApp()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await press(pilot, KNOT_KEY, "@")
        app.notify("Number Knot: life must be 1 to 99, not 999.")
        await settle(pilot)
        (toast,) = app.screen.query("Toast")
        assert (toast.region.y, toast.region.height) == (1, 1)


# ---- commands without a page -------------------------------------------------------------


@awaited
async def test_commands_without_a_page_run_below_the_full_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from number_duels.terminal.app import home

    ran = list[tuple[str, ...]]()

    @contextmanager
    def suspended(_: ListeningApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(ListeningApp, "suspend", suspended)
    monkeypatch.setattr(home, "run_command", ran.append)
    async with opened(["m", "s", "b", "m", "4"]) as (app, pilot):
        await press(pilot, "q")
        assert isinstance(app.screen, MoreScreen)
    assert [words[0] for words in ran] == ["solve", "serve", "arena"]
    assert KNOT.name in ran[-1]


@pytest.mark.system
def test_a_command_below_the_full_screen_ends_by_ctrl_c_and_comes_back_to_it(desk: Desk) -> None:
    from tests.terminal.app.emulator import Screen
    from tests.terminal.session import Session

    with Session(["--calm"], desk.folder, desk.surroundings) as session:
        screen = Screen(session)
        screen.wait_for("More")
        screen.press("m")
        screen.wait_for("Measure")
        screen.press("b")
        screen.wait_until(lambda shown: "8000" in shown)  # served there, or in use by others
        screen.press("\x03")
        screen.wait_for("Press Enter to go back to full-screen mode...")
        screen.press("\r")
        screen.wait_for("let computer players play each other")
        screen.press("qq")
        screen.wait_for("Press q again to quit.")
        screen.press("q")
        assert session.status() == 0


@awaited
async def test_ctrl_c_is_listed_as_the_key_that_quits() -> None:
    async with opened(["question_mark", "@"]) as (app, _):
        (row,) = (row for row in rows_of(app) if "Ctrl+C" in row)
        assert "Quit" in row
