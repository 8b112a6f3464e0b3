"""Number Stack Showdown: draw a card, and keep it or give it away. A total of exactly 50 wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from random import Random
from typing import ClassVar, NamedTuple

from number_duels.core.board import Cards, Meter, Part, Place
from number_duels.core.defaults import conclusion, ending
from number_duels.core.game import (
    HIDDEN,
    Chance,
    Decision,
    Feature,
    Game,
    Hidden,
    Outcome,
    Seat,
    check_viewer,
    presence,
)
from number_duels.core.questions import Answer, Question
from number_duels.core.settings import one_of, who_is_first, within
from number_duels.core.text import (
    BoardLine,
    Heading,
    Paragraph,
    Prose,
    Rule,
    Section,
    SettingValue,
    at_keyboard,
    bullets,
    count_word,
    number,
    numbered,
    prose,
)

MOST_COPIES = 8
TOTAL = "Stack Total"
RULE_LINE = Rule("-" * 38)


class Choice(StrEnum):
    KEEP = "k"
    GIVE = "g"

    def __repr__(self) -> str:
        return f"Choice.{self.name}"


BOTH = tuple(Choice)


class Card(NamedTuple):  # tuples hash fast, and odds are keyed by cards
    number: int

    def __str__(self) -> str:
        return str(self.number)


CARDS = tuple(map(Card, range(14)))


@dataclass(frozen=True, slots=True)
class State:
    """Both stacks (oldest card first), the seat to move, and the card in hand."""

    stacks: tuple[tuple[int, ...], tuple[int, ...]]
    mover: Seat
    card: Card | Hidden | None = None

    def total(self, seat: Seat) -> int:
        return sum(self.stacks[seat])


@dataclass(frozen=True)
class NumberStackShowdown(Game[State, Choice, Card]):
    """Number Stack Showdown: keep each card you draw, or give it away. A total of 50 wins.

    >>> game = NumberStackShowdown()
    >>> state = game.play(game.start(), {None: Card(7)})
    >>> game.play(state, {Seat.ONE: Choice.KEEP})
    State(stacks=((7,), ()), mover=Seat.TWO, card=None)
    >>> game.view(state, Seat.TWO).card
    <Hidden.HIDDEN: '?'>
    """

    name: ClassVar[str] = "number-stack-showdown"
    title: ClassVar[str] = "Number Stack Showdown"
    summary: ClassVar[str] = "Keep each card you draw, or give it; exactly 50 wins."
    draw_label: ClassVar[str] = "Draw a card"

    first: int = who_is_first()
    target: int = within(1, 100, default=50, meaning="the winning total; going over it loses")
    highest: int = within(1, 13, default=10, meaning="the highest card; the lowest is 1")
    copies: int = within(1, MOST_COPIES, default=4, meaning="how many of each card are in the deck")
    overflow: str = one_of(
        "forbidden",
        "allowed",
        meaning="whether you may take a stack over the target when your other choice does not",
        label="going over",
        words=("only if forced", "allowed"),
    )

    # ---- rules ---------------------------------------------------------------

    def start(self, rng: Random | None = None, deal: str | None = None) -> State:
        """Return two empty stacks. The deal fixes later draws, so it is only checked here."""
        if deal is not None:
            self.fixed_events(deal)
        return State(((), ()), Seat(self.first - 1))

    def deck(self, state: State) -> tuple[int, ...]:
        """Return how many of each card are still in the deck."""
        left = [self.copies] * self.highest
        for stack in state.stacks:
            for n in stack:
                left[n - 1] -= 1
        if isinstance(state.card, Card):
            left[state.card.number - 1] -= 1
        return tuple(left)

    def turn(self, state: State) -> Decision[Choice] | Chance[Card] | Outcome:
        first, second = state.stacks
        one, two = sum(first), sum(second)
        if one >= self.target:
            return self.finished(Seat.ONE, one)
        if two >= self.target:
            return self.finished(Seat.TWO, two)
        if state.card is not None:
            mine, theirs = (one, two) if state.mover is Seat.ONE else (two, one)
            return Decision({state.mover: self.open_choices(state.card, mine, theirs)})
        if odds := self.odds(state):
            return Chance(odds)
        return Outcome(None, "The deck is empty and no stack is finished.")

    def finished(self, seat: Seat, total: int) -> Outcome:
        """Return the outcome when a seat's stack has reached or passed the target."""
        if total == self.target:
            return Outcome(seat, f"{seat}'s stack total is {self.target}.")
        return Outcome(seat.other, f"{seat}'s stack total exceeds {self.target}.")

    def odds(self, state: State) -> dict[Card, Fraction]:
        """Return the odds of drawing each card that is left in the deck."""
        deck = self.deck(state)
        shares = shares_of(sum(deck))
        return {CARDS[n]: shares[count] for n, count in enumerate(deck, 1) if count}

    def may_draw(self, state: State) -> bool:
        # In a draw, the whole deck lies on two stacks that are both below the target.
        return self.copies * sum(range(1, self.highest + 1)) <= 2 * (self.target - 1)

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return the legal choices for the card in hand, or both choices if the card is hidden."""
        mine, theirs = state.total(state.mover), state.total(state.mover.other)
        return self.open_choices(state.card, mine, theirs)

    def open_choices(
        self, card: Card | Hidden | None, mine: int, theirs: int
    ) -> tuple[Choice, ...]:
        """Return the legal choices for a card. `mine` is the total of the mover."""
        if not isinstance(card, Card):
            return BOTH
        room = self.target - card.number
        keeping, giving = mine > room, theirs > room
        if keeping and giving:
            return (Choice.KEEP,)
        if self.overflow == "forbidden" and (keeping or giving):
            return (Choice.GIVE,) if keeping else (Choice.KEEP,)
        return BOTH

    def drawn(self, state: State, event: Card) -> State:
        return State(state.stacks, state.mover, event)

    def resolve(self, state: State, moves: Mapping[Seat, Choice]) -> State:
        assert isinstance(state.card, Card)
        mover, (one, two) = state.mover, state.stacks
        other = mover.other
        seat = mover if moves[mover] == Choice.KEEP else other
        card = (state.card.number,)
        stacks = (one + card, two) if seat is Seat.ONE else (one, two + card)
        return State(stacks, other)

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state with the card hidden from everyone but the seat that drew it."""
        check_viewer(viewer)
        if state.card is None or viewer is state.mover:
            return state
        return replace(state, card=HIDDEN)

    def drawer(self, state: State) -> Seat:
        return state.mover

    def key(self, state: State) -> Hashable:
        laid = tuple(sorted(state.stacks[0] + state.stacks[1]))
        return laid, state.total(Seat.ONE), state.mover, state.card

    # ---- notation ------------------------------------------------------------

    def parse(self, text: str) -> Choice:
        words = {"k": Choice.KEEP, "keep": Choice.KEEP, "g": Choice.GIVE, "give": Choice.GIVE}
        said = text.strip().casefold()
        if said not in words:
            raise ValueError("A move is k (keep) or g (give).")
        return words[said]

    def fixed_events(self, deal: str) -> tuple[Card, ...]:
        """Read the cards on top of the deck: numbers separated by spaces or commas."""
        cards: list[Card] = []
        for word in deal.replace(",", " ").split():
            value = number(word)
            if value is None or not 1 <= value <= self.highest:
                raise ValueError(f"A deal has cards from 1 to {self.highest}, such as 7 10 5.")
            cards.append(Card(value))
        for card, count in Counter(cards).items():
            if count > self.copies:
                raise ValueError(f"The deck has {self.copies} of card {card}, not {count}.")
        return tuple(cards)

    # ---- encoding, for machine learning --------------------------------------

    def all_moves(self) -> tuple[Choice, ...]:
        return BOTH

    def all_events(self) -> tuple[Card, ...]:
        return tuple(map(Card, range(1, self.highest + 1)))

    @property
    def most_turns(self) -> int:
        # Each turn uses up a card and adds at least 1 to a stack.
        return min(self.highest * self.copies, 2 * self.target)

    def features(self, view: State, seat: Seat) -> tuple[Feature, ...]:
        laid = Counter(view.stacks[0] + view.stacks[1])
        cards = range(1, self.highest + 1)
        top = self.target + self.highest
        held = (view.card.number,) if isinstance(view.card, Card) and view.mover is seat else ()
        return (
            Feature("own total", (view.total(seat),), 0, top),
            Feature("other's total", (view.total(seat.other),), 0, top),
            Feature("cards laid", tuple(laid[n] for n in cards), 0, self.copies),
            Feature("own turn", (int(view.mover is seat),), 0, 1),
            Feature("card drawn", (int(view.card is not None),), 0, 1),
            presence("card in hand", cards, held),
        )

    # ---- text and board ------------------------------------------------------

    @property
    def short_rules(self) -> str:
        if self.overflow == "allowed":
            return f"Keep or give each card. {self.target} wins, more loses."
        fits = "Put each card where it fits; if nowhere, keep it and lose."
        return f"Exactly {self.target} wins. {fits}"

    def opening(self, view: State) -> Iterator[str]:
        yield "Welcome to Number Stack Showdown!"
        yield f"{Seat.ONE} and {Seat.TWO}, get ready to duel!"
        yield ""
        yield f"{view.mover} will start the game."
        yield ""
        yield RULE_LINE

    def announce(self, view: State, viewer: Seat | None) -> Iterator[str]:
        mover = view.mover
        mine, theirs = (
            ("Your", "Opponent's") if viewer is mover else (f"{mover}'s", f"{mover.other}'s")
        )
        yield Heading(f"{mover}'s Turn")
        yield BoardLine(f"{mine} Stack Total: {view.total(mover)}")
        yield BoardLine(f"{theirs} Stack Total: {view.total(mover.other)}")
        yield BoardLine(f"Cards Remaining in Deck: {self.remaining(view)}")
        yield ""

    def remaining(self, view: State) -> int:
        """Return how many cards are left in the deck, not counting the card in hand."""
        laid = len(view.stacks[0]) + len(view.stacks[1])
        return self.highest * self.copies - laid - (view.card is not None)

    def question(self, view: State, seat: Seat) -> Question[Choice]:
        """Ask whether to keep the card. If a choice is illegal, reject it and say why."""
        keep = Answer("yes", "Keep", Choice.KEEP, ("y",), (Place(TOTAL, seat),))
        give = Answer("no", "Give", Choice.GIVE, ("n",), (Place(TOTAL, seat.other),))
        answers = tuple(a for a in (keep, give) if a.leads_to in self.choices(view))
        closed: dict[str, str] = {}
        if answers == (keep,):
            reason = f"You must keep this card: {self.forced(view)}"
            closed = dict.fromkeys(("no", "n", "g", "give"), reason)
        elif answers == (give,):
            reason = f"You must give this card away: {self.forced(view)}"
            closed = dict.fromkeys(("yes", "y", "k", "keep"), reason)
        prompt = "Do you want to keep this card?"
        text = "You have no choice." if closed else prompt
        return Question(text, answers, at_keyboard=f"{prompt} (yes/no): ", closed=closed)

    def forced(self, view: State) -> str:
        """Return why the mover has only one choice."""
        assert isinstance(view.card, Card)
        keeping = view.total(view.mover) + view.card.number > self.target
        giving = view.total(view.mover.other) + view.card.number > self.target
        if keeping and giving:
            return f"it would take either stack over {self.target}."
        whose = "your stack" if keeping else "your opponent's stack"
        return f"it would take {whose} over {self.target}."

    def consequence(self, view: State, seat: Seat, move: Choice) -> str:
        if not isinstance(view.card, Card):
            return ""
        after = self.resolve(view, {seat: move})
        owner = seat if move == Choice.KEEP else seat.other
        whose = "your" if owner is seat else "their"
        total = f"{whose} total {view.total(owner)} + {view.card} = {after.total(owner)}"
        end = ending(self, after, seat)
        return f"{total}: {end}" if end else f"{total}{self.too_high(view, after, owner, seat)}"

    def too_high(self, view: State, after: State, owner: Seat, seat: Seat) -> str:
        """Say which cards `owner` cannot keep from now on, if they could keep every card before."""
        before, room = view.total(owner), self.target - after.total(owner)
        if (
            self.overflow == "allowed"
            or before + self.highest > self.target
            or room >= self.highest
        ):
            return ""
        return f"; then {'you' if owner is seat else 'they'} can't keep a card above {room}"

    def merit(self, view: State, seat: Seat, move: Choice) -> str:
        """Compare how many cards win or lose after this choice and after the other one."""
        keeps, near = move == Choice.KEEP, self.target - self.highest
        now, otherwise = (self.resolve(view, {seat: one}) for one in BOTH[:: 1 if keeps else -1])
        if any(isinstance(self.turn(after), Outcome) for after in (now, otherwise)):
            return ""
        counts, others = self.good_cards(now, seat), self.good_cards(otherwise, seat)
        what = max(counts, key=lambda one: counts[one] - others[one])
        if counts[what] > others[what]:
            many, few = (abs(one[what]) or "none" for one in (counts, others))
            this, that = ("keeping", "giving")[:: 1 if keeps else -1]
            left = f"{many} of the {self.remaining(view)} cards left"
            return f"After {this}, {left} would {what}. After {that}, {few} would."
        if keeps and now.total(seat) < near:
            return f"Keeping brings {seat} closer to {near}. From there, one card can win."
        return ""

    def good_cards(self, state: State, seat: Seat) -> dict[str, int]:
        """Count the cards that decide the next turn. Counts are negative if bad for `seat`."""
        other = seat.other
        wins = loses = 0
        for card, count in zip(CARDS[1:], self.deck(state), strict=False):
            drawn = self.drawn(state, card)
            after = [self.turn(self.resolve(drawn, {other: one})) for one in self.choices(drawn)]
            winners = [turn.winner if isinstance(turn, Outcome) else None for turn in after]
            wins += count * (other in winners)
            loses += count * ({*winners} == {seat})
        return {f"win for {other}": -wins, f"lose for {other}": loses}

    def tell(
        self, before: State, moves: Mapping[Seat, Choice], after: State, viewer: Seat | None
    ) -> Iterator[str]:
        mover = before.mover
        if not moves:
            yield from self.tell_draw(after, viewer)
            return
        owner = mover if moves[mover] == Choice.KEEP else mover.other
        card, total = after.stacks[owner][-1], after.total(owner)
        yield ""
        if viewer is mover:
            where = "added {} to your own stack." if owner is mover else f"gave {{}} to {owner}."
            yield f"You {where.format(card)}"
        else:
            where = "added {} to their own stack." if owner is mover else f"gave {{}} to {owner}."
            yield f"{mover} {where.format(card)}"
        whose = "Your" if viewer is owner is mover else f"{owner}'s"
        yield f"{whose} new Stack Total: {total}"
        yield ""
        turn = self.turn(after)
        if not isinstance(turn, Outcome):
            yield f"Turn ends. Passing to {after.mover}."
            yield RULE_LINE
            return
        yield turn.reason
        yield "The game is a draw." if turn.winner is None else f"{turn.winner} wins the game!"

    def tell_draw(self, after: State, viewer: Seat | None) -> Iterator[str]:
        """Yield the lines about a drawn card. Only the seat that drew it sees the card."""
        if not isinstance(after.card, Card) or viewer is not after.mover:
            yield f"{after.mover} drew a card."
            return
        yield f"You drew {card_in_words(after.card)}."
        choices = self.choices(after)
        if len(choices) == 1:
            must = "keep this card" if choices[0] == Choice.KEEP else "give this card away"
            yield f"You must {must}: {self.forced(after)}"

    def sum_up(self, before: State, moves: Mapping[Seat, Choice], after: State) -> str:
        mover = before.mover
        if not moves:
            return f"{mover} drew {card_in_words(after.card)}."
        owner = mover if moves[mover] == Choice.KEEP else mover.other
        card, total = after.stacks[owner][-1], after.total(owner)
        what = f"keeps {card}" if owner is mover else f"gives {card} to {owner}"
        return f"{mover} {what} (total {total}){conclusion(self, after, mover)}."

    def board(self, view: State) -> tuple[Part, ...]:
        parts: list[Part] = []
        for seat in Seat:
            parts.append(Meter(TOTAL, seat, view.total(seat), self.target))
            parts.append(Cards("Stack", seat, tuple(map(str, view.stacks[seat]))))
        parts.append(Meter("Cards Remaining in Deck", None, self.remaining(view)))
        if view.card is not None:
            parts.append(Cards("Drawn Card", view.mover, (str(view.card),)))
        return tuple(parts)

    def rule_sections(self) -> tuple[Section, ...]:
        target = self.target
        goal = Paragraph(
            f"Build a stack that adds up to exactly {target}. The deck has"
            f" {count_word(self.copies)} of each card from 1 to {self.highest}. Both stacks start"
            " empty."
        )
        a_turn = numbered(
            "Draw a card. Only you see it.",
            "Keep it on your own stack, or give it to your opponent's.",
            "It lies there face up for good, and the turn passes.",
        )
        the_end = bullets(
            f"A stack of exactly {target} wins for its owner at once, whoever put the card"
            f" there: giving away the card that makes {target} loses.",
            f"A stack over {target} loses for its owner at once.",
        )
        rulings = bullets(
            self.overflow_ruling(),
            f"When both choices would take a stack over {target}, you must keep the card, and"
            " lose.",
            self.empty_deck_ruling(),
        )
        return (
            Section("", (goal,)),
            Section("A TURN", (a_turn,)),
            Section("THE END", (the_end,)),
            Section("RULINGS", (rulings,)),
            at_keyboard("Press Enter to draw, then type yes to keep the card or no to give it."),
        )

    def overflow_ruling(self) -> Prose:
        """Return the rule for going over the target, which depends on the settings."""
        if self.overflow == "forbidden":
            return prose(
                f"You may not take a stack over {self.target} while your other choice does not;"
                " you are told when your choice is forced, and still asked. With ",
                SettingValue("overflow", "allowed"),
                " both choices are open.",
            )
        return prose(
            f"You may keep or give any card, even if it takes a stack over {self.target}. With ",
            SettingValue("overflow", "forbidden"),
            f" you may take a stack over {self.target} only if both choices would.",
        )

    def empty_deck_ruling(self) -> str:
        """Return the rule for an empty deck, which depends on the settings."""
        if (self.target, self.highest, self.copies) == (50, 10, 4):
            return (
                "The deck cannot run out with these numbers: the 27th draw, at the latest, ends the"
                " game. With other settings an empty deck is a draw at once."
            )
        return "If the deck runs out before a stack is finished, the game is a draw."


def card_in_words(card: Card | Hidden | None) -> str:
    if not isinstance(card, Card):
        return "a card"
    return f"{'an' if card.number in (8, 11) else 'a'} {card}"


@cache
def shares_of(deck: int) -> tuple[Fraction, ...]:
    """Return the odds of drawing a card. The index is the number of its copies in the deck."""
    return tuple(Fraction(count, max(deck, 1)) for count in range(MOST_COPIES + 1))
