"""Make the pictures of docs/playing.md from the real program: `python scripts/pictures.py`."""

from __future__ import annotations

import shlex
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console
from rich.text import Text
from tests.terminal.session import Session

#: Rich's own frame asks another host for a font; this one takes what the reader has.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xml:space="preserve" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, "DejaVu Sans Mono", Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""
PICTURES = {
    "play-knot": ("play knot --two random --seed 4", ["5", "S"]),
}


def screen(command: str, typed: list[str]) -> str:
    """What a terminal of 80 columns shows after some lines are typed."""
    with TemporaryDirectory() as folder, Session(shlex.split(command), Path(folder)) as session:
        shown = session.hear_until_quiet()
        for line in typed:
            session.type(line)
            shown += session.hear_until_quiet()
    return shown.replace("\r\n", "\n")


def picture(name: str, command: str, typed: list[str]) -> None:
    """One picture, kept in docs/pictures."""
    console = Console(record=True, width=86, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"\x1b[2m$\x1b[0m duels {command}\n{screen(command, typed)}"))
    svg = console.export_svg(title="Number Duels", code_format=FRAME, unique_id=name)
    path = ROOT / "docs" / "pictures" / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    for name, (command, typed) in PICTURES.items():
        picture(name, command, typed)
