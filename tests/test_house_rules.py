"""The figures of docs/data/house_rules.json are what the solver says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Hashable, Iterator, Mapping
from itertools import pairwise, product
from math import prod, sqrt

import pytest

import equal_players
import measure_house_rules
import number_duels as nd
import played_cards
import strength_ladder
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.solvers.best_response import expected_with_errors
from number_duels.solvers.cache import silent
from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel
from number_duels.terminal.arguments import make_game
from number_duels.terminal.parser import build_parser

DOCUMENT = json.loads(measure_house_rules.DATA.read_text(encoding="utf-8"))
#: A game of each kind that is measured in a moment.
SMALL = [
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 5, "rounds": 3}),
    ("number-knot", {"numbers": 7, "life": 8}),
    ("number-drop", {"side": 2}),
]
#: The largest games that the long version measures again: more take minutes and gigabytes each.
MAX_STATES = 20_000_000
ALL = [
    (name, one["settings"])
    for name, rules in DOCUMENT["games"].items()
    for one in rules
    if one["states"] <= MAX_STATES
]
#: Small enough that every course of the game can be written down.
TINY = [
    ("number-bid", {"numbers": 4}),
    ("high-low-battle", {"cards": 3, "rounds": 2}),
    ("number-knot", {"numbers": 4, "life": 5}),
    ("number-drop", {"side": 2}),
]
CARDS = ("number-stack-showdown", {"target": 5, "highest": 3, "copies": 3, "overflow": "allowed"})

AnySolution = nd.Solution[Hashable, Hashable, Hashable]


@pytest.mark.parametrize(
    ("name", "settings"),
    [*SMALL, *(pytest.param(*one, marks=pytest.mark.slow) for one in ALL if one not in SMALL)],
)
def test_the_figures_are_what_the_solver_says(name: str, settings: dict[str, int | str]) -> None:
    (known,) = (f for f in DOCUMENT["games"][name] if f["settings"] == settings)
    found: Mapping[str, object] = measure_house_rules.measured(name, settings)
    words = ("settings", "best_nowhere")
    assert {word: found[word] for word in words} == {word: known[word] for word in words}
    for figure in set(known) - set(words):
        assert found[figure] == pytest.approx(known[figure], abs=2e-6), figure


# ---- what is recommended --------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENT["games"])
def test_what_is_recommended_is_measured_and_can_be_played(name: str) -> None:
    recommended = DOCUMENT["recommended"][name]
    assert recommended
    measured = [figures["settings"] for figures in DOCUMENT["games"][name]]
    for one in recommended:
        assert one["settings"] in measured
        program, *words = shlex.split(one["command"])
        args = build_parser().parse_args(words)
        game = make_game(args.game, args.set, args.first, 7)
        expected = dict(nd.load(name, **one["settings"]).settings)
        assert (program, game.name) == ("duels", name)
        assert {**game.settings, "first": 1} == {**expected, "first": 1}


# ---- what the figures mean -----------------------------------------------------


def solved(name: str, settings: dict[str, int | str]) -> AnySolution:
    return nd.solve(nd.load(name, **settings), cache=False)


def courses(
    solution: AnySolution, state: Hashable, rate: float
) -> Iterator[tuple[float, list[float]]]:
    """Every course of a game: how likely it is, and its result, draw, turns, edge and counts."""
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, nd.Outcome):
        yield 1.0, [solution.value(state), turn.winner is None, 0, 0, 0, 0, 0, 0]
        return
    if isinstance(turn, nd.Chance):
        for event, chance in turn.odds.items():
            for odds, sums in courses(solution, game.drawn(state, event), rate):
                yield float(chance) * odds, sums
        return
    policy = solution.strategy.with_errors(rate)
    mixes = {seat: policy(state, seat) for seat in turn.options}
    for chosen in product(*turn.options.values()):
        moves = dict(zip(turn.options, chosen, strict=True))
        if likely := prod(mixes[seat][move] for seat, move in moves.items()):
            added = [0, 0, 1, *graded(solution, state, moves)]
            for odds, sums in courses(solution, game.resolve(state, moves), rate):
                yield likely * odds, [sum(pair) for pair in zip(sums, added, strict=True)]


def graded(
    solution: AnySolution, state: Hashable, moves: dict[nd.Seat, Hashable]
) -> tuple[float, ...]:
    """What the moves of one turn cost, and their decisions: all, that matter; options, wrong."""
    edge, decisions, matters, offered, wrong = 0.0, 0, 0, 0, 0
    for seat, move in moves.items():
        values = solution.values(state, seat)
        top = max(values.values())
        worse = sum(value < top - 1e-7 for value in values.values())
        edge += (top - values[move]) * (-1 if seat is nd.Seat.ONE else 1)
        decisions, matters = decisions + 1, matters + (worse > 0)
        offered, wrong = offered + len(values), wrong + worse
    return edge, decisions, matters, offered, wrong


def sums_of(solution: AnySolution, rate: float) -> equal_players.Floats:
    """The sums at the start, by the fast way even where a game is too small for it to pay."""
    if not isinstance(solution.game, NumberStackShowdown):
        return equal_players.play_layers(solution, rate)
    kernel = Kernel(solution.game)
    return played_cards.play_cards(kernel, kernel.solve(silent).sections, rate)


@pytest.mark.parametrize("rate", [0.0, 0.125])
@pytest.mark.parametrize(
    ("name", "settings"), [*TINY, pytest.param(*CARDS, marks=pytest.mark.slow)]
)
def test_equal_play_is_the_mean_of_all_courses(
    name: str, settings: dict[str, int | str], rate: float
) -> None:
    solution = solved(name, settings)
    every = list(courses(solution, solution.game.start(), rate))

    def mean(*places: int) -> float:
        return sum(odds * prod(sums[place] for place in places) for odds, sums in every)

    found = equal_players.EqualPlay.of(sums_of(solution, rate))
    spread = mean(0, 0) - mean(0) ** 2
    luck = 1 - (mean(0, 3) - mean(0) * mean(3)) / spread if spread > 1e-9 else 0.0
    assert sum(odds for odds, _ in every) == pytest.approx(1)
    assert found.first_turn == pytest.approx(mean(0), abs=1e-9)
    assert found.draws == pytest.approx(mean(1), abs=1e-9)
    assert found.turns == pytest.approx(mean(2))
    assert found.spread == pytest.approx(sqrt(max(0, mean(2, 2) - mean(2) ** 2)), abs=1e-6)
    assert found.matters == pytest.approx(mean(5) / mean(4))
    assert found.wrong == pytest.approx(mean(7) / mean(6))
    assert found.luck == pytest.approx(luck, abs=1e-7)


def test_each_rung_of_a_ladder_scores_60_percent() -> None:
    solution = solved("number-knot", {"numbers": 7})
    ladder = strength_ladder.ladder(solution)
    pairs = [*pairwise(ladder.error_rates), (ladder.error_rates[-1], 0.0)]
    as_one = expected_with_errors(solution, [(better, worse) for worse, better in pairs])
    as_two = expected_with_errors(solution, pairs)
    scores = [0.5 + (one - two) / 4 for one, two in zip(as_one, as_two, strict=True)]
    assert ladder.error_rates[0] == 1.0
    assert scores[:-1] == pytest.approx([0.6] * (len(pairs) - 1), abs=1e-5)
    assert scores[-1] == pytest.approx(ladder.last_score)
    assert ladder.levels == pytest.approx(len(pairs) - 1 + (scores[-1] - 0.5) * 10)
    assert scores[-1] < 0.6
