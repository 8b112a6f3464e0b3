"""Inviting people: a link, a code; and what is done when they go away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.web.network import network_hosts
from tests.clock import ManualClock
from tests.conftest import require
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import ask
from tests.web.browser.test_home import first_move, running
from tests.web.browser.visitor import POLLING
from tests.web.local import LocalServer
from tests.web.people import GAME, join, start
from tests.web.serving import COMMAND, Server, until
from tests.web.test_claims import GRACE_S, leave
from tests.web.test_rematches import rematch

#: Notes what the page says of who is away, and whether the game can be claimed.
NOTE_CLAIMS = """() => {
  const [text, button] = [".claim p", "[data-key=claim]"].map((one) => document.querySelector(one));
  window.claims = [];
  new MutationObserver(() => window.claims.push([text.textContent, !button.hidden]))
    .observe(text, { childList: true, characterData: true, subtree: true });
}"""
#: A clock that is a year ahead, and runs ten times as fast.
SKEWED_CLOCK = """() => {
  const start = Date.now();
  const now = () => start + 3e10 + 10 * (performance.now());
  globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length ? given : [now()])); }
    static now() { return now(); }
  };
}"""


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[Server]:
    """A server that listens in every network."""
    require(network_hosts(), "A network", "connect this machine to one")
    command = (*COMMAND, "--host", "0.0.0.0")
    found = Server(tmp_path, f"sqlite:///{tmp_path}/games.sqlite3", command=command)
    found.start()
    yield found
    found.stop()


def test_who_can_open_a_link_is_said_with_it(visit: Visit, server: Server) -> None:
    with server.client() as http:
        host = start(http, GAME)
    ann = visit()
    ann.context.add_init_script(
        "navigator.share = (what) => { globalThis.shared = what; return Promise.resolve(); }"
    )
    ann.page.goto(ann.sit(host))
    ann.page.get_by_text("This link works only on this computer").wait_for()
    assert ann.page.locator("svg.code").count() == 0
    ann.page.get_by_role("button", name="Share…").click()
    assert ann.page.evaluate("shared.url") == f"{server.url}/play/{host.id}"


def test_a_page_that_was_opened_here_offers_the_address_of_the_network(
    visit: Visit, open_server: Server
) -> None:
    with open_server.client() as http:
        host = start(http, GAME)
        shown = network_hosts()[0]
        ann = visit(open_server.url)
        ann.page.goto(ann.sit(host))
        ann.page.locator("svg.code").wait_for()
        link = ann.page.get_by_label("Link to this game", exact=True).input_value()
        assert link == f"http://{shown}:{open_server.port}/play/{host.id}"
        bo = visit(link.partition("/play")[0])
        bo.join(link, "Bo")
        ann.page.locator(".headline", has_text="Your turn").wait_for()
        # Nobody else is told how the machine is called in its networks.
        here = http.get("/api/addresses").json()
        assert here == {"addresses": [f"http://{shown}:{open_server.port}/"]}
        there = bo.page.evaluate("fetch('/api/addresses').then((answer) => answer.json())")
        assert there == {"addresses": []}
    # All that a browser may say of a page without TLS is that it passes over one header.
    assert all("Cross-Origin-Opener-Policy" in error for error in bo.errors)
    bo.errors.clear()


def test_an_invitation_says_what_the_game_is_and_its_guest_is_no_spectator(visit: Visit) -> None:
    ann, bo = visit(), visit()
    link = ann.start(GAME, "Ann")
    bo.page.goto(link)
    form = bo.page.locator("form.invitation")
    bo.page.get_by_text("Ann challenges you to").first.wait_for()
    form.get_by_text(nd.load(GAME).summary).wait_for()
    assert form.get_by_role("button").count() == 1
    # The rules unfold there, and nothing else leads to them.
    form.get_by_text("Rules of").click()
    form.locator(".rule-text li").first.wait_for()
    assert bo.page.locator("main").get_by_role("link", name="Rules").count() == 0
    bo.page.get_by_label("Your name").fill("Bo")
    bo.page.get_by_role("button", name="Join the game").click()
    ann.page.locator(".headline", has_text="Your turn").wait_for()
    assert ann.page.get_by_text("watching").count() == 0
    # On the front page Ann hears of her games, and is at the table of none.
    ann.page.goto("/")
    running(ann, "Your turn")
    first_move(ann, link)
    running(ann, "Their turn")
    first_move(bo, link)
    running(ann, "Your turn")
    view = link.replace("/play/", "/api/games/")
    until(lambda: not ask(bo, view)["players"][0]["present"])


def test_a_claim_is_decided_by_the_server_whatever_the_clock_of_the_page(
    visit: Visit, own_server: Callable[..., LocalServer]
) -> None:
    clock = ManualClock()
    server = own_server(clock, claim_after=8, grace=GRACE_S)
    with server.client() as http:
        host = start(http, GAME)
        guest = join(host)
        ann, eve = visit(server.url), visit(server.url)
        ann.context.add_init_script(f"({SKEWED_CLOCK})()")
        there = guest.listen()
        there.until_version(1)
        ann.page.goto(ann.sit(host))
        ann.page.locator(".player", has_text="Ann").wait_for()
        eve.page.goto(f"/play/{host.id}")
        eve.page.locator(".board").wait_for()
        assert host.move(1, "1").status_code == 200
        ann.page.locator(".headline", has_text="You chose").wait_for()
        assert ann.page.locator(".claim").is_hidden()
        ann.page.evaluate(NOTE_CLAIMS)
        leave(there, clock)
        ann.page.locator(".seat-2 .dot:not(.here)").wait_for()
        server.advance(2)  # a quarter of the time: nothing is said of a short absence
        ann.page.wait_for_function("() => claims.length", polling=POLLING)
        server.advance(6)
        ann.page.locator("[data-key=claim]").click()
        (first, early), *_, (last, late) = ann.page.evaluate("claims")
        assert first.startswith("Bo is away. You can claim the game in 0:0")
        assert last == "Bo has been away for too long."
        assert (early, late) == (False, True)
        ann.page.locator(".headline", has_text="You win").wait_for()
        ann.page.get_by_text("Bo forfeits: away for too long.").first.wait_for()
        # The rematch is told to who still looks, and goes on with the score.
        again = rematch(guest)
        ann.page.get_by_role("button", name="Go to the rematch").click()
        ann.page.wait_for_url(f"**/play/{again.id}*")
        ann.page.get_by_text("You \u2013 Bo 1 : 0").wait_for()
        # Nobody waits for a review when the server stops.
        eve.context.close()
