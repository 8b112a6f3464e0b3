"""`duels bench` from one command to a verdict: report, page, comparison, verification."""

from __future__ import annotations

import json

import pytest

from tests.terminal.desk import Desk

SMALL = ("--games", "knot", "--pairs", "2", "--positions", "3", "--workers", "1", "--plain")


def test_a_player_is_measured_verified_and_compared(desk: Desk) -> None:
    here = desk.folder

    def bench(*words: str, status: int = 0) -> str:
        done = desk.run("bench", *words)
        assert done.status == status
        return done.out

    first = bench("level:1", *SMALL, "--out", "one").splitlines()[0]
    assert first.startswith("A move by level:1 costs ")
    assert "as level:1 (" in first
    assert "0 of 28 games forfeited, 0 of 3 positions unanswered" in first
    report = json.loads((here / "one" / "report.json").read_text())
    assert report["played"] == report["planned"] == 28
    assert report["header"]["suite"] == "core-2"
    written = (here / "one" / "report.html").read_text()
    assert "Stated mixed strategies, and the moves played" in written
    assert "//" not in written.replace("</", "")

    before = (here / "one" / "results.jsonl").read_bytes()
    bench("level:1", *SMALL, "--out", "one")  # all is there
    assert (here / "one" / "results.jsonl").read_bytes() == before
    assert "28 games and 4 answers are correct" in bench("verify", "one")

    variant = bench("level:1", *SMALL, "--seed", "7", "--set", "numbers=5", "--out", "two")
    assert "no model has seen the games" in variant
    bench("verify", "two")
    last = bench("compare", "one", "one", "--json").splitlines()[-1]
    assert "no clear difference" in last

    changed = (here / "one" / "report.json").read_text().replace('"blunders": ', '"blunders": 1', 1)
    (here / "one" / "report.json").write_text(changed)
    assert "figures[0].blunders" in bench("verify", "one", status=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["human"], "A human player cannot be used here"),
        (["nobody"], "There is no player"),
        (["compare", "one"], "compare A B"),
        (["perfect", "--games", "bid", "--set", "numbers=5"], "give a seed"),
        (
            ["perfect", "--suite", "starter-1", "--games", "drop"],
            "starter-1 does not include number-drop",
        ),
        (["perfect", "--workers", "0"], "--workers must be at least 1"),
        (["perfect", "--pairs", "0"], "at least one pair"),
        (["verify", "nothing.jsonl"], "cannot be read"),
    ],
)
def test_wrong_words_are_answered(words: list[str], said: str, desk: Desk) -> None:
    done = desk.run("bench", *words)
    assert done.status in (1, 2)
    assert said in done.sentence
