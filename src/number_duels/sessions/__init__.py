"""Sessions describe what a person sees and does as scenes, which front ends draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution


@dataclass(frozen=True)
class Work:
    game: AnyGame
    label: str
    run: Callable[[AnySolution], None]
