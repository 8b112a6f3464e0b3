"""The fixed points of the rating scale: players whose results are computed, not played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from statistics import fmean

from number_duels.arena.row import OVERALL
from number_duels.arena.schedule import event_name
from number_duels.arena.stats.ratings import anchor_ratings
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit
from number_duels.players.calibration import exact_scores, shipped
from number_duels.players.registry import policy_of
from number_duels.solvers import Unsolvable
from number_duels.solvers.best_response import best_response


def anchors_of(
    games: Iterable[AnyGame], progress: Callable[[float], None] | None = None
) -> dict[str, dict[str, float]]:
    """The built-in players' ratings at every game, and at all of them taken together."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    whole = True
    for game in games:
        try:
            found[event_name(game)] = exact_scores(game, progress)
        except Unsolvable:
            whole = False  # an unmeasured game leaves all games together without a scale
    rated = {event: anchor_ratings(scores) for event, scores in found.items()}
    if whole and len(found) > 1:
        tables = list(found.values())
        mean = {pair: fmean(table[pair] for table in tables) for pair in tables[0]}
        rated[OVERALL] = anchor_ratings(mean)
    return rated


def exploitabilities_of(
    games: Iterable[AnyGame],
    policies: Collection[str] = (),
    progress: Callable[[float], None] | None = None,
) -> dict[str, dict[str, float]]:
    """What a best reply gains on built-in players, where that is known without computing.

    It is computed for `policies`, the words of trained ones: their code runs here.
    """
    found: dict[str, dict[str, float]] = {}
    for game in games:
        figures = shipped(game)
        gains = dict(figures["exploitability"]) if figures else {"perfect": 0.0}
        for who in policies:
            # One that is too large to answer, or fails somewhere, has only what was seen of it.
            with suppress(ValueError, Forfeit):
                answer = best_response(game, policy_of(who, game), progress=progress)
                gains[who] = answer.exploitability
        found[event_name(game)] = gains
    tables = list(found.values())
    if len(tables) > 1:
        known = [who for who in tables[0] if all(who in table for table in tables)]
        found[OVERALL] = {who: fmean(table[who] for table in tables) for who in known}
    return found
