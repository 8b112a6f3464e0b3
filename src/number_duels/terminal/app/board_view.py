"""Widgets of the table: the board, the log and the notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeAlias

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from number_duels.core.board import Cards, Grid, Meter, Numbers, Part
from number_duels.core.game import Seat
from number_duels.core.names import named_parts
from number_duels.core.scene import Told
from number_duels.core.text import kind_of
from number_duels.terminal.line.console import breadth

#: A line of text: pieces, each with its style.
Line: TypeAlias = tuple[tuple[str, str], ...]
Marks: TypeAlias = Mapping[Part, frozenset[int]]

SEAT_STYLES = ("$seat-one", "$seat-two")
MARK = "reverse"
#: Shown in place of a number that has just been used.
GONE = "\N{MULTIPLICATION SIGN}"
GAP, NARROW_GAP = 4, 2
#: Below this width, the gap between the players is narrow.
NARROW_COLUMNS = 40
#: From this width on, numbers and parts have more space between them.
ROOMY_COLUMNS = 28
MIN_BAR, MAX_BAR = 6, 24


class LinesView(Widget):
    """A widget that draws itself as lines of its width."""

    def lines(self, width: int) -> list[Line]:
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> Content:
        lines = self.lines(self.content_size.width)
        return Content("\n").join(Content.assemble(*line) for line in lines)


class BoardView(LinesView):
    """The players side by side, with the shared parts below."""

    def __init__(self, names: tuple[str, str], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names
        self.parts: tuple[Part, ...] = ()
        self.marks: Marks = {}
        self.acting: Seat | None = None

    def show(
        self, parts: tuple[Part, ...], marks: Marks | None = None, acting: Seat | None = None
    ) -> None:
        """Draw a position. An arrow marks the acting player."""
        self.parts, self.marks, self.acting = parts, marks or {}, acting
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Line]:
        gap = NARROW_GAP if width < NARROW_COLUMNS else GAP
        half = (width - gap) // 2
        one, two = (self.player(seat, half) for seat in Seat)
        shared = [part for part in self.parts if part.owner is None]
        below = [line for part in shared for line in ((), *drawn(part, self.marks, width))]
        if max(map(length, (*one, *two)), default=0) > half:
            return [*one, (), *two, *below]
        return [*beside(one, two, half + gap), *below]

    def player(self, seat: Seat, width: int) -> list[Line]:
        own = [part for part in self.parts if part.owner == seat]
        arrow = "▶ " if self.acting is seat else ""
        name = ((f"{arrow}{self.names[seat]}", f"bold {SEAT_STYLES[seat]}"),)
        between: list[Line] = [()] if width >= ROOMY_COLUMNS else []
        return [
            name,
            *(line for part in own for line in (*between, *drawn(part, self.marks, width))),
        ]


def length(line: Line) -> int:
    return sum(breadth(text) for text, _ in line)


def beside(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Put two blocks side by side. The second starts at `column`."""
    return [
        (*a, (" " * (column - length(a)), ""), *b)
        for a, b in zip_longest(left, right, fillvalue=())
    ]


def packed(pieces: Iterable[tuple[str, str]], width: int) -> list[Line]:
    """Put pieces into rows, with wider gaps if all fit into one row."""
    every = list(pieces)
    apart = in_rows(every, width, "  ")
    return apart if len(apart) == 1 and width >= ROOMY_COLUMNS else in_rows(every, width, " ")


def in_rows(pieces: Sequence[tuple[str, str]], width: int, gap: str) -> list[Line]:
    rows: list[Line] = [()]
    for piece in pieces:
        longer = (*rows[-1], (gap, ""), piece) if rows[-1] else (piece,)
        if rows[-1] and length(longer) > width:
            rows.append((piece,))
        else:
            rows[-1] = longer
    return rows


def drawn(part: Part, marks: Marks, width: int) -> list[Line]:
    style = "bold" if part.owner is None else f"bold {SEAT_STYLES[part.owner]}"
    marked = marks.get(part, frozenset())
    match part:
        case Meter():
            return drawn_meter(part, style, changed=part in marks, width=width)
        case Numbers():
            return [((part.label, "$faint"),), *packed(chips(part, style, marked), width)]
        case Cards():
            faces = (
                (f"[{card}]", f"{style} {MARK if place in marked else ''}")
                for place, card in enumerate(part.cards)
            )
            return [((part.label, "$faint"),), *packed(faces, width)]
        case Grid():
            return drawn_grid(part, style, marked)


