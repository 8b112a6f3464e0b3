"""Asking before something is deleted."""

from __future__ import annotations

import sys

from number_duels.core.questions import Prompt
from number_duels.terminal.arguments import usage
from number_duels.terminal.ui.console import Console


def confirmed(question: str, console: Console, *, yes: bool) -> bool:
    """Whether a person at the keyboard, or --yes, agrees; nobody to ask is wrong usage."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise usage(f"{question} Nobody can be asked here; add --yes to the command.")
    reply = console.ask(Prompt(f"{question} [y/N] "))
    return reply.strip().casefold() in ("y", "yes")
