"""How much a visit loads, by Chromium's network panel."""

from __future__ import annotations

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE
from tests.web.browser.traffic import Traffic, addresses
from tests.web.browser.visitor import Visitor
from tests.web.people import Json

MAX_FIRST_VISIT_BYTES = 120_000
MAX_SECOND_VISIT_BYTES = 6_000
#: The front page, to somebody new and to somebody who has been there.
MAX_FRONT_PAGE_BYTES = (81_000, 30_000)
#: Round trips one after another.
MAX_DEPTH = 2


def new_game(visitor: Visitor) -> str:
    """A game with a seat in it, without any page having been open."""
    game = nd.games()[0]
    answer = visitor.context.request.post(
        "/api/games", data={"game": game, "name": "Ann", "opponent": "random"}
    )
    return f"/play/{answer.json()['id']}"


def open_table(visitor: Visitor, address: str) -> Traffic:
    """What was asked for until the game could be played, all of it loaded."""
    traffic = Traffic(visitor.page)
    visitor.page.goto(address)
    visitor.page.locator(PLAYABLE).first.wait_for()
    while of_the_page(traffic.unfinished):
        visitor.page.evaluate("() => new Promise(requestAnimationFrame)")
    return traffic


def of_the_page(events: list[Json]) -> list[str]:
    """Without what the browser loads when it likes: the icon of the tab, the script of a worker."""
    return [one for one in addresses(events) if "favicon" not in one and "worker" not in one]


def test_a_game_loads_little_and_once(visit: Visit) -> None:
    ann = visit()
    address = new_game(ann)
    first = open_table(ann, address)
    asked = addresses(first.travelled)
    assert len(asked) == len(set(asked)), "something was loaded twice"
    # The page names all that it needs: nothing waits for a script to ask for it.
    assert first.depth <= MAX_DEPTH, asked
    assert sum(first.bytes.values()) <= MAX_FIRST_VISIT_BYTES
    # Another tab, another day: only what can have changed is asked for.
    ann.page.close()
    ann.page = ann.context.new_page()
    second = open_table(ann, address)
    view = address.replace("/play/", "/api/games/")
    assert of_the_page(second.travelled) == [ann.base + address, ann.base + view]


def test_a_second_visit_does_not_load_the_games_again(visit: Visit) -> None:
    ann, visits = visit(), []
    for _ in range(2):
        traffic = Traffic(ann.page)
        ann.page.goto("/")
        ann.page.locator(".game").first.wait_for()
        while of_the_page(traffic.unfinished):
            ann.page.evaluate("() => new Promise(requestAnimationFrame)")
        visits.append(sum(traffic.bytes.values()))
        ann.page.close()
        ann.page = ann.context.new_page()
    assert visits[0] <= MAX_FIRST_VISIT_BYTES
    assert visits[1] <= MAX_SECOND_VISIT_BYTES


def test_no_page_waits_for_a_script_to_ask(visit: Visit) -> None:
    ann = visit()
    game = nd.games()[0]
    for address, ready in (("/", ".game"), (f"/rules/{game}", ".prose")):
        traffic = Traffic(ann.page)
        ann.page.goto(address)
        ann.page.locator(ready).first.wait_for()
        assert traffic.depth <= MAX_DEPTH, addresses(traffic.travelled)


def test_the_front_page_loads_little(visit: Visit) -> None:
    ann = visit()
    for most in MAX_FRONT_PAGE_BYTES:
        traffic = Traffic(ann.page)
        ann.page.goto("/")
        ann.page.locator(".daily-card .offer").first.wait_for()
        while of_the_page(traffic.unfinished):
            ann.page.evaluate("() => new Promise(requestAnimationFrame)")
        assert sum(traffic.bytes.values()) <= most, addresses(traffic.travelled)
        ann.page.close()
        ann.page = ann.context.new_page()
