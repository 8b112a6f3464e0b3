"""What the table does besides moves: take back, hints, rematch, sizes, trouble with the disk."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from textual.widgets import Input, Static

from number_duels.core.game import Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Situation
from number_duels.core.record import Person
from number_duels.games import load
from number_duels.sessions.play import NOT_COUNTED, PlaySession
from number_duels.terminal.app.analysis_page import AnalysisScreen
from number_duels.terminal.app.board_view import (
    CROSS,
    SEAT_STYLES,
    BoardView,
    Ending,
    WordsPanel,
)
from number_duels.terminal.app.dialogs import Confirm, KeyHelp, SaveDialog
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.page import now_and_then
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.table import COMPUTER_SECONDS, ReplayScreen, TableScreen, next_step
from number_duels.terminal.config import remember
from number_duels.terminal.saves import games_folder, read_records
from tests.clock import ManualClock
from tests.some_games import sample
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import look, opened, seen
from tests.terminal.app.tables import Driver, by_notation, new_table, sit_down, sitting_at, text_of

AGAINST_RANDOM = ("human", "random")
KNOT = load("number-knot", numbers=5, life=6)


# ---- giving up ---------------------------------------------------------------------


@awaited
async def test_a_game_is_given_up_after_a_question_and_that_is_on_disk() -> None:
    table = new_table(KNOT, AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("s", "1", "enter", "x")
        assert "Esc  Keep playing" in seen(table.duels)
        await driver.press("n")
        assert table.match.outcome is None
        await driver.press("x", "y")
        assert table.match.outcome
        assert table.match.outcome.reason == "Player 1 resigned."
        assert "Resign" not in text_of(driver)
        assert table.save_file
        (saved,) = read_records(table.save_file.path)
        assert saved.record.result == "0-1"


@awaited
async def test_a_person_without_a_name_is_you_at_the_table_and_in_all_that_it_opens() -> None:
    table = new_table(KNOT, ("random", "human"), names=("Player 2", "Player 1"))

    async with sitting_at(table) as driver:
        assert table.names == ("Computer", "You")
        await driver.press("s", "1", "enter", "x", "y")
        assert "You resigned." in text_of(driver)
        pages = [driver.screen_picture]
        for keys, page in (
            (["v"], ReviewScreen),
            (["a"], AnalysisScreen),
            (["q", "w", "end"], ReplayScreen),
        ):
            await driver.press(*keys)
            assert isinstance(driver.screen, page)
            pages.append(driver.screen_picture)
        for picture in pages:
            assert "You" in picture
            assert not re.search("Player(&#160;| )[12]", picture)
        assert [person.name for person in table.match.players] == ["Player 2", "Player 1"]


# ---- who plays, and who won --------------------------------------------------------


WHO_PLAYS = "Two people play at this screen. Press c to play the computer."


@awaited
async def test_a_game_of_two_people_says_so_until_the_first_move() -> None:
    table = new_table(KNOT, names=("Player 1", "Player 2"))

    async with sitting_at(table) as driver:
        assert WHO_PLAYS in log_of(driver)
        await driver.press("s", "1", "enter")
        assert WHO_PLAYS not in log_of(driver)
        await driver.press("c")
        assert driver.is_at_table()
    async with sitting_at(new_table(KNOT, AGAINST_RANDOM)) as driver:
        assert WHO_PLAYS not in log_of(driver)
    chosen = new_table(KNOT)
    chosen.by_choice = True
    async with sitting_at(chosen) as driver:
        assert WHO_PLAYS not in log_of(driver)
        await driver.press("c")
        assert driver.screen is chosen


@awaited
async def test_the_log_has_a_sentence_per_turn_and_the_last_one_too() -> None:
    table = new_table(KNOT, names=("Ann", "Bo"))

    async with sitting_at(table, (120, 40)) as driver:
        await driver.press("s", "1", "enter")
        first = "Ann subtracts 1 from Bo."
        assert log_of(driver) == f"1  {first}"
        await driver.press("a", "2", "enter")
        assert log_of(driver) == f"1  {first}\n2  Bo adds 2 to their own life total."


def log_of(driver: Driver) -> str:
    return str(driver.table.query_one("#log-lines", Static).content)


@awaited
async def test_one_key_plays_the_computer_instead_of_a_second_person() -> None:
    remember(opponent="random")
    table = new_table(load("number-bid", numbers=3), names=("Player 1", "Player 2"))

    async with sitting_at(table) as driver:
        await driver.press("c")
        other = driver.screen
        assert isinstance(other, TableScreen)
        assert [person.who for person in other.match.players] == ["human", "random"]
        assert other.match.game == table.match.game
        assert other.choosing


@pytest.mark.parametrize(
    ("keys", "headline", "colour"),
    [
        (["s", "1", "enter"], "You win", "$success"),
        (["x", "y"], "You lose", ""),
        (["a", "1", "enter"], "A draw", ""),
    ],
    ids=["win", "loss", "draw"],
)
@pytest.mark.parametrize("size", sample([((80, 24),), ((60, 20),), ((120, 40),)], 1), ids=str)
@awaited
async def test_the_end_of_a_game_has_its_result_and_reason(
    keys: list[str], headline: str, colour: str, size: tuple[int, int]
) -> None:
    table = new_table(
        load("number-knot", numbers=1, life=1), AGAINST_RANDOM, names=("Player 1", "Bo")
    )

    async with sitting_at(table, size) as driver:
        ending = table.query_one(Ending)
        assert not ending.display
        await driver.press(*keys)
        assert (ending.headline, ending.score, ending.style) == (headline, "", colour)
        for widget in (ending, driver.choices):
            assert table.query_one("#actions").region.contains_region(widget.region)
            assert "enlarge the window" not in widget.render().plain
        starred = f"★ {headline} ★" if colour else headline
        assert f"  {starred}" in text_of(driver)
        assert ending.reason


@awaited
async def test_a_game_with_points_ends_with_its_score() -> None:
    table = new_table(load("number-bid", numbers=2), AGAINST_RANDOM)
    async with sitting_at(table) as driver:
        for number in ("2", "1"):
            if not table.match.outcome:
                await driver.press(number, "enter")
        assert table.query_one(Ending).score in ("3 : 0", "0 : 0")


@awaited
async def test_of_two_people_the_winner_has_the_colour_of_the_seat() -> None:
    async with sitting_at(new_table(load("number-knot", numbers=1, life=1))) as driver:
        await driver.press("s", "1", "enter")
        ending = driver.table.query_one(Ending)
        assert (ending.headline, ending.style) == ("Ann wins", "$seat-one")


# ---- taking back -------------------------------------------------------------------


@awaited
async def test_a_move_against_the_computer_is_taken_back_and_counted() -> None:
    table = new_table(KNOT, AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("s", "1", "enter")
        assert len(table.match.history) == 2
        await driver.press("u")
        assert (len(table.match.history), table.match.takebacks) == (0, 1)
        assert "1 move taken back" in text_of(driver)
        assert driver.table.scene.notes == (NOT_COUNTED,)
        assert table.save_file
        (saved,) = read_records(table.save_file.path)
        assert (saved.record.moves, saved.record.takebacks) == ("", 1)
        await driver.press("u")
        assert table.match.takebacks == 1


@awaited
async def test_a_key_that_can_do_nothing_yet_says_why() -> None:
    table = new_table(load("number-stack-showdown"), AGAINST_RANDOM, hints=True)

    async with opened() as (app, pilot):
        driver = await sit_down(pilot, table)
        await driver.press("h", "u")
        assert app.notices == [
            "Draw a card first, then ask for a hint.",
            "There is no turn to take back yet.",
        ]
        assert "Hint" not in shown_keys(table)
        await driver.press("enter")
        assert "Hint" in shown_keys(table)


def shown_keys(table: TableScreen) -> set[str]:
    found = (one.binding for one in table.active_bindings.values())
    return {one.description for one in found if one.show}


# ---- the computer ------------------------------------------------------------------


class Slow:
    """A player that waits until it is told to go on."""

    def __init__(self) -> None:
        self.go = Event()

    def choose(self, situation: Situation) -> object:
        assert self.go.wait(60)
        return situation.options[0]


@awaited
async def test_what_is_typed_while_the_computer_thinks_counts_at_the_next_question() -> None:
    table, slow = new_table(KNOT, AGAINST_RANDOM), Slow()

    async with sitting_at(table) as driver:
        table.session.players = None, slow
        await driver.pilot.press("s", "1")
        look(driver.pilot)
        await driver.pilot.press("enter", "s", "3", "u")
        slow.go.set()
        await driver.settle()
        assert str(table.match.history) == "S1 A2"
        assert table.asked is Seat.ONE
        assert driver.choices.text == "s3"


@awaited
async def test_a_computer_that_thought_long_enough_is_not_waited_for() -> None:
    table, slow, clock = new_table(KNOT, AGAINST_RANDOM), Slow(), ManualClock()
    async with sitting_at(table, calm=False, clock=clock) as driver:
        table.session.players = None, slow
        look(driver.pilot)
        await driver.pilot.press("s", "1", "enter")
        clock.advance(COMPUTER_SECONDS + 0.1)
        slow.go.set()
        await driver.settle()
        assert str(table.match.history) == "S1 A2"


def test_progress_is_told_now_and_then() -> None:
    clock, told = ManualClock(), list[float]()
    tell = now_and_then(told.append, clock)
    for step in range(1, 101):
        clock.advance(0.05)
        tell(step / 100)
    assert len(told) == 20
    assert told == sorted(told)


# ---- hints, keys, sizes ------------------------------------------------------------


def hint_of(driver: Driver) -> str:
    """What the hint says, on one line; nothing while it is hidden."""
    panel = driver.table.query_one(WordsPanel)
    said = str(panel.query_one(Static).content) if panel.display else ""
    return " ".join(said.split())


NUDGE, SENTENCE, FIGURES, REASON = (
    "Only one of your 6 moves wins.",
    "Subtract 3: it wins.",
    "chance",
    "Subtracting 3 wins at once.",
)


@awaited
async def test_a_hint_comes_in_steps_and_goes_after_the_last_one() -> None:
    game = load("number-knot", numbers=3, life=3)
    async with sitting_at(new_table(game, AGAINST_RANDOM, hints=True)) as driver:
        said = []
        for _ in range(4):
            await driver.press("h")
            assert driver.is_at_table()
            said.append([part in hint_of(driver) for part in (NUDGE, SENTENCE, FIGURES, REASON)])
        assert said == [
            [True, False, False, False],
            [True, True, False, False],
            [True, True, True, True],
            [False, False, False, False],
        ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@awaited
async def test_a_hint_begins_at_its_top_and_has_the_place_of_the_log(size: tuple[int, int]) -> None:
    game = load("high-low-battle", cards=4, rounds=3)
    async with sitting_at(new_table(game, AGAINST_RANDOM, hints=True), size) as driver:
        log, hint = driver.table.query_one("#log"), driver.table.query_one(WordsPanel)
        rows = log.region.height
        for _ in range(3):
            await driver.press("h")
        assert not log.display
        assert hint.scroll_offset.y == 0
        assert hint.max_scroll_y == 0 or hint.region.height >= rows
        await driver.press("escape")
        assert log.display


@awaited
async def test_a_hint_where_no_move_is_better_names_the_only_good_reply() -> None:
    async with sitting_at(new_table(KNOT, AGAINST_RANDOM, hints=True)) as driver:
        await driver.press("h")
        assert hint_of(driver).startswith("Hint h Show the move ")
        assert "Every move draws against perfect play." in hint_of(driver)
        assert "Hardest" not in hint_of(driver)
        await driver.press("h")
        assert "Hardest to reply to: subtract 4 or subtract 5." in hint_of(driver)
        await driver.press("h")
        assert "After subtract 4, only 1 of 8 replies draws: add 5." in hint_of(driver)
        assert "Close the hint" in hint_of(driver)


@awaited
async def test_a_hint_begins_with_a_nudge_where_there_are_only_two_moves() -> None:
    game = load("number-stack-showdown", target=9)
    table = new_table(game, AGAINST_RANDOM, deal="3", hints=True)
    async with sitting_at(table) as driver:
        await driver.press("enter", "h")
        assert "of your 2 moves" in hint_of(driver)
        assert "Show the move" in hint_of(driver)
        assert not {"Keep", "Give"} & set(hint_of(driver).split())


@awaited
async def test_a_hint_asks_before_it_works_out_a_large_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("number_duels.terminal.app.table.megabytes_to_solve", lambda _: 286)
    async with sitting_at(new_table(load("number-knot"), AGAINST_RANDOM, hints=True)) as driver:
        await driver.press("h")
        assert isinstance(driver.screen, Confirm)
        await driver.press("n")
        assert not driver.table.hint_steps
        await driver.press("h", "y")
        assert driver.table.hint_steps


@awaited
async def test_a_hint_names_the_opponent_as_the_table_does() -> None:
    game = load("high-low-battle", cards=4, rounds=3)
    async with sitting_at(new_table(game, AGAINST_RANDOM, hints=True)) as driver:
        for _ in range(3):
            await driver.press("h")
        assert f"If {driver.table.names[Seat.TWO]} guesses " in hint_of(driver)


@awaited
async def test_escape_closes_a_hint_before_it_asks_to_leave() -> None:
    async with sitting_at(new_table(KNOT, AGAINST_RANDOM, hints=True)) as driver:
        await driver.press("h")
        assert hint_of(driver)
        await driver.press("escape")
        assert driver.is_at_table()
        assert not hint_of(driver)
        await driver.press("escape")
        assert isinstance(driver.screen, Confirm)


@pytest.mark.parametrize(
    "size", [(60, 24), (80, 24), pytest.param((200, 50), marks=pytest.mark.slow)], ids=str
)
@awaited
async def test_a_hint_is_beside_the_board_or_below_it_and_never_over_it(
    size: tuple[int, int],
) -> None:
    game = load("high-low-battle", cards=5, rounds=3)
    async with sitting_at(new_table(game, AGAINST_RANDOM, hints=True), size) as driver:
        for _ in range(3):
            await driver.press("h")
        hint, board = driver.table.query_one(WordsPanel), driver.table.query_one(BoardView)
        assert hint.region.height > 0
        for widget in (board, driver.choices):
            assert not hint.region.overlaps(widget.region)
        assert driver.table.region.contains_region(hint.region)


@awaited
async def test_a_hint_goes_when_the_question_changes() -> None:
    async with sitting_at(new_table(KNOT, AGAINST_RANDOM, hints=True)) as driver:
        await driver.press("h")
        assert hint_of(driver)
        await by_notation(driver)
        assert driver.is_asked(Seat.ONE)
        assert not hint_of(driver)
        await driver.press("h")
        assert FIGURES not in hint_of(driver)


@awaited
async def test_a_game_without_hints_says_so_and_shows_no_key_for_them() -> None:
    table = new_table(KNOT, AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        assert "Hint" not in text_of(driver)
        await driver.press("h")
        assert driver.is_at_table()
        assert not driver.choices.reason
        (said,) = (one.message for one in driver.pilot.app._notifications)
        assert said.startswith("Hints are off in this game.")


@awaited
async def test_the_only_person_is_you_from_the_first_move_to_the_end() -> None:
    async with sitting_at(new_table(KNOT, AGAINST_RANDOM)) as driver:
        await by_notation(driver)
        await driver.press("x", "y")
        assert "You lose" in text_of(driver)
        assert "You resigned." in text_of(driver)
        assert "Ann" not in text_of(driver)


@awaited
async def test_all_keys_are_shown() -> None:
    async with sitting_at(new_table(KNOT)) as driver:
        await driver.press("question_mark")
        assert isinstance(driver.screen, KeyHelp)
        for word in (
            "Take back",
            "Resign",
            "Rules",
            "Back",
            "Ctrl+C",
            "select another answer",
            CROSS,
        ):
            assert word in text_of(driver)


@awaited
async def test_the_table_follows_the_size_of_the_terminal() -> None:
    table = new_table(load("high-low-battle"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        before = driver.screen_picture
        for size in ((60, 20), (120, 40), (80, 24)):
            await driver.pilot.resize_terminal(*size)
            await driver.settle()
            rows = driver.choices.region.bottom
            assert len(driver.choices.places) == 9
            assert rows < size[1]
        assert driver.screen_picture == before


# ---- after the game, and the disk --------------------------------------------------


@pytest.mark.parametrize(
    ("who", "moves", "said"),
    [
        ("level:2", "S9 S8 S1", "v shows what each move cost, n offers the next level."),
        ("level:5", "S9 S8 S1", "v shows what each move cost, m plays again."),
        ("human", "S9 S8 S1", "v shows what each move cost, m plays again."),
        ("level:2", "S5 S9 A1 S8", "v shows what each move cost, n offers an easier opponent."),
        ("level:1", "S5 S9 A1 S8", "v shows what each move cost, m plays again."),
    ],
)
def test_a_finished_game_says_what_to_do_next(who: str, moves: str, said: str) -> None:
    name: str = "number-knot"
    match: AnyMatch = Match(load(name), players=(Person("Ann"), Person("Bo", who)))
    for place, move in enumerate(moves.split()):
        match.submit(Seat(place % 2), move)
    assert next_step(PlaySession(match, (None, None), None)) == said


@awaited
async def test_the_list_of_keys_has_a_move_of_this_game_and_after_it_the_keys_of_the_menu() -> None:
    async with sitting_at(new_table(KNOT)) as driver:
        await driver.press("question_mark")
        assert "such as S5" in text_of(driver)
        assert "cards are turned over" not in text_of(driver)
        await driver.press("escape", "x", "y", "question_mark")
        shown = text_of(driver)
        for label in ("Review", "Watch again", "Rematch", "New game", "Take back"):
            assert label in shown
        assert "a whole move" not in shown


@pytest.mark.parametrize("game", ["number-knot", "high-low-battle"])
@awaited
async def test_the_only_person_is_on_the_left_in_the_first_color_also_after_a_rematch(
    game: str,
) -> None:
    table = new_table(load(game), AGAINST_RANDOM, names=("Player 1", "Computer"))

    async with sitting_at(table, (120, 40)) as driver:
        await driver.press("x", "y")
        await driver.settle()
        await driver.press("m")
        again = driver.screen
        assert isinstance(again, TableScreen)
        assert again.session.people == (Seat.TWO,)
        board = again.query_one(BoardView)
        lines = board.lines(board.content_size.width)
        (look,) = {style for line in lines for text, style in line if text.endswith("You")}
        assert look == f"bold {SEAT_STYLES[0]}"
        shown = ["".join(text for text, _ in line) for line in lines]
        both = [row for row in shown if "You" in row or "Computer" in row]
        assert "You" in both[0]
        assert "Computer" not in both[0].partition("You")[0]


@awaited
async def test_a_rematch_swaps_the_seats() -> None:
    table = new_table(KNOT)

    async with sitting_at(table) as driver:
        await driver.play(by_notation)
        await driver.press("m")
        again = driver.screen
        assert isinstance(again, TableScreen)
        assert again is not table
        assert again.names == ("Bo", "Ann")


@awaited
async def test_a_replay_goes_forward_and_back_and_to_any_turn() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await driver.press(*"s9", "enter", *"s8", "enter", *"s1", "enter", "w")
        replay = driver.screen
        assert isinstance(replay, ReplayScreen)
        turns = []
        for keys in (["right"], ["right", "left"], ["end"], ["right"], ["home"], ["2", "enter"]):
            await driver.press(*keys)
            turns.append(replay.session.place)
        assert turns == [1, 1, 3, 3, 0, 2]
        await driver.press("4")  # there are three turns
        assert replay.typed == ""
        (refused,) = driver.pilot.app._notifications
        assert refused.message == "Type a number from 0 to 3."
        await driver.press(*"32", "enter")
        assert (replay.typed, replay.session.place) == ("", 3)  # without a number, the next turn
        await driver.press("q")
        assert driver.is_at_table()


@pytest.mark.parametrize("named", ["other.json", "~no such user/other.json"])
@awaited
async def test_when_the_disk_takes_no_more_another_file_is_asked_for(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = new_table(KNOT)

    async with sitting_at(table) as driver:
        folder = games_folder()
        folder.rename(folder.with_name("elsewhere"))
        folder.write_text("where the folder was")
        await driver.press("s", "1", "enter")
        assert isinstance(driver.screen, SaveDialog)
        driver.screen.query_one(Input).value = named
        await driver.press("enter")
        assert driver.is_at_table()
        await driver.press("s", "2", "enter")
        assert read_records(tmp_path / named)[0].record.moves == "S1 S2"


@awaited
async def test_a_game_in_which_nothing_happened_leaves_no_file() -> None:
    async with sitting_at(new_table(KNOT)) as driver:
        assert list(games_folder().glob("*.json"))
        await driver.press("q", "y")
        assert not list(games_folder().glob("*.json"))


@awaited
async def test_ctrl_c_goes_back_one_level() -> None:
    async with sitting_at(new_table(KNOT)) as driver:
        await driver.press("question_mark", "ctrl+c")
        assert driver.is_at_table()
        await driver.press("ctrl+c", "ctrl+c")  # the question about leaving is a level, too
        assert driver.is_at_table()
        await driver.press("ctrl+c", "y")
        assert isinstance(driver.screen, HomeScreen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
@awaited
async def test_what_a_choice_does_is_told_at_every_size(size: tuple[int, int]) -> None:
    stack = load("number-stack-showdown", target=16)
    table = new_table(stack, ("human", "random"), deal="7 9 7")
    for seat in Seat:
        table.match.draw()
        table.match.submit(seat, "k")
    table.match.draw()
    async with sitting_at(table, size) as driver:
        told = " ".join(driver.choices.render().plain.split())
        assert "their total 9 + 7 = 16: loses" in told
