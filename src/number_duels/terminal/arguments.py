"""What is typed on the command line, turned into games, players and names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from number_duels.core.game import AnyGame
from number_duels.core.player import Player
from number_duels.core.randomness import toss
from number_duels.core.record import Person, check_names, split_names
from number_duels.core.settings import read_settings
from number_duels.games import find, full_name, load
from number_duels.players.external import Limits, Resources
from number_duels.players.registry import (
    HUMAN,
    check_who,
    has_policy,
    is_external,
    make_external,
    seat_player,
)
from number_duels.terminal.errors import WRONG_USAGE, CommandError

#: What `--limit` can set, with the field of `Resources` for each.
RESOURCES = {"memory": "memory_mib", "processes": "processes", "files": "open_files"}


def game_name(part: str) -> str:
    """The game that an unambiguous part of its name means."""
    try:
        return full_name(part)
    except ValueError as error:
        raise usage(str(error)) from None


def make_game(part: str, settings: Sequence[str], first: str | None, seed: int) -> AnyGame:
    """A game with the settings that were asked for."""
    name = game_name(part)
    try:
        chosen = read_settings(settings, find(name).describe_settings())
    except ValueError as error:
        raise usage(f"--set: {error}") from None
    if first is not None:
        chosen["first"] = toss(seed) if first == "random" else int(first)
    try:
        return load(name, **chosen)
    except ValueError as error:
        raise usage(str(error)) from None


def two_names(text: str) -> tuple[str, str]:
    """The names of both players, as --names takes them."""
    try:
        one, two = split_names(text)
        check_names(one, two)
    except ValueError as error:
        raise usage(f"--names: {error}") from None
    return one, two


def check_players(*words: str) -> None:
    """Refuse a word that names no player."""
    try:
        for who in words:
            check_who(who)
    except ValueError as error:
        raise usage(str(error)) from None


def check_external(people: Iterable[Person], limits: Limits, games: Sequence[AnyGame]) -> None:
    """Refuse players from outside that cannot be had, before anything is played."""
    for person in people:
        if is_external(person.who):
            try:
                for game in games if has_policy(person.who) else games[:1]:
                    make_external(person.who, limits.of(person.name), game).close()
            except ValueError as error:
                raise usage(str(error)) from None


def make_players(
    people: tuple[Person, Person], game: AnyGame, limits: Limits
) -> tuple[Player | None, Player | None]:
    """The players for both seats, ready to play; None is a person."""
    one, two = (person.who for person in people)
    try:
        if not any(needs_solution(who) for who in (one, two)):
            return seat_player(one, game, None, limits), seat_player(two, game, None, limits)
        from number_duels.terminal.line.progress import preparation

        with preparation(f"Preparing {game.title}", game) as report:
            return seat_player(one, game, report, limits), seat_player(two, game, report, limits)
    except ValueError as error:
        raise CommandError(str(error)) from None


def needs_solution(who: str) -> bool:
    """Whether a player knows the game's solution."""
    return who not in (HUMAN, "random") and not is_external(who)


def read_limits(said: Mapping[str, object]) -> Limits:
    """What players from outside are granted, by the options' names; the rest is as usual."""
    usual, pass_env = Limits(), said.get("pass_env")
    seconds = number_in(said, "seconds", usual.seconds)
    if not 0 < seconds <= 3600:
        raise usage("--seconds is the time for one move, more than 0 and at most 3600.")
    retries = usual.retries if said.get("retries") is None else said["retries"]
    if not isinstance(retries, int) or not 0 <= retries <= 10:
        raise usage("--retries is how often a refused answer may be given again, 0 to 10.")
    patience = number_in(said, "patience", usual.patience)
    if not 0 <= patience <= 3600:
        raise usage("--patience is the time for an endpoint to recover, 0 to 3600 seconds.")
    return Limits(
        seconds=seconds,
        starting=max(usual.starting, seconds),
        retries=retries,
        patience=patience,
        url=None if said.get("url") is None else str(said["url"]),
        resources=read_resources(said.get("limit")),
        pass_env=tuple(map(str, pass_env)) if isinstance(pass_env, list) else (),
    )


def number_in(said: Mapping[str, object], name: str, usual: float) -> float:
    """A number by its name; what is none is out of every range."""
    value = said.get(name)
    if value is None:
        return usual
    return float(value) if isinstance(value, int | float) else -1.0


def read_resources(said: object) -> Resources:
    """What programs may use, from `NAME=N` or from a table."""
    if isinstance(said, list):
        said = {name: value for name, _, value in (str(one).partition("=") for one in said)}
    found = Resources()
    for name, value in said.items() if isinstance(said, Mapping) else ():
        number = str(value)
        if name not in RESOURCES or not re.fullmatch(r"\d{1,9}", number, re.ASCII):
            raise usage(f"--limit takes {', '.join(f'{one}=N' for one in RESOURCES)}.")
        found = replace(found, **{RESOURCES[name]: int(number)})
    return found


def usage(message: str) -> CommandError:
    """A wrong argument, answered with what would have been right."""
    return CommandError(message, WRONG_USAGE)
