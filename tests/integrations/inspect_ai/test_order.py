"""Ten players through Inspect and through `duels bench`. Their figures are written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from inspect_ai import Task
from inspect_ai import eval as run_eval

import number_duels as nd
from number_duels.adapters.inspect_ai import duel, positions
from number_duels.bench.run import run_bench
from number_duels.bench.suite import find_suite
from number_duels.core.history import History
from number_duels.core.player import Situation
from number_duels.players.calibration import error_rates, exact_scores
from number_duels.players.registry import policy_of
from number_duels.solvers.kernels import find_kernel
from number_duels.solvers.layered import PerfectStrategies
from number_duels.solvers.layered_method import LayeredMethod, erring
from tests.bench.test_suite import first
from tests.integrations.endpoint import legal_moves, silent
from tests.integrations.inspect_ai.test_inspect_ai import mock

REPORT = Path(__file__).parents[3] / "docs" / "data" / "inspect.txt"
COLUMNS = f"{'cost':>8}  {'score':>6}  {'forfeits':>8}"
HEAD = f"""$ make test-integrations LIBRARY=inspect_ai

Cost of a move (0 to 2) at the 500 fixed positions. Score and forfeits against the ladder: the plain
results of 56 games in Inspect, and of 700 games without known luck in the bench. The exact score is
the expected result of infinitely many games, where the solver gives it. In Inspect, a player with a
mixed strategy is asked for one move at each position. The bench works out its mean cost there.

