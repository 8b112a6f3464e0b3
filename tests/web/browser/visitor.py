"""Somebody who looks at the pages: one browser context, and what it has seen go wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

import number_duels as nd
from tests.patience import PATIENCE_S
from tests.some_games import SECRET
from tests.web.people import Guest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

#: Small settings that make any game short, and quick to solve, where it has them.
SHORT = {"numbers": 5, "cards": 5, "rounds": 3, "side": 2, "target": 12, "highest": 5, "copies": 2}
#: One game, for what is the same in all of them; each of the others in the long run.
ONE_GAME = [
    pytest.param(name, marks=() if name == SECRET else pytest.mark.slow) for name in nd.games()
]
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
#: Longer than a double click or a double Enter takes, in milliseconds.
LATER = "start => performance.now() - start > 300"
#: A position at least as new is shown, and nothing moves or is on its way.
AT_REST = """version => {
  const board = document.querySelector(".board-place:not([aria-busy])");
  const [shown, step] = board?.dataset.shown?.split(" ") ?? [];
  return Number(shown) >= version && step !== "moving";
}"""


def short(game: str) -> dict[str, int | str]:
    """Settings with which a game is over, and solved, in a moment."""
    known = nd.load(game).settings
    return {name: value for name, value in SHORT.items() if name in known}


class Visitor:
    """A person with a browser of their own."""

    def __init__(self, browser: Browser, base: str, **options: object) -> None:
        self.base = base
        self.has_fingers = options.get("has_touch") is True
        # Who wants to see things move says so.
        options.setdefault("reduced_motion", "reduce")
        self.context = browser.new_context(base_url=base, **options)  # type: ignore[arg-type] # options of Playwright's own
        self.context.set_default_timeout(1000 * PATIENCE_S)
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
            dialog.locator(f"[name=level][value='{opponent}']").check(force=True)
        if settings:
            dialog.get_by_text("Settings", exact=True).click()
        for setting, value in settings.items():
            field = dialog.locator(f"[name=set-{setting}]")
            if isinstance(value, int):
                field.fill(str(value))
            else:
                field.select_option(value)
        dialog.locator(".primary").click()
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

    def sit(self, guest: Guest) -> str:
        """Take over a seat that a program has; the address of the table."""
        self.context.add_cookies(
            [
                {
                    "name": f"duels_{guest.id}",
                    "value": str(guest.token),
                    "domain": "127.0.0.1",
                    "path": f"/api/games/{guest.id}",
                }
            ]
        )
        return f"/play/{guest.id}"

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
        place = self.page.locator(BUTTONS).nth(rng.randrange(count))
        if self.has_fingers:
            self.tap(place)
        else:
            place.click()
        self.page.wait_for_function(CHANGED, arg=shown, polling=POLLING)
        return True

    def pass_double_click(self) -> None:
        """Wait until another press is a press of its own."""
        now = self.page.evaluate("() => performance.now()")
        self.page.wait_for_function(LATER, arg=now, polling=POLLING)

    def tap(self, place: Locator) -> None:
        """Touch something with a finger; never the second half of a double tap."""
        self.page.locator("h1").tap()
        place.tap()

    @property
    def version(self) -> int:
        """How new the position is that the page shows."""
        shown = self.page.locator(".board-place").get_attribute("data-shown")
        return int(str(shown).split()[0])

    def posted_moves(self) -> list[str]:
        """Every move that the page sends from now on; the list grows."""
        moves: list[str] = []

        def note(asked: Request) -> None:
            if asked.url.endswith("/moves"):
                moves.append(json.loads(asked.post_data or "")["move"])

        self.page.on("request", note)
        return moves

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
    play_until(players, rng, lambda: all(player.ended for player in players))


def play_until(players: list[Visitor], rng: Random, reached: Callable[[], bool]) -> None:
    """Touch the board in turns, each when its page shows what the others did."""
    newest = 0
    for _ in range(300):
        for player in players:
            player.page.wait_for_function(AT_REST, arg=newest, polling=POLLING)
            if len(players) == 1:  # the computer moves by itself
                player.page.wait_for_selector(f"{BUTTONS}, {ENDED}")
            player.press_any(rng)
            newest = max(newest, player.version)
        for player in players:  # what is reached is looked for on pages that all show the same
            player.page.wait_for_function(AT_REST, arg=newest, polling=POLLING)
        if reached():
            return
    stuck = "\n".join(player.page.locator("main").inner_text() for player in players)
    raise AssertionError(f"The game did not get there:\n{stuck}")
