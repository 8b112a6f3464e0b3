"""The options of language models, on the command line and in the plan of an arena."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from number_duels.terminal.config import whole_number

if TYPE_CHECKING:
    from number_duels.players.model_options import ModelOptions

#: What can be said of a model in a plan, with the type of each value; `url` besides.
MODEL_TYPES: dict[str, type | tuple[type, ...]] = {
    "temperature": (int, float),
    "top_p": (int, float),
    "max_tokens": int,
    "reasoning_effort": str,
    "think": str,
    "system": str,
    "extra_body": (dict, str),
    "key_variable": str,
}
MAX_TOKENS, MAX_SYSTEM_CHARS, MAX_EXTRA_CHARS = 10_000_000, 20_000, 20_000
#: Parts of a request that say what it is; no extra body changes them.
OWN_PARTS = ("model", "messages", "stream", "stream_options", "n")


def add_model_options(command: ArgumentParser) -> None:
    """What all language models are asked for."""
    add = command.add_argument
    add("--temperature", type=float, metavar="N", help="of language models; default: their own")
    add("--top-p", type=float, metavar="N", help="the same for top-p")
    add("--max-tokens", type=whole_number, metavar="N", help="the same for the length of an answer")
    add("--reasoning-effort", metavar="WORD", help="the same, such as low or high")
    add("--think", choices=["no", "field", "text"], help="room to think before the move (no)")
    add("--system", metavar="TEXT", help="a system message before the prompt")
    add("--extra-body", metavar="JSON", help="more for every request, a JSON object")
    add("--send-key", metavar="URL", action="append", help="also to an address of a plan's")
    add("--key-variable", metavar="NAME", help="where the key is (OPENAI_API_KEY)")


def read_model_options(said: Mapping[str, object], usual: ModelOptions) -> ModelOptions:
    """The options that were said, and else the usual ones; a ValueError names a wrong one."""
    numbers: dict[str, float] = {}
    texts: dict[str, str] = {}
    for name, kind in MODEL_TYPES.items():
        value = said.get(name)
        if value is None:
            continue
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ValueError(f"{name} has a value of the wrong kind.")
        if isinstance(value, int | float):
            numbers[name] = read_number(name, value)
        else:
            texts[name] = read_extra_body(value) if name == "extra_body" else read_word(name, value)
    return replace(usual, **numbers, **texts)  # type: ignore[arg-type]  # by name, and checked


def read_number(name: str, value: float) -> float:
    lowest, highest = {"temperature": (0, 5), "top_p": (0, 1), "max_tokens": (1, MAX_TOKENS)}[name]
    if not lowest <= value <= highest:
        raise ValueError(f"{name} is {lowest} to {highest}, not {value:g}.")
    return value


def read_word(name: str, value: object) -> str:
    text = str(value)
    if name == "think" and text not in ("no", "field", "text"):
        raise ValueError(f"think is no, field or text, not {text!r}.")
    if name == "reasoning_effort" and not re.fullmatch(r"[a-z]{1,20}", text):
        raise ValueError("reasoning_effort is a word such as low or high.")
    if name == "key_variable" and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", text):
        raise ValueError("key_variable is the name of an environment variable, not a key.")
    if len(text) > MAX_SYSTEM_CHARS:
        raise ValueError(f"{name} has {MAX_SYSTEM_CHARS} characters at most.")
    return text


def read_extra_body(value: object) -> str:
    """A table of a plan, or a JSON object as text; kept as text, which nobody changes."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
        text = json.dumps(found, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        raise ValueError("extra_body is a JSON object.") from None
    if not isinstance(found, dict) or len(text) > MAX_EXTRA_CHARS:
        raise ValueError(f"extra_body is a JSON object of {MAX_EXTRA_CHARS} characters at most.")
    own = next((part for part in OWN_PARTS if part in found), None)
    if own:
        raise ValueError(f"extra_body cannot change {own!r}, which the program decides.")
    return text
