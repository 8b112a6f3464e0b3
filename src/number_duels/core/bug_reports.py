"""Where a mistake of the program is reported: an address of `[project.urls]` in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

ORIGIN = "where you got Number Duels"


def address(name: str) -> str | None:
    """The address of that name, such as `Issues`, if the installed package has one.

    >>> address("Nowhere") is None
    True
    """
    from importlib.metadata import PackageNotFoundError, metadata  # slow, and rarely needed

    try:
        lines = metadata("number-duels").get_all("Project-URL") or []
    except PackageNotFoundError:  # the sources on a path, never installed
        return None
    addresses = dict(line.split(", ", 1) for line in lines)
    return addresses.get(name)


def unforeseen(error: BaseException | None = None, where: str = ORIGIN) -> str:
    """A sentence about a mistake in the program, or in a game that was installed.

    It names the address for reports; as long as there is none, it says `where`.

    >>> unforeseen(ZeroDivisionError("division by zero")).partition(";")[0]
    'This should not have happened (ZeroDivisionError: division by zero)'
    """
    issues = address("Issues")
    what = f" ({first_line(error)})" if error is not None else ""
    place = f"at {issues}" if issues else where
    return f"This should not have happened{what}; please report it {place}."


def first_line(error: BaseException) -> str:
    """What an error says, and where it came up: whoever writes a game looks there first."""
    from traceback import extract_tb

    said = f"{type(error).__name__}: {error}".splitlines()[0]
    frames = extract_tb(error.__traceback__)
    return (
        f"{said}, in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else said
    )
