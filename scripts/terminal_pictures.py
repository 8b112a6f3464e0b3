"""Make pictures of the terminal: of a game in lines, of full-screen mode, and of a turn that moves.

    python scripts/terminal_pictures.py

Those of full-screen mode are exported by Textual itself, with games of `tests/terminal/app`.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
import time
from collections.abc import Coroutine
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TypeVar

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console
from rich.text import Text
from tests.terminal.app.idle import IdleLoop
from tests.terminal.app.page_driver import press, settle
from tests.terminal.app.samples import save_samples
from tests.terminal.session import Session

from number_duels.terminal.app.application import DuelsApp

T = TypeVar("T")
FOLDER = ROOT / "docs" / "pictures"
SIZE, TURN_SIZE = (90, 28), (80, 24)
#: A game in lines: the command, and what is typed.
LINES = "play knot --two random --seed 4", ["5", "S"]
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
#: The keys that lead from the first screen to what a picture shows; an @ waits for the background.
PICTURES = {
    "home": [],
    "new-game": ["4"],
    "table": ["s", "slash", *"drop", "enter", "enter", "@"],
    "curtain": ["s", "slash", *"bid", "enter", "enter", "@"],
    "review": ["s", "v", "@", "m"],
    "analysis": ["1", "f2", "@"],
    "saved-games": ["s"],
    "statistics": ["i", "@"],
    "train-mixed": ["t", "d", "down", "down", "down", "right", "enter", "@"],
}
#: A turn of the saved game of High-Low Battle: a card is chosen, and both are turned over.
TURN = ["s", "slash", *"battle", "enter", "enter", "@"]
TURN_KEYS = ["", "down", "down", "down", "down", "enter"]
KEY_SECONDS, AFTER_SECONDS, FRAME_SECONDS = 0.7, 4.5, 0.05
#: What is shown for a shorter time is only on its way to something else.
MIN_SECONDS = 0.2
#: Whoever wants nothing to move sees the first screen alone.
CALM = "@media (prefers-reduced-motion: reduce) { g { animation: none !important } }"
#: Textual's frame asks another host for a font; this one takes what the reader has.
FONTS = 'Menlo, "DejaVu Sans Mono", Consolas, monospace'


def screen(command: str, typed: list[str]) -> str:
    """What a terminal of 80 columns shows after some lines are typed."""
    words = shlex.split(command)
    with TemporaryDirectory() as folder, Session(words, Path(folder), rows=19) as session:
        shown = session.hear_until_quiet()
        for line in typed:
            session.type(line)
            shown += session.hear_until_quiet()
    return shown.replace("\r\n", "\n")


def in_lines(command: str, typed: list[str]) -> str:
    """A terminal in which a command was typed."""
    console = Console(record=True, width=86, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"\x1b[2m$\x1b[0m duels {command}\n{screen(command, typed)}"))
    return console.export_svg(title="Number Duels", code_format=FRAME, unique_id="play-knot")


def run(taken: Coroutine[None, None, T]) -> T:
    """Take a picture on a loop that knows when the program has drawn everything."""
    with asyncio.Runner(loop_factory=IdleLoop) as runner:
        return runner.run(taken)


def trimmed(svg: str) -> str:
    """A picture that loads nothing from elsewhere, without a frame around each line of text."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<clipPath id="[^"]*-line-\d+">.*?</clipPath>', "", svg, flags=re.DOTALL)
    svg = re.sub(r' clip-path="url\([^"]*-line-\d+\)"', "", svg)
    svg = re.sub(r"<!--.*?-->", "", svg)
    return re.sub(r"\n\s*\n+", "\n", svg.replace("Fira Code, monospace", FONTS))


async def still(keys: list[str]) -> str:
    """A screen after some keys."""
    app = DuelsApp(calm=True)
    async with app.run_test(size=SIZE) as pilot:
        await press(pilot, *keys)
        await settle(pilot)
        return trimmed(app.export_screenshot(simplify=True))


async def turn() -> list[tuple[str, float]]:
    """Every different screen of a turn, with how long it stands."""
    app = DuelsApp()
    frames: list[tuple[str, float]] = []
    async with app.run_test(size=TURN_SIZE) as pilot:
        await press(pilot, *TURN)
        await settle(pilot)
        for key in TURN_KEYS:
            if key:
                await pilot.press(key)
            end = monotonic() + (AFTER_SECONDS if key == "enter" else KEY_SECONDS)
            while monotonic() < end:
                shown = trimmed(app.export_screenshot(simplify=True))
                if not frames or frames[-1][0] != shown:
                    frames.append((shown, 0.0))
                began = monotonic()
                await asyncio.sleep(FRAME_SECONDS)
                frames[-1] = shown, frames[-1][1] + monotonic() - began
    return [(shown, seconds) for shown, seconds in frames if seconds >= MIN_SECONDS]


def animated(frames: list[tuple[str, float]]) -> str:
    """One picture that shows each screen in its time, again and again."""
    whole = sum(seconds for _, seconds in frames)
    parts, styles, began = [], [], 0.0
    for place, (svg, seconds) in enumerate(frames):
        start, end = 100 * began / whole, 100 * (began + seconds) / whole
        began += seconds
        styles.append(
            f"@keyframes f{place} {{ 0%, 100% {{ visibility: hidden }}"
            f" {start:.2f}%, {end - 0.01:.2f}% {{ visibility: visible }}"
            f" {end:.2f}% {{ visibility: hidden }} }}\n"
            f".f{place} {{ visibility: {'hidden' if place else 'visible'};"
            f" animation: f{place} {whole:.1f}s step-end infinite }}"
        )
        inside = re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", svg, flags=re.DOTALL)
        parts.append(f'<g class="f{place}">{inside}</g>')
    box = re.search(r'viewBox="[^"]*"', frames[0][0])
    assert box
    head = f'<svg class="rich-terminal" {box[0]} xmlns="http://www.w3.org/2000/svg">'
    return "\n".join([head, "<style>", *styles, CALM, "</style>", *parts, "</svg>\n"])


def write(name: str, svg: str) -> None:
    path = FOLDER / f"{name}.svg"
    path.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}, {path.stat().st_size // 1000} kB")


def main() -> None:
    """All pictures, from saved games of their own."""
    write("play-knot", in_lines(*LINES))
    for name, keys in PICTURES.items():
        with TemporaryDirectory() as folder:
            use_folders(folder)
            write(f"app-{name}", run(still(keys)))
    with TemporaryDirectory() as folder:
        use_folders(folder)
        write("app-turn", animated(run(turn())))


def use_folders(folder: str) -> None:
    """Settings and games are nobody's own."""
    for kind in ("DATA", "CONFIG", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = folder
    os.environ["TZ"] = "UTC"  # pictures show the time of saved games
    time.tzset()
    save_samples()


if __name__ == "__main__":
    main()
