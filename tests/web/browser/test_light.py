"""How much a visit loads: counted in Chromium, as its network panel counts."""

from __future__ import annotations

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE
from tests.web.browser.traffic import Traffic, addresses
from tests.web.browser.visitor import Visitor

MAX_FIRST_VISIT_BYTES = 120_000
#: Round trips one after another.
MAX_DEPTH = 2
MAX_SECOND_VISIT_REQUESTS = 3


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


def test_a_game_loads_little_and_once(visit: Visit) -> None:
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
    second = open_table(ann, address)
    assert len(second.travelled) <= MAX_SECOND_VISIT_REQUESTS, addresses(second.travelled)


def test_no_page_waits_for_a_script_to_ask(visit: Visit) -> None:
    ann = visit()
    game = nd.games()[0]
    for address, ready in (("/", ".game"), (f"/rules/{game}", ".prose")):
        traffic = Traffic(ann.page)
        ann.page.goto(address)
        ann.page.locator(ready).first.wait_for()
        assert traffic.depth <= MAX_DEPTH, addresses(traffic.travelled)
