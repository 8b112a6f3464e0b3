"""The games on an accelerator: held to the readable rules there, and measured.

    python benchmarks/device.py --commit COMMIT [--check] [--quick]

It needs NumPy and JAX alone; with pgx installed, its tic-tac-toe is measured in the same run. What
it prints belongs into docs/data/device.txt.

- *Copy*: how many bytes a second the device reads and writes when it adds 1 to a large array.
- *Playouts*: random games, several turns a pass, nothing written down.
- *Steps*: random legal turns of a batch; what is seen, what is open and how games end is written.
- *pgx*: 100 steps of its batch in one compiled loop, with the cheapest legal action.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

import jax
import jax.numpy as jnp
import numpy as np

from number_duels import games, load
from number_duels.adapters.jax import Carry, JaxBatch, JaxShown
from number_duels.adapters.jax.playouts import TURNS_A_PASS, runner

STEPS, PASSES, ROUNDS = 100, 64, 5
SIZES = [10**n for n in range(8)]


def seconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one for nothing."""
    jax.block_until_ready(work())
    clocks = []
    for _ in range(ROUNDS):
        began = perf_counter()
        jax.block_until_ready(work())
        clocks.append(perf_counter() - began)
    return statistics.median(clocks)


def copy_bandwidth(words: int) -> float:
    """Bytes read and written a second."""
    many = jnp.arange(words, dtype=jnp.int32)
    loop = jax.jit(lambda array: jax.lax.fori_loop(0, 20, lambda n, held: held + n, array))
    return 20 * 2 * many.nbytes / seconds(lambda: loop(many))


def playout_rate(name: str, count: int) -> float:
    """Turns a second."""
    run = runner(load(name), count, PASSES)
    one, two = jnp.uint32(1), jnp.uint32(2)
    return count * PASSES * TURNS_A_PASS / seconds(lambda: run(one, two))


def step_rate(name: str, count: int) -> tuple[float, int]:
    """Steps a second, and how many bytes a step reads and writes."""
    batch = JaxBatch(load(name))
    begun = jax.jit(batch.init, static_argnums=1)(jax.random.key(1), count)

    def one(held: tuple[Carry, JaxShown], _: None) -> tuple[tuple[Carry, JaxShown], None]:
        return batch.step(held[0]), None

    loop = jax.jit(lambda held: jax.lax.scan(one, held, None, STEPS)[0])
    carry, shown = jax.block_until_ready(loop(begun))
    size = 2 * sum(word.nbytes for word in carry.words) + sum(array.nbytes for array in shown)
    return count * STEPS / seconds(lambda: loop(begun)), size // count


def pgx_rate(count: int) -> float | None:
    """Steps a second of pgx's tic-tac-toe, or nothing without it."""
    try:
        from other_environments import pgx_works
    except ImportError:
        return None
    try:
        works = dict(pgx_works("tic_tac_toe", count))
    except ModuleNotFoundError:
        return None
    (looped,) = (work for label, work in works.items() if "loop" in label)
    looped()
    rates = [done / ran for done, ran in (looped() for _ in range(ROUNDS))]
    return statistics.median(rates)


def check() -> None:
    """Compare random turns of small settings and of whole games with the rules in NumPy."""
    from tests.adapters.jax_in_numpy import SMALL, batch_agrees, env_agrees

    whole: list[tuple[str, dict[str, int | str]]] = [
        ("number-knot", {}),
        ("number-bid", {"numbers": 9}),
    ]
    for name, settings in [*SMALL, *whole]:
        game = load(name, **settings)
        single, batch = env_agrees(game), batch_agrees(game)
        print(f"  {game!r}: {single:,} games one by one, {batch:,} in a batch", flush=True)


def measure(quick: bool) -> None:
    """Print all figures as they come."""
    large = 1 << (12 if quick else 22)
    print(f"Copy: {copy_bandwidth(1 << (20 if quick else 29)) / 1e12:.2f} TB/s", flush=True)
    for name in games():
        playouts = playout_rate(name, large)
        rate, size = step_rate(name, large)
        print(
            f"{name:24} playouts {playouts / 1e9:7.1f}  steps {rate / 1e9:6.1f} billion/s,"
            f" {size} bytes each: {rate * size / 1e12:.2f} TB/s",
            flush=True,
        )
    sizes = SIZES[:4] if quick else SIZES
    batch = {str(size): step_rate("number-knot", size)[0] for size in sizes}
    blocks = {
        str(1 << n): step_rate("number-knot", 1 << n)[0]
        for n in ([10] if quick else range(10, 25, 2))
    }
    print("Number Knot by size:", {size: f"{rate:.3g}" for size, rate in (batch | blocks).items()})
    rates = {str(n): pgx_rate(n) for n in ([64] if quick else (1 << 18, 1 << 20, 1 << 22))}
    print("pgx tic_tac_toe by size:", rates, flush=True)


def main() -> None:
    """Check, measure, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--commit", default="unknown", help="of which tree this is")
    parser.add_argument("--check", action="store_true", help="also compare with the rules")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    asked = parser.parse_args()
    head = {
        "device": jax.devices()[0].device_kind,
        "date": datetime.now(UTC).date().isoformat(),
        "commit": asked.commit,
        "versions": {"jax": jax.__version__, "numpy": np.__version__},
    }
    print(*(f"{key}: {value}" for key, value in head.items()), sep="\n", flush=True)
    if asked.check:
        print("Held to the readable rules:")
        check()
    measure(asked.quick)


if __name__ == "__main__":
    main()
