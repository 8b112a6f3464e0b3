"""A widget that asks a question, answered by arrows, keys, typing or clicks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from textual import events
from textual.geometry import Offset

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.names import YOU, without_address
from number_duels.core.questions import (
    Answer,
    Question,
    beyond,
    by_notation,
    find,
    labels,
    plain,
    refusal,
)
from number_duels.core.record import with_names
from number_duels.terminal.app.board_view import Line, LinesView, length
from number_duels.terminal.line.console import breadth, fold

#: Letters typed this soon after an answer's key are ignored, such as the "es" of "yes".
REST_OF_WORD_SECONDS = 0.35
#: With fewer rows than this, there are no blank lines.
ROOMY_ROWS = 24


class Choices(LinesView):
    """Asks one question after another until there is a move.

    It never has the focus. Its screen passes the keys on, so that they are handled in order.
    """

    def __init__(self, id: str | None = None, clock: Clock = SYSTEM_CLOCK) -> None:  # noqa: A002
        super().__init__(id=id)
        self.clock = clock
        self.offer: Offer | None = None
        self.then: Callable[[Hashable], None] | None = None
        self.path: list[TypedAnswer] = []
        self.steps: list[str] = []
        self.marked = 0
        self.reason = ""
        self.word_ends_at = 0.0
        self.places: list[Place] = []

    # ---- asking ----------------------------------------------------------------

    def ask(self, offer: Offer, then: Callable[[Hashable], None]) -> None:
        """Ask a question, and call `then` with the move."""
        self.offer, self.then = offer, then
        self.path = [TypedAnswer(offer.question, offer.question, offer.parse)]
        self.steps, self.marked, self.reason = [], 0, ""
        self.refresh(layout=True)

    def stop(self) -> None:
        """Stop asking and taking keys."""
        self.offer = self.then = None
        self.refresh(layout=True)

    @property
    def typed(self) -> TypedAnswer:
        return self.path[-1]

    @property
    def answers(self) -> tuple[Answer[Hashable], ...]:
        return self.typed.question.answers if self.offer else ()

    def step_back(self) -> bool:
        """Undo the typed text, the refusal or the last step. Return False if there is none."""
        if not self.offer or not (self.typed.text or self.reason or len(self.path) > 1):
            return False
        if self.typed.text:
            self.type(self.typed.after(self.typed.question, ""))
        elif not self.reason:
            self.path.pop()
            self.steps.pop()
            self.marked = 0
        self.reason = ""
        self.refresh(layout=True)
        return True

    def type(self, typed: TypedAnswer) -> None:
        self.path[-1] = typed
        self.refresh(layout=True)

    def take(self, target: Target, typed: str) -> None:
        """Follow an answer to the next question or to a move."""
        self.reason = ""
        if isinstance(target, Question):
            # Clear the text of this step, in case the user comes back to it.
            following = self.typed.after(target, typed)
            self.type(self.typed.after(self.typed.question, ""))
            self.path.append(following)
            self.steps.append(typed)
            self.marked = 0
        else:
            then = self.then
            self.stop()
            if then:
                then(target)

    # ---- keys and clicks -------------------------------------------------------

    def key(self, event: events.Key) -> bool:
        """Handle a key. Return False if it means nothing to this question."""
        if self.offer is None:
            return False
        letter = event.character if event.is_printable else None
        if not (letter and letter.isalpha()):
            self.word_ends_at = 0.0
        if letter and self.clock.monotonic() < self.word_ends_at:
            self.word_ends_at = self.clock.monotonic() + REST_OF_WORD_SECONDS
        elif letter and letter not in "?" and self.typed.begins_here(letter):
            self.add(letter)
        elif event.key == "enter":
            self.accept()
        elif event.key == "backspace":
            self.type(self.typed.shortened())
        elif event.key in STEPS:
            along, down = STEPS[event.key]
            self.move_mark(along + down * self.row_step())
        else:
            return False
        return True

    def add(self, letter: str) -> None:
        """Add a typed character, and take the answer at once if it is unambiguous."""
        assert self.offer
        self.reason = ""
        typed = self.typed.with_key(letter)
        target = typed.leads_to()
        if target is not None and typed.is_complete() and not self.offer.blind:
            if letter.isalpha():
                self.word_ends_at = self.clock.monotonic() + REST_OF_WORD_SECONDS
            self.take(target, typed.text)
        else:
            self.type(typed)
            if typed.is_closed() and not self.offer.blind:
                self.refuse()

    def accept(self) -> None:
        """Take what was typed, or the marked answer if nothing was typed."""
        assert self.offer
        if self.typed.text:
            target = self.typed.leads_to()
            if target is None:
                self.refuse()
            else:
                self.take(target, self.typed.text)
        elif not self.offer.blind:
            self.pick(self.marked)

    def refuse(self) -> None:
        self.reason = self.typed.refusal()
        self.type(self.typed.after(self.typed.question, ""))

    def pick(self, place: int) -> None:
        answer = self.answers[place]
        self.take(answer.leads_to, answer.text)

    def move_mark(self, by: int) -> None:
        assert self.offer
        if not self.offer.blind and not self.typed.text:
            self.marked = (self.marked + by) % len(self.answers)
            self.refresh(layout=True)

    def row_step(self) -> int:
        """Return how many answers Down moves by: a row, or 1 if there is only one row."""
        rows = [row for row, _, _ in self.places]
        return rows.count(rows[0]) if rows and rows[0] != rows[-1] else 1

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.offer is None:
            return
        event.stop()  # this click must not open the curtain too
        for place, (row, first, last) in enumerate(self.places):
            if at.y == row and first <= at.x < last:
                self.pick(place)
                return

    def place_of(self, place: int) -> Offset:
        """Return the position of an answer in the widget, for a click."""
        row, first, _ = self.places[place]
        return Offset(first + 1, row) + self.gutter.top_left

    # ---- drawing ---------------------------------------------------------------

    def lines(self, width: int) -> list[Line]:
        """Draw the prompt, the answers and the input, and record where each answer is."""
        self.places = []
        if (offer := self.offer) is None:
            return []
        asked = with_names(self.typed.question.prompt, offer.names)
        if YOU in offer.names:
            asked = without_address(asked)
        steps = () if offer.blind else self.steps
        lines: list[Line] = [((part, "bold"),) for part in fold(" ▸ ".join((*steps, asked)), width)]
        marked = None if offer.blind or self.typed.text else self.marked
        cells, explained = self.cells(offer, width)
        wide = max(map(length, cells), default=0)
        columns = columns_of(cells, width)
        for start in range(0, len(cells), columns):
            row: Line = ()
            for place, cell in enumerate(cells[start : start + columns], start):
                began = length(row)
                self.places.append((len(lines), began, began + length(cell)))
                row += tuple(
                    (text, "bold reverse" if place == marked else style) for text, style in cell
                )
                row += ((" " * (wide - length(cell) + BETWEEN_COLUMNS), ""),)
            lines.append(row)
        if marked is not None:
            lines += preview(self.answers[marked], offer, width, explained=explained)
        return [*lines, *self.input_lines(offer, width)]

    @property
    def roomy(self) -> bool:
        return self.app.size.height >= ROOMY_ROWS

    def cells(self, offer: Offer, width: int) -> tuple[list[Line], bool]:
        """Return the answers, and whether each includes its consequence.

        If rows are few, the consequence is shown for the marked answer only.
        """
        cells = [cell_of(answer, offer) for answer in self.answers]
        rows = max(MAX_SHORT_ROWS, self.rows_around - ROWS_BESIDES)
        if len(cells) <= columns_of(cells, width) * rows:
            return cells, True
        return [(*labelled(answer), (" ", "")) for answer in self.answers], False

    def input_lines(self, offer: Offer, width: int) -> Iterator[Line]:
        """Yield the typed text or how to answer, and why the last answer was refused."""
        if self.roomy:
            yield ()
        if offer.blind:
            yield (("Type it and press Enter, or click: nothing is shown."[:width], "$accent"),)
        elif self.typed.text:
            typed = f"{self.typed.text}█"
            room = width - len(typed) - 2
            yield (("> ", "$accent"), (typed, "bold"), (TYPED_NOTE[:room], "$faint"))
        else:
            yield from (((part, "$faint"),) for part in fold(self.how_to_answer(offer), width))
        if self.reason:
            yield from (((part, "$error"),) for part in fold(self.reason, width))

    def how_to_answer(self, offer: Offer) -> str:
        if self.steps:
            return "Arrows and Enter, a click, or its key. Esc goes one step back."
        if offer.example:
            return f"Arrows and Enter, a click, or type it: {offer.example}"
        single = len(self.answers) == 1
        return "Enter or a click." if single else "Arrows and Enter, a click, or its key."


#: For each arrow key, the answers to move on and the rows to move down.
STEPS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


# ---- drawing choices ----------------------------------------------------------


BETWEEN_COLUMNS = 3
#: Answers that need more rows than this, and than there are, are shown without consequences.
MAX_SHORT_ROWS = 4
#: Rows for the prompt, the input and a refusal.
ROWS_BESIDES = 5
#: Shown after the typed text.
TYPED_NOTE = "   Enter when done, Esc clears it."
#: The position of an answer: row, first column, end column.
Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Offer:
    """A question for a player, with the functions that parse and explain its moves."""

    question: Question[Hashable]
    parse: Callable[[str], Hashable]
    consequence: Callable[[Hashable], str]
    names: tuple[str, str]
    #: A move in the notation to type, if there is one.
    example: str = ""
    #: Whether the screen must not show the choice.
    blind: bool = False


def example_of(question: Question[Hashable]) -> str:
    """Return the last answer as it can be typed, or its whole move if it takes several steps.

    >>> last = Answer[Hashable]("no", "Give", "g")
    >>> example_of(Question("Keep?", (last,))), example_of(Question("", (Answer("", "Draw", "d"),)))
    ('no', 'd')
    """
    last = question.answers[-1]
    is_move = not isinstance(last.leads_to, Question)
    return last.text if last.text and is_move else str([*labels(question)][-1])


def columns_of(cells: list[Line], width: int) -> int:
    wide = max(map(length, cells), default=0)
    return max(1, (width + BETWEEN_COLUMNS) // (wide + BETWEEN_COLUMNS))


def cell_of(answer: Answer[Hashable], offer: Offer) -> Line:
    """Draw an answer, with its consequence if it is a move."""
    target = answer.leads_to
    if isinstance(target, Question):
        return ((f" {answer.label} ", "bold"),)
    does = beyond(answer.label, offer.consequence(target))
    label = (*labelled(answer), (" ", ""))
    return (*label, (f" {does} ", "$faint")) if does else label


def labelled(answer: Answer[Hashable]) -> Line:
    """Draw an answer's label, after its key if the label does not contain it."""
    words = re.findall(r"\w+", answer.label.casefold())
    key = "" if answer.text.casefold() in ("", *words) else f"{answer.text}  "
    return ((f" {key}", "$accent"), (answer.label, "bold"))


