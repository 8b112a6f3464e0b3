"""How choices are drawn: the prompt, the answers with what each would do, what is being typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from number_duels.core.questions import Answer, Question, beyond, labels
from number_duels.core.record import with_names
from number_duels.terminal.app.board_view import Line, length
from number_duels.terminal.app.typed_answer import TypedAnswer
from number_duels.terminal.ui.text_width import breadth, fold

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


@dataclass(frozen=True)
class Shown:
    """Everything that can be seen of a choice."""

    offer: Offer
    typed: TypedAnswer
    #: The answers that led to this question.
    steps: tuple[str, ...]
    #: The answer that Enter takes; None where nothing may be marked.
    marked: int | None
    reason: str
    roomy: bool

    @property
    def answers(self) -> tuple[Answer[Hashable], ...]:
        return self.typed.question.answers


def laid_out(shown: Shown, width: int) -> tuple[list[Line], list[Place]]:
    """Everything, from the prompt to what is being typed; and where each answer stands."""
    steps = () if shown.offer.blind else shown.steps
    asked = with_names(shown.typed.question.prompt, shown.offer.names)
    lines: list[Line] = [((part, "bold"),) for part in fold(" ▸ ".join((*steps, asked)), width)]
    places: list[Place] = []
    cells, explained = cells_of(shown, width)
    wide = max(map(length, cells), default=0)
    columns = columns_of(cells, width)
    for start in range(0, len(cells), columns):
        row: Line = ()
        for place, cell in enumerate(cells[start : start + columns], start):
            began = length(row)
            places.append((len(lines), began, began + length(cell)))
            is_marked = place == shown.marked
            row += tuple((text, "bold reverse" if is_marked else style) for text, style in cell)
            row += ((" " * (wide - length(cell) + BETWEEN_COLUMNS), ""),)
        lines.append(row)
    lines += preview(shown, width, explained=explained)
    lines += input_lines(shown, width)
    return lines, places


def columns_of(cells: list[Line], width: int) -> int:
    wide = max(map(length, cells), default=0)
    return max(1, (width + BETWEEN_COLUMNS) // (wide + BETWEEN_COLUMNS))


def cells_of(shown: Shown, width: int) -> tuple[list[Line], bool]:
    """The answers, and whether each says what it would do.

    Where rows are few, that is said of the marked one alone.
    """
    cells = [cell_of(answer, shown.offer) for answer in shown.answers]
    if shown.roomy or len(cells) <= columns_of(cells, width) * MAX_SHORT_ROWS:
        return cells, True
    return [(*labelled(answer), (" ", "")) for answer in shown.answers], False


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


def preview(shown: Shown, width: int, *, explained: bool) -> Iterator[Line]:
    """What the marked answer leads to, where it does not say so itself."""
    if shown.marked is None:
        return
    marked = shown.answers[shown.marked]
    target = marked.leads_to
    if isinstance(target, Question):
        yield ()
        ends = [one for one in target.answers if not isinstance(one.leads_to, Question)]
        wide = max((breadth(answer.label) for answer in ends), default=0)
        for answer in ends:
            does = beyond(answer.label, shown.offer.consequence(answer.leads_to))
            yield ((f" {answer.label:{wide}}", ""), (f"  {does}"[: width - wide - 1], "$faint"))
        if not ends:
            yield ((f" then: {target.prompt}"[:width], "$faint"),)
    elif not explained and (does := shown.offer.consequence(target)):
        yield ((f" {marked.label}", ""), (f"  {does}"[: width - 12], "$faint"))


def input_lines(shown: Shown, width: int) -> Iterator[Line]:
    """What is typed, or that it can be; and why the last answer was refused."""
    if shown.roomy:
        yield ()
    if shown.offer.blind:
        yield (("Type it and press Enter, or click: nothing is shown."[:width], "$accent"),)
    elif shown.typed.text:
        typed = f"{shown.typed.text}█"
        yield (("> ", "$accent"), (typed, "bold"), (TYPED_NOTE[: width - len(typed) - 2], "$faint"))
    else:
        yield ((how_to_answer(shown)[:width], "$faint"),)
    if shown.reason:
        yield from (((part, "$error"),) for part in fold(shown.reason, width))


def how_to_answer(shown: Shown) -> str:
    if shown.steps:
        return "Arrows and Enter, a click, or its key. Esc goes one step back."
    if example := shown.offer.example:
        return f"Arrows and Enter, a click, or type it: {example}"
    return (
        "Enter or a click." if len(shown.answers) == 1 else "Arrows and Enter, a click, or its key."
    )
