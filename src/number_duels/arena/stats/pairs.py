"""Pairs of games as the units that statistics count: same cards, seats swapped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from number_duels.arena.game_result import GameResult


@dataclass(frozen=True)
class Unit:
    """The mean of a pair of games from one player's side: the result, and what was luck in it."""

    result: float
    #: What the cards brought, and what known mixing brought; None: nobody can tell.
    luck: tuple[float, float] | None


def unit_of(first: GameResult, second: GameResult) -> Unit:
    """A pair from the side of the player who was Player 1 in its first game."""
    luck = None
    if first.luck is not None and second.luck is not None:
        cards, mixing = zip(first.luck, second.luck, strict=True)
        luck = (cards[0] - cards[1]) / 2, (mixing[0] - mixing[1]) / 2
    return Unit((first.score - second.score) / 2, luck)


def units_by_pairing(results: Iterable[GameResult]) -> dict[tuple[str, str, str], list[Unit]]:
    """The whole pairs of every event and pairing; a pair of which one game is missing waits."""
    games: dict[tuple[str, tuple[str, str], int], dict[bool, GameResult]] = defaultdict(dict)
    for result in results:
        swapped = result.record.players[0].name != result.pairing[0]
        games[result.event, result.pairing, result.pair][swapped] = result
    found: dict[tuple[str, str, str], list[Unit]] = defaultdict(list)
    for (event, pairing, _), pair in sorted(games.items(), key=lambda item: item[0][2]):
        if len(pair) == 2:
            found[event, *pairing].append(unit_of(pair[False], pair[True]))
    return dict(found)
