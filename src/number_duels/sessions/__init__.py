"""Sessions: what a person can see and do while playing, training, reviewing or analyzing.

A session describes its state as a scene, which the terminal and the web page draw.
"""

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
