"""What the lessons say of whole games, one law after the other."""

from __future__ import annotations

from collections.abc import Hashable

from number_duels import Seat
from number_duels.games import high_low_battle as high_low
from number_duels.games import number_bid as bid
from number_duels.games import number_drop as drop
from number_duels.games import number_knot as knot
from number_duels.games import number_stack_showdown as stack
from number_duels.review.position import TOLERANCE, AnySolution
from tests.trainer.laws import LAWS, law

__all__ = ["LAWS"]


def value_for(solution: AnySolution, state: Hashable, seat: Seat) -> float:
    """Return the value of a state for a seat."""
    value = solution.value(state)
    return value if seat is Seat.ONE else -value


def best(solution: AnySolution, state: Hashable, seat: Seat) -> set[str]:
    """The moves that cost nothing."""
    values = solution.values(state, seat)
    top = max(values.values())
    return {str(move) for move, value in values.items() if value >= top - TOLERANCE}


def near(one: float, other: float) -> bool:
    return abs(one - other) < TOLERANCE


# ---- Number Bid ------------------------------------------------------------------


def lead_of(state: bid.State | high_low.State, seat: Seat) -> int:
    return state.scores[seat] - state.scores[seat.other]


@law("number-bid", "the highest number is a safe bid")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, bid.State)
    highest = bid.Bid(state.pool[-1])
    return solution.guarantees(state, seat)[highest] >= value_for(solution, state, seat) - TOLERANCE


@law("number-bid", "whoever is ahead wins")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, bid.State)
    lead = lead_of(state, seat)
    return None if lead == 0 else near(value_for(solution, state, seat), 1 if lead > 0 else -1)


@law("number-bid", "level: the highest number draws, every other loses")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, bid.State)
    if lead_of(state, seat) != 0:
        return None
    values = {move.number: v for move, v in solution.values(state, seat).items()}  # type: ignore[attr-defined]  # a bid
    return all(near(v, 0 if n == state.pool[-1] else -1) for n, v in values.items())


@law("number-bid", "a lower bid wins if the lead is larger than it and the highest together")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, bid.State)
    lead, highest = lead_of(state, seat), state.pool[-1]
    if lead <= 0:
        return None
    values = solution.values(state, seat)
    return all(
        near(values[bid.Bid(n)], 1) == (lead > n + highest) for n in state.pool if n < highest
    )


# ---- High-Low Battle ---------------------------------------------------------------

ROUNDS = 5


def owns_tie(state: high_low.State, seat: Seat) -> bool:
    return high_low.lower_before(state) is seat


@law("high-low-battle", "last round, not behind: a card above all of theirs wins")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, high_low.State)
    mine, theirs = state.hands[seat][-1], state.hands[seat.other][-1]
    if len(state.rounds) < ROUNDS - 1 or lead_of(state, seat) < 0 or mine <= theirs:
        return None
    return near(solution.guarantees(state, seat)[high_low.Card(mine)], 1)


@law("high-low-battle", "last round, not behind, the tie yours: their highest card is enough")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, high_low.State)
    mine, theirs = state.hands[seat][-1], state.hands[seat.other][-1]
    if len(state.rounds) < ROUNDS - 1 or lead_of(state, seat) < 0 or mine != theirs:
        return None
    if not owns_tie(state, seat):
        return None
    return near(solution.guarantees(state, seat)[high_low.Card(mine)], 1)


@law("high-low-battle", "last round, two ahead, the tie theirs: a card they do not hold wins")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, high_low.State)
    free = set(state.hands[seat]) - set(state.hands[seat.other])
    if len(state.rounds) != ROUNDS - 1 or lead_of(state, seat) != 2 or not free:
        return None
    if not owns_tie(state, seat.other):
        return None
    sure = solution.guarantees(state, seat)
    return all(near(sure[high_low.Card(card)], 1) for card in free)


# ---- Number Knot -------------------------------------------------------------------


@law("number-knot", "a number as large as their life wins at once; without one it is a draw")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, knot.State)
    winning = state.line[-1] >= state.life[seat.other]
    return near(value_for(solution, state, seat), 1 if winning else 0)


@law("number-knot", "a move is good if it leaves no number as large as your life")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, knot.State)
    if state.line[-1] >= state.life[seat.other]:
        return None
    good = best(solution, state, seat)
    for move in solution.values(state, seat):
        after = solution.game.resolve(state, {seat: move})
        assert isinstance(after, knot.State)
        safe = all(number < after.life[seat] for number in after.line)
        if (str(move) in good) != safe:
            return False
    return True


