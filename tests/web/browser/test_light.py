"""How much a visit loads: counted by Chromium's network panel, and by the server."""

from __future__ import annotations

import re
from collections import Counter

import httpx

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE
from tests.web.browser.traffic import Traffic, addresses
from tests.web.browser.visitor import Visitor

MAX_FIRST_VISIT_BYTES = 120_000
#: Round trips one after another.
MAX_DEPTH = 2
#: The page, the view, and the stream of events.
MAX_SECOND_VISIT_REQUESTS = 3
COUNTED = re.compile(r'^duels_requests_total\{route="([^"]+)",.*\} (\S+)$', re.MULTILINE)


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
    visitor.page.locator(PLAYABLE).first.wait_for()
    return traffic


def answered(http: httpx.Client) -> Counter[str]:
    """How many requests the server has answered, by route; a stream counts when it ends."""
    found: Counter[str] = Counter()
    for route, count in COUNTED.findall(http.get("/metrics").text):
        found[route] += int(float(count))
    for other in ("/metrics", "/api/events", "/api/games/{id}/events"):
        del found[other]
    return found


def settled(visitor: Visitor, http: httpx.Client) -> Counter[str]:
    """The same, once nothing of what a page asked for before is under way any more."""
    before, now = Counter("?"), answered(http)
    while before != now:
        visitor.page.wait_for_timeout(200)
        before, now = now, answered(http)
    return now


def test_a_game_loads_little_and_once(visit: Visit, http: httpx.Client) -> None:
    ann = visit()
    address = new_game(ann)
    first = open_table(ann, address)
    asked = addresses(first.travelled)
    assert len(asked) == len(set(asked)), "something was loaded twice"
    # The page names all that it needs: nothing waits for a script to ask for it.
    assert first.depth <= MAX_DEPTH, asked
    ann.page.wait_for_load_state("load")
    assert sum(first.bytes.values()) <= MAX_FIRST_VISIT_BYTES
    # Another tab, another day: only what can have changed is asked for.
    ann.page.close()
    ann.page = ann.context.new_page()
    before = settled(ann, http)
    open_table(ann, address)
    second = answered(http) - before
    assert second["/play/{id}"] == 1
    assert second.total() + 1 <= MAX_SECOND_VISIT_REQUESTS, second


def test_no_page_waits_for_a_script_to_ask(visit: Visit) -> None:
    ann = visit()
    game = nd.games()[0]
    for address, ready in (("/", ".game"), (f"/rules/{game}", ".prose")):
        traffic = Traffic(ann.page)
        ann.page.goto(address)
        ann.page.locator(ready).first.wait_for()
        assert traffic.depth <= MAX_DEPTH, addresses(traffic.travelled)
