"""A series of answers to one spot: how far one's frequencies are from perfect play's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log

from number_duels.review.words import cost, percent
from number_duels.trainer.answers import Answer
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.feedback import read_by

#: How sure all intervals of a series are, together.
CONFIDENCE = 0.95
#: How often an interval is halved on the way to a bound.
STEPS = 30


@dataclass(frozen=True)
class MoveShare:
    """How often a move was chosen, within which bounds that tells a habit, and what is perfect.

    >>> MoveShare("9", "9", count=5, share=0.5, low=0.19, high=0.81, perfect=0.25).share
    0.5
    """

    #: In notation.
    move: str
    #: In the words of the question.
    words: str
    #: How often it was chosen.
    count: int
    #: The same from 0 to 1.
    share: float
    #: The least that the habit may be.
    low: float
    #: The most that the habit may be.
    high: float
    #: How often perfect play chooses it.
    perfect: float


@dataclass(frozen=True)
class Series:
    """The shares of all moves, and their distance from perfect play: how much lies elsewhere.

    >>> from number_duels import Seat, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-bid", {"numbers": 3}, None, "", Seat.ONE).open()
    >>> found = series(Exercise(spot, solve(spot.game)), [Answer({"3": 1.0})] * 10)
    >>> found.count, found.distance, found.taken
    (10, 0.0, 0.0)
    """

    #: How many answers there were.
    count: int
    #: Every move, most frequent first.
    moves: tuple[MoveShare, ...]
    #: From 0, the same mixture, to 1, nothing in common.
    distance: float
    #: The least that the distance may be.
    low: float
    #: The most that the distance may be.
    high: float
    #: What somebody who knows these frequencies takes, in values.
    taken: float


def series(exercise: Exercise, answers: Sequence[Answer]) -> Series:
    """What some answers to a spot, each a move, tell of their author's mixture.

    >>> from number_duels import Seat, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("high-low-battle", {}, None, "", Seat.ONE).open()
    >>> found = series(Exercise(spot, solve(spot.game)), [Answer({"9": 1.0})] * 20)
    >>> found.moves[0].move, found.moves[0].share, found.low < found.distance <= found.high
    ('9', 1.0, True)
    """
    count = Counter(answer.move for answer in answers)
    options = {option.move: option for option in exercise.options}
    total = sum(count[move] for move in options)
    if not total:
        raise ValueError("A series needs answers that are moves.")
    shown = sorted(options, key=lambda move: (-count[move], -options[move].probability))
    moves = []
    for move in shown:
        low, high = bounds(count[move], total, len(options))
        share, perfect = count[move] / total, options[move].probability
        moves.append(MoveShare(move, options[move].words, count[move], share, low, high, perfect))
    taken = 0.0
    if exercise.spot.both_choose:
        taken = read_by(exercise, {one.move: one.share for one in moves}).taken
    return Series(total, tuple(moves), distance(moves), *distance_bounds(moves), taken)


def bounds(count: int, total: int, moves: int) -> tuple[float, float]:
    """The exact interval of a share (Clopper and Pearson's), so that those of all moves hold.

    >>> [round(bound, 3) for bound in bounds(8, 10, 1)]
    [0.444, 0.975]
    """
    doubt = (1 - CONFIDENCE) / (2 * moves)
    return lower_bound(count, total, doubt), 1 - lower_bound(total - count, total, doubt)


def lower_bound(count: int, total: int, doubt: float) -> float:
    """The share with which so many, or more, would be counted as rarely as the doubt says."""
    low, high = 0.0, count / total
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if at_least(count, total, middle) < doubt else (low, middle)
    return low


def at_least(count: int, total: int, share: float) -> float:
    """How likely it is to count so many, or more, of what has a share."""
    if not share:
        return float(not count)
    ways = lgamma(total + 1)
    return fsum(
        exp(
            ways
            - lgamma(n + 1)
            - lgamma(total - n + 1)
            + n * log(share)
            + (total - n) * log(1 - share)
        )
        for n in range(count, total + 1)
    )


def distance(moves: Sequence[MoveShare]) -> float:
    return fsum(max(0.0, one.perfect - one.share) for one in moves)


def distance_bounds(moves: Sequence[MoveShare]) -> tuple[float, float]:
    """The least and the greatest distance that the intervals of all shares allow."""
    least = max(
        fsum(max(0.0, one.perfect - one.high) for one in moves),
        fsum(max(0.0, one.low - one.perfect) for one in moves),
    )
    most = min(
        fsum(max(0.0, one.perfect - one.low) for one in moves),
        fsum(max(0.0, one.high - one.perfect) for one in moves),
    )
    return least, min(1.0, most)


def series_sentences(found: Series) -> Iterator[str]:
    """What a series tells, in words."""
    yield (
        f"{found.count} answers: {percent(found.distance)} of your choices lie elsewhere than "
        f"perfect play's ({percent(found.low)} to {percent(found.high)}, "
        f"{CONFIDENCE:.0%} sure)."
    )
    if found.taken:
        taken = f"{cost(found.taken)} of your winning chance"
        yield f"Somebody who knows these frequencies takes {taken}."
