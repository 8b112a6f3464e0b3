"""Number Stack Showdown in plain Python: one long integer has the values of all splits of a set.

A set of cards is a number with one digit per card value: the count of that card. A split divides a
set between the two stacks. The value of a split is in the lane whose number is the total of the
first seat's stack. It is the probability that this seat wins, times a scale. So a few operations on
integers compute the values of all splits of a set.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice
from operator import mul, sub
from typing import Final, NamedTuple

from number_duels.core.game import Outcome, Seat
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from number_duels.solvers.cache import Progress, Section, Tables
from number_duels.solvers.induction import RESULTS, Method, too_many

#: The integer that stands for a value of 1. An int32 is more precise here than a float32.
VALUE_SCALE: Final = 2**31 - 1

#: The table has the values of sets with at most this many cards. Others are computed when needed.
EARLY_CARDS = 7
#: Values of sets with at most this many cards more than a computed set are kept.
MORE_CARDS = 4
MAX_KEPT_SETS = 20_000
#: The most sets to solve in plain Python, which takes a few seconds.
MAX_PLAIN_SETS = 150_000

LANE_BITS: Final = 56
#: Sums over the deck, with fewer than 1 << 8 cards, fit into a lane and leave a bit free.
SCALE_BITS: Final = 46
LANE: Final = (1 << LANE_BITS) - 1


class Cards(NamedTuple):
    """A set of cards, its total, and how many of each card are left in the deck."""

    number: int
    total: int
    left: tuple[int, ...]


class Row(NamedTuple):
    lanes: int
    #: The integer that stands for a certain win.
    scale: int

    def value(self, total: int) -> float:
        return 2 * (self.lanes >> LANE_BITS * total & LANE) / self.scale - 1


class SplitMethod(Method[State, Choice, Card]):
    """Finds the value of a state from the values of splits."""

    def __init__(self, game: NumberStackShowdown) -> None:
        self.rules = game
        self.identity = (
            f"sets target={game.target} highest={game.highest}"
            f" copies={game.copies} overflow={game.overflow}"
        )
        self.most = 2 * (game.target - 1)  # the largest total of two stacks that are not full
        #: The base of each card's digit: 1 more than the copies that fit into two stacks.
        self.digits = [min(game.copies, self.most // n) + 1 for n in range(1, game.highest + 1)]
        #: The place value of each card's digit.
        self.places = list(accumulate(self.digits[:-1], mul, initial=1))

    @abstractmethod
    def split_value(self, state: State, sections: Sequence[Section], scale: int) -> float | None:
        """Return the first seat's value before a card is drawn, or None if it is unreachable."""

    def value(
        self, state: State, sections: Sequence[Section], scale: int = VALUE_SCALE
    ) -> float | None:
        """Return the value for Player 1 of a state that is not over, or None if it is unreachable.

        `scale` is the number that stands for a value of 1 in the table.
        """
        first = Seat(self.rules.first - 1)
        laid = state.stacks[0] + state.stacks[1]
        if state.mover is not (first if len(laid) % 2 == 0 else first.other):
            return None
        if state.card is not None:
            return self.best(state, sections, scale)
        found = self.split_value(state, sections, scale)
        return None if found is None else self.signed(found)

    def best(self, state: State, sections: Sequence[Section], scale: int) -> float | None:
        if not isinstance(state.card, Card):
            return None
        values = []
        for choice in self.rules.choices(state):
            after = self.rules.resolve(state, {state.mover: choice})
            turn = self.rules.turn(after)
            if isinstance(turn, Outcome):
                found: float | None = RESULTS[turn.winner]
            else:
                found = self.value(after, sections, scale)
            if found is None:
                return None
            values.append(found)
        return max(values) if state.mover is Seat.ONE else min(values)

    def signed(self, result: float) -> float:
        return float(result) if self.rules.first == 1 else 0.0 - float(result)


