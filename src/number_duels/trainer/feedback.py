"""The verdict on an answer or a series of answers: its cost, the reason, and the right answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, lgamma, log

from number_duels.core.game import Seat
from number_duels.core.names import OPPONENT, YOU, Names
from number_duels.core.notation import Step
from number_duels.core.record import with_names
from number_duels.review.mistakes import (
    AnyStep,
    Mistake,
    grade_step,
    hardest_reply,
    is_mistake,
    mistake,
)
from number_duels.review.position import (
    TOLERANCE,
    Option,
    Position,
    drop_rounding_error,
    examine_with_chances,
    words_of_moves,
)
from number_duels.review.words import (
    MAX_ADVISED,
    advice,
    capital,
    cost,
    cost_sentence,
    doing,
    line_end,
    line_sentence,
    mixture,
    percent,
    right_sentence,
    sure_result,
    words_of,
)
from number_duels.review.words import sentences as mistake_words
from number_duels.trainer.exercise import MIXTURE, RIGHT_WITHIN, Answer, Exercise

#: A line explains a mistake if it loses at least this many times its cost.
TELLING = 2


@dataclass(frozen=True)
class Reader:
    """The best reply of an opponent who knows a mixed strategy, and its gain.

    >>> Reader(taken=0.5, move="9", words="9").taken
    0.5
    """

    taken: float
    move: str
    words: str


@dataclass(frozen=True)
class Feedback:
    """The verdict on an answer.

    >>> wrong = "Wrong: it costs 50% of your winning chance."
    >>> Feedback(False, 1.0, wrong, (), (), (), ("S3",)).right
    False
    """

    #: Whether the cost is zero or, for a mixed strategy, very small.
    right: bool
    #: The cost compared with the best answer, from 0 to 2. Half of it is winning chance.
    cost: float
    #: The verdict in a few words.
    headline: str
    #: The reasons, and the right answer.
    sentences: tuple[str, ...]
    #: The options that cost nothing, and the others, both best first.
    good: tuple[Option, ...]
    bad: tuple[Option, ...]
    #: The moves that cost nothing.
    best: tuple[str, ...]
    #: The whole game in notation, with the mistake and the line that punishes it, or None.
    line: str | None = None
    #: What the line leaves the learner, in a sentence, or empty if the game ends within it.
    line_end: str = ""
    #: The opponent who knows the mixed strategy, or None if the exercise asks for a move.
    reader: Reader | None = None


def judge(exercise: Exercise, answer: Answer) -> Feedback:
    """Judge an answer.

    >>> from number_duels import Seat, solve
    >>> from number_duels.trainer.exercise import read_answer
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
    >>> found = judge(Exercise(spot, solve(spot.game)), read_answer(spot, "A3", "move"))
    >>> found.right, found.headline
    (False, 'Wrong: it costs 50% of your winning chance.')
    """
    state, seat = exercise.spot.state, exercise.spot.seat
    position = examine_with_chances(exercise.solution, state)
    reader = None
    if exercise.form == MIXTURE and exercise.spot.both_choose:
        reader = read_by(exercise, answer.weights)
        loss = reader.taken
        right = loss <= 2 * RIGHT_WITHIN + TOLERANCE
    else:
        loss = fsum(share * exercise.cost(move) for move, share in answer.weights.items())
        right = loss <= (2 * RIGHT_WITHIN if answer.move is None else 0) + TOLERANCE
    odds = {option.move: option.probability for option in exercise.options}
    played = any(odds[move] for move in answer.weights)
    wrong = None
    if answer.move and not right and not reader:
        wrong = mistake_of(exercise, answer.move, position)
    return Feedback(
        right,
        loss,
        headline(exercise, loss, reader, right=right, played=played),
        tuple(sentences(exercise, position, wrong, reader)),
        tuple(option for option in position.options[seat] if option.move in exercise.best),
        tuple(option for option in position.options[seat] if option.move not in exercise.best),
        exercise.best,
        wrong.line.moves if wrong and is_telling(wrong) else None,
        to_learner(line_end(wrong), seat) if wrong else "",
        reader,
    )


def headline(
    exercise: Exercise, loss: float, reader: Reader | None, *, right: bool, played: bool
) -> str:
    lost = "nothing" if loss < TOLERANCE else f"{cost(loss)} of your winning chance"
    graded = "Right" if right else "Wrong" if is_mistake(loss) else "Inaccurate"
    if reader:
        return f"{graded}: it costs {lost} against an opponent who knows it."
    if not right:
        return f"{graded}: it costs {lost}."
    if exercise.mixes and not played:
        return "Right: it costs nothing, though perfect play never chooses it."
    if len(exercise.best) == 1 < len(exercise.options):
        return "Right: nothing else is as good."
    return "Right."


def sentences(
    exercise: Exercise, position: Position, wrong: Mistake | None, reader: Reader | None
) -> Iterator[str]:
    """Explain why an answer is right or wrong."""
    seat = exercise.spot.seat
    if reader and reader.taken > TOLERANCE:
        yield f"The best reply to it is {reader.words}."
    if wrong:
        yield from mistake_sentences(wrong)
    elif reader and exercise.mixes:
        yield f"Perfect play mixes: {mixture(position.options[seat])}."
    else:
        yield from advice(position, seat, seat)


def mistake_sentences(made: Mistake) -> Iterator[str]:
    """Tell the learner the cost of a mistake, its punishment, and the right move."""
    told = mistake_words(made) if is_telling(made) else (cost_sentence(made), free_sentence(made))
    yield from (to_learner(said, made.seat) for said in told)


def is_telling(made: Mistake) -> bool:
    """Return whether the punishing line explains a mistake.

    It does if it leads to a certain result, or loses at least `TELLING` times the cost.
    """
    left, lost = made.line.left, made.before.value - made.line.left.value
    return bool(sure_result(left)) or lost >= TELLING * made.loss - TOLERANCE


def free_sentence(made: Mistake) -> str:
    """Name the moves that cost nothing or, if no single move does, the right mixed strategy."""
    if all(option.guarantee >= made.before.value - TOLERANCE for option in made.right):
        return f"{capital(doing(words_of(made.right), MAX_ADVISED))} costs nothing."
    return right_sentence(made)


def to_learner(said: str, seat: Seat) -> str:
    """Replace the players' names in a sentence with "you" and "your opponent"."""
    return capital(with_names(said, learner_names(seat)))


