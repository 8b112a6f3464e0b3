"""A transcript: a command, and a session in which what was typed stands in «marks»."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from tests.terminal.session import Session

FOLDER = Path(__file__).parent.parent / "transcripts"
#: What stands in a transcript for the escape character of a terminal's colours.
ESCAPE = "␛"
SECRET = "[Input Hidden]"


@dataclass(frozen=True)
class Transcript:
    """A played session."""

    command: str
    text: str
    status: int = 0

    @classmethod
    def read(cls, path: Path) -> Transcript:
        """A transcript from its file: `$ duels …`, the session, and `[exit N]`."""
        first, _, rest = path.read_text(encoding="utf-8").partition("\n")
        text, status = re.fullmatch(r"(.*?)\[exit (\d+)\]\n", rest, re.DOTALL).groups()  # type: ignore[union-attr]  # a file that does not fit fails its test
        return cls(first.removeprefix("$ duels "), text, int(status))

    def write(self, path: Path) -> None:
        """Keep a transcript in its file."""
        text = f"$ duels {self.command}\n{self.text}[exit {self.status}]\n"
        path.write_text(text, encoding="utf-8")

    @property
    def arguments(self) -> list[str]:
        """The command line."""
        return shlex.split(self.command)

    @property
    def typed(self) -> list[str]:
        """Every line that was typed."""
        return re.findall("«(.*?)»", self.text)

    @property
    def chunks(self) -> list[str]:
        """What the terminal shows up to each typed line, echo included, byte for byte."""
        pieces = re.split("«(.*?)»", self.text)
        shown = [pieces[0]]
        for line, after in zip(pieces[1::2], pieces[2::2], strict=True):
            echo = "" if after.startswith(SECRET) else line
            shown.append(echo + after)
        return [piece.replace(ESCAPE, "\x1b").replace("\n", "\r\n") for piece in shown]


def record(command: str, typed: list[str], folder: Path) -> Transcript:
    """Play a session and write down what happens."""
    with Session(shlex.split(command), folder, rows=19) as session:
        text = session.hear_until_quiet()
        for line in typed:
            session.type(line)
            heard = session.hear_until_quiet()
            text += f"«{line}»" + (heard if heard.startswith(SECRET) else heard.removeprefix(line))
        status = session.status()
    return Transcript(command, text.replace("\r\n", "\n").replace("\x1b", ESCAPE), status)
