"""The project's addresses come from its package; without one, a report still goes somewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from number_duels.core.bug_reports import address, unforeseen

ISSUES = "https://example.org/number-duels/issues"
NO_LUCK = ZeroDivisionError("no luck,\nnone at all")

Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a package with these further lines of metadata before the one that is installed."""

    def put(lines: str) -> None:
        folder = tmp_path / "number_duels-9.9.dist-info"
        folder.mkdir()
        head = "Metadata-Version: 2.4\nName: number-duels\nVersion: 9.9\n"
        (folder / "METADATA").write_text(head + lines, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)

    return put


def test_a_report_goes_to_the_address_of_the_package(install: Install) -> None:
    install(
        f"Project-URL: Issues, {ISSUES}\nProject-URL: Documentation, https://example.org/docs\n"
    )
    assert address("Issues") == ISSUES
    assert address("Repository") is None
    what = "This should not have happened (ZeroDivisionError: no luck,)"
    assert unforeseen(NO_LUCK) == f"{what}; please report it at {ISSUES}."


def test_without_an_address_it_goes_to_whom_one_knows(install: Install) -> None:
    install("")
    report = "This should not have happened; please report it"
    assert unforeseen() == f"{report} where you got Number Duels."
    assert unforeseen(where="to the server") == f"{report} to the server."


def test_sources_that_were_never_installed_have_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    assert address("Issues") is None


def test_where_the_mistake_is_is_told() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        raise ZeroDivisionError("no luck")
    assert "(ZeroDivisionError: no luck, in test_bug_reports.py, line " in unforeseen(raised.value)
