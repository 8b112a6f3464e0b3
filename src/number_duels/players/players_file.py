"""Players described in a TOML file, with a table `[players.NAME]` for each player.

Use only files that you trust. A file can start programs, and can send an API key to an address.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from number_duels.core.input_files import parse_toml, read_text
from number_duels.core.text import printable
from number_duels.players.external import MODEL_SECONDS, PROGRAM_SECONDS, THINKING, Limits
from number_duels.players.registry import HUMAN, KINDS, check_who

__all__ = ["DescribedPlayer", "PlayersFile", "read_players"]

MAX_NAME_CHARS: Final = 20
MAX_SECONDS, MAX_RETRIES, MAX_TOKENS, MAX_TEXT_CHARS = 3600, 10, 10_000_000, 20_000
MAX_RESOURCE = 999_999_999
OWN_PARTS = ("model", "messages", "stream", "stream_options", "n")


@dataclass(frozen=True)
class DescribedPlayer:
    who: str
    limits: Limits


@dataclass(frozen=True)
class PlayersFile:
    usual: Limits = field(default_factory=Limits)
    players: Mapping[str, DescribedPlayer] = field(default_factory=dict)

    def who(self, word: str) -> str:
        """Return the `who` of the player named `word`, or `word` if there is no such player.

        >>> PlayersFile(players={"me": DescribedPlayer("bot:./mine", Limits())}).who("me")
        'bot:./mine'
        """
        return self.players[word].who if word in self.players else word

    def limits(self, words: Mapping[str, str]) -> Limits:
        """Return the limits of all players. `words` has each player's word by name."""
        own = [(name, self.players[word]) for name, word in words.items() if word in self.players]
        return replace(self.usual, players=tuple((name, one.limits) for name, one in own))


@dataclass(frozen=True)
class Key:
    """A key in a player's table: the kinds of player that can have it, and its valid values."""

    kinds: tuple[str, ...]
    meaning: str
    right: str
    accepts: Callable[[object], bool]


def number(low: float, high: float) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def whole(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and number(low, high)(value)


def text(pattern: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value, re.DOTALL))


def is_extra_body(value: object) -> bool:
    if not isinstance(value, dict) or any(part in value for part in OWN_PARTS):
        return False
    try:
        return len(json.dumps(value, allow_nan=False)) <= MAX_TEXT_CHARS
    except (ValueError, TypeError, RecursionError):  # NaN, or a date
        return False


def is_price(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(number(0, 1e6), value))


def is_list_of_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


ALL, BOT, MODEL = ("bot", "py", "policy", "llm"), ("bot",), ("llm",)
RESOURCE = f"a whole number from 0 (no limit) to {MAX_RESOURCE}"
KEYS: Final[dict[str, Key]] = {
    "seconds": Key(
        ALL,
        "time for one answer (default: `--seconds`,"
        f" or {PROGRAM_SECONDS:g} for a bot and {MODEL_SECONDS:g} for a model)",
        f"a number of seconds for one move, more than 0 and at most {MAX_SECONDS}",
        number(1e-9, MAX_SECONDS),
    ),
    "retries": Key(
        ALL,
        f"further answers after a refused one (default {Limits.retries})",
        f"a whole number from 0 to {MAX_RETRIES}",
        whole(0, MAX_RETRIES),
    ),
    "memory_mib": Key(BOT, "memory limit in MiB", RESOURCE, whole(0, MAX_RESOURCE)),
    "processes": Key(BOT, "largest number of processes", RESOURCE, whole(0, MAX_RESOURCE)),
    "open_files": Key(BOT, "largest number of open files", RESOURCE, whole(0, MAX_RESOURCE)),
    "pass_env": Key(
        BOT,
        "environment variables to pass on",
        "a list of environment variables",
        is_list_of_names,
    ),
    "url": Key(
        MODEL,
        "endpoint (default: `--url`, or `OPENAI_BASE_URL`)",
        "an address such as http://localhost:8000/v1",
        text(r"https?://.+"),
    ),
    "key_variable": Key(
        MODEL,
        "where the API key is (default `OPENAI_API_KEY`)",
        "the name of an environment variable, not the key itself",
        text(r"[A-Za-z_][A-Za-z0-9_]{0,99}"),
    ),
    "patience": Key(
        MODEL,
        f"how long to keep retrying a failing endpoint (default {Limits.patience:g})",
        f"a number of seconds from 0 to {MAX_SECONDS}",
        number(0, MAX_SECONDS),
    ),
    "temperature": Key(MODEL, "option for the endpoint", "a number from 0 to 5", number(0, 5)),
    "top_p": Key(MODEL, "option for the endpoint", "a number from 0 to 1", number(0, 1)),
    "max_tokens": Key(
        MODEL,
        "option for the endpoint, as `max_completion_tokens` if the endpoint requires it",
        f"a whole number from 1 to {MAX_TOKENS}",
        whole(1, MAX_TOKENS),
    ),
    "reasoning_effort": Key(
        MODEL, "option for the endpoint", "a word such as low or high", text(r"[a-z]{1,20}")
    ),
    "think": Key(
        MODEL,
        "where the model may reason: `no` (default), `field` (a JSON field `reasoning` before"
        " `move`), or `text` (free text that ends with a line `MOVE: x`)",
        "one of " + ", ".join(THINKING),
        text("|".join(THINKING)),
    ),
    "system": Key(
        MODEL,
        "system message",
        f"a string of at most {MAX_TEXT_CHARS} characters",
        text(f".{{0,{MAX_TEXT_CHARS}}}"),
    ),
    "price": Key(
        MODEL,
        "price for the estimate before a run",
        "two prices per million tokens: one for prompts and one for answers",
        is_price,
    ),
    "extra_body": Key(
        MODEL,
        "further fields of every request",
        f"a table of at most {MAX_TEXT_CHARS} characters that does not set {', '.join(OWN_PARTS)}",
        is_extra_body,
    ),
}
TITLES = {"bot": "a bot", "py": "a function", "policy": "a policy", "llm": "a language model"}


