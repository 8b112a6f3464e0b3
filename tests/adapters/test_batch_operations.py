"""The operations on single numbers in compiled code are those on whole arrays."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from number_duels.machine import operations
from tests.lazy import Lazy

numba, in_code = Lazy("numba"), Lazy("number_duels.adapters.batch.operations")


def test_sets_are_counted_and_listed_alike() -> None:
    assert in_code.CHUNK  # compiled code knows the operations once this is imported
    size, member, sign = operations.size, operations.member, operations.sign

    @numba.njit  # type: ignore[untyped-decorator]
    def listed(bits: int, found: NDArray[np.int64]) -> int:
        for n in range(size(bits)):
            found[n] = member(bits, n, 25)
        result: int = sign(bits - 1000)
        return result

    rng = np.random.default_rng(7)
    for bits in (*range(600), *rng.integers(0, 1 << 25, 300).tolist()):
        found = np.zeros(25, np.int64)
        assert listed(bits, found) == np.sign(bits - 1000)
        places = np.arange(bits.bit_count())
        assert found[: len(places)].tolist() == [n for n in range(25) if bits >> n & 1]
        assert (member(np.full(len(places), bits), places, 25) == found[: len(places)]).all()


def test_cards_are_drawn_alike() -> None:
    assert in_code.CHUNK
    draw = operations.drawn_card

    @numba.njit  # type: ignore[untyped-decorator]
    def drawn(low: int, high: int, ticket: int, cards: int) -> int:
        card: int = draw(low, high, ticket, cards)
        return card

    rng = np.random.default_rng(7)
    for cards, _ in product((1, 2, 7, 8, 13), range(40)):
        counts = rng.integers(0, 9, cards)
        low, high = (
            sum(int(c) << 4 * n for n, c in enumerate(part)) for part in (counts[:7], counts[7:])
        )
        deck = np.repeat(np.arange(1, cards + 1), counts)
        tickets = np.arange(len(deck))
        decks = np.full(len(deck), low), np.full(len(deck), high)
        assert (draw(decks[0], decks[1], tickets, cards) == deck).all()
        assert [drawn(low, high, ticket, cards) for ticket in tickets.tolist()] == deck.tolist()
