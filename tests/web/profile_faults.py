"""What people with profiles do at a table whose servers may die at any moment."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.web.request_limits import PROFILE_COOKIE
from tests.web.people import Guest, Json
from tests.web.serving import Server

SEATS = st.sampled_from(list(nd.Seat))
PICKS = st.integers(0, 1000)


def forgetful(client: httpx.Client) -> httpx.Client:
    """A client that several browsers can share, as it keeps nobody's cookies."""
    client.cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return client


@dataclass
class Device(Guest):
    """A browser that has a profile, and nothing else, at a table."""

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": f"{PROFILE_COOKIE}={self.token}"} if self.token else {}

    def me(self, method: str = "GET", what: str = "", **body: Json) -> httpx.Response:
        path = f"/api/me/{what}".rstrip("/")
        sent = body if method == "POST" else None
        return self.http.request(method, path, headers=self.headers, json=sent)


class ProfileActions(RuleBasedStateMachine):
    """Profiles in both seats, on more and more devices; every code is used once at most."""

    servers: Sequence[Server]
    clients: Sequence[httpx.Client]
    pool: ThreadPoolExecutor
    match: AnyMatch
    kills: int
    max_kills: int

    def __init__(self) -> None:
        super().__init__()
        self.devices: dict[nd.Seat, list[Device]] = {}
        #: The code of each profile that has one, and all codes that must not work any more.
        self.codes: dict[nd.Seat, str] = {}
        self.dead_codes: list[str] = []

    def options(self, seat: nd.Seat) -> list[str]:
        raise NotImplementedError

    def took(self, seat: nd.Seat, move: str) -> None:
        raise NotImplementedError

    def new_profile(self, pick: int, game: str) -> Device:
        """A browser that makes a profile."""
        device = Device(self.clients[pick % len(self.clients)], game)
        return self.with_cookie(device, device.me("POST", name="Ann"))

    def with_cookie(self, device: Device, answer: httpx.Response) -> Device:
        assert answer.status_code == 200, answer.text
        token = answer.cookies[PROFILE_COOKIE]
        return Device(device.http, device.id, token)

    # ---- what people do --------------------------------------------------------------

    @rule(seat=SEATS, pick=PICKS)
    def choose_on_another_device(self, seat: nd.Seat, pick: int) -> None:
        """A choice by a profile alone, if it is for its seat to choose."""
        options, device = self.options(seat), self.pick_device(seat, pick)
        if options:
            move = options[pick % len(options)]
            assert device.move(self.match.turn_number, move).status_code == 200
            self.took(seat, move)

    @rule(seat=SEATS, pick=PICKS)
    def ask_for_a_code(self, seat: nd.Seat, pick: int) -> None:
        """A new code takes the place of the one before."""
        answer = self.pick_device(seat, pick).me("POST", "code")
        assert answer.status_code == 200
        if seat in self.codes:
            self.dead_codes.append(self.codes[seat])
        self.codes[seat] = answer.json()["code"]

    @precondition(lambda self: self.codes)
    @rule(pick=PICKS, own=st.booleans())
    def redeem_at_the_same_instant(self, pick: int, own: bool) -> None:
        """Of several who have a code one gets the profile, also one that has its own."""
        seat, code = self.pick_code(pick)
        new = [self.new_device(pick + place, own=own) for place in range(3)]
        calls = [self.pool.submit(device.me, "POST", "redeem", code=code) for device in new]
        answers = [call.result() for call in calls]
        assert sorted(answer.status_code for answer in answers) == [200, 404, 404]
        self.use_up(seat)
        for device, answer in zip(new, answers, strict=True):
            if answer.status_code == 200:
                self.devices[seat].append(self.with_cookie(device, answer))
            else:
                assert device.view()["you"] is None

    @precondition(lambda self: self.dead_codes)
    @rule(pick=PICKS)
    def redeem_again(self, pick: int) -> None:
        """What was used or replaced does not work."""
        code = self.dead_codes[pick % len(self.dead_codes)]
        assert self.new_device(pick).me("POST", "redeem", code=code).status_code == 404

    @rule(pick=PICKS)
    def intrude(self, pick: int) -> None:
        """Another profile has no seat here."""
        stranger = self.new_device(pick, own=True)
        assert stranger.view()["you"] is None
        assert stranger.move(self.match.turn_number, "1").status_code == 401
        assert stranger.me("DELETE").status_code == 204

    # ---- what befalls the server -----------------------------------------------------

    @precondition(lambda self: self.codes and self.kills < self.max_kills)
    @rule(pick=PICKS, delay=st.floats(0, 0.02))
    def kill_while_a_code_is_redeemed(self, pick: int, delay: float) -> None:
        """A server dies meanwhile: the code was used or was not, and never works twice."""
        self.kills += 1
        seat, code = self.pick_code(pick)
        device = self.new_device(pick)
        server = self.servers[list(self.clients).index(device.http)]
        call = self.pool.submit(device.me, "POST", "redeem", code=code)
        wait([call], timeout=delay)
        server.kill()
        answers: list[httpx.Response] = []
        with suppress(httpx.TransportError):
            answers.append(call.result())
        server.restart()
        answers += [self.new_device(pick + n).me("POST", "redeem", code=code) for n in range(2)]
        assert answers[-1].status_code == 404
        worked = [answer for answer in answers if answer.status_code == 200]
        assert len(worked) <= 1
        self.use_up(seat)
        self.devices[seat] += [self.with_cookie(device, answer) for answer in worked]

    # ---- what must hold --------------------------------------------------------------

    @invariant()
    def every_device_has_its_seat(self) -> None:
        """The last devices of both profiles show the table, and whose turn it is."""
        for seat, devices in self.devices.items():
            device = devices[-1]
            assert device.view()["you"] == seat + 1
            shown = device.me().json()
            lists = {line["id"]: line for line in shown["running"] + shown["finished"]}
            line, over = lists[device.id], isinstance(self.match.turn, nd.Outcome)
            assert (line["seat"], line["over"]) == (seat + 1, over)
            assert line["result"] == self.match.result
            draws = isinstance(self.match.turn, nd.Chance) and self.match.drawer is seat
            assert line["your_turn"] == (not over and (draws or bool(self.options(seat))))

    # ---- picking ---------------------------------------------------------------------

    def new_device(self, pick: int, *, own: bool = False) -> Device:
        """A browser that was never here; or one that was, and has a profile of its own."""
        game = self.devices[nd.Seat.ONE][0].id
        if own:
            return self.new_profile(pick, game)
        return Device(self.clients[pick % len(self.clients)], game)

    def pick_device(self, seat: nd.Seat, pick: int) -> Device:
        return self.devices[seat][pick % len(self.devices[seat])]

    def pick_code(self, pick: int) -> tuple[nd.Seat, str]:
        return list(self.codes.items())[pick % len(self.codes)]

    def use_up(self, seat: nd.Seat) -> None:
        self.dead_codes.append(self.codes.pop(seat))
