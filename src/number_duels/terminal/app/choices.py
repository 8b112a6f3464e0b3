"""A widget that asks a question and accepts an answer from the keyboard or the mouse."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from textual import events
from textual.geometry import Offset

from number_duels.core.names import YOU, without_address
from number_duels.core.questions import (
    Answer,
    Question,
    beyond,
    by_notation,
    forced,
    refusal,
    typed_form,
)
from number_duels.core.record import with_names
from number_duels.core.text import listed
from number_duels.terminal.app.board_view import Line, LinesView, length
from number_duels.terminal.app.page import TOO_SOON, DuelsScreen
from number_duels.terminal.app.readings import Reading, only_move, readings, shared_steps, text_of
from number_duels.terminal.line.console import breadth, fold

ROOMY_ROWS = 24


class AnswerView(LinesView):
    """A widget in which the user types an answer.

    It never has the focus. The screen passes on the keys, which keeps them in order.
    """

    MOVES: ClassVar[Mapping[str, tuple[int, int]]]

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.text = self.reason = ""
        #: Whether typing a letter answers at once, without Enter.
        self.is_menu = False
        #: Receives the answer, or None without a question.
        self.then: Callable[[Hashable], None] | None = None

    @property
    def asks(self) -> bool:
        return self.then is not None

    def stop(self) -> None:
        self.then = None
        self.refresh(layout=True)

    def finish(self, answer: Hashable) -> None:
        then = self.then
        self.stop()
        if then:
            then(answer)

    def fits(self, text: str) -> bool:
        raise NotImplementedError

    def refusal(self, text: str) -> str:
        raise NotImplementedError

    def refuse(self, text: str) -> None:
        # Enter is ignored for a moment after a refusal.
        self.reason = self.refusal(text)
        if isinstance(self.screen, DuelsScreen):
            self.screen.note_change()

    def instead(self, character: str) -> str:
        """Return the text after `character` replaces the selection, or "" if it cannot."""
        return ""

    def type(self, text: str) -> None:
        self.text, self.reason = text, ""
        self.refresh(layout=True)

    def move(self, along: int, down: int) -> None:
        raise NotImplementedError

    def accept(self) -> None:
        raise NotImplementedError

    @property
    def is_answered(self) -> bool:
        raise NotImplementedError

    def wait_for_enter(self) -> None:
        if self.is_answered:
            self.reason = TOO_SOON
            self.refresh(layout=True)

    def key(self, event: events.Key) -> bool:
        """Handle a key, and return whether the question used it."""
        if not self.asks:
            return False
        if event.is_printable and event.character and event.character != "?":
            text = self.text + event.character
            if self.fits(text):
                self.type(text)
                if self.is_menu:
                    self.accept()
            elif replaced := self.instead(event.character):
                self.type(replaced)
            elif event.key in self.screen.active_bindings:
                self.reason = ""
                self.refresh(layout=True)
                return False
            else:
                self.refuse(text)
        elif event.key == "enter":
            self.accept()
        elif event.key == "backspace":
            self.type(self.text.rstrip()[:-1])
        elif event.key in self.MOVES:
            self.reason = ""
            self.move(*self.MOVES[event.key])
        else:
            return False
        self.refresh(layout=True)
        return True

    def step_back(self) -> bool:
        """Clear the error and the last typed word. Return False if there is nothing to clear."""
        if not self.asks or not (self.text or self.reason):
            return False
        text = self.text.rstrip()
        self.type(text[: text.rfind(" ") + 1])
        return True

    def reason_lines(self, width: int) -> Iterator[Line]:
        yield from (((part, "$error"),) for part in fold(self.reason, width) if part)


class Choices(AnswerView):
    #: For each arrow key, by how many answers and by how many rows it moves the mark.
    MOVES: ClassVar = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.offer: Offer | None = None
        #: The moves that the text can mean, and those of them that the screen may show.
        self.readings: list[Reading] = []
        self.shown: list[Reading] = []
        #: The answers that all shown moves share, except the last one.
        self.steps: tuple[Answer[Hashable], ...] = ()
        self.mark: int | None = None
        self.places: list[Place] = []
        #: Receives the answers that are chosen so far, whenever they may have changed.
        self.picked: Callable[[tuple[Answer[Hashable], ...]], None] = lambda _: None

    def ask(self, offer: Offer, then: Callable[[Hashable], None]) -> None:
        self.offer, self.then, self.is_menu = offer, then, offer.is_menu
        self.type("")

    def ask_instead(self, prompt: str) -> None:
        """Change the text above the answers. What is selected or typed stays."""
        assert self.offer
        self.offer = replace(self.offer, question=replace(self.offer.question, prompt=prompt))
        self.refresh(layout=True)

    def stop(self) -> None:
        self.offer = None
        super().stop()
        self.picked(())

    def tell_picked(self) -> None:
        if self.offer is None or self.offer.blind:
            self.picked(())
            return
        selected = self.selected
        here = () if selected is None else (self.answers[selected],)
        self.picked((*self.steps, *here))

    def type(self, text: str) -> None:
        assert self.offer
        super().type(text)
        self.mark = None
        self.readings = self.shown = self.offer.read(text)
        if self.offer.blind:  # a secret choice shows only complete steps
            self.shown = self.offer.read(text[: text.rfind(" ") + 1])
        self.steps = shared_steps(self.shown)
        self.tell_picked()

    def fits(self, text: str) -> bool:
        return self.offer is not None and bool(text.strip() and self.offer.read(text))

    def instead(self, character: str) -> str:
        is_digit = character.isdecimal()
        if self.offer is None or self.offer.blind:
            return ""
        if is_digit and not (self.steps or all(one.whole for one in self.readings)):
            return ""  # a longer number was meant
        text = text_of(self.steps[:-1] if is_digit else self.steps) + character
        return text if self.fits(text) else ""

    def refuse(self, text: str) -> None:
        # The answer is cleared, so that Enter plays nothing.
        super().refuse(text)
        reason, is_blind = self.reason, self.offer is not None and self.offer.blind
        if is_blind and self.text:
            reason = "That is not a move. Nothing is selected; type your choice again."
        self.type("" if is_blind else text_of(self.steps))
        self.reason = reason

    def refusal(self, text: str) -> str:
        offer, question = self.offer, self.question
        assert offer
        if offer.is_menu and len(question.answers) == 1:
            return f"{question.answers[0].label} first: press Enter."
        if why := forced(question):
            return f"{why} Enter {offer.verb} it."
        before, said = ("".join(one.casefold().split()) for one in (text_of(self.steps), text))
        if self.text and not said.startswith(before):  # the user typed the last step first
            question = offer.question
        last = text[-1] if offer.blind else said.removeprefix(before)
        typed = replace(
            question,
            answers=tuple(replace(one, text=key_of(one)) for one in question.answers if one.text),
        )
        is_move = not offer.blind and by_notation(text, offer.parse) is not None
        said = refusal(typed, last, is_move=is_move)
        if not offer.is_menu:
            said = said.replace("That is not an answer", "That is not a move")
        return said if offer.blind else said.replace("That number", last)

    @property
    def question(self) -> Question[Hashable]:
        assert self.offer
        reached = self.steps[-1].leads_to if self.steps else self.offer.question
        assert isinstance(reached, Question)
        return reached

    @property
    def answers(self) -> tuple[Answer[Hashable], ...]:
        return self.question.answers if self.offer else ()

    def through(self, answer: Answer[Hashable]) -> list[Reading]:
        step = len(self.steps)
        return [reading for reading in self.shown if reading.path[step] is answer]

    @property
    def possible(self) -> list[int]:
        return [place for place, answer in enumerate(self.answers) if self.through(answer)]

    def chosen(self) -> Reading | None:
        """Return the move that Enter would play, or None if the text fits no move or several."""
        if not self.text and self.mark is None and len(self.answers) > 1:
            return None
        here = self.readings if self.mark is None else self.through(self.answers[self.mark])
        return only_move([one for one in here if one.whole]) or only_move(here)

    def accept(self) -> None:
        assert self.offer
        if found := self.chosen():
            self.finish(found.move)
        elif self.mark is not None:
            self.type(text_of((*self.steps, self.answers[self.mark])))
        elif self.ends_a_step():
            self.type(f"{self.text} ")
        elif not self.reason:  # the reason why the last key was refused stays
            arrows = "" if self.offer.blind else " or use arrows"
            self.reason = f"Nothing is selected yet. Type an answer{arrows}."

    @property
    def is_answered(self) -> bool:
        return self.offer is not None and self.chosen() is not None

    def ends_a_step(self) -> bool:
        assert self.offer
        typed = self.text and not self.text.endswith(" ")
        if typed and self.text.strip() == text_of(self.steps).strip():
            return True  # the step is already complete, and Enter confirms it
        return len(shared_steps(self.offer.read(f"{self.text} "))) > len(self.steps)

    def move(self, along: int, down: int) -> None:
        if self.offer is None:
            return
        if self.offer.blind:
            self.reason = "Arrows would show your choice, so type it."
            return
        possible = self.possible
        if self.mark is None and len(possible) == 1:  # start from the typed answer
            self.type(text_of(self.steps))
            self.mark, possible = possible[0], self.possible
        if self.mark is None:
            self.mark = possible[0 if along + down > 0 else -1]
        elif down and self.has_rows:
            self.mark = self.in_column(down)
        else:
            self.mark = possible[(possible.index(self.mark) + along + down) % len(possible)]
        self.tell_picked()

    @property
    def has_rows(self) -> bool:
        self.lines(self.content_size.width)  # the answers may have changed since they were drawn
        return len({row for row, _, _ in self.places}) > 1

    def in_column(self, down: int) -> int:
        assert self.mark is not None
        row, first, _ = self.places[self.mark]
        found = [
            place
            for place in self.possible[:: 1 if down > 0 else -1]
            if self.places[place][1] == first and down * (self.places[place][0] - row) > 0
        ]
        return found[0] if found else self.mark

    def step_back(self) -> bool:
        if self.mark is None:
            return super().step_back()
        self.type(self.text)
        return True

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.offer is None:
            return
        event.stop()  # this click must not also open the curtain
        if event.chain > 1:  # a double click answers only one question
            return
        for place, (row, first, last) in enumerate(self.places):
            if at.y == row and first <= at.x < last:
                if self.offer.blind or place not in self.possible:
                    self.type(text_of(self.steps))
                self.mark = place
                self.tell_picked()
                self.accept()
                return

    def place_of(self, place: int) -> Offset:
        row, first, _ = self.places[place]
        return Offset(first + 1, row) + self.gutter.top_left

    def lines(self, width: int) -> list[Line]:
        self.places = []
        if (offer := self.offer) is None:
            return []
        must = forced(self.question) if self.question.closed else ""
        asked = with_names(must or self.question.prompt, offer.names)
        if YOU in offer.names:
            asked = without_address(asked)
        steps = () if offer.blind else (step.text for step in self.steps)
        said, news = " ▸ ".join((*steps, asked)), with_names(offer.news, offer.names)
        lines: list[Line] = [((part, "$accent"),) for part in fold(news, width) if news]
        lines += [((part, "bold"),) for part in fold(said, width) if said]
        cells, explained = self.cells(offer, width)
        wide = max(map(length, cells), default=0)
        notes = [] if explained else self.notes(offer, max(8, width - NOTE_INDENT))
        columns, between = (1, 0) if notes else columns_of(cells, width)
        selected = self.selected
        possible = self.possible if len(self.possible) < len(cells) else ()
        for start in range(0, len(cells), columns):
            row: Line = ()
            for place, cell in enumerate(cells[start : start + columns], start):
                began = length(row)
                self.places.append((len(lines), began, began + length(cell)))
                if place == selected:
                    row += (("".join(text for text, _ in cell), "bold reverse"),)
                else:
                    look = "underline" if place in possible else ""
                    row += tuple((text, f"{style} {look}") for text, style in cell)
                row += ((" " * (wide - length(cell) + between), ""),)
            lines.append(row)
            if notes:
                lines += (((" " * NOTE_INDENT + part, "$faint"),) for part in notes[start])
        if selected is not None and not notes:
            lines += self.preview(self.answers[selected], offer, width, explained=explained)
        elif not notes and len(cells) <= FEW_ANSWERS and not explained and not offer.blind:
            for answer in self.answers:
                lines += self.preview(answer, offer, width, explained=False)
        return [*lines, *self.input_lines(offer, width)]

    def notes(self, offer: Offer, width: int) -> list[list[str]]:
        """Return the rows below each of a few answers, or none if one of them is not a move yet."""
        few = 1 < len(self.answers) <= FEW_ANSWERS and not offer.blind
        if not few or any(isinstance(one.leads_to, Question) for one in self.answers):
            return []
        does = (beyond(one.label, offer.consequence(one.leads_to)) for one in self.answers)
        return [fold(one, width) for one in does]

    @property
    def selected(self) -> int | None:
        if self.mark is not None or (self.offer and self.offer.blind):
            return self.mark
        found = self.chosen()
        here = found and found.path[len(self.steps)]
        return next((n for n, answer in enumerate(self.answers) if answer is here), None)

    def cells(self, offer: Offer, width: int) -> tuple[list[Line], bool]:
        cells = [cell_of(answer, only_move(self.through(answer)), offer) for answer in self.answers]
        besides = ROWS_BESIDES_MENU if offer.is_menu else ROWS_BESIDES
        rows = max(MAX_SHORT_ROWS, self.rows_around - besides - bool(offer.news))
        fits = max(map(length, cells), default=0) <= width
        if fits and len(cells) <= most_columns(cells, width) * rows:
            return cells, True
        is_only = len(self.answers) == 1
        bare: list[Line] = [(*labelled(one, is_only=is_only), (" ", "")) for one in self.answers]
        if len(self.answers) > FEW_ANSWERS and all(is_numbered(one) for one in self.answers):
            bare = [((f" {one.text} ", "bold"),) for one in self.answers]
        return bare, False

    def preview(
        self, answer: Answer[Hashable], offer: Offer, width: int, *, explained: bool
    ) -> Iterator[Line]:
        found, depth = self.through(answer), len(self.steps) + 2
        if only_move(found) and explained:
            return
        ends = [reading for reading in found if only_move(found) or len(reading.path) == depth]
        labels = [end.path[-1].label for end in ends]
        is_above = len(self.answers) == 1 and only_move(found)
        wide = 0 if is_above else max(map(breadth, labels), default=0)
        yield from () if only_move(found) else ((),)
        for end, label in zip(ends, labels, strict=True):
            does = beyond(label, offer.consequence(end.move))
            beside = wide + 3
            first, *rest = fold(does, max(8, width - beside))
            yield ((f" {'' if is_above else label:{wide}}", ""), (f"  {first}", "$faint"))
            yield from ((((" " * beside) + part, "$faint"),) for part in rest)
        if not ends and isinstance(answer.leads_to, Question):
            then = fold(f"then: {answer.leads_to.prompt}", width - 1)
            yield from (((f" {part}", "$faint"),) for part in then)

    def input_lines(self, offer: Offer, width: int) -> Iterator[Line]:
        if self.rows_around >= ROOMY_ROWS:
            yield ()
        if offer.blind:
            entered = "• You typed a choice. Enter confirms it, Esc clears it."
            typed = self.text.rpartition(" ")[2]
            how = entered if typed else "Type it and press Enter. It stays hidden."
            yield from (((part, "$accent"),) for part in fold(how, width))
        elif self.text and self.text.strip() != text_of(self.steps).strip():
            found = self.chosen()
            # A whole move is written as everywhere else: a typed 9s becomes S9.
            typed = f"{found.move if found and found.whole else self.text}█"
            goes_on = "Enter confirms it, " if self.ends_a_step() else "Keep typing, "
            first = f"Enter {offer.verb} it, " if found else goes_on
            note = "" if self.reason else f"{first}Esc clears it."
            yield (("> ", "$accent"), (typed, "bold"))
            yield from (((part, "$faint"),) for part in fold(note, width) if part)
        else:
            answers = fold(self.how_to_answer(offer), width)
            yield from (((part, "$faint"),) for part in answers if part)
        yield from self.reason_lines(width)

    def how_to_answer(self, offer: Offer) -> str:
        if len(self.answers) == 1:
            is_said = offer.is_menu or self.question.closed
            return f"{'' if is_said else forced(self.question)} Press Enter or click.".lstrip()
        if offer.is_menu:
            return ""  # the prompt names the keys
        if self.mark is not None:
            return f"Enter {offer.verb if self.chosen() else 'confirms'} it, Esc clears it."
        if self.text:
            return "Type one or use arrows. Esc goes back."
        form = typed_form(self.question if self.steps else offer.question)
        form = re.sub(r"\b[A-Z]\b", lambda found: found[0].lower(), form)  # keys are lowercase
        form = form or listed([key_of(one) for one in self.answers])
        return f"Type {form}{',' if re.search(',| or ', form) else ''} or use arrows."


BETWEEN_COLUMNS = 3
#: Without room for the answers in this many rows, consequences are hidden.
MAX_SHORT_ROWS = 4
#: Without room beside them, at most this many answers are explained below.
FEW_ANSWERS = 3
NOTE_INDENT = 4
#: Rows for the prompt, input and refusal. In a menu, for the game's result and the input.
ROWS_BESIDES, ROWS_BESIDES_MENU = 5, 9
Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Offer:
    """A question for a player, with the functions that parse and explain its moves."""

    question: Question[Hashable]
    parse: Callable[[str], Hashable]
    consequence: Callable[[Hashable], str]
    names: tuple[str, str]
    blind: bool = False
    #: Whether the answers are a menu of what to do next. Then a letter acts at once.
    is_menu: bool = False
    news: str = ""

    @property
    def verb(self) -> str:
        return "chooses" if self.is_menu else "plays"

    def read(self, text: str) -> list[Reading]:
        return readings(self.question, self.parse, text)


def most_columns(cells: list[Line], width: int, between: int = BETWEEN_COLUMNS) -> int:
    wide = max(map(length, cells), default=0)
    return max(1, (width + between) // (wide + between))


def columns_of(cells: list[Line], width: int) -> tuple[int, int]:
    """Return the number of columns and the space between them.

    All cells share a row if they fit. Otherwise, the rows are about equally long.

    >>> numbers = [((f" {n} ", "bold"),) for n in range(1, 10)]
    >>> [columns_of(numbers, width) for width in (60, 39, 30)]
    [(9, 3), (9, 1), (5, 3)]
    """
    count = max(1, len(cells))
    for between in range(BETWEEN_COLUMNS, 0, -1):
        if most_columns(cells, width, between) >= count:
            return count, between
    rows = -(-count // most_columns(cells, width))
    return -(-count // rows), BETWEEN_COLUMNS


def cell_of(answer: Answer[Hashable], only: Reading | None, offer: Offer) -> Line:
    label = (*labelled(answer, is_only=len(offer.question.answers) == 1), (" ", ""))
    target = only.move if only else answer.leads_to
    known = not isinstance(target, Question)
    does = beyond(answer.label, offer.consequence(target)) if known else ""
    return (*label, (f" {does} ", "$faint")) if does else label


def labelled(answer: Answer[Hashable], *, is_only: bool) -> Line:
    """Draw an answer's label. Its key comes first, unless the label contains it."""
    words, key = re.findall(r"\w+", answer.label.casefold()), "" if is_only else key_of(answer)
    shown = "" if key.casefold() in ("", *words) else f"{key}  "
    return ((f" {shown}", "$accent"), (answer.label, "bold"))


def is_numbered(answer: Answer[Hashable]) -> bool:
    """Return whether an answer's label ends with the number to type, such as "Play 7"."""
    return answer.text.isdecimal() and answer.label.split()[-1:] == [answer.text]


def key_of(answer: Answer[Hashable]) -> str:
    """Return the key to type for an answer: its text, or the first letter of its label.

    >>> key_of(Answer("yes", "Keep", 1)), key_of(Answer("A", "Add 5", 5))
    ('k', 'a')
    """
    is_word = answer.text.isalpha() and len(answer.text) > 1
    known = answer.text.casefold() in answer.label.casefold().split()
    if len(answer.text) == 1:
        return answer.text.casefold()
    return answer.label[0].casefold() if is_word and not known else answer.text
