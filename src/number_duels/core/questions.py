"""What a player is asked: questions as data, and how a reply is understood.

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

from number_duels.core.board import Place
from number_duels.core.text import listed, number

__all__ = ["Question", "Answer", "Prompt", "converse", "labels"]

M_co = TypeVar("M_co", bound=Hashable, covariant=True)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True)
class Question(Generic[M_co]):
    """One small choice; each answer leads to a move or to the next question."""

    #: What is asked, as a page shows it.
    prompt: str
    #: What may be answered.
    answers: tuple[Answer[M_co], ...]
    #: Whether the other seat may not see the answer.
    secret: bool = False
    #: What is asked at a keyboard, up to where the reply is typed; empty: the prompt and a colon.
    at_keyboard: str = ""
    #: Answers that are understood but closed, each with the reason.
    closed: Mapping[str, str] = field(default_factory=dict)

    @property
    def typed_prompt(self) -> str:
        """The prompt exactly as a terminal prints it."""
        return self.at_keyboard or f"{self.prompt}: "


@dataclass(frozen=True)
class Answer(Generic[M_co]):
    """What is typed, what a button says, and where it leads."""

    #: What is typed.
    text: str
    #: What a button says.
    label: str
    #: A move, or the next question.
    leads_to: M_co | Question[M_co]
    #: What may be typed instead.
    also: tuple[str, ...] = ()
    #: Where on the board it is, where that is not simply the number that it names.
    at: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """A question put to a player, and why the last reply was refused."""

    #: What is printed.
    text: str
    #: Whether the reply is typed unseen.
    secret: bool = False
    #: Why the last reply was refused; None: it is the first time.
    reason: str | None = None


def converse(question: Question[M], parse: Callable[[str], M]) -> Generator[Prompt, str, M]:
    """Ask until there is a move; its full notation is taken at the first question."""
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
    """Where a reply leads; None when it is no answer to this question."""
    said = plain(reply)
    for answer in question.answers:
        if said in (plain(answer.text), *answer.also):
            return answer.leads_to
    return None


def by_notation(reply: str, parse: Callable[[str], M]) -> M | None:
    """The move that a reply writes out in full, open or not."""
    try:
        return parse(reply)
    except ValueError:
        return None


def labels(question: Question[M]) -> dict[M, str]:
    """Every move that a question can end in, with the words of its last step."""
    found: dict[M, str] = {}
    for answer in question.answers:
        target = answer.leads_to
        found |= labels(target) if isinstance(target, Question) else {target: answer.label}
    return found


def forced(question: Question[M_co]) -> str:
    """Why there is one answer alone; empty where there is a choice."""
    if len(question.answers) != 1:
        return ""
    if question.closed:
        return next(iter(question.closed.values()))
    what = "number" if number(question.answers[0].text) is not None else "move"
    return f"It is the only {what} left."


def beyond(label: str, consequence: str) -> str:
    """What a consequence says that the label does not say already.

    >>> beyond("Add: 2 + 1 = 3", "2 + 1 = 3: strikes 3"), beyond("Add 5", "10 → 15")
    ('strikes 3', '10 → 15')
    """
    first, _, rest = consequence.partition(": ")
    return rest if rest and label.endswith(first) else consequence


def refusal(question: Question[M_co], reply: str, *, is_move: bool = False) -> str:
    """Why a reply was refused; it never repeats the reply, which may be a secret."""
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
    """A reply without the differences that do not matter."""
    said = " ".join(reply.split()).casefold()
    value = number(said)
    return said if value is None else str(value)
