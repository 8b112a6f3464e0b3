"""What `duels arena` is asked for, from a TOML file or the command line."""

from __future__ import annotations

import hashlib
import os
import re
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from number_duels.arena.schedule import Schedule, has_models, has_outsiders, named, read_salt
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.stats.sprt import parse as parse_sprt
from number_duels.core.game import AnyGame
from number_duels.core.record import Person
from number_duels.games import names
from number_duels.players.external import Limits
from number_duels.players.model_options import USUAL_MODEL
from number_duels.players.registry import is_model
from number_duels.terminal.arguments import check_players, make_game, read_limits, usage
from number_duels.terminal.commands.arena_plan import (
    TYPES,
    as_list,
    confirm_plan,
    read_plan,
    trusted_addresses,
)
from number_duels.terminal.model_options import MODEL_TYPES, read_model_options

DEFAULT_PAIRS, DEFAULT_SEED, USUAL_IN_FLIGHT = 50, 1, 8
#: What a plan may ask for, before it fills the memory.
MAX_PLAYERS, MAX_GAMES, MAX_WORKERS, MAX_IN_FLIGHT = 1000, 10_000_000, 1024, 1024


@dataclass(frozen=True)
class ArenaConfig:
    schedule: Schedule
    limits: Limits
    workers: int
    #: How many requests to language models are under way at a time.
    in_flight: int
    out: Path
    html: Path | None
    sprt: Sprt | None
    #: The salt that is asked for; None: that of the games so far, or a new one.
    salt: str | None


def read_config(args: Namespace) -> ArenaConfig:
    """The command line, completed by the file; what stands on the command line counts."""
    typed = {name: value for name in TYPES if (value := getattr(args, name, None)) is not None}
    plan = read_plan(Path(args.plan)) if args.plan else {}
    plan = {name: value for name, value in plan.items() if name not in typed}
    said = plan | typed
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
        check_size(schedule)
        sprt = read_sprt(said)
        salt = read_salt(str(said["salt"])) if "salt" in said else None
    except ValueError as error:
        raise usage(str(error)) from None
    if salt and not has_outsiders(players):
        raise usage("--salt is for arenas with bots, functions, policies or models; leave it out.")
    if "in_flight" in typed and not has_models(players):
        raise usage("--in-flight is for arenas with language models; leave it out.")
    limits = model_limits(said, players, trusted_addresses(args))
    config = ArenaConfig(
        schedule,
        replace(limits, send_key="url" not in plan or plan["url"] in trusted_addresses(args)),
        positive(said, "workers", os.cpu_count() or 1, MAX_WORKERS),
        positive(said, "in_flight", USUAL_IN_FLIGHT, MAX_IN_FLIGHT),
        Path(str(said["out"]))
        if "out" in said
        else Path(f"arena-{fingerprint(schedule, limits)}.jsonl"),
        Path(str(said["html"])) if "html" in said else None,
        sprt,
        salt,
    )
    confirm_plan(Path(args.plan or ""), plan, args)
    return config


def model_limits(
    said: Mapping[str, object], players: Sequence[Person], trusted: frozenset[str]
) -> Limits:
    """What players from outside are granted, with the options of every language model."""
    limits, own = read_limits(said), []
    try:
        usual = read_model_options(said, limits.model)
        for one, person in zip(as_list(said, "players"), players, strict=True):
            more = set(one) - {"name", "who"} if isinstance(one, Mapping) else set()
            if not isinstance(one, Mapping) or not more:
                continue
            if not is_model(person.who) or more - {"url", *MODEL_TYPES}:
                known = ", ".join(["url", *MODEL_TYPES])
                raise ValueError(f"a player has a name and a who; a model may have {known}.")
            options = read_model_options(one, usual)
            if url := one.get("url"):
                options = replace(options, url=str(url), send_key=url in trusted)
            own.append((person.name, options))
    except ValueError as error:
        raise usage(f"Language models: {error}") from None
    return replace(limits, model=usual, models=tuple(own))


def check_size(schedule: Schedule) -> None:
    """Refuse more games than there is memory for, before any is written down."""
    meetings = len(schedule.players) * (len(schedule.players) - 1) // 2
    games = 2 * schedule.pairs * len(schedule.games) * meetings
    if games > MAX_GAMES:
        raise ValueError(f"These are {games} games; ask for {MAX_GAMES} at most, by fewer --pairs.")


def people(said: object) -> tuple[Person, ...]:
    """The players: `WHO`, `NAME=WHO`, or in a file also tables."""
    words: list[str | Person] = []
    for one in said if isinstance(said, list) else []:
        if isinstance(one, Mapping) and "who" in one:
            words.append(Person(str(one.get("name", "")), str(one["who"])))
        elif isinstance(one, str):
            words.append(one)
        else:
            raise usage("A player is a word such as perfect, or has a name and a who.")
    if not words:
        raise usage("Who plays? Name two or more: duels arena --players random level:3 perfect")
    if len(words) > MAX_PLAYERS:
        raise usage(f"An arena takes {MAX_PLAYERS} players at most.")
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


def whole(said: Mapping[str, object], name: str, usual: int) -> int:
    value = said.get(name, usual)
    return value if isinstance(value, int) else usual


def positive(said: Mapping[str, object], name: str, usual: int, most: int = MAX_GAMES) -> int:
    value = whole(said, name, usual)
    if value < 1:
        raise usage(f"--{name.replace('_', '-')} must be at least 1.")
    if value > most:
        raise usage(f"--{name.replace('_', '-')} must be at most {most}.")
    return value


def fingerprint(schedule: Schedule, limits: Limits) -> str:
    """Eight letters that differ from schedule to schedule; more pairs change nothing."""
    words = [str(schedule.seed), schedule.gauntlet]
    words += [f"{person.name}={person.who}" for person in schedule.players]
    options = (("", limits.model), *limits.models)
    words += [f"{name}: {asked}" for name, asked in options if asked != USUAL_MODEL]
    words += [f"{game.name} {sorted(game.settings.items())}" for game in schedule.games]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]
