"""What can be done now: answers with what each would do, taken by arrows, keys, words or clicks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from time import monotonic

from textual import events
from textual.content import Content
from textual.geometry import Offset, Size
from textual.message import Message
from textual.widget import Widget

from number_duels.core.questions import Answer, Question
from number_duels.core.record import with_names
from number_duels.terminal.app.board_view import Line, length
from number_duels.terminal.app.typed_answer import Target, TypedAnswer
from number_duels.terminal.ui.text_width import breadth, fold

#: Letters that follow a chosen one this soon are the rest of a word: the "es" of "yes".
REST_OF_WORD_SECONDS = 0.35
BETWEEN_COLUMNS = 3
#: With fewer rows than this nothing is left blank.
ROOMY_ROWS = 24
#: On a screen with few rows, answers take no more than this many.
MAX_SHORT_ROWS = 4


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


class Choices(Widget, can_focus=True):
    """One question at a time; asks on until there is a move."""

    class Chosen(Message):
        """There is a move."""

        def __init__(self, move: Hashable) -> None:
            super().__init__()
            self.move = move

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.offer: Offer | None = None
        self.path: list[TypedAnswer] = []
        #: The answers that led to this question.
        self.steps: list[str] = []
        self.marked = 0
        self.compact = False
        self.reason = ""
        self.word_ends_at = 0.0
        #: Where each answer stands: row, first column, last column.
        self.places: list[tuple[int, int, int]] = []

    # ---- asking ----------------------------------------------------------------

    def ask(self, offer: Offer) -> None:
        """Put a question."""
        self.offer = offer
        self.path = [TypedAnswer(offer.question, offer.question, offer.parse)]
        self.steps, self.marked, self.reason = [], 0, ""
        self.refresh(layout=True)

    def stop(self) -> None:
        """Nothing is asked any more, and nothing typed is taken."""
        self.offer = None
        self.refresh(layout=True)

    @property
    def typed(self) -> TypedAnswer:
        return self.path[-1]

    @property
    def answers(self) -> tuple[Answer[Hashable], ...]:
        return self.typed.question.answers if self.offer else ()

    def step_back(self) -> bool:
        """Take back what was typed, or the last step; False: there is nothing to take back."""
        if not self.offer or not (self.typed.text or len(self.path) > 1):
            return False
        if self.typed.text:
            self.type(self.typed.after(self.typed.question, ""))
        else:
            self.path.pop()
            self.steps.pop()
            self.marked = 0
        self.reason = ""
        self.refresh(layout=True)
        return True

    def type(self, typed: TypedAnswer) -> None:
        self.path[-1] = typed

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
            self.refresh(layout=True)
        else:
            self.stop()
            self.post_message(self.Chosen(target))

    # ---- keys and clicks -------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        if self.offer is None:
            return
        letter = event.character if event.is_printable else None
        if not (letter and letter.isalpha()):
            self.word_ends_at = 0.0
        if letter and monotonic() < self.word_ends_at:
            self.word_ends_at = monotonic() + REST_OF_WORD_SECONDS
            event.stop()
        elif letter and letter not in "?" and self.typed.begins_here(letter):
            self.add(letter)
            event.stop()
        elif event.key in KEYS:
            getattr(self, KEYS[event.key])()
            event.stop()

    def add(self, letter: str) -> None:
        """One more character; taken at once where it can mean only one thing."""
        assert self.offer
        self.reason = ""
        typed = self.typed.with_key(letter)
        target = typed.leads_to()
        if target is not None and typed.is_complete() and not self.offer.blind:
            if letter.isalpha():
                self.word_ends_at = monotonic() + REST_OF_WORD_SECONDS
            self.take(target, typed.text)
        else:
            self.type(typed)
            self.refresh(layout=True)

    def erase(self) -> None:
        self.type(self.typed.shortened())
        self.refresh(layout=True)

    def accept(self) -> None:
        """Enter: what was typed, or what is marked."""
        assert self.offer
        if self.typed.text:
            target = self.typed.leads_to()
            if target is None:
                self.reason = self.typed.refusal()
                self.type(self.typed.after(self.typed.question, ""))
                self.refresh(layout=True)
            else:
                self.take(target, self.typed.text)
        elif not self.offer.blind:
            self.pick(self.marked)

    def pick(self, place: int) -> None:
        answer = self.answers[place]
        self.take(answer.leads_to, answer.text)

    def move_mark(self, by: int) -> None:
        assert self.offer
        if not self.offer.blind and not self.typed.text:
            self.marked = (self.marked + by) % len(self.answers)
            self.refresh(layout=True)

    def mark_next(self) -> None:
        self.move_mark(1)

    def mark_previous(self) -> None:
        self.move_mark(-1)

    def mark_below(self) -> None:
        self.move_mark(self.columns())

    def mark_above(self) -> None:
        self.move_mark(-self.columns())

    def columns(self) -> int:
        """How many answers stand in the first row."""
        rows = [row for row, _, _ in self.places]
        return max(1, rows.count(rows[0])) if rows else 1

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.offer is None:
            return
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
        """Everything, from the prompt to what is being typed."""
        self.places = []
        if self.offer is None:
            return []
        steps = [] if self.offer.blind else self.steps
        prompt = " ▸ ".join([*steps, with_names(self.typed.question.prompt, self.offer.names)])
        lines: list[Line] = [((part, "bold"),) for part in fold(prompt, width)]
        cells, wide, columns = self.cells(width)
        for start in range(0, len(cells), columns):
            row: Line = ()
            for place, cell in enumerate(cells[start : start + columns], start):
                began = length(row)
                self.places.append((len(lines), began, began + length(cell)))
                style = "reverse" if place == self.shown_mark else ""
                row += tuple((text, f"{own} {style}") for text, own in cell)
                row += ((" " * (wide - length(cell) + BETWEEN_COLUMNS), ""),)
            lines.append(row)
        return [*lines, *self.preview(width), *self.input_lines(width)]

    @property
    def shown_mark(self) -> int | None:
        assert self.offer
        return None if self.offer.blind or self.typed.text else self.marked

    def cells(self, width: int) -> tuple[list[Line], int, int]:
        """The answers, how wide the widest is, and in how many columns they stand.

        Where rows are few, what a move would do is said of the marked one alone.
        """
        cells = [self.cell(answer) for answer in self.answers]
        wide = max(map(length, cells), default=0)
        columns = max(1, (width + BETWEEN_COLUMNS) // (wide + BETWEEN_COLUMNS))
        self.compact = len(cells) > columns * MAX_SHORT_ROWS and self.app.size.height < ROOMY_ROWS
        if self.compact:
            cells = [((f" {answer.label} ", "bold"),) for answer in self.answers]
            wide = max(map(length, cells))
            columns = max(1, (width + BETWEEN_COLUMNS) // (wide + BETWEEN_COLUMNS))
        return cells, wide, columns

    def cell(self, answer: Answer[Hashable]) -> Line:
        """An answer, and what it would do where it is a move."""
        assert self.offer
        target = answer.leads_to
        if isinstance(target, Question):
            return ((f" {answer.label} ", "bold"),)
        words = re.findall(r"\w+", answer.label.casefold())
        key = "" if answer.text.casefold() in words else f"{answer.text}  "
        does = beyond(answer.label, self.offer.consequence(target))
        label = ((f" {key}", "$accent"), (answer.label, "bold"), (" ", ""))
        return (*label, (f" {does} ", "$faint")) if does else label

    def preview(self, width: int) -> Iterator[Line]:
        """What the marked answer leads to, where that is another question."""
        assert self.offer
        if self.shown_mark is None or not self.answers:
            return
        marked = self.answers[self.shown_mark]
        target = marked.leads_to
        if not isinstance(target, Question):
            if self.compact and (does := self.offer.consequence(target)):
                yield ((f" {marked.label}", ""), (f"  {does}"[: width - 12], "$faint"))
            return
        yield ()
        ends = [a for a in target.answers if not isinstance(a.leads_to, Question)]
        wide = max((breadth(answer.label) for answer in ends), default=0)
        for answer in ends:
            does = beyond(answer.label, self.offer.consequence(answer.leads_to))
            yield ((f" {answer.label:{wide}}", ""), (f"  {does}"[: width - wide - 1], "$faint"))
        if not ends:
            yield ((f" then: {target.prompt}", "$faint"),)

    def input_lines(self, width: int) -> Iterator[Line]:
        """What is typed, or that it can be; and why the last answer was refused."""
        assert self.offer
        if self.app.size.height >= ROOMY_ROWS:
            yield ()
        if self.offer.blind:
            yield (("Type it and press Enter, or click: nothing is shown."[:width], "$accent"),)
        elif self.typed.text:
            yield (("> ", "$accent"), (f"{self.typed.text}█", "bold"))
        elif example := self.offer.example:
            yield ((f"Arrows and Enter, a click, or type it: {example}"[:width], "$faint"),)
        else:
            yield ()
        if self.reason:
            yield from (((part, "$error"),) for part in fold(self.reason, width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> Content:
        lines = self.lines(self.content_size.width)
        return Content("\n").join(Content.assemble(*line) for line in lines)


def beyond(label: str, consequence: str) -> str:
    """What a consequence says that the label does not say already.

    >>> beyond("Add: 2 + 1 = 3", "2 + 1 = 3: strikes 3"), beyond("Add 5", "10 → 15")
    ('strikes 3', '10 → 15')
    """
    first, _, rest = consequence.partition(": ")
    return rest if rest and label.endswith(first) else consequence


#: The keys of a choice besides those that type.
KEYS = {
    "enter": "accept",
    "backspace": "erase",
    "right": "mark_next",
    "left": "mark_previous",
    "down": "mark_below",
    "up": "mark_above",
}
