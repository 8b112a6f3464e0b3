"""Reading and writing: a terminal with colour, or a pipe with the bare words."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import termios
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import TYPE_CHECKING

from number_duels.core.names import named_parts
from number_duels.core.questions import Prompt
from number_duels.core.text import printable_letter
from number_duels.terminal.errors import Interrupted

if TYPE_CHECKING:
    from number_duels.terminal.ui.line_editor import LineEditor

HIDDEN_INPUT = "[Input Hidden]"
#: Longer lines are read to their end and refused; nobody types this much.
LONGEST_LINE = 10_000
TOO_LONG = "(a line that is too long to be an answer)"
#: Seat one, seat two, headings, what is faint, good news.
COLOURS = {"one": "36", "two": "35", "bold": "1", "faint": "2", "good": "32;1"}
#: All that this program itself has printed besides letters.
OWN_CODES = re.compile(rf"(\x1b\[(?:0|{'|'.join(COLOURS.values())})m|\n)")


class Console:
    """One table's screen and keyboard."""

    def __init__(self, *, plain: bool = False, names: tuple[str, str] | None = None) -> None:
        self.names = names
        self.keyboard = sys.stdin.isatty()
        self.plain = plain or not can_draw()
        self.colour = not self.plain and not os.environ.get("NO_COLOR")
        self.editor: LineEditor | None = None
        if self.keyboard and not self.plain:
            from number_duels.terminal.ui.line_editor import line_editor

            self.editor = line_editor()

    @property
    def width(self) -> int:
        """How many characters fit on a line."""
        from shutil import get_terminal_size  # not needed by what every start imports

        return get_terminal_size().columns

    def paint(self, text: str, colour: str) -> str:
        """A text in a colour, where there are colours."""
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if self.colour else text

    def strong(self, text: str) -> str:
        """A line in bold, also after a name in its colour."""
        again = text.replace("\x1b[0m", f"\x1b[0m\x1b[{COLOURS['bold']}m")
        return self.paint(again, "bold") if text else ""

    def dress(self, text: str) -> str:
        """Words with the players' names, and each name in its colour."""
        parts = named_parts(harmless(text), self.names or ("Player 1", "Player 2"))
        return "".join(
            part if seat is None else self.paint(part, ("one", "two")[seat]) for part, seat in parts
        )

    def say(self, lines: Iterable[str]) -> None:
        """Print lines of the game's words."""
        for line in lines:
            for part in self.fold(self.dress(line)):
                print(part)
        sys.stdout.flush()

    def fold(self, line: str) -> list[str]:
        """A line cut at spaces to the width of the screen; bare text is never cut."""
        from number_duels.terminal.ui.text_width import fold

        return [line] if self.plain else fold(line, self.width - 1)

    def draw(self, lines: Iterable[str]) -> None:
        """Print lines that are drawn to fit already."""
        for line in lines:
            print(harmless(line))
        sys.stdout.flush()

    def ask(self, prompt: Prompt) -> str:
        """Put a question and read one line; a secret is typed unseen."""
        if prompt.reason:
            self.say([prompt.reason])
        text = self.dress(prompt.text).split("\n")
        *lines, last = [part for line in text for part in self.fold(line)]
        self.draw(self.strong(line) for line in lines)
        if prompt.text.endswith(" ") and not last.endswith(" "):
            last += " "
        question = self.strong(last)
        if prompt.secret:
            with no_echo(redraw=lambda: self.show(question)) as wait:
                reply = self.read(question, wait)
            sys.stdout.write(f"{HIDDEN_INPUT}\n")
        elif self.editor:
            reply = self.editor.read(question)
        else:
            reply = self.read(question)
            sys.stdout.write("" if self.keyboard else "\n")
        return reply

    def show(self, question: str) -> None:
        """A question, its line left open for the reply."""
        sys.stdout.write(question)
        sys.stdout.flush()

    def read(self, question: str, wait: Callable[[], None] = lambda: None) -> str:
        """One line without its end, once it has been waited for; closed input interrupts."""
        self.show(question)
        wait()
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            sys.stdout.write("\n")
            raise Interrupted
        if len(line) < LONGEST_LINE or line.endswith("\n"):
            return line.rstrip("\r\n")
        while line and not line.endswith("\n"):
            line = sys.stdin.readline(LONGEST_LINE)
        return TOO_LONG


@contextmanager
def thinking() -> Iterator[None]:
    """What is typed at a terminal meanwhile is neither shown nor obeyed."""
    with no_echo(redraw=lambda: None, drop_typed=True):
        yield


@contextmanager
def no_echo(
    redraw: Callable[[], None], *, drop_typed: bool = False
) -> Iterator[Callable[[], None]]:
    """A terminal shows nothing of what is typed; a pipe never does.

    A shell turns the echo on when the program is stopped by Ctrl-Z, and leaves it on when it
    goes on: then it is turned off again, and the prompt drawn again. The function that it gives
    waits for a line; a signal that comes just before it waits is not missed.
    """
    if not sys.stdin.isatty():
        yield lambda: None
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    silent = termios.tcgetattr(keyboard)
    silent[3] &= ~termios.ECHO

    def silence(*_: object) -> None:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, silent)

    stopped = False

    def go_on(*_: object) -> None:  # it may come in the middle of a write, so it writes nothing
        nonlocal stopped
        stopped = True
        silence()

    def wait() -> None:
        nonlocal stopped
        while signals in select([keyboard, signals], [], [])[0]:
            os.read(signals, 64)
            if stopped:
                stopped = False
                redraw()

    signals, notify = os.pipe()
    os.set_blocking(notify, False)
    earlier_notify = signal.set_wakeup_fd(notify, warn_on_full_buffer=False)
    earlier = signal.signal(signal.SIGCONT, go_on)
    try:
        silence()
        yield wait
    finally:
        signal.signal(signal.SIGCONT, earlier)
        signal.set_wakeup_fd(earlier_notify)
        os.close(signals)
        os.close(notify)
        when = termios.TCSAFLUSH if drop_typed else termios.TCSADRAIN
        termios.tcsetattr(keyboard, when, before)


def can_draw() -> bool:
    """Whether the output is a terminal with box characters."""
    able = os.environ.get("TERM", "dumb") != "dumb"
    return able and sys.stdout.isatty() and (sys.stdout.encoding or "").lower() == "utf-8"


def note(message: str) -> None:
    """A message about the program itself, on standard error."""
    sys.stdout.flush()
    print(harmless(message), file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """A value as JSON on standard output; what a terminal would obey is written as its number."""
    text = json.dumps(value, ensure_ascii=False)
    print("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))


def harmless(text: str) -> str:
    r"""A text that can be printed whoever wrote it: only our own colours and ends of lines work.

    >>> harmless("\x1b[36mAnn\x1b[0m won\x1b]0;Bo\x07.")
    '\x1b[36mAnn\x1b[0m won?]0;Bo?.'
    """
    if text.isprintable():
        return text
    return "".join(
        part if OWN_CODES.fullmatch(part) else "".join(map(printable_letter, part))
        for part in OWN_CODES.split(text)
    )


def command(*words: str) -> str:
    """A command as the user can type it here: the program may lie off the search path."""
    from shlex import quote
    from shutil import which

    started = sys.argv[0]
    off_path = Path(started).name == "duels" and not which("duels")
    return " ".join([started if off_path else "duels", *map(quote, words)])
