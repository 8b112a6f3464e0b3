"""Asking before something is done that cannot be taken back."""

from __future__ import annotations

import sys

from number_duels.core.questions import Prompt
from number_duels.terminal.arguments import usage
from number_duels.terminal.ui.console import Console


def confirmed(question: str, console: Console, *, yes: bool, can_ask: bool = True) -> bool:
    """Whether a person at the keyboard, or --yes, agrees; nobody to ask is wrong usage."""
    if yes:
        return True
    if not (can_ask and sys.stdin.isatty() and sys.stdout.isatty()):
        about = " ".join(question.split())
        raise usage(f"{about} Nobody can be asked here; add --yes to the command.")
    reply = console.ask(Prompt(f"{question} [y/N] "))
    return reply.strip().casefold() in ("y", "yes")
