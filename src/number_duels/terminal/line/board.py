"""Draw a board as text, and decide when to draw it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from number_duels.core.board import Cards, Fact, Grid, Meter, Numbers, Part, draw_bar
from number_duels.core.game import Seat
from number_duels.core.text import kind_of
from number_duels.terminal.line.console import Console, breadth, pack

BAR = 16
#: Two stacks of this width fit side by side.
CARDS = 32
SEAT_COLORS = ("one", "two")


def drawn(title: str, parts: tuple[Part, ...], console: Console) -> Iterator[str]:
    inner = max(20, min(console.width, 100) - 4)
    one, two, shared = (block(owner, parts, console, inner) for owner in (*Seat, None))
    body = beside(one, two, inner)
    body += ([""] if body and shared else []) + shared
    width = min(inner, max(map(breadth, [*body, f"  {title}  "]), default=inner))
    yield f"╭─ {console.paint(title, 'bold')} {'─' * (width - breadth(title) - 1)}╮"
    for line in body:
        yield f"│ {line}{' ' * (width - breadth(line))} │"
    yield f"╰{'─' * (width + 2)}╯"


def block(owner: Seat | None, parts: tuple[Part, ...], console: Console, width: int) -> list[str]:
    own = [part for part in parts if part.owner == owner]
    lines = [line for part in own for line in draw_part(part, console, width)]
    return [console.dress(str(owner)), *lines] if lines and owner is not None else lines


def beside(left: list[str], right: list[str], width: int) -> list[str]:
    left_width = max(map(breadth, left), default=0)
    if left_width + 4 + max(map(breadth, right), default=0) > width:
        return [*left, "", *right]
    return [
        f"{a}{' ' * (left_width - breadth(a))}    {b}".rstrip() if right else a
        for a, b in zip_longest(left, right, fillvalue="")
    ]


def draw_part(part: Part, console: Console, width: int) -> list[str]:
    color = "bold" if part.owner is None else SEAT_COLORS[part.owner]
    match part:
        case Meter(full=None):
            return [f"{part.label} {console.paint(str(part.value), 'bold')}"]
        case Meter():
            drawn = bar(part, color, console)
            return [f"{drawn} {console.paint(str(part.value), 'bold')}"]
        case Fact():
            return [f"{part.label} {console.paint(part.text, 'bold')}"]
        case Numbers():
            wide = len(str(max(part.numbers)))
            chips = (
                console.paint(f"{n:>{wide}}", color)
                if n in part.left
                else console.paint(f"{'·':>{wide}}", "faint")
                for n in part.numbers
            )
            return [part.label, *pack(chips, width)]
        case Cards():
            faces = (console.paint(f"[{card}]", color) for card in part.cards or "-")
            return [part.label, *pack(faces, min(width, CARDS))]
        case Grid():
            return draw_grid(part, color, console)


def bar(part: Meter, color: str, console: Console) -> str:
    full, empty = draw_bar(part, BAR)
    return f"{part.label} {console.paint(full, color)}{empty}"


def draw_grid(part: Grid, color: str, console: Console) -> list[str]:
    wide = max(len(str(len(part.rows) ** 2)), 1)
    line = "─" * (wide + 2)
    columns = len(part.rows[0])
    rows = [
        "│" + "│".join(f" {console.paint(str(n or '').rjust(wide), color)} " for n in row) + "│"
        for row in part.rows
    ]
    body = f"\n├{'┼'.join([line] * columns)}┤\n".join(rows).split("\n")
    return [f"┌{'┬'.join([line] * columns)}┐", *body, f"└{'┴'.join([line] * columns)}┘"]


BoardPolicy: TypeAlias = Literal["always", "changes", "never"]


class BoardDisplay:
    """Prints the text of a game, and draws its board as often as `policy` says."""

    def __init__(self, console: Console, title: str, policy: BoardPolicy = "changes") -> None:
        self.console = console
        self.title = title
        self.policy = policy
        self.told: list[str] = []
        self.seen: tuple[Part, ...] = ()

    def say(self, lines: Iterable[str], *, changed: bool = False) -> None:
        """Print lines. `changed` says whether the board has changed since the previous lines."""
        said = list(lines)
        self.told = [
            *([] if changed else self.told),
            *(line for line in said if kind_of(line) == "board"),
        ]
        self.console.say(said)

    def forget(self) -> None:
        self.told, self.seen = [], ()

    def show(self, parts: tuple[Part, ...], announced: Sequence[str] = ()) -> None:
        """Draw the board before a turn, if the policy says so.

        With the policy "changes", draw it only if a part has changed and no printed line mentions
        it. `announced` has the lines that are printed next.
        """
        told = [*self.told, *(line for line in announced if kind_of(line) == "board")]
        fresh = [part for part in parts if part not in self.seen and not isinstance(part, Fact)]
        news = [part for part in fresh if not tells(told, part)]
        wanted = {"always": True, "changes": bool(news), "never": False}[self.policy]
        if wanted and not self.console.plain:
            self.draw(parts)
        self.seen = parts

    def draw(self, parts: tuple[Part, ...]) -> None:
        self.console.draw(drawn(self.title, parts, self.console))


def tells(lines: Sequence[str], part: Part) -> bool:
    """Return whether a line contains the part's label, or lists exactly its numbers.

    >>> pool = Numbers("Available Numbers", None, (1, 2, 3), (1, 3))
    >>> tells(["Remaining Numbers: 1, 3"], pool), tells(["Score: 3"], pool)
    (True, False)
    """
    if any(part.label in line for line in lines):
        return True
    left = list(map(str, part.left)) if isinstance(part, Numbers) else None
    return any(re.findall(r"\d+", line) == left for line in lines)
