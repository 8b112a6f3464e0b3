"""What was thrown away in the games of profiles, worked out in the background.

Games wait in the database, so that none is forgotten when a process ends. One is graded at a
time, in the process that answers questions, where it takes its turn behind everybody else's.
What is solved already comes first; what has to be solved is done for one profile after the other.
"""

from __future__ import annotations

from asyncio import Event
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from logging import getLogger

from number_duels.core.game import Seat
from number_duels.review.player_stats import GameFigures
from number_duels.web.config import Config
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.results import ResultRepository, WaitingGame
from number_duels.web.service.analysis import SolveTimeout
from number_duels.web.service.statistics import figures_text, grade_game
from number_duels.web.service.worker import SolverWorker
from number_duels.web.service.worker_process import AnswerTimeout

#: How many games are looked up at a time.
MAX_GAMES_PER_LOOK = 1000
#: How often a game is tried that was not graded in time.
MAX_TIMEOUTS = 3
#: Who asks, to the solver: all profiles together have the share of one client.
CLIENT = "results"
REMOVED = "the game was removed before it was graded"

log = getLogger(__name__)


class ResultGrader:
    """Grades what waits when it is woken, and what others have left now and then."""

    def __init__(self, repository: GameRepository, worker: SolverWorker, config: Config) -> None:
        self.repository = repository
        self.results = ResultRepository(repository)
        self.worker = worker
        self.config = config
        self._woken = Event()
        self._timeouts: Counter[str] = Counter()
        #: How many games were solved for each profile that has more to solve.
        self._solved_for: Counter[str] = Counter()

    def wake(self) -> None:
        """There is a game to grade."""
        self._woken.set()

    async def run(self) -> None:
        """Grade again and again, until cancelled."""
        while True:
            self._woken.clear()
            try:
                while await self.grade_some():
                    pass
            except Exception as error:  # whatever it is, the next look may succeed
                log.warning("Games could not be graded: %s", type(error).__name__)
            with suppress(TimeoutError):
                async with self.repository.clock.machine.timeout(self.config.sweep_every):
                    await self._woken.wait()

    async def grade_some(self) -> bool:
        """Grade what is solved already, then one game that is not; False if there was none."""
        waiting = await self.results.ungraded_games(MAX_GAMES_PER_LOOK)
        unsolved = await self._grade_solved(waiting)
        if unsolved:
            solved_for = self._solved_for
            self._solved_for = Counter({one.profile: solved_for[one.profile] for one in unsolved})
            # Who has had the fewest comes next; of several, the one who waits in front.
            chosen = min(unsolved, key=lambda one: solved_for[one.profile])
            self._solved_for[chosen.profile] += 1
            await self._grade(chosen.game)
        return bool(waiting)

    async def _grade_solved(self, waiting: Iterable[WaitingGame]) -> list[WaitingGame]:
        """Grade the games whose solution is kept; the others."""
        tried: set[str] = set()
        unsolved_rules: set[tuple[str, str]] = set()
        unsolved: list[WaitingGame] = []
        for one in waiting:
            if one.rules not in unsolved_rules and one.game not in tried:
                tried.add(one.game)
                if not await self._grade(one.game, kept_only=True):
                    unsolved_rules.add(one.rules)
            if one.rules in unsolved_rules:
                unsolved.append(one)
        return unsolved

    async def _grade(self, game: str, *, kept_only: bool = False) -> bool:
        """Grade a game; False if it would have to be solved first, and must not be."""
        stored = await self.repository.load(game)
        if stored is None:
            await self.results.set_ungraded(game, REMOVED)
            return True
        match = stored.match()
        try:
            if match.history.steps:
                figures = await self.worker.ask(
                    CLIENT, stored.game, grade_game, stored, match, kept_only=kept_only
                )
            else:  # nothing has to be solved to know what nothing cost
                figures = GameFigures(dict.fromkeys(Seat, ()), luck=0.0)
        except AnswerTimeout as reason:
            # The machine may be busy; the game waits on.
            self._timeouts[game] += 1
            if self._timeouts[game] == MAX_TIMEOUTS:
                del self._timeouts[game]
                await self.results.set_ungraded(game, str(reason))
            return True
        except ValueError as reason:
            if kept_only and isinstance(reason, SolveTimeout):
                return False
            await self.results.set_ungraded(game, str(reason))
            return True
        texts = {seat: figures_text(figures, seat) for seat in Seat}
        await self.results.set_figures(game, texts)
        return True
