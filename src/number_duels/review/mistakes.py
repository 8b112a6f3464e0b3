"""Why a move was a mistake: the reply that punishes it, the line that follows, what was right."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from number_duels.core.game import Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.notation import Step, write
from number_duels.review.position import (
    TOLERANCE,
    AnySolution,
    Chances,
    Option,
    Position,
    chances,
    chances_of,
    snap_to_integer,
    words_of_moves,
)
from number_duels.solvers import Solution

#: The least loss of a decisive mistake: a quarter of the way from a win to a loss.
DECISIVE = 0.5

AnyStep = Step[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Grade:
    """One decision: what it cost, what the worst would have cost, what was best.

    >>> grade = Grade(2, Seat.TWO, "A3", value_before=0.0, loss=1.0, worst=1.0, best=("S4",))
    >>> grade.is_decisive
    True
    """

    #: Counted from 1.
    turn: int
    #: Who decided.
    seat: Seat
    #: What was played, in notation.
    move: str
    #: What the position was worth to Player 1.
    value_before: float
    #: What the move cost against the best one.
    loss: float
    #: What the worst one would have cost.
    worst: float
    #: The moves that cost nothing.
    best: tuple[str, ...]
    #: What had been drawn in this turn, in notation.
    drawn: str = ""
    #: The move in the words of its question.
    words: str = ""

    @property
    def is_decisive(self) -> bool:
        """Whether it lost at least a quarter of the way from a win to a loss."""
        return is_decisive(self.loss)


def is_decisive(loss: float) -> bool:
    return loss >= DECISIVE - TOLERANCE


def grade_step(step: AnyStep, turn: int, position: Position, drawn: str) -> list[Grade]:
    grades = []
    for seat, move in step.moves.items():
        text, costs = str(move), position.costs[seat]
        loss, words = costs.moves[text]
        grades.append(
            Grade(turn, seat, text, position.value, loss, costs.worst, costs.best, drawn, words)
        )
    return grades


# ---- why ---------------------------------------------------------------------


#: The most turns of a line after the mistake.
MAX_TURNS = 4
#: A move that is played less often than this is one of several in a mixture.
PURE = 1 - 1e-9


@dataclass(frozen=True)
class Worth:
    """What a player has: its expected result and, where they are known, its chances.

    >>> Worth(0.5, Chances(0.5, 0.5, 0.0)).chances.win
    0.5
    """

    #: From -1 to 1.
    value: float
    #: None where they are not worked out.
    chances: Chances | None


@dataclass(frozen=True)
class Play:
    """What a seat does in a line, in words.

    >>> Play(Seat.TWO, "add 3").words
    'add 3'
    """

    #: Who does it.
    seat: Seat
    #: What is done.
    words: str


@dataclass(frozen=True)
class Turn:
    """One turn of a line: what is drawn first, if anything, and who does what.

    >>> Turn("", (Play(Seat.ONE, "subtract 8"),)).plays[0].words
    'subtract 8'
    """

    #: What is drawn first, in notation; empty: nothing.
    drawn: str
    #: Who does what.
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Line:
    """What follows on a mistake when it is punished, and what it leaves who made it.

    Where both chose at once the first turn is the other seat's answer alone.

    >>> turns = (Turn("", (Play(Seat.ONE, "subtract 8"),)),)
    >>> line = Line(turns, "S5 A3 S8", Worth(-1.0, None), Outcome(Seat.ONE, "Life is gone."))
    >>> line.left.value
    -1.0
    """

    #: What follows, turn by turn.
    turns: tuple[Turn, ...]
    #: The whole game in notation, up to the end of the line.
    moves: str
    #: What is left to who made the mistake.
    left: Worth
    #: How the game ends, if it does within the line.
    outcome: Outcome | None


@dataclass(frozen=True)
class Mistake:
    """A move that lost something: what it turned into what, and how.

    >>> import number_duels as nd
    >>> settings = nd.load("number-knot").settings
    >>> record = nd.Record("number-knot", settings, None, 7, moves="S5 A3 S9")
    >>> (found,) = nd.review(record).mistakes
    >>> found.seat, found.words, found.loss, found.line.moves
    (Seat.TWO, 'add 3', 1.0, 'S5 A3 S8')
    """

    #: Counted from 1.
    turn: int
    #: Who made it.
    seat: Seat
    #: The move in the words of its question.
    words: str
    #: What had been drawn in this turn, in notation.
    drawn: str
    #: What it cost.
    loss: float
    #: What its player had.
    before: Worth
    #: What it had then.
    after: Worth
    #: How it is punished.
    line: Line
    #: What would have been right: the moves that are safe or, if none is, what to mix.
    right: tuple[Option, ...]
    #: What the other seat chose in the same turn; None if it was not asked.
    answer: str | None


def mistake(
    solution: AnySolution, steps: Sequence[AnyStep], grade: Grade, position: Position
) -> Mistake:
    """The mistake of a seat in the last of some steps."""
    step = steps[-1]
    game, seat, move = solution.game, grade.seat, step.moves[grade.seat]
    after = next(o.value for o in position.options[seat] if o.move == str(move))
    before = position.best(seat)
    answer = None
    if seat.other in step.moves:
        answer = words_of_moves(game, step.before, seat.other)[step.moves[seat.other]]
    keeps = chances(solution, step.before)
    return Mistake(
        grade.turn,
        seat,
        grade.words,
        grade.drawn,
        grade.loss,
        Worth(before, keeps and keeps.seen_by(seat)),
        Worth(after, keeps and chances_of(solution, step.before, seat, move)),
        punishing_line(solution, steps, seat, before, with_chances=keeps is not None),
        right(position.options[seat], before),
        answer,
    )


def right(options: tuple[Option, ...], best: float) -> tuple[Option, ...]:
    """The options that keep the value for certain, perfect play's first; else what to mix."""
    safe = [option for option in options if option.guarantee >= best - TOLERANCE]
    found = safe or [option for option in options if option.probability > 0]
    return tuple(sorted(found, key=lambda option: -option.probability))


