"""Games that wait to be solved: one after the other, one of each client in turn."""

from __future__ import annotations

from asyncio import Future, Task, create_task, get_running_loop, shield
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from number_duels.core.game import AnyGame


class SolveQueue:
    """Solves a game once for all who wait for it, when the first of them has its turn."""

    def __init__(self, solve: Callable[[AnyGame], Awaitable[None]]) -> None:
        self._solve = solve
        #: The clients in the order of their turns, each with its games in the order of asking.
        self._waiting: OrderedDict[str, dict[AnyGame, Future[Exception | None]]] = OrderedDict()
        self._task: Task[None] | None = None

    async def solve(self, client: str, game: AnyGame) -> None:
        """Wait until a game is solved; raises why it is not."""
        games = self._waiting.setdefault(client, {})
        if game not in games:
            games[game] = get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = create_task(self._work())
        problem = await shield(games[game])
        if problem is not None:
            raise problem

    def close(self) -> None:
        """Solve nothing more."""
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
        """Tell all who wait for a game."""
        for client, games in list(self._waiting.items()):
            waiting = games.pop(game, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(problem)
            if not games:
                del self._waiting[client]
