"""Buckets that fill by the clock, and how many of them are kept."""

from __future__ import annotations

import pytest

from number_duels.web import rate_limits
from number_duels.web.config import Config
from number_duels.web.rate_limits import RateLimiter, RequestRates, Spacing
from tests.clock import ManualClock

CLIENTS = ("Ann", "Bo", "Cy", "Di")


def test_a_bucket_fills_at_its_rate_and_never_above_its_burst() -> None:
    clock = ManualClock()
    limiter = RateLimiter(rate=0.5, burst=2, clock=clock)

    def at_once() -> int:
        return next(number for number in range(9) if not limiter.allow("Ann"))

    assert at_once() == 2
    clock.advance(1)
    assert at_once() == 0
    clock.advance(1)
    assert at_once() == 1
    clock.advance(1000)
    assert at_once() == 2
    assert limiter.allow("Bo"), "each client has its own"


def test_only_so_many_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_BUCKETS", 3)
    clock = ManualClock()
    limiter = RateLimiter(rate=0.001, burst=1, clock=clock)
    spacing = Spacing(gap_s=1, clock=clock)
    for who in CLIENTS:
        assert limiter.allow(who)
        assert spacing.delay(who) == 0
    # The last three are: whoever asked longest ago begins anew.
    assert [limiter.allow(who) for who in reversed(CLIENTS)] == [False, False, False, True]
    assert [spacing.delay(who) for who in reversed(CLIENTS)] == [1, 1, 1, 0]


def test_only_so_many_seats_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_SEATS", 3)
    rates = RequestRates(Config(), ManualClock())
    for token in (*CLIENTS[:3], CLIENTS[0], CLIENTS[3]):
        rates.remember_seat(token)
    assert [rates.is_seat(token) for token in CLIENTS] == [True, False, True, True]
