"""Play Number Bid with verifiers. LOCAL_BASE_URL is the endpoint of the model."""

import asyncio
import os

import verifiers.v1 as vf

taskset = {"id": "number-duels-verifiers", "game": "number-bid", "pairs": 2}
env = vf.load_environment(vf.resolve_env_config({"taskset": taskset, "reward": "loss"}))
client = vf.EvalClientConfig(base_url=os.environ["LOCAL_BASE_URL"], api_key_var="LOCAL_API_KEY")


async def play() -> None:
    async with env.serving():
        for task in env.taskset:
            episode = await env.run_episode(task, vf.ModelContext("model", client))
            print(task.data.name, [(trace.agent.name, trace.reward) for trace in episode.traces])


asyncio.run(play())
