"""What can be done now: answers with what each would do, taken by arrows, keys, words or clicks."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from textual import events
from textual.content import Content
from textual.geometry import Offset, Size
from textual.widget import Widget

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.questions import Answer, Question
from number_duels.terminal.app.board_view import Line
from number_duels.terminal.app.choice_lines import Offer, Place, Shown, laid_out
from number_duels.terminal.app.typed_answer import Target, TypedAnswer

#: Letters that follow a chosen one this soon are the rest of a word: the "es" of "yes".
REST_OF_WORD_SECONDS = 0.35
#: With fewer rows than this nothing is left blank.
ROOMY_ROWS = 24


class Choices(Widget):
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
        elif event.key in KEYS:
            getattr(self, KEYS[event.key])()
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
                self.refuse()
            else:
                self.take(target, self.typed.text)
        elif not self.offer.blind:
            self.pick(self.marked)

    def refuse(self) -> None:
        self.reason = self.typed.refusal()
        self.type(self.typed.after(self.typed.question, ""))
        self.refresh(layout=True)

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
        self.move_mark(self.row_step())

    def mark_above(self) -> None:
        self.move_mark(-self.row_step())

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
        self.places = []
        if self.offer is None:
            return []
        hidden = self.offer.blind or self.typed.text
        shown = Shown(
            self.offer,
            self.typed,
            tuple(self.steps),
            None if hidden else self.marked,
            self.reason,
            roomy=self.app.size.height >= ROOMY_ROWS,
        )
        lines, self.places = laid_out(shown, width)
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> Content:
        lines = self.lines(self.content_size.width)
        return Content("\n").join(Content.assemble(*line) for line in lines)


#: The keys of a choice besides those that type.
KEYS = {
    "enter": "accept",
    "backspace": "erase",
    "right": "mark_next",
    "left": "mark_previous",
    "down": "mark_below",
    "up": "mark_above",
}
