"""One rule for typing at the table: typing selects an answer, and Enter plays it."""

from __future__ import annotations

from itertools import chain

import pytest
from textual.screen import Screen

from number_duels.core.board import Grid
from number_duels.core.game import Seat
from number_duels.core.scene import SAID
from number_duels.games import load
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.dialogs import Confirm
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.page import TOO_SOON, UNSEEN_SECONDS
from number_duels.terminal.app.rules_page import RulesScreen
from number_duels.terminal.app.table import COMPUTER_SECONDS
from tests.clock import ManualClock
from tests.some_games import sample
from tests.terminal.app.idle import awaited
from tests.terminal.app.tables import SMALL, Driver, by_mouse, new_table, sitting_at, text_of

AGAINST_RANDOM = ("human", "random")
#: How soon a key comes again.
DELAYS = (0.0, 0.05, 0.15, 0.3, UNSEEN_SECONDS)
every_delay = pytest.mark.parametrize(
    "delay",
    [pytest.param(one, marks=pytest.mark.slow if one in DELAYS[:3] else ()) for one in DELAYS],
)


def steps(driver: Driver) -> list[str]:
    return [step.text for step in driver.choices.steps]


async def press_after(driver: Driver, clock: ManualClock, delay: float, *keys: str) -> None:
    """Press keys some time after what is on the screen appeared."""
    clock.advance(delay)
    await driver.pilot.press(*keys)
    await driver.settle()


# ---- what is typed ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "move"),
    sample(
        {
            "8 - 3": "8-3",
            "38+": "8+3",
            "8-3": "8-3",
            "3+8": "8+3",
            "83s": "8-3",
            "83a": "8+3",
        }.items(),
        2,
    ),
)
@awaited
async def test_a_move_is_typed_in_steps_or_whole_and_played_by_enter(keys: str, move: str) -> None:
    table = new_table(load("number-drop"))

    async with sitting_at(table) as driver:
        await driver.press(*("space" if key == " " else key for key in keys))
        assert not table.match.history.steps
        await driver.press("enter")
        assert str(table.match.history) == move


@pytest.mark.parametrize("keys", ["s9", "9s", "9sub"])
@awaited
async def test_what_is_typed_shows_what_it_would_do(keys: str) -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await driver.press(*keys)
        found = driver.choices.chosen()
        assert found
        assert str(found.move) == "S9"
        assert driver.choices.selected is not None
        assert driver.choices.answers[driver.choices.selected].label == "Subtract 9"
        shown = text_of(driver)
        for words in ("Subtract 9", "10 → 1", "> S9", "Enter plays it, Esc clears it."):
            assert words in shown
        assert not table.match.history.steps


@awaited
async def test_an_operation_alone_shows_what_it_does_with_each_number() -> None:
    async with sitting_at(new_table(load("number-knot")), (120, 40)) as driver:
        await driver.press("s")
        for life in range(1, 10):
            assert f"10 → {life}" in text_of(driver)
        await driver.press("right", "enter")
        assert str(driver.table.match.history) == "S1"


