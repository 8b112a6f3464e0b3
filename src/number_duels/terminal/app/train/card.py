"""One key that puts the position that is looked at into the mistake book."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from number_duels.terminal.app.page import Page
from number_duels.trainer.book import AddCard
from number_duels.trainer.spot import OpenSpot


class CardPage(Page):
    """A page on which positions are looked at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "add_card", "To my book"),
    ]

    def spot_here(self) -> OpenSpot | None:
        """The position, for the seat that decides; None where nobody does."""
        raise NotImplementedError

    def card_here(self) -> AddCard | None:
        """The card that the key adds; None where nobody decides."""
        spot = self.spot_here()
        if spot is None:
            return None
        return AddCard.of(spot, self.duels.clock.now(), source="analysis", cost=0.0)

    def action_add_card(self) -> None:
        from number_duels.terminal.train.records import add_position
        from number_duels.trainer.book import BookFile

        card = self.card_here()
        if card is None:
            self.notify("Nobody decides here: mark a move, or go to a position.")
            return
        try:
            said = add_position(BookFile(), card, self.duels.clock)
        except ValueError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.notify(said, markup=False)
