"""The fixed points of every scale: what the built-in players score against each other, exactly."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import TypedDict

from number_duels.core.game import AnyGame, SomeGame
from number_duels.players.builtin import slip
from number_duels.players.registry import LEVELS
from number_duels.solvers import Solution, TooLarge, solve
from number_duels.solvers.best_response import best_response
from number_duels.solvers.evaluation import slipping, with_slips

#: The built-in players, by how often they slip from perfect play.
SLIPS = {"random": 1.0, **{f"level:{n}": float(slip(n)) for n in LEVELS}, "perfect": 0.0}
PAIRS = [(one, two) for one in SLIPS for two in SLIPS]

#: The most states of a game whose scores are worked out on the spot: about a minute.
LIMIT = 20_000_000

Scores = dict[tuple[str, str], float]
AnySolution = Solution[Hashable, Hashable, Hashable]


class Measured(TypedDict):
    """The exact figures of a game, as they are written down."""

    settings: dict[str, int | str]
    #: Player 1's expected result, by who is Player 1 and who is Player 2.
    scores: dict[str, dict[str, float]]
    #: What each player loses to the best answer, on the average of both seats.
    exploitability: dict[str, float]


def exact_scores(game: SomeGame, progress: Callable[[float], None] | None = None) -> Scores:
    """Player 1's expected result for every two built-in players: `(who_one, who_two)`.

    >>> from number_duels import load
    >>> scores = exact_scores(load("number-knot", numbers=2, life=1))
    >>> scores["perfect", "random"], scores["random", "random"]
    (1.0, 0.375)
    """
    found = shipped(game)
    if found:
        return {(one, two): found["scores"][one][two] for one, two in PAIRS}
    return measured_scores(small_enough(game, progress), progress)


def exploitabilities(
    game: SomeGame, progress: Callable[[float], None] | None = None
) -> dict[str, float]:
    """What each built-in player loses to the best answer, on the average of both seats.

    >>> from number_duels import load
    >>> exploitabilities(load("number-knot", numbers=2, life=2))["random"]
    0.5
    """
    found = shipped(game)
    if found:
        return found["exploitability"]
    perfect = small_enough(game, progress).strategy
    answers = {who: best_response(game, slipping(perfect, SLIPS[who])) for who in SLIPS}
    return {who: answer.exploitability for who, answer in answers.items()}


def measured_scores(
    solution: AnySolution, progress: Callable[[float], None] | None = None
) -> Scores:
    """The scores of a solved game, worked out now."""
    slips = [(SLIPS[one], SLIPS[two]) for one, two in PAIRS]
    found = with_slips(solution, slips, progress or (lambda _: None))
    return dict(zip(PAIRS, found, strict=True))


def small_enough(game: AnyGame, progress: Callable[[float], None] | None) -> AnySolution:
    """The solution of a game whose figures can be worked out on the spot."""
    solution = solve(game, progress=progress)
    if solution.states > LIMIT:
        raise TooLarge(
            f"The exact scores of {game.title} with these settings are not kept and would take "
            f"long: it has {solution.states:,} states; use its usual settings."
        )
    return solution


def shipped(game: AnyGame) -> Measured | None:
    """What was measured of a game with its settings, whoever moves first; None: nothing."""
    known = all_shipped()
    settings = game.settings
    if entry(game.name, settings) in known:
        return known[entry(game.name, settings)]
    if "first" not in settings:
        return None
    swapped = known.get(entry(game.name, {**settings, "first": 3 - int(settings["first"])}))
    return swapped and seats_exchanged(swapped)


def seats_exchanged(measured: Measured) -> Measured:
    """The figures when the other seat moves first: nothing else tells the seats apart."""
    scores = measured["scores"]
    exchanged = {one: {two: 0.0 - scores[two][one] for two in SLIPS} for one in SLIPS}
    return {**measured, "scores": exchanged}


def entry(name: str, settings: Mapping[str, int | str]) -> str:
    """Under which word a game with its settings is kept: a digest, as nothing here names a game.

    >>> entry("toy", {"size": 3, "first": 1}) == entry("toy", {"first": 1, "size": 3})
    True
    """
    words = json.dumps([name, dict(settings)], sort_keys=True)
    return blake2b(words.encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=1)
def all_shipped() -> dict[str, Measured]:
    """All that was measured and is shipped; `scripts/measure_scores.py` writes it."""
    path = files(__package__) / "data" / "scores.json"
    found: dict[str, Measured] = json.loads(path.read_text(encoding="utf-8"))
    return found
