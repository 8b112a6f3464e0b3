"""Charts drawn with characters: line charts with braille dots, and column charts with blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from textual.content import Content

from number_duels.core.game import Seat
from number_duels.core.scene import Chart, Curve
from number_duels.terminal.app.board_view import SEAT_STYLES, seat_style
from number_duels.terminal.line.console import pack

#: The bits of a braille character: two columns of four dots, from top to bottom.
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
EMPTY_LETTER = 0x2800
BLOCKS = " ▁▂▃▄▅▆▇█"
MAX_COLUMN_WIDTH = 3
TO_CURVE = "│"

Cells = dict[tuple[int, int], tuple[int, str]]


def line_chart(chart: Chart, width: int, height: int, here: int | None = None) -> list[Content]:
    """Draw a line chart as rows of text, with a pointer at the turn `here`.

    >>> curve = Curve("", ((0.0, 0.0), (1.0, 1.0)))
    >>> chart = Chart((curve,), (), ((0.0, "0"), (1.0, "1")), "Ann", "", None, ("● a mistake",))
    >>> [row.plain for row in line_chart(chart, 6, 2, 1)]
    ['1 ⠀⠀⡠⠊', '0 ⡠⠊⠀⠀', '     ▴', 'Ann', '● a mistake']
    """
    points = [point for curve in chart.curves for point in curve.points]
    heights = [height for height, _ in chart.axis] + [height for _, height in points]
    low, high, last = min(heights), max(heights), max(1.0, *(turn for turn, _ in points))
    span = (high - low) or 1.0
    rows = {round((high - tick) / span * (height - 1)): label for tick, label in chart.axis}
    margin = max(len(label) for _, label in chart.axis)
    columns = max(2, width - margin - 1)
    cells: Cells = {}
    left = chart.seat or Seat.ONE  # it has the first color, as on the board
    solid = SEAT_STYLES[0]
    for curve in reversed(chart.curves):
        turns = (x / (2 * columns - 1) * last for x in range(2 * columns))
        depths = (high - height_at(curve, turn) for turn in turns)
        places = [round(depth / span * (4 * height - 1)) for depth in depths]
        for x, y in dots(places):
            place = x // 2, y // 4
            bits = cells.get(place, (0, ""))[0]
            cells[place] = bits | DOTS[x % 2][y % 4], solid

    def row_of(share: float) -> int:
        return round((high - share) / span * (4 * height - 1)) // 4

    marks: dict[tuple[int, int], tuple[str, str]] = {}
    # A mark off the curve is the chance after one choice. A line leads to the chance after both.
    for mark in chart.marks:
        column = round(mark.turn / last * (columns - 1))
        top, bottom = sorted((row_of(mark.height), row_of(height_at(chart.curves[0], mark.turn))))
        lines = ((column, row) for row in range(top + 1, bottom))
        marks |= dict.fromkeys(lines, (TO_CURVE, SEAT_STYLES[mark.seat]))
    for mark in chart.marks:
        place = round(mark.turn / last * (columns - 1)), row_of(mark.height)
        marks[place] = mark.sign, seat_style(mark.seat, left)
    drawn = [
        Content.assemble(
            (f"{rows.get(row, ''):>{margin}} ", "$faint"),
            *(marks.get((column, row)) or letter(cells, column, row) for column in range(columns)),
        )
        for row in range(height)
    ]
    below = "" if here is None else " " * (margin + 1 + round(here / last * (columns - 1))) + "▴"
    both = (
        [f"{TO_CURVE} after both choices"]
        if any(row == TO_CURVE for row, _ in marks.values())
        else []
    )
    legend = pack((chart.title, *chart.legend, *both), width, "  ")
    note = pack(chart.note.split(), width) if chart.note else []
    return [
        *drawn,
        Content.styled(below, "$accent"),
        *(Content.styled(line, "$faint") for line in (*legend, *note)),
    ]


def letter(cells: Cells, column: int, row: int) -> tuple[str, str]:
    bits, style = cells.get((column, row), (0, ""))
    return chr(EMPTY_LETTER + bits), style


def dots(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    before = places[0]
    for x, y in enumerate(places):
        start = y if before == y else before + (1 if y > before else -1)
        before = y
        yield from ((x, between) for between in range(min(start, y), max(start, y) + 1))


def height_at(curve: Curve, turn: float) -> float:
    for (left, low), (right, high) in pairwise(curve.points):
        if turn <= right:
            return low + (turn - left) / (right - left) * (high - low)
    return curve.points[-1][1]


def column_chart(chart: Chart, width: int, height: int) -> list[Content]:
    """Draw a chart with a column for each point. If there are too many points, a column is a mean.

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
