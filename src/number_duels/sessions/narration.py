"""Describe a game turn by turn, without revealing what is hidden from the viewer."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.names import SEAT_NAMES
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch
from number_duels.core.record import with_names
from number_duels.core.scene import Told, kinds
from number_duels.core.text import kind_of, same_kind

OPPONENT = re.compile(r"\b(?:your )?opponent's")
AnyStep: TypeAlias = Step[Hashable, Hashable, Hashable]


@lru_cache
def turn_word(game: AnyGame) -> str:
    turn = game.turn(game.start())
    return "round" if isinstance(turn, Decision) and len(turn.options) == 2 else "turn"


class ToldTurn(NamedTuple):
    """The sentences about one turn, for one viewer. Turn 0 is the opening and has no steps."""

    #: The names and steps of the sentences. If they change, a cached turn is out of date.
    names: tuple[str, str]
    steps: list[AnyStep]
    turn: int
    lines: list[str]
    kinds: list[str]
    #: The lines about the last step only, and a short sentence about it.
    latest: list[str]
    short: str = ""

    @property
    def moves(self) -> dict[Seat, str]:
        last = self.steps[-1].moves if self.steps else {}
        return {seat: str(move) for seat, move in last.items()}

    @property
    def drawn(self) -> str:
        return next((str(step.event) for step in reversed(self.steps) if not step.moves), "")

    @property
    def told(self) -> Told:
        return Told(self.turn, readable(self.lines), self.short, self.moves, self.drawn)


ToldTurns: TypeAlias = dict[tuple[Seat | None, int], ToldTurn]


def told_so_far(
    match: AnyMatch,
    viewer: Seat | None,
    names: tuple[str, str] = SEAT_NAMES,
    kept: ToldTurns | None = None,
    opening: Sequence[str] = (),
) -> list[ToldTurn]:
    """Return what a viewer is told about the opening and about each turn so far."""
    steps, kept = match.steps(viewer), {} if kept is None else kept
    found = []
    for number, part in enumerate(([], *by_turn(steps))):
        known = kept.get((viewer, number))
        if known is None or known.names != names or known.steps != part:
            if part:
                known = tell_turn(match.game, number, part, viewer, names)
            else:
                start = steps[0].before if steps else match.view(viewer)
                lines = [*named(names, match.game.opening(start)), *opening]
                known = ToldTurn(names, [], 0, lines, kinds(lines), lines, " ".join(opening))
            kept[viewer, number] = known
        found.append(known)
    return found


def tell_turn(
    game: AnyGame,
    number: int,
    steps: list[AnyStep],
    viewer: Seat | None,
    names: tuple[str, str] = SEAT_NAMES,
) -> ToldTurn:
    def said(lines: Iterable[str]) -> list[str]:
        return [with_names(with_opponent(line, viewer), names) for line in lines]

    before = said([*game.announce(steps[0].before, viewer), *tell(game, steps[:-1], viewer)])
    latest = said(tell(game, steps[-1:], viewer))
    lines = trimmed(before + latest)
    last = steps[-1]
    short = with_names(game.sum_up(last.before, last.moves, last.after), names)
    return ToldTurn(names, steps, number, lines, kinds(lines), trimmed(latest), short)


def with_opponent(line: str, viewer: Seat | None) -> str:
    """Replace "opponent" in a line with "Player 1" or "Player 2". The line keeps its kind.

    >>> with_opponent("Number 3 is not on opponent's grid.", Seat.ONE)
    "Number 3 is not on Player 2's grid."
    """
    if viewer is None or "opponent's" not in line:
        return line
    return same_kind(line, OPPONENT.sub(f"{viewer.other}'s", line))


def tell(game: AnyGame, steps: Iterable[AnyStep], viewer: Seat | None) -> Iterator[str]:
    for step in steps:
        yield from game.tell(step.before, step.moves, step.after, viewer)


def concession(match: AnyMatch) -> list[str]:
    outcome = match.outcome
    if outcome is None or not match.conceded:
        return []
    won = (
        f"{outcome.winner} wins the game!" if outcome.winner is not None else "The game is a draw."
    )
    return [outcome.reason, won]


def by_turn(steps: Iterable[AnyStep]) -> list[list[AnyStep]]:
    # The last turn may be incomplete.
    found: list[list[AnyStep]] = [[]]
    for step in steps:
        found[-1].append(step)
        if step.moves:
            found.append([])
    return found if found[-1] else found[:-1]


def turn_so_far(match: AnyMatch, viewer: Seat | None) -> tuple[Hashable, tuple[AnyStep, ...]]:
    steps = match.steps(viewer)
    begun = steps[max((n for n, step in enumerate(steps, 1) if step.moves), default=0) :]
    return (begun[0].before if begun else match.view(viewer)), begun


def named(names: tuple[str, str], lines: Iterable[str]) -> list[str]:
    return trimmed([with_names(line, names) for line in lines])


def trimmed(lines: Sequence[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return list(lines[first:last])


def readable(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines to show beside a board: the sentences and their headings.

    >>> from number_duels.core.text import BoardLine, Heading
    >>> readable([Heading("Round 1"), BoardLine("Pool: 1 2"), "", "It's a tie!", Heading("Scores")])
    ('Round 1', "It's a tie!")
    >>> readable([Heading("Turn 1"), "Ann adds 1.", Heading("Life:"), BoardLine("9"), "Ann wins!"])
    ('Turn 1', 'Ann adds 1.', 'Ann wins!')
    """
    found: list[str] = []
    for line in lines:
        kind = kind_of(line)
        if kind in ("said", "heading") and line.strip():
            if kind == "heading" and found and kind_of(found[-1]) == "heading":
                found.pop()
            found.append(line if kind == "heading" else line.strip())
        elif line.strip() and len(found) > 1 and kind_of(found[-1]) == "heading":
            found.pop()
    return tuple(found[:-1] if found and kind_of(found[-1]) == "heading" else found)
