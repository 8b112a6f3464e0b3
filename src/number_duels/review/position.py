"""The analysis of a position: its value, and the value of every option."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import fsum
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.core.questions import labels
from number_duels.core.reachable_states import likely_successors, successors
from number_duels.core.record import Record
from number_duels.solvers import Solution

AnySolution = Solution[Hashable, Hashable, Hashable]

TOLERANCE = 1e-7


@dataclass(frozen=True)
class Option:
    """One option: its value for the seat that plays it, and how often perfect play chooses it.

    >>> Option("S3", value=1.0, probability=1.0, words="subtract 3").move
    'S3'
    """

    #: The move in notation.
    move: str
    #: The value for the seat that plays it, from -1 to 1.
    value: float
    #: The probability with which perfect play chooses it.
    probability: float
    #: The lowest value that the move can have, whatever the other seat chooses.
    guarantee: float = -1.0
    #: The move in words, such as `subtract 3`.
    words: str = ""
    #: The chances of winning, drawing and losing, or None if they were not computed.
    chances: Chances | None = None
    #: Whether it is harder to answer than other moves of the same value.
    hardest: bool = False


class Costs(NamedTuple):
    """The cost of each option of a seat, compared with the best option.

    >>> costs = Costs({"S3": (0.0, "subtract 3"), "A3": (1.0, "add 3")}, worst=1.0, best=("S3",))
    >>> costs.moves["A3"]
    (1.0, 'add 3')
    """

    #: The cost and the words of each move.
    moves: Mapping[str, tuple[float, str]]
    #: The cost of the worst move.
    worst: float
    #: The moves that cost nothing.
    best: tuple[str, ...]


@dataclass(frozen=True)
class Position:
    """An analyzed position: Player 1's expected result, and the options of each seat that decides.

    >>> from number_duels import load, solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> found = examine(solve(game, cache=False), game.start())
    >>> found.value, found.best(Seat.ONE), found.options[Seat.ONE][0].move
    (1.0, 1.0, 'S3')
    """

    #: Player 1's expected result.
    value: float
    #: The options of every seat that decides, best first.
    options: Mapping[Seat, tuple[Option, ...]]
    #: The outcome, or None if the game is not over.
    outcome: Outcome | None = None
    #: Player 1's chances, or None if they were not computed.
    chances: Chances | None = None

    def best(self, seat: Seat) -> float:
        """Return the value of a seat's best option, from that seat's point of view."""
        return max(option.value for option in self.options[seat])

    @cached_property
    def costs(self) -> Mapping[Seat, Costs]:
        """Return the costs of the options, for every seat that decides."""
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


FORFEITED = -1.0


def forfeit_cost(solution: AnySolution, state: Hashable, seat: Seat) -> float:
    """Return the cost of a forfeit or a missing answer: the position's value for `seat`, plus 1."""
    value = solution.value(state)
    return drop_rounding_error((value if seat is Seat.ONE else -value) - FORFEITED)


def examine(solution: Solution[S, M, E], state: S) -> Position:
    """Return the exact value of a position and of every option. The best option comes first.

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
    return -round(option.value, 9), -option.probability, -round(option.guarantee, 9)


def examine_with_chances(solution: Solution[S, M, E], state: S) -> Position:
    """Examine a position, with the chances of each result and the hardest moves.

    Of moves that are equally good, the moves that are hardest to reply to come first.

    This can take 100 times as long as `examine`. Chances are None if they would take too long.
    """
    position, whole = examine(solution, state), chances(solution, state)
    turn = solution.game.turn(state)
    if whole is None or not isinstance(turn, Decision):
        return replace(position, chances=whole)
    options = {}
    for seat, all_moves in turn.options.items():
        found = {str(move): chances_of(solution, state, seat, move) for move in all_moves}
        hardest = set(map(str, solution.hardest(state, seat)))
        known = (
            replace(option, chances=found[option.move], hardest=option.move in hardest)
            for option in position.options[seat]
        )
        options[seat] = tuple(sorted(known, key=lambda o: (preference(o)[:2], not o.hardest)))
    return replace(position, options=options, chances=whole)


def chances_of(solution: Solution[S, M, E], state: S, seat: Seat, move: M) -> Chances | None:
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
    return {move: phrase(label) for move, label in labels(game.question(state, seat)).items()}


def phrase(label: str) -> str:
    """Convert the label of a button to a phrase that fits into a sentence.

    >>> phrase("Subtract 5"), phrase("Add: 8 + 3 = 11"), phrase("S5")
    ('subtract 5', '8 + 3 = 11', 'S5')
    """
    said = label.partition(": ")[2] or label
    return said[0].lower() + said[1:] if said[1:2].islower() else said


def position_of(game: Game[S, M, E], deal: str | None, moves: str) -> tuple[S, str]:
    """Return the state after `moves`, and the moves in standard notation.

    Raise ValueError if a move is not legal or the deal is not valid.

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
    nearest = round(number)
    return float(nearest) if abs(number - nearest) < 1e-12 else number


