"""The lessons that ship with the package, read strictly from their TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from number_duels.core.game import Seat
from number_duels.trainer.answers import FORMS, MIXTURE, MOVE
from number_duels.trainer.lessons import ASK, KINDS, MIX, SAY, Lesson, Step
from number_duels.trainer.spot import Spot

FOLDER = files("number_duels.trainer") / "data" / "lessons"
SUFFIX = ".toml"

LESSON_KEYS = {"title", "minutes", "deal", "steps"}
POSITION_KEYS = {"moves", "seat"}
#: The `claims` of a step are for the tests, which check that what it says is true.
STEP_KEYS = {"kind", "text", "form", "principle", "rules", "claims"} | POSITION_KEYS
ANSWER_KEYS = {"accepts", "praise", "replies", "otherwise"}

Table = Mapping[str, object]


@lru_cache
def lesson_names() -> tuple[str, ...]:
    """The games that have a lesson of their own."""
    found = (file.name for file in FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


@lru_cache
def shipped_lesson(name: str) -> Lesson:
    return read_lesson(name, (FOLDER / f"{name}{SUFFIX}").read_text(encoding="utf-8"))


def read_lesson(name: str, text: str) -> Lesson:
    """The lesson that a file tells; a ValueError says in a sentence what is wrong with it.

    >>> read_lesson("number-knot", 'title = "Number Knot"')
    Traceback (most recent call last):
    ...
    ValueError: The lesson on number-knot needs minutes, a whole number.
    """
    where = f"The lesson on {name}"
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where} is not written in TOML: {error}.") from error
    known(found, LESSON_KEYS, where)
    title, minutes = text_of(found, "title", where), found.get("minutes")
    if not isinstance(minutes, int):
        raise ValueError(f"{where} needs minutes, a whole number.")
    deal, tables = found.get("deal"), found.get("steps")
    if not isinstance(deal, str | None) or not isinstance(tables, list) or not tables:
        raise ValueError(f"{where} needs steps, and a deal where its game has one.")
    start = Spot(name, {}, deal, "", Seat.ONE)
    steps = tuple(
        read_step(table, start, f"Step {number} of the lesson on {name}")
        for number, table in enumerate(tables, 1)
    )
    return Lesson(name, title, minutes, steps)


def read_step(table: Table, start: Spot, where: str) -> Step:
    kind = text_of(table, "kind", where)
    if kind not in KINDS:
        raise ValueError(f"{where} has the kind {kind!r}; kinds are {', '.join(KINDS)}.")
    known(table, STEP_KEYS | (ANSWER_KEYS if kind != SAY else set()), where)
    form = MIXTURE if kind == MIX else text_of(table, "form", where, MOVE)
    if form not in FORMS or (kind in (SAY, ASK) and form != MOVE):
        raise ValueError(f"{where} cannot ask for the form {form!r}.")
    spot = read_spot(table, start, where)
    if kind != SAY:
        check_question(table, spot, where)
    return Step(
        kind,
        text_of(table, "text", where),
        spot,
        form,
        text_of(table, "principle", where, ""),
        texts_of(table, "accepts", where),
        text_of(table, "praise", where, ""),
        read_replies(table, where),
        text_of(table, "otherwise", where, ""),
        table.get("rules") is True,
    )


def read_spot(table: Table, start: Spot, where: str) -> Spot | None:
    """The position of a step; None where it names none."""
    if not POSITION_KEYS & set(table):
        return None
    seat = table.get("seat", start.seat + 1)
    if not isinstance(seat, int) or seat not in (1, 2):
        raise ValueError(f"{where} needs a seat that is 1 or 2.")
    moves = text_of(table, "moves", where, start.moves)
    return Spot(start.game, start.settings, start.deal, moves, Seat(seat - 1))


def check_question(table: Table, spot: Spot | None, where: str) -> None:
    if spot is None or not table.get("praise") or not table.get("otherwise"):
        raise ValueError(f"{where} asks something, and so needs moves, praise and otherwise.")
    try:
        spot.open()
    except ValueError as error:
        raise ValueError(f"{where} asks where nobody can answer: {error}") from error


def read_replies(table: Table, where: str) -> dict[str, str]:
    found = table.get("replies", {})
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise ValueError(f"{where} needs replies that are texts, by their moves.")
    return {str(move): str(text) for move, text in found.items()}


def known(table: Table, keys: set[str], where: str) -> None:
    strange = sorted(set(table) - keys)
    if strange:
        raise ValueError(f"{where} has {strange[0]!r}, which nobody reads.")


def text_of(table: Table, key: str, where: str, default: str | None = None) -> str:
    found = table.get(key, default)
    if not isinstance(found, str):
        raise ValueError(f"{where} needs {key}, a text.")
    return found


def texts_of(table: Table, key: str, where: str) -> tuple[str, ...]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError(f"{where} needs {key} in a list of texts.")
    return tuple(found)
