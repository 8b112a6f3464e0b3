"""Input and output on a terminal or in a pipe."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import termios
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, TypeVar
from unicodedata import combining, east_asian_width

from number_duels.core.names import named_parts
from number_duels.core.questions import Prompt
from number_duels.core.text import PAGE_WIDTH, Section, listed, printable_letter, rules_text
from number_duels.terminal.errors import Interrupted, usage

if TYPE_CHECKING:
    from argparse import Namespace

M = TypeVar("M")
HIDDEN_INPUT = "[Input Hidden]"
#: A smaller terminal has no room for the full-screen application.
MIN_COLUMNS, MIN_ROWS = 60, 20
#: Longer lines are read to their end and refused.
LONGEST_LINE = 10_000
TOO_LONG = "(a line that is too long)"
COLORS = {"one": "36", "two": "35", "bold": "1", "faint": "2", "good": "32;1"}
BARE_BLOCKS = str.maketrans("░▏▎▍▌▋▊▉█", "....#####")
#: Replacements for characters that a terminal cannot print.
STAND_INS = {"★": "*", "☆": ".", "🟩": "+", "⬛": "-", "…": "...", "\N{MINUS SIGN}": "-"}
#: Control codes that `harmless` keeps: our own colors and line ends.
OWN_CODES = re.compile(rf"(\x1b\[(?:0|{'|'.join(COLORS.values())})m|\n)")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that cannot be encoded, as an error handler for `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(STAND_INS.get(one, "?") for one in lacking), error.end


class Console:
    def __init__(self, *, plain: bool = False, names: tuple[str, str] | None = None) -> None:
        self.names = names
        self.keyboard = sys.stdin.isatty()
        #: Whether the user asked for plain text. Then nothing is added to a game's own words.
        self.plain_wanted = plain
        self.plain = plain or not can_draw()
        self.color = not self.plain and not os.environ.get("NO_COLOR")
        self.editor = None
        if self.keyboard and not self.plain and find_spec("readline"):
            self.editor = LineEditor()

    @property
    def width(self) -> int:
        from shutil import get_terminal_size  # most commands don't need it

        return get_terminal_size().columns

    def paint(self, text: str, color: str) -> str:
        return f"\x1b[{COLORS[color]}m{text}\x1b[0m" if self.color else text

    def strong(self, text: str) -> str:
        # A colored name ends the bold text.
        again = text.replace("\x1b[0m", f"\x1b[0m\x1b[{COLORS['bold']}m")
        return self.paint(again, "bold") if text else ""

    def dress(self, text: str) -> str:
        parts = named_parts(harmless(text), self.names or ("Player 1", "Player 2"))
        return "".join(
            part if seat is None else self.paint(part, ("one", "two")[seat]) for part, seat in parts
        )

    def say(self, lines: Iterable[str]) -> None:
        for line in lines:
            for part in self.fold(self.dress(line)):
                print(self.bare(part))
        sys.stdout.flush()

    def rules(self, sections: Sequence[Section]) -> list[str]:
        width = PAGE_WIDTH if self.plain else min(PAGE_WIDTH, self.width - 1)
        return rules_text(sections, width).splitlines()

    def fold(self, line: str) -> list[str]:
        return [line] if self.plain else fold(line, self.width - 1)

    def draw(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(self.bare(harmless(line)))
        sys.stdout.flush()

    def bare(self, text: str) -> str:
        # Some terminals can't show block characters.
        return text.translate(BARE_BLOCKS) if self.plain else text

    def ask(self, prompt: Prompt) -> str:
        """Ask a question and read one line. A secret answer is read without echo."""
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
        sys.stdout.write(question)
        sys.stdout.flush()

    def read(self, question: str, wait: Callable[[], None] = lambda: None) -> str:
        """Show a question and return the next line. Raise Interrupted if the input is closed."""
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
    with no_echo(redraw=lambda: None, drop_typed=True):
        yield


@contextmanager
def no_echo(
    redraw: Callable[[], None], *, drop_typed: bool = False
) -> Iterator[Callable[[], None]]:
    """Turn off the terminal's echo, and yield a function that waits for input.

    That function calls `redraw` when the program resumes after Ctrl-Z. `drop_typed` discards unread
    input at the end. In a pipe, nothing happens.
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

    def go_on(*_: object) -> None:  # a signal handler must not print
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
    # Other terminals may not show box characters.
    able = os.environ.get("TERM", "dumb") not in ("", "dumb")
    return able and sys.stdout.isatty() and (sys.stdout.encoding or "").lower() == "utf-8"


