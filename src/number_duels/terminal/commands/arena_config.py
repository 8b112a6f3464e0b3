"""What `duels arena` is asked for, from a TOML file or the command line."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from number_duels.arena.salt import read_salt
from number_duels.arena.schedule import Schedule, has_outsiders, named
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.stats.sprt import parse as parse_sprt
from number_duels.core.game import AnyGame
from number_duels.core.record import Person
from number_duels.games import names
from number_duels.players.external import Limits
from number_duels.terminal.arguments import check_players, make_game, read_limits, usage
from number_duels.terminal.errors import CommandError

DEFAULT_PAIRS, DEFAULT_SEED = 50, 1
#: What a TOML file may hold, with the type of each value.
TYPES: dict[str, type | tuple[type, ...]] = {
    "players": list,
    "games": list,
    "pairs": int,
    "seed": int,
    "gauntlet": str,
    "workers": int,
    "out": str,
    "html": str,
    "sprt": str,
    "sprt_on": str,
    "seconds": (int, float),
    "retries": int,
    "url": str,
    "salt": str,
    "limit": (dict, list),
    "pass_env": list,
}


@dataclass(frozen=True)
class ArenaConfig:
    schedule: Schedule
    limits: Limits
    workers: int
    out: Path
    html: Path | None
    sprt: Sprt | None
    #: The salt that is asked for; None: that of the games so far, or a new one.
    salt: str | None


def read_config(args: Namespace) -> ArenaConfig:
    """The command line, completed by the file; what stands on the command line counts."""
    said: dict[str, object] = read_toml(Path(args.plan)) if args.plan else {}
    said |= {name: value for name in TYPES if (value := getattr(args, name, None)) is not None}
    players = people(said.get("players"))
    games = tuple(read_game(one, args.set) for one in as_list(said, "games") or names())
    try:
        schedule = Schedule(
            players,
            games,
            pairs=positive(said, "pairs", DEFAULT_PAIRS),
            seed=whole(said, "seed", DEFAULT_SEED),
            gauntlet=str(said.get("gauntlet", "")),
        )
        sprt = read_sprt(said)
        salt = read_salt(str(said["salt"])) if "salt" in said else None
    except ValueError as error:
        raise usage(str(error)) from None
    if salt and not has_outsiders(players):
        raise usage("--salt is for arenas with bots, functions, policies or models; leave it out.")
    terms = ("seconds", "retries", "url", "limit", "pass_env")
    return ArenaConfig(
        schedule,
        read_limits(*(said.get(name) for name in terms)),
        positive(said, "workers", os.cpu_count() or 1),
        Path(str(said["out"])) if "out" in said else Path(f"arena-{fingerprint(schedule)}.jsonl"),
        Path(str(said["html"])) if "html" in said else None,
        sprt,
        salt,
    )


def read_toml(path: Path) -> dict[str, object]:
    """What a file asks for; a mistake in it is answered in a sentence."""
    try:
        said = tomllib.loads(path.read_text())
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} is not TOML: {error}.") from None
    for name, value in said.items():
        if name not in TYPES:
            raise CommandError(f"{path}: there is no {name!r}; there are {', '.join(TYPES)}.")
        if not isinstance(value, TYPES[name]) or isinstance(value, bool):
            raise CommandError(f"{path}: {name} has a value of the wrong kind.")
    return said


def people(said: object) -> tuple[Person, ...]:
    """The players: `WHO`, `NAME=WHO`, or in a file also tables."""
    words: list[str | Person] = []
    for one in said if isinstance(said, list) else []:
        if isinstance(one, Mapping) and one.keys() <= {"name", "who"} and "who" in one:
            words.append(Person(str(one.get("name", "")), str(one["who"])))
        elif isinstance(one, str):
            words.append(one)
        else:
            raise usage("A player is a word such as perfect, or has a name and a who.")
    if not words:
        raise usage("Who plays? Name two or more: duels arena --players random level:3 perfect")
    found = named(words)
    check_players(*(person.who for person in found))
    for person in found:
        if person.who == "human":
            raise usage("People cannot play in an arena; name bots or built-in players.")
        if not re.fullmatch(r"\S.{0,18}\S|\S", person.name) or not person.name.isprintable():
            raise usage(f"{person.name!r} is no name: 1 to 20 printable characters.")
    return found


def read_game(one: object, settings: list[str]) -> AnyGame:
    """A game by a part of its name, or as a table with its settings."""
    if isinstance(one, Mapping):
        rest = [f"{name}={value}" for name, value in one.items() if name != "name"]
        return make_game(str(one.get("name", "")), [*rest, *settings], None, 0)
    return make_game(str(one), settings, None, 0)


def read_sprt(said: Mapping[str, object]) -> Sprt | None:
    """The test that ends pairings early, on plain results or on those without luck."""
    on = said.get("sprt_on", "plain")
    if on not in ("plain", "corrected"):
        raise ValueError(f"sprt_on is plain or corrected, not {on!r}.")
    if "sprt" not in said:
        if "sprt_on" in said:
            raise ValueError("--sprt-on needs --sprt, as in --sprt 0,50.")
        return None
    return parse_sprt(str(said["sprt"]), corrected=on == "corrected")


def as_list(said: Mapping[str, object], name: str) -> list[object]:
    value = said.get(name, [])
    return list(value) if isinstance(value, list) else []


def whole(said: Mapping[str, object], name: str, usual: int) -> int:
    value = said.get(name, usual)
    return value if isinstance(value, int) else usual


def positive(said: Mapping[str, object], name: str, usual: int) -> int:
    value = whole(said, name, usual)
    if value < 1:
        raise usage(f"--{name} must be at least 1.")
    return value


def fingerprint(schedule: Schedule) -> str:
    """Eight letters that differ from schedule to schedule; more pairs change nothing."""
    words = [str(schedule.seed), schedule.gauntlet]
    words += [f"{person.name}={person.who}" for person in schedule.players]
    words += [f"{game.name} {sorted(game.settings.items())}" for game in schedule.games]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]
