"""Locks by the compiled kernel: as plain recursion says, and at the usual settings."""

from __future__ import annotations

from importlib import import_module

import pytest

import number_duels as nd
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.solvers import solve
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from tests.solvers.plain_locks import AnySolution, compare

CASES = [
    (NumberStackShowdown(target=8, highest=3, copies=2), ["2 never g"]),
    (NumberStackShowdown(target=8, highest=3, copies=2, first=2), ["2 plays k:1 g:3"]),
    (NumberStackShowdown(target=7, highest=4, copies=1, overflow="allowed"), ["1 never k"]),
    (NumberStackShowdown(target=8, highest=3, copies=2), ["1 always g", "2 plays k:1 g:1"]),
    (NumberStackShowdown(target=8, highest=3, copies=2, first=2), ["1 never k at 3k"]),
    (
        NumberStackShowdown(target=8, highest=3, copies=2),
        ["2 never k at 3k", "1 plays k:2 g:1 at 3g 2g 1", "2 always k at 2k"],
    ),
    (
        NumberStackShowdown(target=7, highest=4, copies=1, overflow="allowed"),
        ["1 plays g:1 k:4 at 3k 2g", "1 never k"],
    ),
]


@pytest.mark.parametrize(("game", "texts"), CASES, ids=str)
def test_the_kernel_takes_locks_as_the_rules_do(
    game: NumberStackShowdown, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(Kernel.__module__)
    monkeypatch.setattr(module, "MAX_PLAIN_SIZE", 0)  # so that it also serves where it is slower
    solution: AnySolution = solve(nd.load(game.name, **game.settings), cache=False)
    assert isinstance(solution.tables.method, Kernel)
    compare(solution, texts, 1e-7)
