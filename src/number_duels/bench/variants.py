"""Settings near the usual ones, drawn from a seed: nobody can have learned them by heart."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from number_duels.core.game import AnyGame
from number_duels.core.randomness import stream
from number_duels.core.settings import Setting
from number_duels.games import load
from number_duels.solvers.solver import method_for

#: A number moves by up to this share of what it usually is.
REACH = 0.2
#: No variant takes more room in the cache than its game does, or than this.
MAX_BYTES = 50_000_000
TRIES = 200


def near(game: AnyGame, seed: int) -> AnyGame:
    """The game with other settings, not much larger and never the usual ones.

    >>> from number_duels import load
    >>> near(load("number-bid"), 7) == near(load("number-bid"), 7) != load("number-bid")
    True
    """
    rng = stream(seed, "variant", game.name)
    most = max(MAX_BYTES, table_bytes(game) or 0)
    for _ in range(TRIES):
        try:
            found = load(game.name, **dict(drawn(game, rng)))
        except ValueError:  # the settings do not go together
            continue
        needed = table_bytes(found)
        if found != game and needed is not None and needed <= most:
            return found
    raise ValueError(f"{game.title} has no settings near the usual ones that can be solved.")


def drawn(game: AnyGame, rng: Random) -> Iterator[tuple[str, int | str]]:
    for name, setting in game.describe_settings().items():
        yield name, rng.choice(neighbours(setting, game.settings[name]))


def neighbours(setting: Setting, value: int | str) -> list[int | str]:
    """What a setting may become.

    >>> neighbours(Setting(10, "the life total", 1, 99), 10)
    [8, 9, 10, 11, 12]
    """
    if setting.choices:
        return list(setting.choices)
    assert isinstance(value, int)
    reach = max(1, round(REACH * value))
    high = setting.high if isinstance(setting.high, int) else value + reach
    return list(range(max(setting.low, value - reach), min(high, value + reach) + 1))


def table_bytes(game: AnyGame) -> int | None:
    """How large its solution will be; None: it cannot be solved."""
    try:
        return method_for(game).table_bytes()
    except ValueError:
        return None
