"""Feedback on answers: their cost, the reasons, and the right answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log

from number_duels.core.game import Seat
from number_duels.core.record import with_names
from number_duels.review.mistakes import Mistake, is_mistake
from number_duels.review.position import (
    TOLERANCE,
    Option,
    Position,
    drop_rounding_error,
    examine_with_chances,
    words_of_moves,
)
from number_duels.review.reasons import is_telling, merit_of, mistake_if, risk_of
from number_duels.review.words import (
    MAX_ADVISED,
    VERB,
    advice,
    capital,
    cost,
    cost_sentence,
    doing,
    line_end,
    line_sentence,
    lowers,
    percent,
    right_sentence,
    strategy_text,
    words_of,
)
from number_duels.review.words import sentences as mistake_words
from number_duels.trainer.exercise import MIXED, RIGHT_WITHIN, Answer, Exercise
from number_duels.trainer.spot import OpenSpot


@dataclass(frozen=True)
class BestReply:
    """The best reply of an opponent who knows the learner's mixed strategy, and what it gains.

    >>> BestReply(taken=0.5, move="9", words="9").taken
    0.5
    """

    taken: float
    move: str
    words: str


@dataclass(frozen=True)
class Feedback:
    """The verdict on an answer, with the reasons and the right answer.

    >>> wrong = "Wrong: it lowers your winning chance from 100% to 50%."
    >>> Feedback(False, 1.0, wrong, (), (), (), ("S3",)).right
    False
    """

    #: Whether the cost is zero or, for a mixed strategy, very small.
    right: bool
    #: The cost compared with the best answer, from 0 to 2: twice the lost winning chance.
    cost: float
    #: The verdict in a few words.
    headline: str
    #: The reasons, and the right answer.
    sentences: tuple[str, ...]
    #: The options that cost nothing, best first.
    good: tuple[Option, ...]
    #: The other options, best first.
    bad: tuple[Option, ...]
    #: The moves that cost nothing.
    best: tuple[str, ...]
    #: The game in notation, including the mistake and the line that punishes it, or None.
    line: str | None = None
    #: A sentence about the position after the line, or empty if the game is over by then.
    line_end: str = ""
    #: The best reply to the mixed strategy, or None if a move was asked for.
    best_reply: BestReply | None = None
    #: Whether the last sentence, and no other, names the right answer.
    answer_is_last: bool = False


def judge(exercise: Exercise, answer: Answer) -> Feedback:
    """Judge an answer to an exercise.

    >>> from number_duels import Seat, solve
    >>> from number_duels.trainer.exercise import read_answer
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
    >>> found = judge(Exercise(spot, solve(spot.game)), read_answer(spot, "A3", "move"))
    >>> found.right, found.headline
    (False, 'Wrong: it lowers your winning chance from 100% to 50%.')
    """
    state, seat = exercise.spot.state, exercise.spot.seat
    position = examine_with_chances(exercise.solution, state)
    best_reply = None
    if exercise.form == MIXED and exercise.spot.both_choose:
        best_reply = best_reply_to(exercise, answer.weights)
        loss = best_reply.taken
        right = loss <= 2 * RIGHT_WITHIN + TOLERANCE
    else:
        loss = fsum(share * exercise.cost(move) for move, share in answer.weights.items())
        right = loss <= (2 * RIGHT_WITHIN if answer.move is None else 0) + TOLERANCE
    odds = {option.move: option.probability for option in exercise.options}
    played = any(odds[move] for move in answer.weights)
    wrong = None
    if answer.move and not right and not best_reply:
        wrong = mistake_of(exercise, answer.move, position)
    return Feedback(
        right,
        loss,
        headline(exercise, loss, best_reply, right=right, played=played),
        tuple(sentences(exercise, position, wrong, best_reply, answer)),
        tuple(option for option in position.options[seat] if option.move in exercise.best),
        tuple(option for option in position.options[seat] if option.move not in exercise.best),
        exercise.best,
        wrong.line.moves if wrong and is_telling(wrong) else None,
        to_learner(line_end(wrong), exercise.spot) if wrong else "",
        best_reply,
        answer_is_last=bool(wrong or (best_reply and not right and exercise.mixes)),
    )


def headline(
    exercise: Exercise, loss: float, best_reply: BestReply | None, *, right: bool, played: bool
) -> str:
    does = "costs nothing" if loss < TOLERANCE else lowers(exercise.value, loss)
    graded = "Right" if right else "Wrong" if is_mistake(loss) else "Inaccurate"
    if best_reply:
        return f"{graded}: it {does} against an opponent who knows it."
    if not right:
        return f"{graded}: it {does}."
    if exercise.mixes and not played:
        return "Right: it costs nothing, though perfect play never chooses it."
    if len(exercise.best) == 1 < len(exercise.options):
        return "Right: nothing else is as good."
    return "Right."


def sentences(
    exercise: Exercise,
    position: Position,
    wrong: Mistake | None,
    best_reply: BestReply | None,
    answer: Answer,
) -> Iterator[str]:
    seat = exercise.spot.seat
    if best_reply and best_reply.taken > TOLERANCE:
        to = "to " if VERB.fullmatch(best_reply.words) else ""
        other = exercise.spot.opponent
        yield f"{capital(other)}'s best reply is {to}{best_reply.words}."
    if wrong:
        yield from mistake_sentences(wrong, exercise)
    elif best_reply and exercise.mixes:
        yield f"Perfect play mixes: {strategy_text(position.options[seat])}."
    else:
        spot, solution = exercise.spot, exercise.solution
        if answer.move and (risk := risk_of(solution, spot.history, seat, position, answer.move)):
            yield to_learner(risk, spot)
        told = list(advice(position, seat, seat, exercise.spot.opponent))
        several = 1 < len(exercise.best) < len(exercise.options) and not exercise.mixes
        yield from told[several:]  # the table lists several good moves, and their result


def mistake_sentences(made: Mistake, exercise: Exercise) -> Iterator[str]:
    """Yield what a mistake costs, a reply that shows it, and the right move."""
    if is_telling(made):
        told = tuple(mistake_words(made))
    else:  # the reply shows little more than the cost, so say what is good about the right move
        told = cost_sentence(made), line_sentence(made, "then"), free_sentence(made, exercise)
    yield from (to_learner(said, exercise.spot) for said in told)


def free_sentence(made: Mistake, exercise: Exercise) -> str:
    if merit := merit_of(exercise.solution, exercise.spot.history, made.seat, made.right[0]):
        return merit
    if all(option.guarantee >= made.before.value - TOLERANCE for option in made.right):
        return f"{capital(doing(words_of(made.right), MAX_ADVISED))} costs nothing."
    return right_sentence(made)


def to_learner(said: str, spot: OpenSpot) -> str:
    return capital(with_names(said, spot.names))


def mistake_of(exercise: Exercise, move: str, position: Position) -> Mistake:
    spot = exercise.spot
    return mistake_if(exercise.solution, spot.history, spot.seat, move, position)


def punishment(exercise: Exercise, move: str) -> str:
    position = examine_with_chances(exercise.solution, exercise.spot.state)
    made = mistake_of(exercise, move, position)
    return to_learner(line_sentence(made, "then"), exercise.spot)


def best_reply_to(exercise: Exercise, weights: Mapping[str, float]) -> BestReply:
    """Return the best reply to a mixed strategy, assuming perfect play afterwards."""
    spot, solution = exercise.spot, exercise.solution
    game, state, seat = spot.game, spot.state, spot.seat
    sign = 1 if seat is Seat.ONE else -1
    mine = [(move, weights[str(move)]) for move in spot.options if weights.get(str(move))]
    odds = solution.strategy(state, seat.other)
    left = {
        reply: fsum(
            share * sign * solution.value(game.resolve(state, {seat: move, seat.other: reply}))
            for move, share in mine
        )
        for reply in odds
    }
    reply = min(left, key=lambda one: (round(left[one], 9), -odds[one]))
    taken = drop_rounding_error(sign * solution.value(state) - left[reply])
    return BestReply(taken, str(reply), words_of_moves(game, state, seat.other)[reply])


CONFIDENCE = 0.95
STEPS = 30


@dataclass(frozen=True)
class MoveShare:
    """How often a move was chosen in a series of answers, compared with perfect play.

    >>> MoveShare("9", "9", count=5, share=0.5, low=0.19, high=0.81, perfect=0.25).share
    0.5
    """

    #: The move in notation.
    move: str
    #: The move in words.
    words: str
    #: The number of answers with this move.
    count: int
    #: The share of the answers with this move, from 0 to 1.
    share: float
    #: The lower bound of the learner's true share.
    low: float
    #: The upper bound of the learner's true share.
    high: float
    #: The probability of this move in perfect play.
    perfect: float


@dataclass(frozen=True)
class Series:
    """How often each move was chosen in a series of answers, and the distance from perfect play.

    >>> from number_duels import Seat, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-bid", {"numbers": 3}, None, "", Seat.ONE).open()
    >>> found = series(Exercise(spot, solve(spot.game)), [Answer({"3": 1.0})] * 10)
    >>> found.count, found.distance, found.taken
    (10, 0.0, 0.0)
    """

    #: The number of answers.
    count: int
    #: Every move, most frequent first.
    moves: tuple[MoveShare, ...]
    #: The distance from perfect play: 0 if the strategies are equal, 1 if they share no move.
    distance: float
    #: The lower bound of the distance.
    low: float
    #: The upper bound of the distance.
    high: float
    #: The value that an opponent who knows these frequencies gains, from 0 to 2.
    taken: float


def series(exercise: Exercise, answers: Sequence[Answer]) -> Series:
    """Estimate a learner's mixed strategy from repeated answers to the same exercise.

    Mixed answers are ignored. Raise ValueError if no answer is a single move.

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
        raise ValueError("A series needs at least one answer that is a single move.")
    shown = sorted(options, key=lambda move: (-count[move], -options[move].probability))
    moves = []
    for move in shown:
        low, high = bounds(count[move], total, len(options))
        share, perfect = count[move] / total, options[move].probability
        moves.append(MoveShare(move, options[move].words, count[move], share, low, high, perfect))
    taken = 0.0
    if exercise.spot.both_choose:
        taken = best_reply_to(exercise, {one.move: one.share for one in moves}).taken
    return Series(total, tuple(moves), distance(moves), *distance_bounds(moves), taken)


def bounds(count: int, total: int, moves: int) -> tuple[float, float]:
    """Return the Clopper-Pearson confidence interval of a share.

    With the probability `CONFIDENCE`, the intervals of all moves are right.

    >>> [round(bound, 3) for bound in bounds(8, 10, 1)]
    [0.444, 0.975]
    """
    doubt = (1 - CONFIDENCE) / (2 * moves)
    return lower_bound(count, total, doubt), 1 - lower_bound(total - count, total, doubt)


def lower_bound(count: int, total: int, doubt: float) -> float:
    low, high = 0.0, count / total
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if at_least(count, total, middle) < doubt else (low, middle)
    return low


def at_least(count: int, total: int, share: float) -> float:
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
    yield (
        f"{percent(found.distance)} of your {found.count} answers differ from perfect play "
        f"({CONFIDENCE:.0%} interval {percent(found.low)} to {percent(found.high)})."
    )
    if found.taken:
        lost = f"your winning chance by {cost(found.taken)}"
        yield f"An opponent who knows these frequencies can lower {lost}."
