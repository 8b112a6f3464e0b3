"""What every way to solve a game gives: tables of numbers, and how to look a state up in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, runtime_checkable

from number_duels.core.game import E, Game, M, S, Seat

if TYPE_CHECKING:
    from number_duels.solvers.lock_rules import LockRules
    from number_duels.solvers.policies import Policy
    from number_duels.solvers.strategy_arrays import StrategyArrays

#: Called now and then with the fraction of the work that is done.
Progress: TypeAlias = Callable[[float], None]

#: What a state is worth to Player 1 when a seat gives the best response to the other's policy;
#: None: nothing is known of it.
ResponseValue: TypeAlias = Callable[[S, Seat], float | None]

S_contra = TypeVar("S_contra", contravariant=True)


def silent(fraction: float) -> None:
    """Progress that nobody looks at."""


class Section(Protocol):
    """Numbers that are looked up by position, in memory or in a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> float: ...


def written(settings: Mapping[str, int | str]) -> str:
    """All settings of a game, as a method's identity has them.

    >>> written({"numbers": 9, "life": 10})
    'life=10 numbers=9'
    """
    return " ".join(f"{name}={value}" for name, value in sorted(settings.items()))


@dataclass(frozen=True)
class Tables:
    """A solved game: sections of numbers, and how many keys it has before its ends."""

    sections: tuple[memoryview, ...]
    states: int


class Method(Protocol[S_contra]):
    """One way to solve one game with its settings."""

    #: The method, and the settings that matter to its tables, as `name=value`.
    identity: str

    def table_bytes(self) -> int:
        """How large its tables will be; 0 where it is not known before, and small."""

    def solve(self, progress: Progress) -> Tables: ...

    def value(self, state: S_contra, sections: Sequence[Section]) -> float | None:
        """What an unfinished state is worth to Player 1; None: it cannot arise."""


@runtime_checkable
class ErrorRateMethod(Protocol[S_contra]):
    """A method that also knows what perfect play with errors brings.

    An error rate is how often a random option is played instead of a perfect one.
    """

    def expected_results(
        self,
        error_rates: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float]:
        """Player 1's expected result for each pair of error rates, Player 1's first."""

    def respond_to_errors(
        self, error_rate: float, sections: Sequence[Section], progress: Progress = silent
    ) -> Callable[[S_contra, Seat], float | None]:
        """The best response to perfect play with an error rate."""


@runtime_checkable
class RandomPlayMethod(Protocol[S_contra]):
    """A method that also knows what strategies bring against random play."""

    def random_play(self, sections: Sequence[Section]) -> Callable[[S_contra, Seat], float]:
        """Player 1's result at an unfinished state if a seat plays by its strategy."""


@runtime_checkable
class ArraysMethod(Protocol[S]):
    """A method that can also lay out all strategies as arrays."""

    def tabulate(self, sections: Sequence[Section], progress: Progress = silent) -> Tables: ...

    def arrays(self, sections: Sequence[Section]) -> StrategyArrays[S]: ...


@runtime_checkable
class ChoicesMethod(Protocol):
    """A method whose perfect choices are numbers in one section, for games too large for arrays."""

    def tabulate_choices(self, sections: Sequence[Section]) -> Tables: ...


@runtime_checkable
class PolicyMethod(Protocol):
    """A method that can also find the best response to any policy."""

    def respond(
        self, game: Game[S, M, E], policy: Policy[S, M], progress: Progress = silent
    ) -> ResponseValue[S]: ...


@runtime_checkable
class LockMethod(Protocol[S]):
    """A method that also knows what locks change."""

    def respond_to_locks(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S]:
        """The best response to perfect play with locks."""

    def solve_locked(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> Callable[[S], float | None]:
        """What a state is worth to Player 1 where both do their best within the locks."""
