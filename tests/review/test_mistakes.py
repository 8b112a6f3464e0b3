"""The line that punishes a mistake is legal, and it wins what the sentence says."""

from __future__ import annotations

import re
from collections.abc import Hashable
from random import Random

import pytest

import number_duels as nd
from number_duels.core.history import History
from number_duels.review import Review, review
from number_duels.review.mistakes import MAX_TURNS, Mistake
from number_duels.review.position import AnySolution
from number_duels.review.words import (
    ON_AVERAGE,
    headline,
    line_sentence,
    mistake_groups,
    nobody_wrong,
    review_lines,
    sentences,
)
from tests.conftest import SLOW
from tests.review.positions import SMALL, random_match

#: How many games of each of the five are reviewed: 1,000 in all, or 60.
GAMES = 200 if SLOW else 12

ENDING = re.compile(
    r"(?:(Player [12]) wins|the game is drawn|hat leaves Player [12] with (.+?)"
    r"|and Player [12](?:'s winning chance is)? (loses|draws|wins|.+?%))\.$"
)
#: A reply that ends the game.
AT_ONCE = re.compile(r"(Player [12]) (?:can|can now) (win|draw) (?:with|by) ")
RESULTS = {"a win": 1.0, "a draw": 0.5, "a loss": 0.0, "wins": 1.0, "draws": 0.5, "loses": 0.0}


def claimed(mistake: Mistake) -> tuple[float, bool]:
    """The winning chance that a sentence says is left to who went wrong; is it certain?"""
    told = line_sentence(mistake)
    if at_once := AT_ONCE.search(told):
        who, what = at_once.groups()
        return (0.5 if what == "draw" else float(who == str(mistake.seat))), True
    winner, with_what, does = ENDING.search(told).groups()  # type: ignore[union-attr]  # just found
    left = with_what or does
    if left is None:
        return (0.5 if winner is None else float(winner == str(mistake.seat))), True
    if chance := re.match(r"(?:a winning chance of )?[<>]?(\d+)%", left):
        return int(chance[1]) / 100, False
    return RESULTS[left], True


def finished(solution: AnySolution, state: Hashable, rng: Random) -> nd.Outcome:
    """Both play on by their strategies, with any cards."""
    game = solution.game
    while not isinstance(turn := game.turn(state), nd.Outcome):
        if isinstance(turn, nd.Chance):
            state = game.drawn(state, rng.choice(list(turn.odds)))
            continue
        moves = {}
        for seat in turn.options:
            odds = solution.strategy(state, seat)
            moves[seat] = rng.choices(list(odds), list(odds.values()))[0]
        state = game.play(state, moves)
    return turn


def check(solution: AnySolution, found: Review, mistake: Mistake, rng: Random) -> None:
    game, seat, line = solution.game, mistake.seat, mistake.line
    start = game.start(deal=found.record.deal)
    # Legal: `read` refuses everything else.
    history = History.read(game, start, line.moves)
    played = History.read(game, start, found.record.moves)
    turns = [step for step in history if step.moves]
    wrong = [step for step in played if step.moves][mistake.turn - 1]
    assert turns[mistake.turn - 1].moves[seat] == wrong.moves[seat]
    assert (
        str(history).split()[: mistake.turn - 1] == found.record.moves.split()[: mistake.turn - 1]
    )
    assert len(turns) - mistake.turn <= MAX_TURNS
    # It wins what the sentence says, which is less than there was.
    value = solution.value(history.state) * (1, -1)[seat]
    share, certain = claimed(mistake)
    assert share == pytest.approx((1 + value) / 2, abs=1e-6 if certain else 0.0151)
    assert value < mistake.before.value - 1e-7
    assert line.left.value == pytest.approx(value)
    if certain:
        outcome = finished(solution, history.state, rng)
        assert {None: 0.5, seat: 1.0, seat.other: 0.0}[outcome.winner] == share


@pytest.mark.parametrize("name", sorted(SMALL))
def test_punishing_lines_are_legal_and_win_what_they_say(name: str) -> None:
    settings = {} if SLOW and name != "number-stack-showdown" else SMALL[name]
    solution: AnySolution = nd.solve(nd.load(name, **settings))
    checked = 0
    for seed in range(GAMES):
        found = review(random_match(solution.game, seed), solution=solution)
        assert len(found.mistakes) == sum(grade.is_mistake for grade in found.grades)
        for mistake in found.mistakes:
            check(solution, found, mistake, Random(seed))
            checked += 1
    assert checked >= GAMES // 3


def test_what_was_right_keeps_what_there_was(solution: AnySolution) -> None:
    checked = 0
    for seed in range(12):
        for mistake in review(random_match(solution.game, seed), solution=solution).mistakes:
            checked += 1
            safe = [o for o in mistake.right if o.guarantee >= mistake.before.value - 1e-7]
            mixed = sum(option.probability for option in mistake.right)
            assert len(safe) == len(mistake.right) or mixed == pytest.approx(1)
            assert mistake.words not in {option.words for option in mistake.right}
    assert checked >= 5


