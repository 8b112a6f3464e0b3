"""Habits: what a person's choices followed, and what the best response to it leaves them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import cast

import pytest

import number_duels as nd
from number_duels.core.game import Decision, Outcome, Seat, SomeGame
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.review import habits as module
from number_duels.review.habits import RANKS, Habit, value_of
from number_duels.review.json import review_json
from number_duels.review.words import habit_sentence, headline
from tests.solvers.toys import RockPaperScissors

YOU, COMPUTER = Person("Player 1"), Person("Player 2", "level:3")
#: The cards of 9, 8, 7, 6, 5, and of a smaller hand.
DESCENDING, DOWN = "9/5 8/4 7/6 6/9 5/8", "6/2 5/1 4/3 3/6 2/5"
SMALL = {"cards": 6, "rounds": 5}


def record(moves: str, day: int = 9, **settings: int) -> nd.Record:
    game = nd.load("high-low-battle", **settings)
    started = f"2026-01-{day:02}T20:00:00Z"
    return nd.Record(game.name, game.settings, None, 7, (YOU, COMPUTER), moves, started=started)


# ---- the figure ------------------------------------------------------------------


def held_to(game: SomeGame, seat: Seat, rank: str) -> float:
    """Player 1's result against the best response, by trying every line of play."""

    def wanted(options: list[object]) -> list[object]:
        numbers = sorted(options, key=lambda move: int(str(move)))
        middle = numbers[(len(numbers) - 1) // 2 : len(numbers) // 2 + 1]
        found = {
            "highest": numbers[-1:],
            "lowest": numbers[:1],
            "middle": middle,
            "second highest": numbers[-2:-1],
            "second lowest": numbers[1:2],
        }[rank]
        return found or numbers

    @cache
    def value(state: object) -> float:
        turn = game.turn(state)
        if isinstance(turn, Outcome):
            return {Seat.ONE: 1.0, None: 0.0, Seat.TWO: -1.0}[turn.winner]
        assert isinstance(turn, Decision)
        mine = wanted(list(turn.options[seat]))
        replies = []
        for reply in turn.options[seat.other]:
            after = [game.resolve(state, {seat: m, seat.other: reply}) for m in mine]
            replies.append(sum(map(value, after)) / len(mine))
        return min(replies) if seat is Seat.ONE else max(replies)

    return value(game.start())


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize(
    "game",
    [
        nd.load("high-low-battle", cards=3, rounds=2, level="draw"),
        nd.load("high-low-battle", cards=4, rounds=4, level="draw"),
        nd.load("number-bid", numbers=4),
        nd.load("number-bid", numbers=7),
    ],
    ids=lambda game: "-".join(map(str, (game.name, *game.settings.values()))),
)
def test_the_best_response_to_a_habit_is_that_of_brute_force(
    game: SomeGame, rank: str, seat: Seat
) -> None:
    found = value_of(nd.solve(game), game.start(), seat, rank)
    assert found == pytest.approx(held_to(game, seat, rank))


def test_a_habit_can_leave_a_part_or_cost_nothing() -> None:
    """Else the test above would compare lost games alone."""
    games: list[tuple[SomeGame, str, float]] = [
        (nd.load("high-low-battle", cards=3, rounds=2, level="draw"), "middle", -0.5),
        (nd.load("number-bid", numbers=7), "highest", 0.0),
    ]
    for game, rank, left in games:
        assert value_of(nd.solve(game), game.start(), Seat.ONE, rank) == left


# ---- who has one -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "moves", "settings"),
    [(Seat.ONE, DESCENDING, {}), (Seat.TWO, "2/6 1/5 3/4 6/3 5/2", SMALL)],
)
def test_playing_the_highest_card_in_every_round_loses_to_whoever_knows_it(
    seat: Seat, moves: str, settings: dict[str, int]
) -> None:
    people = [Person("Player 1", "level:3"), Person("Player 2", "level:3")]
    people[seat] = replace(people[seat], who="human")
    one, two = people
    found = nd.review(replace(record(moves, **settings), players=(one, two)))
    (habit,) = found.habits
    assert (habit.seat, habit.rank, habit.choices, habit.games) == (seat, "highest", 5, 1)
    assert (habit.value, habit.free, habit.cost) == (-1.0, 0.0, 1.0)
    assert habit_sentence(habit) == (
        f"Predictable: {seat} plays the highest number in every round."
        " An opponent who knows this can win every game."
    )
    assert review_json(found)["habits"] == [
        {
            "seat": seat + 1,
            "rank": "highest",
            "words": "plays the highest number",
            "choices": 5,
            "games": 1,
            "value": -1.0,
            "free": 0.0,
        }
    ]
    assert found.players[seat].accuracy == 100.0
    assert f"None of {seat}'s moves was a mistake by itself." in headline(found, [seat])


