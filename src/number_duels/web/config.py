"""The options of `duels serve`, and its fixed limits."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar

from number_duels.core.storage import data_folder

ENVIRONMENT_PREFIX = "DUELS_"
OTHER_VARIABLES = ("DUELS_CONFIG", "DUELS_CACHE_LIMIT", "DUELS_TRACEBACK")
DAY_S = 24 * 60 * 60
MIB = 1024 * 1024
ANY = 1e12
STRICTNESS = {"off": 1e6, "normal": 1.0, "strict": 0.25}

T = TypeVar("T", int, float, str)


def limit(default: T, unit: str, meaning: str, *, of_client: bool = False) -> T:
    """Declare a limit. If `of_client` is true, the option `strictness` scales it."""
    about = {"unit": unit, "meaning": meaning, "of_client": of_client}
    found: T = field(default=default, metadata=about)
    return found


def option(default: T, meaning: str, *choices: str, low: float = 1, high: float = ANY) -> T:
    about = {"meaning": meaning, "choices": choices, "range": (low, high)}
    found: T = field(default=default, metadata=about)
    return found


@dataclass(frozen=True)
class Limits:
    """Limits that are not options. `duels serve --show-limits` prints them."""

    request_rate: float = limit(
        150.0, "per second", "requests from one client; any more are delayed", of_client=True
    )
    request_burst: float = limit(
        20.0, "requests", "that one client may send at once without a delay", of_client=True
    )
    waiting_requests: float = limit(
        480.0, "requests", "from one client that may wait; any more are refused", of_client=True
    )
    # On a slow machine, a move then waits for a few of another client's requests, not for all.
    requests_at_once: int = limit(
        4, "requests", "from one client that may run at the same time", of_client=True
    )
    expensive_rate: float = limit(
        5.0,
        "per second",
        "expensive requests from one client: new games, profiles and questions to the solver",
        of_client=True,
    )
    expensive_burst: float = limit(
        200.0,
        "requests",
        "expensive requests that one client may send at once without a delay",
        of_client=True,
    )
    client_connections: int = limit(
        1000, "connections", "per client, except for trusted proxies", of_client=True
    )
    client_streams: int = limit(
        500, "streams", "that one client may open as a spectator", of_client=True
    )
    seat_streams: int = limit(20, "streams", "per player", of_client=True)
    open_connections: int = limit(4000, "connections", "for all clients together")
    head_limit: int = limit(8192, "bytes", "for all headers of a request")
    header_limit: int = limit(100, "headers", "per request")
    cookie_limit: int = limit(4096, "bytes", "of cookies per request")
    query_limit: int = limit(2048, "bytes", "per query string")
    body_limit: int = limit(64 * 1024, "bytes", "per request body")
    wait_time: float = limit(
        20.0, "seconds", "to wait for headers, a body, the next request, or a slow client"
    )
    heartbeat: float = limit(15.0, "seconds", "between heartbeats on an event stream")
    grace: float = limit(3.0, "seconds", "before a player who left the page is shown as away")
    claim_after: float = limit(
        120.0,
        "seconds",
        "that a player must be away on their turn before the opponent can claim the game",
    )
    keep_profiles: float = limit(
        400.0 * DAY_S, "seconds", "without use before a profile with games is removed"
    )
    keep_new_profiles: float = limit(
        30.0 * DAY_S, "seconds", "before a profile without games is removed"
    )
    profiles: int = limit(
        200_000,
        "profiles",
        "at most; those without games are removed first, then no more are created",
    )
    results: int = limit(2_000_000, "results", "of games, in all profiles together")
    book_events: int = limit(5000, "events", "per mistake book")
    training_events: int = limit(5_000_000, "events", "in all mistake books together")
    code_time: float = limit(600.0, "seconds", "before the code for another browser expires")
    tables: int = limit(4000, "games", "in memory")
    questions: int = limit(32, "questions", "from one client that may wait for the solver")
    patience: float = limit(120.0, "seconds", "for the solver to solve a game")
    solve_limit: int = limit(300, "MiB", "per solution; the server refuses larger games")
    solve_memory: int = limit(4096, "MiB", "of memory per solver process")
    sweep_every: float = limit(60.0, "seconds", "between searches for old games to remove")
    takeover: float = limit(
        3.0, "seconds", "to wait for another process before this one plays the computer's turn"
    )
    connections: int = limit(10, "connections", "to PostgreSQL, plus one for notifications")
    database_time: float = limit(10.0, "seconds", "for PostgreSQL to answer")
    farewell: float = limit(10.0, "seconds", "for open requests to finish when the server stops")


@dataclass(frozen=True)
class Config(Limits):
    """The server's options, set by flags, environment variables or `--config FILE`.

    >>> Config.read({"expire_after": None}, {"DUELS_EXPIRE_AFTER": "60"}).expire_after
    60.0
    >>> Config.read({"expire_after": "5"}, {"DUELS_EXPIRE_AFTER": "60"}).expire_after
    5.0
    """

    host: str = option("127.0.0.1", "listen on this address; 0.0.0.0 lets other machines in")
    port: int = option(8000, "listen on this port; 0 chooses a free one", low=0, high=65535)
    database: str = option(
        "",
        "use this database: sqlite:///FILE or postgresql://… (default: a file in the data folder)",
    )
    public_host: str = option(
        "",
        "accept these host names, separated by commas, in addition to localhost and IP addresses",
    )
    trusted_proxies: str = option(
        "", "trust the X-Forwarded headers of these addresses, separated by commas (default: none)"
    )
    expire_after: float = option(
        7.0 * DAY_S, "remove an unfinished game this many seconds after its last change"
    )
    keep_finished: float = option(
        90.0 * DAY_S, "remove a finished game this many seconds after its last change"
    )
    max_games: int = option(
        500_000,
        "keep the latest finished games, up to this many, and allow this many unfinished ones",
    )
    archive: str = option(
        "",
        "write the records of finished games to this file before they are removed (default: none)",
    )
    drain: float = option(
        0.0,
        "keep serving for this many seconds after a stop signal, while /readyz reports 503",
        low=0,
    )
    strictness: str = option(
        "normal",
        "set the limits per client: off, normal, or strict (a quarter of normal)",
        *STRICTNESS,
    )
    log_level: str = option(
        "warning",
        "log messages of this level and above: debug, info (every request), warning or error",
        *("debug", "info", "warning", "error"),
    )
    log_format: str = option(
        "text",
        "write the log to standard error as text, or as json with one object per line",
        *("text", "json"),
    )

    @classmethod
    def read(
        cls, flags: Mapping[str, object], environment: Mapping[str, str] | None = None
    ) -> Config:
        """Read the options. Flags override environment variables, which override the file.

        Raise ValueError if an option is invalid.
        """
        variables = os.environ if environment is None else environment
        file = str(flags.get("config") or variables.get("DUELS_CONFIG", ""))
        lines = read_file(file) if file else {}
        found: dict[str, float | str] = {}
        for one in OPTIONS.values():
            variable = variable_of(one.name)
            if (flag := flags.get(one.name)) is not None:
                found[one.name] = checked(one.name, flag_of(one.name), str(flag))
            elif variable in variables:
                found[one.name] = checked(one.name, variable, variables[variable])
            elif one.name in lines:
                found[one.name] = checked(one.name, f"{file}: {one.name}", str(lines[one.name]))
        config = cls(**found)  # type: ignore[arg-type] # checked() gives each its own type
        factor = STRICTNESS[config.strictness]
        shares: dict[str, float] = {}
        for one in fields(Limits):
            if one.metadata["of_client"]:
                usual: float = getattr(config, one.name)
                shares[one.name] = type(usual)(usual * factor)
        return replace(config, database=config.database or default_database(), **shares)  # type: ignore[arg-type] # each keeps its type


OPTIONS = {one.name: one for one in fields(Config)[len(fields(Limits)) :]}


def read_file(file: str) -> dict[str, object]:
    try:
        found = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{file} cannot be read: {reason}.") from None
    for name in found:
        if name not in OPTIONS:
            raise ValueError(
                f"{file}: {name} is not an option; the options are {', '.join(OPTIONS)}."
            )
    return found


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    known = {*OTHER_VARIABLES, *map(variable_of, OPTIONS)}
    return [
        name for name in environment if name.startswith(ENVIRONMENT_PREFIX) and name not in known
    ]


def flag_of(name: str) -> str:
    return "--" + name.replace("_", "-")


def variable_of(name: str) -> str:
    return ENVIRONMENT_PREFIX + name.upper()


def checked(name: str, given_as: str, text: str) -> float | str:
    about = OPTIONS[name]
    if choices := about.metadata["choices"]:
        if text not in choices:
            raise ValueError(f"{given_as} must be {' or '.join(choices)}, not {text!r}.")
        return text
    if isinstance(about.default, str):
        return text
    low, high = about.metadata["range"]
    try:
        number = int(text) if isinstance(about.default, int) else float(text)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        which = f"{low:g} to {high:g}" if high < ANY else f"a number of at least {low:g}"
        raise ValueError(f"{given_as} must be {which}, not {text!r}.")
    return number


def limits_table(config: Limits) -> str:
    rows = [
        (
            one.name,
            f"{getattr(config, one.name):,.12g}",
            one.metadata["unit"],
            one.metadata["meaning"],
        )
        for one in fields(Limits)
    ]
    wide = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:<{wide[0]}}  {value:>{wide[1]}}  {unit:<{wide[2]}}  {meaning}"
        for name, value, unit, meaning in rows
    )


def default_database() -> str:
    return f"sqlite:///{data_folder() / 'server.sqlite3'}"
