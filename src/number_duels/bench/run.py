"""Run a bench. An interrupted run can be resumed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import local

from number_duels.arena.engines import Engine
from number_duels.arena.game_runner import Roster
from number_duels.arena.in_process import GivenPlayers, InProcess, seated, several
from number_duels.arena.report import versions
from number_duels.arena.schedule import salt_for
from number_duels.arena.tournament import Tournament, salted
from number_duels.bench.answers import PositionAnswer, regraded
from number_duels.bench.questions import Question, ask, asked_of
from number_duels.bench.report import BenchReport, report_of
from number_duels.bench.results import BenchFile, Header, read_bench
from number_duels.bench.suite import PLAYER, Size, Suite, find_suite
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, SomeGame
from number_duels.core.progress_bar import progress_bar
from number_duels.core.randomness import stream
from number_duels.core.record import Person
from number_duels.games import as_game, full_name
from number_duels.players.external import Limits
from number_duels.players.registry import PlayerLike, has_policy, is_model
from number_duels.review.position import AnySolution
from number_duels.solvers import solve

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
        seconds=limits.model_seconds if is_model(who) else limits.program_seconds,
        retries=limits.retries,
        options=limits.of(PLAYER).model.facts() if is_model(who) else {},
        command=command,
        started=clock.now().isoformat(timespec="seconds"),
        versions=versions(),
    )


class Bench:
    def __init__(
        self,
        suite: Suite,
        who: str,
        limits: Limits,
        file: BenchFile,
        make_roster: Callable[[], Roster] | None = None,
    ) -> None:
        self.suite = suite
        self.who = who
        self.file = file
        self.make_roster = make_roster or partial(Roster, limits)
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
        """Ask the missing questions, up to `at_once` at a time, and play the missing games."""
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
        own = salt_for(salt, "own") if salt else ""
        secret = "" if self.suite.is_public else salt
        for spot, form in asked_of(self.suite, self.who, solution, secret):
            rng = stream(self.suite.seed, "question", own, spot.to_json(), form)
            yield Question(spot, form, rng.getrandbits(48))

    def answers(
        self,
        asked: list[tuple[Question, AnyGame]],
        solutions: Mapping[AnyGame, AnySolution],
        at_once: int,
    ) -> Iterator[PositionAnswer]:
        person, mine, rosters = Person(PLAYER, self.who), local(), list[Roster]()

        def answer(question: Question, game: AnyGame) -> PositionAnswer:
            if not hasattr(mine, "roster"):
                mine.roster = self.make_roster()
                rosters.append(mine.roster)
            player = mine.roster.player(person, game)
            return ask(question, player, is_policy=has_policy(self.who))

        try:
            # Keep the output of players' functions out of reports.
            with redirect_stdout(sys.stderr):
                if has_policy(self.who) or at_once == 1:
                    yield from (regraded(solutions[one[1]], answer(*one)) for one in asked)
                    return
                # Answers are graded in this thread, because threads cannot share a solution.
                with ThreadPoolExecutor(at_once) as pool:
                    futures = [(pool.submit(answer, *one), one[1]) for one in asked]
                    try:
                        yield from (regraded(solutions[g], one.result()) for one, g in futures)
                    finally:
                        pool.shutdown(wait=False, cancel_futures=True)
        finally:
            for roster in rosters:
                roster.close()


def run_bench(
    player: PlayerLike,
    games: SomeGame | str | Iterable[SomeGame | str] | None,
    size: str | Size,
    seed: int | None,
    name: str,
) -> BenchReport:
    given = None if games is None else several(games)
    values = [as_game(game) for game in given or () if not isinstance(game, str)]
    own = {game.name: game.settings for game in values} if seed is not None else {}
    suite = find_suite(size, seed, own, name)
    if given is not None:
        suite = suite.only([full_name(g) if isinstance(g, str) else g.name for g in given])
    if not set(values) <= set(suite.games):
        raise ValueError(f"{name} uses other settings; to use yours, give a seed.")
    ((person, _),) = seated({PLAYER: player}, suite.games[0]).items()
    solutions = {game: solve(game) for game in suite.games}
    header = header_of(suite, person.who, Limits())
    with TemporaryDirectory() as folder, closing(GivenPlayers({person: player})) as roster:
        path = Path(folder) / "results.jsonl"
        with closing(BenchFile(path, header)) as file:
            bench = Bench(suite, person.who, Limits(), file, lambda: roster)
            with progress_bar(f"Measuring {person.who}") as bar:
                bench.run(InProcess(roster), solutions, lambda done, total: bar(done / total))
        found = read_bench(path)
    return report_of(found, {game.name: solution for game, solution in solutions.items()})