def chips(part: Numbers, style: str, marked: frozenset[int]) -> Iterable[tuple[str, str]]:
    """Yield the numbers left. A used one is a dot, or a cross if it has just been used."""
    wide = len(str(max(part.numbers)))
    for place, n in enumerate(part.numbers):
        if n in part.left:
            yield f"{n:>{wide}}", f"{style} {MARK if place in marked else ''}"
        elif place in marked:
            yield f"{GONE:>{wide}}", f"$faint {MARK}"
        else:
            yield f"{'·':>{wide}}", "$faint"


def drawn_meter(part: Meter, style: str, *, changed: bool, width: int) -> list[Line]:
    """Draw a value, with a bar if it has a maximum."""
    wide = len(str(part.full or ""))
    figure = (f" {part.value:>{wide}} ", f"bold {MARK if changed else ''}")
    label = (part.label, "$faint")
    if part.full is None:
        return [(label, (" ", ""), figure)]
    room = width - breadth(part.label) - length((figure,)) - 2
    cells = max(MIN_BAR, min(MAX_BAR, room if room >= MIN_BAR else width - length((figure,)) - 1))
    most = max(part.full, part.value, 1)
    filled = cells * max(0, part.value) // most
    bar = (("█" * filled, style), ("░" * (cells - filled), "$faint"), (" ", ""), figure)
    return [(label, (" ", ""), *bar)] if room >= MIN_BAR else [(label,), bar]


def drawn_grid(part: Grid, style: str, marked: frozenset[int]) -> list[Line]:
    """Draw a grid. A number that has just been removed leaves a cross."""
    columns = len(part.rows[0])
    wide = len(str(len(part.rows) * columns))
    line = "─" * (wide + 2)
    side = ("│", "$faint")
    lines: list[Line] = [((f"┌{'┬'.join([line] * columns)}┐", "$faint"),)]
    for row, numbers in enumerate(part.rows):
        cells: list[tuple[str, str]] = [side]
        for column, n in enumerate(numbers):
            is_marked = row * columns + column in marked
            text = str(n) if n is not None else GONE if is_marked else ""
            cells += [(f" {text:>{wide}} ", f"{style} {MARK if is_marked else ''}"), side]
        if row:
            lines.append(((f"├{'┼'.join([line] * columns)}┤", "$faint"),))
        lines.append(tuple(cells))
    return [*lines, ((f"└{'┴'.join([line] * columns)}┘", "$faint"),)]


# ---- the log ------------------------------------------------------------------


class LogView(VerticalScroll, can_focus=False):
    """The log of a game, scrolled to its end."""

    def __init__(self, names: tuple[str, str], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names

    def compose(self) -> ComposeResult:
        yield Static(id="log-lines")

    def show(self, log: Iterable[Told]) -> None:
        """Replace the log. An empty line separates turns."""
        lines = [line for told in log for line in ("", *told.lines)]
        said = [styled(line, self.names) for line in lines[1:]]
        self.query_one("#log-lines", Static).update(Content("\n").join(said))
        self.call_after_refresh(self.scroll_end, animate=False)

    def on_resize(self) -> None:
        self.scroll_end(animate=False)


def styled(line: str, names: tuple[str, str]) -> Content:
    """Put the players' names into a line, each in its colour."""
    said = Content.assemble(
        *(
            part if seat is None else (part, SEAT_STYLES[seat])
            for part, seat in named_parts(line, names)
        )
    )
    return said.stylize("bold") if kind_of(line) == "heading" else said


# ---- notice -------------------------------------------------------------------


BETWEEN_CARDS = " " * 4


class Notice(Static):
    """A sentence or two, or the cards of both players, in place of the choices."""

    def say(self, *lines: str) -> None:
        first, *rest = lines
        said = [Content.styled(first, "bold"), *(Content.styled(line, "$faint") for line in rest)]
        self.update(Content("\n").join(said))

    def show_choices(self, names: tuple[str, str], faces: tuple[str, str]) -> None:
        """Draw both choices side by side, like cards."""
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
    return f"╭{'─' * wide}╮", f"│{face:^{wide}}│", f"╰{'─' * wide}╯"
