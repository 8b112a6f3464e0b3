"""Find the moves that a typed answer can mean."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import product, takewhile
from typing import NamedTuple

from number_duels.core.questions import Answer, Question, by_notation, plain


class Reading(NamedTuple):
    path: tuple[Answer[Hashable], ...]
    whole: bool = False

    @property
    def move(self) -> Hashable:
        return self.path[-1].leads_to


def readings(
    question: Question[Hashable], parse: Callable[[str], Hashable], text: str
) -> list[Reading]:
    """Return the moves that begin with `text`.

    The answers can be typed in the order of the questions (9S, 83-) or of the game's notation (S9,
    8-3). A move's label works, too.
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
    *first, last = path
    place = len(first) - ahead
    if place >= 0:
        steps = (*first[:place], last, *first[place:])
        yield from product(*(map(plain, (step.text, *step.also)) for step in steps))
    else:
        yield from ((plain(word),) for word in (str(last.leads_to), last.label))


def begun(words: tuple[str, ...], text: str) -> bool | None:
    """Return True if `text` spells all of `words`, False if only their start, otherwise None.

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
    """Return the answers that all readings begin with, but not the last answer of any reading."""
    columns = zip(*(reading.path[:-1] for reading in found), strict=False)
    agreed = takewhile(lambda column: all(one is column[0] for one in column), columns)
    return tuple(column[0] for column in agreed)


def only_move(found: list[Reading]) -> Reading | None:
    return found[0] if len({reading.move for reading in found}) == 1 else None


def text_of(steps: tuple[Answer[Hashable], ...]) -> str:
    return "".join(f"{step.text} " for step in steps)