def test_a_choice_is_judged_on_average_and_apart_from_what_happened() -> None:
    """Player 2's mistake happens to work against Player 1's, which is smaller."""
    match = nd.Match(nd.load("high-low-battle"), seed=1)
    for choices in ("82", "11"):
        for seat, choice in zip(nd.Seat, choices, strict=True):
            match.submit(seat, choice)
    found = review(match)
    one, two = ([*sentences(made)][:-1] for made in found.mistakes if made.turn == 2)
    assert one == [
        "On average, playing 1 lowers Player 1's winning chance from 39% to 31%.",
        "This time Player 2 chose 1, and Player 1's winning chance fell to 0%.",
    ]
    assert two == [
        "On average, playing 1 lowers Player 2's winning chance from 61% to 16%.",
        "It happened to work: Player 1 chose 1, and Player 2's winning chance rose to 100%.",
        "Against 2, Player 2 loses.",
    ]
    assert headline(found) == "The biggest mistake was Player 2's: playing 1 in round 2."
    assert ON_AVERAGE in review_lines(found)


def test_both_mistakes_of_one_turn_name_the_choice_that_punishes_them() -> None:
    match = nd.Match(nd.load("number-bid"), seed=1)
    for seat in nd.Seat:
        match.submit(seat, "7")
    one, two = review(match).mistakes
    assert list(sentences(one)) == [
        "Against perfect play, bidding 7 turns Player 1's draw into a loss.",
        "This time Player 2 chose 7, and Player 1's winning chance stayed at 50%.",
        "Against 10, Player 1 loses.",
        "Bidding 10 would have kept the draw.",
    ]
    assert two.seat is nd.Seat.TWO


def test_a_mistake_names_its_punishment_in_the_words_of_the_question() -> None:
    match = nd.Match(nd.load("number-knot"), seed=7)
    for seat, move in ((nd.Seat.ONE, "S5"), (nd.Seat.TWO, "A3"), (nd.Seat.ONE, "S9")):
        match.submit(seat, move)
    (made,) = review(match).mistakes
    assert " ".join(sentences(made)) == (
        "Adding 3 turns Player 2's draw into a loss. Player 1 can now win by subtracting 8."
        " Adding 6, 7, 8 or 9 would have kept the draw."
    )


@pytest.mark.parametrize("own", [(nd.Seat.ONE,), (nd.Seat.TWO,), tuple(nd.Seat), ()])
def test_ones_own_mistakes_come_first_and_the_biggest_of_them(
    solution: AnySolution, own: tuple[nd.Seat, ...]
) -> None:
    for seed in range(6):
        found = review(random_match(solution.game, seed), solution=solution)
        groups = mistake_groups(found, own)
        listed = [one for group in groups for one in group.mistakes]
        assert sorted(map(id, listed)) == sorted(map(id, found.mistakes))
        costs = [(one.seat not in own, one.seat, -round(one.loss, 9)) for one in listed]
        assert costs == sorted(costs)
        assert not groups or not groups[0].folded
        for group in groups[1:]:
            other = len(own) == 1 and group.mistakes[0].seat not in own
            assert group.folded == (other or "smaller" in group.title)


def test_no_round_decided_a_game_that_was_given_up() -> None:
    match = nd.Match(nd.load("high-low-battle"), seed=1)
    for cards in ("86", "99", "61"):
        for seat, card in zip(nd.Seat, cards, strict=True):
            match.submit(seat, card)
    match.concede(nd.Seat.TWO, "resigned.")
    found = review(match)
    assert "decided the game" not in nobody_wrong(found)
    said = "No single move was a mistake. Player 2 resigned with a winning chance of 100%."
    assert headline(found) == said


def test_equal_mistakes_are_not_called_the_biggest() -> None:
    match = nd.Match(nd.load("number-bid"), seed=1)
    for seat in nd.Seat:
        match.submit(seat, "1")
    said = "The 2 mistakes cost the same: 50% each."
    assert headline(review(match)) == said
    assert (
        headline(review(match), [nd.Seat.TWO])
        == "Player 2's only mistake was bidding 1 in round 1."
    )


def test_a_player_who_gave_up_is_not_told_that_they_made_no_mistake() -> None:
    match = nd.Match(nd.load("number-knot"), seed=7)
    for seat, move in ((nd.Seat.ONE, "S5"), (nd.Seat.TWO, "A3")):
        match.submit(seat, move)
    match.concede(nd.Seat.ONE, "resigned.")
    assert headline(review(match), [nd.Seat.ONE]) == (
        "Player 2's only mistake was adding 3 in turn 2."
        " Player 1 resigned with a winning chance of 100%."
    )


@pytest.mark.parametrize("name", ["high-low-battle"])
def test_a_lost_position_is_played_to_its_end(name: str) -> None:
    """Also where both choose and perfect play mixes, because nothing can change the result."""
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    played = 0
    for seed in range(GAMES):
        for mistake in review(random_match(solution.game, seed), solution=solution).mistakes:
            if mistake.line.left.value == -1:
                assert mistake.line.outcome, mistake.line
                played += len(mistake.line.turns) > 1
    assert played
