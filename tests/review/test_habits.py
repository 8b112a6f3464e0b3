"""Habits: what is chosen too often is found, and judged on games that it was not read from."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.review.habits import Habits, habits
from number_duels.review.position import AnySolution
from number_duels.review.review_text import habit_lines

PLAYERS = Person("Ann"), Person("Bo")


@pytest.fixture(scope="module", params=["high-low-battle"])
def solution(request: pytest.FixtureRequest) -> AnySolution:
    found: AnySolution = nd.solve(nd.load(request.param, cards=4, rounds=3))
    return found


def first_rounds(solution: AnySolution, ann: list[str]) -> dict[str, Habits]:
    """The habits in games of one round: what Ann played, and Bo by his strategy."""
    rng = Random(1)
    odds = solution.strategy(solution.game.start(), nd.Seat.TWO)
    games: list[tuple[AnySolution, AnyMatch]] = []
    for card in ann:
        match = nd.Match(solution.game, seed=1, players=PLAYERS)
        match.submit(nd.Seat.ONE, card)
        match.submit(nd.Seat.TWO, rng.choices(list(odds), list(odds.values()))[0])
        games.append((solution, match))
    return habits(games)


def test_nine_games_are_too_few(solution: AnySolution) -> None:
    found = first_rounds(solution, ["4"] * 9)["Ann"]
    assert found.found == ()
    assert list(habit_lines("Ann", found)) == [
        "Ann: too few games to see habits (no choice was met ten times)."
    ]


def test_who_always_plays_the_same_gives_away_what_its_guarantee_lacks(
    solution: AnySolution,
) -> None:
    found = first_rounds(solution, ["4"] * 20)["Ann"]
    start = solution.game.start()
    worst = solution.guarantees(start, nd.Seat.ONE)[solution.game.parse("4")]
    (habit,) = found.found
    assert habit.meetings == 20
    assert habit.choices[0].words == "play 4"
    assert habit.choices[0].share == 1.0
    assert habit.gain == pytest.approx((solution.value(start) - worst) / 2)
    assert found.gain == pytest.approx(habit.gain)
    told = "\n".join(habit_lines("Ann", found))
    assert "High-Low Battle at the start, as Player 1, 20 times:" in told
    assert "play 4 100% (perfect play" in told


def test_who_mixes_as_perfect_play_does_gives_nothing_away(solution: AnySolution) -> None:
    odds = solution.strategy(solution.game.start(), nd.Seat.ONE)
    cards = Random(2).choices([str(card) for card in odds], list(odds.values()), k=1000)
    found = first_rounds(solution, cards)["Ann"]
    assert found.interval is not None
    low, high = found.interval
    assert low < 0.01
    assert high < 0.05
    assert abs(found.gain) < 0.03


def test_what_was_read_is_not_what_is_judged(solution: AnySolution) -> None:
    # Ann changes from game to game, so what a reader learns from one half fails in the other.
    found = first_rounds(solution, ["4", "1"] * 10)["Ann"]
    start = solution.game.start()
    game, one, two = solution.game, nd.Seat.ONE, nd.Seat.TWO
    (habit,) = found.found

    def left(own: str, other: object) -> float:
        return solution.value(game.resolve(start, {one: game.parse(own), two: other}))

    replies = list(solution.strategy(start, two))
    answer = {card: min(replies, key=lambda reply: left(card, reply)) for card in "41"}
    wanted = -(left("1", answer["4"]) + left("4", answer["1"])) / 4
    assert habit.gain == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["number-knot"])
def test_where_one_decides_alone_the_habit_costs_what_its_moves_lose(name: str) -> None:
    game = nd.load(name, numbers=3, life=3)
    solution: AnySolution = nd.solve(game)
    games: list[tuple[AnySolution, AnyMatch]] = []
    for n in range(20):
        match = nd.Match(game, seed=1, players=PLAYERS)
        match.submit(nd.Seat.ONE, "A1" if n % 4 else "S3")
        games.append((solution, match))
    (habit,) = habits(games)["Ann"].found
    lost = (
        solution.value(game.start()) - solution.values(game.start(), nd.Seat.ONE)[game.parse("A1")]
    )
    assert lost > 0
    assert habit.gain == pytest.approx(0.75 * lost / 2)
