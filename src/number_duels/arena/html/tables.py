"""The tables of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape


def stacked(cell: str) -> str:
    """A figure above its interval: side by side they make a table wider than a screen."""
    figure, _, rest = escape(cell).partition(" (")
    return f"{figure} <small>({rest}</small>" if rest else figure


def table(
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    text: Callable[[str], str] = escape,
    kind: str = "figures",
) -> str:
    """A table whose first column names its rows; its kind is a class of the style sheet."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    rows = [f"<tr>{top}</tr>"] if head else []
    for first, *rest in body:
        cells = "".join(f"<td>{text(cell)}</td>" for cell in rest)
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    joined = "\n".join(rows)
    return f'<div class="wide"><table class="{kind}">\n{joined}\n</table></div>'
