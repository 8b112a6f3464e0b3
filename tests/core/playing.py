"""Every game at several settings, and random play that knows no game by name."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from random import Random

import number_duels as nd
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Prompt
from number_duels.core.settings import Setting
from tests.conftest import SLOW

Turn = nd.Decision[Hashable] | nd.Chance[Hashable] | nd.Outcome
Settings = dict[str, int | str]
Moves = dict[nd.Seat, Hashable]

VIEWERS = (None, nd.Seat.ONE, nd.Seat.TWO)
EXPLORED = 3000 if SLOW else 400  # states that are looked at one by one, breadth first
LONGEST = 500  # steps: more than any deck, pool or line of numbers can last


@dataclass(frozen=True)
class Table:
    """A game at some settings, set up for a test."""

    label: str
    game: nd.AnyGame

    @property
    def rng(self) -> Random:
        """A source of chance of this table's own, the same in every run."""
        return Random(self.label)


def candidates(setting: Setting, chosen: Settings) -> Sequence[int | str]:
    """Everything that a setting may be, beside those already chosen."""
    high = chosen[setting.high] if isinstance(setting.high, str) else setting.high
    assert isinstance(high, int)
    return setting.choices or range(setting.low, high + 1)


def filled(name: str, pick: Callable[[Sequence[int | str]], int | str]) -> Settings:
    """Valid settings of a game, each picked from all that it may be."""
    known = nd.load(name).describe_settings()
    chosen: Settings = {}
    for setting in sorted(known, key=lambda one: isinstance(known[one].high, str)):
        chosen[setting] = pick(candidates(known[setting], chosen))
    return chosen


def every(name: str, **choices: tuple[int | str, ...]) -> list[tuple[str, Settings]]:
    """A game with every combination of some settings."""
    return [
        (name, dict(zip(choices, chosen, strict=True))) for chosen in product(*choices.values())
    ]


def spread(name: str) -> dict[str, Settings]:
    """Defaults, both ends, something small, and one at random; both ends of the choices, too."""
    return {
        "defaults": {},
        "low": filled(name, lambda them: them[0]),
        "small": filled(name, lambda them: them[min(2, len(them) - 1)]),
        "high": filled(name, lambda them: them[-1]),
        "random-0": filled(name, Random(name).choice),
    }


def tables(name: str) -> Iterator[Table]:
    """A game at five settings; at fewer, where it has too few settings to differ."""
    labels: dict[nd.AnyGame, str] = {}
    for label, settings in spread(name).items():
        labels.setdefault(nd.load(name, **settings), label)
    yield from (Table(f"{name} {label}", game) for game, label in labels.items())


TABLES = [table for name in nd.games() for table in tables(name)]


def joint_moves(decision: nd.Decision[Hashable], rng: Random, limit: int) -> list[Moves]:
    """What everybody who decides may do together; a sample where that is much."""
    size = 1
    for options in decision.options.values():
        size *= len(options)
    if size <= limit:
        return [
            dict(zip(decision.options, moves, strict=True))
            for moves in product(*decision.options.values())
        ]
    ordered = {seat: sorted(options, key=str) for seat, options in decision.options.items()}
    return [{seat: rng.choice(options) for seat, options in ordered.items()} for _ in range(limit)]


def children(
    game: nd.AnyGame, state: Hashable, rng: Random, limit: int = 40
) -> list[tuple[Hashable, Hashable]]:
    """The states that may follow, each with what led there; a sample where they are many."""
    turn = game.turn(state)
    if isinstance(turn, nd.Decision):
        choices = joint_moves(turn, rng, limit)
        return [(tuple(moves.items()), game.play(state, moves)) for moves in choices]
    if isinstance(turn, nd.Chance):
        return [(event, game.play(state, {None: event})) for event in turn.odds]
    return []


def walk(game: nd.AnyGame, rng: Random) -> Iterator[Hashable]:
    """The states of one random game, from the first to the last."""
    state = game.start(rng)
    for _ in range(LONGEST):
        yield state
        turn = game.turn(state)
        if isinstance(turn, nd.Outcome):
            return
        _, state = rng.choice(children(game, state, rng, limit=1))
    raise AssertionError(f"a game did not end in {LONGEST} steps")


@cache
def positions(table: Table) -> tuple[Hashable, ...]:
    """The states of three random games."""
    rng = table.rng
    return tuple(state for _ in range(3) for state in walk(table.game, rng))


def hides(table: Table) -> bool:
    """Whether something is hidden from somebody in three random games."""
    views = ((s, table.game.view(s, viewer)) for s in positions(table) for viewer in VIEWERS)
    return any(view != state for state, view in views)


def draws(table: Table) -> bool:
    """Whether nature moves in three random games."""
    return any(isinstance(table.game.turn(state), nd.Chance) for state in positions(table))


def at_once(table: Table) -> bool:
    """Whether both choose at once in three random games."""
    return any(len(turn.options) == 2 for _, turn in decisions(table))


def decisions(table: Table) -> Iterator[tuple[Hashable, nd.Decision[Hashable]]]:
    """The states of three random games in which somebody decides."""
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Decision):
            yield state, turn


@cache
def explored(table: Table) -> tuple[Hashable, ...]:
    """States (not keys) found breadth first from several deals; fewer where options are many."""
    rng, limit = table.rng, EXPLORED
    turn = table.game.turn(table.game.start())
    if isinstance(turn, nd.Decision):
        limit //= 1 + max(map(len, turn.options.values())) // 20
    found = dict.fromkeys(table.game.start(rng) for _ in range(3))
    waiting = list(found)
    for state in waiting:
        for _, child in children(table.game, state, rng):
            if child not in found:
                found[child] = None
                waiting.append(child)
        if len(found) >= limit:
            break
    return tuple(islice(found, limit))


def take_step(match: AnyMatch, pick: Callable[[Sequence[Hashable]], Hashable]) -> bool:
    """Draw, or let everybody choose; False when the game is over."""
    turn = match.turn
    if isinstance(turn, nd.Chance):
        match.draw()
    elif isinstance(turn, nd.Decision):
        for seat, options in turn.options.items():
            match.submit(seat, pick(options))
    return not isinstance(turn, nd.Outcome)


def converse(
    conversation: Generator[Prompt, str, Hashable], replies: Iterable[str]
) -> Prompt | Hashable:
    """Type replies; the move that the last one made, or the prompt that follows it."""
    prompt = next(conversation)
    for reply in replies:
        try:
            prompt = conversation.send(reply)
        except StopIteration as end:
            move: Hashable = end.value
            return move
    return prompt
