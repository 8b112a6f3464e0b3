"""Habits over many games: what a player chose where it often was, and what that gives away.

A position counts if the player met it ten times or more. What somebody who knows the habit
could win there is judged on games that the habit was not read from: read from every other game
of the player it is tried on the rest, and the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt

from number_duels.core.game import Decision, Seat
from number_duels.core.notation import write
from number_duels.core.player import AnyMatch
from number_duels.review.position import AnySolution, words_of_moves
from number_duels.review.tally import MIN_GAMES, t_quantile

#: Fewer meetings are no habit.
MIN_MEETINGS = 10


@dataclass(frozen=True)
class Choice:
    """How often a player chose a move, and how often perfect play does."""

    words: str
    share: float
    perfect: float


@dataclass(frozen=True)
class Habit:
    """What a player chose in a position that it met often."""

    game: str
    seat: Seat
    #: The moves that led there the first time.
    moves: str
    meetings: int
    choices: tuple[Choice, ...]
    #: What a reader wins there each time, in shares of the points; on games held out.
    gain: float


@dataclass(frozen=True)
class Habits:
    """One player's habits, and what a reader of them could win in a game on average."""

    games: int
    found: tuple[Habit, ...] = ()
    gain: float = 0.0
    #: The 95% interval of the gain; None with too few games.
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Meeting:
    """One time that a player decided in a position."""

    #: Which of the player's games this was, counted from 0.
    game: int
    move: Hashable
    moves: str


@dataclass
class Place:
    """A position that a player met."""

    solution: AnySolution
    state: Hashable
    seat: Seat
    meetings: list[Meeting] = field(default_factory=list)


def habits(games: Iterable[tuple[AnySolution, AnyMatch]]) -> dict[str, Habits]:
    """The habits of every player in many games, by name."""
    places: dict[str, dict[Hashable, Place]] = {}
    counts: Counter[str] = Counter()
    for solution, match in games:
        names = [person.name for person in match.players]
        for n, step in enumerate(match.history.steps):
            for seat, move in step.moves.items():
                met = places.setdefault(names[seat], {})
                key = match.game, match.game.key(step.before), seat
                place = met.setdefault(key, Place(solution, step.before, seat))
                moves = write(match.history.steps[:n])
                place.meetings.append(Meeting(counts[names[seat]], move, moves))
        counts.update(names)
    return {name: habits_of(places.get(name, {}).values(), count) for name, count in counts.items()}


def habits_of(places: Iterable[Place], games: int) -> Habits:
    found, won = [], [0.0] * games
    for place in places:
        if len(place.meetings) < MIN_MEETINGS or len(options(place)) == 1:
            continue
        gains = held_out_gains(place)
        for meeting, gain in gains:
            won[meeting.game] += gain
        found.append(habit(place, fsum(gain for _, gain in gains) / max(1, len(gains))))
    if not found:
        return Habits(games)
    found.sort(key=lambda one: -one.gain * one.meetings)
    mean = fsum(won) / games
    return Habits(games, tuple(found), mean, interval(won, mean))


def habit(place: Place, gain: float) -> Habit:
    game, times = place.solution.game, len(place.meetings)
    words = words_of_moves(game, place.state, place.seat)
    perfect = place.solution.strategy(place.state, place.seat)
    counts = Counter(meeting.move for meeting in place.meetings)
    choices = (Choice(words[m], counts[m] / times, odds) for m, odds in perfect.items())
    shown = sorted((c for c in choices if c.share or c.perfect), key=lambda c: -c.share)
    moves = place.meetings[0].moves
    return Habit(game.title, place.seat, moves, times, tuple(shown), gain)


def options(place: Place) -> Sequence[Hashable]:
    turn = place.solution.game.turn(place.state)
    assert isinstance(turn, Decision)
    return turn.options[place.seat]


# ---- what a reader wins --------------------------------------------------------


def held_out_gains(place: Place) -> list[tuple[Meeting, float]]:
    """What a reader wins at every meeting, as shares of the points."""
    found = []
    for half in (0, 1):
        read = Counter(m.move for m in place.meetings if m.game % 2 != half)
        judged = [meeting for meeting in place.meetings if meeting.game % 2 == half]
        if not read or not judged:
            continue
        lost = losses(place, read)
        found += [(meeting, lost[meeting.move] / 2) for meeting in judged]
    return found


def losses(place: Place, read: Counter[Hashable]) -> dict[Hashable, float]:
    """What every option loses against a reader; where nobody replies unseen, against anybody."""
    solution, state, seat = place.solution, place.state, place.seat
    game, turn, sign = solution.game, solution.game.turn(state), (1, -1)[seat]
    assert isinstance(turn, Decision)
    worth = sign * solution.value(state)

    def left(moves: dict[Seat, Hashable]) -> float:
        return sign * solution.value(game.resolve(state, moves))

    if seat.other not in turn.options:
        return {move: worth - left({seat: move}) for move in turn.options[seat]}
    expected = {
        reply: fsum(times * left({seat: move, seat.other: reply}) for move, times in read.items())
        for reply in turn.options[seat.other]
    }
    reply = min(expected, key=lambda one: expected[one])
    return {move: worth - left({seat: move, seat.other: reply}) for move in turn.options[seat]}


def interval(units: Sequence[float], mean: float) -> tuple[float, float] | None:
    """The 95% interval of the mean of a figure for each game."""
    if len(units) < MIN_GAMES:
        return None
    freedom = len(units) - 1
    error = sqrt(fsum((unit - mean) ** 2 for unit in units) / freedom / len(units))
    half = error * t_quantile(freedom)
    return mean - half, mean + half
