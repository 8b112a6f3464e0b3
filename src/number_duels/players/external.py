"""External players, which may fail: programs, functions, policies and language models.

If an answer is not a legal move, the player is asked again, up to a limit. Then it forfeits the
game. A player that is late or crashes forfeits at once. If a player cannot be reached, `Outage` is
raised, and the game does not count.
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

#: Kinds of faults and forfeits.
ILLEGAL: Final = "illegal"  # not a legal move
UNREADABLE: Final = "unreadable"  # not in the required form
LATE: Final = "late"  # no answer in time
CRASHED: Final = "crashed"  # the program exited, or the function raised
KEY_VARIABLE: Final = "OPENAI_API_KEY"
#: Where a model may reason: nowhere, in a field before the move, or in text before the last line.
THINKING: Final = ("no", "field", "text")


@dataclass(frozen=True)
class ModelOptions:
    """The options of one language model. None or empty means the endpoint's default.

    >>> ModelOptions(temperature=0.7, think="text").facts()
    {'temperature': 0.7, 'think': 'text'}
    """

    #: The name of the environment variable that holds the key.
    key_variable: str = KEY_VARIABLE
    #: The sampling temperature.
    temperature: float | None = None
    #: The threshold of nucleus sampling.
    top_p: float | None = None
    #: The most tokens in an answer.
    max_tokens: int | None = None
    #: How much the model may reason, in a word that the endpoint knows, such as `low`.
    reasoning_effort: str = ""
    #: Further fields of every request, as a JSON object.
    extra_body: str = "{}"
    #: The system message.
    system: str = ""
    #: One of `THINKING`.
    think: str = THINKING[0]
    #: The prices of a million prompt tokens and a million answer tokens, or empty if unknown.
    price: tuple[float, float] | tuple[()] = ()

    def asked(self, tokens_name: str = "max_tokens") -> dict[str, object]:
        """Return the request fields that these options set.

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
        """Return the options that may change a model's answers, without defaults or the key.

        >>> ModelOptions(temperature=0, think="text").facts()
        {'temperature': 0, 'think': 'text'}
        """
        said = {"system": self.system, "think": self.think}
        usual = {"system": USUAL_MODEL.system, "think": USUAL_MODEL.think}
        return self.asked() | {name: said[name] for name in said if said[name] != usual[name]}


USUAL_MODEL: Final = ModelOptions()


@dataclass(frozen=True)
class Resources:
    """Resource limits for each process of a program, if the system supports them. 0 means no limit.

    >>> Resources(memory_mib=1024).open_files
    256
    """

    #: Memory in MiB.
    memory_mib: int = 4096
    #: Processes and threads, in addition to those that the user already runs.
    processes: int = 1024
    #: Open files.
    open_files: int = 256


PROGRAM_SECONDS, MODEL_SECONDS = 10.0, 300.0


@dataclass(frozen=True)
class Limits:
    """Limits for external players: time, retries, and the resources of programs.

    >>> limits = Limits(seconds=2, retries=0, resources=Resources(processes=64))
    >>> limits.of("mybot").seconds
    2
    """

    #: Seconds for one answer, or None for the default.
    seconds: float | None = None
    #: Seconds for starting a program.
    starting: float = 30.0
    #: Number of further attempts after a refused answer.
    retries: int = 2
    #: Seconds to keep retrying a failing endpoint before an `Outage`.
    patience: float = 45.0
    #: The endpoint of a language model, or None to read it from the environment.
    url: str | None = None
    resources: Resources = Resources()
    #: Environment variables that a program gets in addition to the default ones.
    pass_env: tuple[str, ...] = ()
    #: Whether to send the key in the environment to `url`.
    send_key: bool = True
    #: The options of a language model.
    model: ModelOptions = USUAL_MODEL
    #: Players with their own limits, by name.
    players: tuple[tuple[str, Limits], ...] = ()

    @property
    def program_seconds(self) -> float:
        """Return how many seconds a program has for one answer."""
        return PROGRAM_SECONDS if self.seconds is None else self.seconds

    @property
    def model_seconds(self) -> float:
        """Return how many seconds a language model has for one answer."""
        return MODEL_SECONDS if self.seconds is None else self.seconds

    def of(self, name: str) -> Limits:
        """Return the limits of the player with this name."""
        return dict(self.players).get(name, self)


@dataclass(frozen=True)
class Fault:
    kind: str
    reason: str


class Refused(Exception):
    """Raised if an answer is refused. The player may be asked again."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)


class ExternalPlayer:
    """A player that may fail. `begin` and `end` tell it when a game begins and ends."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.faults: list[Fault] = []

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """Begin a game. `seed` is for this player only, and reveals nothing about the cards."""
        self.faults = []

    def choose(self, situation: Situation) -> Hashable:
        refused: Fault | None = None
        for _ in range(self.limits.retries + 1):
            try:
                return legal(situation, self.answer(situation, refused))
            except Refused as refusal:
                refused = self.refuse(refusal)
        raise self.out_of_answers(refused)

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        """Return a move in notation. `refused` says why the last answer was refused."""
        raise NotImplementedError

    def refuse(self, refusal: Refused) -> Fault:
        """Record a refused answer as a fault, and return the fault."""
        self.faults.append(refusal.fault)
        return refusal.fault

    def out_of_answers(self, refused: Fault | None) -> Forfeit:
        assert refused is not None
        answers = self.limits.retries + 1
        return Forfeit(refused.kind, f"no legal move in {answers} answers; {refused.reason}")

    def end(self, view: Hashable, result: str, reason: str) -> None: ...

    def close(self) -> None:
        """Release all resources, after the last game."""

    def kept(self) -> list[dict[str, object]]:
        """Return JSON objects to store with the record of this game, such as a model's calls."""
        return []


def legal(situation: Situation, text: str) -> Hashable:
    try:
        move = situation.game.parse(text)
    except ValueError as error:
        raise Refused(ILLEGAL, f"{printable(text)} is not a move. {error}") from None
    if move not in situation.options:
        raise Refused(ILLEGAL, unavailable(printable(str(move)), situation.options))
    return move


def turn_number(game: AnyGame, history: str) -> int:
    """Return the number of the current turn, from 1. A drawn card belongs to it."""
    turns = history.split()
    drawn = bool(turns) and turns[-1] in map(str, game.all_events())
    return len(turns) + (not drawn)


def call_foreign(answer: Callable[[], object]) -> object:
    try:
        return answer()
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise Forfeit(CRASHED, f"it raised {printable(what)}") from error
