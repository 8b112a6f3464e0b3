"""Questions that players answer, and functions that parse their replies.

>>> answers = (Answer("yes", "Keep 5", leads_to=1), Answer("no", "Give 5", leads_to=0))
>>> keep = Question("Keep it (yes or no)", answers)
>>> labels(keep)
{1: 'Keep 5', 0: 'Give 5'}
>>> talk = converse(keep, parse=int)
>>> next(talk)
Prompt(text='Keep it (yes or no): ', secret=False, reason=None)
>>> talk.send("maybe").reason
'That is not an answer; type yes or no.'
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from number_duels.core.board import Place, Places
from number_duels.core.text import listed, number

__all__ = ["Question", "Answer", "Prompt", "converse", "labels"]

M_co = TypeVar("M_co", bound=Hashable, covariant=True)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True)
class Question(Generic[M_co]):
    """A question to a player. Each answer leads to a move or to another question."""

    #: The question, as a web page shows it.
    prompt: str
    #: The possible answers.
    answers: tuple[Answer[M_co], ...]
    #: Whether the answer is hidden from the other seat.
    secret: bool = False
    #: The prompt in a terminal. If empty, it is `prompt` and a colon.
    at_keyboard: str = ""
    #: Replies that are valid but not allowed now, each with the reason.
    closed: Mapping[str, str] = field(default_factory=dict)
    #: How a whole move is typed, in a few words, or empty if the answers show it.
    form: str = ""

    @property
    def typed_prompt(self) -> str:
        """Return the prompt that a terminal prints."""
        return self.at_keyboard or f"{self.prompt}: "


@dataclass(frozen=True)
class Answer(Generic[M_co]):
    """An answer to a question: its text, its button label, and the move or question it leads to."""

    #: The text to type.
    text: str
    #: The label of a button.
    label: str
    #: A move, or the next question.
    leads_to: M_co | Question[M_co]
    #: Other texts that are accepted.
    also: tuple[str, ...] = ()
    #: The answer's places on the board. If empty, the board is searched for the number `text`.
    at: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """A text that asks for a reply, and the reason if the last reply was rejected."""

    #: The text to print.
    text: str
    #: Whether to hide the reply while it is typed.
    secret: bool = False
    #: Why the last reply was rejected, or None if it was not.
    reason: str | None = None


def converse(question: Question[M], parse: Callable[[str], M]) -> Generator[Prompt, str, M]:
    """Yield prompts and receive replies until they lead to a move. Return the move.

    The first question also accepts a whole move in notation.
    """
    first, reason = question, None
    while True:
        reply = yield Prompt(question.typed_prompt, question.secret, reason)
        found = find(question, reply)
        written = by_notation(reply, parse) if question is first else None
        if found is None and written in labels(first):
            found = written
        if found is None:
            reason = refusal(question, reply, is_move=written is not None)
        elif isinstance(found, Question):
            question, reason = found, None
        else:
            return found


def find(question: Question[M], reply: str) -> M | Question[M] | None:
    said = plain(reply)
    for answer in question.answers:
        if said in (plain(answer.text), *answer.also):
            return answer.leads_to
    return None


def by_notation(reply: str, parse: Callable[[str], M]) -> M | None:
    try:
        return parse(reply)
    except ValueError:
        return None


def labels(question: Question[M]) -> dict[M, str]:
    """Return every move that a question can lead to, with the label of its last answer."""
    found: dict[M, str] = {}
    for answer in question.answers:
        target = answer.leads_to
        found |= labels(target) if isinstance(target, Question) else {target: answer.label}
    return found


def path_to(question: Question[M], move: M) -> tuple[Answer[M], ...]:
    for answer in question.answers:
        target = answer.leads_to
        if isinstance(target, Question):
            if rest := path_to(target, move):
                return (answer, *rest)
        elif target == move:
            return (answer,)
    return ()


def positions(answer: Answer[M], places: Places) -> list[tuple[int, int | None]]:
    at = map(places.of, answer.at) if answer.at else [places.of_number(answer.text)]
    return [each for each in at if each is not None]


def typed_form(question: Question[M_co]) -> str:
    """Describe how to type an answer, or return "" if the answers show it.

    >>> typed_form(Question("Your bid", (Answer("7", "Bid 7", 7), Answer("9", "Bid 9", 9))))
    'a number'
    """
    # The text is never an example, because the example could be the best move.
    if question.form or len(question.answers) == 1:
        return question.form
    numbers = all(number(answer.text) is not None for answer in question.answers)
    return "a number" if numbers else ""


def forced(question: Question[M_co]) -> str:
    """Return why a question has only one answer, or "" if it has several."""
    if len(question.answers) != 1:
        return ""
    if question.closed:
        return next(iter(question.closed.values()))
    what = "number" if number(question.answers[0].text) is not None else "move"
    return f"It is the only {what} left."


def beyond(label: str, consequence: str) -> str:
    """Return a move's consequence without the part that its label already says.

    >>> beyond("Add: 2 + 1 = 3", "2 + 1 = 3: strikes 3"), beyond("Add 5", "10 → 15")
    ('strikes 3', '10 → 15')
    """
    first, _, rest = consequence.partition(": ")
    return rest if rest and label.endswith(first) else consequence


def refusal(question: Question[M_co], reply: str, *, is_move: bool = False) -> str:
    """Return why a reply was rejected. The text never repeats the reply, which may be secret."""
    said = plain(reply)
    if said in question.closed:
        return question.closed[said]
    right = listed([answer.text for answer in question.answers])
    numbers = any(number(answer.text) is not None for answer in question.answers)
    if numbers and number(said) is not None:
        return f"That number is not available; choose {right}."
    if is_move:
        return f"That move is not available; choose {right}."
    return f"That is not an answer; type {right}." if said else f"Nothing was typed; type {right}."


def plain(reply: str) -> str:
    said = " ".join(reply.split()).casefold()
    value = number(said)
    return said if value is None else str(value)
