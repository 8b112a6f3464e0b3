"""The fullest board that a game can have, which determines the size of the cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from number_duels.core.board import Cards, Fact, Grid, Meter, Numbers, Part
from number_duels.core.game import AnyGame, Decision, Outcome, Seat
from number_duels.core.randomness import stream

#: How many random games to sample. Real games rarely have a longer stack of cards.
SAMPLE_GAMES = 40
#: How many steps of each game to sample, because a user's own game may never end.
MAX_STEPS = 200


@dataclass(frozen=True)
class FullBoard:
    """All parts that a game's board can have, each in its largest form."""

    parts: tuple[Part, ...] = ()
    #: The labels of cards that come and go, such as a drawn card.
    passing: frozenset[str] = frozenset()


@lru_cache
def full_board(game: AnyGame) -> FullBoard:
    """Return the fullest board of a game, as found in a fixed sample of games."""
    start = game.board(game.start())
    found: dict[str, dict[int | None, Part]] = {}
    for board in (start, *sample_boards(game)):
        for part in board:
            owned = found.setdefault(part.label, {})
            owned[part.owner] = fuller(owned.get(part.owner, part), part)
    parts: list[Part] = []
    for owned in found.values():
        both = [owned[seat] for seat in Seat if seat in owned]
        if len(both) == 2:
            largest = fuller(*both)
            parts += (replace(largest, owner=seat) for seat in Seat)
        else:
            parts += owned.values()
    known = {part.label for part in start}
    passing = (part.label for part in parts if isinstance(part, Cards) and part.label not in known)
    return FullBoard(tuple(parts), frozenset(passing))


def sample_boards(game: AnyGame) -> Iterator[tuple[Part, ...]]:
    for seed in range(SAMPLE_GAMES):
        rng = stream(seed, "boards")
        state = game.start(rng)
        for _ in range(MAX_STEPS):
            if isinstance(turn := game.turn(state), Outcome):
                break
            if isinstance(turn, Decision):
                moves = {seat: rng.choice(options) for seat, options in turn.options.items()}
                state = game.play(state, moves)
            else:
                odds = turn.odds
                (event,) = rng.choices(list(odds), [float(share) for share in odds.values()])
                state = game.play(state, {None: event})
            yield game.board(state)


def fuller(one: Part, two: Part) -> Part:
    """Return a part with enough room for either of two parts.

    >>> fuller(Cards("Stack", 0, ("7", "7")), Cards("Stack", 0, ("10",)))
    Cards(label='Stack', owner=0, cards=('10', '10'))
    >>> fuller(Fact("Round", None, "2 of 5"), Fact("Round", None, "6: sudden death")).text
    '6: sudden death'
    """
    match one, two:
        case Numbers(), Numbers():
            return replace(one, left=one.numbers)
        case Cards(), Cards():
            widest = max((*one.cards, *two.cards, ""), key=len)
            return replace(one, cards=(widest,) * max(len(one.cards), len(two.cards)))
        case Meter(), Meter():
            return max(one, two, key=lambda part: len(str(part.value)))
        case Fact(), Fact():
            return max(one, two, key=lambda part: len(part.text))
        case Grid(), Grid():
            return max(one, two, key=lambda part: sum(row.count(None) for row in part.rows) * -1)
    return one
