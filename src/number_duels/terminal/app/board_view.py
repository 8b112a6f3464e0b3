"""Widgets for playing a game: the board, the text beside it, the log and the notice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product, zip_longest
from typing import NamedTuple, TypeAlias

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from number_duels.core.board import Cards, Fact, Grid, Meter, Numbers, Part, draw_bar
from number_duels.core.game import AnyGame, Seat
from number_duels.core.names import named_parts
from number_duels.core.scene import Told
from number_duels.core.text import kind_of
from number_duels.terminal.app.full_board import FullBoard, full_board
from number_duels.terminal.line.console import breadth, fold

Line: TypeAlias = tuple[tuple[str, str], ...]
Marks: TypeAlias = Mapping[Part, frozenset[int]]

SEAT_STYLES = ("$seat-one", "$seat-two")
MARK = "reverse"
PICKED = "bold $background on $accent"
PICKED_CARD = "bold $accent"


def seat_style(seat: Seat, left: Seat = Seat.ONE) -> str:
    """Return the color of a seat. The player on the left always has the first color."""
    return SEAT_STYLES[seat is not left]


ELLIPSIS = "…"


class LinesView(Widget):
    """A widget that draws lines of text, and says how many rows do not fit."""

    rows_around = 0

    def lines(self, width: int) -> list[Line]:
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self.rows_around = container.height
        return len(self.lines(width))

    def render(self) -> Content:
        width, rows = self.content_size
        lines = cut_below(self.lines(width), rows)
        return Content("\n").join(Content.assemble(*cut(line, width)) for line in lines)


def cut_below(lines: list[Line], rows: int) -> list[Line]:
    if len(lines) <= rows:
        return lines
    shown = max(0, rows - 1)
    more = len(lines) - shown
    said = f"{ELLIPSIS} {more} more row{'s' if more > 1 else ''}: enlarge the window"
    return [*lines[:shown], ((said, "$warning"),)]


def cut(line: Line, width: int) -> Line:
    if length(line) <= width:
        return line
    needed = breadth("".join(text for text, _ in line).rstrip())
    room, shown = width if needed <= width else max(0, width - 1), list[tuple[str, str]]()
    for text, style in line:
        fits = next(n for n in range(len(text), -1, -1) if breadth(text[:n]) <= room)
        shown.append((text[:fits], style))
        room -= breadth(text[:fits])
        if fits < len(text):
            break
    return (*shown, (ELLIPSIS, "$warning")) if needed > width else tuple(shown)


def length(line: Line) -> int:
    return sum(breadth(text) for text, _ in line)


def widest(lines: Iterable[Line]) -> int:
    return max(map(length, lines), default=0)


class Digit(NamedTuple):
    columns: int
    rows: int


PLAIN, SMALL, MEDIUM = Digit(1, 1), Digit(3, 3), Digit(6, 5)
#: The fewest rows for cards with medium digits, and for empty places.
LARGE_ROOM = 28


class Scale(NamedTuple):
    #: The rows of a card with its border. A card with one row has no border.
    rows: int
    beside: int
    digit: Digit
    wraps: int
    bar: int
    spaced: bool

    @property
    def least_room(self) -> int:
        return LARGE_ROOM if self.digit.rows >= MEDIUM.rows else 0


#: The board uses the first scale that fits.
SCALES = (
    Scale(7, 2, MEDIUM, wraps=2, bar=34, spaced=True),
    Scale(7, 2, MEDIUM, wraps=4, bar=34, spaced=True),
    Scale(5, 2, SMALL, wraps=1, bar=32, spaced=True),
    Scale(5, 2, SMALL, wraps=2, bar=32, spaced=True),
    Scale(5, 2, SMALL, wraps=2, bar=32, spaced=False),
    Scale(3, 2, PLAIN, wraps=1, bar=24, spaced=True),
    Scale(3, 2, PLAIN, wraps=1, bar=24, spaced=False),
    Scale(3, 0, PLAIN, wraps=1, bar=20, spaced=True),
    Scale(3, 0, PLAIN, wraps=1, bar=20, spaced=False),
    Scale(3, 2, PLAIN, wraps=2, bar=20, spaced=False),
    Scale(3, 0, PLAIN, wraps=2, bar=20, spaced=False),
    Scale(1, 0, PLAIN, wraps=99, bar=10, spaced=False),
)
#: The scale of a card that comes and goes, by the rows of the other cards.
LARGER = {
    7: Scale(7, 6, MEDIUM, wraps=1, bar=34, spaced=True),
    5: Scale(7, 2, MEDIUM, wraps=1, bar=34, spaced=True),
    3: Scale(5, 2, SMALL, wraps=1, bar=32, spaced=True),
    1: Scale(3, 2, PLAIN, wraps=1, bar=24, spaced=False),
}
#: How the two players' parts are arranged.
BESIDE, APART, STACKED = "beside", "apart", "stacked"
SIZES = tuple(product(SCALES, (BESIDE, APART, STACKED)))
#: Without `room`, the board has this share of the screen's rows, or this number at first. It may
#: grow until it leaves the last number of rows to the text below it.
USUAL_SHARE, USUAL_ROWS, TEXT_ROWS = 1 / 3, 12, 17
BETWEEN_PLAYERS, BETWEEN_FACTS = "    ", "   "
MIN_BAR = 8


class Extent(NamedTuple):
    place: int
    columns: int
    rows: int


class BoardView(LinesView):
    """A board whose size never changes during a game."""

    def __init__(
        self,
        names: tuple[str, str],
        id: str | None = None,  # noqa: A002
        left: Seat = Seat.ONE,
    ) -> None:
        super().__init__(id=id)
        #: The names on the left and on the right.
        self.names = names if left is Seat.ONE else names[::-1]
        self.left = left
        self.parts: tuple[Part, ...] = ()
        self.marks: Marks = {}
        #: The numbers, or whole parts, that the answer chosen so far names.
        self.picks: dict[Part, set[int | None]] = {}
        self.acting: Seat | None = None
        #: How many rows the board may take, or None for the usual share of the screen.
        self.room: int | None = None
        self.usual_rows = USUAL_ROWS
        #: The board that decides the size. If it is empty, the board shown decides.
        self.full = FullBoard()
        #: Extents and drawn lines, by width and rows. Layouts ask for them often.
        self._extents: dict[tuple[int, int], Extent] = {}
        self._drawn: dict[tuple[int, int], list[Line]] = {}

    def show(
        self, parts: tuple[Part, ...], marks: Marks | None = None, acting: Seat | None = None
    ) -> None:
        marks = marks or {}
        if self.left is Seat.TWO:
            parts = tuple(map(on_other_side, parts))
            marks = {on_other_side(part): places for part, places in marks.items()}
            acting = None if acting is None else acting.other
        self.parts, self.marks, self.acting, self.picks = parts, marks, acting, {}
        if not self.full.parts:
            self._extents.clear()
        self._drawn.clear()
        self.refresh(layout=True)

    def pick(self, places: Iterable[tuple[int, int | None]]) -> None:
        """Highlight places: indexes of a part and of a number in it, or None for a whole part."""
        picks: dict[Part, set[int | None]] = {}
        for part, place in places:
            picks.setdefault(self.parts[part], set()).add(place)
        if picks != self.picks:
            self.picks = picks
            self._drawn.clear()
            self.refresh()

    def prepare(self, game: AnyGame | None) -> None:
        full = full_board(game) if game else FullBoard()
        if full != self.full:
            self.full = full
            self._extents.clear()
            self._drawn.clear()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        share = round(USUAL_SHARE * viewport.height)
        self.usual_rows = max(share, container.height - TEXT_ROWS)
        return super().get_content_height(container, viewport, width)

    def at(self, width: int) -> tuple[int, int]:
        return width, self.usual_rows if self.room is None else self.room

    def extent(self, width: int) -> Extent:
        at = self.at(width)
        if at not in self._extents:
            place, lines = self.fit(self.full.parts or self.parts, *at)
            self._extents[at] = Extent(place, widest(lines), len(lines))
        return self._extents[at]

    def lines(self, width: int) -> list[Line]:
        at = self.at(width)
        if at not in self._drawn:
            self._drawn[at] = self.fit(self.parts, *at, self.extent(width).place)[1]
        return self._drawn[at]

    def fit(
        self, parts: Sequence[Part], width: int, room: int, first: int = 0
    ) -> tuple[int, list[Line]]:
        """Return the index in `SIZES` of the first size that fits, and the board in that size."""
        for place, (size, how) in enumerate(SIZES[first:], first):
            lines = self.drawn(parts, size, width, how)
            if max(len(lines), size.least_room) <= room and widest(lines) <= width:
                return place, lines
        smallest = [self.drawn(parts, SCALES[-1], width, how) for how in (BESIDE, STACKED)]
        return len(SIZES) - 3, min(smallest, key=lambda one: (widest(one) > width, len(one)))

    def drawn(self, parts: Sequence[Part], size: Scale, width: int, how: str) -> list[Line]:
        stacked = how != BESIDE
        here = self.blocks(parts, size, width, stacked=stacked)
        fullest = self.full.parts or parts
        is_full = fullest is parts
        full = here if is_full else self.blocks(fullest, size, width, stacked=stacked)
        above, one, two, below = (
            [*block, *[()] * (len(most) - len(block))]
            for block, most in zip(here, full, strict=True)
        )
        space: list[Line] = [()] if size.spaced else []
        if stacked and self.full.passing:  # the deck is between the players
            players, below = joined([one, below, two], space), []
        elif stacked:
            players = joined([one, two], [()] if how == APART else space)
        else:
            column = max(widest([*full[1], *full[2]]), widest([*one, *two])) + len(BETWEEN_PLAYERS)
            players = beside(one, two, max(column, (widest(full[3]) + 1) // 2))
        return joined([above, players, below], space if size.rows > 1 else [])

    def blocks(
        self, parts: Sequence[Part], size: Scale, width: int, *, stacked: bool
    ) -> tuple[list[Line], list[Line], list[Line], list[Line]]:
        passing = [part for part in parts if part.label in self.full.passing]
        staying = [part for part in parts if part.label not in self.full.passing]
        shared = [part for part in staying if part.owner is None]
        facts = [part for part in shared if isinstance(part, Fact)]
        others = [part for part in shared if not isinstance(part, Fact)]
        half = width if stacked else (width - len(BETWEEN_PLAYERS)) // 2
        one, two = (self.player(staying, seat, size, half) for seat in Seat)
        below = self.block(others, size, width)
        for label in self.full.passing:  # a drawn card is larger than all others
            cards = [part for part in passing if part.label == label] or [Cards(label, None, ())]
            card = self.part(cards[-1], LARGER[size.rows], width)
            column = max(widest(card), inner_width(LARGER[size.rows], self.card_breadth) + 2)
            wide = beside(card, below, column + len(BETWEEN_PLAYERS))
            below = wide if widest(wide) <= width else [*below, *card]
        return packed([fact_line(fact) for fact in facts], width), one, two, below

    def player(self, parts: Sequence[Part], seat: Seat, size: Scale, width: int) -> list[Line]:
        own = [part for part in parts if part.owner == seat]
        head, most = self.head(own, seat, width), self.head(self.full.parts, seat, width)
        head += [()] * (len(most) - len(head))
        rest = self.block([part for part in own if not is_brief(part)], size, width)
        return [*head, *rest]

    def head(self, parts: Sequence[Part], seat: Seat, width: int) -> list[Line]:
        brief = [self.brief(part) for part in parts if part.owner == seat and is_brief(part)]
        named = f"{'▶ ' * (self.acting is seat)}{self.names[seat]}"
        # Both players' facts are aligned, and stay in place when the arrow appears.
        room = max(map(breadth, self.names)) + len("▶  ") if brief else 0
        between = " " * max(0, room - breadth(named))
        first = ((named, f"bold {SEAT_STYLES[seat]}"), (between, ""), *(brief[0] if brief else ()))
        return packed([first, *brief[1:]], width)

    def block(self, parts: Sequence[Part], size: Scale, width: int) -> list[Line]:
        space: list[Line] = [()] if size.spaced else []
        return joined([self.part(part, size, width) for part in parts], space)

    def brief(self, part: Part) -> Line:
        if isinstance(part, Fact):
            return fact_line(part)
        assert isinstance(part, Meter)
        return (part.label, "$faint"), (" ", ""), self.figure(part)

    def figure(self, part: Meter) -> tuple[str, str]:
        wide = len(str(part.full or ""))
        if part in self.picks:
            return f" {part.value:>{wide}} ", PICKED
        return f" {part.value:>{wide}} ", f"bold {MARK if part in self.marks else ''}"

    def part(self, part: Part, size: Scale, width: int) -> list[Line]:
        style = "bold" if part.owner is None else f"bold {SEAT_STYLES[part.owner]}"
        marked, picked = self.marks.get(part, frozenset()), self.picks.get(part, set())
        label = ((part.label, "$faint"),)
        match part:
            case Fact() | Meter(full=None):
                return [self.brief(part)]
            case Meter():
                return self.bar(part, size, style, width)
            case Numbers():
                wide = max((len(str(n)) for n in part.numbers), default=0)
                cards = dealt(numbers_left(part, style, marked, picked), size, width, wide)
                return labelled(label, cards, width)
            case Cards():
                comes = part.label in self.full.passing
                faces = [
                    Face(card, style, NEW if comes or place in marked else SOLID)
                    for place, card in enumerate(part.cards)
                ]
                faces += self.empty_places(part)[len(faces) :]
                cards = dealt(faces or [Face("", "$faint", GONE)], size, width, self.card_breadth)
                # Both players' labels are above their cards, unless there is room for all cards.
                needed = breadth(part.label) + self.most_cards(part) * (self.card_breadth + 1)
                return labelled(label, cards, width if needed < width else 0)
            case Grid():
                return drawn_grid(part, style, marked, size, width, picked=picked)

    def empty_places(self, part: Cards) -> list[Face]:
        if self.room is None or self.room < LARGE_ROOM:
            return []
        # Only the next card's place, because many empty places would look like a lost game.
        return [Face("", "$faint", EMPTY)] * min(len(part.cards) + 1, self.most_cards(part))

    def most_cards(self, part: Cards) -> int:
        cards = (one for one in self.full.parts if isinstance(one, Cards))
        return max((len(one.cards) for one in cards if one.label == part.label), default=0)

    @property
    def card_breadth(self) -> int:
        shown = (*self.parts, *self.full.parts)
        every = (part.cards for part in shown if isinstance(part, Cards))
        return max((breadth(card) for cards in every for card in cards), default=0)

    def bar(self, part: Meter, size: Scale, style: str, width: int) -> list[Line]:
        figure = self.figure(part)
        label = (part.label, "$faint")
        room = width - breadth(part.label) - length((figure,)) - 2
        is_alone = room < MIN_BAR
        room += breadth(part.label) + 1 if is_alone else 0
        cells = max(MIN_BAR, min(size.bar, room))
        full, empty = draw_bar(part, cells)
        bar = ((full, style), (empty, "$faint"), (" ", ""), figure)
        return [(label,), bar] if is_alone else [(label, (" ", ""), *bar)]


def on_other_side(part: Part) -> Part:
    return part if part.owner is None else replace(part, owner=Seat(part.owner).other)


def is_brief(part: Part) -> bool:
    return isinstance(part, Fact) or (isinstance(part, Meter) and part.full is None)


def fact_line(fact: Fact) -> Line:
    return (fact.label, "$faint"), (f" {fact.text}", "bold")


def labelled(label: Line, rows: list[Line], width: int) -> list[Line]:
    beside = (*label, (" ", ""), *rows[0])
    return [beside] if len(rows) == 1 and length(beside) <= width else [label, *rows]


def joined(blocks: Iterable[list[Line]], space: list[Line]) -> list[Line]:
    lines: list[Line] = []
    for block in filter(None, blocks):
        lines += [*(space if lines else []), *block]
    return lines


def beside(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    return [
        (*a, (" " * (column - length(a)), ""), *b)
        for a, b in zip_longest(left, right, fillvalue=())
    ]


def packed(pieces: Sequence[Line], width: int) -> list[Line]:
    rows: list[Line] = []
    for piece in pieces:
        longer = (*rows[-1], (BETWEEN_FACTS, ""), *piece) if rows else piece
        if rows and length(longer) > width:
            rows.append(piece)
        else:
            rows[-1:] = [longer]
    return rows


SOLID, NEW, GONE, EMPTY = map(tuple, ("╭╮╰╯─│", "┏┓┗┛━┃", "      ", "╭╮╰╯┄┊"))
CROSS, DOT = "\N{MULTIPLICATION SIGN}", "·"
POINTS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": ("## ", " # ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", " ##", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "-": ("   ", "   ", "###", "   ", "   "),
    ":": ("   ", " # ", "   ", " # ", "   "),
    " ": ("",) * 5,
}
HALVES = {"##": "█", "# ": "▀", " #": "▄", "  ": " "}


def digits(text: str, digit: Digit) -> list[str]:
    """Draw a number with large digits. Other texts stay unchanged.

    >>> digits("47", SMALL)
    ['█ █ ▀▀█', '▀▀█   █', '  ▀   ▀']
    >>> digits("1", MEDIUM)
    ['████  ', '  ██  ', '  ██  ', '  ██  ', '██████']
    """
    if digit == PLAIN or not text or not all(sign in POINTS for sign in text):
        return [text]
    points = [" ".join(row) for row in zip(*(POINTS[sign] for sign in text), strict=True)]
    if digit == SMALL:
        pairs = zip(points[::2], [*points[1::2], " " * len(points[0])], strict=True)
        return ["".join(HALVES[a + b] for a, b in zip(*pair, strict=True)) for pair in pairs]
    across, down = digit.columns // 3, digit.rows // 5
    rows = ("".join(across * ("█" if point == "#" else " ") for point in row) for row in points)
    return [row for row in rows for _ in range(down)]


class Face(NamedTuple):
    text: str
    style: str
    border: tuple[str, ...] = SOLID


def numbers_left(
    part: Numbers, style: str, marked: frozenset[int], picked: Collection[int | None]
) -> list[Face]:
    return [
        Face(str(n), PICKED, NEW)
        if n in part.left and place in picked
        else Face(str(n), style, NEW if place in marked else SOLID)
        if n in part.left
        else Face(CROSS, "$accent", GONE)
        if place in marked
        else Face(DOT, "$faint", GONE)
        for place, n in enumerate(part.numbers)
    ]


def dealt(faces: Sequence[Face], size: Scale, width: int, wide: int = 0) -> list[Line]:
    wide = max(wide, *(breadth(face.text) for face in faces))
    cards = [card(face, size, wide) for face in faces]
    gap = 1 if size.rows > 1 else 2 if width >= (widest(cards[0]) + 2) * len(cards) else 1
    fit = max(1, (width + gap) // (widest(cards[0]) + gap))
    rows = min(-(-len(cards) // fit), size.wraps)
    columns = -(-len(cards) // rows)
    lines: list[Line] = []
    for start in range(0, len(cards), columns):
        row: list[Line] = [()] * len(cards[0])
        for place, drawn in enumerate(cards[start : start + columns]):
            between = ((" " * gap, ""),) if place else ()
            row = [(*line, *between, *piece) for line, piece in zip(row, drawn, strict=True)]
        lines += row
    return lines


def card(face: Face, size: Scale, wide: int) -> list[Line]:
    if size.rows == 1:
        return [((f"{face.text:>{wide}}", face.style),)]
    left_top, right_top, left_bottom, right_bottom, line, side = face.border
    inner = inner_width(size, wide)
    edge = "$accent" if face.border == NEW else "$faint"
    # On a filled card, a large digit leaves so little of the background that it is hard to read.
    style = PICKED_CARD if face.style == PICKED else face.style
    rows = [
        ((side, edge), (text, style), (side, edge))
        for text in written(face.text, size, inner, size.rows - 2)
    ]
    top = ((f"{left_top}{line * inner}{right_top}", edge),)
    return [top, *rows, ((f"{left_bottom}{line * inner}{right_bottom}", edge),)]


def inner_width(size: Scale, wide: int) -> int:
    gaps = max(0, wide - 1) * (size.digit.columns // 3)
    return wide * size.digit.columns + gaps + size.beside


def written(text: str, size: Scale, width: int, rows: int) -> Iterator[str]:
    lines = digits(text, size.digit)
    above = (rows - len(lines)) // 2
    for row in range(rows):
        yield f"{lines[row - above] if 0 <= row - above < len(lines) else '':^{width}}"


def drawn_grid(
    part: Grid,
    style: str,
    marked: frozenset[int],
    size: Scale,
    width: int,
    *,
    picked: Collection[int | None] = (),
) -> list[Line]:
    columns = len(part.rows[0])
    wide = len(str(len(part.rows) * columns))
    if size.digit.rows >= MEDIUM.rows:  # cells touch each other, so digits need more space
        roomy = size._replace(rows=size.digit.rows + 4, beside=2 * size.digit.columns // 3)
        is_narrow = columns * (inner_width(roomy, wide) + 1) >= width
        small = size._replace(digit=SMALL, beside=6)
        size = small if is_narrow and size.digit == MEDIUM else roomy
    inner = max(wide + 2, inner_width(size, wide))
    line, side = "─" * inner, ("│", "$faint")
    lines: list[Line] = []
    for row, numbers in enumerate(part.rows):
        cells = []
        for column, n in enumerate(numbers):
            place = row * columns + column
            is_marked = place in marked
            text = str(n) if n is not None else CROSS if is_marked else ""
            rows = written(text, size, inner, max(1, size.rows - 2))
            looks = PICKED if place in picked else "bold $accent" if is_marked else style
            cells.append([(text, looks) for text in rows])
        if row and size.rows > 1:
            lines.append(((f"├{'┼'.join([line] * columns)}┤", "$faint"),))
        lines += [
            (side, *(p for piece in pieces for p in (piece, side)))
            for pieces in zip(*cells, strict=True)
        ]
    if size.rows == 1:
        return lines
    top, bottom = f"┌{'┬'.join([line] * columns)}┐", f"└{'┴'.join([line] * columns)}┘"
    return [((top, "$faint"),), *lines, ((bottom, "$faint"),)]


def folded(said: Content, width: int) -> Iterator[Content]:
    if breadth(said.plain) <= width:
        yield said
        return
    end = 0
    for part in map(str.strip, fold(said.plain, width)):
        start = said.plain.index(part, end)
        end = start + len(part)
        yield said[start:end]


class FoldedText(Static):
    """A text whose lines never break inside a sum, unlike Textual's own."""

    def rows(self, width: int) -> list[Content]:
        assert isinstance(self.visual, Content)
        lines = self.visual.split("\n", allow_blank=True)
        return [row for line in lines for row in folded(line, width)]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        width = max(1, width)
        # A word that is longer than a line continues on the next one.
        return sum(max(1, -(-row.cell_length // width)) for row in self.rows(width))

    def render(self) -> Content:
        return Content("\n").join(self.rows(max(1, self.content_size.width)))


class WordsPanel(VerticalScroll, can_focus=False):
    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id, classes="words-panel")
        self.draw: Callable[[int], Iterable[Content]] = lambda _: ()

    def compose(self) -> ComposeResult:
        yield Static(id=f"{self.id}-said", markup=False)

    def show(self, draw: Callable[[int], Iterable[Content]]) -> None:
        self.draw = draw
        self.redraw()
        self.call_after_refresh(self.scroll_home, animate=False)

    def redraw(self) -> None:
        width = max(20, self.scrollable_content_region.width)
        self.query_one(Static).update(Content("\n").join(self.draw(width)))

    def on_resize(self) -> None:
        self.redraw()


class LogView(VerticalScroll, can_focus=False):
    def __init__(
        self,
        names: tuple[str, str],
        id: str | None = None,  # noqa: A002
        left: Seat = Seat.ONE,
    ) -> None:
        super().__init__(id=id)
        self.names, self.left = names, left
        self.notes: tuple[str, ...] = ()
        self.turns: tuple[Told, ...] = ()
        #: Draws what fills the log until the first turn is over.
        self.before: Callable[[int], Iterable[Content]] = lambda _: ()

    def compose(self) -> ComposeResult:
        yield Static(id="log-lines")

    def show(self, log: Iterable[Told], notes: Iterable[str] = ()) -> None:
        self.notes, self.turns = tuple(notes), tuple(told for told in log if told.turn)
        self.redraw()

    def redraw(self) -> None:
        width = max(20, self.scrollable_content_region.width)
        lines = [Content.styled(note, "$accent") for note in self.notes]
        starts = list(range(len(lines)))
        wide = max((len(str(told.turn)) for told in self.turns), default=0)
        if not self.turns:
            lines += [*([Content("")] if lines else []), *self.before(width)]
        for told in self.turns:
            starts.append(len(lines))
            said, number = styled(told.short, self.names, self.left), str(told.turn)
            for part in folded(said, width - wide - 2):
                lines.append(Content.assemble((f"{number:>{wide}}  ", "$faint"), part))
                number = ""
        # With empty lines at its end, the log begins with a whole entry when scrolled to the end.
        cut = len(lines) - self.scrollable_content_region.height if self.turns else 0
        top = next((start for start in starts if start >= cut), cut) if cut > 0 else cut
        lines += [Content("")] * max(0, top - cut)
        self.query_one("#log-lines", Static).update(Content("\n").join(lines))
        scroll = self.scroll_end if self.turns else self.scroll_home
        self.call_after_refresh(scroll, animate=False)

    def on_resize(self) -> None:
        self.redraw()


def styled(line: str, names: tuple[str, str], left: Seat = Seat.ONE) -> Content:
    said = Content.assemble(
        *(
            part if seat is None else (part, seat_style(Seat(seat), left))
            for part, seat in named_parts(line, names)
        )
    )
    return said.stylize("bold") if kind_of(line) == "heading" else said


#: With at least this many rows around it, the score has large digits.
LARGE_ENDING_ROWS = 12


class Ending(LinesView):
    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.headline = self.score = self.reason = self.style = ""
        self.display = False

    def show(self, headline: str, score: str, reason: str, style: str) -> None:
        """Show a result. `style` is the color of the band, or "" for a plain band."""
        self.headline, self.score, self.reason, self.style = headline, score, reason, style
        self.display = True
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Line]:
        paper = self.style or "$panel"
        look = f"bold {'$background' if self.style else '$foreground'} on {paper}"
        large = self.rows_around >= LARGE_ENDING_ROWS
        figures = digits(self.score, SMALL if large else PLAIN)
        headline = f"★ {self.headline} ★" if self.style else self.headline
        room = width - breadth(figures[0]) - 4
        if room <= breadth(headline):  # a long name leaves no room for the score
            figures, room = [""], width - 4
        rows = []
        for place, figure in enumerate(figures):
            said = headline if place == len(figures) // 2 else ""
            rows.append(((f"  {said}{' ' * (room - breadth(said))}{figure}  ", look),))
        edges = [((edge * width, paper),) for edge in "▄▀"]
        why: list[Line] = [((part, ""),) for part in fold(self.reason, width)]
        return [edges[0], *rows, edges[1], *why, *([()] if large else [])]


BETWEEN_CARDS = " " * 4


class Notice(FoldedText):
    def say(self, *lines: str | Content) -> None:
        looks = ("bold", *["$faint"] * (len(lines) - 1))
        said = [
            line if isinstance(line, Content) else Content.styled(line, look)
            for line, look in zip(lines, looks, strict=True)
        ]
        self.update(Content("\n").join(said))

    def show_choices(
        self,
        names: tuple[str, str],
        faces: tuple[str, str],
        result: str = "",
        left: Seat = Seat.ONE,
    ) -> None:
        said = styled(result, names, left).stylize("bold")
        if left is Seat.TWO:
            names, faces = names[::-1], faces[::-1]
        wide, lines = max(map(breadth, faces)) + 4, []
        top, bottom = f"╭{'─' * wide}╮", f"╰{'─' * wide}╯"
        middle = [f"│{face:^{wide}}│" for face in faces]
        for row in (names, (top, top), middle, (bottom, bottom)):
            cells = (
                Content.styled(f"{cell:^{max(breadth(name), wide + 2)}}", f"bold {style}")
                for cell, name, style in zip(row, names, SEAT_STYLES, strict=True)
            )
            lines.append(Content(BETWEEN_CARDS).join(cells))
        self.update(Content("\n").join([*lines, said]))
