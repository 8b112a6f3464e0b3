"""Runs of a bench, which can be interrupted and resumed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from threading import local

from number_duels.arena.engines import Engine
from number_duels.arena.game_runner import Roster
from number_duels.arena.report import versions
from number_duels.arena.schedule import salt_for
from number_duels.arena.tournament import Tournament, salted
from number_duels.bench.answers import PositionAnswer, regraded
from number_duels.bench.questions import Question, ask, forms_for
from number_duels.bench.results import BenchFile, Header
from number_duels.bench.suite import PLAYER, Suite, positions_of
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.core.randomness import stream
from number_duels.core.record import Person
from number_duels.players.external import Limits
from number_duels.players.registry import has_policy, is_model
from number_duels.review.position import AnySolution

#: Called with the done and total number of answers and games, after each of them.
OnDone = Callable[[int, int], None]


def header_of(
    suite: Suite, who: str, limits: Limits, command: str = "", clock: Clock = SYSTEM_CLOCK
) -> Header:
    return Header(
        suite=suite.name,
        player=who,
        pairs=suite.size.pairs,
        positions=suite.size.positions,
        seed=suite.seed,
        public=suite.is_public,
        variant=suite.variant,
        settings={game.name: game.settings for game in suite.games},
        ladder=suite.ladder,
        seconds=limits.seconds,
        retries=limits.retries,
        options=limits.of(PLAYER).model.facts() if is_model(who) else {},
        command=command,
        started=clock.now().isoformat(timespec="seconds"),
        versions=versions(),
    )


class Bench:
    """A suite, the measured player, and the results file."""

    def __init__(self, suite: Suite, who: str, limits: Limits, file: BenchFile) -> None:
        self.suite = suite
        self.who = who
        self.limits = limits
        self.file = file
        schedule = suite.schedule(who)
        if not suite.is_public:
            schedule = salted(schedule, file)
        self.tournament = Tournament(schedule, file)

    def run(
        self,
        engine: Engine,
        solutions: Mapping[AnyGame, AnySolution],
        on_done: OnDone = lambda *_: None,
        at_once: int = 1,
    ) -> None:
        """Ask and play what is missing from the file. Ask up to `at_once` questions at a time."""
        salt = self.tournament.schedule.salt
        asked = [(one, game) for game in solutions for one in self.questions(solutions[game], salt)]
        total = len(asked) + self.tournament.total
        done = len(self.file.answers) + len(self.file.results)

        def count() -> None:
            nonlocal done
            done += 1
            on_done(done, total)

        on_done(done, total)
        waiting = [(one, game) for one, game in asked if one.id not in self.file.answers]
        for answer in self.answers(waiting, solutions, at_once):
            self.file.add_answer(answer)
            count()
        self.tournament.run(engine, lambda _: count())

    def questions(self, solution: AnySolution, salt: str) -> Iterator[Question]:
        """Yield all questions about one game, each with a seed for the player's own dice."""
        own = salt_for(salt, "own") if salt else ""
        for spot in positions_of(self.suite, solution, "" if self.suite.is_public else salt):
            for form in forms_for(self.who):
                rng = stream(self.suite.seed, "question", own, spot.to_json(), form)
                yield Question(spot, form, rng.getrandbits(48))

    def answers(
        self,
        asked: list[tuple[Question, AnyGame]],
        solutions: Mapping[AnyGame, AnySolution],
        at_once: int,
    ) -> Iterator[PositionAnswer]:
        """Yield the answers in the order of the questions.

        Ask up to `at_once` questions at a time, unless the player's policy is known. Answers are
        graded in this thread, because threads cannot share a solution.
        """
        person, mine, rosters = Person(PLAYER, self.who), local(), list[Roster]()

        def answer(question: Question, game: AnyGame) -> PositionAnswer:
            if not hasattr(mine, "roster"):
                mine.roster = Roster(self.limits)
                rosters.append(mine.roster)
            player = mine.roster.player(person, game)
            return ask(question, self.who, player)

        try:
            # Keep the output of players' functions out of reports.
            with redirect_stdout(sys.stderr):
                if has_policy(self.who) or at_once == 1:
                    yield from (regraded(solutions[one[1]], answer(*one)) for one in asked)
                    return
                with ThreadPoolExecutor(at_once) as pool:
                    futures = [(pool.submit(answer, *one), one[1]) for one in asked]
                    try:
                        yield from (regraded(solutions[g], one.result()) for one, g in futures)
                    finally:
                        pool.shutdown(wait=False, cancel_futures=True)
        finally:
            for roster in rosters:
                roster.close()
