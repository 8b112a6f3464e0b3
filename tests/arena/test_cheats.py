"""Bots that know an arena's rules by heart, and still score what an honest bot scores."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import number_duels as nd
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.report import report
from number_duels.arena.schedule import Fixture, Schedule, named
from number_duels.arena.stats.intervals import Estimate
from number_duels.players.external import Limits

CHEATS = Path(__file__).with_name("cheats")
SALT = "5a17" * 8
BATTLE: nd.SomeGame = nd.load("high-low-battle", cards=4, rounds=3)
SHOWDOWN: nd.SomeGame = nd.load("number-stack-showdown", target=12, highest=4, copies=4)


def meeting(name: str, *words: str, game: nd.SomeGame, pairs: int, salt: str) -> Schedule:
    """A bot of this folder against perfect play."""
    command = shlex.join([sys.executable, str(CHEATS / f"{name}.py"), *words])
    return Schedule(named([f"{name}=bot:{command}", "perfect"]), (game,), pairs, 1, salt=salt)


def pairs_of(schedule: Schedule) -> list[tuple[Fixture, Fixture]]:
    (pairing,) = schedule.pairings()
    return list(schedule.pairs_of(pairing))


def score(pairs: Iterable[tuple[Fixture, Fixture]]) -> Estimate:
    """What the bot scores, playing game after game in one process."""
    roster = Roster(Limits(seconds=600, starting=600))
    try:
        results = [play_fixture(fixture, roster) for pair in pairs for fixture in pair]
    finally:
        roster.close()
    assert not any(any(result.forfeits) for result in results)
    bot = results[0].pairing[0]
    return next(row.score for row in report(results, {}).rows if row.name == bot)


def agree(one: Estimate, two: Estimate) -> bool:
    return one.low <= two.high and two.low <= one.high


def seer(guess: int, salt: str) -> Estimate:
    words = str(guess), "seer", "perfect"
    return score(pairs_of(meeting("seer", *words, game=BATTLE, pairs=20, salt=salt)))


def test_who_guesses_the_seed_predicts_nothing() -> None:
    assert seer(1, salt="").mean == 1  # what the salt is there for
    cheat, honest = seer(1, SALT), seer(999, SALT)
    assert agree(cheat, honest)
    assert cheat.high < 1


def test_who_remembers_the_first_game_of_a_pair_has_nothing_of_it(tmp_path: Path) -> None:
    words = {name: [str(tmp_path / name)] for name in ("same cards", "as played")}
    cheat, memory = (
        pairs_of(meeting("memory", *own, game=SHOWDOWN, pairs=40, salt=SALT))
        for own in words.values()
    )
    honest = score(pairs_of(meeting("memory", game=SHOWDOWN, pairs=40, salt=SALT)))
    same = score((one, replace(two, seed=one.seed)) for one, two in cheat)
    assert same.low > honest.mean  # what cards of their own are there for
    assert agree(score(memory), honest)
