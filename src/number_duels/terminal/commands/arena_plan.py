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
from number_duels.terminal.errors import CommandError
from number_duels.terminal.line.console import Console, confirmed
from number_duels.terminal.model_options import MODEL_TYPES

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
    **MODEL_TYPES,
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
    found = list(consequences(plan, trusted_addresses(args)))
    if not found:
        return
    does = "".join(f"\n  it {one};" for one in found).removesuffix(";")
    question = f"{path} does more than let players meet:{does}.\nGo on?"
    console = Console(plain=args.plain)
    if not confirmed(question, console, yes=args.yes, can_ask=not args.json):
        raise CommandError("Nothing is played.")


def consequences(plan: Mapping[str, object], trusted: frozenset[str]) -> Iterator[str]:
    """What a plan starts, to whom it sends something, and what it writes."""
    for who, said in external_players(plan):
        kind, _, which = who.partition(":")
        shown = printable(which, limit=None)
        if kind == "llm":
            yield f"asks the language model {shown}{whereabouts(said, plan, trusted)}"
        else:
            yield f"starts the program {shown}" if kind == "bot" else f"runs the code of {shown}"
    if "pass_env" in plan:
        variables = ", ".join(map(str, as_list(plan, "pass_env")))
        yield f"gives programs your environment variables {printable(variables, limit=None)}"
    if "url" in plan:
        address = printable(str(plan["url"]), limit=None)
        key = "" if plan["url"] in trusted else ", without your key (--url sends it)"
        yield f"sends the games of language models to {address}{key}"
    for name in ("out", "html"):
        if name in plan:
            yield f"writes {printable(os.path.realpath(str(plan[name])), limit=None)}"


def whereabouts(
    said: Mapping[str, object], plan: Mapping[str, object], trusted: frozenset[str]
) -> str:
    """Where a model of a plan is asked, and with which key, as far as the plan decides that."""
    variable = said.get("key_variable", plan.get("key_variable"))
    key = f"your key in {printable(str(variable), limit=None)}" if variable else "your key"
    if "url" not in said:
        return "" if "url" in plan and plan["url"] not in trusted else f", with {key}"
    address = printable(str(said["url"]), limit=None)
    sent = f"with {key}" if said["url"] in trusted else "without a key (--send-key URL sends it)"
    return f" at {address}, {sent}"


def external_players(plan: Mapping[str, object]) -> list[tuple[str, Mapping[str, object]]]:
    """The players from outside that a plan names, and what it says of each.

    A file of probabilities is no code.
    """
    said = [
        (str(one.get("who", "")), one)
        if isinstance(one, Mapping)
        else (split_name(str(one))[1], dict[str, object]())
        for one in as_list(plan, "players")
    ]
    return [one for one in said if is_external(one[0]) and not is_policy_file(one[0])]


def is_policy_file(who: str) -> bool:
    return who.startswith(POLICY) and Path(who.removeprefix(POLICY)).suffix == ARRAYS_SUFFIX


def trusted_addresses(args: Namespace) -> frozenset[str]:
    """The addresses that the user, and not only a file, names: keys go nowhere else."""
    said = (args.url, os.environ.get("OPENAI_BASE_URL"), *(args.send_key or ()))
    return frozenset(address for address in said if address)


def as_list(plan: Mapping[str, object], name: str) -> list[object]:
    value = plan.get(name, [])
    return list(value) if isinstance(value, list) else []
