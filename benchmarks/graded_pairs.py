"""Real pairs of games, graded as the arena grades them: what simulated arenas are drawn from.

For every game and every meeting of built-in players and simple bots some pairs are played.
A simulated arena takes pairs out of them at random, each as often as it comes. What is
drawn has the bank's own means, exactly: they are the truth that an interval must hold. Luck is
zero on average by construction, so the bank's small rest of it is taken off first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations, repeat
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import number_duels as nd
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Schedule
from number_duels.core.game import AnyGame
from number_duels.core.player import Player, Situation
from number_duels.core.record import Person
from number_duels.players.external import Limits

BUILT_IN = ("random", "level:1", "level:3", "perfect")
#: Number Stack Showdown with its usual settings has too many states for arrays, and is slow.
SETTINGS: dict[str, dict[str, int | str]] = {
    "number-stack-showdown": {"target": 20, "highest": 6, "copies": 3},
}
#: A row is a pair: the result, what cards and mixing brought, then for both players what was
#: lost, what could have been lost, decisions, and decisions that were not obvious.
Bank: TypeAlias = NDArray[np.float64]


class Highest:
    """Takes the last option, in the two games of bids the highest number."""

    def choose(self, situation: Situation) -> object:
        return situation.options[-1]


class Lowest:
    """Takes the first option."""

    def choose(self, situation: Situation) -> object:
        return situation.options[0]


class Blind:
    """Plays as `random` does, but nobody knows."""

    def choose(self, situation: Situation) -> object:
        return situation.rng.choice(situation.options)


BOTS: dict[str, Player] = {"highest": Highest(), "lowest": Lowest(), "blind": Blind()}
MEETINGS = tuple(combinations((*BUILT_IN, *BOTS), 2))


def game_of(name: str) -> AnyGame:
    return nd.load(name, **SETTINGS.get(name, {}))


@cache
def roster_of(name: str) -> Roster:
    """The players of one game, kept for all meetings of a process."""
    roster = Roster(Limits())
    for bot, player in BOTS.items():
        roster.add(Person(bot, bot), game_of(name), player)
    return roster


def played(
    name: str, one: str, two: str, pairs: int, seed: int
) -> Iterator[tuple[GameResult, GameResult]]:
    """Pairs of games between two players."""
    people = Person(one, one), Person(two, two)
    schedule = Schedule(people, (game_of(name),), pairs, seed)
    (pairing,) = schedule.pairings()
    for first, second in schedule.pairs_of(pairing):
        yield play_fixture(first, roster_of(name)), play_fixture(second, roster_of(name))


def row_of(first: GameResult, second: GameResult) -> list[float]:
    assert first.figures is not None
    assert second.figures is not None
    one, two = first.figures, second.figures
    row = [
        (first.score - second.score) / 2,
        (one.cards - two.cards) / 2,
        (one.mixing - two.mixing) / 2,
    ]
    for a, b in zip(one.costs, reversed(two.costs), strict=True):
        row += [a.loss + b.loss, a.worst + b.worst]
        row += [a.decisions + b.decisions, a.choices + b.choices]
    return row


def made(cell: tuple[str, str, str], pairs: int, seed: int = 1) -> Bank:
    return np.array([row_of(*pair) for pair in played(*cell, pairs, seed)])


def bank_of(
    path: Path, pairs: int, workers: int, seed: int = 1
) -> dict[tuple[str, str, str], Bank]:
    """The bank of a file; what is missing is played, which takes some minutes."""
    kept: dict[str, Bank] = dict(np.load(path)) if path.exists() else {}
    cells = [(game, *meeting) for game in nd.games() for meeting in MEETINGS]
    missing = [cell for cell in cells if "|".join(cell) not in kept]
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(made, missing, repeat(pairs), repeat(seed))
        for cell, bank in zip(missing, found, strict=True):
            kept["|".join(cell)] = bank
            print(f"{' '.join(cell)}: {len(bank)} pairs", flush=True)
    if missing:
        np.savez_compressed(path, allow_pickle=False, **kept)
    for bank in kept.values():
        bank[:, 1:3] -= bank[:, 1:3].mean(axis=0)
    return {(game, one, two): kept[f"{game}|{one}|{two}"] for game, one, two in cells}