@law("number-knot", "adding the highest number always saves you")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, knot.State)
    if state.line[-1] >= state.life[seat.other]:
        return None
    return f"A{state.line[-1]}" in best(solution, state, seat)


@law("number-knot", "out of reach of every number, every move keeps the draw")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, knot.State)
    if state.line[-1] >= min(state.life):
        return None
    return len(best(solution, state, seat)) == 2 * len(state.line)


@law(
    "number-knot",
    "subtracting the highest number, where that is good, leaves the fewest good answers",
)
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, knot.State)
    good, highest = best(solution, state, seat), f"S{state.line[-1]}"
    if state.line[-1] >= state.life[seat.other] or highest not in good or len(state.line) == 1:
        return None
    answers = {
        str(move): len(best(solution, solution.game.resolve(state, {seat: move}), seat.other))
        for move in solution.values(state, seat)
        if str(move) in good
    }
    return answers[highest] == min(answers.values())


# ---- Number Drop -------------------------------------------------------------------


def counts(state: drop.State, seat: Seat) -> tuple[int, int]:
    """How many numbers a seat has left, and how many the other one."""
    return len(state.left(seat)), len(state.left(seat.other))


@law("number-drop", "two left against two or more is lost")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, drop.State)
    mine, theirs = counts(state, seat)
    return near(value_for(solution, state, seat), -1) if mine == 2 <= theirs else None


@law("number-drop", "three or more left against one or two is won")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, drop.State)
    mine, theirs = counts(state, seat)
    return near(value_for(solution, state, seat), 1) if mine >= 3 and theirs <= 2 else None


@law("number-drop", "three against two: keep the one that their two cannot make")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, drop.State)
    if counts(state, seat) != (3, 2):
        return None
    good = best(solution, state, seat)
    smaller, larger = state.left(seat.other)
    for move in solution.values(state, seat):
        assert isinstance(move, drop.Attack)
        if move.result in (smaller, larger):
            continue
        (kept,) = set(state.left(seat)) - {move.larger, move.smaller}
        if (str(move) in good) != (kept not in (larger - smaller, larger + smaller)):
            return False
    return True


@law("number-drop", "four against three: a strike wins, a miss loses")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, drop.State)
    if counts(state, seat) != (4, 3):
        return None
    theirs = state.left(seat.other)
    return all(
        near(value, 1 if move.result in theirs else -1)  # type: ignore[attr-defined]  # an attack
        for move, value in solution.values(state, seat).items()
    )


@law("number-drop", "four against four or five is lost")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, drop.State)
    mine, theirs = counts(state, seat)
    return near(value_for(solution, state, seat), -1) if mine == 4 <= theirs else None


# ---- Number Stack Showdown ---------------------------------------------------------

STACK = "number-stack-showdown"


def keeps(solution: AnySolution, state: Hashable, seat: Seat) -> bool:
    return best(solution, state, seat) == {"k"}


@law(STACK, "neither above 11: keep every card")
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, stack.State)
    return keeps(solution, state, seat) if max(map(sum, state.stacks)) <= 11 else None


@law(STACK, "both below 20: nearly always keep", at_least=0.99)
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    assert isinstance(state, stack.State)
    return keeps(solution, state, seat) if max(map(sum, state.stacks)) < 20 else None


def after_card(state: Hashable, seat: Seat) -> tuple[int, int] | None:
    """What the card makes of one's own total, and of theirs; None unless both are below 40."""
    assert isinstance(state, stack.State)
    assert isinstance(state.card, stack.Card)
    if max(map(sum, state.stacks)) >= 40:
        return None
    card = state.card.number
    return state.total(seat) + card, state.total(seat.other) + card


@law(STACK, "both below 40: nearly always keep what takes you to the forties", at_least=0.9)
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    after = after_card(state, seat)
    return keeps(solution, state, seat) if after and after[0] >= 40 else None


@law(STACK, "both below 40: nearly always keep what takes them to 40 to 45", at_least=0.9)
def _(solution: AnySolution, state: Hashable, seat: Seat) -> bool | None:
    after = after_card(state, seat)
    return keeps(solution, state, seat) if after and 40 <= after[1] <= 45 else None
