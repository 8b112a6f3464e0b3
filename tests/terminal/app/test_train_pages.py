"""The trainer's own page, and the ways into the book from other pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Event
from unittest.mock import patch

import pytest
from textual.widgets import OptionList, Static

from number_duels.core.game import Seat
from number_duels.core.record import Record
from number_duels.core.scene import ASKED, OVER, SAID
from number_duels.sessions.train import Plan, PuzzleTask
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.board_view import Ending, Notice
from number_duels.terminal.app.book_page import BookScreen
from number_duels.terminal.app.drill import DrillScreen, sit_down
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.new_game import NewGameScreen
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.app.train_page import TrainScreen, TrainSetupScreen, unread_entries
from number_duels.terminal.commands.book import local_day
from number_duels.trainer.book import AddCard, Book, BookFile, RemoveCard
from number_duels.trainer.own_mistakes import mistakes
from number_duels.trainer.puzzles import daily
from tests.clock import ManualClock
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, press, seen, settle
from tests.terminal.app.samples import save_samples
from tests.terminal.training import KNOT, drills

DAY_SECONDS = 86_400
#: From the first screen to the review of the oldest game, and there to its first mistake.
TO_OLDEST_MISTAKE = ["s", "end", "v", "@", "m"]


def book() -> Book:
    return BookFile().read()


def title_and_note(app: DuelsApp) -> str:
    return " ".join(str(app.screen.query_one(one).render()) for one in ("#title", "#note"))


def entry(app: DuelsApp, key: str) -> str:
    return str(app.screen.query_one(OptionList).get_option(key).prompt)


@awaited
async def test_mistakes_of_own_games_become_cards_once() -> None:
    save_samples()
    async with opened(["t", "@"]) as (app, pilot):
        (card,) = book().cards
        assert (card.source, card.played, card.spot.moves) == ("game", "2026-03-01", "A2 S8")
        assert "1 new mistake in your mistake book, from your own games" in title_and_note(app)
        assert entry(app, "o").split() == ["o", "Practice", "mistakes", "1", "mistake"]
        await press(pilot, "q", "@")
        assert "1 mistake" in entry(app, "o")
        await press(pilot, "t", "@")
        assert len(book().events) == 1
        assert "new mistake" not in title_and_note(app)


def test_the_menu_describes_its_entries_before_the_book_is_read() -> None:
    notes = {one.key: one.note for one in unread_entries(ManualClock())}
    assert list(notes) == ["n", "o", "y", "d", "p", "b"]
    assert all(notes.values())
    assert not any(character.isdigit() for note in notes.values() for character in note)


@awaited
async def test_cards_are_asked_only_when_new_games_were_looked_through() -> None:
    save_samples()
    async with opened(["t", "o", "@"]) as (app, _):
        assert isinstance(app.screen, DrillScreen)
        assert len(book().cards) == 1


@awaited
async def test_what_is_due_today_is_asked_and_then_is_not() -> None:
    (task,) = drills(KNOT, 3, 1)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    BookFile().append(AddCard.of(task.spot, yesterday, source="game", cost=1.0))
    async with opened(["t", "@", "o", "@"]) as (app, pilot):
        assert isinstance(app.screen, DrillScreen)
        await press(pilot, *task.exercise.best[0], "enter", "@")
        assert "In your mistake book. It comes back in" in str(app.screen.query_one(Notice).content)
        await press(pilot, "enter", "@", "enter", "@")
        assert isinstance(app.screen, TrainScreen)
        assert "nothing to practice" in entry(app, "o")
        assert "1 answer, 100% right" in title_and_note(app)
        await press(pilot, "o")
        assert any("Nothing to practice" in one for one in app.notices)


@awaited
async def test_a_book_that_cannot_be_read_is_said_in_a_sentence() -> None:
    BookFile().path.mkdir(parents=True)
    async with opened(["t", "@", "o", "y", "d", "enter", "@"]) as (app, _):
        assert len([one for one in app.notices if "training.jsonl cannot be read" in one]) == 4
        assert not [one for one in app.notices if "should not have happened" in one]


@awaited
async def test_a_mixed_strategy_is_offered_only_in_games_that_have_one() -> None:
    async with opened(["t", "@", "d"]) as (app, pilot):
        assert app.screen.query_one("#row-form").display  # the first game
        await press(pilot, "right", "right", "right")
        assert not app.screen.query_one("#row-form").display


@awaited
async def test_drills_are_set_up_and_begun() -> None:
    async with opened(["t", "@", "d"]) as (app, pilot):
        assert isinstance(app.screen, TrainSetupScreen)
        keys = ["right", "right", "right", "down", "right", "enter", "@"]
        await press(pilot, *keys)
        assert isinstance(app.screen, DrillScreen)
        task = app.screen.session.asked_task()
        assert task.spot.game.name == "number-knot"
        assert task.exercise.phase == "opening"
        assert app.config.game == "number-knot"


@awaited
async def test_the_puzzle_of_the_day_is_tried_until_it_is_solved() -> None:
    clock = ManualClock()
    while daily(local_day(clock)).game != KNOT.name:
        clock.advance(DAY_SECONDS)
    today = local_day(clock)
    async with opened(["t", "@", "y", "@"], clock=clock) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        task = screen.session.task
        assert isinstance(task, PuzzleTask)
        puzzle = task.puzzle
        wrong = next(str(m) for m in task.spot.options if not puzzle.is_right(str(m)))
        screen.chosen(wrong)
        await settle(pilot)
        assert str(screen.query_one("#drill-said", Static).content).endswith("\nTry again.")
        await press(pilot, "enter", "@")
        screen.chosen(puzzle.answers[0])
        await settle(pilot)
        await press(pilot, "enter", "@")
        assert screen.scene.stage == OVER
        said = " ".join(str(screen.query_one("#drill-said", Static).content).split())
        assert f"{today} · " in said
        assert "⬛🟩" in said
        await press(pilot, "enter", "@")
        assert "solved, streak 1; come back tomorrow for 2" in entry(app, "y")
        await press(pilot, "y", "@")
        assert str(today) in str(app.screen.query_one("#drill-said", Static).content)


@awaited
async def test_a_lesson_goes_on_where_it_was_left() -> None:
    keys = ["t", "@", "n", "right", "enter", "@"]
    async with opened(keys) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        assert screen.scene.stage == SAID
        while screen.scene.question is None:
            await press(pilot, "enter", "@")
        task = screen.session.asked_task()
        screen.chosen(task.exercise.best[0])
        await settle(pilot)
        (answer,) = book().answers
        assert (answer.kind, answer.note) == ("lesson", task.note)
        await press(pilot, "q", *keys[2:3], "enter", "@")
        assert f"step {int(answer.note) + 1} of" in title_and_note(app)


@awaited
async def test_a_lesson_just_left_is_offered_while_the_book_is_read() -> None:
    async with opened(["t", "@", "n", "right", "enter", "@"]) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        while screen.scene.question is None:
            await press(pilot, "enter", "@")
        screen.chosen(screen.session.asked_task().exercise.best[0])
        await settle(pilot)
        (answer,) = book().answers
        read = Event()
        with patch.object(TrainScreen, "read_book", lambda *_, **__: (read.wait(), (Book(), 0))[1]):
            await press(pilot, "q", "n")
            assert isinstance(app.screen, TrainSetupScreen)
            assert app.screen.chosen("game") == answer.spot.game
            read.set()
            await settle(pilot)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["enter", "n"])
@awaited
async def test_after_a_lesson_one_key_leads_to_the_game(key: str) -> None:
    async with opened(["t", "@", "n", "enter", "@"]) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        while screen.scene.stage != OVER:
            if screen.scene.question:
                screen.chosen(screen.session.asked_task().exercise.best[0])
                await settle(pilot)
            else:
                await press(pilot, "enter", "@")
        said = str(screen.query_one(Notice).content)
        assert screen.query_one(Ending).headline == "Perfect! You have learned Number Knot"
        assert "Now play it against the computer at level 3 of 5." in said
        await press(pilot, key, "@")
        if key == "n":
            assert isinstance(app.screen, NewGameScreen)
            return
        assert isinstance(app.screen, TableScreen)
        assert app.screen.match.players[1].who == "level:3"


@pytest.mark.parametrize("key", ["f", "b"])
@awaited
async def test_after_missed_drills_one_key_leads_to_more_or_to_the_mistake_book(key: str) -> None:
    async with opened() as (app, pilot):
        assert isinstance(app.screen, HomeScreen)
        sit_down(app.screen, Plan("drill", KNOT.name, KNOT.settings, count=1, seed=3))
        await press(pilot, "@")
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        exercise = screen.session.asked_task().exercise
        screen.chosen(exercise.options[-1].move)
        await press(pilot, "@", "enter", "@")
        assert screen.scene.stage == OVER
        said = str(screen.query_one(Notice).content)
        assert "f      again, with other positions\nb      mistake book" in said
        await press(pilot, "question_mark")
        shown = seen(app)
        assert "Again" in shown
        assert "Mistake book" in shown
        await press(pilot, "escape", key, "@")
        if key == "b":
            assert isinstance(app.screen, BookScreen)
            return
        assert isinstance(app.screen, DrillScreen)
        assert app.screen is not screen
        assert app.screen.scene.stage == ASKED


@awaited
async def test_a_puzzle_of_a_game_that_is_new_leads_to_its_lesson_and_waits() -> None:
    async with opened(["y", "@"]) as (app, pilot):
        puzzle = app.screen
        assert isinstance(puzzle, DrillScreen)
        await press(pilot, "l", "@")
        learning = app.screen
        assert isinstance(learning, DrillScreen)
        game = daily(local_day(app.clock)).game
        assert learning.session.plan == Plan("lesson", game)
        assert learning.covers_exercise
        await press(pilot, "q", "@")
        back = app.screen
        assert isinstance(back, DrillScreen)
        assert back is puzzle
        assert back.scene.question


@awaited
async def test_one_key_puts_an_analysed_position_into_the_book() -> None:
    clock = ManualClock()
    async with opened(["a", "@", "f3", "f3"], clock=clock) as (app, _):
        first, again = app.notices[-2:]
        assert (
            first
            == "This position is now in your book, with Player 1 to move; it comes back today."
        )
        assert again == "This position is already in your book; it comes back today."
    (card,) = book().cards
    assert (card.source, card.spot.moves) == ("analysis", "")
    assert [event.time for event in book().events] == [clock.now()]


@awaited
async def test_one_key_puts_ones_own_reviewed_decision_into_the_book() -> None:
    save_samples()
    async with opened(["s", "v", "@", "f3", "m", "f3"]) as (app, pilot):
        mark = "You can add only your own moves to your book; highlight one of them."
        assert app.notices[-2:] == [mark, mark]  # the whole game, and the computer's mistake
        assert book().cards == ()
        await press(pilot, "right", "f3")
    (card,) = book().cards
    assert (card.spot.game, card.spot.moves, card.spot.seat) == ("number-knot", "S5 A3", 0)
    assert (card.source, card.cost, card.played) == ("game", 0.0, "2026-03-07")


def oldest_mistake() -> AddCard:
    """The one mistake of a person in the oldest saved game."""
    record = Record.from_json(save_samples()[0].read_text())
    (card,) = mistakes(record, Seat.ONE)
    return card


@awaited
async def test_a_removed_mistake_comes_back_to_who_asks_for_it() -> None:
    own = oldest_mistake()
    BookFile().append(own, RemoveCard.of(own.card, datetime.now(UTC)))
    async with opened([*TO_OLDEST_MISTAKE, "f3"]):
        (card,) = book().cards
    assert (card.id, card.cost) == (own.card, own.cost)
