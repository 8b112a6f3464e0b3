"""Our environments, rules and solver against those of others, in one run on one machine.

    python benchmarks/environments.py [--rounds 7] [--seconds 0.2] [--one-core]

Everybody takes a turn in every round, for some tenths of a second; what is
printed is the median of the rounds, and its ratio. It uses what is installed of
pgx, OpenSpiel (with cvxpy and ecos for its value iteration) and PettingZoo, and
says in a sentence what is missing. Nothing here uses more than one core but
pgx, which takes all there are; with --one-core, it has one like the others.

- *Batch*: one turn of every game, with what is seen and what is legal, and new
  games for those that ended. The actions are random and legal, chosen before
  the clock runs. pgx also runs inside one compiled loop, and its better figure
  counts.
- *One by one*: the same for a single game at a time, called from Python.
- *Playouts*: whole games by random moves, nothing written down.
- *Rules*: whole games by random moves, by rules that are written in Python.
- *Solvers*: the value of a game from nothing, in a warm process.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import other_environments as other

from number_duels import games, load
from number_duels.adapters.batch import Batch, playouts
from number_duels.core.game import AnyGame, Chance, Decision, Seat

SIZES = (1024, 8192)


@dataclass
class Contestant:
    """Who takes part, whether it is one of us, and what it has shown."""

    label: str
    ours: bool
    work: other.Work
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of its rounds."""
        return statistics.median(self.rates)


def missing(library: str) -> None:
    """Say that a comparison is left out."""
    print(f"{library} is not installed, so it is not compared with.", file=sys.stderr)


# ---- batches ------------------------------------------------------------------------


def our_batch(game: AnyGame, size: int, **options: Any) -> other.Work:
    """One step of the batch."""
    batch, rng = Batch(game, size, 1, **options), np.random.default_rng(1)

    def work() -> tuple[int, float]:
        actions = (batch.masks * rng.random(batch.masks.shape, np.float32)).argmax(axis=2)
        began = perf_counter()
        batch.step(actions)
        return size, perf_counter() - began

    return work


def jax_batch(name: str, size: int) -> other.Work:
    """100 steps of the batch in JAX in one compiled loop, with any legal actions."""
    import jax

    from number_duels.adapters.jax import JaxBatch

    batch = JaxBatch(load(name))
    begun = jax.jit(batch.init, static_argnums=1)(jax.random.key(1), size)
    loop = jax.jit(
        lambda held: jax.lax.scan(lambda now, _: (batch.step(now[0]), None), held, None, 100)[0]
    )
    return other.timed(lambda: [jax.block_until_ready(loop(begun)), 100 * size][1])


def batches(size: int) -> list[Contestant]:
    """Our batch, alone, against perfect play and on all cores; the one in JAX; and pgx's."""
    found = [Contestant(name, True, our_batch(load(name), size)) for name in games()]
    for name in games():
        rival = our_batch(load(name), size, rival=Seat.TWO, policy="perfect")
        found.append(Contestant(f"{name}, perfect rival", True, rival))
    found.append(
        Contestant(
            "number-knot, all cores", True, our_batch(load("number-knot"), size, threads=None)
        )
    )
    try:
        found.append(Contestant("number-knot, JAX", True, jax_batch("number-knot", size)))
    except ModuleNotFoundError:
        missing("JAX")
    try:
        for name in other.PGX:
            found += [Contestant(label, False, work) for label, work in other.pgx_works(name, size)]
    except ModuleNotFoundError:
        missing("pgx")
    return found


# ---- one game at a time, from Python ---------------------------------------------------


def one_by_one() -> list[Contestant]:
    """Our batch, and games that are stepped one at a time."""
    size = SIZES[-1]
    found = [Contestant(f"{n} (batch)", True, our_batch(load(n), size)) for n in games()]
    try:
        found += [
            Contestant(f"OpenSpiel C++ {n}", False, other.spiel_steps(n)) for n in other.SPIEL_CPP
        ]
    except ModuleNotFoundError:
        missing("OpenSpiel")
    for name in other.ZOO:
        try:
            found.append(Contestant(f"PettingZoo {name}", False, other.zoo_steps(name)))
        except ImportError:
            missing(f"What PettingZoo's {name} needs")
    return found


