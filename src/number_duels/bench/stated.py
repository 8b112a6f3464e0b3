"""What a player says that it would do, beside what it does at the same position."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from number_duels.bench.answers import PositionAnswer
from number_duels.bench.results import Results
from number_duels.bench.suite import PLAYER
from number_duels.core.game import Seat
from number_duels.core.notation import read
from number_duels.games import load
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXTURE, MOVE

#: A game, what the future depends on in it, and a seat.
Place = tuple[str, Hashable, Seat]


@dataclass(frozen=True)
class Comparison:
    """One position: what was stated, what was played there, and what perfect play does."""

    answer: PositionAnswer
    stated: Mapping[str, float]
    #: How often each move was played there, in games and where it was asked for its best move.
    played: Mapping[str, int]
    perfect: Mapping[str, float]

    @property
    def distance(self) -> float | None:
        """Half of all differences between shares stated and played, 0 to 1; None: never there."""
        total = sum(self.played.values())
        if not total or not self.stated:
            return None
        moves = {*self.stated, *self.played}
        return (
            sum(
                abs(self.stated.get(move, 0.0) - self.played.get(move, 0) / total) for move in moves
            )
            / 2
        )


def comparisons(results: Results, solutions: Mapping[str, AnySolution]) -> list[Comparison]:
    """All positions at which a mixture was stated; solutions are by the names of games."""
    played = played_at(results)
    found = []
    for answer in results.answers.values():
        spot = answer.spot.open()
        place = spot.game.name, spot.game.key(spot.state), spot.seat
        if answer.form == MIXTURE:
            odds = solutions[spot.game.name].strategy(spot.state, spot.seat)
            perfect = {str(move): share for move, share in odds.items() if share > 0}
            own = dict(sorted(played.get(place, Counter()).items()))
            found.append(Comparison(answer, answer.weights, own, perfect))
    return sorted(found, key=lambda one: -sum(one.played.values()))


def played_at(results: Results) -> Mapping[Place, Counter[str]]:
    """By position, what the player played there."""
    found: dict[Place, Counter[str]] = defaultdict(Counter)
    for place, move in decisions(results):
        found[place][move] += 1
    return found


def decisions(results: Results) -> Iterator[tuple[Place, str]]:
    games = {name: load(name, **own) for name, own in results.header.settings.items()}
    for result in results.games.values():
        record, game = result.record, games[result.record.game]
        (seat,) = (s for s in Seat if record.players[s].name == PLAYER)
        for step in read(game, game.start(deal=record.deal), record.moves):
            if seat in step.moves:
                yield (game.name, game.key(step.before), seat), str(step.moves[seat])
    for answer in results.answers.values():
        if answer.form == MOVE and answer.weights:
            spot = answer.spot.open()
            place = spot.game.name, spot.game.key(spot.state), spot.seat
            yield place, next(iter(answer.weights))
