"""Habits: rules that all of a person's choices followed, and what a good opponent gains by them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeAlias

from number_duels.core.game import Decision, Seat
from number_duels.core.names import VERBS
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record, shown_names
from number_duels.review.mistakes import is_mistake
from number_duels.review.position import AnySolution, snap_to_integer, words_of_moves
from number_duels.solvers.errors import TooLarge
from number_duels.solvers.induction import induce_response

MIN_CHOICES = 5
MAX_GAMES = 20
#: The most states to visit for one best response, which takes about a second.
MAX_STATES = 20_000

Moves: TypeAlias = Sequence[Hashable]
#: The options that each habit picks from a list sorted from lowest to highest.
RANKS: Mapping[str, Callable[[Moves], Moves]] = {
    "highest": lambda options: options[-1:],
    "lowest": lambda options: options[:1],
    "middle": lambda options: options[(len(options) - 1) // 2 : len(options) // 2 + 1],
    "second highest": lambda options: options[-2:-1],
    "second lowest": lambda options: options[1:2],
}
PLACES = {
    "highest": "last",
    "lowest": "first",
    "second highest": "second to last",
    "second lowest": "second",
}


@dataclass(frozen=True)
class Habit:
    """A rule that all of a person's choices followed, and its cost against the best response.

    >>> Habit(Seat.ONE, "highest", "plays the highest number", 5, 1, value=-1.0, free=0.0).cost
    1.0
    """

    #: The seat of the person.
    seat: Seat
    #: The rank of the chosen options, such as `highest`.
    rank: str
    #: The rule as a phrase that follows a player's name.
    words: str
    #: The number of choices that followed the rule.
    choices: int
    #: The number of games with these choices.
    games: int
    #: The person's expected result if the other seat plays the best response to the rule.
    value: float
    #: The person's expected result if both play perfectly.
    free: float

    @property
    def cost(self) -> float:
        """Return how much the habit costs against the best response."""
        return self.free - self.value


class Choice(NamedTuple):
    options: Moves
    move: Hashable

    def follows(self, rank: str) -> bool:
        return self.move in picks(rank, self.options)

    def shows(self, rank: str) -> bool:
        return len(picks(rank, self.options)) < len(self.options)


def habits(
    match: AnyMatch, solution: AnySolution, earlier: Iterable[Record] = ()
) -> Iterator[Habit]:
    """Yield the clearest habit of each person, if it costs at least as much as a mistake."""
    before: list[Record] | None = None
    for seat in Seat:
        own = choices(match, seat) if match.players[seat].who == "human" else []
        ranks = [rank for rank in RANKS if own and all(one.follows(rank) for one in own)]
        if not ranks:
            continue
        if before is None:
            before = sorted(earlier, key=lambda record: record.started, reverse=True)
        played = list(islice(earlier_choices(match, seat, before), MAX_GAMES))
        found = [habit_of(match, solution, seat, rank, [own, *played]) for rank in ranks]
        costly = [habit for habit in found if habit and is_mistake(habit.cost)]
        if costly:
            yield max(costly, key=lambda habit: (habit.choices, habit.cost))


def habit_of(
    match: AnyMatch, solution: AnySolution, seat: Seat, rank: str, games: Sequence[list[Choice]]
) -> Habit | None:
    breaks = (n for n, game in enumerate(games) if not all(one.follows(rank) for one in game))
    run = games[: next(breaks, len(games))]
    count = sum(map(len, run))
    if sum(one.shows(rank) for game in run for one in game) < MIN_CHOICES:
        return None
    start, sign = match.history.start, (1, -1)[seat]
    with suppress(TooLarge):
        left = sign * value_of(solution, start, seat, rank)
        free = sign * solution.value(start)
        figures = snap_to_integer(left) + 0.0, snap_to_integer(free) + 0.0
        return Habit(seat, rank, words_of(match, seat, rank), count, len(run), *figures)
    return None


def value_of(solution: AnySolution, start: Hashable, seat: Seat, rank: str) -> float:
    """Return Player 1's expected result if the other seat exploits the habit of `seat`."""
    game, seen = solution.game, 0

    def policy(state: Hashable, mover: Seat) -> Mapping[Hashable, float]:
        turn = game.turn(state)
        assert isinstance(turn, Decision)
        if len(turn.options) == 1:
            return solution.strategy(state, mover)
        chosen = picks(rank, ordered(turn.options[mover]))
        return dict.fromkeys(chosen, 1 / len(chosen))

    def count(_: Hashable) -> None:
        nonlocal seen
        seen += 1
        if seen > MAX_STATES:
            raise TooLarge(f"The best response needs more than {MAX_STATES:,} states.")

    return induce_response(game, seat.other, policy, count, start)[game.key(start)]


def picks(rank: str, options: Moves) -> Moves:
    return RANKS[rank](options) or options


def ordered(options: Moves) -> Moves:
    return sorted(options, key=lambda move: int(str(move))) if are_numbers(options) else options


def are_numbers(options: Moves) -> bool:
    return all(str(move).isdecimal() for move in options)


def choices(match: AnyMatch, seat: Seat) -> list[Choice]:
    found = []
    for step in match.history.steps:
        turn = match.game.turn(step.before)
        if isinstance(turn, Decision) and len(step.moves) == 2 and len(turn.options[seat]) > 1:
            found.append(Choice(ordered(turn.options[seat]), step.moves[seat]))
    return found


def earlier_choices(
    match: AnyMatch, seat: Seat, records: Iterable[Record]
) -> Iterator[list[Choice]]:
    name = shown_names(match.players)[seat]
    for record in records:
        names = shown_names(record.players)
        if record.game != match.game.name or record.started >= match.started or name not in names:
            continue
        own = Seat(names.index(name))
        with suppress(ValueError):  # a damaged record
            before = record.match()
            same = before.game == match.game and record.players[own].who == "human"
            if same and (found := choices(before, own)):
                yield found


VERB_AND_NUMBER = re.compile(r"([a-z]+) \d+")


def words_of(match: AnyMatch, seat: Seat, rank: str) -> str:
    """Return a phrase that follows a player's name, such as `bids the highest number`."""
    step = next(step for step in match.history.steps if len(step.moves) == 2)
    words = words_of_moves(match.game, step.before, seat)
    if not are_numbers(list(words)):
        return f"chooses the {PLACES.get(rank, rank)} option"
    found = {made[1] if (made := VERB_AND_NUMBER.fullmatch(one)) else "" for one in words.values()}
    verb = f"{found.pop()}s"
    return f"{verb if not found and verb in VERBS else 'chooses'} the {rank} number"
