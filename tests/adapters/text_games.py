"""Games played over the text environment by agents who answer at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from number_duels.adapters.text import Ask, Seat, TextEnv, TextStep
from tests.core.playing import Table


def said(move: str) -> str:
    return f'{{"move": "{move}"}}'


def random_answers(asked: Mapping[Seat, Ask], rng: Random) -> dict[Seat, str]:
    return {seat: said(rng.choice(ask.moves)) for seat, ask in sorted(asked.items())}


def play(env: TextEnv, rng: Random) -> Iterator[TextStep]:
    """The steps of a game that was begun, to its end."""
    while not env.done:
        yield env.step(random_answers(env.asked, rng))


def asks(table: Table, games: int = 3) -> Iterator[TextEnv]:
    """An environment in the course of a few games, whenever somebody is asked."""
    env, rng = TextEnv(table.game), table.rng
    for seed in range(games):
        env.reset(seed)
        while not env.done:
            yield env
            env.step(random_answers(env.asked, rng))
