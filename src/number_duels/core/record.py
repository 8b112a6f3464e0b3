"""The record of a game: one JSON object from which every state can be rebuilt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from number_duels.core.input_files import parse_json
from number_duels.core.names import PLAYER, YOU, put_in, without_joiners
from number_duels.core.text import printable, same_kind

if TYPE_CHECKING:
    from number_duels.core.player import AnyMatch

FORMAT = 1
#: Longer texts are rejected, because they are slow to wrap on a screen. Real texts are shorter.
MAX_TEXT_CHARS = 100_000
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(frozen=True)
class Person:
    """The name of a player, and the kind of player: a human or a program.

    >>> Person("Ann"), Person("Computer", "perfect").who
    (Person(name='Ann', who='human'), 'perfect')
    """

    #: The name that people read.
    name: str
    #: `human`, or a word for `number_duels.player`, such as `perfect` or `bot:…`.
    who: str = "human"


DEFAULT_PLAYERS = (Person("Player 1"), Person("Player 2"))
#: The name of the program in a game with only one person.
COMPUTER_NAME = "Computer"


@dataclass(frozen=True)
class Record:
    """The record of one game: its settings, players, moves and result.

    >>> record = Record("number-knot", {"first": 1}, None, 7, moves="S5 A3", started="")
    >>> Record.from_json(record.to_json()) == record
    True
    >>> dict(record)["moves"], record["seed"]
    ('S5 A3', 7)
    """

    #: The name of the game.
    game: str
    #: All settings of the game.
    settings: Mapping[str, int | str]
    #: The deal as text, or None if the game has none.
    deal: str | None
    #: The seed of all cards, or None if it is not revealed.
    seed: int | None
    #: Both players, Player 1 first.
    players: tuple[Person, Person] = DEFAULT_PLAYERS
    #: The whole game in notation.
    moves: str = ""
    #: `1-0`, `0-1`, `1/2-1/2`, or `*` before the end.
    result: str = "*"
    #: The reason for the result, in a sentence.
    reason: str = ""
    #: The start time in UTC.
    started: str = ""
    #: How often a person took back a move. Games with takebacks are not measured.
    takebacks: int = 0
    #: Whether players could ask for hints.
    hints: bool = False

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.as_object(), ensure_ascii=False)

    def as_object(self) -> dict[str, object]:
        """Return the record as a JSON object."""
        written: dict[str, object] = {
            "format": FORMAT,
            "game": self.game,
            "settings": dict(self.settings),
            "deal": self.deal,
            "seed": self.seed,
            "players": [{"name": one.name, "who": one.who} for one in self.players],
            "moves": self.moves,
            "result": self.result,
            "reason": self.reason,
            "started": self.started,
        }
        if self.takebacks:
            written["takebacks"] = self.takebacks
        if self.hints:
            written["hints"] = True
        return written

    def match(self) -> AnyMatch:
        """Rebuild the match. Raise ValueError if the record is not valid.

        >>> record = Record("number-knot", {"first": 1}, None, 7, moves="S5 A3")
        >>> record.match().turn_number
        3
        """
        # Imported here to avoid import cycles.
        from number_duels.core.match import Match
        from number_duels.games import load

        return Match.from_record(load(self.game, **self.settings), self)

    def keys(self) -> Iterable[str]:
        """Return the names of the JSON fields. `dict(record)` calls this method."""
        return self.as_object().keys()

    def __getitem__(self, name: str) -> object:
        return self.as_object()[name]

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record from JSON. Raise ValueError if it is not valid."""
        try:
            data = parse_json(text)
        except ValueError as error:
            raise ValueError(f"it is not a game record: {error}") from None
        return cls.from_object(data)

    @classmethod
    def from_object(cls, data: object) -> Record:
        """Read a record from a JSON object. Raise ValueError if it is not valid."""
        if not isinstance(data, dict) or "game" not in data or "moves" not in data:
            raise ValueError('it is not a game record: "game" or "moves" is missing.')
        if data.get("format") != FORMAT or data["format"] is True:
            raise ValueError(
                f"it is not in format {FORMAT}, the only format that this version can read."
            )
        return cls(
            game=text_in(data, "game"),
            settings=settings_in(data.get("settings", {})),
            deal=None if data.get("deal") is None else text_in(data, "deal"),
            seed=seed_in(data.get("seed")),
            players=players_in(data.get("players")),
            moves=text_in(data, "moves"),
            result=one_of_results(data.get("result", "*")),
            reason=text_in(data, "reason"),
            started=text_in(data, "started"),
            takebacks=count_in(data, "takebacks"),
            hints=data.get("hints") is True,
        )


