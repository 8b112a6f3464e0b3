"""The schedule of an arena: players, games, pairs of games, and seeds.

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
OVERALL = "all games"


@dataclass(frozen=True)
class Pairing:
    """Two players who meet in one game. Scores are those of the first player."""

    #: The game they play.
    game: AnyGame
    #: The first player.
    one: Person
    #: The second player.
    two: Person

    @cached_property
    def id(self) -> str:
        """Return an id that is unique within a schedule."""
        return " ".join((event_name(self.game), self.one.name, "-", self.two.name))

    @cached_property
    def has_separate_cards(self) -> bool:
        """Return whether the two games of a pair use different cards.

        With the same cards, an external player could remember the first game, and a player that
        meets itself would play it twice.
        """
        return self.one.who == self.two.who or has_outsiders((self.one, self.two))


@dataclass(frozen=True)
class Fixture:
    """One game to be played. The second game of a pair has the seats swapped."""

    #: The two players and their game.
    pairing: Pairing
    #: The number of the pair, from 1.
    pair: int
    #: Whether this is the second game of its pair.
    swapped: bool
    #: The seed of the cards and of the built-in players' random choices.
    seed: int
    #: The seeds that external players get, by seat, or None to derive them from `seed`.
    own_seeds: tuple[int, int] | None = None

    @cached_property
    def id(self) -> str:
        """Return an id that is unique within a schedule."""
        return f"{self.pairing.id} {self.pair}{'ab'[self.swapped]}"

    @property
    def seats(self) -> tuple[Person, Person]:
        """Return the players in seat order."""
        one, two = self.pairing.one, self.pairing.two
        return (two, one) if self.swapped else (one, two)


@dataclass(frozen=True)
class Schedule:
    """All games of an arena: a round robin, or one player against all others.

    Raises ValueError if a value is not valid.
    """

    #: All players.
    players: tuple[Person, ...]
    #: All games.
    games: tuple[SomeGame, ...]
    #: The number of pairs of games per pairing.
    pairs: int
    #: The seed of the arena.
    seed: int
    #: The name of the player who meets all others, or empty for a round robin.
    gauntlet: str = ""
    #: A secret that is part of all seeds, or empty to use only the seed.
    salt: str = ""

    def __post_init__(self) -> None:
        names = [player.name for player in self.players]
        if len(names) < 2:
            raise ValueError("An arena needs at least two players.")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"Two players have the name {twice[0]!r}; rename one of them.")
        if self.gauntlet and self.gauntlet not in names:
            raise ValueError(f"The gauntlet player must be one of {', '.join(names)}.")
        events = [event_name(game) for game in self.games]
        again = sorted({event for event in events if events.count(event) > 1})
        if again:
            raise ValueError(f"{again[0]} is named twice; name each game once.")
        if not self.games:
            raise ValueError("An arena needs at least one game.")
        if self.pairs < 1:
            raise ValueError("An arena needs at least one pair of games.")

    def pairings(self) -> list[Pairing]:
        """Return the pairings of all games."""
        meetings = list(combinations(self.players, 2))
        if self.gauntlet:
            (runner,) = (player for player in self.players if player.name == self.gauntlet)
            meetings = [(runner, other) for other in self.players if other is not runner]
        return [Pairing(game, one, two) for game, (one, two) in product(self.games, meetings)]

    def pairs_of(self, pairing: Pairing) -> Iterator[tuple[Fixture, Fixture]]:
        """Yield the pairs of games that the two players of a pairing play."""
        for pair in range(1, self.pairs + 1):
            first, second = self.fixture(pairing, pair, False), self.fixture(pairing, pair, True)
            yield first, second

    def fixture(self, pairing: Pairing, pair: int, swapped: bool) -> Fixture:
        """Return the first game of a pair, or the second one if `swapped` is true."""
        apart = ["b"] if swapped and pairing.has_separate_cards else []
        salt = [salt_for(self.salt, "match")] if self.salt else []
        seed = stream(self.seed, "arena", pairing.id, pair, *apart, *salt).getrandbits(48)
        found = Fixture(pairing, pair, swapped, seed)
        return replace(found, own_seeds=self.own_seeds(found)) if self.salt else found

    def own_seeds(self, fixture: Fixture) -> tuple[int, int]:
        """Return one seed per seat, for the random choices of external players."""
        one, two = (
            stream(self.seed, "own", salt_for(self.salt, "own"), fixture.id, int(seat))
            for seat in Seat
        )
        return one.getrandbits(48), two.getrandbits(48)

    @property
    def origin(self) -> Origin | None:
        """Return the seed and the salt, or None if there is no salt."""
        return Origin(self.seed, self.salt) if self.salt else None


def has_outsiders(players: Iterable[Person]) -> bool:
    """Return whether any player is a program, a function, a policy or a language model."""
    return any(is_external(player.who) for player in players)


def has_models(players: Iterable[Person]) -> bool:
    return any(is_model(player.who) for player in players)


@lru_cache(maxsize=256)  # called for every game of an arena
def event_name(game: AnyGame) -> str:
    """Return the name of a game, with all settings that differ from the default.

    >>> from number_duels import load
    >>> event_name(load("number-bid")), event_name(load("number-bid", numbers=6))
    ('number-bid', 'number-bid(numbers=6)')
    """
    usual = {name: setting.default for name, setting in game.describe_settings().items()}
    changed = [f"{name}={value}" for name, value in game.settings.items() if value != usual[name]]
    return f"{game.name}({','.join(changed)})" if changed else game.name


def named(words: Sequence[str | Person]) -> tuple[Person, ...]:
    """Return players with unique names.

    `NAME=WHO` names a player. Otherwise, the name comes from WHO, with a number if it is taken.

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
    name, equals, who = word.partition("=")
    return (name.strip(), who.strip()) if equals and ":" not in name else ("", word)


def short_name(who: str) -> str:
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


# ---- unpredictable cards -------------------------------------------------------

SALT_BYTES = 16


@dataclass(frozen=True)
class Origin:
    seed: int
    salt: str


def fresh_salt() -> str:
    return token_hex(SALT_BYTES)


def read_salt(text: str) -> str:
    """Return a salt in lowercase. Raise ValueError if it is not valid.

    >>> read_salt(" 00112233445566778899AABBCCDDEEFF ")
    '00112233445566778899aabbccddeeff'
    """
    found = text.strip().lower()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SALT_BYTES}}}", found):
        raise ValueError(f"A salt must be {2 * SALT_BYTES} hexadecimal digits, not {text!r:.40}.")
    return found


def salt_for(salt: str, purpose: Literal["match", "own"]) -> str:
    """Derive the salt for one kind of seed. It does not reveal the salt for the other kind."""
    return sha256(f"{purpose}/{salt}".encode()).hexdigest()
