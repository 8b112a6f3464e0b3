"""The games as pure JAX functions, for `jit`, `vmap` and `scan` on CPU, GPU and TPU.

>>> import jax
>>> env = make("number-knot")
>>> state = env.init(jax.random.key(7))
>>> state = jax.jit(env.step)(state, 9)  # S5: subtract 5
>>> state.observation[9:11].tolist(), int(state.current_player), bool(state.terminated)
([5, 10], 1, False)
"""

from __future__ import annotations

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "JAX", "jax"):
    import jax  # noqa: F401 -- raises the error message above if JAX is missing

from number_duels.adapters.jax.batch import Carry, JaxBatch, JaxShown
from number_duels.adapters.jax.env import Env, State, make
from number_duels.adapters.jax.playouts import playouts

__all__ = ["Carry", "Env", "JaxBatch", "JaxShown", "State", "make", "playouts"]
