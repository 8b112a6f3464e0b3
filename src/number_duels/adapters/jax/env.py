"""A game as an environment of pure functions. Its states have the same fields as in pgx."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import jax
import jax.numpy as jnp

from number_duels.adapters.jax.rules import GAMMA, JaxRules, Words, dealt, mix, played, where
from number_duels.core.game import SomeGame
from number_duels.games import load
from number_duels.machine.rules import ONGOING


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    """A game in progress, with the observation of the seat to move.

    If both seats choose at once, `observation` and `legal_action_mask` have a row per seat, and
    `current_player` is 0.

    >>> state = jax.eval_shape(make("number-bid", numbers=4).init, jax.random.key(7))
    >>> state.legal_action_mask.shape, state.rewards.shape
    ((2, 4), (2,))
    """

    #: The seat that decides, 0 or 1.
    current_player: jax.Array
    #: The numbers that the deciding seat sees.
    observation: jax.Array
    #: Each seat's result if the game ended in this step, else 0.
    rewards: jax.Array
    #: True if the game is over.
    terminated: jax.Array
    #: False unless a wrapper sets it: every game ends by itself.
    truncated: jax.Array
    #: True for each legal action.
    legal_action_mask: jax.Array
    _step_count: jax.Array
    #: The state in the form of the machine rules, and the source of its random numbers.
    words: Words
    stream: tuple[jax.Array, jax.Array]

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)


class Env:
    """An environment of pure functions for one game with its settings.

    >>> env = make("number-bid", numbers=4)
    >>> env.id, env.num_players, env.num_actions, env.observation_shape
    ('number-bid', 2, 4, (5,))
    """

    def __init__(self, game: SomeGame) -> None:
        self.game = game
        self.rules = JaxRules.of(game)
        self.both = self.rules.rules.both

    @property
    def id(self) -> str:
        """Return the name of the game."""
        return self.game.name

    @property
    def num_players(self) -> int:
        """Return the number of players, which is always 2."""
        return 2

    @property
    def num_actions(self) -> int:
        """Return the number of actions, legal or not."""
        return self.rules.packed.actions

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Return the shape of one seat's observation."""
        return (len(self.rules.encoding.low),)

    def init(self, key: jax.Array) -> State:
        """Start a game. The key determines its cards."""
        one, two = jax.random.bits(key, (2,), jnp.uint32)
        return self._opened((one, two))

    def step(self, state: State, actions: jax.Array, key: jax.Array | None = None) -> State:
        """Play one turn. If the game is over, nothing changes and the rewards are 0.

        An illegal action gives its seat a reward of -1 and the other seat 1. If both act illegally,
        both get -1. Wrappers for pgx pass a `key`, which is ignored.
        """
        one, two = jnp.moveaxis(jnp.asarray(actions), -1, 0) if self.both else (actions, actions)
        here = self.rules.split(state.words)
        after, end, faults = played(self.rules, here, jnp.asarray(one), jnp.asarray(two))
        going = ~(state.terminated | state.truncated)
        over = state.terminated | (end != ONGOING) | (faults != 0)
        stream = state.stream[0] + jnp.where(over, 0, GAMMA), state.stream[1]
        after = where(over, after, dealt(self.rules, after, card_number(stream)))
        moved = going & (faults == 0)
        words = where(moved, self.rules.join(after), state.words)
        return self._shown(
            words,
            stream,
            rewards=jnp.where(going[..., None], self._rewards(end, faults), 0.0),
            terminated=over,
            truncated=state.truncated,
            count=state._step_count + going,
        )

    def auto_step(self, state: State, actions: jax.Array) -> State:
        """Play one turn. If this ends the game, replace it with a new one.

        `rewards` and `terminated` then describe the finished game, all other fields the new one.
        """
        played = self.step(replace(state, terminated=jnp.zeros_like(state.terminated)), actions)
        over = played.terminated
        fresh = self._opened((mix(played.stream[0] + GAMMA), played.stream[1]))
        words = where(over, fresh.words, played.words)
        stream = jnp.where(over, fresh.stream[0], played.stream[0]), played.stream[1]
        count = jnp.where(over, 0, played._step_count)
        shown = self._shown(
            words,
            stream,
            rewards=played.rewards,
            terminated=jnp.zeros_like(over),
            truncated=played.truncated,
            count=count,
        )
        return replace(shown, terminated=over)

    def place(self, state: State) -> jax.Array:
        """Return the index of a position in the game's `Tables`. The game must not be over.

        >>> from number_duels.adapters.tables import Tables
        >>> env = make("number-knot", numbers=3, life=3)
        >>> perfect = Tables(env.game)
        >>> place = env.place(env.init(jax.random.key(7)))
        >>> perfect.values[place], perfect.odds[place], perfect.losses[place, 0]
        (np.float64(1.0), array([0., 0., 0., 0., 0., 1.]), np.float64(1.0))
        """
        return self.rules.place(self.rules.split(state.words))

    def _opened(self, stream: tuple[jax.Array, jax.Array]) -> State:
        state = dealt(self.rules, self.rules.begin(stream[0]), card_number(stream))
        words = self.rules.join(state)
        false, zero = jnp.zeros(stream[0].shape, jnp.bool_), jnp.zeros(stream[0].shape, jnp.int32)
        rewards = jnp.zeros((*stream[0].shape, 2), jnp.float32)
        return self._shown(
            words, stream, rewards=rewards, terminated=false, truncated=false, count=zero
        )

    def _rewards(self, end: jax.Array, faults: jax.Array) -> jax.Array:
        result = jnp.where(end == ONGOING, 0, end)
        one = jnp.where(faults == 0, result, jnp.where(faults & 1 != 0, -1, 1))
        two = jnp.where(faults == 0, -result, jnp.where(faults & 2 != 0, -1, 1))
        return jnp.stack((one, two), axis=-1).astype(jnp.float32)

    def _shown(
        self,
        words: Words,
        stream: tuple[jax.Array, jax.Array],
        *,
        rewards: jax.Array,
        terminated: jax.Array,
        truncated: jax.Array,
        count: jax.Array,
    ) -> State:
        # After the game, every action is legal.
        here = self.rules.split(words)
        if self.both:
            seats = jnp.arange(2)
            wide = type(here)(*(n[..., None] for n in here))
            seen, open_ = self.rules.observation(wide, seats), self.rules.mask(wide, seats)
            player, end = jnp.zeros(count.shape, jnp.int32), terminated[..., None, None]
        else:
            player = self.rules.rules.mover(here)
            seen, open_ = self.rules.observation(here, player), self.rules.mask(here, player)
            end = terminated[..., None]
        return State(
            current_player=player,
            observation=seen,
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            legal_action_mask=open_ | end,
            _step_count=count,
            words=words,
            stream=stream,
        )


def card_number(stream: tuple[jax.Array, jax.Array]) -> jax.Array:
    return mix(stream[0] + mix(stream[1]))


def make(name: str, **settings: int | str) -> Env:
    """Return an environment for a game. The arguments are those of `number_duels.load`."""
    return Env(load(name, **settings))
