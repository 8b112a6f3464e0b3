"""What a puzzle is about, found from its board and its solution; no theme knows a game.

Imported by `make_puzzles.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import product
from math import fsum

from number_duels.core.board import Grid, Meter, Numbers
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat
from number_duels.review.position import TOLERANCE
from number_duels.trainer.exercise import Exercise, figure, greedy_moves, look

#: What looks best is a trap if it costs at least this: 10% of the winning chance.
LEAST_TRAP = 0.2
#: Equal choices matter where they bring at least this much more than others.
LEAST_TIE = 0.5


def themes(exercise: Exercise) -> tuple[str, ...]:
    """What an exercise is about, in the order of `THEMES`."""
    return tuple(theme for theme, fits in THEMES.items() if fits(exercise))


# ---- how many choices are right ------------------------------------------------


def is_only_move(exercise: Exercise) -> bool:
    return len(exercise.best) == 1 < len(exercise.options)


def is_only_mistake(exercise: Exercise) -> bool:
    """Of two choices the other one is the only move, and nothing more is said."""
    return len(exercise.options) - len(exercise.best) == 1 < len(exercise.best)


def is_trap(exercise: Exercise) -> bool:
    return trap(exercise) is not None


def trap(exercise: Exercise) -> str | None:
    """The worst of the moves that look best; None where none of them costs much."""
    spot = exercise.spot
    greedy = map(str, greedy_moves(spot.game, spot.state, spot.seat))
    worst = max(greedy, key=exercise.cost)
    return worst if exercise.cost(worst) >= LEAST_TRAP - TOLERANCE else None


def must_mix(exercise: Exercise) -> bool:
    safe = max(option.guarantee for option in exercise.options)
    return exercise.mixes and safe < exercise.value - TOLERANCE


# ---- what happens on the board -------------------------------------------------


def wins_at_once(exercise: Exercise) -> bool:
    game, seat = exercise.spot.game, exercise.spot.seat
    ends = (list(map(game.turn, followers(exercise, move))) for move in right_moves(exercise))
    return any(all(isinstance(t, Outcome) and t.winner is seat for t in turns) for turns in ends)


def nears_the_last_number(exercise: Exercise) -> bool:
    """One number is left to somebody, now or after a right move."""
    game, state = exercise.spot.game, exercise.spot.state
    after = (then for move in right_moves(exercise) for then in followers(exercise, move))
    return any(
        len(left) == 1 for one in (state, *after) for left in numbers_left(game, one) if left
    )


def numbers_left(game: AnyGame, state: Hashable) -> Iterator[list[int]]:
    for part in game.board(state):
        if isinstance(part, Numbers):
            yield list(part.left)
        elif isinstance(part, Grid):
            yield [n for row in part.rows for n in row if n is not None]


def nears_an_exact_target(exercise: Exercise) -> bool:
    """Somebody may win by a meter that becomes exactly full, this turn or in the next."""
    game, state = exercise.spot.game, exercise.spot.state
    if not any(isinstance(part, Meter) and part.full for part in game.board(state)):
        return False
    return any(fills_a_meter(game, before, after) for before, after in steps(game, state, turns=2))


def fills_a_meter(game: AnyGame, before: Hashable, after: Hashable) -> bool:
    turn = game.turn(after)
    if not isinstance(turn, Outcome) or turn.winner is None:
        return False
    pairs = zip(game.board(before), game.board(after), strict=False)
    return any(
        isinstance(old, Meter)
        and isinstance(new, Meter)
        and new.owner == turn.winner
        and old.value != new.value == new.full
        for old, new in pairs
    )


def steps(game: AnyGame, state: Hashable, turns: int) -> Iterator[tuple[Hashable, Hashable]]:
    """Every step of the next turns: the state before it and after it."""
    turn = game.turn(state)
    if isinstance(turn, Outcome) or not turns:
        return
    if isinstance(turn, Chance):
        after, left = [game.drawn(state, event) for event in turn.odds], turns
    else:
        moves = product(*turn.options.values())
        after = [game.resolve(state, dict(zip(turn.options, some, strict=True))) for some in moves]
        left = turns - 1
    for then in after:
        yield state, then
        yield from steps(game, then, left)


def hunts_a_tie(exercise: Exercise) -> bool:
    """Some right choice brings far more where the other chooses the same."""
    spot, solution = exercise.spot, exercise.solution
    if not spot.both_choose:
        return False
    sign = 1 if spot.seat is Seat.ONE else -1
    for move in right_moves(exercise):
        brought = {
            reply: sign * solution.value(then)
            for reply, then in zip(replies(exercise), followers(exercise, move), strict=True)
        }
        same = brought.pop(move, None)
        if same is not None and brought:
            return same - fsum(brought.values()) / len(brought) >= LEAST_TIE
    return False


def holds_a_draw(exercise: Exercise) -> bool:
    """A draw can be made certain, and wrong moves lose."""
    safe = max(option.guarantee for option in exercise.options)
    return abs(exercise.value) < TOLERANCE and safe > -TOLERANCE and exercise.stake > TOLERANCE


def is_sacrifice(exercise: Exercise) -> bool:
    """Every right move makes the board look worse than it is, and another one better."""
    spot = exercise.spot
    now = look(spot.game, spot.state, spot.seat)
    looks = {
        str(move): mean([look(spot.game, then, spot.seat) for then in followers(exercise, move)])
        for move in spot.options
    }
    return max(looks.values()) > now > max(looks[move] for move in exercise.best)


def is_quiet(exercise: Exercise) -> bool:
    """No right move takes anything from the other side, and a wrong one would."""
    if exercise.spot.both_choose:
        return False
    taking = {str(move) for move in exercise.spot.options if takes(exercise, move)}
    return bool(taking) and taking.isdisjoint(exercise.best)


def takes(exercise: Exercise, move: Hashable) -> bool:
    spot = exercise.spot
    (after,) = followers(exercise, move)
    other = spot.seat.other
    before, then = (
        fsum(figure(part) for part in spot.game.board(state) if part.owner == other)
        for state in (spot.state, after)
    )
    return then < before


# ---- help ----------------------------------------------------------------------


def right_moves(exercise: Exercise) -> list[Hashable]:
    return [move for move in exercise.spot.options if str(move) in exercise.best]


def replies(exercise: Exercise) -> tuple[Hashable, ...]:
    """What the other may choose at the same time; nothing where it waits."""
    turn = exercise.spot.history.turn
    assert isinstance(turn, Decision)
    return turn.options.get(exercise.spot.seat.other, ())


def followers(exercise: Exercise, move: Hashable) -> Iterator[Hashable]:
    """The states that may follow on a move, one for each reply made at the same time."""
    spot = exercise.spot
    together: list[Mapping[Seat, Hashable]] = [
        {spot.seat.other: reply} for reply in replies(exercise)
    ]
    for other in together or [{}]:
        yield spot.game.resolve(spot.state, {spot.seat: move, **other})


def mean(numbers: list[float]) -> float:
    return fsum(numbers) / len(numbers)


#: Every theme, and whether an exercise has it.
THEMES: Mapping[str, Callable[[Exercise], bool]] = {
    "only-move": is_only_move,
    "only-mistake": is_only_mistake,
    "trap": is_trap,
    "must-mix": must_mix,
    "win-at-once": wins_at_once,
    "last-number": nears_the_last_number,
    "exact-target": nears_an_exact_target,
    "tie-hunting": hunts_a_tie,
    "stalemate": holds_a_draw,
    "sacrifice": is_sacrifice,
    "quiet-move": is_quiet,
}
