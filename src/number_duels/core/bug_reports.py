"""The URL for bug reports, and the error messages for bugs."""

from __future__ import annotations

from pathlib import Path

ORIGIN = "where you got Number Duels"


class BrokenGame(ValueError):
    """Raised for a game that cannot be loaded because its own code has a mistake."""


def address(name: str) -> str | None:
    """Return the package's URL with this label, such as `Issues`, or None if there is none.

    >>> address("Nowhere") is None
    True
    """
    from importlib.metadata import PackageNotFoundError, metadata  # slow, and rarely needed

    try:
        lines = metadata("number-duels").get_all("Project-URL") or []
    except PackageNotFoundError:  # the package runs from its sources
        return None
    addresses = dict(line.split(", ", 1) for line in lines)
    return addresses.get(name)


def unforeseen(error: BaseException | None = None, where: str = ORIGIN) -> str:
    """Return an error message for a bug in the program or in an installed game.

    `where` says where to report the bug if the package has no URL for issues.

    >>> unforeseen(ZeroDivisionError("division by zero")).partition(";")[0]
    'This should not have happened (ZeroDivisionError: division by zero)'
    """
    issues = address("Issues")
    place = f"at {issues}" if issues else where
    game, module = installed_game(error) if error is not None else ("", "")
    if game:
        place = f"to the authors of {game}"
    what = f" ({first_line(error, module)})" if error is not None else ""
    return f"This should not have happened{what}; please report it {place}."


def installed_game(error: BaseException) -> tuple[str, str]:
    """Return the title and the module of the game from another package that raised an error."""
    from traceback import walk_tb

    from number_duels.core.game import Game

    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__"))
        game = frame.f_locals.get("self")
        if isinstance(game, Game) and module.partition(".")[0] != "number_duels":
            return game.title, module
    return "", ""


def first_line(error: BaseException, module: str = "") -> str:
    """Return what an error says, and its line, which is the last one in `module` if given."""
    from traceback import walk_tb

    said = f"{type(error).__name__}: {error}".splitlines()[0]
    places = [
        f"{said}, in {Path(frame.f_code.co_filename).name}, line {line}"
        for frame, line in walk_tb(error.__traceback__)
        if f"{frame.f_globals.get('__name__')}.".startswith(f"{module}." if module else "")
    ]
    return places[-1] if places else said
