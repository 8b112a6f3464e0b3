"""Serve a game through OpenEnv, and play it across a network."""

from functools import partial

from openenv.core import GenericEnvClient

from number_duels.adapters.openenv import DuelEnvironment, create_app

make = partial(DuelEnvironment, "number-knot", opponent="level:3")
app = create_app(make)  # `uvicorn MODULE:app` serves it


def play(url: str, seed: int) -> float:
    """Play a game with the first move that is offered, and return the sum of the rewards."""
    total = 0.0
    with GenericEnvClient(base_url=url).sync() as client:
        result = client.reset(seed=seed)
        while not result.done:
            answer = result.observation["moves"][0]  # what your model says to observation["text"]
            result = client.step({"text": answer})
            total += result.reward
    return total
