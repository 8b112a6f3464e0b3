"""A desk of one's own: the `duels` command, with folders nobody else uses."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import Record
from tests.patience import PATIENCE_S
from tests.terminal.forking import Piped
from tests.terminal.in_process import call
from tests.terminal.session import Session

PROGRAM = [sys.executable, "-m", "number_duels"]


@dataclass(frozen=True)
class Finished:
    """What a command said, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one line on standard error that tells a user why a command failed.

        Before it there may be an estimate of what a model's run takes.
        """
        assert "Traceback" not in self.err, self.err
        (line,) = [line for line in self.err.splitlines() if not line.startswith("About ")]
        assert line.startswith("duels: "), line
        return line.removeprefix("duels: ")


#: The command, run in a test's own process.
Duels = Callable[..., Finished]


@dataclass(frozen=True)
class Desk:
    """A home folder in which commands are run."""

    folder: Path
    #: How high its terminal is: by default too low for the full screen, so that all is in lines.
    rows: int = 19

    @property
    def surroundings(self) -> dict[str, str]:
        """The environment of every command."""
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "HOME": str(self.folder),
            # What nobody thought of is a failure here, not a polite sentence.
            "DUELS_TRACEBACK": "1",
            **{
                f"XDG_{kind}_HOME": str(self.folder / kind.lower())
                for kind in ("DATA", "CONFIG", "STATE")
            },
            "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"],
        }

    @property
    def games(self) -> Path:
        """Where games are kept that were not given a file."""
        return self.folder / "data" / "number-duels" / "games"

    @property
    def saved(self) -> list[Path]:
        """The games that are kept there."""
        return sorted(self.games.glob("*.json"))

    def configure(self, text: str) -> Path:
        """The user's own defaults."""
        path = self.folder / "config" / "number-duels" / "config.toml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        return path

    def keep(self, record: Record, name: str = "game.json") -> Path:
        """A record as a file."""
        path = self.folder / name
        path.write_text(record.to_json() + "\n", encoding="utf-8")
        return path

    def start(self, *arguments: str, largest_file: int | None = None) -> Piped:
        """A running command, to be typed at through pipes."""
        return Piped(arguments, self.folder, self.surroundings, largest_file)

    def run(
        self,
        *arguments: str,
        typed: Iterable[str] | bytes = (),
        out_to: int | None = None,
        closed: tuple[str, ...] = (),
        ctrl_c: bool = False,
        clock: Clock = SYSTEM_CLOCK,
        more: Mapping[str, str] | None = None,
        **environment: str,
    ) -> Finished:
        """A command from its beginning to its end, answered by lines or bytes from a pipe.

        After them the pipe is closed, or Ctrl-C is pressed.
        """
        lines = typed if isinstance(typed, bytes) else "".join(f"{line}\n" for line in typed)
        given = lines if isinstance(lines, bytes) else lines.encode()
        surroundings = {**self.surroundings, **(more or {}), **environment}
        status, out, err = call(
            arguments,
            self.folder,
            surroundings,
            given,
            out_to=out_to,
            closed=closed,
            ctrl_c=ctrl_c,
            clock=clock,
        )
        return Finished(status, out.decode(), err.decode())

    def process(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """A command that a new Python runs, for tests of what becomes of its processes."""
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env={**self.surroundings, **environment},
            text=True,
        )

    def shell(self, script: str, **environment: str) -> Finished:
        """A few lines of shell, in which `duels` is the command."""
        script = f'duels() {{ "{sys.executable}" -m number_duels "$@"; }}\n{script}'
        done = subprocess.run(
            ["bash", "-c", script],
            capture_output=True,
            cwd=self.folder,
            env={**self.surroundings, **environment},
            timeout=PATIENCE_S,
            check=False,
            text=True,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    def sit(
        self, *arguments: str, columns: int = 80, environment: Mapping[str, str] | None = None
    ) -> Session:
        """The same command at a terminal."""
        surroundings = {**self.surroundings, **(environment or {})}
        return Session(arguments, self.folder, surroundings, columns, rows=self.rows)

    def sit_in_bash(self, *arguments: str) -> Session:
        """The command at a terminal, started by a shell that can stop and resume it."""
        quiet = {**self.surroundings, "PS1": "$ ", "PROMPT_COMMAND": "", "HISTFILE": ""}
        bash = ("bash", "--norc", "--noprofile", "-i")
        session = Session((), self.folder, quiet, program=bash, rows=self.rows)
        session.type(shlex.join([*PROGRAM, *arguments]))
        return session


def read_until(process: Piped, expected: str) -> str:
    """What a command writes into its pipe, up to the first time that it says what is expected."""
    heard = b""
    while expected.encode() not in heard:
        piece = os.read(process.stdout.fileno(), 1)
        assert piece, f"the program ended before {expected!r}: {heard.decode()!r}"
        heard += piece
    return heard.decode()


def hear_until(session: Session, ending: str) -> str:
    """Everything up to a question, wherever its line is cut, and with the space at its end."""
    heard = b""
    while not ends(heard.decode(errors="replace"), ending):
        piece = session.piece(PATIENCE_S, 65536)
        assert piece, f"the program ended, or is silent, before {ending!r}: {heard.decode()!r}"
        heard += piece
    return heard.decode(errors="replace").replace("\r\n", "\n")


def ends(heard: str, ending: str) -> bool:
    """Whether a text ends with a question that may be cut into lines."""
    space = ending[len(ending.rstrip()) :]
    return bare(heard).endswith(space) and close_up(heard).endswith(close_up(ending))


def hear_past(session: Session, expected: str) -> None:
    """Listen until a text has been shown, and whatever comes with it."""
    heard = ""
    while expected not in heard:
        piece = session.piece(PATIENCE_S, 65536)
        assert piece, f"the program ended, or is silent, before {expected!r}: {heard!r}"
        heard += piece.decode(errors="replace").replace("\a", "")


def hear_out(session: Session) -> str:
    """Everything up to the end of the program."""
    heard = b""
    while piece := session.piece(PATIENCE_S, 65536):
        heard += piece
    return heard.decode(errors="replace").replace("\r\n", "\n")


def bare(text: str) -> str:
    """A text without escape codes."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def close_up(text: str) -> str:
    """Only what can be seen of a text."""
    return "".join(bare(text).split())
