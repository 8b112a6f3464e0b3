"""Small charts of letters: lines of braille dots, columns of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from textual.content import Content

from number_duels.core.scene import Chart

#: The bits of a braille letter: two columns of four dots, from the top.
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
EMPTY_LETTER = 0x2800
#: A dashed line is drawn for this many dots, and then left out for as many.
DASH_DOTS = 3
#: Heights of a block, from nothing to a whole row.
BLOCKS = " ▁▂▃▄▅▆▇█"
MAX_COLUMN_WIDTH = 3

Cells = dict[tuple[int, int], tuple[int, str]]


class Line(NamedTuple):
    """Values at equal distances, and how they are drawn."""

    values: Sequence[float]
    style: str
    dashed: bool = False


def line_chart(
    lines: Sequence[Line], width: int, height: int, ticks: Mapping[float, str]
) -> list[Content]:
    """The lines in some rows of text; the ticks name heights, and are within the picture.

    >>> [row.plain for row in line_chart([Line([0, 1], "")], 4, 2, {0: "0", 1: "1"})]
    ['1 ⠀⠀⡠⠊', '0 ⡠⠊⠀⠀']
    """
    heights = [*ticks, *(value for line in lines for value in line.values)]
    low, high = min(heights), max(heights)
    span = (high - low) or 1.0
    rows = {round((high - tick) / span * (height - 1)): label for tick, label in ticks.items()}
    margin = max(map(len, ticks.values()), default=0)
    cells: Cells = {}
    for line in lines:
        for x, y in dots(line, 2 * width, 4 * height, high, span):
            place = x // 2, y // 4
            bits = cells.get(place, (0, ""))[0]
            cells[place] = bits | DOTS[x % 2][y % 4], line.style
    return [
        Content.assemble(
            (f"{rows.get(row, ''):>{margin}} ", "$faint"),
            *(letter(cells, column, row) for column in range(width)),
        )
        for row in range(height)
    ]


def letter(cells: Cells, column: int, row: int) -> tuple[str, str]:
    bits, style = cells.get((column, row), (0, ""))
    return chr(EMPTY_LETTER + bits), style


def dots(
    line: Line, width: int, height: int, high: float, span: float
) -> Iterator[tuple[int, int]]:
    """Every dot of a line; steep pieces have no gaps."""
    last = len(line.values) - 1
    before: int | None = None
    for x in range(width) if last >= 0 else ():
        place = x / max(1, width - 1) * last
        left = min(int(place), max(0, last - 1))
        right = min(left + 1, last)
        value = line.values[left] + (place - left) * (line.values[right] - line.values[left])
        y = round((high - value) / span * (height - 1))
        start = y if before is None or before == y else before + (1 if y > before else -1)
        before = y
        if not line.dashed or x // DASH_DOTS % 2 == 0:
            yield from ((x, between) for between in range(min(start, y), max(start, y) + 1))


def column_chart(chart: Chart, width: int, height: int) -> list[Content]:
    """A column for each point of a chart; where there are too many, one for the mean of some.

    >>> from number_duels.core.scene import Curve
    >>> chart = Chart((Curve("", ((0, 0.5), (1, 1.0))),), (), ((1.0, "9%"), (0.0, "0%")), "", "")
    >>> [row.plain for row in column_chart(chart, 2, 2)]
    ['  9%  █', '  0% ██']
    """
    values = [share for _, share in chart.curves[0].points]
    count = min(width, len(values))
    cuts = [place * len(values) // count for place in range(count + 1)]
    means = [fmean(values[start:end]) for start, end in pairwise(cuts)]
    wide = min(MAX_COLUMN_WIDTH, width // count)
    eighths = [max(1, round(8 * height * mean)) for mean in means]
    labels = {0: chart.axis[0][1], height - 1: chart.axis[-1][1]}
    rows = []
    for row in range(height):
        below = 8 * (height - 1 - row)
        blocks = (BLOCKS[max(0, min(8, one - below))] for one in eighths)
        drawn = "".join(block * max(1, wide - 1) + " " * (wide > 1) for block in blocks)
        rows.append(Content.assemble((f"{labels.get(row, ''):>4} ", "$faint"), (drawn, "$accent")))
    return rows
