"""What a typed text can mean: the moves that it begins, in the words of a question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import product, takewhile
from typing import NamedTuple

from number_duels.core.questions import Answer, Question, by_notation, plain


class Reading(NamedTuple):
    path: tuple[Answer[Hashable], ...]
    #: Whether the text writes the whole move.
    whole: bool = False

    @property
    def move(self) -> Hashable:
        return self.path[-1].leads_to


def readings(
    question: Question[Hashable], parse: Callable[[str], Hashable], text: str
) -> list[Reading]:
    """Return the moves that a text can begin, read in the first way that fits.

    The answers are written one after the other, or with the last one further ahead: 9S or S9, 83-
    or 8-3. Or else the move is written as in a record, or as its label says.
    """
    routes = list(paths(question))
    if not text:
        return [Reading(path) for path in routes]
    for ahead in range(max(map(len, routes)) + 1):
        found: list[Reading] = []
        for path in routes:
            fits = [
                whole
                for words in spelled(path, ahead)
                if (whole := begun(words, text)) is not None
                and (not ahead or by_notation("".join(words), parse) == path[-1].leads_to)
            ]
            if fits:
                found.append(Reading(path, any(fits)))
        if found:
            return found
    return []


def paths(question: Question[Hashable]) -> Iterator[tuple[Answer[Hashable], ...]]:
    for answer in question.answers:
        if isinstance(answer.leads_to, Question):
            yield from ((answer, *rest) for rest in paths(answer.leads_to))
        else:
            yield (answer,)


def spelled(path: tuple[Answer[Hashable], ...], ahead: int) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write a path with the last answer some places ahead, and then the move."""
    *first, last = path
    place = len(first) - ahead
    if place >= 0:
        steps = (*first[:place], last, *first[place:])
        yield from product(*(map(plain, (step.text, *step.also)) for step in steps))
    else:
        yield from ((plain(word),) for word in (str(last.leads_to), last.label))


def begun(words: tuple[str, ...], text: str) -> bool | None:
    """Return whether a text has all of some words, or None if it does not begin them.

    >>> begun(("8", "-", "3"), "8 -"), begun(("8", "-", "3"), "8-3"), begun(("10", "-"), "1 -")
    (False, True, None)
    """
    spaced, place = " ".join(words), 0
    for letter in text.casefold():
        if letter != " " and spaced[place : place + 1] == " ":
            place += 1
        if spaced[place : place + 1] != letter:
            return None
        place += 1
    return place == len(spaced)


def shared_steps(found: list[Reading]) -> tuple[Answer[Hashable], ...]:
    """Return the first answers of all readings, as far as they agree, without the last one."""
    columns = zip(*(reading.path[:-1] for reading in found), strict=False)
    agreed = takewhile(lambda column: all(one is column[0] for one in column), columns)
    return tuple(column[0] for column in agreed)


def only_move(found: list[Reading]) -> Reading | None:
    """Return the reading if all readings are of one move."""
    return found[0] if len({reading.move for reading in found}) == 1 else None


def text_of(steps: tuple[Answer[Hashable], ...]) -> str:
    """Return the text that leads to a step. The space keeps 1 from being the beginning of 10."""
    return "".join(f"{step.text} " for step in steps)
