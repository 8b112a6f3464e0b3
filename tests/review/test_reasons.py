"""Every reason of a hint and every comment of a review holds, by trying all moves and replies."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from random import Random

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.review.position import (
    AnySolution,
    examine,
    examine_with_chances,
    words_of_moves,
)
from number_duels.review.words import advice, sentences
from number_duels.sessions.review import ReviewSession
from tests.conftest import SLOW
from tests.review.positions import SMALL, random_match

#: How many hints and games of each of the five games are checked.
HINTS, GAMES = (80, 200) if SLOW else (12, 6)
CLOSE = 1e-7


class Tried:
    """The results of all moves of a seat, each with all replies, to that seat."""

    def __init__(self, solution: AnySolution, state: Hashable, seat: Seat) -> None:
        game, sign = solution.game, (1, -1)[seat]
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        self.value = sign * solution.value(state)
        self.words = words_of_moves(game, state, seat)
        replies = turn.options.get(seat.other)
        self.results = {
            self.words[move]: [
                sign * solution.value(game.play(state, {seat: move, seat.other: reply}))
                for reply in replies
            ]
            if replies
            else [sign * solution.value(game.play(state, {seat: move}))]
            for move in turn.options[seat]
        }
        self.wrong = {} if replies else {
            words: wrong_share(solution, game.play(state, {seat: move}), seat.other)
            for move, words in self.words.items()
        }  # fmt: skip
        self.replies = list(replies or ())
        self.both = replies is not None

    @property
    def safe(self) -> set[str]:
        return {words for words, found in self.results.items() if min(found) >= self.value - CLOSE}

    def named(self, text: str) -> set[str]:
        """The moves that a sentence names, all of them."""
        return {one for one in self.results if re.search(rf"\b{re.escape(one)}\b", text.lower())}


def wrong_share(solution: AnySolution, state: Hashable, seat: Seat) -> float:
    """How often a random move of a seat loses something, over all cards."""
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, nd.Chance):
        return sum(
            float(odds) * wrong_share(solution, game.play(state, {None: event}), seat)
            for event, odds in turn.odds.items()
        )
    if isinstance(turn, nd.Outcome) or seat not in turn.options:
        return 0.0
    sign = (1, -1)[seat]
    found = [sign * solution.value(game.play(state, {seat: one})) for one in turn.options[seat]]
    return sum(one < max(found) - CLOSE for one in found) / len(found)


def check_round(said: list[str], answer: Hashable, tried: Tried, played: str) -> None:
    """Check what happened after a mistake where both chose at once: its cost is an average."""
    cost, happened, *more, _ = said
    assert re.match("On average, |Against perfect play, ", cost)
    left = dict(zip(map(str, tried.replies), tried.results[played], strict=True))
    gain = left[str(answer)] - tried.value
    assert f"chose {answer}" in happened
    assert happened.startswith("It happened to work: ") == (gain > CLOSE)
    assert ("stayed at" in happened) == (abs(gain) <= CLOSE)
    assert ("fell to" in happened) == (gain < -CLOSE)
    if figure := re.search(r" to [<>]?(\d+)%", happened):
        assert int(figure[1]) == pytest.approx(50 * (1 + left[str(answer)]), abs=1.0)
    for line in more:
        reply, verb = re.fullmatch(r"Against (\w+), Player [12] (loses|draws)\.", line).groups()  # type: ignore[union-attr]  # it always matches
        assert left[reply] == pytest.approx(min(left.values()))
        assert left[reply] == pytest.approx({"loses": -1.0, "draws": 0.0}[verb], abs=1e-6)
        assert left[str(answer)] > left[reply] + CLOSE


def positions(solution: AnySolution, rng: Random) -> Iterator[tuple[Hashable, Seat]]:
    """Positions of random games, without an end."""
    game = solution.game
    while True:
        state = game.start(rng)
        while not isinstance(turn := game.turn(state), nd.Outcome):
            if isinstance(turn, nd.Chance):
                state = game.play(state, {None: rng.choice(list(turn.odds))})
                continue
            yield from ((state, seat) for seat in turn.options)
            state = game.play(state, {one: rng.choice(o) for one, o in turn.options.items()})


def check_hint(said: str, tried: Tried) -> None:
    """Check one sentence of a hint."""
    results, value = tried.results, tried.value
    if " only move is " in said:
        assert len(results) == 1
    elif " moves are all equally good" in said:
        assert tried.safe == {*results}
        assert ("every move loses" in said) == (value <= CLOSE - 1)
    elif found := re.search(r"best move is .*: it (wins|draws|loses|keeps)", said):
        assert len(tried.safe) == 1
        assert tried.named(said) == tried.safe
        assert (found[1] == "wins") <= (value >= 1 - CLOSE)
    elif ": each " in said:
        assert tried.named(said) <= tried.safe
        assert tried.named(said) == tried.safe or " or another: " in said
    elif found := re.search(r"^Hardest to (punish|reply to): ", said):
        assert (found[1] == "punish") == (value <= CLOSE - 1)
        among = tried.safe
        top = max(tried.wrong[one] for one in among)
        most = {one for one in among if tried.wrong[one] >= top - CLOSE}
        assert most < among
        assert tried.named(said) <= most
        assert tried.named(said) == most or " or another" in said
        if counted := re.search(r"\((only )?(\d+) of (\d+) replies (\w+)", said):
            good, count = int(counted[2]), int(counted[3])
            assert 1 - good / count == pytest.approx(top)
            assert bool(counted[1]) == (2 * good <= count)
            assert (counted[4] in ("win", "wins")) == (value <= CLOSE - 1)
    elif "Best against a random choice" in said:
        sums = {one: sum(results[one]) for one in tried.safe}
        most = {one for one in sums if sums[one] >= max(sums.values()) - 1e-6}
        assert most < tried.safe
        assert tried.named(said) <= most
    elif " choice, " in said:
        least = max(map(min, results.values()))
        assert ("every move loses" in said) == (least <= CLOSE - 1)
        if figure := re.search(r"at most [<>]?(\d+)%", said):
            assert int(figure[1]) == pytest.approx(50 * (1 + least), abs=1.0)
    else:
        assert " best play is a mixed strategy: " in said
        assert not tried.safe


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_reason_of_a_hint_holds(name: str) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    found = positions(solution, Random(3))
    for _ in range(HINTS):
        state, seat = next(found)
        tried = Tried(solution, state, seat)
        for said in advice(examine_with_chances(solution, state), seat, seat):
            check_hint(said, tried)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_comment_of_a_review_holds(name: str) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    for seed in range(GAMES):
        match = random_match(solution.game, seed)
        session = ReviewSession(match)
        session._work_out(solution)
        assert session.review
        steps = [step for step in match.history.steps if step.moves]
        mistakes = {(one.turn, one.seat): one for one in session.review.mistakes}
        for finding in session.scene().findings:
            step, seat = steps[finding.turn - 1], finding.seat
            tried = Tried(solution, step.before, seat)
            played = tried.words[step.moves[seat]]
            for said in finding.verdict.sentences:
                if said == "Every move was equally good.":
                    assert tried.safe == {*tried.results}
                elif " was the only move." in said:
                    assert len(tried.results) == 1
            assert (finding.verdict.headline == "Forced.") == (len(tried.results) == 1)
            if good := re.fullmatch(r"The only good move of (\d+)\.", finding.verdict.headline):
                costs = examine(solution, step.before).costs[seat].moves
                assert len(costs) == int(good[1])
                assert [words for loss, words in costs.values() if loss < 0.04] == [played]
            made = mistakes.get((finding.turn, seat))
            if made and tried.both:
                check_round(list(sentences(made)), step.moves[seat.other], tried, played)
