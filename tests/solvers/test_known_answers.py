from __future__ import annotations

import pytest

from number_duels import Match, Seat, load
from number_duels.core.game import E, Game, M, S, SomeGame
from number_duels.games.number_bid import Bid, NumberBid, State
from number_duels.solvers import Solution, TooLarge, Unreachable, Unsolvable, solve
from number_duels.solvers.induction import Induction
from tests.solvers import toys
from tests.solvers.helpers import silent


def solved(game: Game[S, M, E]) -> Solution[S, M, E]:
    return solve(game, cache=False)


def test_rock_paper_scissors_is_even_and_mixes_all_three() -> None:
    solution = solved(toys.RockPaperScissors())
    assert solution.value("") == pytest.approx(0)
    assert solution.states == 1
    for seat in Seat:
        assert solution.strategy("", seat) == pytest.approx(dict.fromkeys("rps", 1 / 3))
        assert solution.values("", seat) == pytest.approx(dict.fromkeys("rps", 0))


def test_the_value_of_a_flipped_coin_is_its_odds() -> None:
    solution = solved(toys.CoinFlip())
    assert solution.value("flip") == pytest.approx(1 / 3)
    assert solution.value("") == 0
    assert solution.states == 2
    assert solution.strategy("", Seat.TWO) == {"flip": 0.0, "stop": 1.0}
    assert solution.values("", Seat.TWO) == pytest.approx({"flip": -1 / 3, "stop": 0})


def test_number_bid_with_three_numbers_by_hand() -> None:
    # Two different bids leave one number, on which both tie: the first round's winner has won.
    # Equal bids leave two numbers and no points. There the higher number wins against the lower
    # and ties with itself, after which the last number ties too: both bid it, and it is a draw.
    # So the value of a first bid b against c is the sign of b - c, and both bid 3.
    game = NumberBid(numbers=3)
    solution = solved(game)
    one, two, three = Bid(1), Bid(2), Bid(3)
    assert solution.value(game.start()) == 0
    for seat in Seat:
        assert solution.strategy(game.start(), seat) == {one: 0, two: 0, three: 1}
        assert solution.values(game.start(), seat) == {one: -1, two: -1, three: 0}
    assert solution.value(State((1, 3))) == 0
    assert solution.strategy(State((1, 3)), Seat.ONE) == {one: 0, three: 1}
    assert solution.value(State((1,), (5, 0))) == 1
    assert solution.value(State((2,), (0, 4))) == -1
    # The start; three pools of two, level; three of one: level, or led by either, by the rest.
    assert solution.states == 1 + 3 + 3 * 3


def test_a_best_move_leaves_the_opponent_the_most_ways_to_go_wrong() -> None:
    solution = solved(toys.Trap())
    assert solution.value("") == 0
    assert solution.strategy("", Seat.ONE) == {"a": 0.0, "b": 1.0, "c": 0.0}


def test_a_win_is_taken_at_once_and_a_loss_put_off() -> None:
    assert solved(toys.WonAnyway()).strategy("", Seat.ONE) == {"on": 0.0, "end": 1.0}
    assert solved(toys.LostAnyway()).strategy("", Seat.ONE) == {"on": 1.0, "end": 0.0}


def test_a_game_longer_than_the_stack_is_deep_is_solved() -> None:
    solution = solved(toys.Long())
    assert (solution.value(""), solution.states) == (-1, 5000)


@pytest.mark.parametrize(
    ("game", "reason"),
    [(toys.RoundAndRound(), "repeat forever"), (toys.Blind(), "Player 2 decides without")],
)
def test_what_has_no_solution_is_refused(game: toys.Toy, reason: str) -> None:
    with pytest.raises(Unsolvable, match=reason):
        solve(game, cache=False)


def test_what_never_ends_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(TooLarge, match="more than 1,000 states"):
        Induction(toys.Endless(), limit=1000).solve(silent)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("number-drop", {"side": 5}),
        ("number-knot", {"numbers": 15, "life": 99}),
        ("number-bid", {"numbers": 20}),
        ("high-low-battle", {"cards": 13, "rounds": 13}),
        ("number-stack-showdown", {"highest": 13, "copies": 8, "target": 100}),
    ],
)
def test_what_is_too_large_is_refused_at_once(name: str, settings: dict[str, int]) -> None:
    with pytest.raises(TooLarge, match=r"its table would have [0-9,]{10,} states and take"):
        solve(load(name, **settings), cache=False)


def test_a_state_of_another_game_is_refused() -> None:
    solution = solved(NumberBid(numbers=4))
    for state in (State((1, 2, 3, 4), (1, 0)), State((1, 9)), State((1, 2), (99, 0))):
        with pytest.raises(Unreachable, match="cannot arise in Number Bid"):
            solution.value(state)


def test_a_view_that_hides_something_is_not_called_impossible() -> None:
    game = load("number-stack-showdown", target=8, highest=3, copies=2)
    solution, match = solved(game), Match(game, seed=1)
    match.draw()
    view = match.view(None)
    for ask in (
        lambda: solution.value(view),
        lambda: solution.values(view, Seat.ONE),
        lambda: solution.strategy(view, Seat.ONE),
    ):
        with pytest.raises(ValueError, match="This view hides something"):
            ask()
    assert solution.value(match.view(Seat.ONE)) == solution.value(match.state)


def test_a_solution_says_what_it_solves() -> None:
    assert repr(solved(NumberBid(numbers=3))) == (
        "<Solution of NumberBid(numbers=3): value 0.0, 13 states>"
    )


def test_who_does_not_decide_has_no_strategy() -> None:
    solution = solved(toys.CoinFlip())
    for state, seat in (("", Seat.ONE), ("flip", Seat.TWO), ("stop", Seat.TWO)):
        with pytest.raises(ValueError, match="no decision"):
            solution.strategy(state, seat)


def test_progress_grows_to_one() -> None:
    games: list[SomeGame] = [load("number-bid", numbers=5), load("number-knot", numbers=4)]
    for game in games:
        told: list[float] = []
        solve(game, cache=False, progress=told.append)
        assert told == sorted(told)
        assert told[-1] == 1
    told = []
    Induction(load("number-knot", numbers=6)).solve(told.append)
    assert told == sorted(told)
    assert 0 < told[-1] < 1
