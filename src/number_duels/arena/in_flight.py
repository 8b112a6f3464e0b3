"""Games of players who wait for an endpoint: many at a time, as tasks of one event loop.

Language models spend their time elsewhere, so one process plays as many games as the endpoint
takes requests. Built-in players choose at once; programs and functions are called in threads.
"""

from __future__ import annotations

import sys
from asyncio import wrap_future
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import redirect_stdout
from itertools import chain, islice
from threading import Thread

from number_duels.arena.chairs import Chairs
from number_duels.arena.game_result import GameResult
from number_duels.arena.game_runner import FinishedGame, SeatedGame
from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture
from number_duels.arena.workers import Task
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import Outcome
from number_duels.core.player import Forfeit, Outage
from number_duels.core.runner import PlayerCall, next_step
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.llm import event_loop
from number_duels.players.llm.player import ModelPlayer

__all__ = ["InFlight"]


class InFlight:
    """One process that has up to `in_flight` games, and so requests, under way.

    Of a program or a function there are up to `workers` at a time. An outage ends the run after
    the games that are finished; those that are not are lost, and can be played again.

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
        """Play all tasks, and give back each game as soon as it is over."""
        fixtures = chain.from_iterable(tasks)
        graders = Roster(self.limits)  # of this thread; solutions are not shared between two
        chairs = Chairs(self.limits, self.workers, self.clock)
        waiting: set[Future[FinishedGame]] = set()
        outage: Outage | None = None
        try:
            with redirect_stdout(sys.stderr):  # what a function prints is no part of a report
                while outage is None:
                    for fixture in islice(fixtures, self.in_flight - len(waiting)):
                        waiting.add(event_loop.start(play(fixture, chairs)))
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
            chairs.close()


async def play(fixture: Fixture, chairs: Chairs) -> FinishedGame:
    """Play a fixture to its end, one request at a time."""
    async with chairs.taken(fixture) as seated:
        game = SeatedGame(fixture, seated)
        steps, answer = game.steps(), None
        while not isinstance(step := next_step(steps, answer), Outcome):
            try:
                answer = await answered(step)
            except Forfeit as forfeit:
                answer = forfeit
        return game.finished()


async def answered(step: PlayerCall) -> object:
    """What a player does or chooses, without keeping the others waiting."""
    if isinstance(step.player, ModelPlayer) and step.asked is not None:
        return await step.player.decide(step.asked)
    if isinstance(step.player, ExternalPlayer) and not isinstance(step.player, ModelPlayer):
        return await in_thread(step.call)
    return step.call()


async def in_thread(call: Callable[[], object]) -> object:
    """What a call gives, in a thread that keeps no process alive: a function may never end."""
    done: Future[object] = Future()
    done.set_running_or_notify_cancel()

    def work() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    return await wrap_future(done)