def text_in(data: Mapping[str, object], name: str, max_chars: int = MAX_TEXT_CHARS) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or not encodable(value):
        raise ValueError(f"its {name} must be text.")
    if len(value) > max_chars:
        raise ValueError(f"its {name} is longer than {max_chars} characters.")
    return printable(value, limit=None)


def encodable(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8. Lone surrogates in JSON cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def count_in(data: Mapping[str, object], name: str) -> int:
    value = data.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"its {name} must be a whole number, 0 or more.")
    return value


def seed_in(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise ValueError("its seed must be a whole number.")
    return value


def settings_in(value: object) -> dict[str, int | str]:
    if not isinstance(value, dict) or not all(isinstance(v, int | str) for v in value.values()):
        raise ValueError("each of its settings must be a number or a word.")
    return {
        printable(str(name), limit=None): printable(setting, limit=None)
        if isinstance(setting, str)
        else setting
        for name, setting in value.items()
    }


def one_of_results(value: object) -> str:
    if value not in RESULTS:
        raise ValueError(f"its result must be one of {', '.join(RESULTS)}.")
    return str(value)


def players_in(value: object) -> tuple[Person, Person]:
    if value is None:
        return DEFAULT_PLAYERS
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(isinstance(p, dict) for p in value)
    ):
        raise ValueError("it must have exactly two players.")
    for person in value:
        text_in(person, "name")
    # Names stay unchanged, because `check_names` accepts only printable ones.
    names = [person.get("name", "") for person in value]
    check_names(*names)
    one, two = (text_in(person, "who") or "human" for person in value)
    return Person(names[0], one), Person(names[1], two)


def split_names(text: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise ValueError("Give two names separated by a comma, such as Ann,Bo.")
    return parts[0], parts[1]


def check_names(one: str, two: str) -> None:
    for name in (one, two):
        fits = 1 <= len(name) <= 20 and name.strip() == name
        if not (fits and without_joiners(name).isprintable()):
            raise ValueError(
                "A name must have 1 to 20 printable characters, and no space at its start or end."
            )
    if one == two:
        raise ValueError("The two names must be different.")


def shown_names(players: tuple[Person, Person]) -> tuple[str, str]:
    """Return the names to show for both players.

    If one person plays against a program, default names become "You" and "Computer".

    >>> shown_names((Person("Player 1"), Person("Player 2", "level:2")))
    ('You', 'Computer')
    >>> shown_names((Person("Computer", "perfect"), Person("Ann")))
    ('Computer', 'Ann')
    >>> shown_names(DEFAULT_PLAYERS)
    ('Player 1', 'Player 2')
    """
    one, two = players
    if (one.who == "human") is (two.who == "human"):
        return one.name, two.name
    shown = shown_name(one), shown_name(two)
    return shown if shown[0] != shown[1] else (one.name, two.name)


def shown_name(person: Person) -> str:
    if not PLAYER.fullmatch(person.name):
        return person.name
    return YOU if person.who == "human" else COMPUTER_NAME


def with_names(text: str, names: tuple[str, str]) -> str:
    """Replace "Player 1" and "Player 2" with the players' names. A `Line` keeps its kind.

    >>> with_names("Player 2 gave 10 to Player 1.", ("Ann", "Bo"))
    'Bo gave 10 to Ann.'
    >>> with_names("Player 2 wins: Player 2's stack total is 50.", ("Computer", "You"))
    'You win: your stack total is 50.'
    """
    if "Player " not in text:  # faster than a search, and most texts name nobody
        return text
    if YOU in names:
        return same_kind(text, put_in(text, names))
    return same_kind(text, PLAYER.sub(lambda seat: names[int(seat[1]) - 1], text))
