"""The review of a game: the cost of each move, and how much was luck."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast, overload

from number_duels.core.game import E, Game, M, S, Seat, SomeGame
from number_duels.core.match import Match
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record
from number_duels.review.habits import Habit, habits
from number_duels.review.mistakes import (
    Concession,
    Grade,
    Mistake,
    concessions,
    grade_step,
    mistake,
)
from number_duels.review.position import AnySolution, Chances, chances, examine
from number_duels.review.tally import Tally
from number_duels.solvers import Solution, solve


@dataclass(frozen=True, repr=False)
class Review:
    """The review of a game: every decision, the course of the game, and each player's totals.

    >>> from number_duels import Match, load
    >>> match = Match(load("number-knot"), seed=7)
    >>> for seat, move in [(Seat.ONE, "S5"), (Seat.TWO, "A3"), (Seat.ONE, "S9")]:
    ...     match.submit(seat, move)
    >>> found = review(match)
    >>> found.course, found.first_blunder.move, found.players[Seat.TWO].accuracy
    ((0.0, 0.0, 1.0, 1.0), 'A3', 0.0)
    """

    #: The record of the game.
    record: Record
    #: Every decision, in order.
    grades: tuple[Grade, ...]
    #: Player 1's expected result at the start and after every turn.
    course: tuple[float, ...]
    #: Each player's figures.
    players: Mapping[Seat, Tally]
    #: Every move that lost at least 2% of the winning chance, with the reason.
    mistakes: tuple[Mistake, ...] = ()
    #: Player 1's chances at the start, or None if they were not computed.
    chances: Chances | None = None
    #: The habits that make people predictable, at most one per person.
    habits: tuple[Habit, ...] = ()
    #: How the seats gave up the game. Empty if no seat did.
    concessions: tuple[Concession, ...] = ()

    def __repr__(self) -> str:
        moves = f"{self.record.moves} {self.record.result}".strip()
        return f"<Review of {self.record.game}: {moves}>"

    @property
    def first_blunder(self) -> Grade | None:
        """Return the first blunder, or None if there is none."""
        return next((grade for grade in self.grades if grade.is_blunder), None)

    @property
    def luck(self) -> tuple[float, ...]:
        """Return Player 1's luck so far, at the start and after every turn."""
        return tuple(now - skill for now, skill in zip(self.course, self.skill, strict=True))

    @property
    def skill(self) -> tuple[float, ...]:
        """Return Player 1's expected result without luck, at the start and after every turn."""
        found = [self.course[0]] * len(self.course)
        for grade in self.grades:
            for turn in range(grade.turn, len(found)):
                found[turn] -= grade.loss * (1, -1)[grade.seat]
        return tuple(found)


@overload
def review(
    played: Match[S, M, E],
    /,
    *,
    solution: Solution[S, M, E] | None = None,
    earlier: Iterable[Record] = (),
) -> Review: ...


@overload
def review(
    played: Record, /, *, solution: AnySolution | None = None, earlier: Iterable[Record] = ()
) -> Review: ...


@overload
def review(
    game: Game[S, M, E],
    record: Record,
    solution: Solution[S, M, E],
    earlier: Iterable[Record] = (),
) -> Review: ...


def review(
    game: SomeGame | Match[S, M, E] | Record,
    record: Record | None = None,
    solution: Solution[S, M, E] | AnySolution | None = None,
    earlier: Iterable[Record] = (),
) -> Review:
    """Review every decision of a match or a record.

    Without `solution`, solve the game or open its cached solution. `earlier` games are searched for
    habits, too. Raise ValueError if a turn of the record cannot be played.

    >>> from number_duels import load
    >>> record = Record("number-knot", load("number-knot").settings, None, 7, moves="S5 A3 S9")
    >>> found = review(record)
    >>> [(grade.move, grade.loss) for grade in found.grades], found.record.result
    ([('S5', 0.0), ('A3', 1.0), ('S9', 0.0)], '1-0')
    """
    if isinstance(game, Match):
        match, record = cast("AnyMatch", game), game.record
    elif isinstance(game, Record):
        match, record = game.match(), game
    elif record is not None:
        match = Match.from_record(game, record)
    else:
        raise TypeError("Pass a match, a record, or a game with its record and solution.")
    found = cast("AnySolution | None", solution) or solve(match.game)
    return grade_match(match, replace(record, result=match.result), found, earlier)


def grade_match(
    match: AnyMatch, record: Record, solution: AnySolution, earlier: Iterable[Record] = ()
) -> Review:
    grades: list[Grade] = []
    mistakes: list[Mistake] = []
    value = solution.value(match.history.start)
    course, luck, drawn = [value], 0.0, ""
    steps = open_steps(match)
    for place, step in enumerate(steps, start=1):
        after = solution.value(step.after)
        luck += after - value
        value = after
        if not step.moves:
            drawn += step.text
            continue
        position = examine(solution, step.before)
        made = grade_step(step, len(course), position, drawn)
        luck += sum(grade.loss * (1, -1)[grade.seat] for grade in made)
        grades += made
        mistakes += (
            mistake(solution, match.history.steps[:place], grade, position)
            for grade in made
            if grade.is_mistake
        )
        course.append(after)
        drawn = ""
    ended = concessions(match, solution, steps[-1].after if steps else match.history.start)
    losses = {seat: [(one.loss, one.worst) for one in grades if one.seat is seat] for seat in Seat}
    for one in ended:
        if one.is_forfeit:
            losses[one.seat].append((one.cost, one.cost))
    players = {
        seat: Tally.of_game(losses[seat], luck if seat is Seat.ONE else 0.0 - luck) for seat in Seat
    }
    at_start = chances(solution, match.history.start)
    made_habits = tuple(habits(match, solution, earlier))
    return Review(
        *(record, tuple(grades), tuple(course), players, tuple(mistakes), at_start, made_habits),
        ended,
    )


def open_steps(match: AnyMatch) -> tuple[Step[Hashable, Hashable, Hashable], ...]:
    """Return the steps so far, without a card that was just drawn and is still secret."""
    steps = match.history.steps
    while steps and not steps[-1].moves and not match.hides_nothing_from(None):
        steps = steps[:-1]
    return steps


def totals(reviews: Iterable[Review]) -> dict[str, Tally]:
    """Return each player's tally over many games, by name.

    >>> from number_duels import load
    >>> record = Record("number-knot", load("number-knot").settings, None, 7, moves="S5 A3 S9")
    >>> {name: tally.loss for name, tally in totals([review(record)] * 2).items()}
    {'Player 1': 0.0, 'Player 2': 2.0}
    """
    found: dict[str, Tally] = {}
    for one in reviews:
        for seat, figures in one.players.items():
            name = one.record.players[seat].name
            found[name] = found.get(name, Tally()) + figures
    return found