@awaited
async def test_a_number_that_may_go_on_is_played_as_it_stands() -> None:
    table = new_table(load("number-bid"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("1")
        assert driver.choices.possible == [0, 9]
        assert driver.choices.selected == 0
        await driver.press("enter")
        assert str(table.match.history).startswith("1/")
        await driver.press("u", "1", "0", "enter")
        assert str(table.match.history).startswith("10/")


@awaited
async def test_enter_goes_to_the_next_step_of_a_number_that_may_go_on() -> None:
    table = new_table(load("number-drop", side=4))

    async with sitting_at(table) as driver:
        await driver.press("1")
        assert steps(driver) == []
        await driver.press("enter")
        assert steps(driver) == ["1"]
        await driver.press("2", "enter", "a", "enter")
        assert str(table.match.history) == "2+1"


@awaited
async def test_an_enter_after_a_number_that_is_taken_at_once_is_not_refused() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await driver.press("5", "enter")
        assert (steps(driver), driver.choices.reason) == (["5"], "")
        await driver.press("a", "enter")
        assert str(table.match.history) == "A5"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@awaited
async def test_what_an_answer_does_is_never_cut(size: tuple[int, int]) -> None:
    table = new_table(load("high-low-battle"), AGAINST_RANDOM)

    async with sitting_at(table, size) as driver:
        await driver.press("1", "enter")  # the lower card, unless both are 1
        assert driver.choices.offer
        for number in range(2, 10):
            await driver.press(str(number))
            found = driver.choices.chosen()
            assert found
            does = driver.choices.offer.consequence(found.move)
            shown = " ".join(text_of(driver).replace("▏", " ").split())
            assert does in shown
            await driver.press("escape")


# ---- what cannot be an answer ----------------------------------------------------


@awaited
async def test_a_key_that_leads_to_no_answer_is_refused_at_once_and_drops_the_answer() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table, clock=ManualClock()) as driver:
        await driver.press("0")
        assert driver.choices.reason.startswith("0 is not available; choose 1, 2")
        await driver.press("4", "z")
        assert "That is not a move; type a or s." in text_of(driver)
        await driver.press("s", "z", "enter")
        assert not table.match.history.steps
        assert steps(driver) == ["4"]
        await driver.press("s", "enter")
        assert str(table.match.history) == "S4"


@pytest.mark.parametrize("keys", ["28s", "3a8s", "a38s"])
@awaited
async def test_another_number_replaces_the_one_that_was_typed(keys: str) -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await driver.press(*keys, "enter")
        assert str(table.match.history) == "S8"


@awaited
async def test_a_digit_replaces_the_one_before_if_no_number_begins_with_both() -> None:
    table = new_table(load("high-low-battle"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("1", "2")
        assert (driver.choices.text, driver.choices.reason) == ("2", "")
        await driver.press("enter")
        assert str(table.match.history).startswith("2/")


@awaited
async def test_a_number_that_is_no_answer_is_not_played_by_its_first_digit() -> None:
    table = new_table(load("number-bid"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("1", "2")  # as in 10
        assert driver.choices.reason.startswith("12 is not available; choose 1, 2")
        await driver.press("enter")
        assert not table.match.history.steps
        await driver.press("2", "enter")
        assert str(table.match.history).startswith("2/")


@awaited
async def test_a_refused_key_and_enter_answer_nothing() -> None:
    table = new_table(load("number-bid", numbers=3), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("9", "enter", "enter", "enter")
        assert not table.match.history.steps
        assert driver.choices.text == ""
        assert driver.choices.reason == "9 is not available; choose 1, 2 or 3."


@awaited
async def test_a_refused_key_in_secret_drops_what_was_typed_and_does_not_tell_it() -> None:
    table, shown = new_table(load("number-bid")), set[str]()

    async with sitting_at(table) as driver:
        await driver.press("enter")
        for first in ("4", "7"):
            await driver.press(first, "3")
            assert not driver.choices.text
            assert "Nothing is selected" in text_of(driver)
            shown.add(driver.screen_picture)
        assert len(shown) == 1
        await driver.press("enter", "enter")
        assert not table.match.seats_ready
        await driver.press("3", "enter")
        assert table.match.seats_ready == {Seat.ONE}


@awaited
async def test_a_secret_choice_shows_that_it_is_entered_and_why_a_key_is_refused() -> None:
    entered, shown = "You typed a choice. Enter confirms it", set[str]()

    async with sitting_at(new_table(load("number-bid"))) as driver:
        await driver.press("enter", "down")
        assert driver.choices.reason == "Arrows would show your choice, so type it."
        assert entered not in text_of(driver)
        for keys in ("4", "10"):
            await driver.press(*keys)
            shown.add(driver.screen_picture)
            assert entered in text_of(driver)
            await driver.press("escape")
        assert len(shown) == 1
        await driver.press("4", "enter", "enter", "5", "enter", "enter", "4", "enter")
        assert driver.choices.reason.startswith("That number is not available; choose 1, 2")


@awaited
async def test_a_double_click_answers_one_question() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table, (120, 40)) as driver:
        assert await driver.pilot.click(Choices, offset=driver.choices.place_of(0), times=2)
        await driver.settle()
        assert not table.match.history.steps
        assert steps(driver) == ["1"]


@awaited
async def test_what_is_closed_is_refused_with_its_reason() -> None:
    table = new_table(load("number-stack-showdown", target=9), AGAINST_RANDOM, deal="10")

    async with sitting_at(table) as driver:
        await driver.press("enter", *"give")
        assert driver.choices.reason.startswith("You must keep this card: ")
        await driver.press(*"keep", "enter")
        assert table.match.outcome


@awaited
async def test_a_forced_choice_is_a_statement_with_one_answer() -> None:
    table = new_table(load("number-stack-showdown", target=9), AGAINST_RANDOM, deal="10")

    async with sitting_at(table) as driver:
        await driver.press("enter")
        lines = ["".join(text for text, _ in line) for line in driver.choices.lines(40)]
        assert lines[1:5] == [
            "You must keep this card: it would take",
            "either stack over 9.",
            " Keep  your total 0 + 10 = 10: loses    ",
            "Press Enter or click.",
        ]


@pytest.mark.parametrize(
    ("key", "page"), sample({"r": RulesScreen, "x": Confirm, "q": Confirm}.items(), 2)
)
@pytest.mark.parametrize("game", ["number-knot", "high-low-battle"])
@awaited
async def test_a_key_of_the_footer_works_while_something_is_typed(
    game: str, key: str, page: type[Screen[object]]
) -> None:
    table = new_table(load(game), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("3", key)
        assert isinstance(driver.screen, page)
        await driver.press("escape")
        assert (driver.choices.text, driver.choices.reason) == ("3", "")


@awaited
async def test_a_letter_of_another_answer_replaces_the_one_that_was_typed() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await driver.press("a", "7", "s")
        assert "Subtract 7" in text_of(driver)
        await driver.press("enter")
        assert str(table.match.history) == "S7"


# ---- arrows, Enter and clicks ----------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "bid"),
    sample([(["left"], 10), (["4", "right"], 5), (["right"], 1), (["right"] * 2, 2)], 2),
)
@awaited
async def test_nothing_is_marked_until_an_arrow_marks_the_first_or_the_last(
    keys: list[str], bid: int
) -> None:
    table = new_table(load("number-bid"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        assert driver.choices.selected is None
        await driver.press("enter")
        assert "Nothing is selected yet." in text_of(driver)
        await driver.press(*keys)
        assert driver.choices.selected == bid - 1
        await driver.press("enter")
        assert str(table.match.history).startswith(f"{bid}/")


@pytest.mark.parametrize(
    ("keys", "bid"),
    sample([(["up"], 2), (["down"] * 3, 1), (["down"], 1), (["down"] * 2, 2)], 2),
)
@awaited
async def test_down_and_up_go_along_answers_that_stand_in_one_row(
    keys: list[str], bid: int
) -> None:
    table = new_table(load("number-bid", numbers=2), AGAINST_RANDOM)

    async with sitting_at(table, (108, 40)) as driver:
        assert len({row for row, _, _ in driver.choices.places}) == 1
        await driver.press(*keys, "enter")
        assert str(table.match.history).startswith(f"{bid}/")


@pytest.mark.parametrize(
    ("keys", "number"),
    sample(
        [
            (["right"] * 5 + ["down"], 10),
            (["down", "right", "down"], 7),
            (["down", "right", "down", "up"], 2),
            (["down", "up"], 1),
            (["left", "down", "left"], 14),
        ],
        2,
    ),
)
@awaited
async def test_down_and_up_stay_in_the_column_of_a_grid(keys: list[str], number: int) -> None:
    async with sitting_at(new_table(load("number-knot", numbers=15)), SMALL) as driver:
        assert [row for row, _, _ in driver.choices.places].count(driver.choices.places[0][0]) == 5
        await driver.press(*keys)
        assert driver.choices.selected == number - 1


@awaited
async def test_a_click_plays_at_once() -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table) as driver:
        await by_mouse(driver)
        assert steps(driver) == ["9"]
        await by_mouse(driver)
        assert str(table.match.history) == "S9"


# ---- keys that come too soon -----------------------------------------------------


@every_delay
@awaited
async def test_a_second_enter_plays_no_second_round(delay: float) -> None:
    table, clock = new_table(load("number-bid"), AGAINST_RANDOM), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("9", "enter")
        await press_after(driver, clock, delay, "enter")
        assert len(table.match.history) == 1


@every_delay
@awaited
async def test_a_second_enter_chooses_nothing_for_the_other_player(delay: float) -> None:
    table, clock = new_table(load("number-knot")), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("S", "9", "enter")
        await press_after(driver, clock, delay, "enter")
        assert str(table.match.history) == "S9"
        assert driver.is_asked(Seat.TWO)
        assert (driver.choices.text, driver.choices.selected) == ("", None)


@every_delay
@awaited
async def test_an_enter_after_a_refused_key_plays_nothing(delay: float) -> None:
    table, clock = new_table(load("number-knot")), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("2", "s", "z")
        await press_after(driver, clock, delay, "enter")
        assert not table.match.history.steps


@every_delay
@awaited
async def test_an_enter_after_a_refused_key_and_a_whole_move_plays_it(delay: float) -> None:
    table, clock = new_table(load("number-knot")), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("s", "9", "enter", "9", "2", "s")
        await press_after(driver, clock, delay, "enter")
        assert str(table.match.history) == "S9 S2"
        assert TOO_SOON not in text_of(driver)


@every_delay
@awaited
async def test_an_enter_that_comes_too_soon_opens_no_curtain(delay: float) -> None:
    table, clock = new_table(load("number-bid")), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("enter", "9", "enter")
        assert table.match.seats_ready == {Seat.ONE}
        await press_after(driver, clock, delay, "enter")
        assert (table.scene.stage == SAID) is (delay < UNSEEN_SECONDS)


@every_delay
@awaited
async def test_a_second_enter_takes_nothing_of_the_menu_after_a_game(delay: float) -> None:
    table, clock = new_table(load("number-knot", numbers=1, life=6)), ManualClock()

    async with sitting_at(table, clock=clock) as driver:
        await driver.press("a", "enter")
        await press_after(driver, clock, delay, "enter")
        assert table.match.outcome
        assert driver.is_at_table()


# ---- keys while both choices are shown ---------------------------------------------


async def reveal(driver: Driver, clock: ManualClock, first: str) -> None:
    """Play a number against the computer, up to the moment when both are face down."""
    await driver.press(first, "enter")
    clock.advance(COMPUTER_SECONDS)
    await driver.settle()
    assert len(driver.table.match.history) == 1
    assert not driver.table.choosing


@every_delay
@awaited
async def test_a_number_typed_during_a_reveal_ends_it_and_selects(delay: float) -> None:
    table, clock = new_table(load("number-bid"), AGAINST_RANDOM), ManualClock()

    async with sitting_at(table, calm=False, clock=clock) as driver:
        await reveal(driver, clock, "9")
        await press_after(driver, clock, delay, "5")
        assert driver.is_asked(Seat.ONE)
        assert driver.choices.text == "5"
        await driver.press("enter")
        clock.advance(COMPUTER_SECONDS)
        await driver.settle()
        assert str(table.match.history).split()[1].startswith("5/")


@awaited
async def test_an_enter_right_after_a_reveal_keeps_the_number_for_the_next_enter() -> None:
    table, clock = new_table(load("number-bid"), AGAINST_RANDOM), ManualClock()

    async with sitting_at(table, calm=False, clock=clock) as driver:
        await reveal(driver, clock, "9")
        await driver.pilot.press("5", "enter")
        assert driver.is_asked(Seat.ONE)
        assert (driver.choices.text, driver.choices.reason) == ("5", TOO_SOON)
        await driver.press("enter")
        clock.advance(COMPUTER_SECONDS)
        await driver.settle()
        assert str(table.match.history).split()[1].startswith("5/")


@pytest.mark.parametrize("thinks_on", [False, True])
@pytest.mark.parametrize(("keys", "text"), [("5", "5"), ("2 enter", "2"), ("2 enter enter", "2")])
@awaited
async def test_keys_typed_while_the_computer_moves_select_and_play_nothing(
    keys: str, text: str, thinks_on: bool
) -> None:
    table, clock = new_table(load("number-knot"), AGAINST_RANDOM), ManualClock()

    async with sitting_at(table, calm=False, clock=clock) as driver:
        await driver.press("S", "9", "enter")
        finish = table.after_pause
        assert finish
        if thinks_on:
            table.cancel_pause()
        await driver.pilot.press(*keys.split())
        if thinks_on:
            finish()
        assert driver.is_asked(Seat.ONE)
        assert (driver.choices.text, driver.choices.reason) == (text, "")
        assert len(table.match.history) == 2


@every_delay
@awaited
async def test_an_enter_during_a_reveal_only_ends_it(delay: float) -> None:
    table, clock = new_table(load("number-bid"), AGAINST_RANDOM), ManualClock()

    async with sitting_at(table, calm=False, clock=clock) as driver:
        await reveal(driver, clock, "9")
        await press_after(driver, clock, delay, "enter", "enter")
        assert table.choosing is (delay >= UNSEEN_SECONDS)
        await driver.press("space")
        assert table.choosing
        assert (len(table.match.history), driver.choices.selected) == (1, None)


@every_delay
@awaited
async def test_a_letter_typed_during_the_last_reveal_takes_nothing_of_the_menu(
    delay: float,
) -> None:
    table, clock = new_table(load("number-bid", numbers=2), AGAINST_RANDOM, seed=1), ManualClock()

    async with sitting_at(table, calm=False, clock=clock) as driver:
        while not table.match.outcome:
            await driver.press("right", "enter")
            clock.advance(COMPUTER_SECONDS)
            await driver.settle()
        await press_after(driver, clock, delay, "m")
        assert driver.is_at_table()
        assert table.choosing


# ---- leaving ---------------------------------------------------------------------


@awaited
async def test_escape_takes_back_what_was_typed_then_a_step_then_asks() -> None:
    table = new_table(load("number-drop"))

    async with sitting_at(table) as driver:
        await driver.press("8", "space", "-")
        assert (steps(driver), driver.choices.text) == (["8"], "8 -")
        await driver.press("escape")
        assert (steps(driver), driver.choices.text) == (["8"], "8 ")
        await driver.press("escape")
        assert steps(driver) == []
        await driver.press("escape")
        assert isinstance(driver.screen, Confirm)
        assert "Leave this game? Nothing has been played yet." in text_of(driver)
        await driver.press("escape")
        assert driver.is_at_table()


@pytest.mark.parametrize("key", ["escape", "q", "ctrl+c"])
@awaited
async def test_no_key_leaves_an_unfinished_game_without_asking(key: str) -> None:
    async with sitting_at(new_table(load("number-knot"))) as driver:
        await driver.press("s", "5", "enter", key)
        assert "Leave this game? You can continue it later." in text_of(driver)
        await driver.press("n")
        assert driver.is_at_table()
        await driver.press(key, "y")
        assert isinstance(driver.screen, HomeScreen)


@pytest.mark.parametrize("key", ["escape", "q"])
@awaited
async def test_a_finished_game_is_left_at_once(key: str) -> None:
    async with sitting_at(new_table(load("number-knot", numbers=1, life=6))) as driver:
        await driver.press("a", "enter", key)
        assert isinstance(driver.screen, HomeScreen)


@awaited
async def test_the_board_shows_what_is_chosen_so_far_and_what_it_would_change() -> None:
    deal = "294753618 672159834"
    async with sitting_at(new_table(load("number-drop"), AGAINST_RANDOM, deal=deal)) as driver:
        board = driver.table.query_one(BoardView)
        assert board.picks == {}
        await driver.press("8", "3")
        assert picked(board) == {(0, 8), (0, 3)}
        await driver.press("minus")
        assert picked(board) == {(0, 8), (0, 3), (1, 5)}
        await driver.press("escape", "escape", "escape")
        assert board.picks == {}


@awaited
async def test_the_board_does_not_show_a_secret_choice() -> None:
    async with sitting_at(new_table(load("number-bid"))) as driver:
        await driver.press("enter", "7")
        assert driver.table.query_one(BoardView).picks == {}


def picked(board: BoardView) -> set[tuple[int | None, int]]:
    """The highlighted numbers of grids, each with the owner of its grid."""
    return {
        (part.owner, number)
        for part, places in board.picks.items()
        if isinstance(part, Grid)
        for place, number in enumerate(chain.from_iterable(part.rows))
        if place in places and number is not None
    }
