"""`duels bench` from one command to a verdict: report, page, comparison, verification."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from number_duels.adapters.tables import Tables
from number_duels.bench.suite import STARTER_1, Size, find_suite
from number_duels.terminal.commands.bench import default_folder
from tests.terminal.desk import Desk

SMALL = ("--games", "knot", "--pairs", "2", "--positions", "3", "--workers", "1", "--plain")


def test_a_player_is_measured_verified_and_compared(desk: Desk) -> None:
    here = desk.folder

    def bench(*words: str, status: int = 0) -> str:
        done = desk.run("bench", *words)
        assert done.status == status
        return done.out

    lines = bench("level:1", *SMALL, "--out", "one").splitlines()
    first = lines[0]
    assert first.startswith("A move by level:1 costs ")
    assert "as level:1 (" in first
    costs, _, score = first.partition(". ")
    assert costs.endswith("with 0 of 28 games forfeited and 0 of 3 positions unanswered")
    assert re.fullmatch(r"Score: \d+\.\d% \(\d+ to \d+\)\.", score)
    head, row = lines[3:5]
    assert re.split("  +", head)[:4] == ["game", "cost of a move", "score", "forfeits"]
    assert f"  {score[7:-1]}  " in row
    plain = "the plain score if two players have fewer than 50 pairs"
    assert any(plain in line for line in lines)  # as these have
    report = json.loads((here / "one" / "report.json").read_text())
    assert report["played"] == report["planned"] == 28
    assert report["header"]["suite"] == "core-2"
    written = (here / "one" / "report.html").read_text()
    assert "Stated mixed strategies, and the moves played" in written
    assert "//" not in written.replace("</", "")
    assert plain in " ".join(written.split())
    (figures,) = report["figures"]
    for who, cost in figures["moves"]["baselines"].items():
        assert f"{who}: {50 * cost:.1f}%</title>" in written  # a mark in the chart
    detail = written.partition("Cost of a decision in games against each opponent")[2]
    detail = detail.partition("</table>")[0]
    for rung in figures["rungs"]:
        assert rung["opponent"] in detail
        assert f"{50 * rung['loss']['mean']:.1f}%" in detail

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


def test_a_policy_that_was_trained_on_a_small_game_is_measured_by_the_starter_suite(
    desk: Desk,
) -> None:
    (knot,) = (game for game in find_suite(name=STARTER_1).games if game.name == "number-knot")
    tables = Tables(knot)
    tables.with_odds(np.ones(tables.masks.shape)).save(desk.folder / "trained.npz")
    done = desk.run("bench", "policy:trained.npz", "--suite", STARTER_1, *SMALL, "--out", "one")
    assert done.status == 0
    assert "as random (" in done.out.splitlines()[0]  # which is what was saved
    assert "starter-1 with its public seed" in done.out
    assert desk.run("bench", "verify", "one").status == 0


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


def test_the_default_folder_names_the_size_and_the_games_unless_they_are_the_default() -> None:
    full, small = find_suite(), find_suite("small")
    assert default_folder(full, "level:1") == "bench-level-1-core-2"
    assert default_folder(small, "level:1") == "bench-level-1-core-2-small"
    knot = default_folder(full.only(["number-knot"]), "level:1")
    assert knot == "bench-level-1-core-2-number-knot"
    few = find_suite(Size(3, 10))
    assert default_folder(few, "level:1") == "bench-level-1-core-2-3-pairs-10-positions"
