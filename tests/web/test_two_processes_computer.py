"""A computer's turn where two processes share a database: made once, whichever of them dies."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from random import Random

import httpx

import number_duels as nd
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.stored_game import Event, EventKind
from tests.web.conftest import Clients
from tests.web.people import GAME, Guest, Json, play_out, start, step
from tests.web.serving import Server


def test_a_computers_turn_is_made_once(clients: Clients) -> None:
    """Both processes call the computer to the table whenever they are asked about it."""
    for game in nd.games():
        wish: Json = {"opponent": "random", "seed": 5}
        whole = play_out((start(clients[0], game, **wish),), Random(2))
        person = start(clients[0], game, **wish)
        there, rng = replace(person, http=clients[1]), Random(2)
        while not (view := person.view())["over"]:
            step(person if view["turn"] % 2 else there, rng)
            there.view()
        for end in (person.view(), there.view()):
            assert (end["moves"], end["version"]) == (whole["moves"], whole["version"])


def test_a_computers_turn_that_a_killed_process_left_is_made_by_another(
    clients: Clients, two_servers: tuple[Server, Server]
) -> None:
    left = []
    for game in nd.games() * 3:
        person = start(clients[0], game, opponent="random", seed=6)
        watcher = replace(person, http=clients[1]).listen()
        watcher.until(lambda found: found and (found[-1]["options"] or found[-1]["draw"]))
        left.append((person, watcher))
    with ThreadPoolExecutor(len(left)) as pool:
        calls = [pool.submit(quietly, person) for person, _ in left]
        two_servers[0].kill()
        for call in calls:
            call.result()
    for _, watcher in left:
        # Nobody asks anything any more: who only looks on must see the computer move.
        watcher.until(lambda found: for_a_person(found[-1]))
        watcher.close()


def quietly(person: Guest) -> None:
    """One step, whatever becomes of it."""
    with suppress(httpx.TransportError):
        step(person, Random(0))


def for_a_person(view: Json) -> bool:
    """Whether nothing is the computer's to do."""
    return bool(view["options"] or view["draw"] or view["over"])


def test_who_hears_of_a_computers_turn_makes_it_if_nobody_else_does(
    clients: Clients, two_servers: tuple[Server, Server]
) -> None:
    """A process takes a person's choice and dies before the computer's next one."""
    person = start(clients[0], GAME, opponent="random", seed=6)
    stream = person.listen()
    stream.until(lambda found: found and found[-1]["chosen"] == [2])

    async def take_and_die() -> None:
        store = GameRepository(two_servers[0].database)
        before = await store.load(person.id)
        assert before is not None
        choice = Event(EventKind.MOVE, nd.Seat.ONE, 1, "1")
        after = replace(before.with_event(choice), version=before.version + 1)
        await store.advance(before, after)
        await store.close()

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, take_and_die()).result()
    stream.until(lambda found: (found[-1]["turn"], found[-1]["chosen"]) == (2, [2]))
    stream.close()
