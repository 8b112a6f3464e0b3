"""When the board is drawn between a game's words: once a turn, where they do not show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from number_duels.core.board import Numbers, Part
from number_duels.core.text import kind_of
from number_duels.terminal.ui.board import drawn
from number_duels.terminal.ui.console import Console

BoardPolicy: TypeAlias = Literal["always", "changes", "never"]


class BoardDisplay:
    """Says a game's words and draws its board, as often as is wanted."""

    def __init__(self, console: Console, title: str, policy: BoardPolicy = "changes") -> None:
        self.console = console
        self.title = title
        self.policy = policy
        #: Lines about the board that were said since it last changed.
        self.told: list[str] = []
        #: The board as it was last seen, part by part.
        self.seen: tuple[Part, ...] = ()

    def say(self, lines: Iterable[str], *, changed: bool = False) -> None:
        """Say a game's words, which may tell how the board stands after a change."""
        said = list(lines)
        self.told = [
            *([] if changed else self.told),
            *(line for line in said if kind_of(line) == "board"),
        ]
        self.console.say(said)

    def forget(self) -> None:
        """What was shown is no longer true."""
        self.told, self.seen = [], ()

    def show(self, parts: tuple[Part, ...], announced: Sequence[str] = ()) -> None:
        """Draw the board at the beginning of a turn, unless what is announced next shows it."""
        told = [*self.told, *(line for line in announced if kind_of(line) == "board")]
        news = [part for part in parts if part not in self.seen and not tells(told, part)]
        wanted = {"always": True, "changes": bool(news), "never": False}[self.policy]
        if wanted and not self.console.plain:
            self.draw(parts)
        self.seen = parts

    def draw(self, parts: tuple[Part, ...]) -> None:
        """Draw the board now."""
        self.console.draw(drawn(self.title, parts, self.console))


def tells(lines: Sequence[str], part: Part) -> bool:
    """Whether lines about the board show a part: by its name, or number for number.

    >>> pool = Numbers("Available Numbers", None, (1, 2, 3), (1, 3))
    >>> tells(["Remaining Numbers: 1, 3"], pool), tells(["Score: 3"], pool)
    (True, False)
    """
    if any(part.label in line for line in lines):
        return True
    left = list(map(str, part.left)) if isinstance(part, Numbers) else None
    return any(re.findall(r"\d+", line) == left for line in lines)
