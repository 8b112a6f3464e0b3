"""The entry point of the `duels` command."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from argparse import Namespace
from codecs import register_error
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from number_duels.core.bug_reports import BrokenGame, unforeseen
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.terminal.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    WRONG_USAGE,
    CommandError,
    Interrupted,
)
from number_duels.terminal.line.console import note, stand_in
from number_duels.terminal.parser import parsed


def execute(args: Namespace, clock: Clock = SYSTEM_CLOCK) -> int:
    """Run a parsed command, and import only the module that it needs."""
    args.clock = clock
    module, function = args.run.split(":")
    command = getattr(import_module(f"number_duels.terminal.{module}"), function)
    return int(command(args))


def run(arguments: list[str], clock: Clock = SYSTEM_CLOCK) -> int:
    """Run a command line and return its exit status. If it fails, print one sentence."""
    try:
        try:
            if arguments[:1] == ["_complete"]:  # called by the completion scripts
                return complete(arguments[1:])
            return execute(parsed(arguments), clock)
        finally:
            sys.stdout.flush()
    except CommandError as error:
        note(f"duels: {error}")
        return error.status
    except (Interrupted, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        return failed(error)


def failed(error: Exception) -> int:
    if isinstance(error, OSError):
        # Discard the buffered output, because nobody reads it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return FAILED
    if isinstance(error, OSError):
        note(f"duels: the output could not be written ({error.strerror}).")
        return FAILED
    if os.environ.get("DUELS_TRACEBACK"):
        raise error
    if isinstance(error, BrokenGame):
        note(f"duels: {error}")
        return WRONG_USAGE
    sentence = unforeseen(error)
    note(f"duels: {sentence[0].lower()}{sentence[1:]}")
    return FAILED


def complete(words: list[str]) -> int:
    from number_duels.terminal.completion import candidates_for

    print("\n".join(candidates_for(words)))
    return DONE


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    note(f"duels: {message}")


def open_streams() -> None:
    # The caller may have closed any standard stream.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this stream's
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))
    register_error("stand_in", stand_in)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "stand_in")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def main(clock: Clock = SYSTEM_CLOCK) -> NoReturn:
    open_streams()
    warnings.showwarning = show_warning
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run(sys.argv[1:], clock))
