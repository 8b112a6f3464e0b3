"""The user's settings, which are stored in `config.toml` in the XDG configuration folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from number_duels.core.input_files import parse_toml, read_text
from number_duels.core.record import check_names, split_names
from number_duels.core.storage import config_folder, replace_file
from number_duels.core.text import printable
from number_duels.terminal.errors import CommandError

Value = str | bool | int
V = TypeVar("V", str, bool, int)

HEADER = "# Your settings for Number Duels. You can edit this file; `duels` keeps your comments.\n"
WRITTEN_VALUE = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#]+"""


def described(default: V, meaning: str, *choices: str | int, **more: str | bool) -> V:
    """Declare a key of the configuration file.

    `option` is the help text of the key's command-line option, if any. `label` is the key's name on
    the settings page. The program itself sets a `remembered` key.
    """
    known = {"label": "", "option": "", "remembered": False, **more}
    return field(default=default, metadata={"meaning": meaning, "choices": choices, **known})


@dataclass(frozen=True)
class Config:
    """The user's settings for all games, and the choices remembered from the last game.

    >>> Config().theme, meaning("calm"), choices("theme")
    ('dark', 'Turn off animations in full-screen mode.', ('dark', 'light', 'high-contrast'))
    """

    names: str = described(
        "Player 1,Player 2",
        "The players' names, separated by a comma.",
        option="call the players A and B",
    )
    plain: bool = described(
        default=False,
        meaning="Play in plain text instead of full-screen mode. You can change this later.",
        label="Play in",
        option="play in plain text, line by line, without colors, boards or full-screen mode",
    )
    board: str = described(
        "changes",
        "When to print the board in line mode: every turn, when it changes, or never.",
        "always",
        "changes",
        "never",
        label="Board in text",
        option="when to print the board in line mode: every turn, when it changes, or never",
    )
    hints: bool = described(
        default=True,
        meaning="Offer hints in new games that you start in full-screen mode or from the menu.",
    )
    theme: str = described(
        "dark",
        "The colors of full-screen mode: dark, light or high-contrast.",
        "dark",
        "light",
        "high-contrast",
        label="Colors",
    )
    calm: bool = described(
        default=False,
        meaning="Turn off animations in full-screen mode.",
        label="Animation",
        option="turn off animations in full-screen mode",
    )
    game: str = described(
        "", "The game that you played last. Empty if there is none.", remembered=True
    )
    opponent: str = described(
        "level:1",
        "Your last opponent: human, random, level:1 to level:5 or perfect.",
        remembered=True,
    )
    seat: int = described(
        1, "Your side in the last game against the computer: Player 1 or 2.", 1, 2, remembered=True
    )
    both: str = described(
        "",
        "The names in the last game between two people. Empty if the settings' names count.",
        remembered=True,
    )


KEYS = {one.name: one.metadata for one in fields(Config)}
OPTIONS = {name: about for name, about in KEYS.items() if about["option"]}
PREFERENCES = tuple(name for name, about in KEYS.items() if not about["remembered"])


def meaning(name: str) -> str:
    return str(KEYS[name]["meaning"])


def label(name: str) -> str:
    return str(KEYS[name]["label"]) or name.capitalize()


def choices(name: str) -> tuple[Value, ...]:
    if name == "opponent":
        from number_duels.players.registry import KINDS

        return tuple(KINDS)
    is_switch = isinstance(getattr(Config, name), bool)
    return (True, False) if is_switch else tuple(KEYS[name]["choices"])


def config_path() -> Path:
    return config_folder() / "config.toml"


def read_config() -> Config:
    path = config_path()
    if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for a name that is too long
        return Config()
    try:
        return parse(read_text(path))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None
    except ValueError as error:
        sentence = str(error)
        end = "" if sentence.endswith((".", "?")) else "."
        raise CommandError(f"{path}: {sentence}{end}") from None


def parse(text: str) -> Config:
    return checked(parse_toml(text))


def checked(found: Mapping[str, object]) -> Config:
    known: dict[str, Any] = {**asdict(Config())}
    for name, value in found.items():
        if name not in known:
            raise ValueError(unknown(name, list(known)))
        known[name] = checked_value(name, value)
    return Config(**known)


def unknown(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"the settings are {', '.join(known)}."
    return f"There is no setting {printable(name)!r}; {hint}"


def checked_value(name: str, value: object) -> Value:
    allowed = choices(name)
    default = getattr(Config, name)
    right = type(value) is type(default) and (not allowed or value in allowed)
    if not right or not isinstance(value, str | bool | int):
        *most, last = map(written, allowed) if allowed else ["text in quotes"]
        wanted = f"{', '.join(most)} or {last}" if most else last
        raise ValueError(f"{name} must be {wanted}, not {printable(str(value))!r}.")
    if name == "names" or (name == "both" and value):
        check_names(*split_names(str(value)))
    if name == "game" and value:
        from number_duels.games import full_name

        with suppress(ValueError):
            return full_name(str(value))
        return ""  # the package with this game is no longer installed
    return value


def written(value: Value) -> str:
    # For these types, TOML is written like JSON.
    return json.dumps(value, ensure_ascii=False)


def write_config(config: Config) -> None:
    before = read_config()
    path = Path(os.path.realpath(config_path()))  # write to the target of a symbolic link
    try:
        text = read_text(path) if path.exists() else HEADER
        text = edited(text, before, config)
        if parse(text) != config:
            raise ValueError
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    except ValueError:
        raise CommandError(
            f"duels cannot change {path} because of its format; edit it yourself."
        ) from None


def edited(text: str, before: Config, after: Config) -> str:
    """Return the file's text with the changed values, and with missing keys added.

    >>> edited('theme = "dark" # mine', Config(), Config(theme="light")).splitlines()[0]
    'theme = "light" # mine'
    """
    for name, value in asdict(after).items():
        line = re.search(rf"^([ \t]*{name}[ \t]*=[ \t]*)({WRITTEN_VALUE})", text, re.MULTILINE)
        if line is None:
            end = "" if text.endswith("\n") or not text else "\n"
            text += f"{end}\n# {meaning(name)}\n{name} = {written(value)}\n"
        elif value != getattr(before, name):
            text = f"{text[: line.start(2)]}{written(value)}{text[line.end(2) :]}"
    return text


def change(config: Config, **changes: Value) -> Config:
    """Save the changed configuration and return it.

    Raise ValueError if a new value is not valid.
    """
    changed = checked({**asdict(config), **changes})
    write_config(changed)
    return changed


def remember(**changes: Value) -> None:
    with suppress(CommandError, OSError, ValueError):
        before = read_config()
        after = checked({**asdict(before), **changes})
        if after != before:
            write_config(after)
