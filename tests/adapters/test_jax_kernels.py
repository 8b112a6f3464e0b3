"""The games in JAX are the readable rules: in every position, with every action."""

from __future__ import annotations

from functools import partial

import pytest

from number_duels import load
from tests.adapters import test_batch_kernels
from tests.adapters.positions import SMALL
from tests.core.playing import Settings
from tests.lazy import Lazy

jax_everywhere, pallas = Lazy("tests.adapters.jax_everywhere"), Lazy("jax.experimental.pallas")


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_jax_follows_the_rules_of_small_games(name: str, settings: Settings) -> None:
    assert jax_everywhere.agree_everywhere(load(name, **settings)) > 100


@pytest.mark.parametrize(
    ("name", "settings"),
    [*SMALL[:1], *(pytest.param(*game, marks=pytest.mark.slow) for game in SMALL[1:])],
)
def test_a_batch_on_a_device_follows_them_too(name: str, settings: Settings) -> None:
    assert jax_everywhere.batch_agrees_everywhere(load(name, **settings)) > 100


@pytest.mark.parametrize(("name", "settings"), SMALL[2:3])
def test_one_kernel_a_step_makes_the_same_steps(
    name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = partial(pallas.pallas_call, interpret=True)  # what a GPU would do, done on the CPU
    monkeypatch.setattr("jax.experimental.pallas.pallas_call", call)
    assert jax_everywhere.batch_agrees_everywhere(load(name, **settings), kernel=True) > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"), [*test_batch_kernels.SMALL, *test_batch_kernels.LARGE]
)
def test_jax_follows_the_rules_at_many_settings(name: str, settings: Settings) -> None:
    jax_everywhere.agree_everywhere(load(name, **settings))
