"""Create players from words such as `perfect` or `bot:COMMAND`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard, cast

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Game, SomeGame
from number_duels.core.player import Player
from number_duels.players.levels import slip, slip_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from number_duels.players.builtin import PolicyPlayer, RandomPlayer
    from number_duels.players.external import ExternalPlayer, Limits
    from number_duels.solvers.policies import Policy


class HasPolicy(Protocol):
    @property
    def policy(self) -> Policy[Any, Any]: ...


class HasStrategy(Protocol):
    @property
    def strategy(self) -> Policy[Any, Any]: ...


class SupportsArray(Protocol):
    def __array__(self) -> NDArray[Any]: ...


#: Anything that can be a player: a word, an NPZ file, a player, a function, or an array of
#: probabilities by action, in the shape of `Tables.masks`.
PlayerLike: TypeAlias = (
    str | PathLike[str] | Player | HasPolicy | HasStrategy | Callable[..., object] | SupportsArray
)

HUMAN = "human"
#: The kinds of player that a front end offers, with descriptions.
KINDS = {
    HUMAN: "a person at the keyboard",
    "random": "plays a random legal move",
    "level:1": "scores about a sixth of the way from random to perfect play",
    "level:2": "scores about a third of the way from random to perfect play",
    "level:3": "scores about halfway between random and perfect play",
    "level:4": "scores about two thirds of the way from random to perfect play",
    "level:5": "scores about five sixths of the way from random to perfect play",
    "perfect": "never makes a mistake",
}
#: The kinds of external players, which run with the permissions of the user who starts them.
EXTERNAL_KINDS = ("bot", "py", "policy", "llm")
POLICY = "policy:"
ARRAYS_SUFFIX = ".npz"
MODEL = "llm:"
BUILT_IN = tuple(word for word in KINDS if word != HUMAN)
PROGRAMS = (
    "random, level:1 to level:5, perfect, bot:COMMAND, py:MODULE:FUNCTION, policy:MODULE:NAME, "
    "policy:FILE.npz or llm:MODEL"
)


def check_who(who: str, *, human: bool = False) -> None:
    """Raise ValueError if a word does not name a player. `human` allows a person."""
    if not isinstance(who, str):
        raise ValueError(f"A player must be a name such as 'perfect', not {who!r:.60}.")
    if who not in (KINDS if human else BUILT_IN) and not is_external(who):
        person = who == HUMAN
        wrong = "A human player cannot be used here" if person else f"There is no player {who!r}"
        raise ValueError(f"{wrong}; choose {'human, ' if human else ''}{PROGRAMS}.")


def described(who: str, game: str) -> str:
    """Describe how a built-in player plays a game. `who` is a key of `KINDS`.

    >>> described("level:2", "a game without figures"), described("perfect", "number-knot")
    ('plays a random move on about one turn in three', 'never makes a mistake')
    """
    _, _, level = who.partition(":")
    if not level:
        return KINDS[who]
    return f"plays a random move on about {slip_words(slip(int(level), game))}"


def full_name(who: str) -> str:
    """Return the name to show for a player.

    >>> full_name("level:4"), full_name("random"), full_name("bot:./mine")
    ('Level 4', 'Random', 'bot:./mine')
    """
    if who not in KINDS:
        return who
    return "A person" if who == HUMAN else who.replace(":", " ").capitalize()


def is_external(who: str) -> bool:
    kind, _, which = who.partition(":")
    return bool(which.strip()) and kind in EXTERNAL_KINDS


def is_model(who: str) -> bool:
    return is_external(who) and who.startswith(MODEL)


def player(
    who: str,
    game: SomeGame,
    progress: Callable[[float], None] | None = None,
    limits: Limits | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Player:
    """Create a player for a game from a word such as `perfect`.

    Words are `random`, `level:1` to `level:5`, `perfect`, `bot:COMMAND`, `py:MODULE:FUNCTION`,
    `policy:MODULE:NAME`, `policy:FILE.npz` and `llm:MODEL`. While the game is solved, `progress` is
    called with the fraction done. `limits` and `clock` are for external players. Raise ValueError
    if there is no such player.

    >>> from number_duels import load
    >>> player("perfect", load("number-knot", numbers=3))
    <perfect player of Number Knot>
    """
    check_who(who)
    if is_external(who):
        return make_external(who, limits, game, clock)
    return make_built_in(who, game, progress)


def seat_player(
    who: str,
    game: SomeGame,
    progress: Callable[[float], None] | None = None,
    limits: Limits | None = None,
) -> Player | None:
    return None if who == HUMAN else player(who, game, progress, limits)


def has_policy(who: str) -> bool:
    return who in BUILT_IN or who.startswith(POLICY)


def policy_of(
    who: str, game: SomeGame, progress: Callable[[float], None] | None = None
) -> Policy[Hashable, Hashable]:
    check_who(who)
    if who.startswith(POLICY):
        from number_duels.players.policy import load_policy

        return load_policy(who.removeprefix(POLICY), game)
    if who not in BUILT_IN:
        known = ", ".join(BUILT_IN)
        raise ValueError(f"The probabilities of {who} are unknown; choose one of {known}.")
    return make_built_in(who, game, progress).policy


class UnknownOdds(ValueError):
    """Raised for a player whose probabilities are unknown, because it only returns moves."""


def is_file(given: object) -> TypeGuard[str | PathLike[str]]:
    if isinstance(given, str):
        return given.endswith(ARRAYS_SUFFIX) and not is_external(given)
    return isinstance(given, PathLike)


def as_policy(
    given: PlayerLike, game: SomeGame, progress: Callable[[float], None] | None = None
) -> Policy[Any, Any]:
    """Convert a word, a file, a player, a function or an array to a policy.

    Raise ValueError for anything else, and for a player whose probabilities are unknown.

    >>> from number_duels import Seat, load
    >>> game = load("number-knot", numbers=2)
    >>> as_policy("random", game)(game.start(), Seat.ONE)[game.parse("S2")]
    0.25
    """
    from number_duels.players.function import argument_count
    from number_duels.players.policy import read_arrays

    if is_file(given):
        return read_arrays(given, game)
    if isinstance(given, str):
        return policy_of(given, game, progress)
    if hasattr(given, "__array__"):
        from number_duels.solvers import solve
        from number_duels.solvers.strategy_arrays import ArrayPolicy

        return ArrayPolicy.perfect(solve(game)).with_odds(cast("NDArray[Any]", given))
    known = policy_in(given)
    if callable(known) and argument_count(known) == 2:
        own = getattr(getattr(known, "solution", known), "game", game)
        if isinstance(own, Game) and own.name != game.name:
            raise ValueError(f"This is a policy for {own.title}, not for {game.title}.")
        return cast("Policy[Hashable, Hashable]", known)
    if isinstance(given, Mapping):
        raise ValueError("Pass a function, such as lambda view, seat: odds[view], not a mapping.")
    if callable(known) or hasattr(given, "choose"):
        raise UnknownOdds(
            f"{given!r:.60} chooses moves, so its probabilities are unknown; pass a function "
            "that takes the view and the seat and returns the probability of every move."
        )
    raise ValueError(
        "A player must be a word such as 'perfect', an .npz file, an object with choose(situation),"
        " a function that returns probabilities, or an array of probabilities, "
        f"not {given!r:.60}."
    )


def policy_in(given: object) -> object:
    """Return the policy of a player or a solution, or `given` itself if it has none."""
    from number_duels.players.function import ObjectPlayer
    from number_duels.players.policy import TrainedPlayer
    from number_duels.solvers import Solution
    from number_duels.solvers.best_response import Response

    if isinstance(given, ObjectPlayer):
        return policy_in(given.player)
    if isinstance(given, TrainedPlayer):
        return given.asked
    if isinstance(given, Solution | Response):  # a response's `policy` is the one it exploits
        return given.strategy
    return getattr(given, "policy", given)


def as_player(given: PlayerLike, game: SomeGame) -> Player:
    """Convert a word, a file, a function or an array to a player. Return a player unchanged.

    A function of the view and the seat must return probabilities. A function of the situation, or
    of the view, the options and the history, must return a move. Raise ValueError for anything
    else.

    >>> from number_duels import load
    >>> as_player("random", load("number-knot"))
    <random player of Number Knot>
    """
    from number_duels.players.builtin import PolicyPlayer
    from number_duels.players.external import Limits
    from number_duels.players.function import FunctionPlayer, SituationPlayer, argument_count

    if isinstance(given, str) and (given in KINDS or is_external(given)):
        return player(given, game)
    if isinstance(given, type):
        raise ValueError(f"{given.__name__} is a class; pass an object, {given.__name__}(…).")
    if hasattr(given, "choose") and not hasattr(given, "__array__"):
        return cast("Player", given)
    count = argument_count(given) if callable(given) else 0
    if count == 3:
        return FunctionPlayer(cast("Callable[..., object]", given), Limits())
    if count == 1:
        return SituationPlayer(cast("Callable[..., Hashable]", given))
    if callable(given) and count != 2 and not hasattr(given, "policy"):
        raise ValueError(
            f"{given!r:.60} cannot play; pass a function that takes the view and the seat, or the"
            " view, the options and the history, or the situation alone."
        )
    return PolicyPlayer(as_policy(given, game))


def make_built_in(
    who: str, game: SomeGame, progress: Callable[[float], None] | None = None
) -> RandomPlayer | PolicyPlayer:
    from number_duels.players.builtin import LevelPlayer, PerfectPlayer, RandomPlayer

    if who == "random":
        return RandomPlayer(game)
    _, _, level = who.partition(":")
    return LevelPlayer(int(level), game, progress) if level else PerfectPlayer(game, progress)


def make_external(
    who: str, limits: Limits | None, game: SomeGame, clock: Clock = SYSTEM_CLOCK
) -> ExternalPlayer:
    from number_duels.players.external import Limits

    kind, _, which = who.partition(":")
    limits = limits or Limits()
    if kind == "py":
        from number_duels.players.function import load_player

        return load_player(which, limits)
    if kind == "bot":
        from number_duels.players.bot.player import BotPlayer

        return BotPlayer(which, limits, clock)
    if kind == "policy":
        from number_duels.players.policy import TrainedPlayer, load_policy

        return TrainedPlayer(load_policy(which, game), game, limits)
    from number_duels.players.llm.player import ModelPlayer

    return ModelPlayer(which, limits, clock=clock)


Scores = dict[str, dict[str, float]]


def known_scores(game: AnyGame) -> Scores | None:
    try:
        from number_duels.players.calibration import shipped
    except ModuleNotFoundError:  # the figures need NumPy, a game does not
        return None
    figures = shipped(game)
    return figures["scores"] if figures else None


def known_loss(who: str, game: AnyGame) -> float | None:
    """Return a built-in player's loss per game against perfect play, or None if it is unknown.

    >>> from number_duels import load
    >>> known_loss("perfect", load("number-knot")), known_loss("random", load("number-bid"))
    (0.0, 0.9999997244)
    """
    scores = known_scores(game)
    if scores is None:
        return None
    # In the mean of both seats, the advantage of a seat cancels out.
    return (scores["perfect"][who] - scores[who]["perfect"]) / 2
