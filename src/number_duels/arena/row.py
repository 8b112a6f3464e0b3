"""One line of a report: what is known of one player at one game, or at all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from number_duels.arena.stats.intervals import Estimate
from number_duels.arena.stats.ratings import Rating
from number_duels.review.tally import Carelessness

#: The name under which all games are taken together.
OVERALL = "all games"
#: What stands beside a score that was not played for a fixed number of games.
STOPPED = "stopped early: a little too extreme"


@dataclass(frozen=True)
class Exploited:
    """What the best reply gains on a player, a game; 0 is perfect play.

    Where it is not exact, the best reply gains at least this: what an opponent gained,
    by the lower end of a one-sided 95% interval.
    """

    gain: float
    exact: bool


@dataclass(frozen=True)
class Misfit:
    """What a player scored against an opponent, and what its rating expects: shares of points."""

    opponent: str
    observed: float
    expected: float
    #: Whether the difference is more than chance: the expected score is outside the interval.
    flagged: bool


@dataclass(frozen=True)
class Row:
    """One player at one game, or at all of them. Results and losses: win 1, draw 0, loss -1."""

    event: str
    name: str
    who: str
    games: int
    score: Estimate
    #: The same without the luck that is known; None where a game is not solved.
    corrected: Estimate | None
    #: How many times fewer games the corrected score needs for the same interval; None: unknown.
    fewer: float | None
    loss_per_game: float | None
    loss_per_decision: float | None
    accuracy: float | None
    #: The chances thrown away for each decision that is not obvious, as in a review.
    carelessness: Carelessness | None
    blunders: int
    #: Games given away, and answers refused, by kind.
    forfeits: Mapping[str, int]
    refused: Mapping[str, int]
    rating: Rating | None
    #: Whether the rating was computed exactly instead of played for.
    anchor: bool
    #: 95% intervals; the pairs of games are what varies.
    loss_per_game_interval: tuple[float, float] | None
    loss_per_decision_interval: tuple[float, float] | None
    accuracy_interval: tuple[float, float] | None
    exploitability: Exploited | None
    #: How the rating fits each opponent; empty without a rating, and for exact ones.
    misfits: tuple[Misfit, ...]
    #: The opponent on whom the rating rests, if it is one alone.
    only_opponent: str | None
    #: Whether pairs are so few or so alike that the corrected score has the plain interval.
    plain_interval: bool
    #: What must be said beside the score; None: nothing.
    caveat: str | None
