"""What is worked out away from the event loop: choices, hints, reviews, analyses.

Plain functions of plain values, so that another process can run them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic

from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat
from number_duels.core.player import Player, situation
from number_duels.core.questions import Question
from number_duels.core.record import with_names
from number_duels.games import find, load
from number_duels.players.registry import seat_player
from number_duels.review import Grade, Option, Review, examine, position_of, review
from number_duels.review.position import AnySolution
from number_duels.review.text import position_lines, review_lines, verdict
from number_duels.solvers import Unsolvable, solve
from number_duels.web.api.serializers import board
from number_duels.web.db.stored_game import Ledger

Facts = dict[str, object]


class TooSlow(Unsolvable):
    """A game that takes longer to solve than this server allows."""


@dataclass(frozen=True)
class Inquiry:
    """A position that somebody wants to see under the light."""

    game: str
    moves: str = ""
    deal: str | None = None
    first: str | None = None
    settings: tuple[str, ...] = ()


def within(seconds: float, title: str) -> Callable[[float], None]:
    """A progress report that gives up when time is over."""
    end = monotonic() + seconds

    def report(_: float) -> None:
        if monotonic() > end:
            raise TooSlow(f"{title} with these settings takes too long to solve here.")

    return report


@lru_cache(maxsize=8)
def player(who: str, game: AnyGame, patience: float) -> Player:
    """The player that a word names, ready to play."""
    found = seat_player(who, game, within(patience, game.title))
    assert found is not None
    return found


@lru_cache(maxsize=8)
def solution(game: AnyGame, patience: float) -> AnySolution:
    """The exact solution of a game."""
    return solve(game, progress=within(patience, game.title))


def prepare(who: str, game: AnyGame, patience: float) -> None:
    """Raise a ValueError if a player cannot play a game."""
    player(who, game, patience)


def choose(ledger: Ledger, seat: Seat, patience: float) -> str:
    """What the computer in a seat plays now; the same whenever it is asked."""
    match = ledger.match()
    chair = player(ledger.chairs[seat].who, ledger.game, patience)
    return str(chair.choose(situation(match, seat)))


def hint(ledger: Ledger, seat: Seat, patience: float) -> Facts:
    """What every option of a seat is worth."""
    position = examine(solution(ledger.game, patience), ledger.match().view(seat))
    lines = position_lines(position, seat)
    return {
        "text": [with_names(line, ledger.names) for line in lines],
        "value": position.value,
        "options": [option_facts(option) for option in position.options.get(seat, ())],
    }


def option_facts(option: Option) -> Facts:
    """One option."""
    return {"move": option.move, "value": option.value, "probability": option.probability}


# ---- reviews -------------------------------------------------------------------


def review_game(ledger: Ledger, patience: float) -> Facts:
    """What each move of a finished game cost; a resigned one as far as it went."""
    record = replace(ledger.match().record, result="*")
    found = review(ledger.game, record, solution(ledger.game, patience))
    return {
        "text": [with_names(line, ledger.names) for line in review_lines(found)],
        "course": list(found.course),
        "grades": [grade_facts(grade) for grade in found.grades],
        "players": players_facts(found),
        "decisive": grade_facts(found.decisive) if found.decisive else None,
    }


def grade_facts(grade: Grade) -> Facts:
    """One decision."""
    return {
        "turn": grade.turn,
        "seat": grade.seat + 1,
        "move": grade.move,
        "loss": grade.loss,
        "best": list(grade.best),
        "value_before": grade.value_before,
    }


def players_facts(found: Review) -> Facts:
    """Both players' figures."""
    return {
        str(seat + 1): {"loss": tally.loss, "accuracy": tally.accuracy, "luck": tally.luck}
        for seat, tally in found.players.items()
    }


# ---- the analysis board --------------------------------------------------------


def analysis(inquiry: Inquiry, patience: float) -> Facts:
    """Any position: its board, its value, and what every option is worth."""
    game = game_of(inquiry)
    state, moves = position_of(game, inquiry.deal, inquiry.moves)
    position = examine(solution(game, patience), state)
    turn = game.turn(state)
    found: Facts = {
        "game": game.name,
        "title": game.title,
        "settings": game.settings,
        "moves": moves,
        "to_move": [seat + 1 for seat in position.options],
        "value": position.value,
        "verdict": turn.reason if isinstance(turn, Outcome) else verdict(position.value),
        "options": {},
        "board": board(game, state),
        "draws": [str(event) for event in turn.odds] if isinstance(turn, Chance) else [],
    }
    if isinstance(turn, Decision):
        labels = {seat: labels_of(game.question(state, seat)) for seat in turn.options}
        found["options"] = {
            str(seat + 1): [
                {**option_facts(option), "label": labels[seat][option.move]} for option in options
            ]
            for seat, options in position.options.items()
        }
    if isinstance(turn, Outcome):
        found["result"] = turn.result
    return found


def game_of(inquiry: Inquiry) -> AnyGame:
    """The game of an inquiry, with its settings."""
    known = find(inquiry.game).describe_settings()
    chosen: dict[str, int | str] = {}
    for text in inquiry.settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"A setting is NAME=VALUE, such as {next(iter(known))}=…")
        chosen[name] = known[name].read(value) if name in known else value
    if inquiry.first is not None:
        chosen["first"] = int(inquiry.first)
    return load(inquiry.game, **chosen)


def labels_of(question: Question[Hashable]) -> Mapping[str, str]:
    """What the last button towards each move says."""
    return dict(label_pairs(question))


def label_pairs(question: Question[Hashable]) -> Iterator[tuple[str, str]]:
    """Every move that a question can end in, with its label."""
    for answer in question.answers:
        if isinstance(answer.leads_to, Question):
            yield from label_pairs(answer.leads_to)
        else:
            yield str(answer.leads_to), answer.label
