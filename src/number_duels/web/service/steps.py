"""A finished game turn by turn, for watching it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.core.scene import Frame, JsonObject, frame_json
from number_duels.sessions.game_log import trimmed
from number_duels.sessions.replay import ReplaySession
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.service.views import first_lines


def steps_view(stored: StoredGame, match: AnyMatch, viewer: Seat | None) -> list[JsonObject]:
    """A finished game as a viewer may see it."""
    names, more = stored.names_for(viewer), first_lines(stored)
    return steps_json(ReplaySession.of(match, viewer, names, more).frames)


def steps_json(frames: Sequence[Frame]) -> list[JsonObject]:
    """Frames as steps, each with the move that led there, and no blank lines around its words."""
    moves = [after.at[len(before.at) :].strip() for before, after in pairwise(frames)]
    return [
        frame_json(replace(frame, lines=tuple(trimmed(frame.lines)))) | {"move": move}
        for frame, move in zip(frames, ("", *moves), strict=True)
    ]