class PlainKernel(SplitMethod):
    """Finds values of large sets when they are needed, and reads those of small sets from a table.

    Without the table, it solves only small decks.
    """

    def __init__(self, game: NumberStackShowdown, limit: int, remedy: str) -> None:
        super().__init__(game)
        self.identity = f"early {self.identity}"
        self.limit, self.remedy = limit, remedy
        self.pays = game.overflow == "forbidden"
        self.full_deck = Cards(0, 0, (game.copies,) * game.highest)
        self.rows: dict[int, Row] = {}
        self.latest = self.full_deck
        self.masks = [lanes(self.open_totals(total)) * LANE for total in range(self.most + 1)]
        #: By total, and by the seat that placed the last card: the lanes in which the first seat
        #: has won. Going over the target counts as a win of the opponent, so nobody chooses it.
        self.wins = [self.won(total) for total in range(self.most + game.highest + 1)]
        self.all_lanes = lanes(range(game.target + game.highest))
        self.guards = self.all_lanes << LANE_BITS - 1

    def open_totals(self, total: int) -> range:
        """Return the possible totals of the first seat's stack if nobody has reached the target."""
        target = self.rules.target
        return range(max(0, total - target + 1), min(total, target - 1) + 1)

    def won(self, total: int) -> tuple[int, int]:
        target, highest = self.rules.target, self.rules.highest
        over = lanes(range(target, target + highest)) | lanes(range(total - target))
        return lanes([target]), over

    def split_value(self, state: State, sections: Sequence[Section], scale: int) -> float | None:
        cards = self.cards(state.stacks[0] + state.stacks[1])
        if cards is None:
            return None
        own = state.total(Seat(self.rules.first - 1))
        start = self.early_starts.get(cards.number)
        if start is not None:
            if sum(self.full_deck.left) - sum(cards.left) == EARLY_CARDS:
                self.latest = cards
            return sections[0][start + own - self.open_totals(cards.total)[0]] / scale
        if cards.number not in self.rows:
            self.solve_rest(cards)
        self.latest = cards
        return self.rows[cards.number].value(own)

    def solve_rest(self, cards: Cards) -> None:
        """Compute the rows of these cards and of the sets with a few cards more."""
        # If the latest question was about fewer cards, the next one may be about other draws.
        taken = [*map(sub, self.latest.left, cards.left)]
        if min(taken) >= 0 and sum(taken) <= MORE_CARDS:
            cards = self.latest
        if len(self.rows) > MAX_KEPT_SETS:
            self.rows.clear()
        for place, scale, rows in self.fill([*self.layers(cards)]):
            if place <= MORE_CARDS:
                self.rows |= {number: Row(row, scale) for number, row in rows.items()}

    def cards(self, laid: Iterable[int]) -> Cards | None:
        """Return these cards as a set, or None if they cannot lie on two stacks."""
        left, number, total = list(self.full_deck.left), 0, 0
        for n in laid:
            if n > len(left):
                return None
            left[n - 1] -= 1
            number += self.places[n - 1]
            total += n
        return None if min(left) < 0 or total > self.most else Cards(number, total, tuple(left))

    def layers(self, cards: Cards) -> Iterator[list[Cards]]:
        """Yield the sets that contain these cards, with 0, 1, 2 … cards more."""
        layer = [(cards, 0)]
        while layer:
            yield [cards for cards, _ in layer]
            layer = [  # cards are added in ascending order
                (Cards(number + self.places[n], total + n + 1, one_less(left, n)), n)
                for (number, total, left), first in layer
                for n in range(first, min(len(left), self.most - total))
                if left[n]
            ]

    def fill(self, layers: Sequence[Sequence[Cards]]) -> Iterator[tuple[int, int, dict[int, int]]]:
        """Yield each layer's index, its scale and its rows, from the last to the first."""
        rows: dict[int, int] = {}
        scale = 1 << SCALE_BITS
        for place in reversed(range(len(layers))):
            draws = sum(layers[place][0].left)
            second_moves = (sum(self.full_deck.left) - draws) % 2
            ends = [wins[second_moves] * scale for wins in self.wins]
            sums = {
                cards: self.sum_of_draws(cards, rows, ends, second_moves) for cards in layers[place]
            }
            # Divide by the number of cards: the scale grows, except for the bits cut off here.
            shift = max(0, (scale * draws).bit_length() - SCALE_BITS - 1)
            kept_bits = self.all_lanes * (LANE >> shift)
            rows, last_row = {}, self.all_lanes * (scale // 2)
            scale = scale * (draws or 1) >> shift
            for cards, lanes_of_sums in sums.items():
                row = lanes_of_sums >> shift & kept_bits if draws else last_row
                ended = self.wins[cards.total][not second_moves] * scale
                rows[cards.number] = row & self.masks[cards.total] | ended
            yield place, scale, rows

    def sum_of_draws(
        self, cards: Cards, rows: Mapping[int, int], ends: Sequence[int], second_moves: int
    ) -> int:
        """Return the sum of the row after each card in the deck, if the better choice is made."""
        number, total, left = cards
        found = 0
        for n, count in enumerate(left, 1):
            if count:
                after = total + n
                same = rows[number + self.places[n - 1]] if after <= self.most else ends[after]
                more = same >> LANE_BITS * n  # the first seat's stack grows
                # The guard bit of a lane stays if `same` is at least `more` there.
                difference = (same | self.guards) - more
                guards = difference & self.guards
                gain = difference & guards - (guards >> LANE_BITS - 1)
                found += count * (same - gain if second_moves else more + gain)
        return found

    def solve(self, progress: Progress) -> Tables:
        layers, sets = list[list[Cards]](), 0
        for layer in self.layers(self.full_deck):
            layers.append(layer)
            sets += len(layer)
            if sets > MAX_PLAIN_SETS:
                raise too_many(self.rules.title, self.limit, self.remedy)
        early = list[list[float]]()
        for place, scale, rows in self.fill(layers):
            progress(1 - place / len(layers))
            if place <= EARLY_CARDS:
                early.append(
                    [
                        Row(rows[cards.number], scale).value(own)
                        for cards in layers[place]
                        for own in self.open_totals(cards.total)
                    ]
                )
        values = (round(value * VALUE_SCALE) for part in reversed(early) for value in part)
        return self.table(values, sum(self.states_of(cards) for cards in chain(*layers)))

    def states_of(self, cards: Cards) -> int:
        """Return how many states have these cards on the stacks."""
        totals, kinds = 1, sum(map(bool, cards.left))
        for n, (full, left) in enumerate(zip(self.full_deck.left, cards.left, strict=True), 1):
            for _ in range(full - left):
                totals |= totals << n
        splits = sum(totals >> own & 1 for own in self.open_totals(cards.total))
        return splits * (1 + kinds) if kinds else 0

    @cached_property
    def early_starts(self) -> dict[int, int]:
        """The place of each early set's first split in the table."""
        starts, place = {}, 0
        for cards in self.early_sets():
            starts[cards.number] = place
            place += len(self.open_totals(cards.total))
        return starts

    def early_sets(self) -> Iterator[Cards]:
        return chain.from_iterable(islice(self.layers(self.full_deck), EARLY_CARDS + 1))

    def table(self, numbers: Iterable[int], states: int) -> Tables:
        """Return the values of all splits of the early sets as a table."""
        return Tables((memoryview(array("i", numbers)),), states)


def lanes(places: Iterable[int]) -> int:
    """Return an integer with a 1 in each of these lanes."""
    return sum(1 << LANE_BITS * place for place in places)


def one_less(left: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*left[:place], left[place] - 1, *left[place + 1 :])
