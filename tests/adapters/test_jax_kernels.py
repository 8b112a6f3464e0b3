"""The games in JAX are the readable rules: in every position, with every action."""

from __future__ import annotations

import pytest

from number_duels import load
from tests.adapters.jax_everywhere import agree_everywhere
from tests.adapters.test_batch_kernels import LARGE, SMALL
from tests.core.playing import Settings

#: One or two settings of each game for the short run: each is compiled for seconds.
FEW: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 7}),
    ("high-low-battle", {"cards": 4, "rounds": 2}),
    ("number-knot", {"life": 4, "numbers": 5, "exhausted": "higher-life", "first": 2}),
    ("number-drop", {"side": 2, "first": 2}),
    ("number-stack-showdown", {"target": 12, "highest": 3}),
    ("number-stack-showdown", {"target": 9, "highest": 2, "copies": 8, "first": 2}),
]


@pytest.mark.parametrize(("name", "settings"), FEW)
def test_jax_follows_the_rules_of_small_games(name: str, settings: Settings) -> None:
    assert agree_everywhere(load(name, **settings)) > 100


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), [*SMALL, *LARGE])
def test_jax_follows_the_rules_at_many_settings(name: str, settings: Settings) -> None:
    agree_everywhere(load(name, **settings))
