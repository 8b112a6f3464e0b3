"""The positions that are asked: drawn by how often they come up and what is at stake in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from random import Random

from number_duels.bench.suite import Suite
from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.history import History
from number_duels.core.randomness import sample, stream
from number_duels.review.position import AnySolution
from number_duels.trainer.book import Learner
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import MIXTURE, MOVE
from number_duels.trainer.spot import OpenSpot, Spot


def positions_of(suite: Suite, solution: AnySolution, salt: str = "") -> tuple[Spot, ...]:
    """The positions of one game of a suite; the salt is that of its games, if it is a secret."""
    game, count = solution.game, suite.size.positions
    if not suite.frozen:
        return draw_positions(solution, count, stream(suite.seed, "positions", game.name, salt))
    return tuple(one for one in suite.frozen if one.game == game.name)[:count]


def draw_positions(solution: AnySolution, count: int, rng: Random) -> tuple[Spot, ...]:
    """The first decision of the game, then such where perfect play mixes and such of any kind.

    All games come through the first decision, so what is said there can be held against
    what is played.
    """
    found = [opening(solution.game, rng)][:count]
    seen = {spot.id for spot in found}
    drills = Drills(solution)
    while len(found) < count:
        form = MIXTURE if len(found) % 2 else MOVE
        spot = next(drawn(drills, form, rng, seen), None)
        if spot is None:
            break
        found.append(spot)
        seen.add(spot.id)
    return tuple(spot.spot for spot in found)


def drawn(drills: Drills, form: str, rng: Random, seen: set[str]) -> Iterator[OpenSpot]:
    """A position where perfect play mixes, if any is left and wanted; else one of any kind."""
    for wanted in dict.fromkeys((form, MOVE)):
        try:
            yield drills.draw(Scope(form=wanted), Learner(), rng, seen).spot
        except ValueError:  # nothing of the kind is left
            continue


def opening(game: AnyGame, rng: Random) -> OpenSpot:
    history: History[Hashable, Hashable, Hashable] = History(game, game.start(rng))
    while isinstance(turn := history.turn, Chance):
        history = history.sampled(sample(turn.odds, rng))
    assert isinstance(turn, Decision)
    return OpenSpot(game, history, min(turn.options, default=Seat.ONE))
