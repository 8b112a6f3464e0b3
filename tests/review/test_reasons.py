"""Every reason of a hint and every comment of a review holds, by trying all moves and replies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.core.history import AnyHistory, History
from number_duels.core.notation import Step
from number_duels.review.position import (
    AnySolution,
    examine,
    examine_with_chances,
    words_of_moves,
)
from number_duels.review.reasons import reasons
from number_duels.review.words import advice, doing, move_words, sentences
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


def positions(game: nd.AnyGame, rng: Random) -> Iterator[tuple[AnyHistory, Seat]]:
    """Positions of random games, without an end."""
    while True:
        history: AnyHistory = History(game, game.start(rng))
        while not isinstance(turn := history.turn, nd.Outcome):
            if isinstance(turn, nd.Chance):
                step = Step.drawn(game, history.state, rng.choice(list(turn.odds)))
            else:
                yield from ((history, seat) for seat in turn.options)
                chosen = {one: rng.choice(options) for one, options in turn.options.items()}
                step = Step.decided(game, history.state, chosen)
            history = replace(history, steps=(*history.steps, step))


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
    for history, seat in islice(positions(solution.game, Random(3)), HINTS):
        tried = Tried(solution, history.state, seat)
        for said in advice(examine_with_chances(solution, history.state), seat, seat):
            check_hint(said, tried)


# ---- the last step of a hint: what the best move leads to, and why another one is wrong --------


RESULTS = {"win": 1.0, "draw": 0.0, "loss": -1.0, "wins": 1.0, "draws": 0.0}


def same_chance(text: str, value: float) -> bool:
    """Whether words such as "the draw" or "a winning chance of 61%" mean a value."""
    if figure := re.search(r"([<>]?)([\d.]+)%", text):
        return abs(float(figure[2]) - 50 * (1 + value)) <= (0.51 if not figure[1] else 1.0)
    return abs(RESULTS[text.rpartition(" ")[2]] - value) < CLOSE


class Why:
    """Checks the reasons of one hint, sentence by sentence, by trying all moves."""

    def __init__(self, solution: AnySolution, history: AnyHistory, seat: Seat) -> None:
        self.solution, self.game, self.seat = solution, solution.game, seat
        self.state, self.sign = history.state, (1, -1)[seat]
        self.tried = Tried(solution, self.state, seat)
        self.drawn = history.steps[-1].text if history.steps and not history.steps[-1].moves else ""
        self.after: Hashable = None

    def value(self, state: Hashable) -> float:
        return self.sign * self.solution.value(state)

    def move(self, said: str) -> Hashable:
        """The move that the subject of a sentence names."""
        said = re.sub(r"^(On average|Against perfect play), ", "", said).lower()
        named = {
            doing([move_words(words, self.drawn)], 1).lower(): move
            for move, words in self.tried.words.items()
        } | {doing([words], 1).lower(): move for move, words in self.tried.words.items()}
        return named[said]

    def reply(self, state: Hashable, seat: Seat, how: str) -> Hashable:
        """The move that is named as in "with add 3" or "by keeping it"."""
        found = words_of_moves(self.game, state, seat)
        (move,) = (
            one
            for one, words in found.items()
            if how in (words, f"with {words}", f"by {doing([words], 1)} it")
        )
        return move

    def check(self, said: str) -> str:
        """Check a sentence and return its kind."""
        for pattern, check in SENTENCES.items():
            if found := re.fullmatch(pattern, said):
                check(self, *found.groups())
                return check.__name__
        raise AssertionError(said)

    def at_once(self, subject: str, result: str) -> None:
        end = self.game.turn(self.game.play(self.state, {self.seat: self.move(subject)}))
        assert isinstance(end, nd.Outcome)
        assert end.winner is (self.seat if result == "wins" else None)

    def every_reply(self, subject: str, result: str) -> None:
        self.after = self.game.play(self.state, {self.seat: self.move(subject)})
        turn, other = self.game.turn(self.after), self.seat.other
        assert isinstance(turn, nd.Decision)
        left = [self.value(self.game.play(self.after, {other: r})) for r in turn.options[other]]
        assert min(left) == pytest.approx(RESULTS[result])

    def answer(self, reply: str, verb: str, answer: str) -> None:
        other = self.seat.other
        met = self.game.play(self.after, {other: self.reply(self.after, other, reply)})
        end = self.game.play(met, {self.seat: self.reply(met, self.seat, answer)})
        outcome = self.game.turn(end)
        assert self.value(end) == pytest.approx(self.value(met))
        won = isinstance(outcome, nd.Outcome) and outcome.winner is self.seat
        assert won == (verb == "win")

    def whatever(self, subject: str, keeps: str) -> None:
        worst = min(self.tried.results[self.tried.words[self.move(subject)]])
        assert worst == pytest.approx(self.tried.value)
        assert same_chance(keeps, worst)

    def expects(self, expected: str, reply: str, before: str, after: str) -> None:
        results = self.tried.results
        (mine,) = (w for w in results if w == expected or w.endswith(f" {expected}"))
        left = dict(zip(self.tried.replies, results[mine], strict=True))
        assert left[self.reply(self.state, self.seat.other, reply)] == min(left.values())
        assert min(left.values()) < self.tried.value - CLOSE
        assert same_chance(before, self.tried.value)
        assert same_chance(after, min(left.values()))

    def cost(self, subject: str, before: str, after: str) -> None:
        move = self.move(subject)
        value = self.solution.values(self.state, self.seat)[move]
        assert value <= self.tried.value - 0.04 + CLOSE
        assert same_chance(before, self.tried.value)
        assert same_chance(after, value)
        self.after = move if self.tried.both else self.game.play(self.state, {self.seat: move})

    def choice(self, reply: str, left: str) -> None:
        results = self.tried.results[self.tried.words[self.after]]
        found = dict(zip(self.tried.replies, results, strict=True))
        assert found[self.reply(self.state, self.seat.other, reply)] == min(results)
        assert same_chance(left, min(results))

    def ends(self, card: str | None, result: str, reply: str) -> None:
        outcome = self.game.turn(self.best_reply(card, reply))
        assert isinstance(outcome, nd.Outcome)
        assert outcome.winner is (self.seat.other if result == "win" else None)

    def leaves(self, card: str | None, reply: str, left: str) -> None:
        assert same_chance(left, self.value(self.best_reply(card, reply)))

    def best_reply(self, card: str | None, reply: str) -> Hashable:
        """The state after a card and a reply that loses nothing."""
        state, other = self.after, self.seat.other
        if card:
            turn = self.game.turn(state)
            assert isinstance(turn, nd.Chance)
            (event,) = (one for one in turn.odds if str(one) == card)
            state = self.game.play(state, {None: event})
        end = self.game.play(state, {other: self.reply(state, other, reply)})
        assert self.value(end) == pytest.approx(self.value(state))
        return end


CARD, LEAVES = r"(?:If (.+) is drawn next, )?", r": that leaves Player [12] with (.+)\."
SENTENCES: dict[str, Callable[..., None]] = {
    r"(.+) (wins|draws) at once\.": Why.at_once,
    r"(.+) (wins|draws) against every reply\.": Why.every_reply,
    r"After (.+), Player [12] can (win|answer) with (.+)\.": Why.answer,
    r"(.+) keeps (.+), whatever Player [12] does\.": Why.whatever,
    r"If Player [12] expects (.+), they can (.+)\. Player .+ from (.+) to (.+)\.": Why.expects,
    r"(.+) turns Player [12]'s (.+) into a (.+)\.": Why.cost,
    r"(.+) lowers Player [12]'s winning chance from (.+) to (.+)\.": Why.cost,
    rf"Player [12]'s best choice against it is (.+?){LEAVES}": Why.choice,
    rf"{CARD}Player [12] can (?:then )?(win|draw) (.+)\.": Why.ends,
    rf"{CARD}Player [12] can (?:then )?reply (.+?){LEAVES}": Why.leaves,
}


#: The kinds of reasons that each game must have been checked for.
KINDS = {
    "number-bid": {"whatever", "cost", "choice"},
    "high-low-battle": {"whatever", "cost", "expects"},
    "number-knot": {"at_once", "every_reply", "cost", "ends", "leaves"},
    "number-drop": {"at_once", "every_reply", "cost", "ends"},
    "number-stack-showdown": {"cost"},
}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_reason_of_the_last_step_holds(name: str) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    kinds = Counter[str]()
    for history, seat in islice(positions(solution.game, Random(4)), 10 * HINTS):
        position, why = examine_with_chances(solution, history.state), None
        for said in reasons(solution, history, seat, position):
            why = why or Why(solution, history, seat)
            kinds[why.check(said)] += 1
    assert {*kinds} >= KINDS[name]


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
            if good := re.fullmatch(r"The only good move out of (\d+)\.", finding.verdict.headline):
                costs = examine(solution, step.before).costs[seat].moves
                assert len(costs) == int(good[1])
                assert [words for loss, words in costs.values() if loss < 0.04] == [played]
            made = mistakes.get((finding.turn, seat))
            if made and tried.both:
                check_round(list(sentences(made)), step.moves[seat.other], tried, played)
