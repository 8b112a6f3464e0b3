"""Saved games, settings and statistics: what is on disk, seen and changed from the pages."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from number_duels.core.record import Person
from number_duels.terminal.app.form import ChoiceRow, EditedRow
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.saved_games_page import SavedGamesScreen
from number_duels.terminal.app.table import ReplayScreen, TableScreen
from number_duels.terminal.config import config_path, read_config
from number_duels.terminal.saves import SaveFile, saved_games
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import ListeningApp, opened, press, seen, settle, text_of
from tests.terminal.app.samples import GAMES, sample_record, save_samples


def footer(app: ListeningApp) -> set[str]:
    """What the keys that are shown do."""
    active = app.screen.active_bindings.values()
    return {one.binding.description for one in active if one.binding.show}


def listed(app: ListeningApp) -> list[str]:
    return [str(option.prompt) for option in app.screen.query_one(OptionList).options]


@awaited
async def test_a_search_narrows_the_list_as_it_is_typed() -> None:
    save_samples()
    async with opened(["s"]) as (app, pilot):
        assert len(listed(app)) == len(GAMES)
        await press(pilot, "slash", *"knot 03-0")
        assert len(listed(app)) == 3
        await press(pilot, *"1?qrd")  # letters that are keys of the list
        assert listed(app) == []
        assert text_of(app, "#nothing").startswith("No game matches that.")
        await press(pilot, "escape")
        assert len(listed(app)) == len(GAMES)
        await press(pilot, "escape")
        assert isinstance(app.screen, HomeScreen)


@awaited
async def test_a_line_shows_the_time_and_fits_the_screen() -> None:
    save_samples()
    async with opened(["s"], size=(80, 24)) as (app, _):
        room = app.screen.query_one(OptionList).scrollable_content_region.width
        for shown, saved in zip(listed(app), saved_games(), strict=True):
            assert saved.when in shown
            assert len(shown) <= room


@awaited
async def test_an_opponent_is_cut_only_where_there_is_no_room() -> None:
    *_, newest = save_samples()
    people = (Person("Annabelle"), Person("Christopher"))
    newest.write_text(sample_record("number-knot", None, "S5", people).to_json())
    async with opened(["s"], size=(120, 40)) as (app, pilot):
        assert "Annabelle and Christopher" in seen(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "Annabelle… " in seen(app)


@awaited
async def test_an_unfinished_game_goes_on_and_a_finished_one_is_watched() -> None:
    save_samples()
    async with opened(["s", "enter", "@"]) as (app, pilot):
        assert isinstance(app.screen, ReplayScreen)
        await press(pilot, "q")
        await pilot.click("#saves", offset=(12, 1))
        await settle(pilot)
        assert isinstance(app.screen, TableScreen)
        assert app.screen.match.game.name == "number-stack-showdown"


@awaited
async def test_a_game_is_deleted_after_one_question() -> None:
    newest = save_samples()[-1]
    async with opened(["s", "d", "n"]) as (app, pilot):
        assert newest.exists()
        await press(pilot, "d", "enter")  # what is marked first is to keep it
        assert newest.exists()
        await press(pilot, "d", "y")
        assert not newest.exists()
        assert len(listed(app)) == len(GAMES) - 1
        await press(pilot, "end", "d", "y")
        assert app.screen.query_one(OptionList).highlighted == len(GAMES) - 3
        await press(pilot, "d")
        await pilot.click("#yes")
        await settle(pilot)
        assert len(listed(app)) == len(GAMES) - 3
    assert sum(1 for _ in saved_games()) == len(GAMES) - 3


@awaited
async def test_a_game_that_is_being_played_is_not_deleted() -> None:
    newest = save_samples()[-1]
    elsewhere = SaveFile(newest)
    elsewhere.lock()
    async with opened(["s", "d", "y"]) as (app, _):
        assert ["is being played" in notice for notice in app.notices] == [True]
        assert isinstance(app.screen, SavedGamesScreen)
    elsewhere.release()
    assert newest.exists()


# ---- settings ------------------------------------------------------------------


async def focus(pilot: Pilot[int], row: str) -> None:
    pilot.app.screen.query_one(f"#row-{row}").focus()
    await settle(pilot)


@awaited
async def test_settings_are_written_at_once_and_a_theme_is_seen_at_once() -> None:
    async with opened(["e"]) as (app, pilot):
        assert app.screen.focused is app.screen.query("Form .row").first()
        await focus(pilot, "theme")
        await press(pilot, "right")
        assert app.theme == read_config().theme == "light"
        for row in ("board", "hints", "calm"):
            await focus(pilot, row)
            await press(pilot, "right")
        assert "Turn off animations" in text_of(app, "#help")
        shown = app.screen.query_one("#row-calm", ChoiceRow).render().plain
        assert shown.split()[1:] == ["Animation", "on", "off"]
        config = read_config()
        assert (config.board, config.hints, config.calm) == ("never", False, True)
        await press(pilot, "left")
        assert (app.calm, app.animation_level, read_config().calm) == (False, "full", False)
        await focus(pilot, "name-1")
        await press(pilot, "enter", *"ab")
        assert read_config().names == "Player 1,Player 2"
        await press(pilot, "enter")
        assert read_config().names == "ab,Player 2"
        await pilot.click("#row-theme", offset=(32, 0))
        await settle(pilot)
        assert app.theme == read_config().theme == "high-contrast"


@awaited
async def test_a_name_changes_only_between_enter_and_enter() -> None:
    async with opened(["e"]) as (app, pilot):
        await focus(pilot, "name-1")
        assert "Edit" in footer(app)
        await press(pilot, "m", "enter", *"qm")
        assert {"Keep", "Restore"} <= footer(app)
        row = app.screen.query_one("#row-name-1", EditedRow)
        assert row.value == "qm"
        await press(pilot, "escape")
        assert (row.value, app.screen.focused) == ("", row)
        await press(pilot, "enter", *"Ann", "down")
        assert read_config().names == "Ann,Player 2"
        await press(pilot, "enter", *"Ann", "enter")
        assert read_config().names == "Ann,Player 2"
        assert app.notices[-1].startswith("The two names")
        await press(pilot, "q")
        assert isinstance(app.screen, HomeScreen)
    assert read_config().names == "Ann,Player 2"


@awaited
async def test_names_that_cannot_be_are_not_kept() -> None:
    async with opened(["e"]) as (app, pilot):
        for name, said in (("Player 2", "The two names"), ("x" * 21, "A name must have")):
            app.screen.query_one("#row-name-1 Input", Input).value = name
            await settle(pilot)
            assert text_of(app, "#help").startswith(said)
    assert read_config().names == "Player 1,Player 2"


@awaited
async def test_settings_are_preferences_with_the_place_of_their_file() -> None:
    async with opened(["e"]) as (app, _):
        rows = {row.id for row in app.screen.query("Form .row")}
        assert {"row-plain", "row-theme", "row-name-1"} < rows
        assert rows.isdisjoint({"row-game", "row-opponent", "row-seat"})
        assert text_of(app, "#note") == f"Saved at once in {config_path()}"
        usual = "/home/username/.config/number-duels/config.toml"  # longer than most
        assert app.screen.query_one("#note").region.x + len(f"Saved at once in {usual}") <= 80


@awaited
async def test_who_turns_the_full_screen_off_is_told_the_way_back() -> None:
    async with opened(["e"]) as (app, pilot):
        await focus(pilot, "plain")
        await press(pilot, "right")
        assert read_config().plain
        assert "Use its settings to return to full-screen mode." in text_of(app, "#help")


# ---- statistics ----------------------------------------------------------------


@awaited
async def test_statistics_count_finished_games_against_the_computer() -> None:
    save_samples()
    async with opened(["i", "@"]) as (app, _):
        assert text_of(app, "#note") == "3 games: 2 won, 0 drawn, 1 lost"
        table = text_of(app, "#games")
        assert "By game" in table
        assert "Number Knot" in table
        said = " ".join(table.split())
        assert "including resigned games and games with hints. Games in which you took" in said
        said = text_of(app, "#losses")
        assert "Left out: " in said
        assert "between two people (1)" in said
        assert "unfinished (3)" in said
        assert "Opening" in said
