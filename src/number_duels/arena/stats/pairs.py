"""Pairs of games with the seats swapped, as the units that statistics count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from number_duels.arena.game_result import GameResult
from number_duels.arena.grading import Cost


class Decisions(NamedTuple):
    """What one player's decisions in both games of a pair cost."""

    loss: float = 0.0
    #: What the worst options would have cost.
    worst: float = 0.0
    total: int = 0
    #: Decisions that are not obvious.
    choices: int = 0


@dataclass(frozen=True)
class Unit:
    """The mean of a pair of games from one player's side: the result, and what was luck in it."""

    result: float
    #: What the cards brought, and what known mixing brought; None: nobody can tell.
    luck: tuple[float, float] | None
    #: The decisions of this player and of its opponent.
    decisions: tuple[Decisions, Decisions] = (Decisions(), Decisions())

    @property
    def turned(self) -> Unit:
        """The same pair from the opponent's side."""
        luck = self.luck and (-self.luck[0], -self.luck[1])
        return Unit(-self.result, luck, self.decisions[::-1])


def unit_of(first: GameResult, second: GameResult) -> Unit:
    """A pair from the side of the player who was Player 1 in its first game."""
    luck = None
    if first.luck is not None and second.luck is not None:
        cards, mixing = zip(first.luck, second.luck, strict=True)
        luck = (cards[0] - cards[1]) / 2, (mixing[0] - mixing[1]) / 2
    (one, two), (three, four) = ((side.cost for side in game.sides) for game in (first, second))
    decisions = decisions_of(one, four), decisions_of(two, three)
    return Unit((first.score - second.score) / 2, luck, decisions)


def decisions_of(first: Cost, second: Cost) -> Decisions:
    return Decisions(
        first.loss + second.loss,
        first.worst + second.worst,
        first.decisions + second.decisions,
        first.choices + second.choices,
    )


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
