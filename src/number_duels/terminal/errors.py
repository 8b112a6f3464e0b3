"""Errors that end a command with one sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """An error that ends the command, with a message for the user and an exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        if "pip install '" in message:
            message = message.replace("pip install '", f"{pip()} install '")
        super().__init__(message)
        self.status = status


class Interrupted(Exception): ...


def usage(message: str) -> CommandError:
    return CommandError(message, WRONG_USAGE)


@contextmanager
def refusing(about: str = "", status: int = FAILED) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise CommandError(f"{about}{error}", status) from None


def refusing_usage(about: str = "") -> AbstractContextManager[None]:
    return refusing(about, WRONG_USAGE)


@contextmanager
def file_errors(path: Path, done: str) -> Iterator[None]:
    try:
        with refusing():
            yield
    except OSError as error:
        raise CommandError(f"{path} cannot be {done}: {error.strerror}.") from None


def pip() -> str:
    if sys.prefix in (sys.base_prefix, os.environ.get("VIRTUAL_ENV")):
        return "pip"
    from shlex import quote  # every start imports this module

    here = os.path.relpath(sys.executable)
    return f"{quote(sys.executable if here.startswith(os.pardir) else here)} -m pip"
