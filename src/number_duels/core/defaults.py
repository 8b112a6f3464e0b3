"""Defaults for games that define only their rules: text, board and features."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, cast

from number_duels.core.board import Cards, Meter, Part, in_words
from number_duels.core.questions import Answer, Question
from number_duels.core.reachable_states import states, successors
from number_duels.core.text import BoardLine, Heading, Paragraph, Section, at_keyboard, listed
from number_duels.core.turn import Chance, Decision, E, Feature, M, Outcome, S, Seat

if TYPE_CHECKING:
    from number_duels.core.game import Game

#: A game with more keys is not searched. It must define its own lists of moves and events.
MAX_SURVEYED_KEYS = 200_000
MAX_LISTED_OPTIONS = 12


class Survey(NamedTuple, Generic[M, E]):
    moves: tuple[M, ...]
    events: tuple[E, ...]
    most_turns: int
    #: A unique number for each view of each seat.
    positions: Mapping[tuple[Seat, Hashable], int]


def survey(game: Game[S, M, E]) -> Survey[M, E]:
    return cast("Survey[M, E]", _survey(cast("Game[Hashable, Hashable, Hashable]", game)))


@lru_cache(maxsize=16)
def _survey(game: Game[Hashable, Hashable, Hashable]) -> Survey[Hashable, Hashable]:
    from graphlib import CycleError, TopologicalSorter

    moves: dict[Hashable, None] = {}
    events: dict[Hashable, None] = {}
    positions: dict[tuple[Seat, Hashable], int] = {}
    following: dict[Hashable, list[Hashable]] = {}
    deciding: set[Hashable] = set()
    for count, (key, state) in enumerate(states(game)):
        if count >= MAX_SURVEYED_KEYS:
            raise ValueError(
                f"{game.title} has more than {MAX_SURVEYED_KEYS:,} positions, too many to search"
                " for its moves; it must define all_moves, all_events, most_turns and features."
            )
        turn = game.turn(state)
        for seat in Seat:
            for viewer in (seat, None):  # spectators' views have features, too
                key_seen = game.key(game.view(state, viewer))
                positions.setdefault((seat, key_seen), len(positions))
        if isinstance(turn, Decision):
            deciding.add(key)
            for options in turn.options.values():
                moves |= dict.fromkeys(options)
        elif isinstance(turn, Chance):
            events |= dict.fromkeys(turn.odds)
        after = () if isinstance(turn, Outcome) else successors(game, state, turn)
        following[key] = [game.key(one) for one in after]
    turns: dict[Hashable, int] = {}
    try:
        for key in TopologicalSorter(following).static_order():
            longest = max((turns[one] for one in following[key]), default=0)
            turns[key] = longest + (key in deciding)
    except CycleError:
        raise ValueError(f"The positions of {game.title} can repeat forever.") from None
    return Survey(tuple(moves), tuple(events), turns[game.key(game.start())], positions)


def features(game: Game[S, M, E], view: S, seat: Seat) -> tuple[Feature, ...]:
    positions = survey(game).positions
    place = positions[seat, game.key(view)]
    return (
        Feature("seat", (int(seat),), 0, 1),
        Feature("position", (place,), 0, len(positions) - 1),
    )


def rule_sections(game: Game[S, M, E]) -> tuple[Section, ...]:
    return (
        Section("", (Paragraph(game.summary),)),
        at_keyboard("Type one of the moves that are offered."),
    )


def announce(game: Game[S, M, E], view: S) -> Iterator[str]:
    turn = game.turn(view)
    seats = list(turn.options) if isinstance(turn, Decision) else [game.drawer(view)]
    if len(seats) == 2:
        yield Heading("Both players choose.")
    elif seats[0] is not None:
        yield Heading(f"{seats[0]}'s Turn")
    yield from map(BoardLine, in_words(game.board(view)))


def question(game: Game[S, M, E], view: S, seat: Seat) -> Question[M]:
    turn = game.turn(view)
    assert isinstance(turn, Decision)
    options = turn.options[seat]
    names = list(map(str, options))
    which = f" ({listed(names)})" if len(names) <= MAX_LISTED_OPTIONS else ""
    prompt = f"{seat}, choose your move"
    return Question(
        prompt,
        tuple(Answer(name, name, move) for name, move in zip(names, options, strict=True)),
        secret=len(turn.options) == 2,
        at_keyboard=f"{prompt}{which}: ",
    )


def consequence(game: Game[S, M, E], view: S, seat: Seat, move: M) -> str:
    """Describe what a move changes, such as "Life 10 → 8", and whether it wins, loses or draws.

    Return "" if both seats choose at once, or if a part of the state is hidden.
    """
    turn = game.turn(view)
    hides = game.view(view, seat.other) != view  # the rules may not apply to a redacted state
    if hides or not isinstance(turn, Decision) or list(turn.options) != [seat]:
        return ""
    after = game.resolve(view, {seat: move})
    figures = [
        f"{new.label} {old.value} → {new.value}"
        for old, new in zip(game.board(view), game.board(after), strict=False)
        if isinstance(old, Meter) and isinstance(new, Meter) and old.value != new.value
    ]
    return ": ".join(filter(None, (", ".join(figures), ending(game, after, seat))))


def ending(game: Game[S, M, E], after: S, seat: Seat) -> str:
    """Return "wins", "loses" or "draws" for a seat, or "" if the game is not over."""
    turn = game.turn(after)
    if not isinstance(turn, Outcome):
        return ""
    return "draws" if turn.winner is None else "wins" if turn.winner is seat else "loses"


def conclusion(game: Game[S, M, E], after: S, subject: Seat | None = None) -> str:
    """Return words such as " and wins" to end a sentence, or "" if the game is not over.

    `subject` is the seat that the sentence is about. Pass None if it is about both seats.

    >>> from number_duels import load
    >>> game = load("number-knot", life=1)
    >>> after = game.play(game.start(), {Seat.ONE: game.parse("S2")})
    >>> conclusion(game, after, Seat.ONE), conclusion(game, after), conclusion(game, game.start())
    (' and wins', ', and Player 1 wins', '')
    """
    turn = game.turn(after)
    if not isinstance(turn, Outcome):
        return ""
    if turn.winner is None:
        return ", and it is a draw"
    return " and wins" if turn.winner is subject else f", and {turn.winner} wins"


def sum_up(game: Game[S, M, E], before: S, moves: Mapping[Seat, M], after: S) -> str:
    if not moves:
        drawer = game.drawer(before)
        return "A card is drawn." if drawer is None else f"{drawer} drew a card."
    played = " and ".join(f"{seat} plays {move}" for seat, move in moves.items())
    subject = next(iter(moves)) if len(moves) == 1 else None
    return f"{played}{conclusion(game, after, subject)}."


def tell(game: Game[S, M, E], before: S, moves: Mapping[Seat, M], after: S) -> Iterator[str]:
    if not moves:
        drawer = game.drawer(before)
        yield "A card is drawn." if drawer is None else f"{drawer} drew a card."
    for seat, move in moves.items():
        yield f"{seat} plays {move}."
    yield ""
    turn = game.turn(after)
    if isinstance(turn, Outcome):
        yield from map(BoardLine, in_words(game.board(after)))
        how = "It is a draw" if turn.winner is None else f"{turn.winner} wins"
        yield f"{how}: {turn.reason}"


def board(view: Hashable) -> tuple[Part, ...]:
    """Build a board from the fields of a view. Integers become meters, other values cards."""
    if not is_dataclass(view):
        return (_part("Position", None, view),)
    parts: list[Part] = []
    for field in fields(view):
        label, value = field.name.replace("_", " ").capitalize(), getattr(view, field.name)
        if isinstance(value, tuple) and len(value) == 2 and _is_figure(value[0], value[1]):
            parts += (Meter(label, seat, value[seat]) for seat in Seat)
        else:
            parts.append(_part(label, None, value))
    return tuple(parts)


def _is_figure(*values: object) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool | Seat) for v in values)


def _part(label: str, owner: int | None, value: object) -> Part:
    if _is_figure(value):
        return Meter(label, owner, cast("int", value))
    if isinstance(value, tuple | frozenset):
        return Cards(label, owner, tuple(map(str, value)))
    return Cards(label, owner, () if value is None else (str(value),))
