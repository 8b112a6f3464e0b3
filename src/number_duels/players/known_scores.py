"""What the built-in players score against each other, where it is known without solving."""

from __future__ import annotations

from number_duels.core.game import AnyGame

#: For the first of two players, in the first seat, against the second.
Scores = dict[str, dict[str, float]]


def known_scores(game: AnyGame) -> Scores | None:
    """The shipped scores of a game with its settings, if there are any."""
    try:
        from number_duels.players.calibration import shipped
    except ModuleNotFoundError:  # without NumPy there are no figures, and still a game
        return None
    figures = shipped(game)
    return figures["scores"] if figures else None
