"""Two simulated learners: one who remembers what the feedback said, and one who guesses."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np

import number_duels as nd
from number_duels.core.history import AnyHistory, History
from number_duels.core.randomness import sample
from number_duels.review.position import AnySolution
from number_duels.trainer.book import Learner
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import Answer, Exercise
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.spot import OpenSpot

Features = np.ndarray[tuple[int], np.dtype[np.float64]]
#: How sharply a position that is less alike counts less.
SHARPNESS = 6


def features(spot: OpenSpot) -> Features:
    """What the seat sees, as numbers between 0 and 1."""
    found = spot.game.features(spot.view, spot.seat)
    return np.array(
        [(v - one.low) / max(1, one.high - one.low) for one in found for v in one.values]
    )


class Guesser:
    """Never listens."""

    def choose(self, spot: OpenSpot, rng: Random) -> str:
        return str(rng.choice(spot.options))

    def hear(self, spot: OpenSpot, feedback: Feedback) -> None:
        pass


@dataclass
class Listener:
    """Plays what cost least in the positions of the feedback that were most alike."""

    heard: list[tuple[Features, dict[str, float]]] = field(default_factory=list)

    def choose(self, spot: OpenSpot, rng: Random) -> str:
        options = [str(move) for move in spot.options]
        if not self.heard:
            return rng.choice(options)
        here = features(spot)
        apart = np.abs(np.array([known for known, _ in self.heard]) - here).sum(axis=1)
        weights = 1 / (0.05 + apart) ** SHARPNESS
        costs = {
            move: self.expected_cost(move, weights) for move in rng.sample(options, len(options))
        }
        return min(costs, key=lambda move: costs[move])

    def expected_cost(self, move: str, weights: Features) -> float:
        known = [
            (weight, costs[move])
            for weight, (_, costs) in zip(weights, self.heard, strict=True)
            if move in costs
        ]
        total = sum(weight for weight, _ in known)
        return sum(weight * cost for weight, cost in known) / total if known else 1.0

    def hear(self, spot: OpenSpot, feedback: Feedback) -> None:
        options = (*feedback.good, *feedback.bad)
        best = max(option.value for option in options)
        costs = {option.move: best - option.value for option in options}
        self.heard.append((features(spot), costs))


def drill(learner: Guesser | Listener, solution: AnySolution, count: int) -> None:
    """An evening of drills: answer, hear, remember."""
    drills, rng = Drills(solution), Random(7)
    for _ in range(count):
        exercise = drills.draw(Scope(), Learner(), rng)
        answer = Answer({learner.choose(exercise.spot, rng): 1.0})
        learner.hear(exercise.spot, judge(exercise, answer))


def chance_lost(learner: Guesser | Listener, solution: AnySolution, games: int) -> float:
    """The percent of the winning chance that a learner throws away a game, by the exact costs."""
    rng, lost = Random(11), 0.0
    for number in range(games):
        seat, game = nd.Seat(number % 2), solution.game
        history: AnyHistory = History(game, game.start(rng))
        while not history.outcome:
            turn = history.turn
            if isinstance(turn, nd.Chance):
                history = history.sampled(sample(turn.odds, rng))
                continue
            assert isinstance(turn, nd.Decision)
            moves = {}
            for mover, options in turn.options.items():
                if mover is seat:
                    spot = OpenSpot(game, history, seat)
                    chosen = learner.choose(spot, rng)
                    lost += Exercise(spot, solution).cost(chosen)
                    moves[mover] = next(one for one in options if str(one) == chosen)
                else:
                    odds = solution.strategy(history.state, mover)
                    moves[mover] = rng.choices(list(odds), list(odds.values()))[0]
            history = history.resolved(moves)
    return 50 * lost / games
