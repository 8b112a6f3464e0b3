"""From the first screen to the table: what is chosen is what is played, and is remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Button, Input, Label, OptionList, ProgressBar

from number_duels import solvers
from number_duels.core.game import Seat, SomeGame
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.games import find, load, names
from number_duels.players.registry import described
from number_duels.solvers import solver
from number_duels.terminal.app.form import ChoiceRow, NumberRow, Row
from number_duels.terminal.app.new_game import NewGameScreen, last_opponent
from number_duels.terminal.app.page import Preparation
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.config import read_config, remember
from number_duels.terminal.saves import new_save
from tests.some_games import SOME_GAMES
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import (
    KNOT_KEY,
    STACK_KEY,
    opened,
    press,
    rows_of,
    seen,
    settle,
    text_of,
)
from tests.terminal.app.samples import ANN, COMPUTER, sample_record, save_records, save_samples


@awaited
async def test_two_keys_start_a_game() -> None:
    async with opened([KNOT_KEY, "enter", "@"]) as (app, _):
        assert isinstance(app.screen, TableScreen)
        record = app.screen.match.record
        assert record.game == "number-knot"
        assert [one.who for one in record.players] == ["human", "level:1"]
        assert record.hints


@awaited
async def test_two_clicks_start_a_game() -> None:
    async with opened() as (app, pilot):
        entries = app.screen.query_one(OptionList)
        row = [option.id for option in entries.options].index("2")
        await pilot.click("#entries", offset=(8, row))
        assert isinstance(app.screen, NewGameScreen)
        await pilot.click("#start")
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
        assert app.screen.match.game.name == "number-bid"


@awaited
async def test_all_that_is_chosen_is_played_and_remembered() -> None:
    async with opened([KNOT_KEY]) as (app, pilot):
        await press(pilot, "right", "down", *"Ann", "down", "right")
        await press(pilot, "down", "right", "down", *"12", "down", "down", "right")
        await press(pilot, "enter", "@")
        assert isinstance(app.screen, TableScreen)
        record = app.screen.match.record
        assert [(one.name, one.who) for one in record.players] == [
            ("Ann", "human"),
            ("Computer", "level:2"),
        ]
        assert dict(record.settings) == {
            "first": 2,
            "life": 12,
            "numbers": 9,
            "exhausted": "higher-life",
        }
        assert not record.hints
        await press(pilot, "q", "y", KNOT_KEY)
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.new_match().players == record.players
    config = read_config()
    assert (config.game, config.opponent, config.seat) == ("number-knot", "level:2", 1)
    assert (config.names, config.hints) == ("Ann,Player 2", False)


@awaited
async def test_the_arrows_lead_to_the_button_and_back() -> None:
    async with opened([KNOT_KEY]) as (app, pilot):
        first = app.focused
        await press(pilot, "up")
        assert isinstance(app.focused, Button)
        await press(pilot, "down")
        assert app.focused is first
        await press(pilot, "up", "up")
        assert isinstance(app.focused, NumberRow | ChoiceRow)


@awaited
async def test_two_people_both_have_names_which_are_not_mine_against_the_computer() -> None:
    async with opened([KNOT_KEY, "left", "left"]) as (app, pilot):
        await press(pilot, "down", *"Ann", "down", *"Bo")
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.new_match().players == (Person("Ann"), Person("Bo"))
        await press(pilot, "up", "enter", "@", "a", "1", "enter", "@", "q", "y", KNOT_KEY)
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.new_match().players == (Person("Ann"), Person("Bo"))
        await press(pilot, "right", "right")
        assert app.screen.new_match().players[0] == Person("Player 1")
        await press(pilot, "q", "e")
        app.screen.query_one("#row-name-1").focus()
        await press(pilot, "enter", "A", "enter", "enter", "backspace", "enter")
        await press(pilot, "escape", KNOT_KEY, "left", "left")
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.new_match().players[0] == Person("Player 1")


@awaited
async def test_what_cannot_be_played_is_said_and_not_started() -> None:
    async with opened([KNOT_KEY]) as (app, pilot):
        app.screen.query_one("#row-set-life").focus()
        for digits, step, counted in (("99", "right", "99"), ("1", "left", "1")):
            await press(pilot, *digits, step)
            assert app.screen.query_one("#row-set-life", NumberRow).value == counted
        await press(pilot, *"999", "enter")
        assert app.notices == ["Number Knot: life must be 1 to 99, not 999."]
        await press(pilot, "right")
        app.screen.query_one("#row-mine Input", Input).value = "Computer"
        await press(pilot, "enter")
        assert app.notices[1:] == ["The two names must be different."]
        assert isinstance(app.screen, NewGameScreen)


@awaited
async def test_a_game_that_is_too_large_for_the_computer_says_so() -> None:
    remember(opponent="random")  # who needs no solution
    async with opened([STACK_KEY]) as (app, pilot):
        for row, digits in (("highest", "13"), ("copies", "8")):
            app.screen.query_one(f"#row-set-{row}").focus()
            await press(pilot, *digits)
        app.screen.query_one("#row-opponent").focus()
        await press(pilot, "right", "enter", "@")
        assert isinstance(app.screen, NewGameScreen)
        assert ["cannot be solved" in notice for notice in app.notices] == [True]


@awaited
async def test_what_is_said_on_leaving_a_game_goes_with_the_next_key() -> None:
    async with opened([KNOT_KEY, "enter", "@", "5", "s", "enter", "@", "q", "y"]) as (app, pilot):
        assert app.notices[-1:] == ["The game is saved; you can continue it later."]
        assert len(app._notifications) == 1
        await press(pilot, "a", "@")
        assert "Analysis" in seen(app)
        assert not app._notifications


@awaited
async def test_a_long_note_beside_a_title_takes_two_rows_and_moves_nothing() -> None:
    async with opened([KNOT_KEY, "@"]) as (app, pilot):
        form = app.screen.query_one("Form").region
        await press(pilot, "q", STACK_KEY, "@")
        shown = " ".join(line.strip() for line in seen(app).splitlines()[:2])
        assert shown.endswith("; exactly 50 wins.")
        assert app.screen.query_one("Form").region == form


@pytest.mark.usefixtures("own_cache")
@awaited
async def test_much_is_not_put_into_the_cache_without_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solver, "LARGE_CACHE_BYTES", 1000)
    async with opened([KNOT_KEY, "@"]) as (app, _):
        assert app.notices == []
        label = app.screen.query_one("Preparation Label", Label)
        assert "First, the computer solves the game" in str(label.content)
        assert "Only once" in seen(app)
        assert " MB on disk." in seen(app)


@pytest.mark.usefixtures("own_cache")
@awaited
async def test_the_size_of_a_solution_is_told_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: SomeGame, **__: object) -> None:
        raise solvers.Unsolvable("It was not made.")

    monkeypatch.setattr(solvers, "solve", refuse)
    async with opened([STACK_KEY, "@"]) as (app, pilot):
        size = f"{solver.bytes_to_cache(load('number-stack-showdown')) / 1e6:.0f} MB"
        assert size == "286 MB"
        assert size in str(app.screen.query_one("Preparation Label", Label).content)
        assert app.notices == []  # nothing was started
        await press(pilot, "enter", "@")
        assert app.notices == ["It was not made."]


def test_each_game_has_its_own_last_opponent() -> None:
    game: str = "number-bid"
    match: AnyMatch = Match(load(game), players=(Person("Ann"), Person("Computer", "perfect")))
    remember(opponent="random")
    assert last_opponent("number-bid", read_config()) == "random"
    for seat, move in zip(Seat, "76", strict=True):
        match.submit(seat, move)
    new_save(match).release()
    assert last_opponent("number-bid", read_config()) == "perfect"
    assert last_opponent("number-knot", read_config()) == "level:1"


@pytest.mark.parametrize(("last", "following"), [("level:2", "level:3"), ("level:5", "perfect")])
def test_a_new_game_offers_the_level_after_one_that_was_beaten(last: str, following: str) -> None:
    game: str = "number-bid"
    players = Person("Ann"), Person("Computer", last)
    lost: AnyMatch = Match(load(game), players=players)
    won: AnyMatch = Match(load(game), players=players)
    for match, loser in ((lost, Seat.ONE), (won, Seat.TWO)):
        for seat in Seat:
            match.submit(seat, "1")
        match.concede(loser, "resigned.")
    new_save(lost).release()
    assert last_opponent(game, read_config()) == last
    new_save(won).release()
    assert last_opponent(game, read_config()) == following


@awaited
async def test_a_setting_that_another_one_limits_says_so_in_words() -> None:
    remember(opponent="random")
    async with opened([str(names().index("high-low-battle") + 1)]) as (app, _):
        row = app.screen.query_one("#row-set-rounds", NumberRow)
        assert row.label == "Rounds"
        assert row.note == "the number of rounds (1 to the number of cards)"


@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_every_setting_can_be_reached_on_a_small_screen_and_says_what_it_means(
    name: str,
) -> None:
    remember(opponent="random")
    async with opened([str(names().index(name) + 1)], size=(60, 20)) as (app, pilot):
        form = app.screen.query_one("Form")
        settings = find(name).describe_settings()
        assert settings
        for key, setting in settings.items():
            row = app.screen.query_one("#row-first" if key == "first" else f"#row-set-{key}")
            row.focus()
            await settle(pilot)
            assert form.region.contains_region(row.region)
            said = " ".join(text_of(app, "#help").split()).lower()
            assert key == "first" or setting.meaning.lower() in said


@awaited
async def test_a_level_says_how_it_plays_and_what_to_expect() -> None:
    remember(opponent="level:3")
    async with opened([KNOT_KEY]) as (app, _):
        said = " ".join(text_of(app, "#help").split())
        assert f"Level 3 {described('level:3', 'number-knot')}." in said
        assert "a random move on about" in said
        assert "Winning chance against it: " in said


@awaited
async def test_the_last_game_is_continued_by_one_key() -> None:
    save_samples()
    async with opened() as (app, pilot):
        entries = app.screen.query_one(OptionList)
        assert "Number Stack Showdown, turn 4, Ann and Computer" in str(entries.options[0].prompt)
        await press(pilot, "enter", "@")
        assert isinstance(app.screen, TableScreen)
        assert app.screen.match.record.moves.startswith("7k 10g 5k")


@awaited
async def test_against_the_computer_the_first_turn_is_yours_or_the_computers() -> None:
    remember(opponent="random")
    async with opened([KNOT_KEY]) as (app, pilot):
        row = app.screen.query_one("#row-first", ChoiceRow)
        assert [one.shown for one in row.choices] == ["You", "Computer", "Random"]
        app.screen.query_one("#row-opponent").focus()
        await press(pilot, "left")
        assert [one.shown for one in row.choices] == ["Player 1", "Player 2", "Random"]


@awaited
async def test_forms_say_whose_name_a_field_holds_and_what_a_setting_is() -> None:
    remember(opponent="random")
    async with opened([str(names().index("high-low-battle") + 1)]) as (app, pilot):
        shown = seen(app)
        assert "Equal scores" in shown
        assert "play on" in shown
        assert "level" not in shown.casefold().replace("level 1", "")
        assert len({row.label_width for row in app.screen.query(Row)}) == 1
        await press(pilot, "q", STACK_KEY)
        assert "Going over" in seen(app)
        assert "only if forced" in seen(app)
        await press(pilot, "q", "e")
        assert "Your name" in seen(app)
        mine = app.screen.query_one("#row-name-1 Input", Input)
        assert (mine.value, mine.placeholder) == ("", "You")
        assert "Player 2 name" in seen(app)
        rows = [row for row in rows_of(app) if "Player 2 name" in row or "Board in text" in row]
        assert len({len(row) - len(row[18:].lstrip()) for row in rows}) == 1
        app.screen.query_one("#row-name-2").focus()
        await settle(pilot)
        assert "The name of Player 2 in new games (default: Player 2)." in seen(app)


@awaited
async def test_on_a_tall_screen_a_form_is_centered_with_its_button_below_the_last_row() -> None:
    async with opened([KNOT_KEY], (200, 50)) as (app, _):
        form, help_text, start = (app.screen.query_one(one) for one in ("Form", "#help", "#start"))
        left, right = form.region.x, 200 - form.region.right
        assert abs(left - right) <= 4  # the margins differ
        assert form.region.bottom <= help_text.region.y <= form.region.bottom + 1
        assert start.region.y <= form.region.bottom + 4
        assert abs(form.region.y - (50 - start.region.bottom)) <= 3


@awaited
async def test_the_progress_is_beside_its_words_with_a_percentage() -> None:
    async with opened([STACK_KEY], (200, 50)) as (app, pilot):
        preparation = app.screen.query_one(Preparation)
        preparation.cancel()
        preparation.query_one(Label).update("Getting ready ")
        preparation.query_one(ProgressBar).display = preparation.display = True
        preparation.query_one(ProgressBar).update(progress=0.25)
        await settle(pilot)
        (row,) = (row for row in rows_of(app) if "Getting ready" in row)
        assert "25%" in row
        assert len(row[row.index("Getting") :].rstrip()) < 50


@pytest.mark.parametrize(("moves", "who"), [("S9 S8 S1", "level:3"), ("S5 S9 A1 S8", "level:1")])
@awaited
async def test_a_new_game_after_a_win_or_a_loss_changes_the_level(moves: str, who: str) -> None:
    record = sample_record("number-knot", None, moves, (ANN, COMPUTER))
    save_records([record])
    async with opened() as (app, pilot):
        await app.push_screen(NewGameScreen(record.game, record.match()))
        await settle(pilot)
        assert isinstance(app.screen, NewGameScreen)
        assert app.screen.new_match().players == (ANN, replace(COMPUTER, who=who))
