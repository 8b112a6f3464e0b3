"""Tasks for the library Inspect, one per game: `inspect eval number_duels/knot --model …`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Inspect", package="inspect-ai"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ChatMessageUser,
        Model,
        get_model,
        model_roles,
    )
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.util import collect

from number_duels.adapters.text import Ask, Seat, TextEnv
from number_duels.bench.suite import CORE_2, Size, find_suite, positions_of
from number_duels.games import full_name, load, names
from number_duels.solvers import solve

#: The role of a second model, which takes the other seat: `--model-role opponent=…`.
OPPONENT = "opponent"
#: Metadata key of the pair: two games with swapped seats. Standard errors are clustered by pair.
PAIR = "pair"
#: Keys under which the solver stores a game's figures and record for the scorer.
FIGURES, RECORD = "number_duels_figures", "number_duels_record"
Settings: TypeAlias = Mapping[str, int | str]
METRICS = {
    name: [mean(), stderr(cluster=PAIR)]
    for name in ("loss", "accuracy", "result", "corrected", "forfeited")
}


@task
def duel(
    game: str,
    *,
    opponent: str = "perfect",
    pairs: int = 10,
    first_seed: int = 1,
    retries: int = 2,
    think: str = "no",
    settings: Settings | None = None,
) -> Task:
    """Return a task that plays a game with fixed seeds, once from each seat.

    `pairs` is the number of seeds. A model with the role `opponent` takes the other seat. Without
    such a model, the argument `opponent` names the player.
    """
    chosen = load(game, **(settings or {}))
    samples = [
        Sample(
            id=f"{seed}-{seat}",
            input=f"{chosen.title}, seed {seed}, as Player {seat}",
            metadata={PAIR: seed, "seed": seed, "seat": seat},
        )
        for seed in range(first_seed, first_seed + pairs)
        for seat in (1, 2)
    ]
    # Solve the game, and reject an unknown opponent, before asking a model.
    TextEnv(chosen, opponent=opponent, think=think)
    return Task(
        dataset=MemoryDataset(samples, name=chosen.name),
        solver=play_game(game, opponent, retries, think, settings),
        scorer=exact_loss(),
    )


@solver
def play_game(
    game: str,
    opponent: str = "perfect",
    retries: int = 2,
    think: str = "no",
    settings: Settings | None = None,
) -> Solver:
    """Play a sample's game to the end. If both models choose at once, ask them in parallel."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001  # its API
        mine = Seat(state.metadata["seat"] - 1)
        models = {mine: get_model()}
        if OPPONENT in model_roles():
            models[mine.other] = get_model(role=OPPONENT)
        env = TextEnv(
            load(game, **(settings or {})),
            opponent=None if mine.other in models else opponent,
            seat=mine + 1,
            retries=retries,
            think=think,
        )
        env.reset(state.metadata["seed"])
        state.messages = []
        while env.asked:
            asked = list(env.asked.values())
            said = await collect(*(answer(models[ask.seat], ask, state, mine) for ask in asked))
            env.step({ask.seat: text for ask, text in zip(asked, said, strict=True)})
        state.store.set(FIGURES, figures(env, mine))
        state.store.set(RECORD, env.match.record.as_object())
        return state

    return solve


async def answer(model: Model, ask: Ask, state: TaskState, mine: Seat) -> str:
    # Only the measured model's conversation is logged.
    messages: list[ChatMessage] = [
        (ChatMessageUser if message["role"] == "user" else ChatMessageAssistant)(
            content=message["content"]
        )
        for message in ask.messages
    ]
    output = await model.generate(messages)
    if ask.seat is mine:
        state.messages += [messages[-1], output.message]
        state.output = output
    return output.completion


def figures(env: TextEnv, seat: Seat) -> dict[str, float]:
    found = env.score(seat)
    return {
        "loss": found.loss_per_decision,
        "accuracy": 100.0 if found.accuracy is None else found.accuracy,
        "result": found.result,
        "corrected": found.corrected,
        "forfeited": float(found.forfeited),
    }


@scorer(metrics=METRICS)
def exact_loss() -> Scorer:
    """Score a game by loss per decision, accuracy, result, result minus luck, and forfeits."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001  # its API
        record = state.store.get(RECORD)
        return Score(
            value=state.store.get(FIGURES),
            answer=record["moves"],
            explanation=f"{record['result']}: {record['reason']}",
            metadata={"record": record},
        )

    return score


@task
def positions(
    game: str, *, suite: str = CORE_2, count: int = 500, retries: int = 2, think: str = "no"
) -> Task:
    """Return a task that asks for a move in each of the bench's fixed positions.

    Rank players by the `cost` in this task (0 to 2), not by their loss in games.
    """
    whole = find_suite(Size(1, count), name=suite).only([full_name(game)])
    (chosen,) = whole.games
    samples = [
        Sample(
            id=number,
            input=f"{chosen.title} after {spot.moves or 'no moves'}, Player {spot.seat + 1}",
            metadata={
                "moves": spot.moves,
                "deal": spot.deal,
                "seat": spot.seat + 1,
                "seed": number,
            },
        )
        for number, spot in enumerate(positions_of(whole, solve(chosen)), 1)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=chosen.name),
        solver=choose_move(chosen.name, chosen.settings, retries, think),
        scorer=exact_cost(),
    )


@solver
def choose_move(game: str, settings: Settings, retries: int = 2, think: str = "no") -> Solver:
    """Ask a model for a move in the position of a sample."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001  # its API
        asked, mine = state.metadata, Seat(state.metadata["seat"] - 1)
        # Only the first decision counts, so it does not matter how the other seat plays.
        env = TextEnv(
            load(game, **settings), opponent="random", seat=mine + 1, retries=retries, think=think
        )
        env.reset(asked["seed"], moves=asked["moves"], deal=asked["deal"])
        state.messages, step = [], None
        while step is None or (mine in step.refused and not step.done):
            step = env.step({mine: await answer(get_model(), env.asked[mine], state, mine)})
        silent = float(mine in step.refused)
        state.store.set(FIGURES, {"cost": step.losses[mine], "unanswered": silent})
        return state

    return solve


@scorer(metrics={name: [mean(), stderr()] for name in ("cost", "unanswered")})
def exact_cost() -> Scorer:
    """Score a move by its exact cost, and count answers that name no legal move."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001  # its API
        return Score(value=state.store.get(FIGURES))

    return score


def task_of(game: str) -> Callable[..., Task]:
    def one_game(
        *,
        opponent: str = "perfect",
        pairs: int = 10,
        first_seed: int = 1,
        retries: int = 2,
        think: str = "no",
        settings: Settings | None = None,
    ) -> Task:
        return duel(
            game,
            opponent=opponent,
            pairs=pairs,
            first_seed=first_seed,
            retries=retries,
            think=think,
            settings=settings,
        )

    return one_game


def task_names(games: list[str]) -> dict[str, str]:
    """Return the game of each task.

    A task's name is the last word of the game's name, or the whole name if the word is not unique.
    """
    last = Counter(game.rpartition("-")[2] for game in games)
    return {
        (word if last[word := game.rpartition("-")[2]] == 1 else game.replace("-", "_")): game
        for game in games
    }


TASKS = {name: task(name=name)(task_of(game)) for name, game in task_names(list(names())).items()}
