"""Convert positions, reviews and statistics to JSON objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from number_duels.core.game import AnyGame
from number_duels.review.game import Review, totals
from number_duels.review.habits import Habit
from number_duels.review.locks import LockedOption, LockedPosition
from number_duels.review.mistakes import Grade, Mistake
from number_duels.review.player_stats import OwnGame, PlayerStats, Score, chances_lost
from number_duels.review.position import Chances, Option, Position
from number_duels.review.tally import Tally
from number_duels.review.words import sentences

__all__ = ["position_json", "review_json"]

JsonObject = dict[str, object]


def position_json(game: AnyGame, moves: str, position: Position) -> JsonObject:
    """Return the analysis of the position after `moves`, as a JSON object.

    >>> from number_duels import load, solve
    >>> from number_duels.review import examine
    >>> game = load("number-knot", numbers=3, life=3)
    >>> found = position_json(game, "", examine(solve(game), game.start()))
    >>> found["value"], found["options"]["1"][0]["move"]
    (1.0, 'S3')
    """
    found: JsonObject = {
        "game": game.name,
        "settings": game.settings,
        "moves": moves,
        "to_move": [seat + 1 for seat in position.options],
        "value": position.value,
        "chances": chances_json(position.chances),
        "options": {
            str(seat + 1): [option_json(option) for option in options]
            for seat, options in position.options.items()
        },
    }
    if position.outcome is not None:
        found["result"] = position.outcome.result
    return found


def locks_json(position: LockedPosition) -> JsonObject:
    """Return the effect of locks on a position, as a JSON object. `value` is Player 1's."""
    return {
        "locks": list(map(str, position.locks)),
        "replies": {
            str(seat + 1): {"value": value, "gain": position.gain(seat)}
            for seat, value in position.replies.items()
        },
        "adjusted": {
            "value": position.adjusted,
            "costs": {
                str(seat + 1): position.cost(seat)
                for seat in sorted({lock.seat for lock in position.locks})
            },
        },
        "options": {
            str(seat + 1): [locked_option_json(option) for option in options]
            for seat, options in position.options.items()
        },
    }


def locked_option_json(option: LockedOption) -> JsonObject:
    return {name: value for name, value in asdict(option).items() if name != "words"}


def option_json(option: Option) -> JsonObject:
    return {name: getattr(option, name) for name in ("move", "value", "guarantee", "probability")}


def chances_json(chances: Chances | None) -> JsonObject | None:
    return None if chances is None else {**asdict(chances)}


def review_json(review: Review) -> JsonObject:
    """Return a review as a JSON object.

    Player 1's result is `value`, minus Player 1's losses, plus Player 2's losses, plus luck.

    >>> from number_duels import Record, load, review
    >>> record = Record("number-knot", load("number-knot").settings, None, 7, moves="S5 A3 S9")
    >>> [turn["loss"] for turn in review_json(review(record))["turns"]]
    [0.0, 1.0, 0.0]
    """
    lost = [
        {"seat": one.seat + 1, "loss": one.cost} for one in review.concessions if one.is_forfeit
    ]
    return {
        "game": review.record.game,
        "result": review.record.result,
        "value": review.course[0],
        "chances": chances_json(review.chances),
        "turns": turns_json(review),
        "players": players_json(review),
        "forfeit": lost[0] if lost else None,
        **({"second_forfeit": lost[1]} if len(lost) == 2 else {}),
        "habits": [habit_json(habit) for habit in review.habits],
        "course": list(review.course),
        "skill": list(review.skill),
        "luck": list(review.luck),
    }


def reviews_json(reviews: Sequence[Review]) -> JsonObject:
    if len(reviews) == 1:
        return review_json(reviews[0])
    return {
        "games": [review_json(one) for one in reviews],
        "players": {name: tally_json(tally) for name, tally in totals(reviews).items()},
    }


def turns_json(review: Review) -> list[JsonObject]:
    why = {(mistake.turn, mistake.seat): mistake for mistake in review.mistakes}
    return [grade_json(grade, why.get((grade.turn, grade.seat))) for grade in review.grades]


def grade_json(grade: Grade, mistake: Mistake | None = None) -> JsonObject:
    found: JsonObject = {
        **vars(grade),
        "seat": grade.seat + 1,
        "best": list(grade.best),
        "decisive": grade.is_blunder,
        "grade": grade.kind,
    }
    del found["count"], found["good"]
    if mistake is not None:
        found["why"] = " ".join(sentences(mistake))
        found["line"] = {"moves": mistake.line.moves, "value": mistake.line.left.value}
    return found


def habit_json(habit: Habit) -> JsonObject:
    return {**asdict(habit), "seat": habit.seat + 1}


def players_json(review: Review) -> JsonObject:
    return {str(seat + 1): tally_json(tally) for seat, tally in review.players.items()}


def tally_json(tally: Tally) -> JsonObject:
    careless = tally.carelessness
    names = ("loss", "accuracy", "luck", "worst", "decisions", "choices")
    figures: JsonObject = {
        **{name: getattr(tally, name) for name in names},
        "thrown_away": None if careless is None else careless.mean,
        "interval": None if careless is None else careless.interval,
    }
    return figures if tally.games == 1 else {"games": tally.games, **figures}


def stats_json(stats: PlayerStats) -> JsonObject:
    return {
        **score_json(stats.games),
        "streak": stats.streak,
        "longest_streak": stats.longest_streak,
        "opponents": {who: score_json(games) for who, games in stats.opponents.items()},
        "over_time": [own_game_json(game) for game in stats.games],
        "phases": {phase: total_json(tally) for phase, tally in stats.phases.items()},
        "figures": total_json(stats.tally),
        "left_out": dict(stats.left_out),
        "ungraded": dict(stats.ungraded),
    }


def score_json(games: Sequence[OwnGame]) -> JsonObject:
    score = Score.of(game.result for game in games)
    thrown = chances_lost(games)
    return {
        "games": score.played,
        **asdict(score),
        "thrown_away_a_game": sum(thrown) / len(thrown) if thrown else None,
    }


def own_game_json(game: OwnGame) -> JsonObject:
    return {
        "started": game.started,
        "game": game.game,
        "opponent": game.opponent,
        "result": {1: "won", 0: "drawn", -1: "lost"}[game.result],
        "thrown_away": game.chance_lost,
    }


def total_json(tally: Tally) -> JsonObject:
    return {"games": tally.games, **tally_json(tally)}