def preview(
    marked: Answer[Hashable], offer: Offer, width: int, *, explained: bool
) -> Iterator[Line]:
    """Draw what follows the marked answer, unless its cell already shows it."""
    target = marked.leads_to
    if isinstance(target, Question):
        yield ()
        ends = [one for one in target.answers if not isinstance(one.leads_to, Question)]
        wide = max((breadth(answer.label) for answer in ends), default=0)
        for answer in ends:
            does = beyond(answer.label, offer.consequence(answer.leads_to))
            yield ((f" {answer.label:{wide}}", ""), (f"  {does}"[: width - wide - 1], "$faint"))
        if not ends:
            yield ((f" then: {target.prompt}"[:width], "$faint"),)
    elif not explained and (does := offer.consequence(target)):
        yield ((f" {marked.label}", ""), (f"  {does}"[: width - 12], "$faint"))


# ---- typed answers ------------------------------------------------------------


Target: TypeAlias = Hashable | Question[Hashable]


@dataclass(frozen=True)
class TypedAnswer:
    """The text typed for a question and for the steps before it."""

    first: Question[Hashable]
    question: Question[Hashable]
    parse: Callable[[str], Hashable]
    #: The text of earlier steps, so that a move can span them: 8, then -3.
    earlier: str = ""
    text: str = ""

    def with_key(self, letter: str) -> TypedAnswer:
        return replace(self, text=self.text + letter)

    def shortened(self) -> TypedAnswer:
        return replace(self, text=self.text[:-1])

    def after(self, question: Question[Hashable], typed: str) -> TypedAnswer:
        """Return the next step of the same choice."""
        return replace(self, question=question, earlier=self.earlier + typed, text="")

    def begins_here(self, letter: str) -> bool:
        """Return whether an answer or a move can begin with a letter. Other letters are commands.

        Digits and signs are accepted wherever numbers are asked for, so that a wrong one is refused
        with a message.
        """
        if self.text:
            return True
        words = [word for a in self.question.answers for word in (a.text, *a.also)]
        words += [*self.question.closed, *map(str, labels(self.first))]
        if not letter.isalpha():
            return any(map(str.isdigit, "".join(words)))
        return any(word.casefold().startswith(letter.casefold()) for word in words)

    def leads_to(self) -> Target | None:
        """Return the question or the move that the text means, or None if it means none."""
        found = find(self.question, self.text)
        return found if found is not None else self.move(self.earlier + self.text)

    def move(self, text: str) -> Hashable | None:
        written = by_notation(text, self.parse)
        return next((move for move in labels(self.question) if move == written), None)

    def is_complete(self) -> bool:
        """Return whether the text means something, and no longer text means something else."""
        found = find(self.question, self.text)
        if found is not None:
            said = plain(self.text)
            others = (answer for answer in self.question.answers if answer.leads_to != found)
            words = (plain(word) for answer in others for word in (answer.text, *answer.also))
            return not any(word.startswith(said) for word in words)
        whole = self.earlier + self.text
        return self.move(whole) is not None and not any(
            self.move(f"{whole}{digit}") is not None for digit in range(10)
        )

    def is_closed(self) -> bool:
        """Return whether the text is a known answer that is not allowed now."""
        return plain(self.text) in self.question.closed

    def refusal(self) -> str:
        """Explain why the text is no answer, without repeating it."""
        written = by_notation(self.earlier + self.text, self.parse)
        return refusal(self.question, self.text, is_move=written is not None)
