"""Games in JAX against the same machine rules in NumPy: random turns, some of them illegal.

`tests/machine` holds the rules in NumPy to the readable ones. This needs NumPy and JAX alone, so a
script can call it on a machine with an accelerator.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import numpy as np
import numpy.typing as npt

from number_duels.adapters.jax import Env, JaxBatch
from number_duels.adapters.jax.gpu_kernel import BLOCK
from number_duels.adapters.jax.rules import JaxRules
from number_duels.core.game import AnyGame
from number_duels.machine.rules import ONGOING, State
from tests.machine.observations import observed

Numbers = npt.NDArray[Any]
#: Small settings of every game, each of which JAX compiles for a second.
SMALL: list[tuple[str, dict[str, int | str]]] = [
    ("number-bid", {"numbers": 7}),
    ("high-low-battle", {"cards": 4, "rounds": 2}),
    ("number-knot", {"life": 4, "numbers": 5, "exhausted": "higher-life", "first": 2}),
    ("number-drop", {"side": 2, "first": 2}),
    ("number-stack-showdown", {"target": 12, "highest": 3}),
]


class Expected(NamedTuple):
    """Return the results of a turn: next states, results, and a bit for each seat at fault."""

    state: State
    end: Numbers
    faults: Numbers

    @property
    def over(self) -> Numbers:
        found: Numbers = (self.end != ONGOING) | (self.faults != 0)
        return found


class InNumpy:
    """The rules of a game in JAX, run in NumPy."""

    def __init__(self, rules: JaxRules) -> None:
        self.jax, self.packed, self.both = rules, rules.packed, rules.rules.both
        self.rng = np.random.default_rng(5)

    def state(self, words: tuple[jax.Array, ...]) -> State:
        split = self.jax.split(words)
        return type(split)(*map(np.asarray, split))

    def seats(self, state: State) -> list[Numbers]:
        if self.both:
            return [np.zeros(len(state[0]), np.int32), np.ones(len(state[0]), np.int32)]
        return [self.packed.rules.mover(state)]

    def masks(self, state: State) -> Numbers:
        """Return the open actions: states by seats by actions."""
        rules, settings = self.packed.rules, self.packed.settings
        return np.array(
            [
                [
                    np.broadcast_to(rules.options.open(settings, state, seat, n), len(seat))
                    for n in range(self.packed.actions)
                ]
                for seat in self.seats(state)
            ]
        ).transpose(2, 0, 1)

    def observations(self, state: State) -> Numbers:
        """Return the observations: states by seats by numbers."""
        return np.stack([observed(self.packed, state, seat) for seat in self.seats(state)], 1)

    def some_actions(self, state: State) -> Numbers:
        """Legal actions, and now and then one that may not be: states by seats."""
        masks = self.masks(state)
        actions = np.where(masks, self.rng.random(masks.shape), -1).argmax(axis=2)
        wild = self.rng.integers(-1, self.packed.actions + 1, actions.shape)
        found: Numbers = np.where(self.rng.random(actions.shape) < 0.05, wild, actions)
        return found.astype(np.int32)

    def played(self, state: State, actions: Numbers) -> Expected:
        rules, settings, last = self.packed.rules, self.packed.settings, self.packed.actions - 1
        faults = np.zeros(len(actions), np.int64)
        masks, safe = self.masks(state), np.clip(actions, 0, last)
        for place, seat in enumerate(self.seats(state)):
            inside = actions[:, place] == safe[:, place]
            legal = inside & masks[np.arange(len(actions)), place, safe[:, place]]
            faults += ~legal << seat
        after = rules.play(settings, state, safe[:, 0], safe[:, -1])
        end = np.where(faults == 0, rules.result(settings, after), ONGOING)
        return Expected(after, end, faults)

    def same(self, found: State, expected: State, where: Numbers) -> bool:
        """Whether states are equal somewhere, but for the card that was drawn after a turn."""
        drawn = ("card", "left") if self.packed.rules.cards else ()
        return all(
            (np.broadcast_to(two, one.shape)[where] == one[where]).all()
            for name, one, two in zip(found._fields, found, expected, strict=True)  # type: ignore[attr-defined]
            if name not in drawn
        )


def env_agrees(game: AnyGame, games: int = 300, turns: int = 25) -> int:
    """Step an environment and compare; how many games have ended."""
    env = Env(game)
    rules, step = InNumpy(env.rules), jax.jit(env.step)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), games))
    for _ in range(turns):
        before, was_over = rules.state(state.words), np.asarray(state.terminated)
        actions = rules.some_actions(before)
        expected = rules.played(before, actions)
        state = step(state, actions if env.both else actions[:, 0])
        now, over = rules.state(state.words), np.asarray(state.terminated)
        assert (over == (was_over | expected.over)).all()
        moved = ~was_over & (expected.faults == 0)
        assert rules.same(now, expected.state, moved)
        unmoved = zip(now, before, strict=True)
        assert all((one[~moved] == two[~moved]).all() for one, two in unmoved)
        one = np.where(expected.faults & 1, -1, 1) * (expected.faults != 0)
        two = np.where(expected.faults & 2, -1, 1) * (expected.faults != 0)
        ends = np.where(expected.end == ONGOING, 0, expected.end)
        rewards = np.stack((one + ends, two - ends), axis=1) * ~was_over[:, None]
        assert (np.asarray(state.rewards) == rewards).all()
        seen, masks = rules.observations(now), rules.masks(now) | over[:, None, None]
        shown, opened = np.asarray(state.observation), np.asarray(state.legal_action_mask)
        assert (shown == (seen if env.both else seen[:, 0])).all()
        assert (opened == (masks if env.both else masks[:, 0])).all()
    return int(over.sum())


def batch_agrees(game: AnyGame, kernel: bool | None = None, turns: int = 25) -> int:
    """Step a batch and compare; how many games have ended."""
    batch, ended = JaxBatch(game, kernel), 0
    rules, step = InNumpy(batch.rules), jax.jit(batch.step)
    carry, shown = batch.init(jax.random.key(3), games=BLOCK)
    fresh = rules.packed.rules.begin(rules.packed.settings)
    for _ in range(turns):
        before = rules.state(carry.words)
        actions = rules.some_actions(before)
        expected = rules.played(before, actions)
        carry, shown = step(carry, actions.T if rules.both else actions[:, 0])
        now, over = rules.state(carry.words), expected.over
        assert (np.asarray(shown.done) == over).all()
        assert (np.asarray(shown.faults) == expected.faults).all()
        blamed = np.array([0, -1, 1, 0])[expected.faults]
        results = np.where(expected.end == ONGOING, blamed, expected.end)
        assert (np.asarray(shown.results) == results).all()
        assert rules.same(now, expected.state, ~over)
        assert rules.same(now, fresh, over)
        seen, masks = rules.observations(now), rules.masks(now)
        assert (seen.reshape(BLOCK, -1) == np.asarray(shown.observations).T).all()
        assert (masks.reshape(BLOCK, -1) == np.asarray(shown.masks).T).all()
        ended += int(over.sum())
    return ended
