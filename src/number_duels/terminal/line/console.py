"""Reading and writing: a terminal with colour, or a pipe with the bare words."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import termios
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, TypeVar
from unicodedata import combining, east_asian_width

from number_duels.core.names import named_parts
from number_duels.core.questions import Prompt
from number_duels.core.text import listed, printable_letter, rules_text
from number_duels.terminal.errors import Interrupted, usage

if TYPE_CHECKING:
    from types import ModuleType

    from number_duels.core.game import AnyGame

M = TypeVar("M")
HIDDEN_INPUT = "[Input Hidden]"
#: The smallest screen on which a table can be used.
MIN_COLUMNS, MIN_ROWS = 60, 20
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
        self.editor = line_editor() if self.keyboard and not self.plain else None

    @property
    def width(self) -> int:
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


def full_screen() -> bool:
    """Whether this is a terminal that the application can be shown on."""
    # Textual reads from standard input and draws on standard error.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if not all(one.isatty() for one in streams) or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    from shutil import get_terminal_size  # not needed by what every start imports

    size = get_terminal_size()
    return size.columns >= MIN_COLUMNS and size.lines >= MIN_ROWS and has_textual()


def has_textual() -> bool:
    """Whether the library that draws the application is installed."""
    return find_spec("textual") is not None


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


def suggest(*steps: str | tuple[str, ...]) -> None:
    """Name what can be done next, where a person reads standard error.

    A step is a sentence, or a label and the words of a command.
    """
    if sys.stderr.isatty():
        said = (one if isinstance(one, str) else f"{one[0]} {command(*one[1:])}" for one in steps)
        note("\n".join(("", *said)))


def confirmed(question: str, console: Console, *, yes: bool) -> bool:
    """Whether a person at the keyboard, or --yes, agrees; nobody to ask is wrong usage."""
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        about = " ".join(question.split())
        raise usage(f"{about} Nobody can be asked here; add --yes to the command.")
    reply = console.ask(Prompt(f"{question} [y/N] "))
    return reply.strip().casefold() in ("y", "yes")


# ---- editing a line -----------------------------------------------------------


class LineEditor:
    """Reads lines that can be edited; the arrow keys bring earlier ones back.

    Only what is read here enters the history, so a secret, which is read elsewhere, never does.
    """

    def __init__(self, readline: ModuleType) -> None:
        self.readline = readline
        readline.set_auto_history(False)
        if "libedit" not in (readline.__doc__ or ""):
            # Tab would offer file names; the codes of a pasted text would stand in a session's log.
            readline.parse_and_bind("set disable-completion on")
            readline.parse_and_bind("set enable-bracketed-paste off")

    def read(self, question: str) -> str:
        """One line without its end; closed input interrupts."""
        sys.stdout.flush()
        try:
            # Codes take no room on the screen; readline has to be told which they are.
            reply = input(CODES.sub("\001\\g<0>\002", question))
        except EOFError:
            sys.stdout.write("\n")
            raise Interrupted from None
        if reply.strip():
            self.readline.add_history(reply)
        return reply


def line_editor() -> LineEditor | None:
    """Return the editor for a keyboard and a screen; None where Python has no readline."""
    try:
        import readline
    except ImportError:
        return None
    return LineEditor(readline)


# ---- what can be typed besides an answer --------------------------------------

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "how the game stands",
    "hint": "the winning chance of each of your options",
    "undo": "take back the last turn",
    "back": "one step back, where a move is asked for in steps",
    "save": "where this game is kept",
    "quit": "stop here, and go on another day",
}
ALIASES = {"?": "help", "q": "quit"}
NO_HINTS = "Hints are off; start the game, or resume it, with --hints to have them."
NO_STEP_BACK = "There is no step to take back in this question; undo takes back the last turn."


class Quit(Exception):
    """A player wants to stop here."""


class TakenBack(Exception):
    """A turn was taken back, so whatever was being asked is asked no more."""


class StepBack(Exception):
    """A player wants the question before this one again."""


def command_in(reply: str) -> str | None:
    """The command that a reply is, if it is one."""
    word = reply.strip().casefold()
    word = ALIASES.get(word, word)
    return word if word in COMMANDS else None


def hold(begin: Callable[[], Generator[Prompt, str, M]], reply: Callable[[Prompt, int], str]) -> M:
    """Hold a conversation until there is a move; a `StepBack` asks the question before again.

    `reply` gets the prompt and the number of steps that were answered before it.
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


def help_lines(game: AnyGame, commands: Mapping[str, str]) -> Iterator[str]:
    """How moves are typed in this game, and every command with its meaning."""
    typing = [part for part in game.rule_sections() if part.for_keyboard]
    yield from rules_text(typing).splitlines()[1:]
    yield "You can also type:"
    for command, meaning in commands.items():
        yield f"  {command:6} {meaning}"
    short = [f"{alias} for {command}" for alias, command in ALIASES.items()]
    yield f"In short: {listed(short)}."


# ---- how wide a text is -------------------------------------------------------

CODES = re.compile(r"\x1b\[[0-9;]*m")
#: The mark of an item in a list, or a gap between two columns: text goes on below what follows it.
COLUMN = re.compile(r"^ *(?:-|\d+\.) +|(?<=[^ ]) {2,}")


def breadth(text: str) -> int:
    """How many columns a text takes, colours aside.

    >>> breadth("ab"), breadth("数")
    (2, 2)
    """
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF")
        for letter in CODES.sub("", text)
    )


def fold(line: str, width: int) -> list[str]:
    """A line cut at spaces, so that each part fits; what goes on stays in its column.

    >>> fold("  one two three", 9)
    ['  one two', '  three']
    >>> fold("  a  Ann  plays as she likes", 18)
    ['  a  Ann  plays as', '          she', '          likes']
    """
    if breadth(line) <= width:
        return [line]
    indent = " " * hanging_indent(line, 2 * width // 3)
    rows = [""]
    for piece in re.findall(" *[^ ]+", line):
        if rows[-1].strip() and breadth(rows[-1] + piece) > width:
            rows.append(indent + piece.lstrip())
        else:
            rows[-1] += piece
    return rows


def hanging_indent(line: str, most: int) -> int:
    """Where the last column of a line begins, if that leaves room; else its indent."""
    bare = CODES.sub("", line)
    columns = [breadth(bare[: gap.end()]) for gap in COLUMN.finditer(bare)]
    return max([len(bare) - len(bare.lstrip()), *(one for one in columns if one <= most)])


def pack(pieces: Iterable[str], width: int) -> list[str]:
    """Pieces in rows, as many to a row as fit."""
    rows = [""]
    for piece in pieces:
        longer = f"{rows[-1]} {piece}" if rows[-1] else piece
        if rows[-1] and breadth(longer) > width:
            rows.append(piece)
        else:
            rows[-1] = longer
    return rows


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> Iterator[str]:
    """Yield rows in columns, each to the left or, where it is listed, to the right."""
    rows = list(rows)
    widths = [max(map(breadth, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        pads = [" " * (wide - breadth(cell)) for cell, wide in zip(row, widths, strict=True)]
        cells = (
            pad + cell if place in right else cell + pad
            for place, (cell, pad) in enumerate(zip(row, pads, strict=True))
        )
        yield "  ".join(cells).rstrip()
