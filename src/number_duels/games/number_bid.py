"""Number Bid: both players bid in secret, and the higher bid scores the sum of both bids."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar, Never

from number_duels.core.board import Meter, Numbers, Part
from number_duels.core.defaults import conclusion
from number_duels.core.game import Decision, Feature, Game, Outcome, Seat, no_deal, presence
from number_duels.core.questions import Answer, Question
from number_duels.core.settings import within
from number_duels.core.text import (
    NO_BREAK,
    BoardLine,
    Heading,
    Paragraph,
    Section,
    at_keyboard,
    bullets,
    number,
    numbered,
    points,
)


@dataclass(frozen=True, slots=True)
class Bid:
    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class State:
    pool: tuple[int, ...]
    scores: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class NumberBid(Game[State, Bid, Never]):
    """Number Bid: both players bid in secret, and the higher bid scores the sum of both bids.

    >>> game = NumberBid(numbers=4)
    >>> game.play(game.start(), {Seat.ONE: Bid(3), Seat.TWO: Bid(1)})
    State(pool=(2, 4), scores=(4, 0))
    """

    name: ClassVar[str] = "number-bid"
    title: ClassVar[str] = "Number Bid"
    summary: ClassVar[str] = "Both bid in secret; the higher scores both bids."

    numbers: int = within(2, 20, default=10, meaning="the largest number in the pool")

    # ---- rules ---------------------------------------------------------------

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        no_deal(self.title, deal)
        return State(tuple(range(1, self.numbers + 1)))

    def turn(self, state: State) -> Decision[Bid] | Outcome:
        if state.pool:
            options = bids(state.pool)
            return Decision({Seat.ONE: options, Seat.TWO: options})
        one, two = state.scores
        if one == two:
            return Outcome(None, "Both players have the same total score.")
        winner = Seat.ONE if one > two else Seat.TWO
        return Outcome(winner, f"{winner} has the higher total score.")

    def resolve(self, state: State, moves: Mapping[Seat, Bid]) -> State:
        bid_one, bid_two = moves[Seat.ONE].number, moves[Seat.TWO].number
        one, two = state.scores
        if bid_one > bid_two:
            one += bid_one + bid_two
        elif bid_two > bid_one:
            two += bid_one + bid_two
        pool = tuple(n for n in state.pool if n not in (bid_one, bid_two))
        return State(pool, (one, two))

    def key(self, state: State) -> Hashable:
        """Return the pool and the lead, because only the difference of the scores matters."""
        return state.pool, state.scores[0] - state.scores[1]

    def parse(self, text: str) -> Bid:
        value = number(text.strip())
        if value is None:
            raise ValueError("A bid is a number, such as 7.")
        return Bid(value)

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[Bid, ...]:
        return bids(tuple(range(1, self.numbers + 1)))

    @property
    def most_turns(self) -> int:
        """Return the size of the pool, because a tie removes only one number."""
        return self.numbers

    def features(self, view: State, seat: Seat) -> tuple[Feature, ...]:
        everything = sum(range(1, self.numbers + 1))
        lead = view.scores[seat] - view.scores[seat.other]
        return (
            presence("pool", range(1, self.numbers + 1), view.pool),
            Feature("lead", (lead,), -everything, everything),
        )

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        return "Higher bid scores both bids, a tie none. Bids are used up. Most points win."

    def opening(self, view: State) -> Iterator[str]:
        yield "Welcome to Number Bid!"
        yield ""
        yield BoardLine(f"Available Numbers: {listing(view.pool)}")
        yield from scoreboard(view)
        yield ""

    def announce(self, view: State, viewer: Seat | None) -> Iterator[str]:
        """Yield nothing, because the lines that end a round also introduce the next one."""
        yield from ()

    def question(self, view: State, seat: Seat) -> Question[Bid]:
        answers = tuple(Answer(str(n), f"Bid {n}", Bid(n)) for n in view.pool)
        typed = f"{seat}, enter your bid: "
        return Question(f"{seat}, choose your bid", answers, secret=True, at_keyboard=typed)

    def consequence(self, view: State, seat: Seat, move: Bid) -> str:
        if len(view.pool) == 1:
            return "the last number: a tie"
        beaten = sum(n < move.number for n in view.pool)
        return f"beats {beaten} of {len(view.pool)} bids" if beaten else "beats none"

    def tell(
        self, before: State, moves: Mapping[Seat, Bid], after: State, viewer: Seat | None
    ) -> Iterator[str]:
        yield ""
        for seat, bid in moves.items():
            yield f"{seat} bid: {bid}"
        yield ""
        removed = tuple(dict.fromkeys(bid.number for bid in moves.values()))
        if len(removed) == 1:
            yield "It's a tie! No points awarded."
        else:
            winner = max(moves, key=lambda seat: moves[seat].number)
            yield f"{winner} wins the round and scores {points(sum(removed))}!"
        yield ""
        yield f"Numbers Removed: {listing(removed)}"
        yield BoardLine(f"Remaining Numbers: {listing(after.pool)}")
        yield from scoreboard(after)
        yield ""
        turn = self.turn(after)
        if isinstance(turn, Outcome):
            yield Heading("Final Scores:")
            yield f"{Seat.ONE}: {after.scores[0]}"
            yield f"{Seat.TWO}: {after.scores[1]}"
            if turn.winner is None:
                yield "The game is a draw: both players have the same total score."
            else:
                yield f"{turn.winner} wins the game with a higher total score."

    def sum_up(self, before: State, moves: Mapping[Seat, Bid], after: State) -> str:
        one, two = moves[Seat.ONE].number, moves[Seat.TWO].number
        if one == two:
            return f"Both bid {one}: nobody scores{conclusion(self, after)}."
        winner = Seat.ONE if one > two else Seat.TWO
        how = conclusion(self, after, winner)
        return f"{max(one, two)} beats {min(one, two)}: {winner} +{one + two}{how}."

    def board(self, view: State) -> tuple[Part, ...]:
        pool = Numbers("Available Numbers", None, tuple(range(1, self.numbers + 1)), view.pool)
        return pool, *(Meter("Score", seat, view.scores[seat]) for seat in Seat)

    def rule_sections(self) -> tuple[Section, ...]:
        goal = Paragraph(
            f"Both players bid numbers from one shared pool, 1 to {self.numbers}. When every"
            " number has been bid, the higher total score wins."
        )
        a_round = numbered(
            "Both choose a number that is still in the pool, in secret.",
            "Both bids are shown.",
            "The higher bid wins the round and scores the sum of the two bids:"
            f" 7{NO_BREAK}against{NO_BREAK}5 scores 12.",
            "Both numbers leave the pool, and the next round begins.",
        )
        rulings = bullets(
            "Equal bids are a tie: nobody scores, and that one number leaves the pool.",
            "If only one number is left, both players bid it, and the round is a tie.",
            "Equal totals at the end are a draw.",
        )
        return (
            Section("", (goal,)),
            Section("A ROUND", (a_round,)),
            Section("RULINGS", (rulings,)),
            at_keyboard("Type a number, such as 7. It is not shown until both have bid."),
        )


@lru_cache(maxsize=4096)  # the same pools recur
def bids(pool: tuple[int, ...]) -> tuple[Bid, ...]:
    return tuple(map(Bid, pool))


def listing(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "None"


def scoreboard(view: State) -> Iterator[str]:
    for seat in Seat:
        yield BoardLine(f"{seat} Score: {view.scores[seat]}")
