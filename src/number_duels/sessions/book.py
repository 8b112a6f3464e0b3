"""The mistake book as a list: its cards in words, found by a search, and removed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from number_duels.core.board import Part
from number_duels.games import find
from number_duels.review.words import cost
from number_duels.sessions.train import card_facts
from number_duels.trainer.book import Book, Card, RemoveCard

NOTHING_FOUND = "No card mentions that. Search for a game, moves, a source or a day."


@dataclass(frozen=True)
class ListedCard:
    """A card of the book in words."""

    card: Card
    #: The title of its game, or the name if the game is not installed here.
    title: str
    #: The seat that decides, and the moves before.
    position: str
    #: Its origin, and how often it was missed.
    facts: tuple[str, ...]
    #: The cost of the mistake as text, or empty if the user added the card.
    cost: str
    #: When it comes back, such as `tomorrow`.
    comes_back: str

    @property
    def board(self) -> tuple[Part, ...]:
        """Return the board as the seat sees it, or nothing if the game is not installed here."""
        try:
            return self.card.spot.open().board
        except ValueError:
            return ()

    def mentions(self, word: str) -> bool:
        """Return whether a word of a search is in the line of the card, in its id or its game."""
        card = self.card
        words = (card.id, card.spot.game, self.title, self.position, *self.facts, self.comes_back)
        return any(word.casefold() in text.casefold() for text in words)


def listed_cards(
    book: Book, now: datetime, game: str = "", search: str = ""
) -> tuple[ListedCard, ...]:
    """Return the cards of a game, or of all, that mention every word of a search.

    They are in the order in which they come back.
    """
    cards = (listed(card, now) for card in book.cards if game in ("", card.spot.game))
    return tuple(card for card in cards if all(map(card.mentions, search.split())))


def listed(card: Card, now: datetime) -> ListedCard:
    spot, title = card.spot, card.spot.game
    with suppress(ValueError):  # a merged book may have games that are not here
        title = find(spot.game).title
    position = f"{spot.seat} {f'after {spot.moves}' if spot.moves else 'at the start'}"
    lost = f"cost {cost(card.cost)}" if card.cost else ""
    return ListedCard(card, title, position, card_facts(card), lost, card.comes_back(now))


def removals(cards: Iterable[Card], now: datetime) -> tuple[RemoveCard, ...]:
    """Return the events that remove cards. Their answers stay in the book."""
    return tuple(RemoveCard.of(card.id, now) for card in cards)
