"""How much a visit loads: counted in Chromium, as its network panel counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import Visitor
from tests.web.people import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

MAX_FIRST_VISIT_BYTES = 120_000
MAX_SECOND_VISIT_REQUESTS = 3


@dataclass
class Traffic:
    """What a page has asked the server for, by Chromium's own account."""

    page: Page
    requests: dict[str, Json] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)
    bytes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        panel = self.page.context.new_cdp_session(self.page)
        panel.on("Network.requestWillBeSent", self._sent)
        panel.on("Network.requestServedFromCache", lambda event: self._kept(event["requestId"]))
        panel.on("Network.responseReceived", self._received)
        panel.on("Network.loadingFinished", self._finished)
        panel.send("Network.enable")

    def _sent(self, event: Json) -> None:
        self.requests.setdefault(event["requestId"], event)

    def _kept(self, request: str) -> None:
        self.cached.add(request)

    def _received(self, event: Json) -> None:
        response = event["response"]
        if response.get("fromDiskCache") or response.get("fromPrefetchCache"):
            self._kept(event["requestId"])

    def _finished(self, event: Json) -> None:
        self.bytes[event["requestId"]] = int(event["encodedDataLength"])

    @property
    def travelled(self) -> list[Json]:
        """What went over the wire."""
        return [event for id_, event in self.requests.items() if id_ not in self.cached]


def addresses(events: list[Json]) -> list[str]:
    return [event["request"]["url"] for event in events]


def new_game(visitor: Visitor) -> str:
    """A game with a seat in it, without any page having been open."""
    game = nd.games()[0]
    answer = visitor.context.request.post(
        "/api/games", data={"game": game, "name": "Ann", "opponent": "random"}
    )
    return f"/play/{answer.json()['id']}"


def open_table(visitor: Visitor, address: str) -> Traffic:
    """What was asked for until the game could be played."""
    traffic = Traffic(visitor.page)
    visitor.page.goto(address)
    visitor.page.locator(".answer, [data-key=draw]").first.wait_for()
    return traffic


def test_a_game_loads_little_and_once(visit: Visit) -> None:
    ann = visit()
    address = new_game(ann)
    first = open_table(ann, address)
    asked = addresses(first.travelled)
    assert len(asked) == len(set(asked)), "something was loaded twice"
    # Two round trips: the page names all that it needs, and nothing waits for a script to ask.
    page = ann.page.url
    deep = [event for event in first.travelled if event["initiator"].get("url", page) != page]
    assert addresses(deep) == []
    ann.page.wait_for_load_state("load")
    assert sum(first.bytes.values()) <= MAX_FIRST_VISIT_BYTES
    # Another tab, another day: only what can have changed is asked for.
    ann.page.close()
    ann.page = ann.context.new_page()
    second = open_table(ann, address)
    assert len(second.travelled) <= MAX_SECOND_VISIT_REQUESTS, addresses(second.travelled)


def test_no_page_waits_for_a_script_to_ask(visit: Visit) -> None:
    ann = visit()
    game = nd.games()[0]
    for address, ready in (("/", ".game"), (f"/rules/{game}", ".prose")):
        traffic = Traffic(ann.page)
        ann.page.goto(address)
        ann.page.locator(ready).first.wait_for()
        scripts = [event for event in traffic.travelled if event["initiator"]["type"] == "script"]
        assert addresses(scripts) == []
