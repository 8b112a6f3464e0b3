"""An exercise: a spot with its solution, and the form in which its answer is wanted."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum

from number_duels.core.board import Grid, Meter, Part
from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.text import listed, printable
from number_duels.review.position import TOLERANCE, AnySolution, Option, Position, examine
from number_duels.review.words import cost, is_mixed
from number_duels.trainer.spot import OpenSpot

# ---- what is answered ----------------------------------------------------------
MOVE, MIXTURE = FORMS = ("move", "mixture")
WEIGHT = re.compile(r"\d{1,9}(\.\d{1,9})?%?")


@dataclass(frozen=True)
class Answer:
    """How often each move is chosen, by its notation; a single move is chosen always.

    >>> Answer({"6": 0.5, "8": 0.5}).text, Answer({"10": 1.0}).text
    ('6:50 8:50', '10')
    """

    #: How often each move is chosen; the sum is 1.
    weights: Mapping[str, float]

    @property
    def move(self) -> str | None:
        """The move that is chosen always; None for a mixture."""
        return next(iter(self.weights)) if len(self.weights) == 1 else None

    @property
    def text(self) -> str:
        """The answer as it is typed."""
        return self.move or " ".join(f"{m}:{100 * w:.3g}" for m, w in self.weights.items())


def read_answer(spot: OpenSpot, text: str, form: str) -> Answer:
    """An answer as it was typed; a ValueError says what would have been right.

    >>> from number_duels.core.game import Seat
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-bid", {"numbers": 10}, None, "", Seat.ONE).open()
    >>> read_answer(spot, "9:1, 10:3", "mixture").weights
    {'9': 0.25, '10': 0.75}
    """
    if form == MIXTURE and ":" in text:
        return Answer(read_mixture(spot, text))
    return Answer({str(read_move(spot, text)): 1.0})


def read_move(spot: OpenSpot, text: str) -> Hashable:
    move = spot.game.parse(text)
    if move not in spot.options:
        raise ValueError(f"{move} is not available; choose {listed(list(map(str, spot.options)))}.")
    return move


def read_mixture(spot: OpenSpot, text: str) -> dict[str, float]:
    """The shares of a mixture, in the order of the options; weights need not add up to 100."""
    found: dict[Hashable, float] = {}
    for part in re.sub(r"\s*:\s*", ":", text).replace(",", " ").split():
        named, _, weight = part.rpartition(":")
        if not WEIGHT.fullmatch(weight) or not named:
            example = " ".join(f"{move}:50" for move in spot.options[:2])
            raise ValueError(
                f"{printable(part)!r} is no part of a mixture; write each choice with how often: "
                f"{example}."
            )
        move = read_move(spot, named)
        if move in found:
            raise ValueError(f"{move} is there twice; name each choice once.")
        found[move] = float(weight.rstrip("%"))
    total = math.fsum(found.values())
    if not total:
        raise ValueError("All of it is nothing; give at least one choice a weight.")
    return {str(move): found[move] / total for move in spot.options if found.get(move)}


# ---- what is asked -------------------------------------------------------------


#: A mixture is right if somebody who knows it takes no more than this winning chance.
RIGHT_WITHIN = 0.01


@dataclass(frozen=True)
class Exercise:
    """What is asked of a learner.

    >>> from number_duels import Seat, load, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
    >>> exercise = Exercise(spot, solve(spot.game))
    >>> exercise.best, exercise.stake
    (('S3',), 2.0)
    """

    #: Where it is asked.
    spot: OpenSpot
    #: What judges the answer.
    solution: AnySolution
    #: How it is answered: `move` or `mixture`.
    form: str = MOVE
    #: The part of the game that it was taken from: opening, middle, end; empty where unknown.
    phase: str = ""
    #: `easy`, `medium` or `hard` among what its game asks; empty where nobody compared.
    level: str = ""

    @cached_property
    def position(self) -> Position:
        """The exact analysis of the spot."""
        return examine(self.solution, self.spot.state)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the seat that decides, best first."""
        return self.position.options[self.spot.seat]

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that cost nothing."""
        return self.position.costs[self.spot.seat].best

    @property
    def value(self) -> float:
        """The value of the position to the seat that decides."""
        return self.position.best(self.spot.seat)

    @property
    def mixes(self) -> bool:
        """Whether perfect play chooses by chance here."""
        return is_mixed(self.options)

    def cost(self, move: str) -> float:
        """What a move costs against the best one."""
        return self.position.costs[self.spot.seat].moves[move][0]

    # ---- how much there is to learn --------------------------------------------

    @property
    def stake(self) -> float:
        """What the worst move costs."""
        return self.position.costs[self.spot.seat].worst

    @property
    def gap(self) -> float:
        """What the least of all mistakes costs; 0 where no move is one."""
        costs = [cost for cost, _ in self.position.costs[self.spot.seat].moves.values() if cost]
        return min(costs, default=0.0)

    @cached_property
    def temptation(self) -> float:
        """How often any move (a slip of `level:1`) and greedy play go wrong, on the average."""
        greedy = greedy_moves(self.spot.game, self.spot.state, self.spot.seat)
        return (self.wrong_share(self.spot.options) + self.wrong_share(greedy)) / 2

    def wrong_share(self, moves: Collection[Hashable]) -> float:
        """How many of some moves cost something, from 0 to 1."""
        return sum(self.cost(str(move)) > TOLERANCE for move in moves) / len(moves)

    @property
    def difficulty(self) -> float:
        """From 0 to 1: the smaller the gap and the more tempting the mistakes, the harder."""
        return ((1 - self.gap / 2) + self.temptation) / 2

    # ---- what is asked ---------------------------------------------------------

    @property
    def prompt(self) -> str:
        """What is asked, in a sentence or two."""
        if self.form == MIXTURE:
            return (
                "How often do you choose what? It is right if somebody who knows your answer "
                f"takes at most {cost(2 * RIGHT_WITHIN)} of your winning chance."
            )
        if self.spot.both_choose:
            return "You both choose at once. What do you choose?"
        return "What do you play?"


# ---- what looks best at first sight ------------------------------------------


#: More than any board can show: winning at once looks best.
WON = 1_000.0
TIE = 1e-9


def greedy_moves(game: Game[S, M, E], state: S, seat: Seat) -> tuple[M, ...]:
    """The moves after which the board looks best, whatever the other chooses at the same time.

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
    """How good a board looks to a seat that does not think ahead."""
    turn = game.turn(state)
    if isinstance(turn, Outcome):
        return 0.0 if turn.winner is None else WON if turn.winner is seat else -WON
    return fsum(
        figure(part) * (1 if part.owner == seat else -1)
        for part in game.board(game.view(state, seat))
        if part.owner is not None
    )


def figure(part: Part) -> float:
    """What a part shows that more of seems better: points, life, numbers left in a grid."""
    if isinstance(part, Meter):
        return part.value
    if isinstance(part, Grid):
        return sum(number is not None for row in part.rows for number in row)
    return 0.0
