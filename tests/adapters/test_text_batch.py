"""Many games as text are the same games, one by one."""

from __future__ import annotations

import pytest

from number_duels.adapters.text import Seat, TextBatch, TextEnv
from tests.adapters.tables import every_small_table
from tests.adapters.text_games import said
from tests.core.playing import Table


@every_small_table
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_batch_plays_what_single_games_play(table: Table, opponent: str | None) -> None:
    batch = TextBatch(table.game, 5, opponent=opponent, seat="random")
    batch.reset(seeds=range(5))
    rewards = dict.fromkeys(range(5), 0.0)
    while asks := batch.asked:
        assert [ask.game for ask in asks] == sorted(ask.game for ask in asks)
        for step in batch.step([said(ask.moves[-1]) for ask in asks]):
            rewards[step.game] += step.rewards[Seat.ONE]
    assert batch.done
    for seed, env in enumerate(batch.envs):
        single = TextEnv(table.game, opponent=opponent, seat="random")
        single.reset(seed)
        alone = 0.0
        while not single.done:
            step = single.step({s: said(ask.moves[-1]) for s, ask in single.asked.items()})
            alone += step.rewards[Seat.ONE]
        assert env.match.record == single.match.record
        assert rewards[seed] == alone


def test_as_many_answers_as_questions() -> None:
    batch = TextBatch("bid", 2, numbers=3)
    with pytest.raises(ValueError, match=r"There are 2 games and 3 seeds\."):
        batch.reset(seeds=[1, 2, 3])
    batch.reset(seeds=[1, 2])
    with pytest.raises(ValueError, match=r"There are 4 questions and 1 answers\."):
        batch.step(["1"])
