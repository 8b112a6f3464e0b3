"""Play a step of a batch in one GPU kernel, which reads and writes each array once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
from jax.experimental import pallas

from number_duels.adapters.jax.rules import JaxRules, Words, turn, turn_number

BLOCK = 1024
#: Memory that a kernel reads and writes. Pallas has no type for it.
Ref: TypeAlias = Any


def step_in_one_kernel(
    rules: JaxRules, words: Words, source: jax.Array, given: Sequence[jax.Array]
) -> tuple[Words, Sequence[jax.Array]]:
    """Play one turn. The number of games must be a multiple of `BLOCK`."""
    tables = rules.tables
    outputs = output_shapes(rules, words[0].shape[0])
    first_words = 1 + len(tables)
    first_output = first_words + len(words) + len(given)

    def kernel(*refs: Ref) -> None:
        here = rules.with_tables(refs[1:first_words])
        read = [ref[:] for ref in refs[first_words:first_output]]
        first = pallas.program_id(0).astype(jnp.uint32) * BLOCK
        lanes = first + jnp.arange(BLOCK, dtype=jnp.uint32)
        number = turn_number(lanes, [refs[0][n] for n in range(3)])
        after, planes = turn(here, tuple(read[: len(words)]), number, read[len(words) :])
        parts: list[jax.Array | Sequence[jax.Array]] = [*after, *planes]
        for ref, part in zip(refs[first_output:], parts, strict=True):
            write(ref, part)

    key = jnp.append(source, jnp.uint32(0))  # Pallas needs sizes that are powers of two
    inputs = [key, *map(jnp.asarray, tables), *words, *given]
    found = pallas.pallas_call(
        kernel,
        grid=(words[0].shape[0] // BLOCK,),
        in_specs=[
            block(array.shape) if place >= first_words else whole(array.shape)
            for place, array in enumerate(inputs)
        ],
        out_specs=[block(output.shape) for output in outputs],
        out_shape=outputs,
    )(*inputs)
    return tuple(found[: len(words)]), found[len(words) :]


def output_shapes(rules: JaxRules, games: int) -> list[jax.ShapeDtypeStruct]:
    seats = 2 if rules.rules.both else 1
    seen, actions = seats * len(rules.encoding.low), seats * rules.packed.actions
    kinds = [
        *[((games,), jnp.uint32)] * rules.packing.words,
        ((seen, games), rules.dtype),
        ((actions, games), jnp.bool_),
        ((games,), jnp.int8),
        ((games,), jnp.bool_),
        ((games,), jnp.int8),
    ]
    return [
        jax.ShapeDtypeStruct(shape, kind)  # type: ignore[no-untyped-call]  # it has no types
        for shape, kind in kinds
    ]


def block(shape: tuple[int, ...]) -> pallas.BlockSpec:
    """Return a Pallas spec that splits the last axis of an array into blocks of `BLOCK` games."""
    before = shape[:-1]
    return pallas.BlockSpec((*before, BLOCK), lambda n: (*(0 for _ in before), n))


def whole(shape: tuple[int, ...]) -> pallas.BlockSpec:
    return pallas.BlockSpec(shape, lambda _: tuple(0 for _ in shape))


def write(ref: Ref, part: jax.Array | Sequence[jax.Array]) -> None:
    if isinstance(part, list):
        for place, plane in enumerate(part):
            ref[place, :] = plane
    else:
        ref[:] = part
