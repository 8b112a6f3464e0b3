"""The agents that gg-bench ships, as a bot: `python agents.py CHECKOUT STEPS [SEARCHES]`.

An agent is a network in `gg_bench/data/models`, saved by sbx as pickled Python. Nothing of that is
executed here: an unpickler that knows arrays alone takes the weights out, and NumPy computes. sbx
gives the same figures with the JAX and Flax of its day; with others it warns that it could not read
the network, and plays on with one that was never trained.

The bot takes the open move that its network likes best. With SEARCHES it does what gg-bench's
evaluation does: its own tree search, from the checkout, in its own environment.
"""

from __future__ import annotations

import base64
import io
import json
import pickle
import sys
from collections.abc import Callable, Hashable, Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt
from environments import custom_env
from findings import ENVIRONMENTS, Env, load_env
from numpy._core import multiarray, numeric

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.core.notation import read

Array = npt.NDArray[np.float32]
#: Games whose environment can be searched: one player after the other, with nothing hidden.
SEARCHED = ("number-knot", "number-drop")


# ---- the network -------------------------------------------------------------------


class Inert:
    """Stands for whatever was pickled that is no array: keeps its state, and does nothing."""

    def __new__(cls, *_: object, **__: object) -> Inert:
        return object.__new__(cls)

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __call__(self, *_: object, **__: object) -> Inert:
        return Inert()

    def __setstate__(self, state: object) -> None:
        if isinstance(state, dict):
            self.__dict__.update({key: value for key, value in state.items() if type(key) is str})

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def append(self, item: object) -> None:
        pass


def jax_array(make: Callable[..., Any], args: tuple[object, ...], state: Any, _: object) -> Array:
    """An array of JAX's, which is pickled as one of NumPy's."""
    array: Array = make(*args)
    array.__setstate__(state)
    return array


class ArrayReader(pickle.Unpickler):
    """Reads arrays, and lets everything else be nothing."""

    known = {  # noqa: RUF012 - nobody changes it
        ("numpy", "ndarray"): np.ndarray,
        ("numpy", "dtype"): np.dtype,
        ("numpy._core.multiarray", "_reconstruct"): multiarray._reconstruct,
        ("numpy._core.numeric", "_frombuffer"): numeric._frombuffer,  # type: ignore[attr-defined]  # NumPy pickles by it
        ("jax._src.array", "_reconstruct_array"): jax_array,
    }

    def find_class(self, module: str, name: str) -> Any:
        return self.known.get((module, name)) or type("Unread", (Inert,), {})


class Network:
    """Two hidden layers; `logits` is how much it likes each action."""

    def __init__(self, path: Path) -> None:
        with ZipFile(path) as archive:
            saved = json.loads(archive.read("data"))
        policy = base64.b64decode(saved["policy"][":serialized:"])
        layers = ArrayReader(io.BytesIO(policy)).load().actor_state.params["params"]
        self.layers = [layers[f"Dense_{n}"] for n in range(3)]
        self.steps_trained = int(saved["num_timesteps"])
        # What gg-bench's own code looks for in an agent.
        state = SimpleNamespace(params=None, apply_fn=self.apply)
        self.policy = SimpleNamespace(actor_state=state)

    def logits(self, observation: npt.NDArray[Any]) -> Array:
        values = observation.astype(np.float32)
        for number, layer in enumerate(self.layers):
            values = values @ layer["kernel"] + layer["bias"]
            if number < 2:
                values = np.tanh(values)
        return values

    def apply(self, _: object, observation: npt.NDArray[Any]) -> SimpleNamespace:
        return SimpleNamespace(logits=self.logits(observation))


def network(checkout: Path, name: str, steps: int) -> Network:
    folder = checkout / "gg_bench" / "data" / "models" / f"env_{ENVIRONMENTS[name]}"
    return Network(folder / f"agent_{steps}.zip")


# ---- what it plays -------------------------------------------------------------------


class Greedy:
    """The open move that the network likes best."""

    def __init__(self, checkout: Path, game: AnyGame, steps: int) -> None:
        self.network = network(checkout, game.name, steps)
        self.env = custom_env(game.name)

    def likes_best(self, view: Any, seat: nd.Seat, options: Iterable[Hashable]) -> Hashable:
        # gg-bench's last number: who acts. Where it has one player, that changes with each round.
        alone = self.env.game.name == "high-low-battle"
        first = len(view.rounds) % 2 == 0 if alone else seat is nd.Seat.ONE
        likes = self.network.logits(np.append(self.env.observe(view, seat), int(first)))
        return max(options, key=lambda move: float(likes[self.env.notation.index(str(move))]))

    def choose(self, history: str, seat: nd.Seat, options: list[str]) -> str:
        game = self.env.game
        state = game.start()
        for step in read(game, state, history):
            state = step.after
        return str(self.likes_best(state, seat, options))


class Searching:
    """What gg-bench's evaluation plays: its tree search, whose playouts the network makes."""

    def __init__(self, checkout: Path, game: AnyGame, steps: int, searches: int) -> None:
        self.search, self.wrap = searcher(checkout)
        self.network = network(checkout, game.name, steps)
        self.inner = load_env(checkout, game.name)
        self.notation = custom_env(game.name).notation
        self.searches = searches

    def choose(self, history: str, seat: nd.Seat, options: list[str]) -> str:
        env = self.wrap(self.inner)
        env.reset()
        for move in history.split():
            env.step(self.notation.index(move))
        return str(self.notation[self.search(env, self.network, max_iter=self.searches)])


def searcher(checkout: Path) -> tuple[Callable[..., int], Callable[[Env], Env]]:
    """gg-bench's search and the wrappers of its evaluation; sbx is not needed for either."""
    sbx = ModuleType("sbx")
    sbx.PPO, sbx.DQN = Network, Inert  # type: ignore[attr-defined]  # all that it asks sbx for
    sys.modules["sbx"] = sbx
    beside = str(Path(__file__).parent)  # has a gg_bench of its own
    sys.path[:] = [str(checkout), *(path for path in sys.path if path != beside)]
    wrapper = import_module("gg_bench.utils.env_wrappers.metadata").MetadataEnv
    return import_module("gg_bench.utils.inference.mcts").get_mcts_prediction, wrapper


# ---- the bot ---------------------------------------------------------------------------


def main(checkout: Path, steps: int, searches: int) -> None:
    """Speak the protocol of docs/bots.md."""
    seat = nd.Seat.ONE
    player: Greedy | Searching
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type": "hello", "protocol": 1, "name": "gg-bench"}', flush=True)
        elif message["type"] == "start":
            seat, game = nd.Seat(message["seat"] - 1), nd.load(message["game"])
            np.random.seed(message["seed"] % 2**32)  # gg-bench draws from NumPy's own source
            make = (checkout, game, steps)
            player = Searching(*make, searches) if searches else Greedy(*make)
        elif message["type"] == "turn":
            move = player.choose(message["history"], seat, message["options"])
            print(json.dumps({"type": "move", "move": move}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
