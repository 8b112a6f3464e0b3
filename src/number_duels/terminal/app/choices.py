"""What can be done now: answers with what each would do, taken by arrows, keys, words or clicks."""

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

#: Letters that follow a chosen one this soon are the rest of a word: the "es" of "yes".
REST_OF_WORD_SECONDS = 0.35
#: With fewer rows than this nothing is left blank.
ROOMY_ROWS = 24


class Choices(LinesView):
    """One question at a time; asks on until there is a move.

    It has no focus: its screen passes on the keys, so that they are taken one after the other.
    """

    def __init__(self, id: str | None = None, clock: Clock = SYSTEM_CLOCK) -> None:  # noqa: A002
        super().__init__(id=id)
        self.clock = clock
        self.offer: Offer | None = None
        self.then: Callable[[Hashable], None] | None = None
        self.path: list[TypedAnswer] = []
        #: The answers that led to this question.
        self.steps: list[str] = []
        self.marked = 0
        self.reason = ""
        self.word_ends_at = 0.0
        self.places: list[Place] = []

    # ---- asking ----------------------------------------------------------------

    def ask(self, offer: Offer, then: Callable[[Hashable], None]) -> None:
        """Put a question, and say what is to be done with the move."""
        self.offer, self.then = offer, then
        self.path = [TypedAnswer(offer.question, offer.question, offer.parse)]
        self.steps, self.marked, self.reason = [], 0, ""
        self.refresh(layout=True)

    def stop(self) -> None:
        """Nothing is asked any more, and nothing typed is taken."""
        self.offer = self.then = None
        self.refresh(layout=True)

    @property
    def typed(self) -> TypedAnswer:
        return self.path[-1]

    @property
    def answers(self) -> tuple[Answer[Hashable], ...]:
        return self.typed.question.answers if self.offer else ()

    def step_back(self) -> bool:
        """Take back what was typed or refused, or the last step; False: there is nothing."""
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
        """Go where an answer leads: to the next question, or to a move."""
        self.reason = ""
        if isinstance(target, Question):
            # What was typed stays out of the earlier step, should somebody come back to it.
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
        """Take a key; False: it means nothing to this question."""
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
        """One more character; taken at once where it can mean only one thing."""
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
        """Enter: what was typed, or what is marked."""
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
        """How far the answer below is; from a single row, which has none below, the next one."""
        rows = [row for row, _, _ in self.places]
        return rows.count(rows[0]) if rows and rows[0] != rows[-1] else 1

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.offer is None:
            return
        event.stop()  # the same click must not open the curtain that follows
        for place, (row, first, last) in enumerate(self.places):
            if at.y == row and first <= at.x < last:
                self.pick(place)
                return

    def place_of(self, place: int) -> Offset:
        """Where to click for an answer, from the widget's corner."""
        row, first, _ = self.places[place]
        return Offset(first + 1, row) + self.gutter.top_left

    # ---- drawing ---------------------------------------------------------------

    def lines(self, width: int) -> list[Line]:
        """Draw everything, from the prompt to what is being typed; note where each answer is."""
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
        """The answers, and whether each says what it would do.

        Where rows are few, that is said of the marked one alone.
        """
        cells = [cell_of(answer, offer) for answer in self.answers]
        if self.roomy or len(cells) <= columns_of(cells, width) * MAX_SHORT_ROWS:
            return cells, True
        return [(*labelled(answer), (" ", "")) for answer in self.answers], False

    def input_lines(self, offer: Offer, width: int) -> Iterator[Line]:
        """What is typed, or that it can be; and why the last answer was refused."""
        if self.roomy:
            yield ()
        if offer.blind:
            yield (("Type it and press Enter, or click: nothing is shown."[:width], "$accent"),)
        elif self.typed.text:
            typed = f"{self.typed.text}█"
            room = width - len(typed) - 2
            yield (("> ", "$accent"), (typed, "bold"), (TYPED_NOTE[:room], "$faint"))
        else:
            yield ((self.how_to_answer(offer)[:width], "$faint"),)
        if self.reason:
            yield from (((part, "$error"),) for part in fold(self.reason, width))

    def how_to_answer(self, offer: Offer) -> str:
        if self.steps:
            return "Arrows and Enter, a click, or its key. Esc goes one step back."
        if offer.example:
            return f"Arrows and Enter, a click, or type it: {offer.example}"
        single = len(self.answers) == 1
        return "Enter or a click." if single else "Arrows and Enter, a click, or its key."


