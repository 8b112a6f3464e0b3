"""A game that waits for somebody who is away can be claimed, when the server says so."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

import number_duels as nd
from tests.web.forked import ForkedServer
from tests.web.people import GAME, WAIT_LIMIT_S, Guest, join, pair, start
from tests.web.test_rematches import rematch

#: One server, and two processes on one database: everything below holds on both.
CLAIM_AFTER_S = 4
Clients = tuple[httpx.Client, httpx.Client]


@pytest.fixture(scope="module")
def clients(new_database: Callable[[Path], str]) -> Iterator[Clients]:
    """Two clients: of one server on SQLite, of two processes on PostgreSQL."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        database = new_database(Path(folder))
        servers, settings = [], {"DUELS_CLAIM_AFTER": str(CLAIM_AFTER_S)}
        for number in range(2 if database.startswith("postgres") else 1):
            place = Path(folder) / str(number)
            place.mkdir()
            servers.append(ForkedServer(place, database, settings))
            servers[-1].start()
            stack.callback(servers[-1].stop)
        one, two = (stack.enter_context(each.client()) for each in (servers[0], servers[-1]))
        yield one, two
        assert not [server.log for server in servers if "Traceback" in server.log]


def waiting_for_two(clients: Clients) -> tuple[Guest, Guest]:
    """A game in which the first has chosen; each player is at a process of its own."""
    one, two = pair(clients[0], GAME)
    assert one.move(1, "1").status_code == 200
    return one, replace(two, http=clients[1])


def until_claimable(guest: Guest) -> None:
    """Wait until the server says that a game can be claimed now."""
    end = time.monotonic() + WAIT_LIMIT_S
    while guest.view()["claim"] != {"after_s": 0}:
        assert time.monotonic() < end, guest.view()["claim"]
        time.sleep(0.05)


def refused(answer: httpx.Response, sentence: str) -> None:
    """Whether a claim was refused, and why."""
    assert (answer.status_code, re.search(sentence, answer.json()["error"]) is not None) == (
        409,
        True,
    ), answer.text


def test_who_is_away_for_the_stated_time_forfeits(clients: Clients) -> None:
    one, two = waiting_for_two(clients)
    mine, theirs = one.listen(), two.listen()
    mine.until(lambda found: found and found[-1]["players"][1]["present"])
    assert one.view()["claim"] is None
    refused(one.post("claim"), "Your opponent is here")
    theirs.close()
    mine.until(lambda found: found[-1]["claim"] is not None)
    # Nobody asks: the stream itself tells when the time has come.
    mine.until(lambda found: found[-1]["claim"] == {"after_s": 0})
    elsewhere = replace(one, http=clients[1])
    until_claimable(elsewhere)  # it may hear a moment later that the other has gone
    won = elsewhere.post("claim", {"turn": 1})
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


def test_a_claim_comes_too_early(http: httpx.Client) -> None:
    one, _ = waiting_for_two((http, http))
    assert one.view()["claim"] is None, "most come back, so nothing is said at first"
    refused(one.post("claim"), r"You can claim the game in (1:[45]\d|2:00)\.")
    refused(one.post("claim", {"turn": 2}), "It is turn 1 now")


def test_who_comes_back_in_time_has_lost_nothing(clients: Clients) -> None:
    one, two = waiting_for_two(clients)
    until_claimable(one)
    back = two.listen()
    back.until_version(1)
    end = time.monotonic() + WAIT_LIMIT_S
    while not one.view()["players"][1]["present"]:  # the other process has heard of it
        assert time.monotonic() < end
        time.sleep(0.05)
    refused(one.post("claim"), "Your opponent is here")
    assert two.move(1, "2").status_code == 200
    back.close()
    refused(one.post("claim"), "does not wait for your opponent alone|Your opponent is here")


@pytest.mark.slow
def test_who_plays_without_a_stream_is_not_away(clients: Clients) -> None:
    one, two = waiting_for_two(clients)
    end = time.monotonic() + 1.5 * CLAIM_AFTER_S
    while (asked := time.monotonic()) < end:
        assert two.view()["claim"] is None
        claim = one.view()["claim"]
        # Unless this machine itself was away for a while.
        assert claim is None or claim["after_s"] > 0 or time.monotonic() - asked > CLAIM_AFTER_S / 4
        time.sleep(0.1)
    until_claimable(one)
    assert one.post("claim").json()["result"] == "1-0"


def test_there_is_nothing_to_claim_from_nobody_or_the_computer(clients: Clients) -> None:
    alone = start(clients[0], GAME)
    assert alone.view()["claim"] is None
    refused(alone.post("claim"), "Nobody has taken the other seat")
    computer = start(clients[0], GAME, opponent="random")
    refused(computer.post("claim"), "The computer is never away")
    assert Guest(clients[0], alone.id).post("claim").status_code == 401
    # Each has the whole time from the moment when the game began to wait for them.
    one, two = pair(clients[0], GAME)
    refused(one.post("claim"), "does not wait for your opponent alone")
    assert two.view()["claim"] is None


def test_spectators_are_counted(clients: Clients) -> None:
    one, two = pair(clients[0], GAME)
    watchers = [Guest(client, one.id).listen() for client in clients]
    mine = one.listen()
    mine.until(lambda found: found and found[-1]["watching"] == 2)
    watchers.pop().close()
    mine.until(lambda found: found[-1]["watching"] == 1)
    assert replace(two, http=clients[1]).view()["watching"] == 1
    watchers.pop().close()
    mine.until(lambda found: found[-1]["watching"] == 0)
    mine.close()


def test_a_series_is_counted_over_rematches(clients: Clients) -> None:
    ann, bo = pair(clients[0], GAME)
    assert ann.view()["series"] == {"wins": [0, 0], "draws": 0}
    for bo_loses, score in ((True, [1, 0]), (False, [1, 1]), (True, [2, 1])):
        # The score is told by the seats of each game, and they swap them.
        seats = score if ann.seat == 1 else score[::-1]
        assert (bo if bo_loses else ann).post("resign").status_code == 200
        assert bo.view()["series"] == {"wins": seats, "draws": 0}
        ann, bo = rematch(ann), rematch(bo)
        assert ann.view()["series"] == {"wins": seats[::-1], "draws": 0}


def test_a_game_that_nobody_joined_is_called_off(clients: Clients) -> None:
    alone = start(clients[0], GAME)
    stream = alone.listen()
    stream.until_version(1)
    answer = alone.post("resign")
    assert (answer.status_code, answer.json()["over"], answer.json()["result"]) == (200, True, "*")
    assert answer.json()["reason"] == "Nobody had joined; the game is called off."
    stream.until_closed()
    assert b"event: gone" in stream.raw
    for client in clients:
        assert replace(alone, http=client).get().status_code == 404
    # So is a rematch to which the other never came, and the next one is open to both.
    one, two = pair(clients[0], GAME)
    one.post("resign")
    waiting = rematch(one)
    assert waiting.post("resign").json()["over"]
    assert rematch(one).id == rematch(two).id != waiting.id
    # Whoever joins in time is never left with a game that is not there.
    host = start(clients[0], GAME)
    join(host)
    assert host.post("resign").json()["result"] == "0-1"
