"""Results of profiles' games: grading and statistics."""

from __future__ import annotations

import json
from asyncio import Event
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from logging import getLogger

from number_duels.core.game import Outcome, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.record import with_names
from number_duels.core.scene import scene_json
from number_duels.games import find
from number_duels.players.registry import full_name
from number_duels.review.json import JsonObject, own_game_json, score_json, stats_json, total_json
from number_duels.review.player_stats import (
    RESULTS,
    GameFigures,
    OwnGame,
    PlayerStats,
    cut_in_three,
    grade_decisions,
)
from number_duels.review.tally import Tally
from number_duels.review.words import cost
from number_duels.sessions.statistics import Groups, by_opponent, cost_per_move, statistics_scene
from number_duels.web.config import Config
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.results import GameResult, ResultRepository, WaitingGame
from number_duels.web.db.stored_game import HUMAN, StoredGame
from number_duels.web.errors import AnswerTimeout
from number_duels.web.service import solver_tasks
from number_duels.web.service.solver_tasks import SolveTimeout
from number_duels.web.service.views import iso_time
from number_duels.web.service.worker import TIMEOUT_MEMORY_S, SolverWorker

Played = tuple[GameResult, OwnGame]
WINS = tuple(Outcome(seat, "").result for seat in Seat)
ALL_GAMES = "These are all the games you finished, including those you resigned."
MONTH = slice(7)


def results_of(stored: StoredGame, match: AnyMatch) -> tuple[GameResult, ...]:
    """Return the results of a finished game, one for each player with a profile."""
    outcome, profiles = match.outcome, [holder.profile for holder in stored.seats]
    if outcome is None or profiles[0] == profiles[1] or stored.shared:
        return ()
    return tuple(
        result_of(stored, seat, profile, outcome)
        for seat, profile in zip(Seat, profiles, strict=True)
        if profile is not None and stored.full
    )


def result_of(
    stored: StoredGame, seat: Seat, profile: str, outcome: Outcome | None = None
) -> GameResult:
    return GameResult(
        profile=profile,
        game=stored.id,
        seat=seat,
        finished_at=stored.updated_at,
        started=stored.started,
        name=stored.name,
        settings=stored.settings,
        names=stored.names,
        opponent=stored.seats[seat.other].who,
        result=outcome.result if outcome else "*",
        reason=with_names(outcome.reason, stored.names_for(seat)) if outcome else "",
    )


def grade_game(stored: StoredGame, match: AnyMatch, time_limit: float) -> GameFigures:
    return grade_decisions(match, solver_tasks.solution(stored.game, time_limit))


def figures_text(figures: GameFigures, seat: Seat) -> str:
    thirds = (Tally.of_game(list(part), 0.0) for part in cut_in_three(figures.losses[seat]))
    sums = [[each.loss, each.worst, each.decisions, each.choices] for each in thirds]
    return json.dumps({"thirds": sums, "luck": figures.tally(seat).luck})


def own_game(one: GameResult) -> OwnGame:
    sign = 1 if one.seat is Seat.ONE else -1
    game = OwnGame(one.started, one.name, one.opponent, RESULTS[one.result] * sign)
    if one.figures is None:
        return replace(game, ungraded=one.ungraded or "")
    kept = json.loads(one.figures)
    thirds = [Tally.of_sums(part[0], part[1], 0.0, *part[2:]) for part in kept["thirds"]]
    loss, worst = sum(each.loss for each in thirds), sum(each.worst for each in thirds)
    decisions, choices = (
        sum(each.decisions for each in thirds),
        sum(each.choices for each in thirds),
    )
    tally = Tally.of_sums(loss, worst, kept["luck"], decisions, choices)
    return replace(game, tally=tally, phases=tuple(thirds))


def statistics(newest_first: Sequence[GameResult], lag_s: int) -> JsonObject:
    played = [(one, own_game(one)) for one in reversed(newest_first)]
    stats = PlayerStats(tuple(game for _, game in played))
    people = [(one, game) for one, game in played if one.opponent == HUMAN]
    by_game = grouped(played, lambda one: one.name)
    by_person = grouped(people, lambda one: one.names[one.seat.other])
    waiting = sum(one.figures is None and one.ungraded is None for one in newest_first)
    computers = {who: games for who, games in stats.opponents.items() if who != HUMAN}
    groups: dict[str, Groups] = {
        "By game": {title_of(name): games for name, games in by_game.items()},
        "Against the computer": by_opponent(computers),
        "Against people": by_person,
    }
    return {
        **stats_json(stats),
        "over_time": [over_time_json(one, game, lag_s) for one, game in played],
        "by_game": {
            name: {"title": title_of(name), **group_json(games)} for name, games in by_game.items()
        },
        "people": {name: score_json(games) for name, games in by_person.items()},
        "months": {
            month: group_json(games)
            for month, games in grouped(played, lambda one: finished(one, lag_s)[MONTH]).items()
        },
        "waiting": waiting,
        "scene": scene_json(statistics_scene(stats, groups, waiting, ALL_GAMES)),
    }


