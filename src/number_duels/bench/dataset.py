"""Positions with exact solutions for training language models. None is in the bench."""

from __future__ import annotations

from dataclasses import replace

from number_duels.bench.questions import Question, situation_of
from number_duels.bench.suite import draw_positions, find_suite
from number_duels.core.game import AnyGame, Seat
from number_duels.core.randomness import stream
from number_duels.players.llm.prompt import question
from number_duels.review.json import JsonObject
from number_duels.review.position import AnySolution, examine
from number_duels.solvers.cache import Progress, silent
from number_duels.trainer.exercise import MOVE
from number_duels.trainer.spot import OpenSpot, Spot

TRAIN, TEST = "train", "test"
SPLITS = (TRAIN, TEST)
#: One in this many positions is for testing.
TEST_EVERY = 5


def draw_dataset(
    solution: AnySolution, count: int, seed: int, split: str = "", progress: Progress = silent
) -> tuple[Spot, ...]:
    """Draw up to `count` different positions of a game. An empty `split` means both splits."""
    game = solution.game
    taken = bench_positions(game)

    def wanted(spot: OpenSpot) -> bool:
        return split in ("", split_of(spot)) and position_id(spot) not in taken

    return draw_positions(solution, count, stream(seed, "dataset", game.name), wanted, progress)


def row_of(solution: AnySolution, spot: Spot) -> JsonObject:
    """Return a position with its prompt and its exact solution.

    The lists have one entry per legal move, in the order of the prompt.

    >>> from number_duels import load, solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> row = row_of(solve(game), Spot(game.name, game.settings, None, "A1", Seat.TWO))
    >>> row["legal"], row["values"], row["best"]
    (['A2', 'S2', 'A3', 'S3'], [0.0, -1.0, 0.0, 0.0], ['A2', 'A3', 'S3'])
    """
    at = spot.open()
    position = examine(solution, at.state)
    found = {option.move: option for option in position.options[at.seat]}
    options = [found[str(move)] for move in at.options]
    return {
        "id": at.id,
        "split": split_of(at),
        **spot.to_json(),
        "prompt": question(situation_of(Question(spot, MOVE, 0)))["content"],
        "legal": [option.move for option in options],
        "values": [option.value for option in options],
        "guarantees": [option.guarantee for option in options],
        "probabilities": [option.probability for option in options],
        "best": list(position.costs[at.seat].best),
    }


def split_of(spot: OpenSpot) -> str:
    """Return `train` or `test`. A position is always in the same split."""
    return TRAIN if int(position_id(spot), 16) % TEST_EVERY else TEST


def position_id(spot: OpenSpot) -> str:
    return replace(spot, seat=Seat.ONE).id


def bench_positions(game: AnyGame) -> set[str]:
    suite = find_suite()
    return {
        position_id(spot.open())
        for spot in (*suite.moves, *suite.statements)
        if game in suite.games and spot.game == game.name
    }
