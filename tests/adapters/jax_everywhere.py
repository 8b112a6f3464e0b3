"""The games in JAX against the readable rules: every position with every action.

It needs NumPy and JAX alone, so that a script can call it on a machine with an accelerator.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from number_duels.adapters.jax import Batch, Carry, Env, Shown, State
from number_duels.adapters.jax.gpu_kernel import BLOCK
from number_duels.core.game import AnyGame, Chance
from tests.adapters.positions import Flags, Numbers, Positions, Turns

EnvStep = Callable[[State, jax.Array], State]
BatchStep = Callable[[Carry, jax.Array], tuple[Carry, Shown]]


def agree_everywhere(game: AnyGame) -> int:
    """Compare what JAX and the readable rules make of every position; how many turns that was."""
    env = Env(game)
    positions = Positions(game, env.rules.packed)
    where, actions, faults = positions.illegal_turns()
    blocks = [*positions.legal_turns()]
    # All in arrays of one size, so that one function is compiled.
    size = max(len(where), *(len(turns.where) for turns in blocks))
    fresh = compare_beginning(env, positions, size)
    step = jax.jit(env.step)
    for turns in blocks:
        after = step(*put(env, positions, fresh, turns.where, turns.actions))
        compare_turns(env, positions, turns, first(after, len(turns.where)))
    compare_faults(step, put(env, positions, fresh, where, actions), faults)
    return len(positions.turns.where) + len(where)


def first(state: State, count: int) -> State:
    """The first games of many."""
    found: State = jax.tree.map(lambda array: np.asarray(array)[:count], state)
    return found


def put(
    env: Env, positions: Positions, fresh: State, where: Numbers, actions: Numbers
) -> tuple[State, jax.Array]:
    """New games set to some positions, each with its place as its stream, and the actions for them.

    There are as many as new games; once all positions have come they come again.
    """
    count = len(np.asarray(fresh.terminated))
    where, actions = np.resize(where, count), np.resize(actions, (count, actions.shape[1]))
    rows = positions.rows[where].astype(np.int32)
    kind = type(env.rules.rules.begin(env.rules.settings))
    streams = jnp.asarray(where, jnp.uint32), jnp.full(count, 7, jnp.uint32)
    words = jax.jit(env.rules.join)(kind(*rows.T))
    state = fresh.replace(words=words, stream=streams)
    return state, jnp.asarray(actions if env.both else actions[:, 0], jnp.int32)


def compare_beginning(env: Env, positions: Positions, size: int) -> State:
    """Every key begins at a position that the rules begin at; so many new games."""
    state: State = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), size))
    rows = np.stack(env.rules.split(first(state, size).words), axis=1)
    starts = {tuple(row) for row in positions.rows[: first_positions(positions)].tolist()}
    assert {tuple(row) for row in rows.tolist()} <= starts
    assert not np.asarray(state.terminated).any()
    return state


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
    # The card in hand is the last number but one.
    return drawn_cards(positions, turns, np.asarray(env.rules.split(after.words)[-2]))


def drawn_cards(positions: Positions, turns: Turns, cards: Numbers) -> Numbers:
    """The positions that follow when certain cards are drawn; an end, where a turn ends a game."""
    found = []
    for where, action, card in zip(turns.where, turns.actions[:, 0], cards.tolist(), strict=True):
        state = positions.states[where]
        (seat,) = positions.options[where]
        child = positions.game.resolve(state, {seat: positions.encoding.move(int(action))})
        turn = positions.game.turn(child)
        if isinstance(turn, Chance):
            event = next(event for event in turn.odds if str(event) == str(card))
            child = positions.game.drawn(child, event)
        found.append(positions.places[positions.game.key(child)])
    return np.array(found)


def batch_agrees_everywhere(game: AnyGame, kernel: bool | None = None) -> int:
    """The same of a batch with planes; how many turns were compared."""
    batch = Batch(game, kernel)
    positions = Positions(game, batch.rules.packed)
    step = jax.jit(batch.step)
    where, actions, faults = positions.illegal_turns()
    blocks = [*positions.legal_turns()]
    # All in arrays of one size, so that one function is compiled; a kernel has whole blocks.
    size = max(len(where), *(len(turns.where) for turns in blocks))
    size = -(-size // BLOCK) * BLOCK
    for turns in blocks:
        compare_batch(batch, positions, turns, step, size)
    carry = lanes_at(batch, positions, where, size)
    _, shown = step(carry, padded(columns(batch, actions), carry))
    blamed = faults[:, 0] + 2 * faults[:, 1]
    results = np.array([0, -1, 1, 0])[blamed]
    assert (np.asarray(shown.faults)[: len(where)] == blamed).all()
    assert (np.asarray(shown.results)[: len(where)] == results).all()
    assert np.asarray(shown.done)[: len(where)].all()
    return len(positions.turns.where) + len(where)


def lanes_at(batch: Batch, positions: Positions, where: Numbers, size: int) -> Carry:
    """So many games at some positions; once all have come they come again."""
    rows = np.resize(positions.rows[where], (size, positions.rows.shape[1])).astype(np.int32)
    kind = type(batch.rules.rules.begin(batch.rules.settings))
    source = jnp.array([3, 5, 7], jnp.uint32)
    return Carry(jax.jit(batch.rules.join)(kind(*rows.T)), source)


def columns(batch: Batch, actions: Numbers) -> Numbers:
    return actions.T if batch.rules.rules.both else actions[:, 0]


def padded(actions: Numbers, carry: Carry) -> jax.Array:
    """Actions for all lanes; what the last ones do is not looked at."""
    count = carry.words[0].shape[0]
    wide = np.zeros((*actions.shape[:-1], count), np.int32)
    wide[..., : actions.shape[-1]] = actions
    return jnp.asarray(wide)


def compare_batch(
    batch: Batch, positions: Positions, turns: Turns, step: BatchStep, size: int
) -> None:
    """The next position and what is seen of it, or the end and a new game."""
    carry = lanes_at(batch, positions, turns.where, size)
    after, shown = step(carry, padded(columns(batch, turns.actions), carry))
    count = len(turns.where)
    state = batch.rules.split(after.words)
    rows = np.stack(state, axis=1)[:count]
    cards = rows[:, -2] if batch.rules.rules.cards else None
    following = turns.following if cards is None else drawn_cards(positions, turns, cards)
    over, going = following < 0, following >= 0
    then, ends = following[going], ~following[over]
    assert (np.asarray(shown.done)[:count] == over).all()
    assert not np.asarray(shown.faults)[:count].any()
    assert not np.asarray(shown.results)[:count][going].any()
    assert (np.asarray(shown.results)[:count][over] == positions.won[ends]).all()
    assert (rows[going] == positions.rows[then]).all()
    seats = positions.masks.shape[1]
    seen = np.asarray(shown.observations)[:, :count].T.reshape(count, seats, -1)
    opened = np.asarray(shown.masks)[:, :count].T.reshape(count, seats, -1)
    assert (seen[going] == positions.seen[then[:, None], positions.deciding[then]]).all()
    assert (opened[going] == positions.masks[then]).all()
    starts = {tuple(row) for row in positions.rows[: first_positions(positions)].tolist()}
    assert {tuple(row) for row in rows[over].tolist()} <= starts


def compare_faults(step: EnvStep, given: tuple[State, jax.Array], faults: Flags) -> None:
    """Whoever acts illegally has lost, and nothing has moved."""
    state, actions = given
    after = step(state, actions)
    again = step(after, actions)  # after the end nothing changes
    count = len(faults)
    assert np.asarray(after.terminated)[:count].all()
    assert (np.asarray(after.rewards)[:count] == np.where(faults, -1, 1)).all()
    assert not np.asarray(again.rewards)[:count].any()
    assert np.asarray(again.terminated)[:count].all()
    for later in (after, again):
        moved = zip(later.words, state.words, strict=True)
        assert all((np.asarray(one) == np.asarray(two))[:count].all() for one, two in moved)