def full_screen() -> bool:
    # Textual reads from standard input and draws on standard error.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(one.isatty() for one in streams) or not can_draw():
        return False
    from shutil import get_terminal_size  # most commands don't need it

    size = get_terminal_size()
    has_textual = find_spec("textual") is not None
    return size.columns >= MIN_COLUMNS and size.lines >= MIN_ROWS and has_textual


def on_full_screen(args: Namespace) -> bool:
    return not args.plain and full_screen()


def note(message: str) -> None:
    sys.stdout.flush()
    print(harmless(message), file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    print("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))


def harmless(text: str) -> str:
    r"""Replace control characters, but keep our own color codes and line ends.

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
    """Return a command for the user to type, with the program's path if it is not on PATH."""
    from shlex import quote
    from shutil import which

    started = sys.argv[0]
    off_path = Path(started).name == "duels" and not which("duels")
    return " ".join([started if off_path else "duels", *map(quote, words)])


def suggest(*steps: str | tuple[str, ...]) -> None:
    """Suggest next steps to the user, if standard error is a terminal."""
    if sys.stderr.isatty():
        said = (one if isinstance(one, str) else f"{one[0]} {command(*one[1:])}" for one in steps)
        note("\n".join(("", *said)))


def confirmed(question: str, console: Console, *, yes: bool) -> bool:
    """Ask a yes-or-no question, unless `yes` is true. Raise a usage error without a terminal."""
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        about = " ".join(question.split())
        raise usage(f"{about} To agree without a terminal, add --yes to the command.")
    reply = console.ask(Prompt(f"{question} [y/N] "))
    return reply.strip().casefold() in ("y", "yes")


# ---- editing a line -----------------------------------------------------------


class LineEditor:
    """Reads lines with editing and a history. Secret answers are not in the history."""

    def __init__(self) -> None:
        import readline

        self.readline = readline
        readline.set_auto_history(False)
        if "libedit" not in (readline.__doc__ or ""):
            # Tab would offer file names, and paste codes would appear in a log of the session.
            readline.parse_and_bind("set disable-completion on")
            readline.parse_and_bind("set enable-bracketed-paste off")

    def read(self, question: str) -> str:
        sys.stdout.flush()
        try:
            # Color codes are marked for readline, because they take no columns.
            reply = input(CODES.sub("\001\\g<0>\002", question))
        except EOFError:
            sys.stdout.write("\n")
            raise Interrupted from None
        if reply.strip():
            self.readline.add_history(reply)
        return reply


# ---- commands typed instead of an answer --------------------------------------

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "how the game stands",
    "hint": "a hint; type it again for the move, then for the reason",
    "undo": "take back the last turn",
    "back": "one step back, where a move is asked for in steps",
    "save": "where this game is kept",
    "quit": "stop here, and go on another day",
}
ALIASES = {"?": "help", "h": "hint", "q": "quit"}
NO_HINTS = "Hints are off; start or resume the game with --hints to get them."
NO_BOARD = "The board is not shown here; type board to see it."
NO_STEP_BACK = "This move has no earlier step; type undo to take back the last turn."


class Quit(Exception): ...


class TakenBack(Exception):
    """The current question is out of date."""


class StepBack(Exception): ...


def command_in(reply: str) -> str | None:
    word = reply.strip().casefold()
    word = ALIASES.get(word, word)
    return word if word in COMMANDS else None


def hold(begin: Callable[[], Generator[Prompt, str, M]], reply: Callable[[Prompt, int], str]) -> M:
    """Ask questions until the move is complete, and return the move.

    `reply` gets a prompt and the number of questions answered so far, and returns an answer. If it
    raises `StepBack`, the previous question is asked again.
    """
    given: list[str] = []
    while True:
        conversation = begin()
        prompt = next(conversation)
        for answer in given:
            prompt = conversation.send(answer)
        try:
            while True:
                said = reply(prompt, len(given))
                prompt = conversation.send(said)
                given += [] if prompt.reason else [said]
        except StepBack:
            given.pop()
        except StopIteration as done:
            move: M = done.value
            return move


def reminder(commands: Mapping[str, str]) -> str:
    return f"You can always type {listed(list(commands))}."


def help_lines(commands: Mapping[str, str]) -> Iterator[str]:
    yield "You can also type:"
    for command, meaning in commands.items():
        yield f"  {command:6} {meaning}"
    short = [f"{alias} for {command}" for alias, command in ALIASES.items() if command in commands]
    yield f"In short: {listed(short)}."


# ---- width of a text ----------------------------------------------------------

CODES = re.compile(r"\x1b\[[0-9;]*m")
#: A word, or a sum such as `3 + 4 = 7`, with the spaces before it.
PIECE = re.compile(r" *(?:\d+(?: [-+=] \d+)+[^ ]*|[^ ]+)")
#: A list mark or a gap between columns. A folded line continues in the column after it.
COLUMN = re.compile(r"^ *(?:-|\d+\.) +|(?<=[^ ]) {2,}")


@lru_cache(4096)  # boards measure the same few texts thousands of times
def breadth(text: str) -> int:
    """Return the width of a text in columns, without its color codes.

    >>> breadth("ab"), breadth("数")
    (2, 2)
    """
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF")
        for letter in CODES.sub("", text)
    )


