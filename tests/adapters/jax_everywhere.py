"""The games in JAX against the readable rules: every position with every action.

It needs NumPy and JAX alone, so that a script can call it on a machine with an accelerator.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.jax import Env, State
from number_duels.core.game import AnyGame, Chance
from tests.adapters.positions import Numbers, Positions, Turns


def agree_everywhere(game: AnyGame) -> int:
    """Compare what JAX and the readable rules make of every position; how many turns that was."""
    env = Env(game)
    positions = Positions(game, env.rules.packed)
    compare_beginning(env, positions)
    step = jax.jit(env.step)
    count = 0
    for turns in positions.legal_turns():
        compare_turns(env, positions, turns, step(*put(env, positions, turns.where, turns.actions)))
        count += len(turns.where)
    return count + compare_faults(env, positions)


def put(
    env: Env, positions: Positions, where: Numbers, actions: Numbers
) -> tuple[State, jax.Array]:
    """Games at some positions, each with its place as its stream, and the actions for them."""
    rows = jnp.asarray(positions.rows[where], jnp.int32)
    kind = type(env.rules.rules.begin(env.rules.settings))
    streams = jnp.asarray(where, jnp.uint32), jnp.full(len(where), 7, jnp.uint32)
    fresh: State = jax.tree.map(
        lambda array: jnp.broadcast_to(array, (len(where), *array.shape)),
        env.init(jax.random.key(1)),
    )
    state = fresh.replace(words=env.rules.join(kind(*rows.T)), stream=streams)
    return state, jnp.asarray(actions if env.both else actions[:, 0], jnp.int32)


def compare_beginning(env: Env, positions: Positions) -> None:
    """Every key begins at a position that the rules begin at."""
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), 64))
    rows = np.stack(env.rules.split(state.words), axis=1)
    starts = {tuple(row) for row in positions.rows[: first_positions(positions)].tolist()}
    assert {tuple(row) for row in rows.tolist()} <= starts
    assert not np.asarray(state.terminated).any()


def first_positions(positions: Positions) -> int:
    """How many positions a game may begin at: one for each card, if it begins with one."""
    turn = positions.game.turn(positions.game.start())
    return len(turn.odds) if isinstance(turn, Chance) else 1


def compare_turns(env: Env, positions: Positions, turns: Turns, after: State) -> None:
    """The next position, what is seen of it and what is open there; or the end."""
    following = drawn_alike(env, positions, turns, after)
    over = following < 0
    going, then, ends = ~over, following[~over], ~following[over]
    rewards, terminated = np.asarray(after.rewards), np.asarray(after.terminated)
    assert (terminated == over).all()
    assert not rewards[going].any()
    assert (rewards[over] == positions.won[ends][:, None] * (1, -1)).all()
    rows = np.stack(env.rules.split(after.words), axis=1)
    assert (rows[going] == positions.rows[then]).all()
    deciding, place = positions.deciding[then], (slice(None), 0)
    seen, masks = positions.seen[then[:, None], deciding], positions.masks[then]
    observed, opened = np.asarray(after.observation)[going], np.asarray(after.legal_action_mask)
    assert (np.asarray(after.current_player)[going] == deciding[:, 0]).all()
    assert (observed == (seen if env.both else seen[place])).all()
    assert (opened[going] == (masks if env.both else masks[place])).all()
    assert opened[over].all()
    final = np.asarray(after.observation)[over]
    if env.both:
        assert (final == positions.ends_seen[ends]).all()
    else:
        assert (final == positions.ends_seen[ends, np.asarray(after.current_player)[over]]).all()


def drawn_alike(env: Env, positions: Positions, turns: Turns, after: State) -> Numbers:
    """The positions that follow, once the cards are drawn that were drawn in JAX."""
    if not env.rules.rules.cards:
        return turns.following
    cards = np.asarray(env.rules.split(after.words).card).tolist()  # type: ignore[attr-defined]
    found = []
    for where, action, card in zip(turns.where, turns.actions[:, 0], cards, strict=True):
        state = positions.states[where]
        (seat,) = positions.options[where]
        child = positions.game.resolve(state, {seat: positions.encoding.move(int(action))})
        turn = positions.game.turn(child)
        if isinstance(turn, Chance):
            event = next(event for event in turn.odds if str(event) == str(card))
            child = positions.game.drawn(child, event)
        found.append(positions.places[positions.game.key(child)])
    return np.array(found)


def compare_faults(env: Env, positions: Positions) -> int:
    """Whoever acts illegally has lost, and nothing has moved."""
    where, actions, faults = positions.illegal_turns()
    state, given = put(env, positions, where, actions)
    after = jax.jit(env.step)(state, given)
    assert np.asarray(after.terminated).all()
    assert (np.asarray(after.rewards) == np.where(faults, -1, 1)).all()
    assert all((one == two).all() for one, two in zip(after.words, state.words, strict=True))
    again = jax.jit(env.step)(after, given)  # after the end nothing changes
    assert not np.asarray(again.rewards).any()
    assert np.asarray(again.terminated).all()
    assert all((one == two).all() for one, two in zip(again.words, state.words, strict=True))
    return len(where)
