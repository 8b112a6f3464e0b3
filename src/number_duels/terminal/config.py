"""A user's own defaults, from `config.toml` in the XDG configuration folder."""

from __future__ import annotations

import os
from dataclasses import dataclass

from number_duels.core.record import check_names, split_names
from number_duels.core.storage import config_folder
from number_duels.terminal.errors import CommandError


@dataclass(frozen=True)
class Config:
    """What a user may set once for all games."""

    names: str = "Player 1,Player 2"
    plain: bool = False


def read_config() -> Config:
    """The user's defaults; a file that cannot be understood is refused, not guessed at."""
    path = config_folder() / "config.toml"
    if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for a name that is too long
        return Config()
    import tomllib

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None
    names, plain = found.pop("names", Config.names), found.pop("plain", Config.plain)
    if found or not isinstance(names, str) or not isinstance(plain, bool):
        raise CommandError(f'{path} may hold names = "Ann,Bo" and plain = true, and nothing else.')
    try:
        check_names(*split_names(names))
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
    return Config(names, plain)
