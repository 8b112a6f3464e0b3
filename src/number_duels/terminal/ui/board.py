"""A board drawn for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from number_duels.core.board import Cards, Grid, Meter, Numbers, Part
from number_duels.core.game import Seat
from number_duels.terminal.ui.console import Console
from number_duels.terminal.ui.progress import filled_bar
from number_duels.terminal.ui.text_width import breadth, pack

BAR = 16
#: Stacks are drawn in rows of about this width, so that two lie side by side.
CARDS = 32
SEAT_COLOURS = ("one", "two")


def drawn(title: str, parts: tuple[Part, ...], console: Console) -> Iterator[str]:
    """The board in a frame: the two players side by side where they fit, then what they share."""
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
    """What is one player's, under the player's name; or what both share."""
    own = [part for part in parts if part.owner == owner]
    lines = [line for part in own for line in draw_part(part, console, width)]
    return [console.dress(str(owner)), *lines] if lines and owner is not None else lines


def beside(left: list[str], right: list[str], width: int) -> list[str]:
    """Two blocks side by side, or one above the other where the screen is narrow."""
    left_width = max(map(breadth, left), default=0)
    if left_width + 4 + max(map(breadth, right), default=0) > width:
        return [*left, "", *right]
    return [
        f"{a}{' ' * (left_width - breadth(a))}    {b}".rstrip() if right else a
        for a, b in zip_longest(left, right, fillvalue="")
    ]


def draw_part(part: Part, console: Console, width: int) -> list[str]:
    """One part of the board."""
    colour = "bold" if part.owner is None else SEAT_COLOURS[part.owner]
    match part:
        case Meter(full=None):
            return [f"{part.label} {console.paint(str(part.value), 'bold')}"]
        case Meter():
            return [f"{bar(part, colour, console)} {console.paint(str(part.value), 'bold')}"]
        case Numbers():
            wide = len(str(max(part.numbers)))
            chips = (
                console.paint(f"{n:>{wide}}", colour)
                if n in part.left
                else console.paint(f"{'·':>{wide}}", "faint")
                for n in part.numbers
            )
            return [part.label, *pack(chips, width)]
        case Cards():
            faces = (console.paint(f"[{card}]", colour) for card in part.cards or "-")
            return [part.label, *pack(faces, min(width, CARDS))]
        case Grid():
            return draw_grid(part, colour, console)


def bar(part: Meter, colour: str, console: Console) -> str:
    """A meter as a bar: full is where a life begins, or where a stack must end."""
    share = part.value / max(part.full or 1, part.value)
    drawn = filled_bar(share, BAR, "█", "")
    return f"{part.label} {console.paint(drawn, colour)}{'░' * (BAR - len(drawn))}"


def draw_grid(part: Grid, colour: str, console: Console) -> list[str]:
    """A grid with lines between its cells."""
    wide = max(len(str(len(part.rows) ** 2)), 1)
    line = "─" * (wide + 2)
    columns = len(part.rows[0])
    rows = [
        "│" + "│".join(f" {console.paint(str(n or '').rjust(wide), colour)} " for n in row) + "│"
        for row in part.rows
    ]
    body = f"\n├{'┼'.join([line] * columns)}┤\n".join(rows).split("\n")
    return [f"┌{'┬'.join([line] * columns)}┐", *body, f"└{'┴'.join([line] * columns)}┘"]
