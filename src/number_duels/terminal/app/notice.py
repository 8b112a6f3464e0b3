"""What is said where choices stand, while there is nothing to choose."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from number_duels.core.game import Seat
from number_duels.terminal.app.board_view import SEAT_STYLES
from number_duels.terminal.ui.text_width import breadth

BETWEEN_CARDS = " " * 4


class Notice(Static):
    """A sentence or two, or the cards of both players."""

    def say(self, *lines: str) -> None:
        first, *rest = lines
        said = [Content.styled(first, "bold"), *(Content.styled(line, "$faint") for line in rest)]
        self.update(Content("\n").join(said))

    def show_choices(self, names: tuple[str, str], faces: tuple[str, str]) -> None:
        """What both chose, side by side, like two cards on the table."""
        wide = max(breadth(face) for face in faces) + 4
        columns = [max(breadth(name), wide + 2) for name in names]
        rows = [
            [f"{name:^{column}}" for name, column in zip(names, columns, strict=True)],
            *(
                [f"{card:^{column}}" for card, column in zip(cards, columns, strict=True)]
                for cards in zip(*(card_lines(face, wide) for face in faces), strict=True)
            ),
        ]
        lines = [
            Content(BETWEEN_CARDS).join(
                Content.styled(cell, f"bold {SEAT_STYLES[seat]}")
                for seat, cell in zip(Seat, row, strict=True)
            )
            for row in rows
        ]
        self.update(Content("\n").join(lines))


def card_lines(face: str, wide: int) -> tuple[str, str, str]:
    """A card as three lines."""
    return f"╭{'─' * wide}╮", f"│{face:^{wide}}│", f"╰{'─' * wide}╯"
