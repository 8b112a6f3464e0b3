"""Three solver processes: one moves for computers, one answers questions, and one solves games."""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop, shield
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias, TypeVar, TypeVarTuple

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import AnyMatch
from number_duels.solvers import Unsolvable
from number_duels.web.config import MIB, Config
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import AnswerTimeout, ApiError
from number_duels.web.service import solver_tasks
from number_duels.web.service.runner import Runner
from number_duels.web.service.solve_limits import is_solved, table_bytes

Args = TypeVarTuple("Args")
R = TypeVar("R")

QUEUE = "queue"
ANSWER_TIMEOUT_S = 30.0
#: The niceness of two processes. The server and the computers' moves have priority.
ANSWERS_NICENESS, SOLVING_NICENESS = 10, 15
PING_TIMEOUT_S = 5.0
REFUSAL_MEMORY_S = 3600.0
#: A busy machine, and not the game, may be why solving took too long. So try again soon.
TIMEOUT_MEMORY_S = 15.0
MAX_REFUSALS = 10_000


#: Makes a runner with this niceness.
RunnerFactory: TypeAlias = Callable[[Config, int, Clock], Runner]


def process_runner(config: Config, niceness: int, clock: Clock) -> Runner:
    # Not every system has processes.
    from number_duels.web.service.worker_process import WorkerProcess

    return WorkerProcess(config, niceness, clock, solver_tasks.load_libraries)


async def nothing_to_fetch(game: AnyGame) -> None: ...


