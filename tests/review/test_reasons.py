"""Every reason of a hint and every comment of a review holds, by trying all moves and replies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from statistics import fmean

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.core.history import AnyHistory, History
from number_duels.core.notation import Step
from number_duels.games.number_stack_showdown import NumberStackShowdown, State
from number_duels.review.game import Review
from number_duels.review.mistakes import AnyStep
from number_duels.review.position import (
    AnySolution,
    examine_with_chances,
    words_of_moves,
)
from number_duels.review.reasons import reasons
from number_duels.review.words import (
    advice,
    cost,
    doing,
    figures_lines,
    headline,
    move_words,
    sentences,
    third_person,
)
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
        return {
            one for one in self.results if re.search(rf"\b{re.escape(bare(one))}\b", text.lower())
        }


def bare(words: str) -> str:
    """A move without the result of its sum, as it reads in a list."""
    return re.sub(r" = \d+$", "", words)


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
        assert tried.named(said) == tried.safe or " and others: " in said
    elif found := re.search(r"^Hardest to (punish|reply to): ", said):
        assert (found[1] == "punish") == (value <= CLOSE - 1)
        among = tried.safe
        top = max(tried.wrong[one] for one in among)
        most = {one for one in among if tried.wrong[one] >= top - CLOSE}
        assert most < among
        assert tried.named(said) <= most
        assert tried.named(said) == most or " or another" in said
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
        assert " best play is to mix: " in said
        assert not tried.safe


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_reason_of_a_hint_holds(name: str) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    for history, seat in islice(positions(solution.game, Random(3)), HINTS):
        tried = Tried(solution, history.state, seat)
        for said in advice(examine_with_chances(solution, history.state), seat, seat):
            check_hint(said, tried)


# ---- the last step of a hint: what the best move leads to, and why another one is wrong --------


RESULTS = {"win": 1.0, "draw": 0.0, "loss": -1.0, "wins": 1.0, "draws": 0.0, "loses": -1.0}


def same_chance(text: str, value: float) -> bool:
    """Whether words such as "the draw" or "a winning chance of 61%" mean a value."""
    if figure := re.fullmatch(r"(?:a winning chance of )?([<>]?)([\d.]+)%", text):
        return abs(float(figure[2]) - 50 * (1 + value)) <= (0.51 if not figure[1] else 1.0)
    return abs(RESULTS[re.sub("^(a|the) ", "", text)] - value) < CLOSE


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
        return named.get(said) or {bare(words): move for words, move in named.items()}[said]

    def reply(self, state: Hashable, seat: Seat, how: str) -> Hashable:
        """The move that is named as in "with 8 - 3 = 5", "by adding 3" or "by keeping it"."""
        found = words_of_moves(self.game, state, seat)
        (move,) = (
            one
            for one, words in found.items()
            if how
            in (
                words,
                third_person(words),
                f"with {words}",
                f"by {doing([words], 1)}{' it' * words.isalpha()}",
            )
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
        replies = words_of_moves(self.game, self.after, other).values()
        reply = next(one for one in replies if f"{other} {third_person(one)}" == reply)
        met = self.game.play(self.after, {other: self.reply(self.after, other, reply)})
        end = self.game.play(met, {self.seat: self.reply(met, self.seat, answer)})
        outcome = self.game.turn(end)
        assert self.value(end) == pytest.approx(self.value(met))
        won = isinstance(outcome, nd.Outcome) and outcome.winner is self.seat
        assert won == (verb == "win")

    def replies(self, *said: str) -> None:
        move, only, good, count, result, replies = said
        after = self.game.play(self.state, {self.seat: self.move(doing([move], 1))})
        found = words_of_moves(self.game, after, self.seat.other)
        left = {
            words: self.value(self.game.play(after, {self.seat.other: reply}))
            for reply, words in found.items()
        }
        best = {words for words, value in left.items() if value < min(left.values()) + CLOSE}
        told = {*re.split(", | or ", replies)} - {"another"}
        assert told <= best | {*map(bare, best)}
        assert (len(best), len(left), bool(only)) == (
            int(good),
            int(count),
            2 * len(best) <= len(left),
        )
        assert min(left.values()) == pytest.approx(-RESULTS[f"{result.rstrip('s')}s"])
        assert 1 - len(best) / len(left) == pytest.approx(max(self.tried.wrong.values()))

    def for_other(self, subject: str, result: str) -> None:
        first, *_ = re.split(", | or ", subject.lower())
        found = words_of_moves(self.game, self.state, self.seat.other)
        (reply,) = (one for one, words in found.items() if doing([words], 1) == first)
        moves = [
            {self.seat: m, self.seat.other: reply}
            for m in self.solution.values(self.state, self.seat)
        ]
        best = max(self.value(self.game.play(self.state, one)) for one in moves)
        assert best == pytest.approx(-RESULTS[result])

    def over(self, winner: str | None) -> None:
        end = self.game.turn(self.after)
        assert isinstance(end, nd.Outcome)
        assert end.winner == (None if winner is None else int(winner) - 1)

    def cards(self, *said: str) -> None:
        how, many, left, verb, who, that, few = said
        for move, count in ((how, many), (that, few)):
            state = self.game.play(self.state, {self.seat: self.move(move)})
            deck = self.game.turn(state)
            assert isinstance(deck, nd.Chance)
            found = sum(
                odds for card, odds in deck.odds.items() if self.meets(state, card, verb, who)
            )
            assert found * int(left) == (0 if count == "none" else int(count))

    def meets(self, state: Hashable, card: Hashable, verb: str, who: str) -> bool:
        """Whether a card that the opponent draws can win for them, or must lose."""
        drawn, other = self.game.play(state, {None: card}), self.seat.other
        moves = self.solution.values(drawn, other)
        turns = [self.game.turn(self.game.play(drawn, {other: one})) for one in moves]
        winners = {turn.winner if isinstance(turn, nd.Outcome) else None for turn in turns}
        if (verb, who) == ("win", str(other)[-1]):
            return other in winners
        return winners == {self.seat}

    def closer(self, near: str) -> None:
        assert isinstance(self.game, NumberStackShowdown)
        assert isinstance(self.state, State)
        state = self.game.play(self.state, {self.seat: self.move("keeping")})
        assert int(near) == self.game.target - self.game.highest > state.total(self.seat)

    def small(self) -> None:
        top = self.tried.value
        costs = {top - fmean(found) for found in self.tried.results.values()}
        assert max(costs) < 0.04

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
    r"After (Player [12] .+), Player [12] can (win|answer) with (.+)\.": Why.answer,
    r"(.+) keeps (.+), whatever Player [12] does\.": Why.whatever,
    r"If Player [12] guesses (.+) and (.+), Player .+ from (.+) to (.+)\.": Why.expects,
    r"(.+) turns Player [12]'s (.+) into a (.+)\.": Why.cost,
    r"(.+) lowers Player [12]'s winning chance from (.+) to (.+)\.": Why.cost,
    r"After (.+), (only )?(\d+) of (\d+) replies (wins?|draws?): (.+)\.": Why.replies,
    r"(.+) (wins|draws) for Player [12], whatever Player [12] does\.": Why.for_other,
    r"That ends the game: (?:Player ([12]) wins|the game is drawn)\.": Why.over,
    r"After (\w+), (\w+) of the (\d+) cards left would (win|lose) for Player ([12])\."
    r" After (\w+), (\w+) would\.": Why.cards,
    r"Keeping brings Player [12] closer to (\d+)\. From there, one card can win\.": Why.closer,
    r"The other moves? costs? less than 2%\.": Why.small,
    r"(?:At worst|For example), Player [12] (.+), and Player [12]"
    r"(?:'s winning chance is)? (.+)\.": Why.choice,
    rf"{CARD}Player [12] can (?:then |now )?(win|draw) (.+)\.": Why.ends,
    rf"{CARD}Player [12] can (?:then |now )?reply (.+?){LEAVES}": Why.leaves,
}


#: The kinds of reasons that each game must have been checked for.
KINDS = {
    "number-bid": {"whatever", "cost", "choice"},
    "high-low-battle": {"whatever", "cost", "expects"},
    "number-knot": {"at_once", "every_reply", "replies", "cost", "ends", "leaves"},
    "number-drop": {"at_once", "every_reply", "replies", "cost", "ends"},
    "number-stack-showdown": {"at_once", "cost", "cards", "closer"},
}


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, {}) for name in sorted(SMALL)]
    + [
        ("number-stack-showdown", {"target": 20, "highest": 7}),
        ("number-stack-showdown", {"target": 20, "highest": 7, "overflow": "allowed"}),
    ],
)
def test_every_reason_of_the_last_step_holds(name: str, settings: dict[str, int | str]) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **{**SMALL[name], **settings}))
    kinds = Counter[str]()
    for history, seat in islice(positions(solution.game, Random(4)), 10 * HINTS):
        position, why = examine_with_chances(solution, history.state), None
        for said in reasons(solution, history, seat, position):
            why = why or Why(solution, history, seat)
            kinds[why.check(said)] += 1
    assert {*kinds} >= KINDS[name]


# ---- reviews -------------------------------------------------------------------


class Told(Why):
    """Checks the sentences about one decision of a review."""

    def __init__(
        self, solution: AnySolution, history: AnyHistory, seat: Seat, step: AnyStep
    ) -> None:
        super().__init__(solution, history, seat)
        self.played, self.answered = step.moves[seat], step.moves.get(seat.other)
        self.done, self.turn = step.after, 0
        self.values = solution.values(self.state, seat)
        self.lost = max(self.values.values()) - self.values[self.played]
        self.good = {one for one, value in self.values.items() if self.costs(value) < 0.04 - CLOSE}
        self.left = dict(
            zip(self.tried.replies, self.tried.results[self.tried.words[self.played]], strict=False)
        )

    def costs(self, value: float) -> float:
        return max(self.values.values()) - value

    def moves(self, said: str) -> set[Hashable]:
        """The moves that a sentence names as in "Adding 3, 4 or another"."""
        first, *more = [one for one in re.split(", | or ", said) if one != "another"]
        verb = first.partition(" ")[0]
        found = {self.move(first)}
        for one in more:
            try:
                found.add(self.move(one))
            except KeyError:
                found.add(self.move(f"{verb} {one}"))
        return found

    def sentence(self, said: str) -> str:
        """Check a sentence about this decision and return its kind."""
        for pattern, check in (*COMMENTS.items(), *SENTENCES.items()):
            if found := re.fullmatch(pattern, said):
                check(self, *found.groups())
                return check.__name__
        raise AssertionError(said)

    def cost(self, subject: str, before: str, after: str) -> None:
        average = re.match("On average, |Against perfect play, ", subject)
        assert bool(average) == self.tried.both
        assert self.move(subject) == self.played
        assert self.lost > CLOSE
        assert same_chance(before, self.tried.value)
        assert same_chance(after, self.tried.value - self.lost)
        self.after = self.played if self.tried.both else self.done

    def over(self, winner: str | None) -> None:
        outcome = self.game.turn(self.done)
        assert isinstance(outcome, nd.Outcome)
        assert outcome.winner == (None if winner is None else int(winner) - 1)

    def stays(self, card: str | None, left: str) -> None:
        state = self.done
        if card:
            turn = self.game.turn(state)
            assert isinstance(turn, nd.Chance)
            (event,) = (one for one in turn.odds if str(one) == card)
            state = self.game.play(state, {None: event})
        assert same_chance(left, self.value(state))

    def this_time(self, lucky: str | None, answer: str, how: str, left: str) -> None:
        assert str(self.answered) == answer
        gain = self.left[self.answered] - self.tried.value
        went = "rose to" if gain > CLOSE else "fell to" if gain < -CLOSE else "stayed at"
        assert (how, bool(lucky)) == (went, went == "rose to")
        assert same_chance(left, self.left[self.answered])

    def punished(self, reply: str, verb: str) -> None:
        (found,) = (left for one, left in self.left.items() if str(one) == reply)
        assert found == pytest.approx(min(self.left.values()))
        assert found == pytest.approx({"loses": -1.0, "draws": 0.0}[verb], abs=1e-6)
        assert self.left[self.answered] > found + CLOSE

    def kept(self, subject: str, keeps: str) -> None:
        named = {self.tried.words[one] for one in self.moves(subject)}
        assert named <= self.tried.safe
        assert named == self.tried.safe or subject.endswith(" or another")
        if keeps in ("the win", "the draw"):
            assert same_chance(keeps, self.tried.value)

    def mixes(self, keeps: str, mix: str) -> None:
        assert not self.tried.safe
        parts = [re.fullmatch(r"(.+) \((\d+)%\)", one) for one in mix.split(", ")]
        odds = {one[1]: int(one[2]) / 100 for one in parts if one}
        assert len(odds) == len(parts)
        assert sum(odds.values()) == pytest.approx(1, abs=0.03)
        columns = zip(*(self.tried.results[words] for words in odds), strict=True)
        worst = min(
            sum(share * one for share, one in zip(odds.values(), column, strict=True))
            for column in columns
        )
        assert worst >= self.tried.value - 0.05

    def equal(self, said: str) -> None:
        sure = RESULTS.get(said, 0.0)
        assert not sure or {round(one, 6) for one in self.values.values()} == {sure}
        assert self.tried.safe == {*self.tried.results}
        assert len(self.values) > 1

    def forced(self, subject: str) -> None:
        assert [*self.values] == [self.move(subject)]

    def free(self, subject: str) -> None:
        assert self.move(subject) == self.played
        assert self.lost < CLOSE

    def others(self, subject: str, too: str | None) -> None:
        named, free = (
            self.moves(subject),
            {one for one, v in self.values.items() if self.costs(v) < CLOSE},
        )
        assert named <= free - {self.played}
        assert named == free - {self.played} or subject.endswith(" or another")
        assert bool(too) == (self.lost < CLOSE)

    def small(self) -> None:
        assert CLOSE < self.lost < 0.04

    def often(self, how: str) -> None:
        share = self.solution.strategy(self.state, self.seat).get(self.played, 0.0)
        assert not self.tried.safe
        assert frequency(how) == pytest.approx(share, abs=0.05)

    def headline(self, said: str) -> None:
        """Check the heading of a comment: exactly one of them is right."""
        count = len(self.values)
        only = self.good == {self.played} and count > 1
        blunder = self.lost >= 0.5 - CLOSE
        kinds = {
            "Forced.": count == 1,
            f"The only good move out of {count}.": only,
            "A blunder.": blunder,
            "A mistake.": not blunder and self.lost >= 0.04 - CLOSE,
            "An inaccuracy.": CLOSE < self.lost < 0.04 - CLOSE,
            "Right.": self.lost < CLOSE,
            "Right, but unusual.": self.lost < CLOSE and not self.tried.safe,
        }
        assert kinds[said], said
        assert count == 1 or only or not said.startswith(("Forced", "The only"))


def frequency(how: str) -> float:
    if found := re.fullmatch(r"makes this choice in (\d+) of (\d+) games", how):
        return int(found[1]) / int(found[2])
    return {"never makes this choice": 0.0, "always makes this choice": 1.0}[how]


WHOSE = r"Player [12]'s winning chance"
COMMENTS: dict[str, Callable[..., None]] = {
    r"(.+) turns Player [12]'s (.+) into a (.+)\.": Told.cost,
    rf"(.+) lowers {WHOSE} from (.+) to (.+)\.": Told.cost,
    r"That ends the game: (?:Player ([12]) wins|the game is drawn)\.": Told.over,
    rf"{CARD}[Tt]hat leaves Player [12] with (.+)\.": Told.stays,
    r"(?:This time|(It happened to work):) Player [12] chose (\w+), and "
    rf"{WHOSE} (rose to|fell to|stayed at) (.+)\.": Told.this_time,
    r"Against (\w+), Player [12] (loses|draws)\.": Told.punished,
    rf"Mixing these choices would have kept (the \w+|{WHOSE}): (.+)\.": Told.mixes,
    rf"(.+) would have kept (the win|the draw|{WHOSE})\.": Told.kept,
    r"Every move (was equally good|wins|draws|loses)\.": Told.equal,
    r"(.+) was the only move\.": Told.forced,
    r"(.+) costs nothing\.": Told.free,
    r"(.+) would (also )?have cost nothing\.": Told.others,
    r"A move that costs less than 2% is not called a mistake\.": Told.small,
    r"Here, perfect play (.+)\.": Told.often,
}


def check_whole(review: Review, told: list[Told]) -> None:
    """Check the headline of a review, its figures and its first position."""
    losses = {seat: [one.lost for one in told if one.seat is seat] for seat in Seat}
    wrong = {seat: [one for one in losses[seat] if one >= 0.04 - CLOSE] for seat in Seat}
    for seat, line in zip(Seat, figures_lines(review), strict=True):
        found = re.fullmatch(
            r"Player [12]: (no|\d+) mistakes? in (\d+) moves?\."
            rf"(?: (It|The biggest|One of the biggest) lowered {WHOSE} from (\S+) to (\S+)\.)?"
            r"(?: (\d+) (?:other )?moves? cost less than 2%\.)?"
            r"(?: Luck (?:added|cost) .+\.)?",
            line,
        )
        assert found, line
        assert (int(found[1].replace("no", "0")), int(found[2])) == (
            len(wrong[seat]),
            len(losses[seat]),
        )
        assert bool(found[3]) == bool(wrong[seat])
        assert int(found[6] or 0) == sum(CLOSE < one < 0.04 - CLOSE for one in losses[seat])
        if found[3]:
            top = [one for one in told if one.seat is seat and one.lost > max(wrong[seat]) - CLOSE]
            words = (
                "It"
                if len(wrong[seat]) == 1
                else "The biggest"
                if sum(cost(one) == cost(max(wrong[seat])) for one in wrong[seat]) == 1
                else "One of the biggest"
            )
            assert found[3] == words
            assert any(
                same_chance(found[4], one.tried.value)
                and same_chance(found[5], one.tried.value - one.lost)
                for one in top
            )
    for own in ((), (Seat.ONE,), (Seat.TWO,), tuple(Seat)):
        said = headline(review, own)
        if not any(wrong.values()):
            assert re.fullmatch(
                r"Nobody made a mistake(: the choices in rounds? [\d, and]+ decided the game)?\."
                r"|Player [12] could not have done better: (Player [12] wins if both play perfectly"
                r"|the cards lowered Player [12]'s winning chance from .+ to 0%)\.",
                said,
            ), said
            continue
        same = re.fullmatch(
            r"(?:Player [12] made no mistake\. )?"
            r"(?:The|Player ([12])'s) (\d+) mistakes cost the same: (\S+) each\.",
            said,
            re.IGNORECASE,
        )
        if same:
            every = (
                wrong[Seat(int(same[1]) - 1)] if same[1] else [*wrong[Seat.ONE], *wrong[Seat.TWO]]
            )
            assert [cost(one) for one in every] == [same[3]] * int(same[2])
            continue
        found = re.fullmatch(
            r"(?:Player ([12]) made no mistake\. (?:Luck cost \S+\. )?)?"
            r"(?:(the|Player [12]'s) (biggest|only) mistake"
            r"|one of (the|Player [12]'s) (costliest) mistakes)"
            r" was (?:Player ([12])'s: )?(.+) in (?:turn|round) (\d+)\.",
            said,
            re.IGNORECASE,
        )
        assert found, said
        clean, alone, rank, among_whose, costly, by, made, turn = found.groups()
        whose = alone or among_whose
        if clean:
            assert not wrong[Seat(int(clean) - 1)]
        by = by or whose[len("Player ") : -len("'s")]
        assert by, said
        seat = Seat(int(by) - 1)
        of_both = whose.lower() == "the"
        among = [*wrong[Seat.ONE], *wrong[Seat.TWO]] if of_both else wrong[seat]
        (named,) = (one for one in told if one.seat is seat and one.turn == int(turn))
        assert doing([move_words(named.tried.words[named.played], named.drawn)], 1) == made
        assert named.lost == pytest.approx(max(among))
        assert bool(costly) == (sum(cost(one) == cost(max(among)) for one in among) > 1)
        assert (rank == "only") == (len(among) == 1)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_every_comment_of_a_review_holds(name: str) -> None:
    solution: AnySolution = nd.solve(nd.load(name, **SMALL[name]))
    for seed in range(GAMES):
        match = random_match(solution.game, seed)
        session = ReviewSession(match)
        session._work_out(solution)
        assert session.review
        mistakes = {(one.turn, one.seat): one for one in session.review.mistakes}
        told, places = [], [n for n, step in enumerate(match.history.steps) if step.moves]
        for finding in session.scene().findings:
            place, seat = places[finding.turn - 1], finding.seat
            before = replace(match.history, steps=match.history.steps[:place])
            one = Told(solution, before, seat, match.history.steps[place])
            one.turn = finding.turn
            told.append(one)
            one.headline(finding.verdict.headline)
            made = mistakes.get((finding.turn, seat))
            assert bool(made) == (one.lost >= 0.04 - CLOSE)
            for said in (*finding.verdict.sentences, *(sentences(made) if made else ())):
                one.sentence(said)
        check_whole(session.review, told)
