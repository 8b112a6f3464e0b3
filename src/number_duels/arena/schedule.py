"""What is to be played: who meets whom, at which games, how often, with which cards.

>>> from number_duels import load
>>> two = named(["random", "careful=level:3"])
>>> schedule = Schedule(two, (load("number-bid"),), pairs=2, seed=7)
>>> schedule.pairings() == [Pairing(load("number-bid"), *two)]
True
>>> [pair[1].id for pair in schedule.pairs_of(schedule.pairings()[0])]
['number-bid random - careful 1b', 'number-bid random - careful 2b']
>>> isinstance(schedule.fixture(schedule.pairings()[0], 1, swapped=True), Fixture)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations, product
from pathlib import PurePath
from secrets import token_hex
from typing import Literal

from number_duels.core.game import AnyGame, Seat, SomeGame
from number_duels.core.randomness import stream
from number_duels.core.record import Person
from number_duels.players.registry import is_external, is_model

__all__ = ["Schedule", "Pairing", "Fixture", "named"]

MAX_NAME_LENGTH = 20
#: The event under which all games are taken together.
OVERALL = "all games"


@dataclass(frozen=True)
class Pairing:
    """Two players at one game; scores are told from the side of the first."""

    #: What they play.
    game: AnyGame
    #: The first player.
    one: Person
    #: The other.
    two: Person

    @cached_property
    def id(self) -> str:
        """A name that no other pairing of a schedule has."""
        return " ".join((event_name(self.game), self.one.name, "-", self.two.name))

    @cached_property
    def has_separate_cards(self) -> bool:
        """Whether the two games of a pair have cards and dice of their own.

        A player from outside could remember the first game in the second. A player against
        itself would only play the same game twice, as its dice go by seat.
        """
        return self.one.who == self.two.who or has_outsiders((self.one, self.two))


@dataclass(frozen=True)
class Fixture:
    """One game to be played; the second of a pair has the seats swapped."""

    #: Who meets whom.
    pairing: Pairing
    #: The number of the pair, from 1.
    pair: int
    #: Whether it is the second game of its pair.
    swapped: bool
    #: What its cards follow from.
    seed: int
    #: By seat, what players from outside get for their own dice; None: it follows from the seed.
    own_seeds: tuple[int, int] | None = None

    @cached_property
    def id(self) -> str:
        """A name that no other game of a schedule has."""
        return f"{self.pairing.id} {self.pair}{'ab'[self.swapped]}"

    @property
    def seats(self) -> tuple[Person, Person]:
        """Who sits in which seat."""
        one, two = self.pairing.one, self.pairing.two
        return (two, one) if self.swapped else (one, two)


@dataclass(frozen=True)
class Schedule:
    """All games: everybody against everybody, or one player against all others."""

    #: Everybody.
    players: tuple[Person, ...]
    #: All that is played.
    games: tuple[SomeGame, ...]
    #: How many pairs of games a pairing has.
    pairs: int
    #: What all games follow from.
    seed: int
    #: The one who meets all others; empty: a round robin.
    gauntlet: str = ""
    #: The secret in all seeds; empty: the seed alone decides.
    salt: str = ""

    def __post_init__(self) -> None:
        names = [player.name for player in self.players]
        if len(names) < 2:
            raise ValueError("An arena needs two players or more.")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"Two players are called {twice[0]!r}; give one another name.")
        if self.gauntlet and self.gauntlet not in names:
            raise ValueError(f"The gauntlet is run by one of {', '.join(names)}.")
        events = [event_name(game) for game in self.games]
        again = sorted({event for event in events if events.count(event) > 1})
        if again:
            raise ValueError(f"{again[0]} is there twice; name each game once.")
        if not self.games:
            raise ValueError("An arena needs a game.")
        if self.pairs < 1:
            raise ValueError("At least one pair of games is played.")

    def pairings(self) -> list[Pairing]:
        """Who meets whom at which game."""
        meetings = list(combinations(self.players, 2))
        if self.gauntlet:
            (runner,) = (player for player in self.players if player.name == self.gauntlet)
            meetings = [(runner, other) for other in self.players if other is not runner]
        return [Pairing(game, one, two) for game, (one, two) in product(self.games, meetings)]

    def pairs_of(self, pairing: Pairing) -> Iterator[tuple[Fixture, Fixture]]:
        """The games of a pairing, two by two."""
        for pair in range(1, self.pairs + 1):
            first, second = self.fixture(pairing, pair, False), self.fixture(pairing, pair, True)
            yield first, second

    def fixture(self, pairing: Pairing, pair: int, swapped: bool) -> Fixture:
        """One game of a pairing: the first or, with the seats swapped, the second of a pair."""
        apart = ["b"] if swapped and pairing.has_separate_cards else []
        salt = [salt_for(self.salt, "match")] if self.salt else []
        seed = stream(self.seed, "arena", pairing.id, pair, *apart, *salt).getrandbits(48)
        found = Fixture(pairing, pair, swapped, seed)
        return replace(found, own_seeds=self.own_seeds(found)) if self.salt else found

    def own_seeds(self, fixture: Fixture) -> tuple[int, int]:
        """By seat, what players from outside get for their own dice."""
        one, two = (
            stream(self.seed, "own", salt_for(self.salt, "own"), fixture.id, int(seat))
            for seat in Seat
        )
        return one.getrandbits(48), two.getrandbits(48)

    @property
    def origin(self) -> Origin | None:
        """The seed and the salt that all games follow from; None without a salt."""
        return Origin(self.seed, self.salt) if self.salt else None


def has_outsiders(players: Iterable[Person]) -> bool:
    """Whether programs, functions or models are among the players."""
    return any(is_external(player.who) for player in players)


def has_models(players: Iterable[Person]) -> bool:
    """Whether language models are among the players."""
    return any(is_model(player.who) for player in players)


@lru_cache(maxsize=256)  # every game of an arena asks for it
def event_name(game: AnyGame) -> str:
    """A game with those of its settings that are not the usual ones.

    >>> from number_duels import load
    >>> event_name(load("number-bid")), event_name(load("number-bid", numbers=6))
    ('number-bid', 'number-bid(numbers=6)')
    """
    usual = {name: setting.default for name, setting in game.describe_settings().items()}
    changed = [f"{name}={value}" for name, value in game.settings.items() if value != usual[name]]
    return f"{game.name}({','.join(changed)})" if changed else game.name


def named(words: Sequence[str | Person]) -> tuple[Person, ...]:
    """Players with short names that differ: `NAME=WHO` gives one, else it follows from WHO.

    >>> [p.name for p in named(["perfect", "bot:python3 bots/first.py", "me=bot:./first.py"])]
    ['perfect', 'first', 'me']
    """
    people: list[Person] = []
    for word in words:
        name, who = (word.name, word.who) if isinstance(word, Person) else split_name(word)
        name = name or short_name(who)
        taken = {person.name for person in people}
        short, number = name[: MAX_NAME_LENGTH - 3], 2
        while name in taken:
            name, number = f"{short} {number}", number + 1
        people.append(Person(name, who))
    return tuple(people)


def split_name(word: str) -> tuple[str, str]:
    """The name that is given in front of a player, if one is."""
    name, equals, who = word.partition("=")
    return (name.strip(), who.strip()) if equals and ":" not in name else ("", word)


def short_name(who: str) -> str:
    """What a player is called when nobody says: the program, the module or the model."""
    kind, _, which = who.partition(":")
    if kind == "bot":
        which = PurePath(which.split()[-1]).stem if which.split() else kind
    elif kind == "policy" and ":" not in which:
        which = PurePath(which).stem
    elif kind in ("py", "policy"):
        module, _, function = which.partition(":")
        which = f"{module.rpartition('.')[2]}:{function}"
    elif kind == "llm":
        which = which.rpartition("/")[2]
    else:
        which = who
    return which[:MAX_NAME_LENGTH].strip() or kind


# ---- cards that nobody can foresee ---------------------------------------------
# Anyone who knows a match's seed knows its cards and the dice of the built-in players. An arena's
# own seed is easily guessed, so with programs, functions or models in it a secret salt goes into
# every match's seed, and another, which nothing else follows from, into every player's own.

SALT_BYTES = 16


@dataclass(frozen=True)
class Origin:
    """What the seeds of a salted arena follow from; the last line of a complete file has it."""

    seed: int
    salt: str


def fresh_salt() -> str:
    return token_hex(SALT_BYTES)


def read_salt(text: str) -> str:
    """A salt as it is written; a ValueError for anything else.

    >>> read_salt(" 00112233445566778899AABBCCDDEEFF ")
    '00112233445566778899aabbccddeeff'
    """
    found = text.strip().lower()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SALT_BYTES}}}", found):
        raise ValueError(f"A salt is {2 * SALT_BYTES} hexadecimal digits; {text!r:.40} is not.")
    return found


def salt_for(salt: str, purpose: Literal["match", "own"]) -> str:
    """The salt of one kind of seed: from one of the two the other cannot be worked out."""
    return sha256(f"{purpose}/{salt}".encode()).hexdigest()
