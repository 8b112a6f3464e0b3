"""Keys into choices: one key where it is enough, a number of two digits, or a move in notation."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeAlias

from number_duels.core.questions import Question, by_notation, find, labels, plain, refusal

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
        return TypedAnswer(self.first, self.question, self.parse, self.earlier, self.text + letter)

    def shortened(self) -> TypedAnswer:
        return TypedAnswer(self.first, self.question, self.parse, self.earlier, self.text[:-1])

    def after(self, question: Question[Hashable], typed: str) -> TypedAnswer:
        """The next step of the same choice."""
        return TypedAnswer(self.first, question, self.parse, self.earlier + typed)

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
