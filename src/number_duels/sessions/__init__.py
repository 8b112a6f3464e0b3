"""What a person does, without I/O; the terminal and the page draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution


@dataclass(frozen=True)
class Work:
    """Something slow that comes next."""

    #: Whose solution it needs.
    game: AnyGame
    #: What somebody waits for.
    label: str
    #: Do it.
    run: Callable[[AnySolution], None]
