"""What whoever runs the server may change, each with a default that suits one machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

PREFIX = "DUELS_"
DAY = 24 * 60 * 60


@dataclass(frozen=True)
class Config:
    """Limits and times; each is also read from the environment, as `DUELS_` and its name.

    >>> Config.from_environment({"DUELS_EXPIRE_AFTER": "60"}).expire_after
    60.0
    """

    #: Seconds after its last change at which an unfinished game is removed.
    expire_after: float = 7.0 * DAY
    #: Seconds between two looks for games to remove.
    sweep_every: float = 60.0
    #: Seconds between two signs of life on a stream of events.
    heartbeat: float = 15.0
    #: Seconds a player may be away, to load the page again, before the others are told.
    grace: float = 3.0
    #: The largest body of a request, in bytes.
    body_limit: int = 64 * 1024
    #: Requests a second, in the long run, of one client, and how many at once.
    client_rate: float = 100.0
    client_burst: float = 500.0
    #: Submissions a second, in the long run, of one seat at one table, and how many at once.
    seat_rate: float = 20.0
    seat_burst: float = 60.0
    #: Open streams of one client.
    client_streams: int = 500
    #: Games kept ready in memory; any other is read from the store again.
    tables: int = 4000
    #: Questions to the solver that may wait, and the seconds it may take over one game.
    questions: int = 32
    patience: float = 120.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Config:
        """The defaults, changed by the environment; a ValueError names what is not a number."""
        found: dict[str, float] = {}
        values = os.environ if environment is None else environment
        for field in fields(cls):
            variable = PREFIX + field.name.upper()
            if variable in values:
                found[field.name] = figure(variable, values[variable], type(field.default))
        return cls(**found)  # type: ignore[arg-type] # figure() gives each its own type


def figure(variable: str, text: str, kind: type) -> float:
    """A positive number from the environment."""
    try:
        number: float = kind(text)
    except ValueError:
        number = 0
    if not number > 0:
        raise ValueError(f"{variable} must be a number above 0, not {text!r}.")
    return number


def default_database() -> str:
    """The address of the embedded database, under the XDG data folder."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The XDG standard tells programs to ignore a relative path.
    root = base if base.is_absolute() else Path.home() / ".local" / "share"
    return f"sqlite:///{root / 'number-duels' / 'server.sqlite3'}"
