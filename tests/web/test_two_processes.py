"""Two processes on one PostgreSQL: the same games, whoever is connected to which."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import number_duels as nd
from number_duels.web.db.schema import VERSION
from tests.web.conftest import Clients
from tests.web.forked import ForkedServer
from tests.web.people import GAME, Guest, Json, pair, play_out, start, step
from tests.web.postgres import Cluster
from tests.web.serving import LIFTED, Server, until


def apart(clients: Clients, game: str, **wish: Json) -> tuple[Guest, Guest]:
    """Two people at a table, each connected to a process of its own."""
    one, two = pair(clients[0], game, **wish)
    return one, replace(two, http=clients[1])


def shows(guest: Guest, found: list[Json]) -> bool:
    """Whether the last view of a stream is what a guest would be answered."""
    return bool(found[-1] == guest.view())


def test_players_of_one_game_play_at_different_processes(clients: Clients) -> None:
    for game in (GAME, nd.games()[-1]):
        one, two = apart(clients, game, seed=4)
        watching = (one, two, Guest(clients[1], one.id))
        streams = [guest.listen() for guest in watching]
        rng = Random(7)
        while not one.view()["over"]:
            for guest in (one, two):
                if step(guest, rng):
                    version = guest.view()["version"]
                    for stream in streams:
                        stream.until_version(version)
        for guest, stream in zip(watching, streams, strict=True):
            stream.until(partial(shows, guest))
        for stream in streams:
            stream.close()
        record = nd.Record.from_json(one.get("record").text)
        match = nd.Match.from_record(nd.load(record.game, **record.settings), record)
        assert match.moves(None) == two.view()["moves"]


def test_what_one_process_has_answered_every_process_knows(clients: Clients) -> None:
    """No answer may be older than one that was given before, wherever it was."""
    one, two = apart(clients, GAME)
    here, there = Guest(clients[0], one.id), Guest(clients[1], one.id)
    assert there.view()["players"][1]["seated"], "who has just joined is known everywhere"
    for turn in range(1, 6):
        for guest, other in ((one, there), (two, here)):
            version = guest.move(turn, str(turn)).json()["version"]
            assert other.view()["version"] == version


def test_who_is_connected_to_another_process_is_seen(
    clients: Clients, two_servers: tuple[Server, Server]
) -> None:
    one, two = apart(clients, GAME)
    stream = one.listen()
    stream.until(lambda found: found and present(found[-1]) == [True, False])
    other = two.listen()
    stream.until(lambda found: present(found[-1]) == [True, True])
    other.until(lambda found: found and present(found[-1]) == [True, True])
    other.close()
    stream.until(lambda found: present(found[-1]) == [True, False])
    two.listen().until_version(1)
    stream.until(lambda found: present(found[-1]) == [True, True])
    two_servers[1].kill()
    stream.until(lambda found: present(found[-1]) == [True, False])
    stream.close()


def present(view: dict[str, list[dict[str, bool]]]) -> list[bool]:
    return [player["present"] for player in view["players"]]


def gone(guest: Guest) -> Callable[[], bool]:
    return lambda: guest.get().status_code == 404


def test_who_has_left_another_process_forfeits(clients: Clients) -> None:
    one, two = apart(clients, GAME)
    elsewhere = replace(one, http=clients[1])
    assert one.move(1, "1").status_code == 200
    mine, theirs, watcher = one.listen(), two.listen(), Guest(clients[1], one.id).listen()
    mine.until(lambda found: found and present(found[-1]) == [True, True])
    mine.until(lambda found: found[-1]["watching"] == 1)
    assert elsewhere.post("claim").status_code == 409
    theirs.close()
    mine.until(lambda found: found[-1]["claim"] == {"after_s": 0})
    until(lambda: elsewhere.view()["claim"] == {"after_s": 0})
    assert elsewhere.post("claim", {"turn": 1}).json()["result"] == "1-0"
    assert mine.until(lambda found: found[-1]["over"])[-1]["claim"] is None
    for stream in (mine, watcher):
        stream.close()


def test_racing_submissions_are_each_accepted_once(clients: Clients) -> None:
    with ThreadPoolExecutor(12) as pool:
        for n in range(4):
            one, two = pair(clients[0], GAME)
            move = one.view()["options"][n]
            sent = [replace(guest, http=http) for guest in (one, two) for http in clients] * 3
            calls = [pool.submit(guest.move, 1, move) for guest in sent]
            assert {call.result().status_code for call in calls} == {200}
            for http in clients:
                view = replace(one, http=http).view()
                assert (view["turn"], view["moves"]) == (2, f"{move}/{move}")
                assert view["version"] == 4, "joined, chosen, chosen: no more"


def test_of_different_choices_one_is_accepted(clients: Clients) -> None:
    with ThreadPoolExecutor(12) as pool:
        for _ in range(4):
            one, two = pair(clients[0], GAME)
            sent = [(replace(one, http=clients[n % 2]), str(n + 1)) for n in range(9)]
            calls = [pool.submit(guest.move, 1, move) for guest, move in sent]
            statuses = [call.result().status_code for call in calls]
            assert sorted(statuses) == [200] + [409] * 8
            two.move(1, "1")
            assert one.view()["moves"] == f"{1 + statuses.index(200)}/1"


def test_of_many_who_come_by_the_link_one_is_seated(clients: Clients) -> None:
    with ThreadPoolExecutor(8) as pool:
        host = start(clients[0], GAME)
        names = [f"Guest {n}" for n in range(8)]
        calls = [
            pool.submit(Guest(clients[n % 2], host.id).post, "seats", {"name": name})
            for n, name in enumerate(names)
        ]
        statuses = [call.result().status_code for call in calls]
    assert sorted(statuses) == [201] + [409] * 7
    assert host.view()["players"][1]["name"] == names[statuses.index(201)]


def test_both_ask_for_a_rematch_at_once(clients: Clients) -> None:
    one, two = apart(clients, GAME)
    one.post("resign")
    with ThreadPoolExecutor(2) as pool:
        answers = [call.result() for call in [pool.submit(g.post, "rematch") for g in (one, two)]]
    for client in clients:
        client.cookies.clear()
    assert answers[0].json()["id"] == answers[1].json()["id"]
    assert [answer.json()["seat"] for answer in answers] == [2, 1]
    seated = [
        Guest(client, found["id"], found["token"])
        for client, found in zip(clients, [answer.json() for answer in answers], strict=True)
    ]
    assert play_out((seated[1], seated[0]), Random(1))["over"]


def test_one_process_is_killed_in_mid_game(
    clients: Clients, two_servers: tuple[Server, Server]
) -> None:
    tables = [(apart(clients, game), Random(game)) for game in nd.games()]
    for (one, two), rng in tables:
        for guest in (one, two, one):
            step(guest, rng)
    before = [two.view() for (_, two), _ in tables]
    two_servers[0].kill()
    for ((one, two), rng), view in zip(tables, before, strict=True):
        moved = replace(one, http=clients[1])
        assert two.view()["moves"] == view["moves"]
        assert play_out((moved, two), rng)["over"]
    two_servers[0].restart()
    for (one, two), _ in tables:
        assert one.view()["moves"] == two.view()["moves"]


def test_a_process_that_is_told_to_stop_sends_its_people_to_the_other(
    clients: Clients, two_servers: tuple[Server, Server]
) -> None:
    one, two = apart(clients, GAME)
    streams = one.listen(), two.listen()
    for stream in streams:
        stream.until_version(1)
    assert two_servers[0].stop() == 0
    streams[0].until_closed()
    assert b"\nretry: " in streams[0].raw, "and when to come back"
    moved = replace(one, http=clients[1])
    again = moved.listen()
    play_out((moved, two), Random(3))
    for stream in (again, streams[1]):
        stream.until(lambda found: found[-1]["over"])
        stream.close()


def test_news_that_was_missed_is_made_up_for(clients: Clients, cluster: Cluster) -> None:
    one, two = apart(clients, GAME)
    streams = one.listen(), two.listen()
    for stream in streams:
        stream.until_version(1)
    for turn in range(1, 6):
        # The connections that listen are cut off, while somebody moves.
        cluster.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN"
            " (SELECT pid FROM pg_locks WHERE locktype = 'advisory')",
        )
        for guest in (one, two):
            version = guest.move(turn, str(turn)).json()["version"]
        for stream in streams:
            stream.until_version(version)
    for stream in streams:
        stream.close()


def test_a_process_that_is_added_removes_abandoned_games_everywhere(
    clients: Clients, two_servers: tuple[Server, Server], tmp_path: Path
) -> None:
    guest = start(clients[0], GAME)
    stream = guest.listen()
    # Every process knows that somebody looks at it, before one comes that removes games.
    until(lambda: any(present(replace(guest, http=clients[1]).view())))
    lasting = {**LIFTED, "expire_after": 1, "sweep_every": 0.2}
    third = ForkedServer(tmp_path, two_servers[0].database, settings=lasting)
    third.start()
    try:
        abandoned = start(clients[0], GAME)
        for client in clients:
            until(gone(replace(abandoned, http=client)))
        assert guest.get().status_code == 200, "somebody looks at it, in another process"
        stream.close()
        until(gone(guest))
    finally:
        third.stop()


def test_many_start_at_once_on_an_empty_database(cluster: Cluster, tmp_path: Path) -> None:
    database = cluster.new_database()
    servers = []
    for number in range(3):
        folder = tmp_path / f"server-{number}"
        folder.mkdir()
        servers.append(ForkedServer(folder, database))
    try:
        with ThreadPoolExecutor(len(servers)) as pool:
            list(pool.map(ForkedServer.start, servers))
        assert cluster.ask("SELECT version FROM schema_version", database) == [str(VERSION)]
        with servers[0].client() as http:
            one, two = pair(http, GAME)
            for server in servers:
                with server.client() as other:
                    assert replace(two, http=other).view()["you"] == 2
            assert play_out((one, two), Random(1))["over"]
    finally:
        for server in servers:
            server.stop()
