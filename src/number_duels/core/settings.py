"""The settings of a game and their allowed values.

>>> from dataclasses import dataclass, fields
>>> @dataclass(frozen=True)
... class Settings:
...     first: int = who_is_first()
...     life: int = within(1, 99, default=10, meaning="the life total")
...     tie: str = one_of("draw", "lost", meaning="what a tie means")
>>> Settings()
Settings(first=1, life=10, tie='draw')
>>> [field.metadata["setting"].allowed({}) for field in fields(Settings)]
['1 or 2', '1 to 99', 'draw or lost']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from number_duels.core.text import printable
from number_duels.core.turn import Seat

__all__ = ["Setting", "within", "one_of", "who_is_first", "read_settings"]


@dataclass(frozen=True)
class Setting:
    """One setting: its default, its range or choices, and its meaning.

    >>> life = Setting(10, "the life total", low=1, high=99)
    >>> life.allowed({}), life.accepts(100, {}), life.read("20")
    ('1 to 99', False, 20)
    """

    #: The default value.
    default: int | str
    #: The meaning, in a few words.
    meaning: str
    #: The smallest allowed value.
    low: int = 0
    #: The largest allowed value, or the name of the setting that limits it.
    high: int | str = 0
    #: The allowed values, or empty if there is a range.
    choices: tuple[int | str, ...] = ()
    #: The label in a form, or empty if the name says enough.
    label: str = ""
    #: What a form shows for each of `choices`, or empty if the values say enough.
    words: tuple[str, ...] = ()

    def allowed(self, settings: Mapping[str, int | str]) -> str:
        """Return the allowed values as text, such as `1 to 99`."""
        if self.choices:
            return " or ".join(map(str, self.choices))
        if isinstance(self.high, str):
            return f"{self.low} to {self.high} ({settings[self.high]})"
        return f"{self.low} to {self.high}"

    def in_words(self, value: int | str) -> str:
        """Return what a form shows for a value.

        >>> Setting(1, "who begins", choices=(1, 2), words=("you", "they")).in_words(2)
        'they'
        """
        shown = dict(zip(self.choices, self.words, strict=True)) if self.words else {}
        return shown.get(value, str(value))

    def accepts(self, value: int | str, settings: Mapping[str, int | str]) -> bool:
        """Return whether a value is allowed, given the other settings."""
        if isinstance(value, bool | Seat):  # both are integers, 0 or 1
            return False
        if self.choices:
            return value in self.choices
        high = settings[self.high] if isinstance(self.high, str) else self.high
        return isinstance(value, int) and isinstance(high, int) and self.low <= value <= high

    def read(self, text: str) -> int | str:
        """Convert text to a value, without checking that the value is allowed."""
        digits = text.strip()
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else digits


def setting_label(name: str, setting: Setting) -> str:
    """Return the label of a setting in a form."""
    return (setting.label or name).capitalize()


def read_settings(texts: Iterable[str], known: Mapping[str, Setting]) -> dict[str, int | str]:
    """Read settings written as NAME=VALUE, without checking names and ranges.

    >>> read_settings(["life=20"], {"life": Setting(10, "the life total", 1, 99)})
    {'life': 20}
    """
    found: dict[str, int | str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            usual = "".join(f", such as {n}={one.default}" for n, one in list(known.items())[-1:])
            raise ValueError(f"A setting must be NAME=VALUE{usual}, not {printable(text)!r}.")
        found[name] = known[name].read(value) if name in known else value
    return found


def within(low: int, high: int | str, *, default: int, meaning: str) -> int:
    """Return a dataclass field for an integer in a range."""
    setting = Setting(default, meaning, low=low, high=high)
    return field(default=default, metadata={"setting": setting})


def one_of(*choices: str, meaning: str, label: str = "", words: tuple[str, ...] = ()) -> str:
    """Return a dataclass field for a choice of words. The first word is the default.

    A form shows `words` for the choices, in the same order.
    """
    setting = Setting(choices[0], meaning, choices=choices, label=label, words=words)
    return field(default=choices[0], metadata={"setting": setting})


def who_is_first() -> int:
    """Return the dataclass field `first`, for games in which players take turns."""
    setting = Setting(1, "the player who takes the first turn", choices=(1, 2))
    return field(default=1, metadata={"setting": setting})


def check(title: str, settings: Mapping[str, int | str], known: Mapping[str, Setting]) -> None:
    for name, setting in known.items():
        if not setting.accepts(settings[name], settings):
            value = settings[name]
            found = repr(value) if isinstance(value, Seat) else printable(str(value))
            raise ValueError(f"{title}: {name} must be {setting.allowed(settings)}, not {found}.")


def unknown_setting(title: str, name: str, known: Mapping[str, Setting]) -> str:
    if name == "first":
        return f"{title} has no first player: both players choose at once."
    return f"{title} has no setting {printable(name)}; it has {', '.join(known)}."