def read_players(path: Path, usual: Limits) -> PlayersFile:
    """Read a players file. Raise ValueError if it is not valid."""
    try:
        found = parse_toml(read_text(path))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ValueError(f"{path} is not TOML: {str(error).rstrip('.')}.") from None
    tables = found.get("players")
    if not isinstance(tables, dict) or len(found) > 1:
        other = next((name for name in found if name != "players"), None)
        wrong = f"unknown key {printable(other)!r}" if other else "it has no players"
        raise ValueError(f"{path}: {wrong}; write a table [players.NAME] for each player.")
    players = {}
    for name, table in tables.items():
        try:
            players[name] = described(name, table, usual)
        except ValueError as error:
            raise ValueError(f"{path}: [players.{printable(name)}]: {error}") from None
    return PlayersFile(usual, players)


def described(name: str, table: object, usual: Limits) -> DescribedPlayer:
    if name in KINDS or not re.fullmatch(
        rf"[^\s:=]([^:=]{{0,{MAX_NAME_CHARS - 2}}}[^\s:=])?", name
    ):
        raise ValueError(
            f"a name must have 1 to {MAX_NAME_CHARS} characters without : or =, and cannot be"
            f" one of {', '.join(KINDS)}."
        )
    if not name.isprintable():
        raise ValueError("a name must have only printable characters.")
    if not isinstance(table, dict):
        raise ValueError("it must be a table with the key who.")
    who = table.get("who")
    if not isinstance(who, str) or who == HUMAN:
        raise ValueError('who must name an external or built-in player, such as "bot:COMMAND".')
    check_who(who)
    check_keys(who.partition(":")[0], {key: table[key] for key in table if key != "who"})
    return DescribedPlayer(who, granted(table, usual))


def check_keys(kind: str, table: Mapping[str, object]) -> None:
    known = [name for name, key in KEYS.items() if kind in key.kinds]
    for name, value in table.items():
        if name not in known:
            has = f"who, {', '.join(known)}" if known else "only who"
            title = TITLES.get(kind, "a built-in player")
            raise ValueError(f"unknown key {printable(name)!r}; {title} can have {has}.")
        if not KEYS[name].accepts(value):
            raise ValueError(f"{name} must be {KEYS[name].right}.")


def granted(table: Mapping[str, object], usual: Limits) -> Limits:
    """Return the limits in a valid table. Missing keys come from `usual`."""
    fields = {name: table[name] for name in ("seconds", "retries", "patience") if name in table}
    resources = {name: table[name] for name in asdict(usual.resources) if name in table}
    model = {name: table[name] for name in asdict(usual.model) if name in table}
    if "extra_body" in model:
        model["extra_body"] = json.dumps(model["extra_body"])
    if "price" in model:
        model["price"] = tuple(model["price"])  # type: ignore[arg-type]  # a list
    if "seconds" in fields:
        fields["starting"] = max(Limits().starting, float(str(fields["seconds"])))
    if "pass_env" in table:
        fields["pass_env"] = tuple(map(str, table["pass_env"]))  # type: ignore[call-overload]  # a list
    if "url" in table:
        # If only this file names the address, send the key only if the file also names the key.
        trusted = table["url"] in (usual.url, os.environ.get("OPENAI_BASE_URL"))
        fields |= {"url": table["url"], "send_key": trusted or "key_variable" in table}
    return replace(
        usual,
        resources=replace(usual.resources, **resources),  # type: ignore[arg-type]  # checked
        model=replace(usual.model, **model),  # type: ignore[arg-type]  # checked
        **fields,  # type: ignore[arg-type]  # checked
    )
