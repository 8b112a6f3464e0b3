"""Which positions a drill asks: reached, with something at stake, where one goes wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame, Seat
from number_duels.core.history import AnyHistory
from number_duels.review.player_stats import PHASES
from number_duels.review.position import AnySolution
from number_duels.trainer import drills as drill_module
from number_duels.trainer.book import Learner, MissRate
from number_duels.trainer.drills import LEVELS, Drills, Scope, play_out
from number_duels.trainer.exercise import MIXED
from number_duels.trainer.spot import Spot
from tests.clock import ManualClock
from tests.trainer.exercises import some_exercises

NEW = Learner()
RIGHT = MissRate(1e9, 0.0)


#: A learner who goes wrong in openings and nowhere else.
IN_OPENINGS = Learner(buckets={"opening": MissRate(1e9, 1e9), "middle": RIGHT, "end": RIGHT})


def solved(name: str, **settings: int) -> AnySolution:
    game: AnyGame = nd.load(name, **settings)
    return nd.solve(game)


@pytest.fixture(scope="module")
def drills() -> Drills:
    return Drills(solved("high-low-battle", cards=6))


def test_something_is_at_stake_in_every_drill(solution: AnySolution) -> None:
    drills = Drills(solution)
    for seed in range(12):
        exercise = drills.draw(Scope(), NEW, Random(seed))
        assert exercise.stake > 0
        assert exercise.phase in PHASES


def test_equal_seeds_ask_the_same(drills: Drills) -> None:
    asked = [drills.draw(Scope(), NEW, Random(7)).spot.spot for _ in range(2)]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_is_kept_to(drills: Drills, phase: str) -> None:
    turns = {"opening": {1, 2}, "middle": {3, 4}, "end": {5, 6}}[phase]
    for seed in range(8):
        exercise = drills.draw(Scope(phase=phase), NEW, Random(seed))
        assert exercise.spot.history.turn_number in turns


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_a_third_of_what_a_game_asks(drills: Drills, level: str) -> None:
    found = [drills.level(one) for one in some_exercises(drills.solution) if one.stake > 0]
    assert 0.1 < found.count(level) / len(found) < 0.6
    for seed in range(4):
        exercise = drills.draw(Scope(level=level), NEW, Random(seed))
        assert exercise.level == level == drills.level(exercise)


def test_harder_is_a_smaller_gap_or_a_greater_temptation(drills: Drills) -> None:
    by_level = {
        level: [drills.draw(Scope(level=level), NEW, Random(seed)) for seed in range(4)]
        for level in LEVELS
    }
    gaps = [sum(one.gap for one in by_level[level]) for level in LEVELS]
    assert gaps == sorted(gaps, reverse=True)


def test_what_is_missed_comes_up(drills: Drills) -> None:
    asked = [drills.draw(Scope(), IN_OPENINGS, Random(seed)).phase for seed in range(8)]
    assert set(asked) == {"opening"}


def test_more_at_stake_comes_up_more_often(solution: AnySolution) -> None:
    """Drawn ones have more at stake than those that are merely reached."""
    drills = Drills(solution)
    drawn = [drills.draw(Scope(), NEW, Random(seed)).stake for seed in range(20)]
    reached = [one.stake for one in some_exercises(solution) if one.stake > 0]
    assert sum(drawn) / len(drawn) > sum(reached) / len(reached) - 0.1


def test_more_often_reached_comes_up_more_often() -> None:
    """After the best first move, which most games begin with, rather than after any other."""
    drills, scope = Drills(solved("number-knot", numbers=6)), Scope(phase="opening")
    asked = (drills.draw(scope, NEW, Random(seed)).spot.spot.moves for seed in range(40))
    drawn = Counter(moves for moves in asked if len(moves.split()) == 1)
    others = {moves: count for moves, count in drawn.items() if moves != "S6"}
    assert drawn["S6"] > 2 * max(others.values())


def test_what_was_seen_does_not_come_again(drills: Drills) -> None:
    seen: set[str] = set()
    for seed in range(6):
        exercise = drills.draw(Scope(level="easy"), NEW, Random(seed % 2), seen)
        assert exercise.spot.id not in seen
        seen.add(exercise.spot.id)


def test_when_nothing_is_left_a_sentence_says_so() -> None:
    drills = Drills(solved("number-knot", numbers=2, life=2))
    seen: set[str] = set()
    left = len({one.spot.id for one in some_exercises(drills.solution, games=60) if one.stake})
    for seed in range(left):
        seen.add(drills.draw(Scope(), NEW, Random(seed), seen).spot.id)
    with pytest.raises(ValueError, match="No more positions in Number Knot match"):
        drills.draw(Scope(), NEW, Random(7), seen)


def test_a_mixed_strategy_is_asked_where_perfect_play_mixes(drills: Drills) -> None:
    for seed in range(6):
        exercise = drills.draw(Scope(form=MIXED), NEW, Random(seed))
        assert exercise.mixes
        assert exercise.form == MIXED


def test_where_nobody_mixes_a_sentence_says_what_to_ask_for() -> None:
    drills = Drills(solved("number-knot", numbers=4))
    with pytest.raises(ValueError, match="practice single moves instead"):
        drills.draw(Scope(form=MIXED), NEW, Random(7))


def test_one_spot_is_asked_again_and_again(drills: Drills) -> None:
    spot = Spot("high-low-battle", {}, None, "6/9", nd.Seat.TWO)
    for seed in range(3):
        exercise = drills.draw(Scope(spot=spot), NEW, Random(seed))
        assert exercise.spot.id == spot.open().id


@pytest.mark.parametrize(
    ("phase", "level", "form"),
    [("late", "", "move"), ("", "brutal", "move"), ("", "", "essay"), ("", "", "")],
)
def test_an_unknown_scope_is_refused(phase: str, level: str, form: str) -> None:
    with pytest.raises(ValueError, match="choose"):
        Scope(phase, level, form)


def test_who_has_others_waiting_looks_no_longer_than_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games: list[AnyHistory] = []
    clock = ManualClock()

    def counted(solution: AnySolution, rng: Random, slips: Mapping[Seat, float]) -> AnyHistory:
        clock.advance(1)
        games.append(play_out(solution, rng, slips))
        return games[-1]

    monkeypatch.setattr(drill_module, "play_out", counted)
    drills = Drills(solved("number-bid", numbers=6), clock)
    with pytest.raises(ValueError, match="practice single moves instead"):
        drills.draw(Scope(form=MIXED), NEW, Random(7), limit_s=2)
    assert len(games) == 3
