"""Players from outside, which may fail: programs, functions, language models.

The policy is one for all of them. An answer that is no open move is refused with the
reason and asked for again, a fixed number of times; then the game is forfeited. So
is it at once when the player is too late or gone. Every refused answer is kept as a
`Fault`, apart from the game's result. Who is out of reach loses nothing: that is an `Outage`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from number_duels.core.game import AnyGame, Seat, unavailable
from number_duels.core.player import Forfeit, Situation
from number_duels.core.text import printable

__all__ = ["Limits", "ModelOptions", "Resources"]

#: What can be wrong with an answer, or with who gives it.
ILLEGAL: Final = "illegal"  # a move that is not open, or no move at all
UNREADABLE: Final = "unreadable"  # not in the form that was asked for
LATE: Final = "late"  # nothing in time
CRASHED: Final = "crashed"  # the program ended, or the function raised
#: Where the key is, if nobody says.
KEY_VARIABLE: Final = "OPENAI_API_KEY"
#: Whether a model has room to think: no; in a field before the move; in text before a last line.
THINKING: Final = ("no", "field", "text")


@dataclass(frozen=True)
class ModelOptions:
    """The options of one language model; None or empty means the endpoint's default.

    >>> ModelOptions(temperature=0.7, think="text").facts()
    {'temperature': 0.7, 'think': 'text'}
    """

    #: The environment variable that holds the key.
    key_variable: str = KEY_VARIABLE
    #: How the model samples.
    temperature: float | None = None
    top_p: float | None = None
    #: How long an answer may be.
    max_tokens: int | None = None
    #: How long the model may think, in the endpoint's own words.
    reasoning_effort: str = ""
    #: More for every request, as a JSON object.
    extra_body: str = "{}"
    #: What is said before the prompt, as a system message.
    system: str = ""
    #: One of `THINKING`.
    think: str = THINKING[0]

    def asked(self, tokens_name: str = "max_tokens") -> dict[str, object]:
        """The parts of a request that these options want.

        >>> ModelOptions(temperature=0.7, extra_body='{"top_k": 20}').asked()
        {'temperature': 0.7, 'top_k': 20}
        """
        wanted = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            tokens_name: self.max_tokens,
            "reasoning_effort": self.reasoning_effort or None,
        }
        extra: dict[str, object] = json.loads(self.extra_body)
        return {name: value for name, value in wanted.items() if value is not None} | extra

    def facts(self) -> dict[str, object]:
        """All that may make a difference to what a model answers, but not where it is.

        >>> ModelOptions(temperature=0, think="text").facts()
        {'temperature': 0, 'think': 'text'}
        """
        said = {"system": self.system, "think": self.think}
        usual = {"system": USUAL_MODEL.system, "think": USUAL_MODEL.think}
        return self.asked() | {name: said[name] for name in said if said[name] != usual[name]}


#: A model of which nobody said anything.
USUAL_MODEL: Final = ModelOptions()


@dataclass(frozen=True)
class Resources:
    """What each process of a program may use, where the system has such limits; 0: no limit.

    >>> Resources(memory_mib=1024).open_files
    256
    """

    #: How much memory it may take.
    memory_mib: int = 4096
    #: How many processes and threads it may add to those that its user has.
    processes: int = 1024
    #: How many files it may have open.
    open_files: int = 256


@dataclass(frozen=True)
class Limits:
    """What a player from outside is granted: time, further answers, and what programs may use.

    >>> limits = Limits(seconds=2, retries=0, resources=Resources(processes=64))
    >>> limits.of("mybot").seconds
    2
    """

    #: For one answer, and for starting a program.
    seconds: float = 10.0
    starting: float = 30.0
    #: How many more answers are taken after one that was refused.
    retries: int = 2
    #: How long a failing endpoint is asked again before there is an outage.
    patience: float = 45.0
    #: Where a language model is reached; None: the environment says where.
    url: str | None = None
    resources: Resources = Resources()
    #: Environment variables that a program gets besides the usual ones.
    pass_env: tuple[str, ...] = ()
    #: Whether the key in the environment goes to `url`: not if a file alone names that.
    send_key: bool = True
    #: Settings for a language model.
    model: ModelOptions = USUAL_MODEL
    #: By name, the players that are granted something else.
    players: tuple[tuple[str, Limits], ...] = ()

    def of(self, name: str) -> Limits:
        """What the player of a name is granted."""
        return dict(self.players).get(name, self)


@dataclass(frozen=True)
class Fault:
    kind: str
    reason: str


class Refused(Exception):
    """An answer that cannot be taken; it may be given again."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)


class ExternalPlayer:
    """A player that may fail; `begin` and `end` say when a game begins and ends."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: The refused answers since `begin`.
        self.faults: list[Fault] = []

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """A game begins; the seed is this player's own, and tells nothing of the cards."""
        self.faults = []

    def choose(self, situation: Situation) -> Hashable:
        """A legal move; Forfeit when there is none to be had."""
        refused: Fault | None = None
        for _ in range(self.limits.retries + 1):
            try:
                return legal(situation, self.answer(situation, refused))
            except Refused as refusal:
                refused = self.refuse(refusal)
        raise self.out_of_answers(refused)

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        """A move in notation, after the refusal of the one before it; `choose` asks for it."""
        raise NotImplementedError

    def refuse(self, refusal: Refused) -> Fault:
        """Keep what was wrong with an answer."""
        self.faults.append(refusal.fault)
        return refusal.fault

    def out_of_answers(self, refused: Fault | None) -> Forfeit:
        """The end of a game in which the last answer that is heard was refused, too."""
        assert refused is not None
        answers = self.limits.retries + 1
        return Forfeit(refused.kind, f"no legal move in {answers} answers; {refused.reason}")

    def end(self, view: Hashable, result: str, reason: str) -> None:
        """The game is over."""

    def close(self) -> None:
        """No game will follow."""

    def kept(self) -> list[dict[str, object]]:
        """What is kept of this game besides its record, as JSON objects."""
        return []


def legal(situation: Situation, text: str) -> Hashable:
    """The open move that a text means; Refused says why there is none."""
    try:
        move = situation.game.parse(text)
    except ValueError as error:
        raise Refused(ILLEGAL, f"{printable(text)} is no move. {error}") from None
    if move not in situation.options:
        raise Refused(ILLEGAL, unavailable(printable(str(move)), situation.options))
    return move


def turn_number(game: AnyGame, history: str) -> int:
    """The turn that is being played, counted from 1; a card that is not placed belongs to it."""
    turns = history.split()
    drawn = bool(turns) and turns[-1] in map(str, game.all_events())
    return len(turns) + (not drawn)


def call_foreign(answer: Callable[[], object]) -> object:
    """What a foreign function gives; whatever it raises is a forfeit, in a sentence."""
    try:
        return answer()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise Forfeit(CRASHED, f"it raised {printable(what)}") from error
