"""High-Low Battle: both players play a secret card, and the higher card wins the round."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import ClassVar, Never

from number_duels.core.board import Fact, Meter, Numbers, Part
from number_duels.core.defaults import conclusion
from number_duels.core.game import Decision, Feature, Game, Outcome, Seat, no_deal, presence
from number_duels.core.questions import Answer, Question
from number_duels.core.settings import one_of, within
from number_duels.core.text import (
    NO_BREAK,
    BoardLine,
    Heading,
    Paragraph,
    Prose,
    Section,
    SettingValue,
    at_keyboard,
    bullets,
    count_word,
    number,
    numbered,
    points,
    prose,
)


@dataclass(frozen=True, slots=True)
class Card:
    number: int

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    scores: tuple[int, int] = (0, 0)
    rounds: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class HighLowBattle(Game[State, Card, Never]):
    """High-Low Battle: both players play a secret card, and the higher card wins the round.

    >>> game = HighLowBattle(cards=3, rounds=2)
    >>> game.play(game.start(), {Seat.ONE: Card(3), Seat.TWO: Card(1)})
    State(hands=((1, 2), (2, 3)), scores=(1, 0), rounds=((3, 1),))
    """

    name: ClassVar[str] = "high-low-battle"
    title: ClassVar[str] = "High-Low Battle"
    summary: ClassVar[str] = "Both play a secret card; the higher wins."

    cards: int = within(1, 13, default=9, meaning="the highest card in each hand; the lowest is 1")
    rounds: int = within(1, "cards", default=5, meaning="the number of rounds")
    level: str = one_of(
        "sudden-death",
        "draw",
        meaning="what happens when the scores are equal after the last round",
        label="equal scores",
        words=("play on", "a draw"),
    )

    # ---- rules ---------------------------------------------------------------

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        no_deal(self.title, deal)
        hand = tuple(range(1, self.cards + 1))
        return State((hand, hand))

    def turn(self, state: State) -> Decision[Card] | Outcome:
        one, two = state.scores
        if len(state.rounds) >= self.rounds and one != two:
            winner = Seat.ONE if one > two else Seat.TWO
            return Outcome(winner, f"{winner} has the higher total score.")
        if len(state.rounds) >= self.rounds and (self.level == "draw" or not state.hands[0]):
            return Outcome(None, "Both players have the same total score.")
        return Decision({seat: playable(state.hands[seat]) for seat in Seat})

    def resolve(self, state: State, moves: Mapping[Seat, Card]) -> State:
        cards = moves[Seat.ONE].number, moves[Seat.TWO].number
        one, two = state.scores
        if cards[0] != cards[1]:
            one, two = one + (cards[0] > cards[1]), two + (cards[1] > cards[0])
        else:
            lower = lower_before(state)
            one, two = one + 2 * (lower is Seat.ONE), two + 2 * (lower is Seat.TWO)
        hand_one, hand_two = state.hands
        hands = (
            tuple(n for n in hand_one if n != cards[0]),
            tuple(n for n in hand_two if n != cards[1]),
        )
        return State(hands, (one, two), (*state.rounds, cards))

    def may_draw(self, state: State) -> bool:
        # After a round without a tie, every later round scores, so sudden death has a winner.
        whole = self.rounds == self.cards
        return self.level == "draw" or whole or lower_before(state) is None

    def key(self, state: State) -> Hashable:
        """Return the hands, the lead, and the seat that a tie would favor."""
        return state.hands, state.scores[0] - state.scores[1], lower_before(state)

    def parse(self, text: str) -> Card:
        value = number(text.strip())
        if value is None:
            raise ValueError("A card is a number, such as 7.")
        return Card(value)

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[Card, ...]:
        return playable(tuple(range(1, self.cards + 1)))

    @property
    def most_turns(self) -> int:
        return self.cards

    def features(self, view: State, seat: Seat) -> tuple[Feature, ...]:
        cards = range(1, self.cards + 1)
        lower = lower_before(view)
        lead = view.scores[seat] - view.scores[seat.other]
        return (
            presence("own hand", cards, view.hands[seat]),
            presence("other's hand", cards, view.hands[seat.other]),
            Feature("lead", (lead,), -2 * self.cards, 2 * self.cards),
            Feature("lower before", (0 if lower is None else 1 if lower is seat else -1,), -1, 1),
        )

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        return "Higher card: +1. Tie: +2 for the last round's lower card. Most points win."

    def opening(self, view: State) -> Iterator[str]:
        """Yield nothing, because the text begins with the first round."""
        yield from ()

    def announce(self, view: State, viewer: Seat | None) -> Iterator[str]:
        yield Heading(f"[Round {len(view.rounds) + 1}]")

    def question(self, view: State, seat: Seat) -> Question[Card]:
        cards = tuple(Answer(str(n), f"Play {n}", Card(n)) for n in view.hands[seat])
        typed = f"{seat}, enter the number of the card you wish to play: "
        lower = lower_before(view)
        tie = "" if lower is None else f" (tie: 2 points for {lower})"
        return Question(f"{seat}, choose a card{tie}", cards, secret=True, at_keyboard=typed)

    def consequence(self, view: State, seat: Seat, move: Card) -> str:
        theirs, lower = view.hands[seat.other], lower_before(view)
        beaten = sum(n < move.number for n in theirs)
        beats = f"beats {beaten} of {len(theirs)}" if beaten else ""
        if move.number in theirs and lower is not None:
            tie = "tie" if beaten else f"ties with {move}:"  # short, for a list beside a board
            beats = f"{beats}; {tie}".removeprefix("; ")
            return f"{beats} +2 for {'you' if lower is seat else 'them'}"
        if move.number in theirs and not beaten:
            return f"ties with {move}: nobody scores"
        return f"{beats} cards" if beats else "beats none"

    def tell(
        self, before: State, moves: Mapping[Seat, Card], after: State, viewer: Seat | None
    ) -> Iterator[str]:
        yield ""
        yield "Both players reveal their cards."
        for seat, card in moves.items():
            yield f"{seat} played: {card}"
        yield ""
        if moves[Seat.ONE] == moves[Seat.TWO]:
            yield from tell_tie(before)
        else:
            winner = max(moves, key=lambda seat: moves[seat].number)
            yield f"{winner} wins the round and earns 1 point."
        score = " | ".join(f"{seat}: {points(after.scores[seat])}" for seat in Seat)
        yield BoardLine(f"Current Score - {score}")
        yield ""
        turn = self.turn(after)
        if isinstance(turn, Outcome):
            yield "Game Over!"
            if turn.winner is None:
                yield f"The game is a draw with {points(after.scores[0])} each."
            else:
                yield f"{turn.winner} wins the game with {points(after.scores[turn.winner])}!"
        elif len(after.rounds) == self.rounds:
            yield "The score is level after the last round. Sudden death!"
            yield "Play goes on with the cards that are left until one player leads."
            yield ""

    def sum_up(self, before: State, moves: Mapping[Seat, Card], after: State) -> str:
        one, two = moves[Seat.ONE].number, moves[Seat.TWO].number
        winner = lower_before(before) if one == two else Seat.ONE if one > two else Seat.TWO
        how = conclusion(self, after, winner)
        if winner is None:
            return f"Both play {one}: nobody scores{how}."
        if one == two:
            earlier = next(cards for cards in reversed(before.rounds) if cards[0] != cards[1])
            low, high = sorted(earlier)
            lower = f"{winner} had less before, {low} to {high}"
            return f"Both play {one}: {lower}, +2{how}."
        return f"{max(one, two)} beats {min(one, two)}: {winner} +1{how}."

    def board(self, view: State) -> tuple[Part, ...]:
        all_cards = tuple(range(1, self.cards + 1))
        hands = (Numbers("Hand", seat, all_cards, view.hands[seat]) for seat in Seat)
        scores = (Meter("Score", seat, view.scores[seat]) for seat in Seat)
        return *hands, *scores, *self.facts(view)

    def facts(self, view: State) -> Iterator[Fact]:
        """Yield the round. Until the game is over, also yield the points for a tie."""
        is_over = isinstance(self.turn(view), Outcome)
        now = len(view.rounds) + (not is_over)
        sudden = now > self.rounds
        rule = "sudden death" if is_over else "sudden death (next lead wins)"
        yield Fact("Round", None, f"{now}: {rule}" if sudden else f"{now} of {self.rounds}")
        if not is_over:
            lower = lower_before(view)
            for seat in Seat:
                yield Fact("A tie earns", seat, "2 points" if seat is lower else "nothing")

    def rule_sections(self) -> tuple[Section, ...]:
        rounds = f"{count_word(self.rounds)} round{'s' if self.rounds > 1 else ''}"
        goal = Paragraph(
            f"Each player holds the cards 1 to {self.cards} and plays one per round. After {rounds}"
            " the higher score wins."
        )
        a_round = numbered(
            "Both choose a card from their own hand, in secret.",
            "Both cards are shown. The higher card earns 1 point.",
            "Played cards are gone.",
        )
        a_tie = bullets(
            "If the cards are equal, look back to the last round in which they differed. Whoever"
            " had the lower card in that round wins the tie and earns 2 points.",
            "If there is no such round, nobody earns anything.",
        )
        rulings = bullets(
            self.level_ruling(rounds),
            "All rounds are played, even if one player can no longer catch up.",
        )
        return (
            Section("", (goal,)),
            Section("A ROUND", (a_round,)),
            Section("A TIE", (a_tie,)),
            Section("RULINGS", (rulings,)),
            at_keyboard(
                "Type the number of a card, such as 7. It is not shown until both have played."
            ),
        )

    def level_ruling(self, rounds: str) -> Prose:
        """Return the rule for equal scores, which depends on the settings."""
        if self.level == "draw":
            return prose(
                f"Equal scores after {rounds} are a draw. With ",
                SettingValue("level", "sudden-death"),
                " play goes on with the cards that are left, until one player leads.",
            )
        if (self.cards, self.rounds) == (9, 5):
            draw = "If nine ties in a row use up every card, the game is a draw."
        else:
            draw = "If the cards run out while the scores are equal, it is a draw."
        return prose(
            f"If the scores are equal after {rounds}, play goes on with the cards that are left,"
            f" under the same rules, until one player leads (sudden{NO_BREAK}death). {draw}"
            f" With{NO_BREAK}",
            SettingValue("level", "draw"),
            " the game stops after the last round instead.",
        )


@lru_cache(maxsize=4096)  # the same hands recur
def playable(hand: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(map(Card, hand))


def lower_before(state: State) -> Seat | None:
    """Return the seat that had the lower card in the last round without a tie, or None."""
    for one, two in reversed(state.rounds):
        if one != two:
            return Seat.ONE if one < two else Seat.TWO
    return None


def tell_tie(before: State) -> Iterator[str]:
    lower = lower_before(before)
    if not before.rounds:
        yield "It's a tie! No previous round to determine tie-breaker. No points awarded."
    elif lower is None:
        yield "It's a tie! All previous rounds were ties too. No points awarded."
    else:
        decider = max(n for n, (one, two) in enumerate(before.rounds, 1) if one != two)
        one, two = before.rounds[decider - 1]
        yield "It's a tie!"
        if decider == len(before.rounds):
            label, place = "Previous round", "the previous round"
        else:
            yield "The previous round was also a tie. Looking back to the last different cards."
            label, place = f"Round {decider}", f"round {decider}"
        yield f"{label} cards:"
        yield f"  {Seat.ONE} played: {one}"
        yield f"  {Seat.TWO} played: {two}"
        yield f"{lower} played the lower card in {place} and wins the tie."
        yield f"{lower} earns 2 points!"
