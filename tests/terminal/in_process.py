"""The command in this process, as strict as in one of its own: streams, surroundings, an end."""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.terminal import main, parser
from tests.terminal.streams import open_streams

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Interrupting(io.FileIO):
    """Input at whose end Ctrl-C is pressed."""

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        if not (size := super().readinto(buffer)):
            raise KeyboardInterrupt
        return size


def call(
    arguments: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    given: bytes,
    *,
    out_to: int | None = None,
    closed: tuple[str, ...] = (),
    ctrl_c: bool = False,
    clock: Clock = SYSTEM_CLOCK,
) -> tuple[int, bytes, bytes]:
    """Run a command from its beginning to its end; its status, its output and its errors.

    Its output may go elsewhere, streams may be closed from the beginning, and at the end of what
    is typed Ctrl-C may be pressed.
    """
    with TemporaryFile() as typed, TemporaryFile() as out, TemporaryFile() as err:
        typed.write(given)
        typed.seek(0)
        files = (typed.fileno(), out.fileno() if out_to is None else out_to, err.fileno())
        with descriptors(files), surroundings(folder, environment):
            for name in closed:
                os.close(getattr(sys, name).fileno())
                setattr(sys, name, None)
            if ctrl_c:
                keys = io.BufferedReader(Interrupting(0, closefd=False))
                sys.stdin = io.TextIOWrapper(keys, "utf-8")
            sys.argv = [str(Path(main.__file__).parents[1] / "__main__.py"), *arguments]
            try:
                main.main(clock)
            except SystemExit as end:
                status = end.code
            for stream in (sys.stdout, sys.stderr):
                stream.flush()  # as Python does at its end
            for name in closed:
                getattr(sys, name).close()
        assert isinstance(status, int)
        for file in (out, err):
            file.seek(0)
        return status, out.read(), err.read()


@contextmanager
def descriptors(files: tuple[int, int, int]) -> Iterator[None]:
    """Have other files as the standard streams, also for all that is started meanwhile."""
    before = [os.dup(number) for number in range(3)]
    for number, file in enumerate(files):
        os.dup2(file, number)
    try:
        yield
    finally:
        for number, file in enumerate(before):
            os.dup2(file, number)
            os.close(file)


@contextmanager
def surroundings(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Be where a command is started, and leave nothing of it behind."""
    variables, place, path, words = dict(os.environ), Path.cwd(), list(sys.path), sys.argv
    streams = sys.stdin, sys.stdout, sys.stderr
    term = signal.getsignal(signal.SIGTERM)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    importlib.invalidate_caches()
    parser.screen_width.cache_clear()
    sys.stdin, sys.stdout, sys.stderr = open_streams(environment)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        signal.signal(signal.SIGTERM, term)
        parser.screen_width.cache_clear()
        # A copy in one step: a thread that still runs may import something.
        for name, module in sys.modules.copy().items():
            if (getattr(module, "__file__", None) or "").startswith(f"{folder}{os.sep}"):
                del sys.modules[name]
        sys.path[:], sys.argv = path, words
        os.chdir(place)
        os.environ.clear()
        os.environ.update(variables)