# ---- whole games -------------------------------------------------------------------------


def our_rules(game: AnyGame) -> other.Work:
    """A whole game by the readable rules."""
    rng = random.Random(1)

    def play() -> int:
        state, turns = game.start(), 0
        while True:
            turn = game.turn(state)
            if isinstance(turn, Decision):
                moves = {seat: rng.choice(options) for seat, options in turn.options.items()}
                state, turns = game.resolve(state, moves), turns + 1
            elif isinstance(turn, Chance):
                state = game.drawn(state, rng.choice(list(turn.odds)))
            else:
                return turns

    return other.timed(play)


def rules() -> list[Contestant]:
    """Our readable rules, and others that are written in Python."""
    found = [Contestant(name, True, our_rules(load(name))) for name in games()]
    try:
        found += [
            Contestant(f"OpenSpiel {n}", False, other.spiel_rules(n)) for n in other.SPIEL_PYTHON
        ]
    except ModuleNotFoundError:
        missing("OpenSpiel")
    return found


def our_playouts() -> list[Contestant]:
    """Our playouts; nobody else has any to compare with."""

    def work(game: AnyGame) -> other.Work:
        return other.timed(lambda: playouts(game, 100_000, 1).turns)

    return [Contestant(name, True, work(load(name))) for name in games()]


# ---- the run ---------------------------------------------------------------------------------


def compete(contestants: list[Contestant], rounds: int, seconds: float) -> None:
    """Let everybody work in turn, after once for nothing."""
    for contestant in contestants:
        contestant.work()
    for _ in range(rounds):
        for contestant in contestants:
            count, clock = 0, 0.0
            while clock < seconds:
                done, ran = contestant.work()
                count, clock = count + done, clock + ran
            contestant.rates.append(count / clock)


def table(title: str, contestants: list[Contestant], aim: float) -> None:
    """Print everybody's rate, ours as multiples of the best of the others, and a missed aim."""
    others = [c for c in contestants if not c.ours]
    best = max(others, key=lambda c: c.rate) if others else None
    print(f"\n{title}")
    for c in sorted(contestants, key=lambda c: -c.rate):
        ratio = f"{c.rate / best.rate:9.1f}" if best and c.ours else ""
        print(f"  {c.label:40} {c.rate:15,.0f} steps/s {ratio}")
    bar = aim if best is None else aim * best.rate
    behind = [c.label for c in contestants if c.ours and c.rate < bar]
    if behind:
        print(f"  below {bar:,.0f} steps/s: {', '.join(behind)}")


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--knot", default="python_number_knot")
    parser.add_argument("--bid", default="python_number_bid(numbers=5)")
    parser.add_argument("--one-core", action="store_true")
    asked = parser.parse_args()
    if asked.one_core:  # before any library counts its cores
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    groups = [
        *((f"Batch of {size:,}", batches(size), 1.0) for size in SIZES),
        ("One by one, against our batch", one_by_one(), 1.0),
        ("Playouts", our_playouts(), 100e6),
        ("Rules in Python", rules(), 1.0),
    ]
    for title, contestants, aim in groups:
        compete(contestants, asked.rounds, asked.seconds)
        table(title, contestants, aim)
    print("\nSolvers")
    try:
        for label, ours, theirs, difference in other.solvers(asked.knot, asked.bid):
            print(f"  {label:60} {ours:8.4f} s {theirs:9.3f} s {theirs / ours:9.1f}")
            assert difference < 1e-6, "the values must agree"
    except ImportError as problem:
        missing(f"{problem.name or 'OpenSpiel'}")
    except Exception as problem:  # cvxpy says so when a solver is called for that is not there
        if type(problem).__name__ != "SolverError":
            raise
        missing(f"A solver that OpenSpiel's value iteration calls ({problem})")


if __name__ == "__main__":
    main()
