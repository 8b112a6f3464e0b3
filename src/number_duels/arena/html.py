"""Build self-contained HTML reports with tables and SVG charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite
from pathlib import Path

STYLE = Path(__file__).with_name("report.css")


def document(title: str, sections: Iterable[str]) -> str:
    body = "\n".join(sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{title}\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def section(title: str, *parts: str) -> str:
    joined = "\n".join(parts)
    return f"<section>\n<h2>{escape(title)}</h2>\n{joined}\n</section>"


def figure(caption: str, chart: str) -> str:
    return f"<figure>\n<figcaption>{escape(caption)}</figcaption>\n{chart}\n</figure>"


def stacked(cell: str) -> str:
    """Return a table cell with the interval below its number, to save width."""
    figure, _, rest = escape(cell).partition(" (")
    return f"{figure} <small>({rest}</small>" if rest else figure


def table(
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    text: Callable[[str], str] = escape,
    kind: str = "figures",
) -> str:
    """Return a table whose first column names its rows. `kind` is its CSS class."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    rows = [f"<tr>{top}</tr>"] if head else []
    for first, *rest in body:
        cells = "".join(f"<td>{text(cell)}</td>" for cell in rest)
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    joined = "\n".join(rows)
    return f'<div class="wide"><table class="{kind}">\n{joined}\n</table></div>'


# Narrow, so that labels stay readable on a small screen.
LEFT_PX, WIDTH_PX, RIGHT_PX, ROW_PX = 210, 340, 60, 26
CHARACTER_PX = 8


@dataclass(frozen=True)
class Whisker:
    middle: float
    low: float
    high: float
    style: str = "main"
    note: str = ""


@dataclass(frozen=True)
class Mark:
    at: float
    note: str


@dataclass(frozen=True)
class ChartRow:
    label: str
    whiskers: tuple[Whisker, ...]
    marks: tuple[Mark, ...] = ()


def whisker_chart(lines: Sequence[ChartRow], low: float, high: float, unit: str, title: str) -> str:
    parts = []
    bottom = ROW_PX * len(lines) + 6
    for tick in ticks(low, high):
        x = place(tick, low, high)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="4" y2="{bottom}"/>')
        text = f"{tick:g}{unit}"
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 16}">{escape(text)}</text>')
    for row, line in enumerate(lines):
        middle = ROW_PX * row + ROW_PX // 2 + 4
        parts.append(
            f'<text class="label" x="{LEFT_PX - 10}" y="{middle + 4}">{escape(line.label)}</text>'
        )
        for mark in line.marks:
            x = place(mark.at, low, high)
            parts.append(
                f'<g class="mark"><title>{escape(mark.note)}</title>'
                f'<line x1="{x}" x2="{x}" y1="{middle - 8}" y2="{middle + 8}"/></g>'
            )
        gap = 7
        top = middle - gap * (len(line.whiskers) - 1) / 2
        for n, whisker in enumerate(line.whiskers):
            parts.append(drawn(whisker, top + n * gap, low, high))
    return svg(ROW_PX * len(lines) + 34, title, parts, [line.label for line in lines])


def drawn(whisker: Whisker, y: float, low: float, high: float) -> str:
    left, right = (place(end, low, high) for end in (whisker.low, whisker.high))
    x = place(whisker.middle, low, high)
    note = f"<title>{escape(whisker.note)}</title>" if whisker.note else ""
    return (
        f'<g class="{whisker.style}">{note}<line x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        f'<circle cx="{x}" cy="{y}" r="4"/></g>'
    )


def place(value: float, low: float, high: float) -> float:
    """Return the x coordinate of a value. A value outside the scale moves to the nearest end."""
    inside = max(low, min(high, value))
    return round(LEFT_PX + WIDTH_PX * (inside - low) / (high - low), 1)


def ticks(low: float, high: float) -> list[float]:
    """Return about six round numbers along a scale.

    >>> ticks(0, 100)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    rough = (high - low) / 6
    size = 10.0 ** floor(len(f"{rough:.0f}") - 1) if rough >= 1 else 0.1
    step = next(size * n for n in (1, 2, 5, 10) if size * n >= rough * 0.999)
    first = ceil(low / step)
    return [n * step for n in range(first, floor(high / step) + 1)]


def scale_of(values: Sequence[float], room: float) -> tuple[float, float]:
    finite = [value for value in values if isfinite(value)] or [0.0]
    return min(finite) - room, max(finite) + room


def bar_chart(rows: Sequence[tuple[str, float, str]], title: str) -> str:
    longest = max((value for _, value, _ in rows), default=0.0) or 1.0
    room = CHARACTER_PX * max((len(text) for _, _, text in rows), default=0)
    full = min(WIDTH_PX, WIDTH_PX + RIGHT_PX - room)
    parts = []
    for row, (label, value, text) in enumerate(rows):
        y = ROW_PX * row + 6
        wide = round(full * value / longest, 1)
        parts.append(f'<text class="label" x="{LEFT_PX - 10}" y="{y + 13}">{escape(label)}</text>')
        parts.append(f'<rect class="bar" x="{LEFT_PX}" y="{y}" width="{wide}" height="16" rx="2"/>')
        x = LEFT_PX + wide + 6
        parts.append(f'<text class="figure" x="{x}" y="{y + 13}">{escape(text)}</text>')
    return svg(ROW_PX * len(rows) + 8, title, parts, [label for label, _, _ in rows])


def label_px(text: str) -> int:
    """Estimate the width of a label in pixels, with some reserve."""
    return sum(14 if char in "MWmw@%" or not char.isascii() else CHARACTER_PX for char in text)


def svg(height: int, title: str, parts: Iterable[str], labels: Iterable[str]) -> str:
    left = min(0, LEFT_PX - 10 - max(map(label_px, labels), default=0))
    size = f"{left} 0 {LEFT_PX + WIDTH_PX + RIGHT_PX - left} {height}"
    head = f'<svg viewBox="{size}" role="img" class="chart">', f"<title>{escape(title)}</title>"
    return "\n".join([*head, *parts, "</svg>"])
