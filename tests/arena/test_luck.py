"""Luck is zero on average, exactly; what is left of a result varies less."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, pvariance, stdev
from typing import cast

import pytest

import number_duels as nd
from number_duels.arena.grading import AnyPolicy, Grader, Policies
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.stats.scores import (
    RunningCorrection,
    Unit,
    added,
    corrected,
    figures_of,
    shares_from,
    sums_of,
    units_by_pairing,
)
from number_duels.core.game import AnyGame
from number_duels.core.notation import Step, write
from number_duels.core.record import Record
from number_duels.players.calibration import exact_scores
from number_duels.solvers.policies import UniformPolicy, probabilities
from tests.arena.matches import SOME_SMALL_GAMES, results_of

AnyStep = Step[Hashable, Hashable, Hashable]
some_games = pytest.mark.parametrize("game", SOME_SMALL_GAMES)


def lopsided(game: AnyGame) -> AnyPolicy:
    """A way to play that is neither uniform nor good: later options are likelier."""

    def policy(state: Hashable, seat: nd.Seat) -> dict[Hashable, float]:
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        options = turn.options[seat]
        whole = len(options) * (len(options) + 1) / 2
        return {move: n / whole for n, move in enumerate(options, 1)}

    return policy


def all_games(
    game: AnyGame, policies: tuple[AnyPolicy, AnyPolicy]
) -> Iterator[tuple[float, list[AnyStep], nd.Outcome]]:
    """Every way a game can go, with its probability."""
    waiting: list[tuple[float, list[AnyStep], Hashable]] = [(1.0, [], game.start())]
    while waiting:
        odds, steps, state = waiting.pop()
        turn = game.turn(state)
        if isinstance(turn, nd.Outcome):
            yield odds, steps, turn
        elif isinstance(turn, nd.Chance):
            for event, chance in turn.odds.items():
                after = game.drawn(state, event)
                step: AnyStep = Step(state, {}, event, after)
                waiting.append((odds * float(chance), [*steps, step], after))
        else:
            mixes = {
                seat: probabilities(game, policies[seat], state, seat, turn.options[seat])
                for seat in sorted(turn.options)
            }
            for moves in product(*mixes.values()):
                chosen = dict(zip(mixes, moves, strict=True))
                share = 1.0
                for seat, move in chosen.items():
                    share *= mixes[seat][move]
                after = game.resolve(state, chosen)
                waiting.append((odds * share, [*steps, Step(state, chosen, None, after)], after))


#: Small enough that every way the game can go is looked at.
TINY = (
    nd.load("high-low-battle", cards=3, rounds=2),
    nd.load("number-bid", numbers=4),
    nd.load("number-drop", side=2),
    nd.load("number-knot", numbers=3, life=3),
    nd.load("number-stack-showdown", target=5, highest=3, copies=1),
)


@pytest.mark.parametrize("game", TINY, ids=lambda game: game.name)
@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True), (False, False)])
def test_luck_is_zero_over_all_games(game: AnyGame, known: tuple[bool, bool]) -> None:
    grader = Grader(nd.solve(game, cache=False))
    policy = lopsided(game)
    policies: Policies = (policy if known[0] else None, policy if known[1] else None)
    cards = mixing = total = 0.0
    for odds, steps, end in all_games(game, (policy, policy)):
        deal = game.deal_text(game.start())
        record = Record(game.name, game.settings, deal, 1, moves=write(steps), result=end.result)
        figures = grader.grade(record, policies)
        total += odds
        cards += odds * figures.cards
        mixing += odds * figures.mixing
    assert total == pytest.approx(1, abs=1e-9)
    assert cards == pytest.approx(0, abs=1e-9)
    assert mixing == pytest.approx(0, abs=1e-9)


def call(policy: AnyPolicy, state: Hashable, seat: nd.Seat) -> Mapping[Hashable, float]:
    """A policy behind a function, so that nobody knows what kind it is."""
    return cast("Mapping[Hashable, float]", policy(state, seat))


@some_games
def test_what_is_remembered_of_known_players_is_what_their_policies_say(game: AnyGame) -> None:
    """Games are graded alike whether or not the grader may know who chooses, and from paper."""
    solution, other = nd.solve(game), lopsided(game)
    slips, blind = solution.strategy.with_errors(0.5), UniformPolicy(game)
    remembering, forgetful = Grader(solution), Grader(solution)
    for result in results_of(Schedule(named(["level:1", "random"]), (game,), 3, seed=2)):
        steps = result.record.match().history.steps
        pairs: list[tuple[AnyPolicy, AnyPolicy | None]] = [
            (slips, blind),
            (blind, slips),
            (slips, None),
            (other, slips),
        ]
        for one, two in pairs:
            hidden: Policies = (partial(call, one), None if two is None else partial(call, two))
            known = remembering.grade_steps(steps, (one, two))
            assert known == forgetful.grade_steps(steps, hidden)
            assert known == remembering.grade(result.record, (one, two))


@cache
def played_units(game: AnyGame) -> list[Unit]:
    """Three hundred pairs of games between two built-in players."""
    games = results_of(Schedule(named(["level:1", "random"]), (game,), 300, seed=5))
    (found,) = units_by_pairing(games).values()
    return found


@some_games
def test_plain_and_corrected_scores_agree_and_the_corrected_one_varies_less(
    game: AnyGame,
) -> None:
    """Over many seeds the means differ by no more than their own noise."""
    played = played_units(game)
    plain, without = [unit.result for unit in played], corrected(played)
    assert without is not None
    apart = [a - b for a, b in zip(plain, without, strict=True)]
    assert abs(fmean(apart)) <= 4 * stdev(apart) / sqrt(len(apart))
    assert pvariance(without) < pvariance(plain)


@some_games
def test_both_scores_are_about_what_is_computed_exactly(game: AnyGame) -> None:
    exact = exact_scores(game)
    truth = (exact["level:1", "random"] - exact["random", "level:1"]) / 2
    played = played_units(game)
    without = corrected(played)
    assert without is not None
    for found in ([unit.result for unit in played], without):
        assert abs(fmean(found) - truth) <= 4 * stdev(found) / sqrt(len(found))


def noisy(rng: Random, share: float) -> Unit:
    """A result of which a known share was luck."""
    cards, mixing = rng.gauss(0, 1), rng.gauss(0, 1)
    return Unit(0.3 + share * cards + rng.gauss(0, 0.1), (cards, mixing))


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_the_share_of_luck_is_learned(share: float) -> None:
    rng = Random(3)
    known = figures_of([noisy(rng, share) for _ in range(400)])
    cards, mixing = shares_from(added(map(sums_of, known or ())))
    assert cards == pytest.approx(share, abs=0.05)
    assert mixing == pytest.approx(0, abs=0.05)


def test_what_is_learned_never_comes_from_the_pair_it_is_used_for() -> None:
    """With small samples too the mean stays right: a share learned from all pairs would not do."""
    rng, means = Random(11), []
    for _ in range(3000):
        found = corrected([Unit(c**2 - 1, (c, 0.0)) for c in (rng.gauss(0, 1) for _ in range(6))])
        assert found is not None
        means.append(fmean(found))
    assert abs(fmean(means)) <= 4 * stdev(means) / sqrt(len(means))


def test_a_game_that_is_not_solved_is_not_corrected() -> None:
    assert corrected([Unit(1.0, None), Unit(0.0, (0.1, 0.0))]) is None
    assert corrected([]) is None


def test_luck_that_never_happens_takes_nothing_off() -> None:
    still = [Unit(float(Fraction(n, 10)), (0.0, 0.0)) for n in range(10)]
    assert corrected(still) == [unit.result for unit in still]


def test_one_pair_after_the_other_learns_from_earlier_pairs_alone() -> None:
    rng = Random(12)
    units = [noisy(rng, 0.4) for _ in range(300)]

    def in_order(pairs: list[Unit]) -> list[float]:
        running = RunningCorrection()
        return [running.without_luck(unit) for unit in pairs]

    found = in_order(units)
    # What comes later changes nothing.
    assert in_order(units[:100]) == found[:100]
    # Before anything is learned all luck counts; in the end its true share does.
    assert found[0] == pytest.approx(units[0].result - sum(units[0].luck or ()))
    assert pvariance(found[100:]) < 1.2 * pvariance([rng.gauss(0, 0.1) for _ in range(2000)])
    assert in_order([Unit(0.5, None)]) == [0.5]


def test_in_order_too_the_mean_stays_right() -> None:
    rng, means = Random(13), []
    for _ in range(2000):
        running = RunningCorrection()
        luck = [rng.gauss(0, 1) for _ in range(6)]
        means.append(fmean(running.without_luck(Unit(c**2 - 1, (c, 0.0))) for c in luck))
    assert abs(fmean(means)) <= 4 * stdev(means) / sqrt(len(means))
