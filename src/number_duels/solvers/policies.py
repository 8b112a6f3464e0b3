"""Policies: functions that return a probability for every option."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from math import fsum
from typing import Generic, Protocol, TypeVar

from number_duels.core.game import Decision, E, Game, M, S, Seat, SomeGame, check_seat
from number_duels.core.match import Match
from number_duels.core.text import printable

SUM_TOLERANCE = 1e-6

S_contra = TypeVar("S_contra", bound=Hashable, contravariant=True)


class Policy(Protocol[S_contra, M]):
    """A function that takes a view and a seat, and returns a probability for every option.

    Moves may be given as text. A missing option has the probability 0. The result may depend only
    on the key of the state.

    >>> import number_duels as nd
    >>> game = nd.load("number-knot", numbers=3, life=3)
    >>> def uniform(view, seat):
    ...     options = game.turn(view).options[seat]
    ...     return dict.fromkeys(options, 1 / len(options))
    >>> nd.exploitability(game, uniform) == nd.exploitability(game, "random")
    True
    """

    def __call__(
        self, view: S_contra, seat: Seat, /
    ) -> Mapping[M, float] | Mapping[str, float]: ...


class InvalidPolicy(ValueError):
    """Raised for invalid probabilities. The message shows the view, and `reason` does not."""

    def __init__(self, reason: str, view: object) -> None:
        super().__init__(f"{reason.removesuffix('.')} (the view is {printable(repr(view), 200)}).")
        self.reason = reason


class ErringPolicy(Generic[S, M, E]):
    """A policy that plays perfectly, except for a known share of random moves."""

    def error_rate_in(self, game: SomeGame) -> float | None:
        """Return the share of random moves, or None if the policy is for another game."""
        raise NotImplementedError

    def weights(self, state: S, seat: Seat) -> Sequence[float]:
        """Return the probabilities in the order of the options."""
        raise NotImplementedError


@dataclass(frozen=True)
class UniformPolicy(ErringPolicy[S, M, E]):
    """The policy of the player `random`: all options are equally likely."""

    game: Game[S, M, E]

    def error_rate_in(self, game: SomeGame) -> float | None:
        return 1.0 if same(self.game, game) else None

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        options = decision_of(self.game, state, seat).options[seat]
        return dict.fromkeys(options, 1 / len(options))

    def weights(self, state: S, seat: Seat) -> Sequence[float]:
        return list(self(state, seat).values())


def check_state(state: object) -> None:
    if isinstance(state, Match):
        raise ValueError("Pass match.state, not the match itself.")


def seat_of(game: Game[S, M, E], state: S, seat: Seat | None) -> Seat:
    """Return `seat`. If it is None, return the only seat that decides.

    Raise ValueError if both seats decide, or neither.
    """
    if seat is not None:
        return seat
    check_state(state)
    turn = game.turn(state)
    deciding = list(turn.options) if isinstance(turn, Decision) else []
    if len(deciding) != 1:
        who = "Both players decide" if deciding else "Nobody decides"
        raise ValueError(f"{who} here; pass a state and a seat, Seat.ONE or Seat.TWO.")
    return deciding[0]


def decision_of(game: Game[S, M, E], state: S, seat: Seat) -> Decision[M]:
    check_seat(seat)
    check_state(state)
    turn = game.turn(state)
    if not isinstance(turn, Decision) or seat not in turn.options:
        raise ValueError(f"{seat} has no decision to make here.")
    return turn


def known_error_rate(game: Game[S, M, E], policy: Policy[S, M]) -> float | None:
    return policy.error_rate_in(game) if isinstance(policy, ErringPolicy) else None


def probabilities(
    game: Game[S, M, E], policy: Policy[S, M], view: S, seat: Seat, options: Sequence[M]
) -> dict[M, float]:
    """Return the probability that a policy gives each option, in the order of the options.

    Raise ValueError if the policy returns invalid probabilities.

    >>> from number_duels import load
    >>> game = load("number-bid", numbers=2)
    >>> low, high = game.turn(game.start()).options[Seat.ONE]
    >>> probabilities(game, lambda view, seat: {"1": 1}, game.start(), Seat.ONE, (low, high))
    {Bid(number=1): 1.0, Bid(number=2): 0.0}
    """
    return dict(zip(options, weights(game, policy, view, seat, options), strict=True))


def weights(
    game: Game[S, M, E], policy: Policy[S, M], view: S, seat: Seat, options: Sequence[M]
) -> Sequence[float]:
    # This is called very often, and the package's own policies need no check.
    if isinstance(policy, ErringPolicy) and policy.error_rate_in(game) is not None:
        if isinstance(policy, UniformPolicy):
            return [1 / len(options)] * len(options)
        return policy.weights(view, seat)
    given = ask(policy, view, seat)
    try:
        return checked(game, given, seat, options)
    except ValueError as error:
        raise InvalidPolicy(str(error), view) from None


def checked(
    game: Game[S, M, E], given: object, seat: Seat, options: Sequence[M]
) -> Sequence[float]:
    if not isinstance(given, Mapping):
        raise ValueError(
            f"The policy returned {given!r:.60} for {seat}; it must return a probability "
            f"for every move, such as {{{str(options[0])!r}: 1.0}}."
        )
    found: dict[M, float] = dict.fromkeys(options, 0.0)
    for key, chance in given.items():
        move = key if key in found else named(game, key)
        if move not in found:
            raise ValueError(
                f"The policy gives a probability to {key}, which {seat} may not play; "
                f"the legal moves are {', '.join(map(str, options))}."
            )
        found[move] += chance if type(chance) is float and chance >= 0 else number(key, chance)
    total = fsum(found.values())
    if not abs(total - 1) <= SUM_TOLERANCE:
        raise ValueError(
            f"The policy's probabilities for {seat} add up to {total:g}; they must add up to 1."
        )
    return list(found.values())


def same(one: SomeGame, other: SomeGame) -> bool:
    return one is other or one == other  # comparing settings is slow


def ask(policy: Policy[S, M], view: S, seat: Seat) -> object:
    try:
        return policy(view, seat)
    except TypeError as error:
        try:
            signature(policy).bind(view, seat)
        except TypeError:
            raise ValueError(
                "A policy must be a function with two arguments, the view and the seat."
            ) from None
        error.add_note(
            "A function with two arguments is a policy, so it is called with a view and a seat."
        )
        raise


def named(game: Game[S, M, E], key: object) -> M | None:
    try:
        return game.parse(str(key)) if isinstance(key, str | int) else None
    except ValueError:
        return None


def number(key: object, chance: object) -> float:
    try:
        found = float(chance)  # type: ignore[arg-type]  # anything else is rejected below
    except (TypeError, ValueError):
        found = float("nan")
    if not found >= 0:
        kind = "a negative probability" if found < 0 else f"the probability {chance!r:.40}"
        raise ValueError(f"The policy gives {key} {kind}; probabilities must be 0 or more.")
    return found
