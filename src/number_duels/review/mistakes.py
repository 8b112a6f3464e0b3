"""Grades of decisions, and explanations of mistakes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from number_duels.core.game import Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.history import CONCEDED
from number_duels.core.notation import Step, write
from number_duels.core.player import AnyMatch
from number_duels.review.position import (
    TOLERANCE,
    AnySolution,
    Chances,
    Option,
    Position,
    chances,
    chances_of,
    forfeit_cost,
    snap_to_integer,
    words_of_moves,
)
from number_duels.solvers import Solution

#: The smallest loss of a mistake: 2% of the winning chance.
LEAST_MISTAKE = 0.04
#: The smallest loss of a blunder: 25% of the winning chance.
LEAST_BLUNDER = 0.5
RARE = 0.05
MISTAKE, INACCURACY, RARE_CHOICE, RIGHT = "mistake", "inaccuracy", "rare", "right"

AnyStep = Step[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Grade:
    """One decision: its cost, the cost of the worst move, and the best moves.

    >>> grade = Grade(2, Seat.TWO, "A3", value_before=0.0, loss=1.0, worst=1.0, best=("S4",))
    >>> grade.is_blunder, grade.kind
    (True, 'mistake')
    """

    #: The number of the turn, from 1.
    turn: int
    #: The seat that decided.
    seat: Seat
    #: The move in notation.
    move: str
    #: The value of the position for Player 1.
    value_before: float
    #: The cost compared with the best move, from 0 to 2.
    loss: float
    #: The cost of the worst move.
    worst: float
    #: The moves that cost nothing.
    best: tuple[str, ...]
    #: The cards drawn in this turn, in notation, or empty.
    drawn: str = ""
    #: The move in words, such as `subtract 3`.
    words: str = ""
    #: The probability with which perfect play chooses the move.
    probability: float = 0.0
    #: Whether only a mixed strategy is perfect here.
    mixed: bool = False
    #: The number of possible moves, and how many of them were not mistakes.
    count: int = 0
    good: int = 0

    @property
    def kind(self) -> str:
        """Return the kind of decision: `mistake`, `inaccuracy` (a smaller loss), `rare` or `right`.

        A rare choice costs nothing, but the perfect mixed strategy seldom makes it.
        """
        if self.loss:
            return MISTAKE if self.is_mistake else INACCURACY
        return RARE_CHOICE if self.mixed and self.probability < RARE else RIGHT

    @property
    def is_mistake(self) -> bool:
        """Return whether the move lost at least 2% of the winning chance."""
        return is_mistake(self.loss)

    @property
    def is_blunder(self) -> bool:
        """Return whether the move lost at least 25% of the winning chance."""
        return is_blunder(self.loss)


def is_mistake(loss: float) -> bool:
    return loss >= LEAST_MISTAKE - TOLERANCE


def is_blunder(loss: float) -> bool:
    return loss >= LEAST_BLUNDER - TOLERANCE


class Concession(NamedTuple):
    """The end of a game that a seat forfeited or resigned.

    >>> Concession(Seat.TWO, cost=1.5, is_forfeit=True).cost
    1.5
    """

    #: The seat that gave up.
    seat: Seat
    #: The value of the position for this seat, plus 1.
    cost: float
    #: Whether the seat forfeited. Otherwise it resigned.
    is_forfeit: bool


def concessions(match: AnyMatch, solution: AnySolution, state: Hashable) -> tuple[Concession, ...]:
    said = CONCEDED.match(match.outcome.reason) if match.outcome and match.conceded else None
    if said is None or match.outcome is None:
        return ()
    is_forfeit = said[2].startswith("forfeits")
    return tuple(
        Concession(seat, forfeit_cost(solution, state, seat), is_forfeit)
        for seat in Seat
        if seat is not match.outcome.winner
    )


def grade_step(step: AnyStep, turn: int, position: Position, drawn: str) -> list[Grade]:
    grades = []
    for seat, move in step.moves.items():
        text, costs, options = str(move), position.costs[seat], position.options[seat]
        loss, words = costs.moves[text]
        often = next(option.probability for option in options if option.move == text)
        safe = any(option.guarantee >= position.best(seat) - TOLERANCE for option in options)
        facts = (position.value, loss, costs.worst, costs.best, drawn, words)
        good = sum(not is_mistake(lost) for lost, _ in costs.moves.values())
        grades.append(Grade(turn, seat, text, *facts, often, not safe, len(options), good))
    return grades


MAX_TURNS = 4
#: A move with a smaller probability belongs to a mixed strategy.
PURE = 1 - 1e-9


@dataclass(frozen=True)
class ExpectedResult:
    """A player's expected result and, if known, the chances of winning, drawing and losing.

    >>> ExpectedResult(0.5, Chances(0.5, 0.5, 0.0)).chances.win
    0.5
    """

    #: The expected result, from -1 to 1.
    value: float
    #: The chances, or None if they were not computed.
    chances: Chances | None


@dataclass(frozen=True)
class Play:
    """One move of a `Turn`, in words.

    >>> Play(Seat.TWO, "add 3").words
    'add 3'
    """

    #: The seat that moves.
    seat: Seat
    #: The move in words.
    words: str


@dataclass(frozen=True)
class Turn:
    """One turn of a `Line`: the cards drawn first, if any, and the moves.

    >>> Turn("", (Play(Seat.ONE, "subtract 8"),)).plays[0].words
    'subtract 8'
    """

    #: The cards drawn first, in notation, or empty.
    drawn: str
    #: The moves, or empty if only cards are drawn.
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Line:
    """The turns that punish a mistake, and the result for the player who made it.

    If both seats chose at once, the first turn has only the other seat's reply.

    >>> turns = (Turn("", (Play(Seat.ONE, "subtract 8"),)),)
    >>> end = Outcome(Seat.ONE, "Life is gone.")
    >>> line = Line(turns, "S5 A3 S8", ExpectedResult(-1.0, None), end)
    >>> line.left.value
    -1.0
    """

    #: The turns that follow the mistake.
    turns: tuple[Turn, ...]
    #: The whole game in notation, up to the end of the line.
    moves: str
    #: The expected result of the player who made the mistake, at the end of the line.
    left: ExpectedResult
    #: The outcome, or None if the game does not end within the line.
    outcome: Outcome | None


@dataclass(frozen=True)
class Mistake:
    """A move that lost at least 2% of the winning chance, with the reason and the right moves.

    >>> import number_duels as nd
    >>> settings = nd.load("number-knot").settings
    >>> record = nd.Record("number-knot", settings, None, 7, moves="S5 A3 S9")
    >>> (found,) = nd.review(record).mistakes
    >>> found.seat, found.words, found.loss, found.line.moves
    (Seat.TWO, 'add 3', 1.0, 'S5 A3 S8')
    """

    #: The number of the turn, from 1.
    turn: int
    #: The seat that made the mistake.
    seat: Seat
    #: The move in words, such as `subtract 3`.
    words: str
    #: The cards drawn in this turn, in notation, or empty.
    drawn: str
    #: The cost, from 0 to 2.
    loss: float
    #: The expected result of the player before the move.
    before: ExpectedResult
    #: The expected result of the player after the move.
    after: ExpectedResult
    #: The line that punishes the mistake.
    line: Line
    #: The safe moves. If no move is safe, the moves of the perfect mixed strategy.
    right: tuple[Option, ...]
    #: The other seat's choice in the same turn, or None if it did not choose.
    answer: str | None
    #: The expected result of the player after that choice, or None.
    answered: ExpectedResult | None


def mistake(
    solution: AnySolution, steps: Sequence[AnyStep], grade: Grade, position: Position
) -> Mistake:
    step = steps[-1]
    game, seat, move = solution.game, grade.seat, step.moves[grade.seat]
    after = next(o.value for o in position.options[seat] if o.move == str(move))
    before = position.best(seat)
    keeps, answer, answered = chances(solution, step.before), None, None
    if seat.other in step.moves:
        answer = words_of_moves(game, step.before, seat.other)[step.moves[seat.other]]
        answered = expected_result(solution, step.after, seat, with_chances=keeps is not None)
    return Mistake(
        grade.turn,
        seat,
        grade.words,
        grade.drawn,
        grade.loss,
        ExpectedResult(before, keeps and keeps.seen_by(seat)),
        ExpectedResult(after, keeps and chances_of(solution, step.before, seat, move)),
        punishing_line(solution, steps, seat, before, with_chances=keeps is not None),
        right(position.options[seat], before),
        answer,
        answered,
    )


def right(options: tuple[Option, ...], best: float) -> tuple[Option, ...]:
    safe = [option for option in options if option.guarantee >= best - TOLERANCE]
    found = safe or [option for option in options if option.probability > 0]
    return tuple(sorted(found, key=lambda option: -option.probability))


def punishing_line(
    solution: AnySolution,
    played: Sequence[AnyStep],
    seat: Seat,
    best: float,
    *,
    with_chances: bool = True,
) -> Line:
    """Return the reply that punishes a mistake most, followed by perfect play."""
    game, state, turns = solution.game, played[-1].before, list[Turn]()
    moves = dict(played[-1].moves)
    if seat.other in moves:
        moves[seat.other] = hardest_reply(solution, state, seat, moves[seat])
        words = words_of_moves(game, state, seat.other)[moves[seat.other]]
        turns.append(Turn("", (Play(seat.other, words),)))
    steps = [*played[:-1], Step.decided(game, state, moves)]
    most, drawn = len(turns) + MAX_TURNS, ""
    while len(turns) < most:
        # A card may be drawn before the reply. Later cards can't be foreseen.
        following = next_step(solution, steps[-1].after, seat, best, may_draw=not turns)
        if following is None:
            break
        steps.append(following)
        if following.moves:
            turns.append(Turn(drawn, plays_of(solution, following)))
            drawn = ""
        else:
            drawn += following.text
    if drawn:
        turns.append(Turn(drawn, ()))
    end = steps[-1].after
    turn = game.turn(end)
    return Line(
        tuple(turns),
        write(steps),
        expected_result(solution, end, seat, with_chances=with_chances),
        turn if isinstance(turn, Outcome) else None,
    )


def expected_result(
    solution: Solution[S, M, E], state: S, seat: Seat, *, with_chances: bool
) -> ExpectedResult:
    found = chances(solution, state) if with_chances else None
    value = snap_to_integer(solution.value(state)) * (1, -1)[seat] + 0.0
    return ExpectedResult(value, found and found.seen_by(seat))


def hardest_reply(solution: Solution[S, M, E], state: S, seat: Seat, move: M) -> M:
    """Return the simultaneous reply to `move` that costs `seat` most. Ties go to the likeliest."""
    odds = solution.strategy(state, seat.other)
    left = {
        reply: (1, -1)[seat]
        * solution.value(solution.game.resolve(state, {seat: move, seat.other: reply}))
        for reply in odds
    }
    return min(odds, key=lambda reply: (round(left[reply], 9), -odds[reply]))


def next_step(
    solution: Solution[S, M, E], state: S, seat: Seat, best: float, *, may_draw: bool
) -> Step[S, M, E] | None:
    """Return the next step of perfect play, or None if it is unknown or the game is over.

    Where perfect play mixes, the step is unknown, unless nothing can change the result any more.
    """
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, Decision):
        moves = {}
        is_decided = len(turn.options) == 2 and abs(solution.value(state)) > 1 - TOLERANCE
        for one in turn.options:
            move, odds = max(solution.strategy(state, one).items(), key=lambda item: item[1])
            if odds < PURE and not is_decided:
                return None
            moves[one] = move
        return Step.decided(game, state, moves)
    if isinstance(turn, Chance) and may_draw:
        sign = (1, -1)[seat]
        event = max(
            turn.odds,
            key=lambda e: turn.odds[e] * (best - sign * solution.value(game.drawn(state, e))),
        )
        return Step.drawn(game, state, event)
    return None


def plays_of(solution: AnySolution, step: AnyStep) -> tuple[Play, ...]:
    words = {seat: words_of_moves(solution.game, step.before, seat) for seat in step.moves}
    return tuple(Play(seat, words[seat][move]) for seat, move in step.moves.items())