def test_one_other_choice_or_too_few_show_no_habit() -> None:
    assert nd.review(record(DOWN, **SMALL)).habits
    assert nd.review(record("6/2 5/1 4/3 2/6 3/5", **SMALL)).habits == ()
    assert nd.review(record("6/2 5/1 4/3 3/6", **SMALL)).habits == ()


def test_the_computer_has_no_habits() -> None:
    assert nd.review(record("2/6 1/5 3/4 6/3 5/2", **SMALL)).habits == ()


def test_a_habit_that_costs_nothing_is_not_told() -> None:
    game = nd.load("number-bid")
    moves = "10/9 8/7 6/5 4/3 2/1"
    played = nd.Record(game.name, game.settings, None, 7, moves=moves)
    (habit,) = nd.review(played).habits
    assert (habit.seat, habit.words) == (Seat.TWO, "bids the second highest number")


def test_a_game_that_is_too_large_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STATES", 100)
    assert nd.review(record(DOWN, **SMALL)).habits == ()


# ---- over several games ----------------------------------------------------------


def test_short_games_in_a_row_show_a_habit_together() -> None:
    now = record("4/1 3/2 2/4", 9, cards=4, rounds=3)
    before = [replace(record("4/3 3/4 2/1", day, cards=4, rounds=3)) for day in (7, 8)]
    assert nd.review(now).habits == ()
    (habit,) = nd.review(now, earlier=before).habits
    assert (habit.choices, habit.games) == (9, 3)
    assert "in every round of 3 games." in habit_sentence(habit)


def test_choices_between_two_show_no_middle() -> None:
    games = [record(moves, day, cards=2, rounds=1) for day, moves in enumerate(("1/2", "2/1") * 3)]
    assert nd.review(games[-1], earlier=games[:-1]).habits == ()


@pytest.mark.parametrize(
    "other",
    [
        replace(record("4/3 3/4 2/1", 8, cards=4, rounds=3), players=(Person("Bo"), COMPUTER)),
        record("4/3 3/4 2/1", 9, cards=4, rounds=3),
        record("4/3 3/4 2/1", 8, cards=5, rounds=3),
        record("3/4 4/3 2/1", 8, cards=4, rounds=3),
        replace(record("4/3 3/4 2/1", 8, cards=4, rounds=3), moves="4/9"),
    ],
    ids=["somebody else's", "not earlier", "other settings", "another choice", "damaged"],
)
def test_only_a_persons_games_right_before_count(other: nd.Record) -> None:
    now = record("4/1 3/2 2/4", 9, cards=4, rounds=3)
    assert nd.review(now, earlier=[other]).habits == ()


# ---- any game --------------------------------------------------------------------


def test_choices_that_are_no_numbers_are_named_by_their_place() -> None:
    match = cast("AnyMatch", nd.Match(RockPaperScissors(), seed=1))
    for seat in Seat:
        match.submit(seat, "r")
    said = "chooses the first option"
    assert module.words_of(match, Seat.ONE, "lowest") == said


def test_a_part_that_is_left_is_told_in_percent() -> None:
    habit = Habit(Seat.TWO, "lowest", "bids the lowest number", 5, 1, value=-0.52, free=0.0)
    assert habit_sentence(habit).endswith("An opponent who knows this can hold Player 2 to 24%.")
