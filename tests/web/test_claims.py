"""A game that waits for somebody who is away can be claimed, when the server says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx
import pytest

import number_duels as nd
from tests.clock import ManualClock
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, Json, Stream, join, pair, start
from tests.web.test_rematches import rematch

CLAIM_AFTER_S = 120
#: Of who is away for no longer than this nothing is said.
UNTOLD_S = 15
#: No timer of the server has the same length: a test waits until this one is set.
GRACE_S = 3.5


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def clocked(own_server: Callable[..., LocalServer], clock: ManualClock) -> LocalServer:
    """A server whose time passes when the test says so."""
    return own_server(clock, claim_after=CLAIM_AFTER_S, grace=GRACE_S)


@pytest.fixture
def table(clocked: LocalServer) -> Iterator[tuple[Guest, Guest]]:
    """A game in which the first has chosen."""
    with clocked.client() as http:
        one, two = pair(http, GAME)
        assert one.move(1, "1").status_code == 200
        yield one, two


def refused(answer: httpx.Response, sentence: str) -> None:
    """Whether a claim was refused, and why."""
    assert (answer.status_code, re.search(sentence, answer.json()["error"]) is not None) == (
        409,
        True,
    ), answer.text


def leave(stream: Stream, clock: ManualClock) -> None:
    """Go away, for longer than it takes to load a page."""
    stream.close()
    clock.until_waiting(GRACE_S, after=GRACE_S - 0.01)
    clock.advance(GRACE_S)


def test_who_is_away_for_the_stated_time_forfeits(
    table: tuple[Guest, Guest], clocked: LocalServer, clock: ManualClock
) -> None:
    one, two = table
    mine, theirs = one.listen(), two.listen()
    mine.until(lambda found: found and found[-1]["players"][1]["present"])
    assert one.view()["claim"] is None
    refused(one.post("claim"), "Your opponent is here")
    leave(theirs, clock)
    mine.until(lambda found: not found[-1]["players"][1]["present"])
    # Nobody asks: the stream itself tells when there is something to tell, and when it is time.
    assert mine.events[-1]["claim"] is None, "most come back"
    clocked.advance(UNTOLD_S)
    mine.until(lambda found: found[-1]["claim"] == {"after_s": CLAIM_AFTER_S - UNTOLD_S})
    clocked.advance(CLAIM_AFTER_S - UNTOLD_S - 1)
    refused(one.post("claim"), r"You can claim the game in 0:01\.")
    clocked.advance(1)
    mine.until(lambda found: found[-1]["claim"] == {"after_s": 0})
    won = one.post("claim", {"turn": 1})
    assert won.status_code == 200, won.text
    assert (won.json()["result"], won.json()["reason"]) == (
        "1-0",
        "Bo forfeits: away for too long.",
    )
    again = one.post("claim", {"turn": 1})
    assert (again.status_code, again.json()["version"]) == (200, won.json()["version"])
    assert mine.until(lambda found: found[-1]["over"])[-1]["claim"] is None
    assert two.move(1, "1").status_code == 409, "it is too late for the other"
    record = nd.Record.from_json(two.get("record").text)
    assert (record.result, record.reason) == ("1-0", "Player 2 forfeits: away for too long.")
    mine.close()


def test_a_claim_comes_too_early(table: tuple[Guest, Guest]) -> None:
    one, _ = table
    assert one.view()["claim"] is None, "most come back, so nothing is said at first"
    refused(one.post("claim"), r"You can claim the game in 2:00\.")
    refused(one.post("claim", {"turn": 2}), "It is turn 1 now")


def test_everybody_has_the_whole_time_from_when_the_game_waits_for_them(
    clocked: LocalServer,
) -> None:
    with clocked.client() as http:
        one, _ = pair(http, GAME)
        clocked.advance(CLAIM_AFTER_S - 1)
        assert one.move(1, "1").status_code == 200
        clocked.advance(2)  # the other was last seen longer ago than that
        refused(one.post("claim"), r"You can claim the game in 1:58\.")
        clocked.advance(CLAIM_AFTER_S - 2)
        assert one.post("claim").json()["result"] == "1-0"


def test_who_comes_back_in_time_has_lost_nothing(
    table: tuple[Guest, Guest], clocked: LocalServer, clock: ManualClock
) -> None:
    one, two = table
    clocked.advance(CLAIM_AFTER_S)
    assert one.view()["claim"] == {"after_s": 0}
    back = two.listen()
    back.until_version(1)
    refused(one.post("claim"), "Your opponent is here")
    assert two.move(1, "2").status_code == 200
    leave(back, clock)
    refused(one.post("claim"), "your turn")


def test_who_plays_without_a_stream_is_not_away(
    table: tuple[Guest, Guest], clocked: LocalServer
) -> None:
    one, two = table
    for _ in range(6):
        clocked.advance(CLAIM_AFTER_S / 3)
        assert two.view()["claim"] is None
        assert one.view()["claim"] is None
    clocked.advance(CLAIM_AFTER_S)
    assert one.post("claim").json()["result"] == "1-0"


def test_there_is_nothing_to_claim_from_nobody_or_the_computer(http: httpx.Client) -> None:
    alone = start(http, GAME)
    assert alone.view()["claim"] is None
    refused(alone.post("claim"), "Nobody has joined yet")
    computer = start(http, GAME, opponent="random")
    refused(computer.post("claim"), "The computer is never away")
    assert Guest(http, alone.id).post("claim").status_code == 401
    one, two = pair(http, GAME)
    refused(one.post("claim"), "your turn")
    assert two.view()["claim"] is None


def watching(number: int) -> Callable[[list[Json]], bool]:
    return lambda found: bool(found[-1]["watching"] == number)


def test_spectators_are_counted(
    table: tuple[Guest, Guest], clocked: LocalServer, clock: ManualClock
) -> None:
    one, two = table
    mine = one.listen()
    mine.until(bool)
    watchers = [Guest(one.http, one.id).listen() for _ in range(2)]
    for watcher in watchers:
        watcher.until(bool)
    assert two.view()["watching"] == 2, "who asks is told at once"
    clocked.advance(1)
    mine.until(watching(2))
    for left in (1, 0):
        watchers.pop().close()
        clock.until_waiting(1.0, count=2)  # and the look for connections that are overdue
        clocked.advance(1)
        mine.until(watching(left))
    mine.close()


def test_an_invited_person_is_a_spectator_only_once_somebody_else_has_joined(
    clocked: LocalServer,
) -> None:
    with clocked.client() as http:
        host = start(http, GAME)
        mine, invited = host.listen(), Guest(http, host.id).listen()
        for stream in (mine, invited):
            stream.until(bool)
        clocked.advance(1)
        assert host.view()["watching"] == 0
        assert join(host).view()["watching"] == 0
        clocked.advance(1)
        assert host.view()["watching"] == 1
        clocked.advance(1)
        mine.until(watching(1))
        invited.close()
        mine.close()


def test_a_series_is_counted_over_rematches(http: httpx.Client) -> None:
    ann, bo = pair(http, GAME)
    assert ann.view()["series"] == {"wins": [0, 0], "draws": 0}
    for bo_loses, score in ((True, [1, 0]), (False, [1, 1]), (True, [2, 1])):
        # The score is told by the seats of each game, and they swap them.
        seats = score if ann.seat == 1 else score[::-1]
        assert (bo if bo_loses else ann).post("resign").status_code == 200
        assert bo.view()["series"] == {"wins": seats, "draws": 0}
        ann, bo = rematch(ann), rematch(bo)
        assert ann.view()["series"] == {"wins": seats[::-1], "draws": 0}


def test_a_game_that_nobody_joined_is_called_off(http: httpx.Client) -> None:
    alone = start(http, GAME)
    stream = alone.listen()
    stream.until_version(1)
    answer = alone.post("resign")
    assert (answer.status_code, answer.json()["over"], answer.json()["result"]) == (200, True, "*")
    assert answer.json()["reason"] == "The game was canceled; nobody had joined."
    stream.until_closed()
    assert b"event: gone" in stream.raw
    assert alone.get().status_code == 404
    # So is a rematch to which the other never came, and the next one is open to both.
    one, two = pair(http, GAME)
    one.post("resign")
    waiting = rematch(one)
    assert waiting.post("resign").json()["over"]
    assert rematch(one).id == rematch(two).id != waiting.id
    # Whoever joins in time is never left with a game that is not there.
    host = start(http, GAME)
    join(host)
    assert host.post("resign").json()["result"] == "0-1"
