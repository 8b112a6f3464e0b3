"""What a visit to a game loads, and how long it takes on a slow line: releases side by side.

git worktree add ../old v0.1.0
python benchmarks/page.py ../old/src src
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM
from tests.web.browser.scenes import PLAYABLE, start_game
from tests.web.browser.traffic import Traffic
from tests.web.browser.visitor import Visitor
from tests.web.serving import Server

GAME = "number-bid"
#: What was pressed to play before the board could be touched.
OLD_BUTTONS = ".action .answer"
#: A telephone somewhere else: 150 ms there and back, 200 kB a second.
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 100_000,
}


@dataclass(frozen=True)
class Visit:
    """One opening of a table, until it could be played."""

    requests: int
    kilobytes: float
    depth: int
    milliseconds: float

    def __str__(self) -> str:
        return (
            f"{self.requests:>8} {self.kilobytes:>8.1f} kB {self.depth:>6} deep"
            f" {self.milliseconds:>8.0f} ms"
        )


def open_table(visitor: Visitor, address: str) -> Visit:
    page = visitor.page = visitor.context.new_page()
    traffic = Traffic(page)
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", LINE)
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(f"{PLAYABLE}, {OLD_BUTTONS}").first.wait_for()
    milliseconds = (time.perf_counter() - began) * 1000
    asked, depth = len(traffic.travelled), traffic.depth
    page.wait_for_load_state("load")
    page.evaluate("() => document.fonts.ready.then(() => null)")
    page.close()
    return Visit(asked, sum(traffic.bytes.values()) / 1000, depth, milliseconds)


def measure(browser: Browser, source: Path) -> tuple[Visit, Visit]:
    """A first and a second visit to a game of the program in a folder."""
    with TemporaryDirectory() as folder:
        path = {"PYTHONPATH": str(source.resolve())}
        server = Server(Path(folder), f"sqlite:///{folder}/games.sqlite3", path)
        server.start()
        visitor = Visitor(browser, server.url)
        address = f"/play/{start_game(visitor, GAME, 'random')}"
        try:
            return open_table(visitor, address), open_table(visitor, address)
        finally:
            visitor.context.close()
            server.stop()


def main() -> None:
    sources = [Path(name) for name in sys.argv[1:]] or [ROOT / "src"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for source in sources:
            first, second = measure(browser, source)
            print(f"{source}\n  first  {first}\n  second {second}")
        browser.close()


if __name__ == "__main__":
    main()
