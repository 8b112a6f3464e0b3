"""Exact scores of the built-in players against each other, on which all ratings are based."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import lru_cache
from importlib.resources import files
from typing import TypedDict

from number_duels.core.game import AnyGame, SomeGame
from number_duels.players.levels import LEVELS, slip
from number_duels.players.registry import BUILT_IN
from number_duels.solvers import Solution, TooLarge, solve
from number_duels.solvers.best_response import expected_with_errors

PAIRS = [(one, two) for one in BUILT_IN for two in BUILT_IN]

#: Scores of games with more states are not computed. This limit takes about a minute.
MAX_STATES = 20_000_000

Scores = dict[tuple[str, str], float]
AnySolution = Solution[Hashable, Hashable, Hashable]


class ShippedFigures(TypedDict):
    """The exact scores of one game with certain settings, as stored in `data/scores.json`."""

    settings: dict[str, int | str]
    scores: dict[str, dict[str, float]]
    #: How much the best reply wins per game, averaged over both seats, by player.
    exploitability: dict[str, float]


def error_rates(game: AnyGame) -> dict[str, float]:
    levels = {f"level:{n}": float(slip(n, game.name)) for n in LEVELS}
    return {"random": 1.0, **levels, "perfect": 0.0}


def exact_scores(game: SomeGame, progress: Callable[[float], None] | None = None) -> Scores:
    """Return Player 1's expected result for each pair of built-in players.

    >>> from number_duels import load
    >>> scores = exact_scores(load("number-knot", numbers=2, life=1))
    >>> scores["perfect", "random"], scores["random", "random"]
    (1.0, 0.375)
    """
    found = shipped(game)
    if found:
        return {(one, two): found["scores"][one][two] for one, two in PAIRS}
    return computed_scores(small_enough(game, progress), progress)


def computed_scores(
    solution: AnySolution, progress: Callable[[float], None] | None = None
) -> Scores:
    rates = error_rates(solution.game)
    pairs = [(rates[one], rates[two]) for one, two in PAIRS]
    found = expected_with_errors(solution, pairs, progress or (lambda _: None))
    return dict(zip(PAIRS, found, strict=True))


def small_enough(game: AnyGame, progress: Callable[[float], None] | None) -> AnySolution:
    solution = solve(game, progress=progress)
    if solution.states > MAX_STATES:
        raise TooLarge(
            f"The exact scores of {game.title} with these settings are not stored, and the game "
            f"has too many states to compute them ({solution.states:,}); use the default settings."
        )
    return solution


def shipped(game: AnyGame) -> ShippedFigures | None:
    """Return the stored scores of a game with its settings, or None."""
    settings = game.settings
    exchanged = {**settings, "first": 3 - int(settings.get("first", 1))}
    for figures in all_shipped().get(game.name, ()):
        if figures["settings"] == settings:
            return figures
        if figures["settings"] == exchanged:
            return seats_exchanged(figures)
    return None


def seats_exchanged(figures: ShippedFigures) -> ShippedFigures:
    scores = figures["scores"]
    exchanged = {one: {two: 0.0 - scores[two][one] for two in BUILT_IN} for one in BUILT_IN}
    return {**figures, "scores": exchanged}


@lru_cache(maxsize=1)
def all_shipped() -> dict[str, list[ShippedFigures]]:
    path = files("number_duels.players") / "data" / "scores.json"
    found: dict[str, list[ShippedFigures]] = json.loads(path.read_text(encoding="utf-8"))
    return found
