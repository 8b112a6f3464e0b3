"""Random numbers from words of 32 bits: one depends on a game's two words and its turn alone."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

#: How far the streams of a game's turns lie apart.
GAMMA = np.uint32(0x9E3779B9)


def mix(word: jax.Array) -> jax.Array:
    """A number as good as random for every word (a finaliser with a low bias, by C. Wellons)."""
    word = (word ^ (word >> 16)) * np.uint32(0x7FEB352D)
    word = (word ^ (word >> 15)) * np.uint32(0x846CA68B)
    return word ^ (word >> 16)


def pick(word: jax.Array, choices: jax.Array) -> jax.Array:
    """One of fewer than 65,536 choices: the upper half of a product of 64 bits."""
    many = choices.astype(jnp.uint32)
    lower = (word & 0xFFFF) * many >> 16
    return (((word >> 16) * many + lower) >> 16).astype(jnp.int32)


def turn_number(lanes: jax.Array, source: Sequence[jax.Array] | jax.Array) -> jax.Array:
    """The number of a turn in every lane: by two words of a key, and how many turns were played."""
    return mix(mix(lanes + source[0]) + source[2] * GAMMA + source[1])
