"""Whatever crashes: each accepted move applies exactly once, and replay equals state.

A table is played by people who repeat themselves, send things out of order and
at the same instant, and come and go, while the server is killed and started
again. Where processes share a database there are two, and everybody moves from
one to the other. Both have profiles, and carry them to more and more devices
(`profile_faults.py`). Beside it runs a match of our own, which no crash can touch;
each process must always show what that match shows, to each viewer what it may
see.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

import httpx
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.web.service.views import board
from tests.clock import ManualClock
from tests.web.claim_faults import ClaimActions
from tests.web.local import LocalServer
from tests.web.people import Guest, Stream
from tests.web.profile_faults import ProfileActions, forgetful
from tests.web.serving import Server

SLOW = os.environ.get("NUMBER_DUELS_SLOW") == "1"
KILLS = 6 if SLOW else 2
SEATS = st.sampled_from(list(nd.Seat))
PICKS = st.integers(0, 1000)


class Table(ClaimActions, ProfileActions):
    """One table on servers that may die at any moment."""

    max_kills = KILLS

    def __init__(self, servers: Sequence[Server]) -> None:
        super().__init__()
        self.servers = servers
        for server in servers:
            if not server.alive:  # what failed before it was restarted is tried again
                server.start()
        self.clients = [forgetful(server.client()) for server in servers]
        self.pool = ThreadPoolExecutor(4)
        self.kills = 0
        self.streams: list[Stream] = []
        #: Every choice that was accepted, and in which turns who drew.
        self.moves: dict[tuple[int, nd.Seat], str] = {}
        self.draws: list[tuple[int, nd.Seat]] = []
        self.pending: dict[nd.Seat, str] = {}

    def teardown(self) -> None:
        for stream in self.streams:
            stream.close()
        for client in self.clients:
            client.close()
        self.pool.shutdown()

    # ---- what we know --------------------------------------------------------------

    @initialize(game=st.sampled_from(nd.games()), seed=st.integers(0, 2**40))
    def sit_down(self, game: str, seed: int) -> None:
        # Our own match never holds a pending choice, so nothing it shows depends on one.
        self.match: AnyMatch = nd.Match(nd.load(game), seed)
        one, two = (self.new_profile(seat, "") for seat in nd.Seat)
        wish = {"game": game, "name": "Ann", "seed": seed}
        begun = one.http.post("/api/games", json=wish, headers=one.headers).json()
        one.id = two.id = begun["id"]
        joined = two.post("seats", {"name": "Bo"}).json()
        self.devices = {nd.Seat.ONE: [one], nd.Seat.TWO: [two]}
        self.guests = {
            nd.Seat.ONE: Guest(self.clients[0], one.id, begun["token"]),
            nd.Seat.TWO: Guest(self.clients[-1], one.id, joined["token"]),
        }
        self.spectator = Guest(self.clients[0], one.id)

    def options(self, seat: nd.Seat) -> list[str]:
        """What a seat may choose now."""
        if seat in self.pending:
            return []
        return [str(move) for move in self.match.options(seat)]

    def took(self, seat: nd.Seat, move: str) -> None:
        """A choice was accepted."""
        self.moves[self.match.turn_number, seat] = move
        self.pending[seat] = move
        turn = self.match.turn
        assert isinstance(turn, nd.Decision)
        if self.pending.keys() == turn.options.keys():
            for each, text in self.pending.items():
                self.match.submit(each, self.match.game.parse(text))
            self.pending = {}

    @property
    def over(self) -> bool:
        return isinstance(self.match.turn, nd.Outcome)

    # ---- what people do --------------------------------------------------------------

    @rule(seat=SEATS, pick=PICKS)
    def choose(self, seat: nd.Seat, pick: int) -> None:
        """A choice, if it is for this seat to choose; refused otherwise."""
        turn, options = self.match.turn_number, self.options(seat)
        if options:
            move = options[pick % len(options)]
            assert self.guests[seat].move(turn, move).status_code == 200
            self.took(seat, move)
        elif (turn, seat) not in self.moves:
            assert self.guests[seat].move(turn, "1").status_code in (409, 422)

    @precondition(lambda self: isinstance(self.match.turn, nd.Chance))
    @rule()
    def draw(self) -> None:
        """A card, for who draws; refused to the other."""
        turn, seat = self.match.turn_number, self.match.drawer
        assert seat is not None
        assert self.guests[seat.other].post("draw", {"turn": turn}).status_code == 409
        assert self.guests[seat].post("draw", {"turn": turn}).status_code == 200
        self.match.draw()
        self.draws.append((turn, seat))

    @precondition(lambda self: self.moves)
    @rule(pick=PICKS)
    def repeat(self, pick: int) -> None:
        """What was sent before, again: accepted, and nothing changes."""
        (turn, seat), move = list(self.moves.items())[pick % len(self.moves)]
        version = self.spectator.view()["version"]
        answer = self.guests[seat].move(turn, move)
        assert (answer.status_code, answer.json()["version"]) == (200, version)

    @precondition(lambda self: self.draws)
    @rule(pick=PICKS)
    def draw_again(self, pick: int) -> None:
        """A card that was drawn is not drawn again."""
        turn, seat = self.draws[pick % len(self.draws)]
        version = self.spectator.view()["version"]
        answer = self.guests[seat].post("draw", {"turn": turn})
        assert (answer.status_code, answer.json()["version"]) == (200, version)

    @precondition(lambda self: self.moves)
    @rule(pick=PICKS)
    def change_ones_mind(self, pick: int) -> None:
        """Another choice in a turn that has one is refused."""
        (turn, seat), move = list(self.moves.items())[pick % len(self.moves)]
        others = [str(m) for m in self.match.options(seat) if str(m) != move]
        if others:
            assert self.guests[seat].move(turn, others[0]).status_code == 409

    @rule(seat=SEATS, ahead=st.integers(1, 3))
    def come_too_early(self, seat: nd.Seat, ahead: int) -> None:
        """A choice for a turn that has not come is refused."""
        options = self.options(seat) or ["1"]
        answer = self.guests[seat].move(self.match.turn_number + ahead, options[0])
        assert answer.status_code in (409, 422)

    @precondition(lambda self: any(self.options(seat) for seat in nd.Seat))
    @rule(pick=PICKS)
    def choose_at_the_same_instant(self, pick: int) -> None:
        """Everybody who may choose does so at once, and twice."""
        turn = self.match.turn_number
        chosen = {seat: o[pick % len(o)] for seat in nd.Seat if (o := self.options(seat))}
        calls = [
            self.pool.submit(self.guests[seat].move, turn, move)
            for seat, move in chosen.items()
            for _ in range(2)
        ]
        assert {call.result().status_code for call in calls} == {200}
        for seat, move in chosen.items():
            self.took(seat, move)

    @rule()
    def crowd_the_table(self) -> None:
        """There are two seats."""
        assert self.spectator.post("seats", {"name": "Cy"}).status_code == 409

    @rule(seat=st.sampled_from([None, *nd.Seat]))
    def look_on(self, seat: nd.Seat | None) -> None:
        """A stream shows the current position first."""
        self.looked_on = True
        guest = self.spectator if seat is None else self.guests[seat]
        stream = guest.listen()
        view = stream.until(lambda found: found)[0]
        assert view["moves"] == self.match.moves(seat)
        self.streams.append(stream)

    @precondition(lambda self: self.streams)
    @rule()
    def look_away(self) -> None:
        """A stream is closed."""
        self.streams.pop(0).close()

    @precondition(lambda self: len(self.clients) > 1)
    @rule(seat=st.sampled_from([None, *nd.Seat]), pick=PICKS)
    def go_to_another_process(self, seat: nd.Seat | None, pick: int) -> None:
        """Somebody is sent to another process from now on."""
        guest = self.spectator if seat is None else self.guests[seat]
        guest.http = self.clients[pick % len(self.clients)]

    # ---- what befalls the server -----------------------------------------------------

    @precondition(lambda self: self.kills < KILLS)
    @rule(pick=PICKS)
    def kill(self, pick: int) -> None:
        """A server dies between two requests."""
        self.kills += 1
        server = self.servers[pick % len(self.servers)]
        server.kill()
        server.restart()

    @precondition(lambda self: self.kills < KILLS and any(self.options(seat) for seat in nd.Seat))
    @rule(pick=PICKS, delay=st.floats(0, 0.02))
    def kill_in_the_middle(self, pick: int, delay: float) -> None:
        """A server dies while it takes a choice; sent again, to any, the choice is there once."""
        self.kills += 1
        seat = next(seat for seat in nd.Seat if self.options(seat))
        options, turn = self.options(seat), self.match.turn_number
        move = options[pick % len(options)]
        guest = self.guests[seat]
        server = self.servers[self.clients.index(guest.http)]
        call = self.pool.submit(guest.move, turn, move)
        wait([call], timeout=delay)
        server.kill()
        with suppress(httpx.TransportError):
            assert call.result().status_code == 200
        guest.http = self.clients[pick % len(self.clients)]
        if guest.http is self.clients[self.servers.index(server)]:
            server.restart()
            assert guest.move(turn, move).status_code == 200
        else:
            assert guest.move(turn, move).status_code == 200
            server.restart()
        self.took(seat, move)

    # ---- what must hold --------------------------------------------------------------

    @invariant()
    def everybody_sees_what_they_may(self) -> None:
        """Each view is what our own match shows that viewer, without any pending choice."""
        if not hasattr(self, "match"):
            return
        for viewer, guest in [(None, self.spectator), *self.guests.items()]:
            view = guest.view()
            assert view["turn"] == self.match.turn_number
            assert view["moves"] == self.match.moves(viewer)
            assert view["chosen"] == [seat + 1 for seat in sorted(self.pending)]
            assert view["options"] == ([] if viewer is None else self.options(viewer))
            assert view["board"] == jsoned(board(self.match.game, self.match.view(viewer)))
            assert (view["over"], view["result"]) == (self.over, self.match.result)
            # The last entry may say that somebody gave up, in the middle of a turn.
            log = view["log"][:-1] if view["conceded"] else view["log"]
            told = [entry["turn"] for entry in log]
            assert told == sorted(set(told))


def jsoned(parts: list[dict[str, object]]) -> list[dict[str, object]]:
    """Parts as they come out of JSON."""
    return [{name: listed(value) for name, value in part.items()} for part in parts]


def listed(value: object) -> object:
    return [listed(one) for one in value] if isinstance(value, tuple) else value


def test_no_interruption_loses_doubles_or_reorders_a_move(
    own_server: Callable[..., LocalServer],
) -> None:
    play_at([own_server(ManualClock())])


def test_a_game_can_be_claimed_from_who_looked_on_and_left(
    own_server: Callable[..., LocalServer],
) -> None:
    table = Table([own_server(ManualClock())])
    table.sit_down(game="high-low-battle", seed=0)
    table.choose(seat=nd.Seat.ONE, pick=0)
    table.look_on(seat=nd.Seat.TWO)
    table.look_away()
    table.claim_after_a_while(seat=nd.Seat.ONE)
    table.everybody_sees_what_they_may()
    assert table.over
    table.teardown()


def test_no_crash_does(own_process: Callable[..., Server]) -> None:
    play_at([own_process()])


def test_no_crash_of_one_of_two_processes_does(two_servers: tuple[Server, Server]) -> None:
    play_at(two_servers)


def play_at(servers: Sequence[Server]) -> None:
    """Whatever Hypothesis thinks of."""

    class OnTheseServers(Table):
        def __init__(self) -> None:
            super().__init__(servers)

    run_state_machine_as_test(
        OnTheseServers,
        settings=settings(max_examples=25 if SLOW else 2, stateful_step_count=40),
    )
    for server in servers:
        assert "Traceback" not in server.log