def fold(line: str, width: int) -> list[str]:
    """Break a line at spaces to fit `width`, but never inside a sum such as `5 + 1 = 6`.

    The next lines are aligned with the last column of the first line.

    >>> fold("  one two three", 9)
    ['  one two', '  three']
    >>> fold("  a  Ann  plays as she likes", 18)
    ['  a  Ann  plays as', '          she', '          likes']
    >>> fold("5 + 1 = 6, 5 - 1 = 4", 18)
    ['5 + 1 = 6,', '5 - 1 = 4']
    """
    if breadth(line) <= width:
        return [line]
    indent = " " * hanging_indent(line, 2 * width // 3)
    rows = [""]
    for piece in PIECE.findall(line):
        if rows[-1].strip() and breadth(rows[-1] + piece) > width:
            rows.append(indent + piece.lstrip())
        else:
            rows[-1] += piece
    return rows


def hanging_indent(line: str, most: int) -> int:
    bare = CODES.sub("", line)
    columns = [breadth(bare[: gap.end()]) for gap in COLUMN.finditer(bare)]
    return max([len(bare) - len(bare.lstrip()), *(one for one in columns if one <= most)])


def pack(pieces: Iterable[str], width: int, between: str = " ") -> list[str]:
    rows = [""]
    for piece in pieces:
        longer = f"{rows[-1]}{between}{piece}" if rows[-1] else piece
        if rows[-1] and breadth(longer) > width:
            rows.append(piece)
        else:
            rows[-1] = longer
    return rows


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> Iterator[str]:
    rows = list(rows)
    widths = [max(map(breadth, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        pads = [" " * (wide - breadth(cell)) for cell, wide in zip(row, widths, strict=True)]
        cells = (
            pad + cell if place in right else cell + pad
            for place, (cell, pad) in enumerate(zip(row, pads, strict=True))
        )
        yield "  ".join(cells).rstrip()
