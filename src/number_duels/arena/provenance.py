"""Where a report's games come from: what it takes to trust them, and to play them again."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from number_duels import __version__
from number_duels.arena.game_result import GameResult


@dataclass(frozen=True)
class Provenance:
    """What was played, when, and by which program it is reported on."""

    #: By name, the word of each player.
    players: Mapping[str, str]
    #: By event, the settings of its game.
    settings: Mapping[str, Mapping[str, int | str]]
    #: When the first and the last of the games began.
    first: str
    last: str
    #: Of programs and libraries that have a say in the figures.
    versions: Mapping[str, str]
    #: In a salted arena that is complete.
    salt: str | None
    #: The arena's own seed, and pairs; None where nobody says: a results file need not.
    seed: int | None = None
    pairs: int | None = None

    def as_object(self) -> dict[str, object]:
        """As JSON, without what the file of the games does not hold."""
        found = asdict(self)
        return {name: found[name] for name in found if name not in ("seed", "pairs")}


def provenance(results: Sequence[GameResult]) -> Provenance:
    """What the games themselves tell."""
    began = sorted(result.record.started for result in results if result.record.started)
    origin = next((result.origin for result in results if result.origin), None)
    return Provenance(
        players={side.name: side.who for result in results for side in result.sides},
        settings={result.event: result.record.settings for result in results},
        first=began[0] if began else "",
        last=began[-1] if began else "",
        versions=versions(),
        salt=origin.salt if origin else None,
        seed=origin.seed if origin else None,
    )


def versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"number-duels": __version__, "Python": platform.python_version()}
    for library in ("numpy", "numba"):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
