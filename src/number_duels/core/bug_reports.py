"""The URL for bug reports, and the error message that shows it."""

from __future__ import annotations

from pathlib import Path

ORIGIN = "where you got Number Duels"


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
    what = f" ({first_line(error)})" if error is not None else ""
    place = f"at {issues}" if issues else where
    return f"This should not have happened{what}; please report it {place}."


def first_line(error: BaseException) -> str:
    from traceback import extract_tb

    said = f"{type(error).__name__}: {error}".splitlines()[0]
    frames = extract_tb(error.__traceback__)
    return (
        f"{said}, in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else said
    )
