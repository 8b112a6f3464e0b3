"""What whoever runs the server may change, each with a default that suits one machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

from number_duels.core.storage import DEFAULT_CACHE_MIB, data_folder

ENVIRONMENT_PREFIX = "DUELS_"
DAY_S = 24 * 60 * 60
MIB = 1024 * 1024
LOG_FORMATS = ("text", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")
#: May be 0; everything else that is a number is above it.
MAY_BE_ZERO = ("drain",)

T = TypeVar("T", int, float, str)


def setting(default: T, meaning: str) -> T:
    """A setting: what it is if nobody says otherwise, and what it means."""
    found: T = field(default=default, metadata={"meaning": meaning})
    return found


@dataclass(frozen=True)
class Config:
    """Limits and times; each is also a flag, and `DUELS_` and its name in the environment.

    >>> Config.read({"expire_after": None}, {"DUELS_EXPIRE_AFTER": "60"}).expire_after
    60.0
    >>> Config.read({"expire_after": "5"}, {"DUELS_EXPIRE_AFTER": "60"}).expire_after
    5.0
    """

    expire_after: float = setting(
        7.0 * DAY_S, "seconds after its last change at which an unfinished game is removed"
    )
    keep_finished: float = setting(
        90.0 * DAY_S, "seconds after its last change at which a finished game is removed"
    )
    finished_games: int = setting(
        500_000, "finished games that are kept; the oldest beyond them are removed"
    )
    unfinished_games: int = setting(500_000, "unfinished games at which no more can be started")
    archive: str = setting(
        "", "a file to which the records of finished games are added before they are removed"
    )
    keep_profiles: float = setting(
        400.0 * DAY_S, "seconds after its last use at which a profile with games is removed"
    )
    keep_new_profiles: float = setting(
        30.0 * DAY_S, "seconds after which a profile without a game is removed"
    )
    profiles: int = setting(
        200_000, "profiles at which those without a game go, and then no more can be made"
    )
    results: int = setting(
        2_000_000, "results of games that are kept for profiles; the oldest beyond are removed"
    )
    book_events: int = setting(
        5000, "events in the book of one profile; beyond, the oldest answers that are no card's go"
    )
    training_events: int = setting(
        5_000_000, "events in all books together, at which no more are kept"
    )
    code_time: float = setting(
        600.0, "seconds in which a code carries a profile to another browser"
    )
    sweep_every: float = setting(60.0, "seconds between two looks for games to remove")
    heartbeat: float = setting(15.0, "seconds between two signs of life on a stream of events")
    grace: float = setting(
        3.0, "seconds a player may be away, to load the page again, before the others are told"
    )
    claim_after: float = setting(
        120.0, "seconds a player must be away from a turn of theirs until the other may claim"
    )
    body_limit: int = setting(64 * 1024, "the largest body of a request, in bytes")
    body_time: float = setting(20.0, "seconds in which a body must have arrived")
    head_limit: int = setting(32 * 1024, "the largest head of a request, in bytes")
    header_limit: int = setting(100, "headers of one request")
    url_limit: int = setting(16 * 1024, "the longest address of a request, in bytes")
    head_time: float = setting(10.0, "seconds in which a head must have arrived")
    idle_time: float = setting(
        30.0, "seconds a connection may be silent between requests, or not read what it is sent"
    )
    open_connections: int = setting(4000, "open connections of all clients together")
    client_connections: int = setting(
        1000, "open connections of one client; a trusted proxy has no such limit"
    )
    arrival_rate: float = setting(
        20.0, "new connections a second of one client; what is above it is read with a delay"
    )
    arrival_burst: float = setting(60.0, "and how many at once")
    client_requests: int = setting(
        4, "requests of one client that are worked on at once; more wait their turn"
    )
    admission_rate: float = setting(
        300.0, "requests of one client, or of its seats, that are let in a second; more wait"
    )
    admission_burst: float = setting(20.0, "and how many at once")
    client_rate: float = setting(
        100.0, "requests a second, in the long run, of one client's callers without a seat"
    )
    client_burst: float = setting(500.0, "and how many at once")
    seat_request_rate: float = setting(
        100.0, "requests a second, in the long run, of one seat at one table"
    )
    seat_request_burst: float = setting(500.0, "and how many at once")
    client_seats_rate: float = setting(
        100.0, "requests a second, in the long run, of all seats of one client together"
    )
    client_seats_burst: float = setting(300.0, "and how many at once")
    seat_rate: float = setting(
        20.0, "submissions a second, in the long run, of one seat at one table"
    )
    seat_burst: float = setting(60.0, "and how many at once")
    new_game_rate: float = setting(
        2.0, "games and rematches a second, in the long run, that one client starts"
    )
    new_game_burst: float = setting(200.0, "and how many at once")
    new_profile_rate: float = setting(
        0.02, "profiles a second, in the long run, that one client makes"
    )
    new_profile_burst: float = setting(200.0, "and how many at once; a school is one client")
    question_rate: float = setting(
        5.0, "questions to the solver a second, in the long run, of one client"
    )
    question_burst: float = setting(200.0, "and how many at once")
    profile_rate: float = setting(
        10.0, "requests about profiles a second, in the long run, of one client"
    )
    profile_burst: float = setting(200.0, "and how many at once")
    code_rate: float = setting(
        0.1, "codes that are tried, and exports of all records, a second of one client"
    )
    code_burst: float = setting(30.0, "and how many at once")
    file_rate: float = setting(
        200.0, "files of the pages a second, in the long run, for one client"
    )
    file_burst: float = setting(2000.0, "and how many at once")
    probe_rate: float = setting(
        10.0, "requests for /healthz, /readyz and /metrics a second of one client"
    )
    probe_burst: float = setting(50.0, "and how many at once")
    client_streams: int = setting(500, "open streams of one client's callers without a seat")
    seat_streams: int = setting(20, "open streams of one seat")
    tables: int = setting(
        4000, "games kept ready in memory; any other is read from the store again"
    )
    questions: int = setting(32, "questions of one client to the solver that may wait")
    patience: float = setting(120.0, "seconds the solver may take over one game")
    solve_limit: int = setting(
        300, "MiB that a solution may take; settings with a larger one are not solved here"
    )
    solve_memory: int = setting(4096, "MiB of memory that one process of the solver may use")
    cache_limit: int = setting(
        DEFAULT_CACHE_MIB, "MiB of solutions that are kept; the least used beyond are dropped"
    )
    takeover: float = setting(
        3.0, "seconds until a computer's turn that another process should make is made here"
    )
    connections: int = setting(10, "connections to PostgreSQL of one process, and one to listen")
    database_time: float = setting(10.0, "seconds PostgreSQL has for an answer")
    drain: float = setting(
        0.0, "seconds to go on serving, no longer ready, after being told to stop"
    )
    farewell: float = setting(10.0, "seconds that open requests then have to finish")
    public_host: str = setting(
        "",
        "names, with commas, by which the server is reached; addresses and localhost always pass",
    )
    trusted_proxies: str = setting(
        "127.0.0.1", "addresses, with commas, whose X-Forwarded headers are believed"
    )
    log_format: str = setting("text", "text, or json: one object a line, on standard error")
    log_level: str = setting("warning", "debug, info (every request), warning or error")

    @classmethod
    def read(
        cls, flags: Mapping[str, str | None], environment: Mapping[str, str] | None = None
    ) -> Config:
        """The defaults, changed by the environment, then by flags; a ValueError says why not."""
        found: dict[str, float | str] = {}
        values = os.environ if environment is None else environment
        for one in fields(cls):
            variable = ENVIRONMENT_PREFIX + one.name.upper()
            flag = flags.get(one.name)
            if flag is not None:
                found[one.name] = checked(one.name, flag_of(one.name), flag, type(one.default))
            elif variable in values:
                found[one.name] = checked(one.name, variable, values[variable], type(one.default))
        return cls(**found)  # type: ignore[arg-type] # checked() gives each its own type


def flag_of(name: str) -> str:
    """A setting as it is typed.

    >>> flag_of("expire_after")
    '--expire-after'
    """
    return "--" + name.replace("_", "-")


def checked(name: str, given_as: str, text: str, kind: type) -> float | str:
    """A setting from its text."""
    if kind is str:
        return one_of(
            given_as, text, {"log_format": LOG_FORMATS, "log_level": LOG_LEVELS}.get(name)
        )
    try:
        number: float = kind(text)
    except ValueError:
        number = -1
    if name in MAY_BE_ZERO:
        if not 0 <= number < float("inf"):
            raise ValueError(f"{given_as} must be a number, 0 or above, not {text!r}.")
    elif not 0 < number < float("inf"):
        raise ValueError(f"{given_as} must be a number above 0, not {text!r}.")
    return number


def one_of(given_as: str, text: str, choices: tuple[str, ...] | None) -> str:
    """A word, of those that there are."""
    if choices is not None and text not in choices:
        raise ValueError(f"{given_as} must be {' or '.join(choices)}, not {text!r}.")
    return text


def default_database() -> str:
    """The address of the SQLite file in the user's data folder."""
    return f"sqlite:///{data_folder() / 'server.sqlite3'}"