def grouped(played: Iterable[Played], key: Callable[[GameResult], str]) -> dict[str, list[OwnGame]]:
    found: dict[str, list[OwnGame]] = {}
    for one, game in played:
        found.setdefault(key(one), []).append(game)
    return found


def group_json(games: Sequence[OwnGame]) -> JsonObject:
    stats = PlayerStats(tuple(games))
    return {
        **score_json(games),
        "figures": total_json(stats.tally),
        "opponents": {who: score_json(those) for who, those in stats.opponents.items()},
    }


def over_time_json(one: GameResult, game: OwnGame, lag_s: int) -> JsonObject:
    return {
        **own_game_json(game),
        "id": one.game if one.kept else None,
        "finished": finished(one, lag_s),
        "name": one.names[one.seat.other],
        "against": against(one.opponent, one.names[one.seat.other]),
        "cost": cost(2 * cost_per_move([game])) if game.tally else None,
    }


def against(who: str, name: str) -> str:
    return name if who == HUMAN else f"the computer ({full_name(who)})"


def result_word(one: GameResult) -> str:
    draw = Outcome(None, "").result
    return "drawn" if one.result == draw else "won" if one.result == WINS[one.seat] else "lost"


def finished(one: GameResult, lag_s: int) -> str:
    return iso_time(one.finished_at + lag_s)


def title_of(name: str) -> str:
    try:
        return find(name).title
    except ValueError:
        return name


MAX_GAMES_PER_LOOK = 1000
MAX_TIMEOUTS = 3
#: The client name for the solver. All profiles together count as one client.
CLIENT = "results"
REMOVED = "the game was removed before it was graded"

log = getLogger(__name__)


class ResultGrader:
    """Grades finished games in the background.

    The games wait in the database, so none is lost when a process ends.
    """

    def __init__(self, repository: GameRepository, worker: SolverWorker, config: Config) -> None:
        self.repository = repository
        self.results = ResultRepository(repository)
        self.worker = worker
        self.config = config
        self._woken = Event()
        self._timeouts: Counter[str] = Counter()
        self._solved_for: Counter[str] = Counter()

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            try:
                while await self.grade_some():
                    pass
            except Exception as error:  # the next attempt may succeed
                log.warning("Games could not be graded: %s", type(error).__name__)
            with suppress(TimeoutError):
                async with self.repository.clock.machine.timeout(self.config.sweep_every):
                    await self._woken.wait()

    async def grade_some(self) -> bool:
        """Grade all waiting games whose solution is cached, and one other.

        Return False if no game waits.
        """
        waiting = await self.results.ungraded_games(MAX_GAMES_PER_LOOK)
        unsolved = await self._grade_solved(waiting)
        if unsolved:
            solved_for = self._solved_for
            self._solved_for = Counter({one.profile: solved_for[one.profile] for one in unsolved})
            # The profile with the fewest solved games comes next.
            chosen = min(unsolved, key=lambda one: solved_for[one.profile])
            self._solved_for[chosen.profile] += 1
            await self._grade(chosen.game)
        return bool(waiting)

    async def _grade_solved(self, waiting: Iterable[WaitingGame]) -> list[WaitingGame]:
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
        """Grade a game. Return False if `kept_only` is true and the solution is not cached."""
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
            else:  # without moves, there is nothing to solve
                figures = GameFigures(dict.fromkeys(Seat, ()), luck=0.0)
        except AnswerTimeout as reason:
            if kept_only and isinstance(reason, SolveTimeout):
                return False
            await self.repository.clock.machine.sleep(0 if kept_only else TIMEOUT_MEMORY_S)
            self._timeouts[game] += 1
            if self._timeouts[game] == MAX_TIMEOUTS:
                del self._timeouts[game]
                await self.results.set_ungraded(game, str(reason))
            return True
        except ValueError as reason:
            await self.results.set_ungraded(game, str(reason))
            return True
        texts = {seat: figures_text(figures, seat) for seat in Seat}
        await self.results.set_figures(game, texts)
        return True
