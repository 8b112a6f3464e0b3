"""What a learner misses, and how often: drills come back to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from number_duels.trainer.events import AnswerGiven

#: After so many answers in the same spot, or in the same part of a game, one counts half.
SPOT_HALF_LIFE, BUCKET_HALF_LIFE = 4, 20


@dataclass(frozen=True)
class MissRate:
    """How often something is missed; an answer counts the less, the more came after it.

    >>> MissRate(tries=2, misses=1).rate
    0.5
    """

    #: How many answers count.
    tries: float = 0.0
    #: How many of them were wrong.
    misses: float = 0.0

    def after(self, half_life: int, *, missed: bool) -> MissRate:
        """With another answer; those before it count the less, the shorter the half-life."""
        fades = 0.5 ** (1 / half_life)
        return MissRate(self.tries * fades + 1, self.misses * fades + missed)

    @property
    def rate(self) -> float:
        """The share of misses; a half while nothing is known.

        >>> MissRate().rate, MissRate(tries=2, misses=2).rate
        (0.5, 0.75)
        """
        return (self.misses + 1) / (self.tries + 2)


@dataclass(frozen=True)
class Learner:
    """What is known of somebody who answered; `Learner()` is somebody new.

    >>> Learner().weight("0f0f0f0f0f0f0f0f", "opening")
    1.0
    """

    spots: Mapping[str, MissRate] = field(default_factory=dict)
    #: By the part of the game: opening, middle, end.
    buckets: Mapping[str, MissRate] = field(default_factory=dict)

    @classmethod
    def of(cls, answers: Iterable[AnswerGiven]) -> Learner:
        """The learner who gave these answers, in their order."""
        spots, buckets = dict[str, MissRate](), dict[str, MissRate]()
        for answer in answers:
            missed = not answer.right
            spot, bucket = spots.get(answer.card, MissRate()), buckets.get(answer.phase, MissRate())
            spots[answer.card] = spot.after(SPOT_HALF_LIFE, missed=missed)
            buckets[answer.phase] = bucket.after(BUCKET_HALF_LIFE, missed=missed)
        return cls(spots, buckets)

    def weight(self, spot_id: str, bucket: str) -> float:
        """How much more often a spot should come up: 1 if nothing is known, never 0, below 4."""
        spot, part = self.spots.get(spot_id, MissRate()), self.buckets.get(bucket, MissRate())
        return 4 * spot.rate * part.rate