class SolverWorker:
    """Answers questions about games. `fetch` gets a game's solution before the first question."""

    def __init__(
        self,
        config: Config,
        clock: Clock = SYSTEM_CLOCK,
        runner: RunnerFactory = process_runner,
        fetch: Callable[[AnyGame], Awaitable[None]] = nothing_to_fetch,
    ) -> None:
        self.config = config
        self.clock = clock
        self.moves, self.answers, self.solving = (
            runner(config, niceness, clock) for niceness in (0, ANSWERS_NICENESS, SOLVING_NICENESS)
        )
        self._fetch = fetch
        self._queue = SolveQueue(self._solve)
        self._refusals: OrderedDict[AnyGame, tuple[Unsolvable, float]] = OrderedDict()
        #: Solved games that did not fit in the cache. Only the solving process has their solutions.
        self._not_kept: set[AnyGame] = set()
        self._questions: Counter[str] = Counter()
        self._at_work_on: AnyGame | None = None

    def start(self) -> None:
        with suppress(OSError):  # the first call tries again and reports the error
            self.moves.start()

    async def prepare(self, client: str, who: str, game: AnyGame) -> None:
        """Prepare the computer `who` for a game. Raise ValueError if it can't play the game.

        Raise a 429 ApiError if the client is already waiting for too many results.
        """
        with self._counted(client):
            await self._run(self.moves, client, game, solver_tasks.prepare, who, game)

    async def choose(self, client: str, stored: StoredGame, match: AnyMatch, seat: Seat) -> str:
        """Return the computer's move. It does not count against the client's limit."""
        return await self._run(
            self.moves, client, stored.game, solver_tasks.choose, stored, match, seat
        )

    async def ask(
        self,
        client: str,
        game: AnyGame,
        function: Callable[[*Args, float], R],
        *args: *Args,
        kept_only: bool = False,
    ) -> R:
        """Run a function that needs the solution of a game, and return its result.

        Raise a 429 ApiError if the client is already waiting for too many results. If `kept_only`
        is true, raise SolveTimeout instead of solving the game.
        """
        with self._counted(client):
            return await self._run(self.answers, client, game, function, *args, kept_only=kept_only)

    async def work(self, client: str, function: Callable[[*Args], R], *args: *Args) -> R:
        """Run a function that needs no solution, in the process that answers questions."""
        with self._counted(client):
            return await self.answers.run(client, ANSWER_TIMEOUT_S, function, *args)

    def solved_share(self, game: AnyGame) -> float | None:
        return self.solving.share if game == self._at_work_on else None

    async def trouble(self) -> str | None:
        if await self.moves.responds(PING_TIMEOUT_S):
            return None
        return "The solver does not answer; try again in a moment."

    def stop_solving(self) -> None:
        self.solving.close()

    def close(self) -> None:
        self._queue.close()
        for process in (self.moves, self.answers, self.solving):
            process.close()

    async def _run(
        self,
        ready: Runner,
        client: str,
        game: AnyGame,
        function: Callable[[*Args, float], R],
        *args: *Args,
        kept_only: bool = False,
    ) -> R:
        await self._fetch(game)
        self._check_size(game)
        if game not in self._not_kept:
            try:
                return await ready.run(
                    client, ANSWER_TIMEOUT_S, function, *args, solver_tasks.KEPT_ONLY
                )
            except solver_tasks.SolveTimeout:
                self._check_refusals(game)
                if kept_only:
                    raise
                await self._queue.solve(client, game)
        if game not in self._not_kept:
            return await ready.run(
                client, ANSWER_TIMEOUT_S, function, *args, solver_tasks.KEPT_ONLY
            )
        if kept_only:
            raise solver_tasks.SolveTimeout(f"The solution of {game.title} is not cached.")
        patience = self.config.patience
        return await self.solving.run(client, patience, function, *args, patience)

    async def _solve(self, game: AnyGame) -> None:
        self._check_refusals(game)
        patience = self.config.patience
        self._at_work_on = game
        self.solving.begin()
        try:
            kept = await self.solving.run(QUEUE, patience, solver_tasks.make_ready, game, patience)
        except AnswerTimeout as timeout:
            self._remember(game, solver_tasks.SolveTimeout(str(timeout)), TIMEOUT_MEMORY_S)
            raise
        except Unsolvable as refusal:
            self._remember(game, refusal, REFUSAL_MEMORY_S)
            raise
        finally:
            self._at_work_on = None
        if kept:
            self._not_kept.discard(game)
        else:
            self._not_kept.add(game)

    def _remember(self, game: AnyGame, refusal: Unsolvable, seconds: float) -> None:
        self._refusals[game] = refusal, self.clock.monotonic() + seconds
        self._refusals.move_to_end(game)
        if len(self._refusals) > MAX_REFUSALS:
            self._refusals.popitem(last=False)

    def _check_refusals(self, game: AnyGame) -> None:
        refusal, until = self._refusals.get(game, (None, 0.0))
        if refusal is not None and self.clock.monotonic() < until:
            raise type(refusal)(str(refusal))

    def _check_size(self, game: AnyGame) -> None:
        if not is_solved(game, self.config.solve_limit * MIB):
            size = table_bytes(game)
            raise Unsolvable(
                f"{game.title} with these settings cannot be solved here: its solution takes"
                f" {size / MIB:,.0f} MiB, but this server allows at most"
                f" {self.config.solve_limit:,} MiB."
            )

    @contextmanager
    def _counted(self, client: str) -> Iterator[None]:
        if self._questions[client] >= self.config.questions:
            raise ApiError(429, "Too many positions are being solved; try again in a moment.")
        self._questions[client] += 1
        try:
            yield
        finally:
            self._questions[client] -= 1
            if not self._questions[client]:
                del self._questions[client]


class SolveQueue:
    """A queue of games to solve. Clients take turns, and a game is solved once for all of them."""

    def __init__(self, solve: Callable[[AnyGame], Awaitable[None]]) -> None:
        self._solve = solve
        #: Clients in the order of their turns, with their games in the order of the requests.
        self._waiting: OrderedDict[str, dict[AnyGame, Future[Exception | None]]] = OrderedDict()
        self._task: Task[None] | None = None

    async def solve(self, client: str, game: AnyGame) -> None:
        games = self._waiting.setdefault(client, {})
        if game not in games:
            games[game] = get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        problem = await shield(games[game])
        if problem is not None:
            raise problem

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._waiting:
            client, games = next(iter(self._waiting.items()))
            self._waiting.move_to_end(client)
            game = next(iter(games))
            problem: Exception | None = None
            try:
                await self._solve(game)
            except Exception as error:
                problem = error
            self._settle(game, problem)

    def _settle(self, game: AnyGame, problem: Exception | None) -> None:
        for client, games in list(self._waiting.items()):
            waiting = games.pop(game, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(problem)
            if not games:
                del self._waiting[client]
