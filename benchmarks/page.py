"""The page without a server beside a server's page, in Chromium: bytes, seconds and memory.

A static host sends the folder of `make page` at a limited rate. A first and a second visit each
start a game, choose, and wait for the computer. Then both pages play the same games, to compare
the time of a hint and of a computer's move. Animations are off.

    python benchmarks/page.py [FOLDER] [--rate 10] [--visits 3]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, AnyStr

from playwright.sync_api import Browser, FrameLocator, Page, sync_playwright

import number_duels as nd

if TYPE_CHECKING:
    from _typeshed import SupportsRead, SupportsWrite

CHROMIUM = "/usr/bin/chromium"
FOLDER = Path(__file__).parents[1] / "dist" / "page"
SHOWN = "iframe:not(.next)"
OFFER = "main.table .board .offer:not(.chosen)"
TURN = ".log > li"
PATIENCE_MS = 120_000
PIECE = 8192
UNLIMITED = 1e12


class Line:
    """A line of limited rate, which all connections share."""

    def __init__(self, bits_per_s: float) -> None:
        self.bits_per_s = bits_per_s
        self.bytes = 0
        self._free_at = 0.0
        self._lock = Lock()

    def carry(self, size: int) -> None:
        with self._lock:
            now = monotonic()
            self._free_at = max(now, self._free_at) + 8 * size / self.bits_per_s
            self.bytes += size
            wait = self._free_at - now
        sleep(wait)


class Limited(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, line: Line, directory: str) -> None:
        self.line = line
        super().__init__(*args, directory=directory)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""

    def copyfile(self, source: SupportsRead[AnyStr], outputfile: SupportsWrite[AnyStr]) -> None:
        while piece := source.read(PIECE):
            self.line.carry(len(piece))
            outputfile.write(piece)


@contextmanager
def static_host(folder: Path, line: Line) -> Iterator[str]:
    handler = partial(Limited, line=line, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextmanager
def duels_serve(port: int = 8765) -> Iterator[str]:
    with TemporaryDirectory() as home:
        command = [sys.executable, "-m", "number_duels", "serve", "--port", str(port)]
        environment = {**os.environ, "HOME": home}
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as server:
            yield f"http://127.0.0.1:{port}/"
            server.terminate()


def open_page(page: Page, url: str) -> None:
    while True:
        try:
            page.goto(url)
        except Exception:
            sleep(0.1)
        else:
            return


def start(shown: FrameLocator) -> None:
    """Press the button of the first screen."""
    shown.locator("[data-key=play]").first.click()
    shown.locator(OFFER).first.wait_for()


def choose(shown: FrameLocator) -> None:
    """Choose the last number, and wait until the computer's answer is shown."""
    turns = shown.locator(TURN).count()
    shown.locator(OFFER).last.click()
    shown.locator(TURN).nth(turns).wait_for(state="attached")


def visit(page: Page, url: str, line: Line) -> dict[str, float]:
    before, line.bytes = monotonic(), 0
    found: dict[str, float] = {}

    def lap(name: str) -> None:
        found[name] = monotonic() - before

    page.goto(url)
    shown = page.frame_locator(SHOWN)
    shown.locator("h1").first.wait_for()
    lap("first screen")
    start(shown)
    lap("board, with offers to choose")
    choose(shown)
    lap("the choice is answered")
    found["MB for this"] = line.bytes / 1e6
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    found["MB with all that is kept for later"] = line.bytes / 1e6
    return found


#: Play the perfect computer by the calls that the pages use; return milliseconds by kind.
PLAY = """async (games) => {
  const ask = async (method, path, body) => {
    const text = body ? JSON.stringify(body) : "", headers = { "content-type": "application/json" };
    if (!window.shell) return (await fetch(path, { method, headers, body: body && text })).json();
    const { body: told } = await window.shell.send({ method, path, headers, body: text });
    return JSON.parse(typeof told === "string" ? told : new TextDecoder().decode(told));
  };
  const found = { hint: [], "choice and the computer's": [] };
  const timed = async (kind, work) => {
    const before = performance.now(), answer = await work();
    found[kind].push(performance.now() - before);
    return answer;
  };
  for (const game of games) {
    const { id } = await ask("POST", "/api/games", { game, name: "", opponent: "perfect" });
    const path = `/api/games/${id}`;
    const mine = ({ over, draw, options }) => over || draw || options.length;
    for (let view = await ask("GET", path); !view.over; ) {
      if (view.draw) view = await ask("POST", `${path}/draw`, { turn: view.turn });
      else if (!view.options.length) view = await ask("GET", path);
      else {
        const { turn, options } = view;
        if (options.length > 1) await timed("hint", () => ask("GET", `${path}/hint`));
        view = await timed("choice and the computer's", async () => {
          let next = await ask("POST", `${path}/moves`, { turn, move: options.at(-1) });
          while (!mine(next)) next = await ask("GET", path);
          return next;
        });
      }
    }
  }
  return found;
}"""


def memory(marker: str) -> float:
    """The memory in MB of the browser whose command has a text; shared pages count once."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if marker in (process / "cmdline").read_text():
                lines = (process / "smaps_rollup").read_text().splitlines()
                total += sum(int(text.split()[1]) for text in lines if text.startswith("Pss:"))
    return total / 1024


def new_page(browser: Browser) -> Page:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--rate", type=float, default=10, help="Mbit per second (default 10)")
    parser.add_argument("--visits", type=int, default=3, help="browsers to try (default 3)")
    asked = parser.parse_args()
    line = Line(asked.rate * 1e6)
    with sync_playwright() as playwright, static_host(asked.folder, line) as page_url:
        laps: dict[str, list[float]] = {}
        for _ in range(asked.visits):
            browser = playwright.chromium.launch(executable_path=CHROMIUM)
            page = new_page(browser)
            for name in ("first visit", "second visit"):
                for what, figure in visit(page, page_url, line).items():
                    laps.setdefault(f"{name}: {what}", []).append(figure)
                page.goto("about:blank")
            browser.close()
        for name, figures in laps.items():
            print(
                f"{name:60} {median(figures):7.2f}   {', '.join(f'{one:.2f}' for one in figures)}"
            )
        line.bits_per_s = UNLIMITED
        with duels_serve() as server_url:
            for face, url in (("without a server", page_url), ("with a server", server_url)):
                # Renderers have the options of their browser in their commands.
                marker = f"--user-agent=Chrome {face}"
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[marker])
                page = new_page(browser)
                open_page(page, url)
                if url == page_url:
                    page.wait_for_function("() => window.shell")
                page.evaluate(PLAY, ["number-knot"])  # everything has started
                for game in nd.games():
                    for kind, figures in page.evaluate(PLAY, [game]).items():
                        ordered = sorted(figures)
                        print(
                            f"{face}: {game}, {kind}: median {median(ordered):.0f} ms,"
                            f" slowest {ordered[-1]:.0f} ms, of {len(ordered)}"
                        )
                print(f"{face}: memory of the browser {memory(marker):.0f} MB")
                browser.close()


if __name__ == "__main__":
    main()
