"""Verify a results file: replay every game and compute every result, without the player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from number_duels.arena.grading import Figures, Grader, Policies
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture
from number_duels.bench.answers import PositionAnswer, question_id, regraded
from number_duels.bench.page import page
from number_duels.bench.questions import Question, asked_of, read_mix, situation_of
from number_duels.bench.report import report_of
from number_duels.bench.results import Results
from number_duels.bench.suite import PLAYER, Suite
from number_duels.bench.words import shares
from number_duels.core.game import AnyGame, Chance, IllegalMove, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.notation import read
from number_duels.core.player import AnyMatch, Player, situation
from number_duels.players.external import Refused
from number_duels.players.llm.replies import Reply
from number_duels.players.registry import BUILT_IN, POLICY, is_model, make_built_in
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MOVE

#: Figures may differ by this much, because machines add numbers in different orders.
TOLERANCE = 1e-9

Solutions = Mapping[str, AnySolution]


@dataclass(frozen=True)
class Files:
    report: Mapping[str, object] | None = None
    page: str | None = None
    calls: Sequence[Mapping[str, object]] = ()


NO_FILES = Files()


class Verifier:
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
        self, files: Files = NO_FILES, on_done: Callable[[float], None] = lambda _: None
    ) -> Iterator[str]:
        games = self.results.games
        for done, (name, result) in enumerate(games.items(), 1):
            yield from (f"{name}: {what}" for what in self.game(result))
            on_done(done / len(games))
        missing = [name for name in self.fixtures if name not in games]
        if missing:
            yield f"{len(missing)} of {len(self.fixtures)} games are missing, such as {missing[0]}."
        yield from self.answers()
        yield from self.calls(files.calls)
        now = report_of(self.results, self.solutions)
        if files.report is not None:
            for what in unlike("report", now.as_object(), files.report):
                yield f"The report does not match the games: {what}."
        if files.page is not None and files.page != page(now):
            yield "The page does not match the games."

    def game(self, result: GameResult) -> Iterator[str]:
        fixture = self.fixtures.get(result.fixture)
        if fixture is None:
            yield "this game is not part of the suite."
            return
        if result.record.seed != fixture.seed or result.record.players != fixture.seats:
            yield "its seed or its players differ from those in the suite."
            return
        try:
            match = self.replayed(result, fixture)
        except (IllegalMove, ValueError) as error:
            yield f"the game cannot be replayed: {error}"
            return
        if isinstance(match, str):
            yield match
            return
        yield from self.ending(result, match)
        given_up = [seat for seat in Seat if result.forfeits[seat]]
        grader = self._graders[result.record.game]
        found = grader.grade(result.record, self.policies(result), given_up)
        foreign = any(side.who.startswith(POLICY) for side in result.sides)
        if not alike(found, result.figures, luck=not foreign):
            yield "the recorded costs of its moves are wrong."

    def replayed(self, result: GameResult, fixture: Fixture) -> AnyMatch | str:
        """Replay a game. If a card or an opponent's move is wrong, return the error as text."""
        game, record = fixture.pairing.game, result.record
        match: AnyMatch = Match(game, fixture.seed, players=fixture.seats)
        if match.record.deal != record.deal:
            return "its deal does not match its seed."
        for step in read(game, match.state, record.moves):
            if isinstance(match.turn, Chance):
                match.draw()
                if match.state != step.after:
                    return "a drawn card does not match the game's seed."
                continue
            for seat in sorted(step.moves):
                rung = record.players[seat].who
                if record.players[seat].name != PLAYER and rung in BUILT_IN:
                    own = self.player(rung, game).choose(situation(match, seat))
                    if own != step.moves[seat]:
                        return (
                            f"{rung} played {step.moves[seat]}, but it plays {own} with this seed."
                        )
            for seat, move in sorted(step.moves.items()):
                match.submit(seat, move)
        return match

    def player(self, who: str, game: AnyGame) -> Player:
        if (who, game) not in self._players:
            self._players[who, game] = make_built_in(who, game)
        return self._players[who, game]

    def ending(self, result: GameResult, match: AnyMatch) -> Iterator[str]:
        turn, given_up = match.turn, any(result.forfeits)
        if isinstance(turn, Outcome):
            if given_up or turn.result != result.record.result:
                yield f"its result is {result.record.result}, but its moves lead to {turn.result}."
        elif not given_up:
            yield "the game is unfinished, but nobody forfeited it."
        elif result.record.result != ("0-1" if result.forfeits[0] else "1-0"):
            yield "the player who forfeited the game did not lose it."

    def policies(self, result: GameResult) -> Policies:
        game = self.fixtures[result.fixture].pairing.game
        one, two = (
            getattr(self.player(side.who, game), "policy", None) if side.who in BUILT_IN else None
            for side in result.sides
        )
        return one, two

    def calls(self, calls: Sequence[Mapping[str, object]]) -> Iterator[str]:
        """Yield an error for each move and mixed strategy that the model did not name."""
        if not calls and is_model(self.results.header.player):
            yield "The file of calls is missing, so the model's answers cannot be checked."
        said = {
            tuple(str(c.get(n)) for n in ("fixture", "seat", "turn")): c.get("move") for c in calls
        }
        known = [one for name, one in self.results.games.items() if name in self.fixtures]
        for result in known if calls else ():
            name, record = result.fixture, result.record
            game, turn = self.fixtures[name].pairing.game, 0
            for step in read(game, game.start(deal=record.deal), record.moves):
                turn += bool(step.moves)
                for seat, move in step.moves.items():
                    if record.players[seat].name != PLAYER:
                        continue
                    if said.get((name, str(seat + 1), str(turn))) != str(move):
                        what = f"the move {move} in turn {turn}"
                        yield f"{name}: none of the model's answers contains {what}."
        asked = {str(call.get("question")): call for call in calls}
        for name, answer in self.results.answers.items() if calls else ():
            if answer.weights and not names(asked.get(name, {}), answer):
                yield f"{name}: none of the model's answers contains {shares(answer.weights)}."

    def answers(self) -> Iterator[str]:
        secret = "" if self.suite.is_public else self.results.salt
        who = self.results.header.player
        wanted = {
            question_id(spot, form)
            for solution in self.solutions.values()
            for spot, form in asked_of(self.suite, who, solution, secret)
        }
        for name, answer in self.results.answers.items():
            if name not in wanted:
                yield f"{name} is not a question in this suite."
            again = regraded(self.solutions[answer.spot.game], answer).grade
            for what in unlike("its grade", asdict(again), asdict(answer.grade)):
                yield f"{name}: {what}."
        missing = sorted(wanted - self.results.answers.keys())
        if missing:
            yield f"{len(missing)} of {len(wanted)} answers are missing, such as {missing[0]}."


def names(call: Mapping[str, object], answer: PositionAnswer) -> bool:
    if answer.form == MOVE:
        return answer.weights == {call.get("move"): 1.0}
    now = situation_of(Question(answer.spot, answer.form, 0))
    try:
        found = read_mix(now, Reply(str(call.get("answer"))))
    except Refused:
        return False
    return not any(unlike("", found, answer.weights))


def alike(one: Figures, two: Figures | None, *, luck: bool) -> bool:
    if two is None:
        return False
    said = (
        asdict(figures if luck else replace(figures, cards=0, mixing=0)) for figures in (one, two)
    )
    return not any(unlike("", *said))


def unlike(place: str, one: object, two: object) -> Iterator[str]:
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
