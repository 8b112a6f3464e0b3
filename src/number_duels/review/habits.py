"""Habits over many games: what a player chose where it often was, and what that gives away.

A position counts if the player met it ten times or more in one seat. What a habit gives away at
its own turn, and what somebody who knows all of them wins in a game (`habit_reader.py`), is
judged on games that it was not read from: read from every other game of the player in that seat
it is tried on the rest, and the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt

from number_duels.core.game import Decision, Seat
from number_duels.core.notation import write
from number_duels.core.player import AnyMatch
from number_duels.review.habit_reader import Path, reader_gains
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
    #: What a reader wins at that turn alone, in shares of the points; on games held out.
    gain: float


@dataclass(frozen=True)
class Habits:
    """One player's habits, and what a reader of all of them wins in a game on average."""

    games: int
    found: tuple[Habit, ...] = ()
    gain: float = 0.0
    #: The 95% interval of the gain; None with too few games.
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Meeting:
    """One time that a player decided in a position."""

    #: Which of the player's games in this seat this was, counted from 0.
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

    @property
    def is_habitual(self) -> bool:
        return len(self.meetings) >= MIN_MEETINGS and len(options(self)) > 1


@dataclass
class SeatGames:
    """A player's games of one kind in one seat."""

    solution: AnySolution
    seat: Seat
    places: dict[Hashable, Place] = field(default_factory=dict)
    #: What was decided in each game, in order.
    paths: list[Path] = field(default_factory=list)

    def add(self, match: AnyMatch) -> None:
        path: list[tuple[Hashable, Hashable]] = []
        for n, step in enumerate(match.history.steps):
            if self.seat in step.moves:
                key, move = match.game.key(step.before), step.moves[self.seat]
                place = self.places.setdefault(key, Place(self.solution, step.before, self.seat))
                moves = write(match.history.steps[:n])
                place.meetings.append(Meeting(len(self.paths), move, moves))
                path.append((key, move))
        self.paths.append(path)


def habits(games: Iterable[tuple[AnySolution, AnyMatch]]) -> dict[str, Habits]:
    """The habits of every player in many games, by name."""
    players: dict[str, dict[Hashable, SeatGames]] = {}
    for solution, match in games:
        for seat, person in zip(Seat, match.players, strict=True):
            own = players.setdefault(person.name, {})
            own.setdefault((match.game, seat), SeatGames(solution, seat)).add(match)
    return {name: habits_of(list(own.values())) for name, own in players.items()}


def habits_of(seats: Sequence[SeatGames]) -> Habits:
    """One player's habits in all seats and games that it sat in."""
    games = sum(len(one.paths) for one in seats)
    found = [habit(place) for one in seats for place in one.places.values() if place.is_habitual]
    if not found:
        return Habits(games)
    found.sort(key=lambda one: -one.gain * one.meetings)
    units = [gain for one in seats for gain in reader_gains(one.solution, one.seat, one.paths)]
    mean = fsum(units) / games
    return Habits(games, tuple(found), mean, interval(units, mean))


def habit(place: Place) -> Habit:
    gains = held_out_gains(place)
    gain = fsum(gains) / max(1, len(gains))
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


# ---- what one habit gives away -------------------------------------------------


def held_out_gains(place: Place) -> list[float]:
    """What a reader wins at every meeting, as shares of the points; both are perfect after it."""
    found = []
    for half in (0, 1):
        read = Counter(m.move for m in place.meetings if m.game % 2 != half)
        judged = [meeting for meeting in place.meetings if meeting.game % 2 == half]
        if not read or not judged:
            continue
        lost = losses(place, read)
        found += [lost[meeting.move] / 2 for meeting in judged]
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
