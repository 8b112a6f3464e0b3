"""An engine for language models, which plays many games at once in one event loop."""

from __future__ import annotations

import sys
from asyncio import Semaphore, wrap_future
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import asynccontextmanager, redirect_stdout
from itertools import chain, islice
from threading import Thread

from number_duels.arena.engines import Task
from number_duels.arena.game_runner import FinishedGame, Roster, SeatedGame
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Fixture
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Outcome
from number_duels.core.player import Forfeit, Outage, Player
from number_duels.core.record import Person
from number_duels.core.runner import PlayerCall, next_step
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.llm.client import start_in_loop
from number_duels.players.llm.player import ModelPlayer
from number_duels.players.registry import is_external, is_model

__all__ = ["InFlight"]


class InFlight:
    """An engine that plays up to `in_flight` games at a time in one process.

    Each game waits for at most one request. At most `workers` copies of a program or function play
    at once. If an endpoint fails for too long, `run` yields the finished games and raises `Outage`.
    The unfinished games can be played again.

    >>> from number_duels import load
    >>> from number_duels.arena.schedule import Schedule, named
    >>> schedule = Schedule(named(["random", "level:3"]), (load("number-bid", numbers=4),), 1, 7)
    >>> engine = InFlight(64, Limits())
    >>> games = engine.run(schedule.pairs_of(schedule.pairings()[0]))
    >>> sum(map(len, games))
    2
    """

    def __init__(
        self, in_flight: int, limits: Limits, workers: int = 1, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self.in_flight = in_flight
        self.limits = limits
        self.workers = workers
        self.clock = clock

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        """Play all tasks. Yield each result as soon as the game ends, as a list with one item."""
        fixtures = chain.from_iterable(tasks)
        graders = Roster(self.limits)  # separate, because threads do not share solutions
        players = PlayerPool(self.limits, self.workers, self.clock)
        waiting: set[Future[FinishedGame]] = set()
        outage: Outage | None = None
        try:
            with redirect_stdout(sys.stderr):  # keep players' output out of reports
                while outage is None:
                    for fixture in islice(fixtures, self.in_flight - len(waiting)):
                        waiting.add(start_in_loop(play(fixture, players)))
                    if not waiting:
                        return
                    over, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in over:
                        try:
                            game = future.result()
                        except Outage as error:
                            outage = error
                        else:
                            yield [game.graded(graders)]
            raise outage
        finally:
            for future in waiting:
                future.cancel()
            wait(waiting)
            players.close()


async def play(fixture: Fixture, players: PlayerPool) -> FinishedGame:
    async with players.taken(fixture) as seated:
        game = SeatedGame(fixture, seated)
        steps, answer = game.steps(), None
        while not isinstance(step := next_step(steps, answer), Outcome):
            try:
                answer = await answered(step)
            except Forfeit as forfeit:
                answer = forfeit
        return game.finished()


async def answered(step: PlayerCall) -> object:
    """Call a player without blocking the event loop, and return the answer."""
    if isinstance(step.player, ModelPlayer) and step.asked is not None:
        return await step.player.decide(step.asked)
    if isinstance(step.player, ExternalPlayer) and not isinstance(step.player, ModelPlayer):
        return await in_thread(step.call)
    return step.call()


async def in_thread(call: Callable[[], object]) -> object:
    """Run a call in a daemon thread, because the call may never end."""
    done: Future[object] = Future()
    done.set_running_or_notify_cancel()

    def work() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    return await wrap_future(done)


class PlayerPool:
    def __init__(self, limits: Limits, workers: int, clock: Clock = SYSTEM_CLOCK) -> None:
        self.roster = Roster(limits, clock)
        #: All external players, the idle ones, and the semaphores that limit their number.
        self.made: dict[Hashable, list[Player]] = defaultdict(list)
        self.free: dict[Hashable, list[Player]] = defaultdict(list)
        self.room: dict[Hashable, Semaphore] = defaultdict(lambda: Semaphore(workers))

    @asynccontextmanager
    async def taken(self, fixture: Fixture) -> AsyncIterator[list[Player]]:
        """Yield both players of a fixture in seat order, reserved until its game ends."""
        game, taken = fixture.pairing.game, dict[Person, Player]()
        try:
            # All games reserve players in the same order, which prevents a deadlock.
            for person in sorted(fixture.seats, key=lambda person: person.name):
                taken[person] = await self.take(person, game)
            yield [taken[person] for person in fixture.seats]
        finally:
            for person, player in taken.items():
                self.give_back(person, game, player)

    async def take(self, person: Person, game: AnyGame) -> Player:
        if not is_external(person.who):
            return self.roster.player(person, game)
        place = self.roster.place(person, game)
        if not is_model(person.who):
            await self.room[place].acquire()
        return self.free[place].pop() if self.free[place] else self.make(person, game)

    def make(self, person: Person, game: AnyGame) -> Player:
        """Create another player. All players of one model share its connections."""
        made = self.made[self.roster.place(person, game)]
        first = made[0] if made else None
        another = first.another() if isinstance(first, ModelPlayer) else None
        made.append(another or self.roster.made(person, game))
        return made[-1]

    def give_back(self, person: Person, game: AnyGame, player: Player) -> None:
        if is_external(person.who):
            place = self.roster.place(person, game)
            self.free[place].append(player)
            if not is_model(person.who):
                self.room[place].release()

    def close(self) -> None:
        for players in self.made.values():
            for player in players:
                if isinstance(player, ExternalPlayer):
                    player.close()
        self.roster.close()
