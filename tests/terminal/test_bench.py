"""`duels bench` from one command to a verdict: report, page, comparison, verification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from number_duels.terminal.main import run

SMALL = ("--games", "knot", "--pairs", "2", "--positions", "3", "--workers", "1", "--plain")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_player_is_measured_verified_and_compared(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "level:1", *SMALL, "--out", "one"]) == 0
    assert "lost/decision" in capsys.readouterr().out
    report = json.loads((here / "one" / "report.json").read_text())
    assert report["played"] == report["planned"] == 28
    assert report["header"]["suite"] == "core-1"
    written = (here / "one" / "report.html").read_text()
    assert "Stated mixtures beside what was played" in written
    assert "//" not in written.replace("</", "")

    before = (here / "one" / "results.jsonl").read_bytes()
    assert run(["bench", "level:1", *SMALL, "--out", "one"]) == 0  # all is there
    assert (here / "one" / "results.jsonl").read_bytes() == before
    capsys.readouterr()

    assert run(["bench", "verify", "one"]) == 0
    assert "28 games and 6 answers are right" in capsys.readouterr().out

    assert run(["bench", "level:1", *SMALL, "--seed", "7", "--variant", "--out", "two"]) == 0
    assert "nothing of it can have been learned by heart" in capsys.readouterr().out
    assert run(["bench", "verify", "two"]) == 0
    assert run(["bench", "compare", "one", "one", "--json"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert "no difference beyond chance" in last

    changed = (here / "one" / "report.json").read_text().replace('"blunders": ', '"blunders": 1', 1)
    (here / "one" / "report.json").write_text(changed)
    assert run(["bench", "verify", "one"]) == 1
    assert "figures[0].blunders" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["human"], "A person cannot be measured here"),
        (["nobody"], "There is no player"),
        (["compare", "one"], "compare A B"),
        (["perfect", "--variant"], "a seed of your own"),
        (["perfect", "--pairs", "0"], "at least one pair"),
        (["verify", "nothing.jsonl"], "cannot be read"),
    ],
)
@pytest.mark.usefixtures("here")
def test_wrong_words_are_answered(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", *words]) in (1, 2)
    assert said in capsys.readouterr().err
