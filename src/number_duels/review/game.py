"""The review of a game: what each move cost, and what was luck.

For every decision, the loss is what the best option was worth to the mover less
what its move was worth. Where both choose at once an option is worth what it
brings against the other seat's equilibrium strategy; with several equilibria the
one that `Solution.strategy` gives is meant. Luck is all that is left: what the
cards did, and how two mixed choices happened to meet. So, for Player 1,

    result = value at the start - own losses + the opponent's losses + luck

and Player 2's luck is the opposite of Player 1's. Accuracy is the share, in
percent, of what could have been thrown away that was kept: 100 for never losing
anything, 0 for the worst option every time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast, overload

from number_duels.core.game import E, Game, M, S, Seat, SomeGame
from number_duels.core.match import Match
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record
from number_duels.review.position import AnySolution, Position, examine
from number_duels.solvers import Solution, solve

#: Losses below this are rounding errors.
TOLERANCE = 1e-7
#: The least loss of a decisive mistake: a quarter of the way from a win to a loss.
DECISIVE = 0.5

AnyStep = Step[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Grade:
    """One decision: what it cost, what the worst would have cost, what was best."""

    turn: int
    seat: Seat
    move: str
    value_before: float
    loss: float
    worst: float
    best: tuple[str, ...]
    #: What had been drawn in this turn, in notation.
    drawn: str = ""


@dataclass(frozen=True)
class Tally:
    """One player's figures over one game or many."""

    loss: float = 0.0
    worst: float = 0.0
    luck: float = 0.0
    decisions: int = 0
    games: int = 0

    @property
    def accuracy(self) -> float:
        """The share of what could have been thrown away that was kept, in percent."""
        return 100.0 if self.worst < TOLERANCE else 100.0 * (1 - self.loss / self.worst)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.loss + other.loss,
            self.worst + other.worst,
            self.luck + other.luck,
            self.decisions + other.decisions,
            self.games + other.games,
        )


@dataclass(frozen=True)
class Review:
    """A whole game: every decision, the course of its value, each player's figures."""

    record: Record
    grades: tuple[Grade, ...]
    #: Player 1's expected result at the start and after every turn.
    course: tuple[float, ...]
    players: Mapping[Seat, Tally]

    @property
    def decisive(self) -> Grade | None:
        """The first decisive mistake."""
        return next((grade for grade in self.grades if grade.loss >= DECISIVE), None)


@overload
def review(played: Match[S, M, E], /, *, solution: Solution[S, M, E] | None = None) -> Review: ...


@overload
def review(played: Record, /, *, solution: AnySolution | None = None) -> Review: ...


@overload
def review(game: Game[S, M, E], record: Record, solution: Solution[S, M, E]) -> Review: ...


def review(
    game: SomeGame | Match[S, M, E] | Record,
    record: Record | None = None,
    solution: Solution[S, M, E] | AnySolution | None = None,
) -> Review:
    """Grade every decision of a match or a record; a ValueError names a turn that is wrong.

    The game is solved first, or its solution opened, unless a solution is given.

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
        raise TypeError("review takes a match, or a record, or a game, its record and solution.")
    found = cast("AnySolution | None", solution) or solve(match.game)
    return grade_match(match, replace(record, result=match.result), found)


def grade_match(match: AnyMatch, record: Record, solution: AnySolution) -> Review:
    grades: list[Grade] = []
    value = solution.value(match.history.start)
    course, luck, drawn = [value], 0.0, ""
    for step in match.history.steps:
        after = solution.value(step.after)
        luck += after - value
        value = after
        if not step.moves:
            drawn += step.text
            continue
        made = grade_step(step, len(course), examine(solution, step.before), drawn)
        luck += sum(grade.loss * (1, -1)[grade.seat] for grade in made)
        grades += made
        course.append(after)
        drawn = ""
    players = {seat: tally(grades, seat, luck) for seat in Seat}
    return Review(record, tuple(grades), tuple(course), players)


def grade_step(step: AnyStep, turn: int, position: Position, drawn: str) -> list[Grade]:
    grades = []
    for seat, move in step.moves.items():
        top = position.best(seat)
        lost = {
            option.move: drop_rounding_error(top - option.value)
            for option in position.options[seat]
        }
        best = tuple(option.move for option in position.options[seat] if not lost[option.move])
        played = lost[str(move)]
        worst = max(lost.values())
        grades.append(Grade(turn, seat, str(move), position.value, played, worst, best, drawn))
    return grades


def drop_rounding_error(loss: float) -> float:
    return 0.0 if loss < TOLERANCE else loss


def tally(grades: Iterable[Grade], seat: Seat, luck: float) -> Tally:
    """One player's figures in one game; luck is Player 1's."""
    own = [grade for grade in grades if grade.seat is seat]
    return Tally(
        loss=sum((grade.loss for grade in own), 0.0),
        worst=sum((grade.worst for grade in own), 0.0),
        luck=luck if seat is Seat.ONE else 0.0 - luck,
        decisions=len(own),
        games=1,
    )


def totals(reviews: Iterable[Review]) -> dict[str, Tally]:
    """Every player's figures over many games, by name."""
    found: dict[str, Tally] = {}
    for one in reviews:
        for seat, figures in one.players.items():
            name = one.record.players[seat].name
            found[name] = found.get(name, Tally()) + figures
    return found
