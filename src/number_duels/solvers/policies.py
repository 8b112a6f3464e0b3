"""Ways to play, as probabilities: uniform, perfect, and perfect play that slips."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Generic, TypeAlias

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.solvers.solution import Solution

#: The probability of every option of a seat in a state; it may depend on the key alone.
Policy: TypeAlias = Callable[[S, Seat], Mapping[M, float]]

#: How far a policy's probabilities may be from a sum of 1.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Uniform(Generic[S, M, E]):
    """The policy of `random`: every option is as likely as any other."""

    game: Game[S, M, E]

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        """The same probability for every option."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        options = turn.options[seat]
        return dict.fromkeys(options, 1 / len(options))


@dataclass(frozen=True)
class Slipping(Generic[S, M]):
    """A policy that plays any option now and then: `slip` says how often."""

    perfect: Policy[S, M]
    slip: float

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        """The policy, mixed with a little of every option."""
        odds = self.perfect(state, seat)
        spread = self.slip / len(odds)
        return {move: (1 - self.slip) * chance + spread for move, chance in odds.items()}


def known_slip(
    game: Game[S, M, E], policy: Policy[S, M]
) -> tuple[float, Solution[S, M, E] | None] | None:
    """How often a policy slips from perfect play, and whose; None: it is another kind of policy."""
    if isinstance(policy, Uniform):
        return (1.0, None) if policy.game == game else None
    slip, perfect = (policy.slip, policy.perfect) if isinstance(policy, Slipping) else (0.0, policy)
    solution = getattr(perfect, "__self__", None)
    if not isinstance(solution, Solution) or perfect != solution.strategy:
        return None
    return (slip, solution) if solution.game == game else None


def checked(policy: Policy[S, M], view: S, seat: Seat, options: Sequence[M]) -> tuple[float, ...]:
    """A policy's probabilities in the order of the options; a ValueError if they are none."""
    odds = policy(view, seat)
    given = [odds.get(move) for move in options]
    if len(odds) != len(options) - given.count(None):
        extra = next(move for move in odds if move not in options)
        raise ValueError(
            f"The policy gives a probability to {extra}, which {seat} may not play; "
            f"its options are {', '.join(map(str, options))}."
        )
    found = tuple(float(chance or 0.0) for chance in given)
    if not all(chance >= 0 for chance in found):
        raise ValueError(f"The policy gives {seat} a negative probability; it must be 0 or more.")
    if not abs(fsum(found) - 1) <= ROUNDING:
        raise ValueError(
            f"The policy's probabilities for {seat} add up to {fsum(found):g}; "
            "they must add up to 1."
        )
    return found
