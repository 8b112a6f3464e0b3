"""Games between players of known policies: what a decision costs exactly, and many games at once.

A game is laid out as arrays, turn by turn, from the plain rules and the exact solution. Then what
a player loses a decision against an opponent follows by adding up, and thousands of games are
drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from synthetic_models import MODELS

import number_duels as nd
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat
from number_duels.players.builtin import slip
from number_duels.review.position import AnySolution, drop_rounding_error

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
#: The figures of a game from one player's side: loss, worst, decisions, choices.
FIGURES = 4


@dataclass
class Choices:
    """What one seat may choose at the states of a layer, one after the other."""

    starts: list[int] = field(default_factory=lambda: [0])
    perfect: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)

    def add(self, perfect: Sequence[float], losses: Sequence[float]) -> None:
        self.perfect += perfect
        self.losses += losses
        self.starts.append(len(self.perfect))


@dataclass
class Layer:
    """All states after so many steps; who does not decide there has one choice that costs nothing.

    What follows a state is laid out by the choice of chance, then of Player 1, then of Player 2.
    """

    states: list[Hashable] = field(default_factory=list)
    odds: Choices = field(default_factory=Choices)
    seats: tuple[Choices, Choices] = field(default_factory=lambda: (Choices(), Choices()))
    decides: tuple[list[bool], list[bool]] = field(default_factory=lambda: ([], []))
    after: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)


def layers_of(solution: AnySolution) -> list[Layer]:
    """The whole game; a step that ends it leads to -1."""
    game = solution.game
    layers, states = [], [game.start()]
    while states:
        layer, known = Layer(), dict[Hashable, int]()
        following: list[Hashable] = []
        for state in states:
            layer.first.append(len(layer.after))
            for after in lay_out(layer, solution, state):
                key = game.key(after)
                if key not in known:
                    over = isinstance(game.turn(after), Outcome)
                    known[key] = -1 if over else len(following)
                    following += [] if over else [after]
                layer.after.append(known[key])
        layers.append(layer)
        states = following
    return layers


def lay_out(layer: Layer, solution: AnySolution, state: Hashable) -> Iterator[Hashable]:
    """Write down the choices at a state, and give what follows it."""
    game: AnyGame = solution.game
    turn = game.turn(state)
    options = turn.options if isinstance(turn, Decision) else {}
    for seat in Seat:
        layer.decides[seat].append(seat in options)
        if seat not in options:
            layer.seats[seat].add([1.0], [0.0])
            continue
        values = solution.option_values(state, seat)
        losses = [drop_rounding_error(max(values) - value) for value in values]
        layer.seats[seat].add(list(solution.strategy.weights(state, seat)), losses)
    if isinstance(turn, Chance):
        layer.odds.add([float(chance) for chance in turn.odds.values()], [0.0] * len(turn.odds))
        yield from (game.drawn(state, event) for event in turn.odds)
        return
    layer.odds.add([1.0], [0.0])
    seats = sorted(options)
    for moves in product(*(options[seat] for seat in seats)):
        yield game.resolve(state, dict(zip(seats, moves, strict=True)))


# ---- policies --------------------------------------------------------------------

#: From perfect play and the place of each option, how often each is chosen.
Rule: TypeAlias = Callable[[Choices], Floats]


def rule_of(who: str) -> Rule:
    """How a built-in player or a synthetic model chooses."""
    if who in MODELS:
        weigh = MODELS[who]
        return lambda own: np.array(
            [
                share
                for start, end in zip(own.starts, own.starts[1:], strict=False)
                for share in weigh([""] * (end - start))
            ]
        )
    rate = {"random": Fraction(1), "perfect": Fraction(0)}.get(who)
    often = float(slip(int(who.partition(":")[2])) if rate is None else rate)

    def mixed(own: Choices) -> Floats:
        counts = np.diff(own.starts)
        return (1 - often) * np.array(own.perfect) + often * np.repeat(1 / counts, counts)

    return mixed


@dataclass(frozen=True)
class Step:
    """A layer in arrays, with the policies of both seats."""

    starts: tuple[Ints, Ints, Ints]
    shares: tuple[Floats, Floats, Floats]
    after: Ints
    first: Ints
    #: The player's seat: what each choice costs, what the worst would, where it decides.
    losses: Floats
    worst: Floats
    decides: NDArray[np.bool_]


class Pairing:
    """A player against an opponent, in one of the seats."""

    def __init__(self, layers: Sequence[Layer], one: str, two: str, seat: Seat) -> None:
        rules = [rule_of(who) for who in ((one, two) if seat is Seat.ONE else (two, one))]
        self.seat = seat
        self.steps = [self.step(layer, rules) for layer in layers]

    def step(self, layer: Layer, rules: Sequence[Rule]) -> Step:
        own, (one, two) = layer.seats[self.seat], layer.seats
        losses = np.array(own.losses)
        return Step(
            (np.array(layer.odds.starts), np.array(one.starts), np.array(two.starts)),
            (np.array(layer.odds.perfect), rules[0](one), rules[1](two)),
            np.array(layer.after),
            np.array(layer.first),
            losses,
            np.maximum.reduceat(losses, np.array(own.starts[:-1])),
            np.array(layer.decides[self.seat]),
        )

    def exact(self) -> tuple[float, float]:
        """What is lost a game on the average, and how many decisions it has."""
        lost = decisions = 0.0
        reach = np.ones(1)
        for number, step in enumerate(self.steps):
            mine, own = step.shares[1 + self.seat], step.starts[1 + self.seat]
            lost += float(reach @ np.add.reduceat(mine * step.losses, own[:-1]))
            decisions += float(reach @ step.decides)
            size = len(self.steps[number + 1].first) if number + 1 < len(self.steps) else 0
            reach = self.spread(step, reach, size)
        return lost, decisions

    def spread(self, step: Step, reach: Floats, size: int) -> Floats:
        """How likely each state of the next layer is."""
        counts = [np.diff(starts) for starts in step.starts]
        total = counts[0] * counts[1] * counts[2]
        state = np.repeat(np.arange(len(reach)), total)
        place = np.arange(len(state)) - np.repeat(step.first, total)
        two = place % counts[2][state]
        one = place // counts[2][state] % counts[1][state]
        zero = place // (counts[2] * counts[1])[state]
        chance = reach[state]
        for starts, shares, own in zip(step.starts, step.shares, (zero, one, two), strict=True):
            chance = chance * shares[starts[state] + own]
        going = step.after >= 0
        spread: Floats = np.bincount(step.after[going], chance[going], size).astype(np.float64)
        return spread

    def play(self, games: int, rng: np.random.Generator) -> Floats:
        """The figures of some games, a row each."""
        found = np.zeros((games, FIGURES))
        state, alive = np.zeros(games, np.int64), np.arange(games)
        for step in self.steps:
            picked = [
                drawn(starts, shares, state, rng)
                for starts, shares in zip(step.starts, step.shares, strict=True)
            ]
            own, worst = step.starts[1 + self.seat][state], step.worst[state]
            found[alive, 0] += step.losses[own + picked[1 + self.seat]]
            found[alive, 1] += worst
            found[alive, 2] += step.decides[state]
            found[alive, 3] += worst > 0
            counts = [np.diff(starts)[state] for starts in step.starts]
            place = (picked[0] * counts[1] + picked[1]) * counts[2] + picked[2]
            state = step.after[step.first[state] + place]
            going = state >= 0
            state, alive = state[going], alive[going]
        return found


def drawn(starts: Ints, shares: Floats, state: Ints, rng: np.random.Generator) -> Ints:
    """A choice at each state, by its probability."""
    sums = np.concatenate(([0.0], np.cumsum(shares)))
    low, high = sums[starts[state]], sums[starts[state + 1]]
    point = low + (high - low) * rng.random(len(state))
    place = np.searchsorted(sums, point, side="right") - 1
    return np.clip(place, starts[state], starts[state + 1] - 1) - starts[state]


def game_of(name: str, **settings: int | str) -> AnyGame:
    return nd.load(name, **settings)
