"""A plan of an arena as a TOML file, and what it does besides letting players meet."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from number_duels.arena.schedule import split_name
from number_duels.core.input_files import parse_toml, read_text
from number_duels.core.text import printable
from number_duels.players.policy import ARRAYS_SUFFIX
from number_duels.players.registry import POLICY, is_external
from number_duels.terminal.commands.confirmation import confirmed
from number_duels.terminal.errors import CommandError
from number_duels.terminal.ui.console import Console

#: What a plan may hold, with the type of each value.
TYPES: dict[str, type | tuple[type, ...]] = {
    "players": list,
    "games": list,
    "pairs": int,
    "seed": int,
    "gauntlet": str,
    "workers": int,
    "in_flight": int,
    "out": str,
    "html": str,
    "sprt": str,
    "sprt_on": str,
    "seconds": (int, float),
    "retries": int,
    "patience": (int, float),
    "url": str,
    "salt": str,
    "limit": (dict, list),
    "pass_env": list,
}


def read_plan(path: Path) -> dict[str, object]:
    """What a file asks for; a mistake in it is answered in a sentence."""
    try:
        plan = parse_toml(read_text(path))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(f"{path} is not TOML: {str(error).rstrip('.')}.") from None
    for name, value in plan.items():
        if name not in TYPES:
            raise CommandError(
                f"{path}: there is no {printable(name)!r}; there are {', '.join(TYPES)}."
            )
        if not isinstance(value, TYPES[name]) or isinstance(value, bool):
            raise CommandError(f"{path}: {name} has a value of the wrong kind.")
    return plan


def confirm_plan(path: Path, plan: Mapping[str, object], args: Namespace) -> None:
    """See that somebody agrees to all that a plan does besides letting players meet."""
    found = list(consequences(plan))
    if not found:
        return
    does = "".join(f"\n  it {one};" for one in found).removesuffix(";")
    question = f"{path} does more than let players meet:{does}.\nGo on?"
    console = Console(plain=args.plain)
    if not confirmed(question, console, yes=args.yes, can_ask=not args.json):
        raise CommandError("Nothing is played.")


def consequences(plan: Mapping[str, object]) -> Iterator[str]:
    """What a plan starts, to whom it sends something, and what it writes."""
    for who in external_players(plan):
        kind, _, which = who.partition(":")
        shown = printable(which, limit=None)
        if kind == "llm":
            yield f"asks the language model {shown}{'' if 'url' in plan else ', with your key'}"
        else:
            yield f"starts the program {shown}" if kind == "bot" else f"runs the code of {shown}"
    if "pass_env" in plan:
        variables = ", ".join(map(str, as_list(plan, "pass_env")))
        yield f"gives programs your environment variables {printable(variables, limit=None)}"
    if "url" in plan:
        address = printable(str(plan["url"]), limit=None)
        key = "" if is_trusted_address(plan["url"]) else ", without your key (--url sends it)"
        yield f"sends the games of language models to {address}{key}"
    for name in ("out", "html"):
        if name in plan:
            yield f"writes {printable(os.path.realpath(str(plan[name])), limit=None)}"


def external_players(plan: Mapping[str, object]) -> list[str]:
    """The players from outside that a plan names; a file of probabilities is no code."""
    words = [
        str(one.get("who", "")) if isinstance(one, Mapping) else split_name(str(one))[1]
        for one in as_list(plan, "players")
    ]
    return [who for who in words if is_external(who) and not is_policy_file(who)]


def is_policy_file(who: str) -> bool:
    return who.startswith(POLICY) and Path(who.removeprefix(POLICY)).suffix == ARRAYS_SUFFIX


def is_trusted_address(url: object) -> bool:
    """Whether the user, and not only a file, names an address: the key goes nowhere else."""
    return url == os.environ.get("OPENAI_BASE_URL")


def as_list(plan: Mapping[str, object], name: str) -> list[object]:
    value = plan.get(name, [])
    return list(value) if isinstance(value, list) else []
