"""Sessions for playing, training, reviewing, analyzing and replaying, without a user interface.

A session holds the state of one activity and describes it as a scene. The terminal and the web
page draw scenes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution


@dataclass(frozen=True)
class Work:
    """Slow work to run before the next scene can be shown."""

    #: The game whose solution `run` needs.
    game: AnyGame
    #: The text to show while it runs.
    label: str
    run: Callable[[AnySolution], None]
