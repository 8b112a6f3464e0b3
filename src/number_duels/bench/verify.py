"""Verification of a results file: replay every game and recompute every figure.

Cards and the moves of the ladder follow from the seeds, so they are drawn again. The moves of the
measured player are taken from the file. No code that a file names is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace

from number_duels.arena.grading import Figures, Grader, Policies
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture
from number_duels.bench.answers import question_id, regraded
from number_duels.bench.questions import forms_for
from number_duels.bench.report import report_of
from number_duels.bench.results import Results
from number_duels.bench.suite import PLAYER, Suite, positions_of
from number_duels.core.game import AnyGame, Chance, IllegalMove, Outcome
from number_duels.core.match import Match
from number_duels.core.notation import read
from number_duels.core.player import AnyMatch, Player, situation
from number_duels.players.registry import BUILT_IN, POLICY, make_built_in
from number_duels.review.position import AnySolution

#: Figures may differ by this much, because machines add up in different orders.
TOLERANCE = 1e-9

Solutions = Mapping[str, AnySolution]


class Verifier:
    """Checks one results file. `differences` yields one sentence per error."""

    def __init__(self, results: Results, solutions: Solutions) -> None:
        self.results = results
        self.solutions = solutions
        self.suite: Suite = results.header.to_suite()
        salt = self.suite.salt or results.salt
        schedule = replace(self.suite.schedule(results.header.player), salt=salt)
        pairs = (p for pairing in schedule.pairings() for p in schedule.pairs_of(pairing))
        self.fixtures: dict[str, Fixture] = {f.id: f for pair in pairs for f in pair}
        self._graders = {name: Grader(solution) for name, solution in solutions.items()}
        self._players: dict[tuple[str, AnyGame], Player] = {}

    def differences(
        self, kept: Mapping[str, object] | None, on_done: Callable[[float], None] = lambda _: None
    ) -> Iterator[str]:
        """Yield what is wrong with games, answers, and the figures of a report, if one is given."""
        games = self.results.games
        for done, (name, result) in enumerate(games.items(), 1):
            yield from (f"{name}: {what}" for what in self.game(result))
            on_done(done / len(games))
        missing = [name for name in self.fixtures if name not in games]
        if missing:
            yield f"{len(missing)} of {len(self.fixtures)} games are missing, such as {missing[0]}."
        yield from self.answers()
        if kept is not None:
            now = report_of(self.results, self.solutions).as_object()
            for what in unlike("report", now, kept):
                yield f"The report says something else than its games: {what}."

    # ---- games -----------------------------------------------------------------

    def game(self, result: GameResult) -> Iterator[str]:
        fixture = self.fixtures.get(result.fixture)
        if fixture is None:
            yield "it is no game of this suite."
            return
        if result.record.seed != fixture.seed or result.record.players != fixture.seats:
            yield "its seed or its players are not those of the suite."
            return
        try:
            match = self.replayed(result, fixture)
        except (IllegalMove, ValueError) as error:
            yield f"it cannot be played: {error}"
            return
        if isinstance(match, str):
            yield match
            return
        yield from self.ending(result, match)
        found = self._graders[result.record.game].grade(result.record, self.policies(result))
        foreign = any(side.who.startswith(POLICY) for side in result.sides)
        if not alike(found, result.figures, luck=not foreign):
            yield "its moves cost something else than it says."

    def replayed(self, result: GameResult, fixture: Fixture) -> AnyMatch | str:
        """Replay a game. Return a sentence instead if a card or a move of the ladder is wrong."""
        game, record = fixture.pairing.game, result.record
        match: AnyMatch = Match(game, fixture.seed, players=fixture.seats)
        if match.record.deal != record.deal:
            return "other cards were dealt than its seed deals."
        for step in read(game, match.state, record.moves):
            if isinstance(match.turn, Chance):
                match.draw()
                if match.state != step.after:
                    return "another card was drawn than its seed draws."
                continue
            for seat in sorted(step.moves):
                rung = record.players[seat].who
                if record.players[seat].name != PLAYER and rung in BUILT_IN:
                    own = self.player(rung, game).choose(situation(match, seat))
                    if own != step.moves[seat]:
                        return f"{rung} played {step.moves[seat]} where its seed plays {own}."
            for seat, move in sorted(step.moves.items()):
                match.submit(seat, move)
        return match

    def player(self, who: str, game: AnyGame) -> Player:
        if (who, game) not in self._players:
            self._players[who, game] = make_built_in(who, game)
        return self._players[who, game]

    def ending(self, result: GameResult, match: AnyMatch) -> Iterator[str]:
        """Yield what is wrong with the result of a game, given its moves and forfeits."""
        turn, given_up = match.turn, any(result.forfeits)
        if isinstance(turn, Outcome):
            if given_up or turn.result != result.record.result:
                yield f"it says {result.record.result}, but by its moves it is {turn.result}."
        elif not given_up:
            yield "it was not played to its end, and nobody gave it up."
        elif result.record.result != ("0-1" if result.forfeits[0] else "1-0"):
            yield "who gave it up did not lose it."

    def policies(self, result: GameResult) -> Policies:
        """Return the policies of both seats, or None where a policy is not a built-in player's."""
        game = self.fixtures[result.fixture].pairing.game
        one, two = (
            getattr(self.player(side.who, game), "policy", None) if side.who in BUILT_IN else None
            for side in result.sides
        )
        return one, two

    # ---- positions -------------------------------------------------------------

    def answers(self) -> Iterator[str]:
        """Yield what is wrong with the answers: other questions, wrong grades, missing answers."""
        secret = "" if self.suite.is_public else self.results.salt
        forms = forms_for(self.results.header.player)
        wanted = {
            question_id(spot, form)
            for solution in self.solutions.values()
            for spot in positions_of(self.suite, solution, secret)
            for form in forms
        }
        for name, answer in self.results.answers.items():
            if name not in wanted:
                yield f"{name} is no question of this suite."
            again = regraded(self.solutions[answer.spot.game], answer).grade
            if abs(again.cost - answer.grade.cost) + abs(again.worst - answer.grade.worst) > 1e-9:
                yield f"{name}: the answer costs {again.cost:g}, not {answer.grade.cost:g}."
        missing = sorted(wanted - self.results.answers.keys())
        if missing:
            yield f"{len(missing)} of {len(wanted)} answers are missing, such as {missing[0]}."


def alike(one: Figures, two: Figures | None, *, luck: bool) -> bool:
    if two is None:
        return False
    said = (
        asdict(figures if luck else replace(figures, cards=0, mixing=0)) for figures in (one, two)
    )
    return not any(unlike("", *said))


def unlike(place: str, one: object, two: object) -> Iterator[str]:
    """Yield the places where two JSON values differ."""
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        for key in dict.fromkeys((*map(str, one), *map(str, two))):
            mine = {str(name): value for name, value in one.items()}
            yield from unlike(f"{place}.{key}", mine.get(key), two.get(key))
    elif isinstance(one, list | tuple) and isinstance(two, list | tuple) and len(one) == len(two):
        for number, (mine, theirs) in enumerate(zip(one, two, strict=True)):
            yield from unlike(f"{place}[{number}]", mine, theirs)
    elif not equal(one, two):
        yield f"{place} is {one!r:.60}, not {two!r:.60}"


def equal(one: object, two: object) -> bool:
    numbers = isinstance(one, int | float) and isinstance(two, int | float)
    return abs(one - two) <= TOLERANCE if numbers else one == two  # type: ignore[operator]  # numbers
