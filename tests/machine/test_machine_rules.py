"""The machine rules are the readable rules: in every position, with every action.

Solver, compiled code and JAX all run these functions. Their own tests build on this one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice, product

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.core.game import AnyGame
from number_duels.core.settings import Setting
from number_duels.games import find
from number_duels.machine import find_packed
from number_duels.machine.rules import FIRST_CODE, ONGOING, State
from tests.conftest import SLOW
from tests.core.playing import Settings
from tests.machine.observations import observed

#: Settings with more positions than this are left to the long run, and to the whole games there.
MOST_POSITIONS = 500 if SLOW else 250
WHOLE_GAMES: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 10}),
    ("high-low-battle", {"cards": 6}),
    ("high-low-battle", {"level": "draw", "rounds": 6, "cards": 6}),
    ("number-knot", {}),
    ("number-knot", {"exhausted": "higher-life", "first": 2}),
    ("number-drop", {"first": 2}),
    ("number-stack-showdown", {"target": 20, "highest": 5, "copies": 3}),
    ("number-stack-showdown", {"target": 7, "highest": 13, "copies": 1, "overflow": "allowed"}),
    ("number-stack-showdown", {"target": 9, "highest": 2, "copies": 8, "first": 2}),
]


#: A game needs none; every file of machine rules is checked.
WITH_MACHINE_RULES = [
    name for name in nd.games() if find_spec(f"number_duels.machine.{name.replace('-', '_')}")
]


def some_values(setting: Setting) -> tuple[int | str, ...]:
    """Every choice; of a range its lower end, some more, and the default."""
    if setting.choices:
        return setting.choices
    assert isinstance(setting.default, int)
    return *(setting.low + n for n in (0, 1, 3)), setting.default


def small_games(name: str) -> Iterator[AnyGame]:
    """A game with every combination of some values of its own settings, if it is small."""
    described = find(name).describe_settings()
    assert described.keys() == {field.name for field in fields(nd.load(name))}
    for values in product(*map(some_values, described.values())):
        try:
            game = nd.load(name, **dict(zip(described, values, strict=True)))
        except ValueError:  # settings that exclude each other
            continue
        if len([*islice(nd.states(game), MOST_POSITIONS)]) < MOST_POSITIONS:
            yield game


class Comparison:
    """Every position of a game, and what the machine rules make of it."""

    def __init__(self, game: AnyGame) -> None:
        packed = find_packed(game)
        assert packed is not None, f"the machine rules of {game.name} do not know {game.settings}"
        self.game, self.packed, self.encoding = game, packed, Encoding(game)
        turns = [(state, game.turn(state)) for _, state in nd.states(game)]
        self.decisions = [(s, t.options) for s, t in turns if isinstance(t, nd.Decision)]
        self.draws = [(s, t.odds) for s, t in turns if isinstance(t, nd.Chance)]

    def packed_states(self, states: list[Hashable]) -> State:
        """Readable states as arrays."""
        rows = np.array([self.packed.pack(state) for state in states], np.int32)
        assert all(
            low <= column.min() and column.max() <= high
            for column, (low, high) in zip(rows.T, self.packed.bounds, strict=True)
        )
        return self.kind(*rows.T)

    @property
    def kind(self) -> type[State]:
        return type(self.packed.rules.begin(self.packed.settings))

    def compare(self) -> int:
        """Compare everything; the number of turns that were played."""
        rules, settings = self.packed.rules, self.packed.settings
        assert rules.begin(settings) == self.packed.pack(self.game.start())
        self.compare_draws()
        if not self.decisions:
            return 0
        here = self.packed_states([state for state, _ in self.decisions])
        assert equal(rules.result(settings, here), ONGOING)
        if not rules.both:
            assert equal(rules.mover(here), [min(options) for _, options in self.decisions])
        self.compare_seen(here, [state for state, _ in self.decisions])
        self.compare_options(here)
        self.compare_codes(here)
        return self.compare_turns()

    def compare_seen(self, here: State, states: list[Hashable]) -> None:
        """Compare the observations of both seats."""
        for seat in nd.Seat:
            view = self.game.view
            expected = [self.encoding.observation(view(state, seat), seat) for state in states]
            assert equal(observed(self.packed, here, seat), np.array(expected))

    def compare_options(self, here: State) -> None:
        """Compare the open actions: in their order, and one by one."""
        options, settings = self.packed.rules.options, self.packed.settings
        for place in range(2 if self.packed.rules.both else 1):
            seats = [sorted(found)[place] for _, found in self.decisions]
            own = [found[seat] for (_, found), seat in zip(self.decisions, seats, strict=True)]
            actions = [[self.encoding.action(move) for move in moves] for moves in own]
            seat = np.array(seats, np.int32)
            counts = np.broadcast_to(options.choices(settings, here, seat), len(own))
            assert equal(counts, [len(moves) for moves in own])
            for choice in range(max(counts)):
                chosen = options.choose(settings, here, seat, np.full(len(own), choice, np.int32))
                pairs = zip(chosen.tolist(), actions, strict=True)
                assert all(choice >= len(a) or found == a[choice] for found, a in pairs)
            for action in range(self.packed.actions):
                found = options.open(settings, here, seat, action)
                assert equal(found, [action in listed for listed in actions])

    def compare_turns(self) -> int:
        """Compare the states after every combination of moves."""
        rules, settings = self.packed.rules, self.packed.settings
        before: list[Hashable] = []
        after: list[Hashable] = []
        actions: list[list[int]] = []
        for state, options in self.decisions:
            for moves in product(*(options[seat] for seat in sorted(options))):
                before.append(state)
                after.append(
                    self.game.resolve(state, dict(zip(sorted(options), moves, strict=True)))
                )
                actions.append([self.encoding.action(move) for move in moves])
        columns = np.array(actions, np.int32).T
        found = rules.play(settings, self.packed_states(before), columns[0], columns[-1])
        turns = [self.game.turn(state) for state in after]
        results = [result_of(turn) for turn in turns]
        assert equal(rules.result(settings, found), results)
        self.compare_seen(found, after)
        rows = np.array([np.broadcast_to(part, len(after)) for part in found]).T
        for row, state, result in zip(rows.tolist(), after, results, strict=True):
            if result == ONGOING:
                assert tuple(row) == self.packed.pack(state)
        return len(after)

    def compare_draws(self) -> None:
        """Every ticket draws a card, each as often as its odds say."""
        rules, settings = self.packed.rules, self.packed.settings
        for state, odds in self.draws:
            here = self.kind(*(np.array([part], np.int32) for part in self.packed.pack(state)))
            count = int(rules.deck(settings, here)[0])
            found: dict[tuple[int, ...], Fraction] = {}
            for ticket in range(count):
                drawn = rules.deal(settings, here, np.array([ticket], np.int32))
                row = tuple(int(np.ravel(part)[0]) for part in drawn)
                found[row] = found.get(row, Fraction(0)) + Fraction(1, count)
            events = {e: self.packed.pack(self.game.drawn(state, e)) for e in odds}
            assert found == {row: odds[event] for event, row in events.items()}

    def compare_codes(self, here: State) -> None:
        """Different states have different codes, which lead back to them."""
        codes, settings = self.packed.rules.codes, self.packed.settings
        if codes is None:
            return
        numbers = codes.code(settings, here)
        assert FIRST_CODE <= numbers.min() <= numbers.max() < codes.size(settings)
        mover = 0 if self.packed.rules.both else self.packed.rules.mover(here)
        assert equal(np.array(codes.decode(settings, numbers, mover)), np.array(here))


def result_of(turn: object) -> int:
    if not isinstance(turn, nd.Outcome):
        return ONGOING
    return 0 if turn.winner is None else 1 - 2 * turn.winner


def equal(found: object, expected: object) -> bool:
    return bool((np.asarray(found) == np.asarray(expected)).all())


@pytest.mark.parametrize("name", WITH_MACHINE_RULES)
def test_machine_rules_are_the_readable_rules(name: str) -> None:
    turns = [Comparison(game).compare() for game in small_games(name)]
    assert len(turns) > 2
    assert sum(turns) > 300


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), WHOLE_GAMES)
def test_machine_rules_are_the_readable_rules_of_whole_games(name: str, settings: Settings) -> None:
    assert Comparison(nd.load(name, **settings)).compare() > 1000
