"""Positions and reviews as JSON: one shape for the terminal, the web server and the library."""

from __future__ import annotations

from collections.abc import Sequence

from number_duels.core.game import AnyGame
from number_duels.review.game import Grade, Review, Tally, totals
from number_duels.review.position import Option, Position

JsonObject = dict[str, object]


def position_json(game: AnyGame, moves: str, position: Position) -> JsonObject:
    """The analysis of a position that is reached by these moves."""
    found: JsonObject = {
        "game": game.name,
        "settings": game.settings,
        "moves": moves,
        "to_move": [seat + 1 for seat in position.options],
        "value": position.value,
        "options": {
            str(seat + 1): [option_json(option) for option in options]
            for seat, options in position.options.items()
        },
    }
    if position.outcome is not None:
        found["result"] = position.outcome.result
    return found


def option_json(option: Option) -> JsonObject:
    return {
        "move": option.move,
        "value": option.value,
        "guarantee": option.guarantee,
        "probability": option.probability,
    }


def review_json(review: Review) -> JsonObject:
    return {
        "game": review.record.game,
        "result": review.record.result,
        "turns": [grade_json(grade) for grade in review.grades],
        "players": players_json(review),
    }


def reviews_json(reviews: Sequence[Review]) -> JsonObject:
    """One review as it is; several as a list, with every player's totals by name."""
    if len(reviews) == 1:
        return review_json(reviews[0])
    return {
        "games": [review_json(one) for one in reviews],
        "players": {name: tally_json(tally) for name, tally in totals(reviews).items()},
    }


def grade_json(grade: Grade) -> JsonObject:
    return {
        "turn": grade.turn,
        "seat": grade.seat + 1,
        "move": grade.move,
        "value_before": grade.value_before,
        "loss": grade.loss,
        "best": list(grade.best),
    }


def players_json(review: Review) -> JsonObject:
    """Both players' figures, by seat."""
    return {str(seat + 1): tally_json(tally) for seat, tally in review.players.items()}


def tally_json(tally: Tally) -> JsonObject:
    """One player's figures; with the number of games where they are totals of several."""
    figures: JsonObject = {"loss": tally.loss, "accuracy": tally.accuracy, "luck": tally.luck}
    return figures if tally.games == 1 else {"games": tally.games, **figures}
