"""`duels export positions`: JSON Lines on standard output, or in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.terminal.desk import Duels

SMALL = ("knot", "--set", "numbers=5", "--set", "life=6")


def test_it_prints_one_object_per_line_and_the_same_bytes_for_a_seed(duels: Duels) -> None:
    first, again, other = (
        duels("export", "positions", *SMALL, "--count", "12", "--seed", seed)
        for seed in ("7", "7", "8")
    )
    assert (first.status, first.err) == (0, "")
    rows = [json.loads(line) for line in first.out.splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) == 12
    assert list(rows[0]) == [
        *("id", "split", "game", "settings", "deal", "moves", "seat", "prompt"),
        *("legal", "values", "guarantees", "probabilities", "best"),
    ]
    assert rows[0]["settings"]["numbers"] == 5
    assert first.out == again.out != other.out


def test_a_line_can_be_analyzed_again(duels: Duels) -> None:
    (row,) = map(json.loads, duels("export", "positions", *SMALL, "--count", "1").out.splitlines())
    found = json.loads(duels("analyze", *SMALL, "--moves", row["moves"], "--json").out)
    options = {one["move"]: one for one in found["options"][str(row["seat"])]}
    assert row["values"] == [options[move]["value"] for move in row["legal"]]
    assert row["probabilities"] == [options[move]["probability"] for move in row["legal"]]


@pytest.mark.parametrize("split", ["train", "test"])
def test_it_counts_the_lines_of_the_split(split: str, duels: Duels) -> None:
    done = duels("export", "positions", *SMALL, "--count", "9", "--split", split)
    assert [json.loads(line)["split"] for line in done.out.splitlines()] == [split] * 9


def test_a_small_game_has_fewer_positions_and_that_is_said(duels: Duels) -> None:
    few = ("knot", "--set", "numbers=3", "--set", "life=3")
    done = duels("export", "positions", *few)
    assert done.status == 0
    found = len(done.out.splitlines())
    assert 1 < found < 1000
    assert done.err == f"Only {found} positions of Number Knot were found.\n"


def test_a_file_has_the_same_bytes_and_only_such_a_file_is_replaced(duels: Duels) -> None:
    printed = duels("export", "positions", *SMALL, "--count", "3").out
    for _ in range(2):
        done = duels("export", "positions", *SMALL, "--count", "3", "--out", "rows.jsonl")
        assert (done.status, done.out, done.err) == (0, "", "")
    assert Path("rows.jsonl").read_text(encoding="utf-8") == printed
    Path("letter.txt").write_text("Dear Ann", encoding="utf-8")
    done = duels("export", "positions", *SMALL, "--out", "letter.txt")
    assert done.status == 1
    assert "letter.txt already exists and is not a file of positions" in done.sentence


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["positions"], "required: GAME"),
        (["games", "knot"], "choose from"),
        (["positions", "chess"], "chess"),
        (["positions", "knot", "--count", "0"], "at least 1"),
        (["positions", "knot", "--split", "validation"], "choose from"),
        (["positions", "knot", "--set", "life=none"], "life"),
    ],
)
def test_wrong_usage_is_answered_in_a_sentence(words: list[str], said: str, duels: Duels) -> None:
    done = duels("export", *words)
    assert (done.status, done.out) == (2, "")
    assert said in done.sentence
