"""The page of the mistake book: its cards, seen, found, practised and removed."""

from __future__ import annotations

from datetime import timedelta

from textual.widgets import OptionList

from number_duels.core.game import Seat
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.book_page import BookScreen
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.train_page import TrainScreen
from number_duels.trainer.book import AddCard, AnswerGiven, BookFile
from number_duels.trainer.puzzles import puzzles
from number_duels.trainer.spot import Spot
from tests.clock import ManualClock
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import ListeningApp, opened, press, text_of
from tests.terminal.training import KNOT

TO_BOOK = ["t", "@", "b", "@"]


def fill_book(clock: ManualClock) -> list[str]:
    """A card of Number Knot and two of Number Bid that are due, and one that comes back later."""
    spots = [puzzles(KNOT.name)[0].spot, *(one.spot for one in puzzles("number-bid")[:3])]
    opened_spots = [spot.open() for spot in spots]
    times = [clock.now() - timedelta(hours=len(spots) - n) for n in range(len(spots))]
    BookFile().append(
        *(
            AddCard.of(spot, time, source="puzzle", cost=0.5)
            for spot, time in zip(opened_spots, times, strict=True)
        )
    )
    how = AnswerGiven.of(
        opened_spots[-1], clock.now(), kind="book", form="move", answer="1", cost=0, right=True
    )
    BookFile().append(how)
    return [spot.id for spot in opened_spots]


def listed(app: ListeningApp) -> list[str]:
    return [str(option.prompt) for option in app.screen.query_one(OptionList).options]


def ids() -> list[str]:
    return [card.id for card in BookFile().read().cards]


@awaited
async def test_an_empty_book_says_what_fills_it() -> None:
    async with opened(TO_BOOK) as (app, pilot):
        assert text_of(app, "#nothing").startswith("Your book is empty. It collects the mistakes")
        await press(pilot, "q")
        assert isinstance(app.screen, TrainScreen)


@awaited
async def test_cards_are_listed_as_they_come_back_and_found_as_a_word_is_typed() -> None:
    clock = ManualClock()
    fill_book(clock)
    async with opened(TO_BOOK, size=(120, 40), clock=clock) as (app, pilot):
        assert isinstance(app.screen, BookScreen)
        assert [line.split()[0] for line in listed(app)] == ["today", "today", "today", "in"]
        assert "Number Knot" in listed(app)[0]
        assert text_of(app, "#card-facts").endswith(", from a puzzle, new, cost 25%")
        assert app.screen.query_one(BoardView).parts
        assert text_of(app, "#note").startswith("4 mistakes  ·  ")
        await press(pilot, "slash", *"bid in 2 days")
        assert len(listed(app)) == 1
        await press(pilot, *" chess")
        assert text_of(app, "#nothing").startswith("No mistake matches that.")
        await press(pilot, "escape")
        assert len(listed(app)) == 4
        await press(pilot, "escape")
        assert isinstance(app.screen, TrainScreen)


@awaited
async def test_a_card_or_all_cards_of_its_game_are_removed_after_a_question() -> None:
    clock = ManualClock()
    knot, *bids = fill_book(clock)
    async with opened(TO_BOOK, clock=clock) as (app, pilot):
        await press(pilot, "d", "n", "@")
        assert ids() == [knot, *bids]
        await press(pilot, "down", "d", "y", "@")
        assert ids() == [knot, *bids[1:]]
        assert len(listed(app)) == 3
        await press(pilot, "D", "y", "@")
        assert ids() == [knot]
        await press(pilot, "d", "y", "@")
        assert text_of(app, "#nothing").startswith("Your book is empty.")


@awaited
async def test_the_learner_comes_first_on_the_board_as_in_the_exercise() -> None:
    clock = ManualClock()
    spot = Spot(KNOT.name, {}, None, "S5", Seat.TWO).open()
    BookFile().append(AddCard.of(spot, clock.now(), source="drill", cost=0.5))
    async with opened(TO_BOOK, clock=clock) as (app, pilot):
        board = app.screen.query_one(BoardView)
        shown = board.names, board.parts
        await press(pilot, "enter", "@")
        board = app.screen.query_one(BoardView)
        assert shown == (("You", "Opponent"), board.parts)
        assert board.names == shown[0]
        assert "f3" not in app.screen.active_bindings


@awaited
async def test_a_card_is_practised_at_once_and_the_list_follows() -> None:
    clock = ManualClock()
    knot, *_ = fill_book(clock)
    async with opened([*TO_BOOK, "enter", "@"], clock=clock) as (app, pilot):
        assert isinstance(app.screen, DrillScreen)
        task = app.screen.session.asked_task()
        assert task.spot.id == knot
        clock.advance(1)
        app.screen.chosen(task.exercise.best[0])
        await press(pilot, "@", "enter", "@", "enter", "@")
        assert isinstance(app.screen, BookScreen)
        assert [line.split()[0] for line in listed(app)] == ["today", "today", "in", "in"]
        (card,) = [card for card in BookFile().read().cards if card.id == knot]
        assert (card.tries, card.misses) == (1, 0)