def learner_names(seat: Seat) -> Names:
    """Return both players' names for sentences that address the learner in `seat`."""
    return (YOU, OPPONENT) if seat is Seat.ONE else (OPPONENT, YOU)


# ---- moves ---------------------------------------------------------------------


def mistake_of(exercise: Exercise, move: str, position: Position) -> Mistake:
    """Explain the mistake `move`.

    If both choose at once, assume the reply that punishes it most.
    """
    spot, solution = exercise.spot, exercise.solution
    game, state, seat = spot.game, spot.state, spot.seat
    played = next(option for option in spot.options if str(option) == move)
    moves = {seat: played}
    if spot.both_choose:
        moves[seat.other] = hardest_reply(solution, state, seat, played)
    steps = (*spot.history.steps, Step.decided(game, state, moves))
    made = grade_step(steps[-1], spot.history.turn_number, position, drawn_before(spot.history))
    grade = next(one for one in made if one.seat is seat)
    return replace(mistake(solution, steps, grade, position), answered=None)


def punishment(exercise: Exercise, move: str) -> str:
    """Say how a mistake that the learner did not make would be punished."""
    position = examine_with_chances(exercise.solution, exercise.spot.state)
    made = mistake_of(exercise, move, position)
    return to_learner(line_sentence(made, "then"), made.seat)


def drawn_before(steps: Iterable[AnyStep]) -> str:
    """Return the cards drawn in the current turn, in notation."""
    drawn = ""
    for step in steps:
        drawn = "" if step.moves else drawn + step.text
    return drawn


# ---- mixed strategies ----------------------------------------------------------


def read_by(exercise: Exercise, weights: Mapping[str, float]) -> Reader:
    """Return the best reply to a mixed strategy, if both play perfectly afterwards."""
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
    return Reader(taken, str(reply), words_of_moves(game, state, seat.other)[reply])


# ---- series of answers -------------------------------------------------------


#: The confidence of all intervals of a series together.
CONFIDENCE = 0.95
#: The number of bisections to find a bound.
STEPS = 30


@dataclass(frozen=True)
class MoveShare:
    """A move's share of a series of answers, with its interval, and its share in perfect play.

    >>> MoveShare("9", "9", count=5, share=0.5, low=0.19, high=0.81, perfect=0.25).share
    0.5
    """

    #: The move in notation.
    move: str
    #: The move in the words of its question.
    words: str
    #: The number of times it was chosen.
    count: int
    #: The share of the answers, from 0 to 1.
    share: float
    #: The lower bound of the learner's true share.
    low: float
    #: The upper bound of the learner's true share.
    high: float
    #: The probability with which perfect play chooses it.
    perfect: float


@dataclass(frozen=True)
class Series:
    """The shares of all moves in a series of answers, and their distance from perfect play.

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
    #: The distance: 0 for the same mixed strategy, 1 for nothing in common.
    distance: float
    #: The lower bound of the distance.
    low: float
    #: The upper bound of the distance.
    high: float
    #: The value that an opponent who knows these frequencies takes.
    taken: float


def series(exercise: Exercise, answers: Sequence[Answer]) -> Series:
    """Estimate a learner's mixed strategy in a position from answers that are single moves.

    Raise ValueError if there are none.

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
        taken = read_by(exercise, {one.move: one.share for one in moves}).taken
    return Series(total, tuple(moves), distance(moves), *distance_bounds(moves), taken)


def bounds(count: int, total: int, moves: int) -> tuple[float, float]:
    """Return the exact interval of a share (Clopper-Pearson).

    All moves' intervals are right at the same time with the confidence `CONFIDENCE`.

    >>> [round(bound, 3) for bound in bounds(8, 10, 1)]
    [0.444, 0.975]
    """
    doubt = (1 - CONFIDENCE) / (2 * moves)
    return lower_bound(count, total, doubt), 1 - lower_bound(total - count, total, doubt)


def lower_bound(count: int, total: int, doubt: float) -> float:
    """Return the share at which at least `count` hits in `total` have the probability `doubt`."""
    low, high = 0.0, count / total
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if at_least(count, total, middle) < doubt else (low, middle)
    return low


def at_least(count: int, total: int, share: float) -> float:
    """Return the probability of at least `count` hits in `total`, each with chance `share`."""
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
    """Return the least and the greatest distance that the intervals of all shares allow."""
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
        taken = f"{cost(found.taken)} of your winning chance"
        yield f"An opponent who knows these frequencies takes {taken}."