# ---- the line ------------------------------------------------------------------


def punishing_line(
    solution: AnySolution,
    played: Sequence[AnyStep],
    seat: Seat,
    best: float,
    *,
    with_chances: bool = True,
) -> Line:
    """The reply that takes most, and how perfect play goes on while it leaves no doubt."""
    game, state, turns = solution.game, played[-1].before, list[Turn]()
    moves = dict(played[-1].moves)
    if seat.other in moves:
        moves[seat.other] = hardest_reply(solution, state, seat, moves[seat])
        words = words_of_moves(game, state, seat.other)[moves[seat.other]]
        turns.append(Turn("", (Play(seat.other, words),)))
    steps = [*played[:-1], Step.decided(game, state, moves)]
    most, drawn = len(turns) + MAX_TURNS, ""
    while len(turns) < most:
        # A card is drawn for the reply, and never after it: who knows what comes then?
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
    found = chances(solution, end) if with_chances else None
    value = snap_to_integer(solution.value(end)) * (1, -1)[seat] + 0.0
    return Line(
        tuple(turns),
        write(steps),
        Worth(value, found and found.seen_by(seat)),
        turn if isinstance(turn, Outcome) else None,
    )


def hardest_reply(solution: Solution[S, M, E], state: S, seat: Seat, move: M) -> M:
    """The reply, made at the same time, that leaves a seat least; then the more usual one."""
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
    """What perfect play does next; None where it is over, or chance would decide."""
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, Decision):
        moves = {}
        for one in turn.options:
            move, odds = max(solution.strategy(state, one).items(), key=lambda item: item[1])
            if odds < PURE:
                return None
            moves[one] = move
        return Step.decided(game, state, moves)
    if isinstance(turn, Chance) and may_draw:
        # The card that takes most away, counting how likely it is.
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
