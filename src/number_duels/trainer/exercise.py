"""Exercises, their answers, and their difficulty."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum

from number_duels.core.board import Grid, Meter, Part
from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.questions import by_notation
from number_duels.core.text import listed, printable
from number_duels.review.position import TOLERANCE, AnySolution, Option, Position, examine
from number_duels.review.words import cost, is_mixed
from number_duels.trainer.spot import OpenSpot

#: The forms of an answer, as mistake books and results of `duels bench` store them.
MOVE, MIXED = FORMS = ("move", "mixture")
#: The same forms, as commands and requests name them.
NAMED_FORMS = {"move": MOVE, "mixed": MIXED}
MIXED_FORM = "CHOICE:PERCENT for each choice"
WEIGHT = re.compile(r"\d{1,9}(\.\d{1,9})?%?")


@dataclass(frozen=True)
class Answer:
    """An answer: a single move, or a mixed strategy.

    >>> Answer({"6": 0.5, "8": 0.5}).text, Answer({"10": 1.0}).text
    ('6:50 8:50', '10')
    """

    #: The probability of each move, by its notation. The sum is 1.
    weights: Mapping[str, float]

    @property
    def move(self) -> str | None:
        """Return the single move, or None for a mixed strategy."""
        return next(iter(self.weights)) if len(self.weights) == 1 else None

    @property
    def text(self) -> str:
        """Return the answer as a learner would type it."""
        return self.move or " ".join(f"{m}:{100 * w:.3g}" for m, w in self.weights.items())


def read_answer(spot: OpenSpot, text: str, form: str) -> Answer:
    """Parse a typed answer. Raise ValueError if it is invalid.

    >>> from number_duels.core.game import Seat
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-bid", {"numbers": 10}, None, "", Seat.ONE).open()
    >>> read_answer(spot, "9:1, 10:3", MIXED).weights
    {'9': 0.25, '10': 0.75}
    """
    if form == MIXED and ":" in text:
        return Answer(read_mix(spot, text))
    return Answer({str(read_move(spot, text)): 1.0})


def read_move(spot: OpenSpot, text: str) -> Hashable:
    move = by_notation(text, spot.game.parse)
    if move is None or move not in spot.options:
        # The game's own message could give away the best option, so list all of them.
        options = listed(list(map(str, spot.options)))
        raise ValueError(f"{printable(text.strip())!r} is not available; choose {options}.")
    return move


def read_mix(spot: OpenSpot, text: str) -> dict[str, float]:
    found: dict[Hashable, float] = {}
    for part in re.sub(r"\s*:\s*", ":", text).replace(",", " ").split():
        named, _, weight = part.rpartition(":")
        if not WEIGHT.fullmatch(weight) or not named:
            raise ValueError(
                f"{printable(part)!r} is not a choice with a percentage; type {MIXED_FORM}."
            )
        move = read_move(spot, named)
        if move in found:
            raise ValueError(f"{move} appears twice; name each choice once.")
        found[move] = float(weight.rstrip("%"))
    total = math.fsum(found.values())
    if not total:
        raise ValueError("Give at least one choice more than 0%.")
    return {str(move): found[move] / total for move in spot.options if found.get(move)}


#: A mixed strategy is right if an opponent who knows it gains at most this winning chance.
RIGHT_WITHIN = 0.01


@dataclass(frozen=True)
class Exercise:
    """A position in which the learner decides, and the solution of its game.

    >>> from number_duels import Seat, load, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
    >>> exercise = Exercise(spot, solve(spot.game))
    >>> exercise.best, exercise.stake
    (('S3',), 2.0)
    """

    #: The position and the seat that decides.
    spot: OpenSpot
    #: The solution that judges the answer.
    solution: AnySolution
    #: The form of the answer: `MOVE` or `MIXED`.
    form: str = MOVE
    #: `opening`, `middle` or `end`, or empty if unknown.
    phase: str = ""
    #: `easy`, `medium` or `hard` within its game, or empty if unknown.
    level: str = ""

    @cached_property
    def position(self) -> Position:
        """Return the exact analysis of the position."""
        return examine(self.solution, self.spot.state)

    @property
    def options(self) -> tuple[Option, ...]:
        """Return the options of the seat that decides, best first."""
        return self.position.options[self.spot.seat]

    @property
    def best(self) -> tuple[str, ...]:
        """Return the moves that cost nothing."""
        return self.position.costs[self.spot.seat].best

    @property
    def value(self) -> float:
        """Return the value of the position for the seat that decides."""
        return self.position.best(self.spot.seat)

    @property
    def mixes(self) -> bool:
        """Return whether perfect play is a mixed strategy here."""
        return is_mixed(self.options)

    def asked_as(self, form: str) -> Exercise:
        """Return the exercise with this form of answer, `MOVE` or `MIXED`.

        The form stays `MOVE` if perfect play is not a mixed strategy here.

        >>> from number_duels import Seat, load, solve
        >>> from number_duels.trainer.spot import Spot
        >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
        >>> Exercise(spot, solve(spot.game)).asked_as(MIXED).form
        'move'
        """
        form = form if form == MOVE or self.mixes else MOVE
        return self if form == self.form else replace(self, form=form)

    def cost(self, move: str) -> float:
        """Return the cost of a move, from 0 to 2."""
        return self.position.costs[self.spot.seat].moves[move][0]

    @property
    def stake(self) -> float:
        """Return the cost of the worst move."""
        return self.position.costs[self.spot.seat].worst

    @property
    def gap(self) -> float:
        """Return the cost of the smallest mistake, or 0 if no move is a mistake."""
        costs = [cost for cost, _ in self.position.costs[self.spot.seat].moves.values() if cost]
        return min(costs, default=0.0)

    @cached_property
    def temptation(self) -> float:
        """Return how likely a random or greedy player is to go wrong here, from 0 to 1."""
        greedy = greedy_moves(self.spot.game, self.spot.state, self.spot.seat)
        return (self.wrong_share(self.spot.options) + self.wrong_share(greedy)) / 2

    def wrong_share(self, moves: Collection[Hashable]) -> float:
        """Return the share of `moves` that are mistakes, from 0 to 1."""
        return sum(self.cost(str(move)) > TOLERANCE for move in moves) / len(moves)

    @property
    def difficulty(self) -> float:
        """Return the difficulty from 0 to 1. A small gap and high temptation raise it."""
        return ((1 - self.gap / 2) + self.temptation) / 2

    @property
    def prompt(self) -> str:
        """Return the question as one or two sentences."""
        if self.form == MIXED:
            return (
                "How often do you make each choice? Suppose your opponent knows your answer."
                f" Up to {cost(2 * RIGHT_WITHIN)} off still counts as right."
            )
        if self.spot.both_choose:
            return "You both choose at once. What do you choose?"
        return "What do you play?"


#: Higher than any score on a board, so that an immediate win looks best.
WON = 1_000.0
TIE = 1e-9


def greedy_moves(game: Game[S, M, E], state: S, seat: Seat) -> tuple[M, ...]:
    """Return the moves that look best to a player who does not think ahead.

    >>> from number_duels import load
    >>> game = load("number-bid")
    >>> [str(move) for move in greedy_moves(game, game.start(), Seat.ONE)]
    ['10']
    """
    turn = game.turn(state)
    assert isinstance(turn, Decision)
    replies = [{seat.other: move} for move in turn.options.get(seat.other, ())] or [{}]
    looks = {
        move: fsum(
            look(game, game.resolve(state, {seat: move, **reply}), seat) for reply in replies
        )
        for move in turn.options[seat]
    }
    best = max(looks.values())
    return tuple(move for move, found in looks.items() if found > best - TIE)


def look(game: Game[S, M, E], state: S, seat: Seat) -> float:
    """Score a board for a player who does not think ahead. Higher is better for `seat`."""
    turn = game.turn(state)
    if isinstance(turn, Outcome):
        return 0.0 if turn.winner is None else WON if turn.winner is seat else -WON
    return fsum(
        figure(part) * (1 if part.owner == seat else -1)
        for part in game.board(game.view(state, seat))
        if part.owner is not None
    )


def figure(part: Part) -> float:
    if isinstance(part, Meter):
        return part.value
    if isinstance(part, Grid):
        return sum(number is not None for row in part.rows for number in row)
    return 0.0
