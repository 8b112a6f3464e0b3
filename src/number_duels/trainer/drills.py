"""Drills: practice positions that are frequent, costly or often missed by the learner."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from math import inf
from random import Random

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat
from number_duels.core.history import AnyHistory, History
from number_duels.core.randomness import sample, stream
from number_duels.review.player_stats import PHASES, cut_in_three
from number_duels.review.position import TOLERANCE, AnySolution
from number_duels.trainer.book import Learner
from number_duels.trainer.exercise import FORMS, MOVE, Exercise
from number_duels.trainer.spot import OpenSpot, Spot

LEVELS = ("easy", "medium", "hard")
#: How often players in sampled games make random moves, from weak to perfect.
SLIPS = (0.5, 0.125, 0.0)
#: A search ends when it has this many candidates, or one after MANY_GAMES, or after MAX_GAMES.
CANDIDATES = 24
MANY_GAMES, MAX_GAMES = 40, 240
COMPARED = 150


@dataclass(frozen=True)
class Scope:
    """The drills to choose from: a phase, a difficulty and a form, or a single position."""

    #: `opening`, `middle` or `end`, or empty for the whole game.
    phase: str = ""
    #: `easy`, `medium` or `hard`, or empty for all three.
    level: str = ""
    #: The form of the answer: `MOVE` or `MIXED`.
    form: str = MOVE
    #: The only position to drill, or None for all positions.
    spot: Spot | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("phase", self.phase, PHASES),
            ("difficulty", self.level, LEVELS),
            ("form", self.form, FORMS),
        ):
            if value not in known and (value or name == "form"):
                raise ValueError(f"There is no {name} {value!r}; choose {', '.join(known)}.")


class Drills:
    """The drills of a solved game.

    >>> from number_duels import load, solve
    >>> drills = Drills(solve(load("number-knot", numbers=6)))
    >>> exercise = drills.draw(Scope(phase="middle"), Learner(), Random(7))
    >>> exercise.phase, exercise.stake > 0
    ('middle', True)
    """

    def __init__(self, solution: AnySolution, clock: Clock = SYSTEM_CLOCK) -> None:
        self.solution = solution
        self.clock = clock

    def draw(
        self,
        scope: Scope,
        learner: Learner,
        rng: Random,
        seen: Collection[str] = (),
        *,
        limit_s: float = inf,
    ) -> Exercise:
        """Draw a random exercise, preferably a costly one that the learner often gets wrong.

        Skip positions whose id is in `seen`. After `limit_s` seconds, choose from the positions
        found so far. Raise ValueError if none was found.
        """
        if scope.spot:
            exercise = Exercise(scope.spot.open(), self.solution)
        else:
            found = self._some(scope, rng, seen, self.clock.monotonic() + limit_s)
            if not found:
                raise ValueError(self._nothing(scope))
            weights = [one.stake * learner.weight(one.spot.id, one.phase) for one in found]
            exercise = rng.choices(found, weights)[0]
        return exercise.asked_as(scope.form)

    def level(self, exercise: Exercise) -> str:
        """Return `easy`, `medium` or `hard`. Each of them has about a third of all positions."""
        return LEVELS[bisect_right(self._thresholds, exercise.difficulty)]

    @cached_property
    def _thresholds(self) -> tuple[float, float]:
        games = self._games(Scope(), stream(0, "levels"), ())
        ordered = sorted(one.difficulty for one in islice(chain(*games), COMPARED))
        return ordered[len(ordered) // 3], ordered[2 * len(ordered) // 3]

    def _some(
        self, scope: Scope, rng: Random, seen: Collection[str], until: float
    ) -> list[Exercise]:
        found: list[Exercise] = []
        for count, fitting in enumerate(self._games(scope, rng, seen), start=1):
            found += fitting
            enough = len(found) >= CANDIDATES or (found and count >= MANY_GAMES)
            if enough or self.clock.monotonic() > until:
                break
        return found

    def _games(
        self, scope: Scope, rng: Random, seen: Collection[str]
    ) -> Iterator[Iterator[Exercise]]:
        known = set(seen)
        for _ in range(MAX_GAMES):
            yield self._fitting(sampled_spots(self.solution, rng), scope, known)

    def _fitting(
        self, spots: Iterable[tuple[OpenSpot, str]], scope: Scope, known: set[str]
    ) -> Iterator[Exercise]:
        for spot, phase in spots:
            if scope.phase not in ("", phase) or spot.id in known:
                continue
            if (
                scope.form != MOVE and not spot.both_choose
            ):  # a seat that decides alone needs no mixed strategy
                continue
            known.add(spot.id)
            exercise = Exercise(spot, self.solution, phase=phase)
            if exercise.stake <= TOLERANCE or (scope.form != MOVE and not exercise.mixes):
                continue
            level = self.level(exercise) if scope.level else ""
            if level == scope.level:
                yield replace(exercise, level=level)

    def _nothing(self, scope: Scope) -> str:
        title = self.solution.game.title
        if scope.form == MOVE:
            return f"No more positions in {title} match; choose another part or difficulty."
        return f"No more positions in {title} need a mixed strategy; practice single moves instead."


def sampled_spots(solution: AnySolution, rng: Random) -> list[tuple[OpenSpot, str]]:
    """Play a sample game. Return its decisions with their phases, in random order."""
    history = play_out(solution, rng, {seat: rng.choice(SLIPS) for seat in Seat})
    spots = []
    for seat in Seat:
        own = [n for n, step in enumerate(history.steps) if seat in step.moves]
        thirds = cut_in_three(tuple((0.0, float(n)) for n in own))
        for phase, third in zip(PHASES, thirds, strict=True):
            for _, place in third:
                before = replace(history, steps=history.steps[: int(place)])
                spots.append((OpenSpot(solution.game, before, seat), phase))
    return rng.sample(spots, len(spots))


def may_mix(game: AnyGame) -> bool:
    """Return whether both seats ever choose at once. If so, perfect play may be mixed.

    >>> from number_duels import load
    >>> [may_mix(load(name)) for name in ("number-bid", "number-knot")]
    [True, False]
    """
    rng = stream(0, "may mix")
    state = game.start(rng)
    while not isinstance(turn := game.turn(state), Outcome):
        if isinstance(turn, Chance):
            state = game.drawn(state, sample(turn.odds, rng))
        elif len(turn.options) == len(Seat):
            return True
        else:
            state = game.resolve(state, {seat: rng.choice(of) for seat, of in turn.options.items()})
    return False


def decisions_of(history: AnyHistory, rng: Random) -> Iterator[OpenSpot]:
    """Yield the decisions of a game in order. If both seats decide, pick one seat at random."""
    for place, step in enumerate(history.steps):
        if step.moves:
            before = replace(history, steps=history.steps[:place])
            yield OpenSpot(history.game, before, rng.choice(sorted(step.moves)))


def play_out(solution: AnySolution, rng: Random, slips: Mapping[Seat, float]) -> AnyHistory:
    """Play a whole game. `slips` says how often each seat makes a random move."""
    game = solution.game
    history: AnyHistory = History(game, game.start(rng))
    while not history.outcome:
        turn = history.turn
        if isinstance(turn, Chance):
            history = history.sampled(sample(turn.odds, rng))
        elif isinstance(turn, Decision):
            moves = {}
            for seat, options in turn.options.items():
                if rng.random() < slips[seat]:
                    moves[seat] = rng.choice(options)
                else:
                    odds = solution.strategy(history.state, seat)
                    moves[seat] = rng.choices(list(odds), list(odds.values()))[0]
            history = history.resolved(moves)
    return history
