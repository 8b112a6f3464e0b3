"""The analysis of a position: its value, and what every option is worth."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.core.questions import labels
from number_duels.core.record import Record
from number_duels.review.chances import Chances, chances
from number_duels.solvers import Solution

AnySolution = Solution[Hashable, Hashable, Hashable]

#: Differences below this are rounding errors.
TOLERANCE = 1e-7


@dataclass(frozen=True)
class Option:
    """One option: its value to the seat that plays it, and how often perfect play chooses it.

    >>> Option("S3", value=1.0, probability=1.0, words="subtract 3").move
    'S3'
    """

    #: In notation.
    move: str
    #: What it is worth to the seat that plays it.
    value: float
    #: How often perfect play chooses it.
    probability: float
    #: The least it brings, whatever the other seat replies.
    guarantee: float = -1.0
    #: The move in the words of the question.
    words: str = ""
    #: Of winning, drawing and losing; None where they are not worked out.
    chances: Chances | None = None


class Costs(NamedTuple):
    """What each option of a seat costs against the best one, and in which words it is asked.

    >>> costs = Costs({"S3": (0.0, "subtract 3"), "A3": (1.0, "add 3")}, worst=1.0, best=("S3",))
    >>> costs.moves["A3"]
    (1.0, 'add 3')
    """

    #: What each move costs, and its words.
    moves: Mapping[str, tuple[float, str]]
    #: What the worst one costs.
    worst: float
    #: The moves that cost nothing.
    best: tuple[str, ...]


@dataclass(frozen=True)
class Position:
    """Player 1's expected result, and the options of every seat that decides.

    >>> from number_duels import load, solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> found = examine(solve(game, cache=False), game.start())
    >>> found.value, found.best(Seat.ONE), found.options[Seat.ONE][0].move
    (1.0, 1.0, 'S3')
    """

    #: Player 1's expected result.
    value: float
    #: For every seat that decides, best first.
    options: Mapping[Seat, tuple[Option, ...]]
    #: How it ended; None while it goes on.
    outcome: Outcome | None = None
    #: Player 1's; None where they are not worked out.
    chances: Chances | None = None

    def best(self, seat: Seat) -> float:
        """What a seat's best option is worth to it."""
        return max(option.value for option in self.options[seat])

    @cached_property
    def costs(self) -> Mapping[Seat, Costs]:
        """What each option costs the seats that decide; worked out once, as positions come back."""
        found = {}
        for seat, options in self.options.items():
            top = self.best(seat)
            moves = {o.move: (drop_rounding_error(top - o.value), o.words) for o in options}
            losses = [loss for loss, _ in moves.values()]
            best = tuple(move for move, (loss, _) in moves.items() if not loss)
            found[seat] = Costs(moves, max(losses), best)
        return found


def drop_rounding_error(loss: float) -> float:
    return 0.0 if loss < TOLERANCE else loss


def examine(solution: Solution[S, M, E], state: S) -> Position:
    """The exact value of a position and of every option in it, best first.

    >>> from number_duels import load, solve
    >>> game = load("number-bid", numbers=3)
    >>> found = examine(solve(game, cache=False), game.start())
    >>> [(option.move, option.value) for option in found.options[Seat.ONE]]
    [('3', 0.0), ('1', -1.0), ('2', -1.0)]
    """
    turn = solution.game.turn(state)
    value = snap_to_integer(solution.value(state))
    if isinstance(turn, Outcome):
        return Position(value, {}, turn)
    if not isinstance(turn, Decision):
        return Position(value, {})
    options = {}
    for seat in sorted(turn.options):
        values, odds = solution.values(state, seat), solution.strategy(state, seat)
        guarantees = solution.guarantees(state, seat)
        words = words_of_moves(solution.game, state, seat)
        found = (
            Option(
                str(move),
                snap_to_integer(values[move]),
                snap_to_integer(odds[move]),
                snap_to_integer(guarantees[move]),
                words[move],
            )
            for move in turn.options[seat]
        )
        options[seat] = tuple(sorted(found, key=preference))
    return Position(value, options)


def preference(option: Option) -> tuple[float, float, float]:
    """The order of options: by value, then by how often to play them, then by what is certain."""
    return -round(option.value, 9), -option.probability, -round(option.guarantee, 9)


def examine_with_chances(solution: Solution[S, M, E], state: S) -> Position:
    """Examine a position for a person, with the chances of winning, drawing and losing.

    They are None where they cannot be had. The first of a game can take 100 times as long as
    `examine`, which is why games and drills are graded without them.
    """
    position, whole = examine(solution, state), chances(solution, state)
    turn = solution.game.turn(state)
    if whole is None or not isinstance(turn, Decision):
        return replace(position, chances=whole)
    options = {}
    for seat, all_moves in turn.options.items():
        found = {str(move): chances_of(solution, state, seat, move) for move in all_moves}
        options[seat] = tuple(
            replace(option, chances=found[option.move]) for option in position.options[seat]
        )
    return replace(position, options=options, chances=whole)


def chances_of(solution: Solution[S, M, E], state: S, seat: Seat, move: M) -> Chances | None:
    """The mover's chances if it plays a move, and the other seat chooses by its strategy."""
    game, turn = solution.game, solution.game.turn(state)
    assert isinstance(turn, Decision)
    if seat.other in turn.options:
        replies = solution.strategy(state, seat.other).items()
        after = [
            (odds, game.resolve(state, {seat: move, seat.other: reply}))
            for reply, odds in replies
            if odds
        ]
    else:
        after = [(1.0, game.resolve(state, {seat: move}))]
    found = [(odds, chances(solution, one)) for odds, one in after]
    known = [(odds, one) for odds, one in found if one is not None]
    return Chances.mean(known).seen_by(seat) if len(known) == len(found) else None


def words_of_moves(game: Game[S, M, E], state: S, seat: Seat) -> dict[M, str]:
    """Every option of a seat in the words of its question."""
    return {move: phrase(label) for move, label in labels(game.question(state, seat)).items()}


def phrase(label: str) -> str:
    """What a button says, as it reads within a sentence.

    >>> phrase("Subtract 5"), phrase("Add: 8 + 3 = 11"), phrase("S5")
    ('subtract 5', '8 + 3 = 11', 'S5')
    """
    said = label.partition(": ")[2] or label
    return said[0].lower() + said[1:] if said[1:2].islower() else said


def position_of(game: Game[S, M, E], deal: str | None, moves: str) -> tuple[S, str]:
    """The state after written moves, and the moves as they are written properly.

    A ValueError says which turn cannot be played, or what is wrong with the deal.

    >>> from number_duels import load
    >>> state, moves = position_of(load("number-knot"), None, "s5 a3")
    >>> state.life, moves
    ((10, 8), 'S5 A3')
    """
    if deal is not None:
        Match.from_record(game, Record(game.name, game.settings, deal, 0, moves=moves))
    history = History.read(game, game.start(deal=deal), moves)
    return history.state, str(history)


def snap_to_integer(number: float) -> float:
    """The integer that a number is within 1e-12 of, without the rounding error; else itself."""
    nearest = round(number)
    return float(nearest) if abs(number - nearest) < 1e-12 else number