#: The arrow keys: how many answers on, and how many rows down.
STEPS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


# ---- how choices are drawn ----------------------------------------------------


BETWEEN_COLUMNS = 3
#: On a screen with few rows, answers take no more than this many.
MAX_SHORT_ROWS = 4
#: After what is typed: a number that is not there would else seem to be taken by nobody.
TYPED_NOTE = "   Enter when done, Esc clears it."
#: Where an answer stands: row, first column, the column after its last.
Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Offer:
    """A question put to somebody, and how its moves are read and explained."""

    question: Question[Hashable]
    parse: Callable[[str], Hashable]
    consequence: Callable[[Hashable], str]
    names: tuple[str, str]
    #: A move as it can be typed, where there is one.
    example: str = ""
    #: Nothing on the screen may tell what is being chosen.
    blind: bool = False


def example_of(question: Question[Hashable]) -> str:
    """An answer as it can be typed: its own word, or a whole move where several steps lead to it.

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
    """An answer, and what it would do where it is a move."""
    target = answer.leads_to
    if isinstance(target, Question):
        return ((f" {answer.label} ", "bold"),)
    does = beyond(answer.label, offer.consequence(target))
    label = (*labelled(answer), (" ", ""))
    return (*label, (f" {does} ", "$faint")) if does else label


def labelled(answer: Answer[Hashable]) -> Line:
    """An answer, after its key where the label does not have that."""
    words = re.findall(r"\w+", answer.label.casefold())
    key = "" if answer.text.casefold() in ("", *words) else f"{answer.text}  "
    return ((f" {key}", "$accent"), (answer.label, "bold"))


def preview(
    marked: Answer[Hashable], offer: Offer, width: int, *, explained: bool
) -> Iterator[Line]:
    """What the marked answer leads to, where it does not say so itself."""
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


# ---- what is typed ------------------------------------------------------------


Target: TypeAlias = Hashable | Question[Hashable]


@dataclass(frozen=True)
class TypedAnswer:
    """What has been typed at a question since the first one was asked."""

    first: Question[Hashable]
    question: Question[Hashable]
    parse: Callable[[str], Hashable]
    #: What was typed at earlier steps, so that a notation may be begun as an answer: 8, then -3.
    earlier: str = ""
    text: str = ""

    def with_key(self, letter: str) -> TypedAnswer:
        return replace(self, text=self.text + letter)

    def shortened(self) -> TypedAnswer:
        return replace(self, text=self.text[:-1])

    def after(self, question: Question[Hashable], typed: str) -> TypedAnswer:
        """The next step of the same choice."""
        return replace(self, question=question, earlier=self.earlier + typed, text="")

    def begins_here(self, letter: str) -> bool:
        """Whether an answer, or a move, can begin with a letter; other letters are commands.

        Digits and signs are taken wherever numbers are asked for: what is wrong is then refused
        in words.
        """
        if self.text:
            return True
        words = [word for a in self.question.answers for word in (a.text, *a.also)]
        words += [*self.question.closed, *map(str, labels(self.first))]
        if not letter.isalpha():
            return any(map(str.isdigit, "".join(words)))
        return any(word.casefold().startswith(letter.casefold()) for word in words)

    def leads_to(self) -> Target | None:
        """Where the text leads, as an answer or as a move written in full; None: nowhere yet."""
        found = find(self.question, self.text)
        return found if found is not None else self.move(self.earlier + self.text)

    def move(self, text: str) -> Hashable | None:
        written = by_notation(text, self.parse)
        return next((move for move in labels(self.question) if move == written), None)

    def is_complete(self) -> bool:
        """Whether the text leads somewhere, and nothing longer would lead elsewhere."""
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
        """Whether it is understood, but not allowed now."""
        return plain(self.text) in self.question.closed

    def refusal(self) -> str:
        """Why the text is no answer; it never repeats it."""
        written = by_notation(self.earlier + self.text, self.parse)
        return refusal(self.question, self.text, is_move=written is not None)