{"in Inspect":>42}{"duels bench":>26}{"exact":>8}
{"":16}{COLUMNS}{COLUMNS}{"score":>8}
"""
SUITE = find_suite("full")
#: Pairs against each opponent in Inspect, where games take longer.
PAIRS = 4
#: A player's move, or None if it does not answer.
Chooser = Callable[[nd.AnyGame, Hashable, nd.Seat, tuple[Hashable, ...]], Hashable]
policy, solved = cache(policy_of), cache(nd.solve)


class Figures(NamedTuple):
    cost: float
    score: float
    forfeits: float

    def __str__(self) -> str:
        return f"{self.cost:8.4f}  {round(self.score, 6) + 0.0:6.1%}  {self.forfeits:8.0%}"


def first_move(
    _: nd.AnyGame, __: Hashable, ___: nd.Seat, options: tuple[Hashable, ...]
) -> Hashable:
    return options[0]


def coward(
    game: nd.AnyGame, view: Hashable, seat: nd.Seat, options: tuple[Hashable, ...]
) -> Hashable:
    """Answer only where every move is as good as any other."""
    values = solved(game).option_values(view, seat)
    return options[0] if max(values) - min(values) < 1e-9 else None


def by_policy(who: str) -> Chooser:
    rng = Random(who)

    def choose(
        game: nd.AnyGame, view: Hashable, seat: nd.Seat, options: tuple[Hashable, ...]
    ) -> Hashable:
        odds = policy(who, game)(view, seat)
        return rng.choices(options, [odds.get(move, 0.0) for move in options])[0]

    return choose


OWN: dict[str, Chooser] = {
    "first move": first_move,
    "coward": coward,
    "never answers": lambda *_: None,
}
PLAYERS = (*OWN, *SUITE.ladder)


def answer(game: nd.AnyGame, choose: Chooser, prompt: str) -> str:
    """Answer as a model does, from the prompt alone."""
    seat = nd.Seat.ONE if "You are Player 1;" in prompt else nd.Seat.TWO
    told = prompt.partition("\nTHE GAME SO FAR\n")[2].partition("\n\n")[0].splitlines()[-1]
    moves = "" if told.endswith(".") else told
    view = History.read(game, game.start(), moves).state
    move = choose(game, view, seat, tuple(map(game.parse, legal_moves(prompt))))
    return silent(prompt) if move is None else json.dumps({"move": str(move)})


def means(task: Task, game: nd.AnyGame, choose: Chooser, folder: Path) -> dict[str, float]:
    model = mock(partial(answer, game, choose))
    # One sample after the other, so that the dice fall the same way each time.
    (log,) = run_eval(task, model=model, display="none", log_dir=str(folder), max_samples=1)
    assert log.status == "success", log.error
    assert log.results is not None
    return {one.name: one.metrics["mean"].value for one in log.results.scores}


def in_inspect(game: nd.AnyGame, who: str, folder: Path) -> Figures:
    choose = OWN.get(who) or by_policy(who)
    asked = means(positions(game.name, count=SUITE.size.positions), game, choose, folder)
    played = [
        means(duel(game.name, opponent=rung, pairs=PAIRS), game, choose, folder)
        for rung in SUITE.ladder
    ]
    result, forfeits = (
        sum(one[name] for one in played) / len(played) for name in ("result", "forfeited")
    )
    return Figures(asked["cost"], (1 + result) / 2, forfeits)


def in_bench(game: nd.AnyGame, who: str) -> Figures:
    def play(now: Situation) -> Hashable:
        move = OWN[who](game, now.view, now.seat, now.options)
        if move is None:
            raise nd.Forfeit("silent", "it did not answer")
        return move

    player = play if who in OWN else who
    (row,) = run_bench(player, [game.name], SUITE.size, None, SUITE.name).figures
    assert row.moves.cost is not None
    forfeits = sum(row.forfeits.values()) / row.games
    return Figures(row.moves.cost.mean, (1 + row.score.mean) / 2, forfeits)


def exact(game: nd.AnyGame, who: str) -> str:
    """The expected score against the ladder from both seats, or a dash if it is not known."""
    kernel, ladder = find_kernel(game), SUITE.ladder
    if who in ladder:
        known = exact_scores(game)
        gained = sum(known[who, rung] - known[rung, who] for rung in ladder)
    elif who == "never answers":
        gained = -2.0 * len(ladder)
    elif who == "first move" and isinstance(kernel, LayeredMethod):
        perfect = PerfectStrategies(kernel, kernel.solve(lambda _: None).sections)
        rungs = [erring(perfect, error_rates(game)[rung]) for rung in ladder]
        results = kernel.play_out([pair for own in rungs for pair in ((first, own), (own, first))])
        gained = sum(results[::2]) - sum(results[1::2])
    else:
        return f"{'-':>8}"
    return f"{round(0.5 + gained / len(ladder) / 4, 6) + 0.0:8.1%}"


def ranked(costs: dict[str, float]) -> list[str]:
    """Return the players, the best first. Equal players are in alphabetical order."""
    return sorted(costs, key=lambda who: (round(costs[who], 9), who))


def test_inspect_orders_players_as_the_bench_does(tmp_path: Path) -> None:
    """Neighboring levels are too close for one answer at each position."""
    lines = [HEAD]
    for game in SUITE.games:
        inspect = {who: in_inspect(game, who, tmp_path) for who in PLAYERS}
        bench = {who: in_bench(game, who) for who in PLAYERS}
        order = ranked({who: found.cost for who, found in bench.items()})
        for left_out in ({"level:1", "level:3", "level:5"}, {"level:2", "level:4"}):
            costs = {who: found.cost for who, found in inspect.items() if who not in left_out}
            assert ranked(costs) == [who for who in order if who not in left_out], game.name
        for who in PLAYERS:
            noise = 0.0 if who in OWN else (2 * bench[who].cost / SUITE.size.positions) ** 0.5
            assert abs(inspect[who].cost - bench[who].cost) <= 3.5 * noise + 1e-6, (game.name, who)
        for found in (inspect, bench):
            assert order[-2:] == ["coward", "never answers"]  # which cost the same
            assert {who for who in PLAYERS if found[who].forfeits} == set(order[-2:])
            assert found["never answers"].forfeits == 1.0
            assert found["coward"].forfeits > 0.5
            ladder = [found[who].score for who in ("never answers", "random", "level:2", "perfect")]
            assert ladder == sorted(ladder)
        lines += [
            game.name,
            *(f"  {who:14}{inspect[who]}{bench[who]}{exact(game, who)}" for who in order),
            "",
        ]
    REPORT.write_text("\n".join(lines), encoding="utf-8")
