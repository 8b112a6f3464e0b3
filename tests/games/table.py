"""A game as far as some notation takes it, and what is told there."""

from __future__ import annotations

from number_duels.core.game import E, Game, IllegalMove, M, Outcome, S, Seat
from number_duels.core.match import Match
from number_duels.core.record import Record

__all__ = ["IllegalMove", "outcome", "played", "told"]


def played(game: Game[S, M, E], moves: str = "", deal: str | None = None) -> Match[S, M, E]:
    """The match after some turns."""
    fresh = Match(game, seed=1, deal=deal)
    dealt = fresh.record.deal
    record = Record(game.name, game.settings, dealt, 1, moves=moves, started="2026-01-01T00:00:00Z")
    return Match.from_record(game, record)


def outcome(game: Game[S, M, E], moves: str, deal: str | None = None) -> str:
    """The result of a whole game."""
    match = played(game, moves, deal)
    assert isinstance(match.turn, Outcome)
    return match.result


def told(match: Match[S, M, E], viewer: Seat | None = None) -> list[str]:
    """The lines after the last step, without the blank ones."""
    step = match.steps(viewer)[-1]
    return [line for line in match.game.tell(step.before, step.moves, step.after, viewer) if line]
