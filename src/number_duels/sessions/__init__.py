"""Sessions: playing, training, reviewing, analyzing and replaying, without a screen.

A session holds the state of one activity. A scene is what it shows now. The terminal and the web
page draw scenes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution


@dataclass(frozen=True)
class Work:
    """Slow work to do before the next scene."""

    #: The game whose solution it needs.
    game: AnyGame
    #: The text to show while it runs.
    label: str
    #: Does the work, given the solution.
    run: Callable[[AnySolution], None]