# A value does not determine the chances: 0 may be a certain draw, or as many wins as losses.


MAX_STATES = 6_000
#: The most undecided states that may follow a position in which both choose at once.
MAX_UNDECIDED_STATES = 5_000
CERTAINTY = 1e-9


@dataclass(frozen=True)
class Chances:
    """The probabilities that a player, usually Player 1, wins, draws and loses.

    >>> Chances(0.5, 0.25, 0.25).seen_by(Seat.TWO)
    Chances(win=0.25, draw=0.25, loss=0.5)
    """

    #: The probability of a win.
    win: float
    #: The probability of a draw.
    draw: float
    #: The probability of a loss.
    loss: float

    @classmethod
    def without_draws(cls, value: float) -> Chances:
        """Return the chances for an expected result of `value` if a draw is impossible."""
        return cls((1 + value) / 2, 0.0, (1 - value) / 2)

    @classmethod
    def mean(cls, parts: Iterable[tuple[float, Chances]]) -> Chances:
        """Return the mean of several chances, weighted by probability."""
        wins, draws, losses = zip(
            *((odds * c.win, odds * c.draw, odds * c.loss) for odds, c in parts), strict=True
        )
        return cls(fsum(wins), fsum(draws), fsum(losses))

    def seen_by(self, seat: Seat) -> Chances:
        """Convert Player 1's chances into the chances of `seat`."""
        return self if seat is Seat.ONE else Chances(self.loss, self.draw, self.win)


WIN, DRAW, LOSS = Chances(1.0, 0.0, 0.0), Chances(0.0, 1.0, 0.0), Chances(0.0, 0.0, 1.0)
RESULTS = {Seat.ONE: WIN, None: DRAW, Seat.TWO: LOSS}


@dataclass
class Memo:
    chances: dict[Hashable, Chances | None] = field(default_factory=dict)
    few: set[Hashable] = field(default_factory=set)


_memos: WeakKeyDictionary[object, Memo] = WeakKeyDictionary()


def chances(solution: Solution[S, M, E], state: S) -> Chances | None:
    """Return Player 1's chances in perfect play, or None if they would take too long to compute.

    >>> from number_duels import load, solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> chances(solve(game, cache=False), game.start())
    Chances(win=1.0, draw=0.0, loss=0.0)
    """
    memo = _memos.setdefault(solution, Memo())
    key = solution.game.key(state)
    if key not in memo.chances:
        memo.chances[key] = at_once(solution, state)
        if memo.chances[key] is None and is_small(solution, state, memo):
            follow(solution, state, memo.chances)
    return memo.chances[key]


def is_small(solution: Solution[S, M, E], start: S, memo: Memo) -> bool:
    """Return whether the strategies in `start` and all later states can be computed quickly."""
    game = solution.game
    turn = game.turn(start)
    if game.key(start) in memo.few or not isinstance(turn, Decision) or len(turn.options) == 1:
        return True
    seen, waiting = {game.key(start)}, [start]
    while waiting:
        state = waiting.pop()
        turn = game.turn(state)
        assert not isinstance(turn, Outcome)
        for after in successors(game, state, turn):
            key = game.key(after)
            if key not in seen and key not in memo.few and at_once(solution, after) is None:
                seen.add(key)
                waiting.append(after)
        if len(seen) > MAX_UNDECIDED_STATES:
            return False
    memo.few |= seen
    return True


def follow(solution: Solution[S, M, E], start: S, known: dict[Hashable, Chances | None]) -> None:
    game = solution.game
    waiting = [start]
    following: dict[Hashable, list[tuple[float, S]]] = {}
    seen = 0
    while waiting:
        state = waiting[-1]
        key = game.key(state)
        if known.get(key) is not None:
            waiting.pop()
            continue
        certain = at_once(solution, state)
        if certain is not None:
            known[key] = certain
            continue
        if key not in following:
            seen += 1
            if seen > MAX_STATES:
                return
            turn = game.turn(state)
            assert not isinstance(turn, Outcome)  # `at_once` handles outcomes
            strategy = partial(solution.strategy, state)
            following[key] = list(likely_successors(game, state, turn, strategy))
        parts = [(odds, after, known.get(game.key(after))) for odds, after in following[key]]
        ahead = [after for _, after, found in parts if found is None]
        if ahead:
            waiting += ahead
            continue
        known[key] = Chances.mean((odds, cast("Chances", found)) for odds, _, found in parts)
        del following[key]


def at_once(solution: Solution[S, M, E], state: S) -> Chances | None:
    """Return the chances if they follow from the value alone, otherwise None."""
    turn = solution.game.turn(state)
    if isinstance(turn, Outcome):
        return RESULTS[turn.winner]
    value = solution.value(state)
    if abs(value) > 1 - CERTAINTY:
        return WIN if value > 0 else LOSS
    return None if solution.game.may_draw(state) else Chances.without_draws(value)
