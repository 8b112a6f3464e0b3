"""Somebody who looks at the pages: one browser context, and what it has seen go wrong."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import number_duels as nd

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

#: What can be pressed to go on with a game.
BUTTONS = ".board-place:not([aria-busy]) .offer:not(.chosen)"
ENDED = ".ending"
#: What is shown, and how many ways there are to go on; both at one moment.
LOOK = """buttons => [document.querySelector(".board-place").dataset.shown,
  document.querySelectorAll(buttons).length]"""
CHANGED = """shown => document.querySelector(".board-place:not([aria-busy])")
  && document.querySelector(".board-place").dataset.shown !== shown"""
#: A page in the background draws no frames, so a clock is asked instead, in milliseconds.
POLLING = 25
#: Two games, as different as they come; all of them in the long run.
SOME_GAMES = [
    name if name in (nd.games()[0], nd.games()[-1]) else pytest.param(name, marks=pytest.mark.slow)
    for name in nd.games()
]


class Visitor:
    """A person with a browser of their own."""

    def __init__(self, browser: Browser, base: str, **options: object) -> None:
        self.base = base
        # Who wants to see things move says so.
        options.setdefault("reduced_motion", "reduce")
        self.context = browser.new_context(base_url=base, **options)  # type: ignore[arg-type] # options of Playwright's own
        self.context.set_default_timeout(30_000)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))
        self.context.on("request", self._asked)
        self.page: Page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.foreign.append(request.url)

    def start(self, game: str, name: str, opponent: str = "friend", **settings: int | str) -> str:
        """Start a game through the front page; the address of its table."""
        page = self.page
        page.goto(f"/#{game}")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Your name").fill(name)
        if opponent != "friend":
            dialog.get_by_text("The computer", exact=True).click()
            dialog.get_by_label("Strength").select_option(opponent)
        if settings:
            dialog.get_by_text("Settings", exact=True).click()
        for setting, value in settings.items():
            field = dialog.locator(f"[name=set-{setting}]")
            if isinstance(value, int):
                field.fill(str(value))
            else:
                field.select_option(value)
        dialog.get_by_role("button", name="Start the game").click()
        page.wait_for_url("**/play/*")
        page.wait_for_selector(".board")
        return page.url

    def sit_down(self, game: str, opponent: str = "random", **wish: object) -> str:
        """A game without the front page, from the first seat; the address of its table."""
        asked = {"game": game, "name": "Ann", "opponent": opponent, "seat": 1, **wish}
        answer = self.context.request.post("/api/games", data=asked)
        self.page.goto(f"/play/{answer.json()['id']}")
        self.page.wait_for_selector(".board")
        return self.page.url

    def join(self, link: str, name: str) -> None:
        """Take the free seat of a table."""
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Join the game").click()
        self.page.wait_for_selector(".you")

    def press_any(self, rng: Random) -> bool:
        """Touch one of the places that go on with the game; False when there is none."""
        # With such a place there, the page waits for its own player.
        shown, count = self.page.evaluate(LOOK, BUTTONS)
        if not count:
            return False
        self.page.locator(BUTTONS).nth(rng.randrange(count)).click()
        self.page.wait_for_function(CHANGED, arg=shown, polling=POLLING)
        return True

    @property
    def ended(self) -> bool:
        """Whether the page shows a finished game."""
        return self.page.locator(ENDED).count() > 0

    @property
    def headline(self) -> str:
        """How the game stands, as the page says it."""
        return self.page.locator(".headline").inner_text()


def play_out(players: list[Visitor], rng: Random) -> None:
    """Touch the board until the game is over on every page."""
    for _ in range(600):
        pressed = [player.press_any(rng) for player in players]
        if any(pressed):
            continue
        if all(player.ended for player in players):
            return
        players[0].page.wait_for_timeout(20)
    stuck = "\n".join(player.page.locator("main").inner_text() for player in players)
    raise AssertionError(f"The game did not end:\n{stuck}")
