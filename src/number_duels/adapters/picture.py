"""Draw a board as a picture of fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import wrap
from typing import TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Pillow", "learn"):
    import numpy as np
    import numpy.typing as npt
    from PIL import Image, ImageDraw, ImageFont

from number_duels.core.board import Cards, Fact, Grid, Meter, Numbers, Owner, Part
from number_duels.core.game import Seat

#: The axes are height, width and three colors.
Picture: TypeAlias = npt.NDArray[np.uint8]
Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

WIDTH, HEIGHT = 640, 400
TITLE, CAPTION = 44, 52  # strips above and below the board
#: The picture is drawn at this scale and shrunk, so that lines and letters are smooth.
FINENESS = 2

PAPER, PANEL, INK, FAINT = "#f1f0ea", "#ffffff", "#1d2733", "#5b6672"
EDGE, TILE, USED, FADED, BAR = "#c4cad3", "#f7f9fc", "#ececec", "#9aa1ab", "#e3e7ec"
ACCENTS: dict[Owner, str] = {0: "#1f5fbf", 1: "#b4480f", None: "#4b5563"}

HEIGHTS: dict[type[Part], int] = {Meter: 52, Numbers: 92, Cards: 92, Grid: 200, Fact: 28}
HEADING, MARGIN, GAP, LABEL = 26, 10, 10, 22
#: If there is room, parts grow by at most this factor. Otherwise they shrink.
LARGEST = 1.4
LETTERS = (32, 28, 25, 22, 19, 17, 15, 13, 11, 9, 7)


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def corners(self) -> tuple[float, float, float, float]:
        return self.left, self.top, self.left + self.width, self.top + self.height

    def inside(self, margin: float) -> Box:
        return Box(
            *(self.left + margin, self.top + margin),
            *(max(0, self.width - 2 * margin), max(0, self.height - 2 * margin)),
        )

    def below(self, height: float) -> Box:
        return Box(self.left, self.top + height, self.width, max(0, self.height - height))


@dataclass(frozen=True)
class Tile:
    text: str
    used: bool = False


def draw_board(title: str, parts: Sequence[Part], caption: str) -> Picture:
    """Draw a board and return it as an RGB array of 640 by 400 pixels.

    >>> draw_board("Number Knot", [Meter("Life", 0, 8, 10)], "Player 1 to move.").shape
    (400, 640, 3)
    """
    image = Image.new("RGB", (WIDTH * FINENESS, HEIGHT * FINENESS), PAPER)
    painter = Painter(ImageDraw.Draw(image))
    painter.text(title, (2 * GAP, TITLE / 2), 22, INK, "lm")
    for owner, box, scale in panels(parts):
        painter.panel(owner, box, scale, [part for part in parts if part.owner == owner])
    lines = wrap(caption, 72, max_lines=2, placeholder=" …")
    for number, line in enumerate(lines):
        top = HEIGHT - CAPTION / 2 + 20 * (number - (len(lines) - 1) / 2)
        painter.text(line, (WIDTH / 2, top), 17, INK, "mm")
    return np.array(image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS), np.uint8)


def panels(parts: Iterable[Part]) -> Iterator[tuple[Owner, Box, float]]:
    """Yield each owner with its box and the scale of its parts. Shared parts (None) come last."""
    wanted: dict[Owner, int] = {}
    for part in parts:
        heading = 2 * MARGIN + (0 if part.owner is None else HEADING)
        wanted[part.owner] = wanted.get(part.owner, heading) + HEIGHTS[type(part)]
    owned = max((wanted[seat] for seat in Seat if seat in wanted), default=0)
    room = HEIGHT - TITLE - CAPTION - GAP
    scale = min(LARGEST, room / max(1, owned + wanted.get(None, 0)))
    half = (WIDTH - 3 * GAP) / 2
    for seat in Seat:
        if seat in wanted:
            yield seat, Box(GAP + seat * (half + GAP), TITLE, half, owned * scale), scale
    if None in wanted:
        top = TITLE + (owned * scale + GAP if owned else 0)
        yield None, Box(GAP, top, WIDTH - 2 * GAP, wanted[None] * scale), scale


class Painter:
    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def panel(self, owner: Owner, box: Box, scale: float, parts: Sequence[Part]) -> None:
        self._rectangle(box, PANEL, EDGE)
        inner = box.inside(MARGIN)
        if owner is not None:
            self.text(str(Seat(owner)), (inner.left, inner.top + 8), 18, ACCENTS[owner], "lm")
            inner = inner.below(HEADING)
        for part in parts:
            height = HEIGHTS[type(part)] * scale
            self._part(part, Box(inner.left, inner.top, inner.width, height))
            inner = inner.below(height)

    def _part(self, part: Part, box: Box) -> None:
        self.text(part.label, (box.left, box.top + LABEL / 2), 15, FAINT, "lm")
        content = Box(box.left, box.top + LABEL, box.width, max(0, box.height - LABEL - 8))
        match part:
            case Meter():
                self._meter(part, box)
            case Fact():
                self.text(part.text, (box.left + box.width, box.top + LABEL / 2), 15, INK, "rm")
            case Numbers():
                self._tiles([Tile(str(n), n not in part.left) for n in part.numbers], content)
            case Cards():
                self._tiles([Tile(card) for card in part.cards], content)
            case Grid():
                self._grid(part, content)

    def _meter(self, part: Meter, box: Box) -> None:
        self.text(str(part.value), (box.left + box.width, box.top + LABEL / 2), 26, INK, "rm")
        if not part.full:
            return
        bar = Box(box.left, box.top + LABEL + 8, box.width - 34, 12)
        self._rectangle(bar, BAR, None)
        filled = min(1, max(0, part.value / part.full)) * bar.width
        if filled:
            self._rectangle(Box(bar.left, bar.top, filled, bar.height), ACCENTS[part.owner], None)
        end = (box.left + box.width, bar.middle[1])
        self.text(str(part.full), end, 14, FAINT, "rm")

    def _grid(self, part: Grid, box: Box) -> None:
        columns = max(map(len, part.rows), default=1)
        side = min(58, box.width / max(1, columns), box.height / max(1, len(part.rows)))
        left = box.left + (box.width - side * columns) / 2
        for row, cells in enumerate(part.rows):
            for column, number in enumerate(cells):
                cell = Box(left + column * side, box.top + row * side, side, side).inside(side / 20)
                used = number is None
                self._tile(Tile("" if used else str(number), used), cell, side * 0.45)

    def _tiles(self, tiles: Sequence[Tile], box: Box) -> None:
        for size in LETTERS:
            places = list(self._flow(tiles, box, size))
            if not places or places[-1].top + places[-1].height <= box.top + box.height:
                break
        for tile, place in zip(tiles, places, strict=True):
            self._tile(tile, place, size)

    def _flow(self, tiles: Iterable[Tile], box: Box, size: float) -> Iterator[Box]:
        left, top, height, gap = box.left, box.top, size * 1.7, size * 0.3
        for tile in tiles:
            width = min(box.width, max(height, self._width(tile.text, size) + size))
            if left > box.left and left + width > box.left + box.width:
                left, top = box.left, top + height + gap
            yield Box(left, top, width, height)
            left += width + gap

    def _tile(self, tile: Tile, box: Box, size: float) -> None:
        hidden = tile.text == "?"
        fill, ink = (ACCENTS[None], PANEL) if hidden else (TILE, INK)
        self._rectangle(box, USED if tile.used else fill, EDGE)
        text = tile.text
        while len(text) > 1 and self._width(text, size) > box.width:
            text = text[:-2] + "…"
        self.text(text, box.middle, size, FADED if tile.used else ink, "mm")
        if tile.used and text:
            left, top, right, bottom = box.inside(box.height / 5).corners
            self._line((left, bottom), (right, top), FADED)

    def text(
        self, text: str, at: tuple[float, float], size: float, colour: str, anchor: str
    ) -> None:
        x, y = at
        place = (x * FINENESS, y * FINENESS)
        self._draw.text(place, text, colour, font(round(size * FINENESS)), anchor=anchor)

    def _width(self, text: str, size: float) -> float:
        return self._draw.textlength(text, font(round(size * FINENESS))) / FINENESS

    def _rectangle(self, box: Box, fill: str, edge: str | None) -> None:
        corners = [corner * FINENESS for corner in box.corners]
        radius = min(6, box.width / 2, box.height / 2) * FINENESS
        self._draw.rounded_rectangle(corners, radius, fill, edge, width=FINENESS)

    def _line(self, begin: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        points = [c * FINENESS for c in (*begin, *end)]
        self._draw.line(points, colour, width=2 * FINENESS)


@cache
def font(size: int) -> Font:
    return ImageFont.load_default(size)
