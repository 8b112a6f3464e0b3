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
from number_duels.review.words import mistake_lines, sentences
from tests.conftest import SLOW
from tests.review.positions import SMALL, random_match

#: How many games of each of the five are reviewed: 1,000 in all, or 60.
GAMES = 200 if SLOW else 12

ENDING = re.compile(
    r"(?:(Player [12]) wins|the game is drawn|hat leaves (Player [12]) with (.+?))\.$"
)
#: A reply that ends the game.
AT_ONCE = re.compile(r"(Player [12]) (?:can|can now|could) (win|draw) with ")
PARTS = {"win": 1.0, "draw": 0.5, "losse": 0.0, "loss": 0.0}


def claimed(mistake: Mistake) -> tuple[float, bool]:
    """The winning chance that a sentence says is left to who went wrong; is it certain?"""
    told = list(sentences(mistake))[1]
    if at_once := AT_ONCE.search(told):
        who, what = at_once.groups()
        return (0.5 if what == "draw" else float(who == str(mistake.seat))), True
    winner, _, left = ENDING.search(told).groups()  # type: ignore[union-attr]  # just found
    if left is None:
        return (0.5 if winner is None else float(winner == str(mistake.seat))), True
    if chance := re.match(r"a winning chance of (\d+)%", left):
        return int(chance[1]) / 100, False
    if left.startswith("a "):
        return PARTS[left[2:]], True
    found = re.findall(r"([<>]?)([\d.]+)% (win|draw|losse)s", left)
    return sum(float(share) / 100 * PARTS[what] for _, share, what in found), False


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


def test_mistakes_of_both_in_one_turn_are_told_together() -> None:
    game = nd.load("number-bid")
    match = nd.Match(game, seed=1)
    for seat in nd.Seat:
        match.submit(seat, "7")
    made = review(match).mistakes
    assert [mistake.seat for mistake in made] == [nd.Seat.ONE, nd.Seat.TWO]
    head, one, two = mistake_lines(1, made)
    assert head == "Turn 1: both went wrong."
    assert one.startswith(
        "  Player 1's bid 7 turns a draw into a loss. Player 2 could reply with bid 10 in"
    )
    assert "Player 2 chose bid 7 instead. Bidding 10 would have kept the draw." in one
    assert two.startswith("  Player 2's bid 7 turns a draw into a loss.")


def test_a_mistake_names_its_punishment_in_the_words_of_the_question() -> None:
    match = nd.Match(nd.load("number-knot"), seed=7)
    for seat, move in ((nd.Seat.ONE, "S5"), (nd.Seat.TWO, "A3"), (nd.Seat.ONE, "S9")):
        match.submit(seat, move)
    (line,) = mistake_lines(2, review(match).mistakes)
    assert line == (
        "Turn 2: Player 2's add 3 turns a draw into a loss. Player 1 can now win with"
        " subtract 8. Adding 6, 7, 8 or 9 would have kept the draw."
    )
