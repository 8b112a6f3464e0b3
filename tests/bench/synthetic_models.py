"""Language models whose policies are known, behind a local endpoint.

A model looks at the moves under `YOUR LEGAL MOVES` and weighs them by their order: `even` chooses
blindly, `steep` prefers what is listed last. So its exact loss per decision can be computed.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from random import Random

from number_duels.arena.game_runner import Roster
from number_duels.bench.questions import MIXED_FORM
from number_duels.bench.results import Results
from number_duels.bench.suite import Size
from number_duels.core.game import Chance, Outcome, Seat
from number_duels.players.external import Limits
from number_duels.players.registry import policy_of
from number_duels.review.position import AnySolution, drop_rounding_error
from number_duels.solvers.policies import probabilities
from tests.arena.matches import in_process
from tests.bench.benches import run, small, solutions
from tests.players.endpoint import Body, Connection, FakeEndpoint, endpoint, say

LADDER = ("random", "level:2")


def even(moves: Sequence[object]) -> list[float]:
    return [1 / len(moves)] * len(moves)


def steep(moves: Sequence[object]) -> list[float]:
    """Twice as often the second as the first, three times the third, and so on."""
    whole = len(moves) * (len(moves) + 1) / 2
    return [place / whole for place in range(1, len(moves) + 1)]


MODELS = {"even": even, "steep": steep}


def measured(model: str, size: Size, folder: Path, seed: int = 1) -> Results:
    """One bench of a model behind an endpoint of its own."""
    rng = Random(seed)

    def act(connection: Connection, body: Body) -> None:
        prompt = body["messages"][0]["content"]
        listed = prompt.partition("YOUR LEGAL MOVES\n")[2].partition("\n\n")[0].splitlines()
        moves = [line.partition(":")[0] for line in listed]
        shares = MODELS[model](moves)
        chosen = json.dumps({"move": rng.choices(moves, shares)[0]})
        if MIXED_FORM in prompt:
            chosen = json.dumps(dict(zip(moves, shares, strict=True)))
        say(f"I weigh them by their order. {chosen}")(connection, body)

    with endpoint(FakeEndpoint(act=act, models=(model,))) as fake:
        limits = Limits(seconds=60, url=fake.url, send_key=False)
        roster = Roster(limits)
        try:
            suite = small(size.pairs, size.positions, seed, ladder=LADDER)
            path = folder / f"{model}-{seed}.jsonl"
            return run(suite, f"llm:{model}", path, in_process(roster), limits)
        finally:
            roster.close()


def exact_loss(model: str) -> float:
    """What a model loses per decision; every game and every rung has the same weight."""
    found = []
    for solution in solutions().values():
        for rung in LADDER:
            both = [expected(solution, model, rung, seat) for seat in Seat]
            found.append(sum(lost for lost, _ in both) / sum(made for _, made in both))
    return sum(found) / len(found)


def expected(solution: AnySolution, model: str, rung: str, own: Seat) -> tuple[float, float]:
    """What a model loses per game in a seat, and how many decisions it makes there."""
    game, policy = solution.game, policy_of(rung, solution.game)
    known: dict[Hashable, tuple[float, float]] = {}

    def shares(state: Hashable, seat: Seat, options: Sequence[Hashable]) -> list[float]:
        if seat is own:
            return MODELS[model](options)
        return list(probabilities(game, policy, state, seat, tuple(options)).values())

    def mean(parts: Sequence[tuple[float, Hashable]]) -> tuple[float, float]:
        found = [(chance, *at(state)) for chance, state in parts]
        return sum(p * lost for p, lost, _ in found), sum(p * n for p, _, n in found)

    def at(state: Hashable) -> tuple[float, float]:
        key = game.key(state)
        if key not in known:
            known[key] = worked_out(state)
        return known[key]

    def worked_out(state: Hashable) -> tuple[float, float]:
        turn = game.turn(state)
        if isinstance(turn, Outcome):
            return 0.0, 0.0
        if isinstance(turn, Chance):
            return mean([(float(odds), game.drawn(state, e)) for e, odds in turn.odds.items()])
        seats = sorted(turn.options)
        odds = [shares(state, seat, turn.options[seat]) for seat in seats]
        moves = product(*(turn.options[seat] for seat in seats))
        after = [game.resolve(state, dict(zip(seats, one, strict=True))) for one in moves]
        lost, decisions = mean(list(zip(map(prod, product(*odds)), after, strict=True)))
        if own not in seats:
            return lost, decisions
        values = solution.option_values(state, own)
        mine = odds[seats.index(own)]
        costs = (drop_rounding_error(max(values) - value) for value in values)
        return lost + sum(p * c for p, c in zip(mine, costs, strict=True)), decisions + 1

    return at(game.start())


def stated_by(model: str, options: Sequence[Hashable]) -> Mapping[str, float]:
    """The mixed strategy that a model states at a position."""
    return dict(zip(map(str, options), MODELS[model](options), strict=True))
