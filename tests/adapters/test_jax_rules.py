"""JAX plays the machine rules: the same turns as in NumPy."""

from __future__ import annotations

from functools import partial

import pytest

from number_duels import load
from tests.core.playing import Settings
from tests.lazy import Lazy

jax_in_numpy, pallas = Lazy("tests.adapters.jax_in_numpy"), Lazy("jax.experimental.pallas")
every_kind_of_game = pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("high-low-battle", {"cards": 3, "rounds": 2}),
        # Each is compiled for seconds.
        pytest.param("number-drop", {"side": 2, "first": 2}, marks=pytest.mark.slow),
        pytest.param("number-stack-showdown", {"target": 12, "highest": 3}, marks=pytest.mark.slow),
    ],
)


@every_kind_of_game
def test_an_environment_plays_as_numpy_does(name: str, settings: Settings) -> None:
    assert jax_in_numpy.env_agrees(load(name, **settings)) > 100


@every_kind_of_game
def test_a_batch_plays_as_numpy_does(name: str, settings: Settings) -> None:
    assert jax_in_numpy.batch_agrees(load(name, **settings)) > 100


def test_one_kernel_a_step_makes_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    call = partial(pallas.pallas_call, interpret=True)  # what a GPU would do, done on the CPU
    monkeypatch.setattr("jax.experimental.pallas.pallas_call", call)
    game = load("number-knot", life=2, numbers=2)
    assert jax_in_numpy.batch_agrees(game, kernel=True, turns=3) > 100
