"""List, search and remove the cards of the mistake book."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from number_duels.core.board import Part
from number_duels.games import find
from number_duels.review.position import words_of_moves
from number_duels.review.words import cost
from number_duels.sessions.narration import turn_word
from number_duels.sessions.train import card_facts
from number_duels.trainer.book import AnswerGiven, Book, Card, RemoveCard
from number_duels.trainer.exercise import MOVE
from number_duels.trainer.spot import OpenSpot

NOTHING_FOUND = "No mistake matches that. Search for a game, moves, a source or a day."


@dataclass(frozen=True)
class ListedCard:
    card: Card
    #: The game's title, or its name if the game is not installed.
    title: str
    answered: str
    facts: tuple[str, ...]
    cost: str
    comes_back: str
    is_daily: bool = False

    @property
    def position(self) -> str:
        """Return the turn and the last wrong answer, or "" if the game is not installed."""
        try:
            return position_words(self.card.spot.open(), self.answered, is_daily=self.is_daily)
        except ValueError:  # a merged book may have games that are not installed
            return ""

    @property
    def board(self) -> tuple[Part, ...]:
        try:
            return self.card.spot.open().board
        except ValueError:
            return ()

    def mentions(self, word: str) -> bool:
        card = self.card
        spot, line = card.spot, (self.title, self.answered, *self.facts, self.comes_back)
        words = (card.id, spot.game, spot.moves, *line)
        return any(word.casefold() in text.casefold() for text in words)


def listed_cards(
    book: Book, now: datetime, game: str = "", search: str = ""
) -> tuple[ListedCard, ...]:
    """Return the cards that contain every word of `search`, longest overdue first."""
    wrong = {one.card: one for one in book.answers if not one.right and one.form == MOVE}
    daily = {(one.card, one.time) for one in book.answers if one.kind == "daily"}
    cards = (
        listed(card, now, wrong.get(card.id), is_daily=(card.id, card.added) in daily)
        for card in book.cards
        if game in ("", card.spot.game)
    )
    return tuple(card for card in cards if all(map(card.mentions, search.split())))


def listed(
    card: Card, now: datetime, wrong: AnswerGiven | None = None, *, is_daily: bool = False
) -> ListedCard:
    title = card.spot.game
    with suppress(ValueError):  # a merged book may have games that are not installed
        title = find(card.spot.game).title
    answered = wrong.answer if wrong else ""
    lost = f"cost {cost(card.cost)}" if card.cost else ""
    facts, due = card_facts(card), card.comes_back(now)
    return ListedCard(card, title, answered, facts, lost, due, is_daily)


def position_words(spot: OpenSpot, answered: str, *, is_daily: bool = False) -> str:
    """Return the turn in words, and the learner's last wrong answer if there is one.

    A daily puzzle is named instead of its turn, because it comes from no game of the learner.

    >>> from number_duels.core.game import Seat
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {}, None, "S9 A8 S7 A4", Seat.ONE)
    >>> position_words(spot.open(), "S2"), position_words(spot.open(), "")
    ('turn 5: subtract 2', 'turn 5')
    """
    turn = f"{turn_word(spot.game)} {spot.history.turn_number}"
    place = "daily puzzle" if is_daily else turn
    words = {str(m): said for m, said in words_of_moves(spot.game, spot.view, spot.seat).items()}
    wrong = f": {words[answered]}" if answered in words else ""
    return f"{place}{wrong}"


def removals(cards: Iterable[Card], now: datetime) -> tuple[RemoveCard, ...]:
    """Return events that remove these cards. The learner's answers stay in the book."""
    return tuple(RemoveCard.of(card.id, now) for card in cards)
