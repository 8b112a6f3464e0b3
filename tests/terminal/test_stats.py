"""`duels stats`: one's own record, from the saved games."""

from __future__ import annotations

import json
from dataclasses import replace

import number_duels as nd
from number_duels.terminal.commands.stats import BLOCKS
from tests.terminal.desk import Desk
from tests.terminal.script import finished

AGAINST = (nd.Person("Ann"), nd.Person("Computer", "level:2"))


def keep(desk: Desk, name: str, count: int = 1) -> None:
    """Finished games against the computer."""
    desk.games.mkdir(parents=True, exist_ok=True)
    for seed in range(count):
        record = replace(finished(name, seed), players=AGAINST)
        (desk.games / f"{seed}-{name}.json").write_text(record.to_json(), encoding="utf-8")


def test_all_games_are_told_or_those_of_one(desk: Desk) -> None:
    keep(desk, "number-knot", 3)
    keep(desk, "number-drop")
    (desk.games / "torn.json").write_text("{")
    done = desk.run("stats")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[3].split()[:2] == ["All", "4"]
    for words in ("cost per move", "Opening", "Middle", "End ", "A move lowers ", "move back"):
        assert words in done.out
    assert not set(done.out) & set(f"░{BLOCKS}")  # plain text, in a pipe
    one = desk.run("stats", "kn")
    assert one.out.splitlines()[1].split()[:3] == ["Number", "Knot", "3"]


def test_the_json_is_one_value(desk: Desk) -> None:
    keep(desk, "number-knot", 2)
    done = desk.run("stats", "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["games"] == len(found["over_time"]) == 2
    assert found["games"] == found["won"] + found["drawn"] + found["lost"]


def test_what_a_large_solution_is_needed_for_is_not_graded_unasked(desk: Desk) -> None:
    keep(desk, "number-stack-showdown")
    done = desk.run("stats", XDG_CACHE_HOME=str(desk.folder / "cache"))
    assert done.status == 0
    assert "Not graded: 1 game; grading Number Stack Showdown would add 286 MB" in done.out
    assert "duels stats --all" in done.err
    assert not (desk.folder / "cache").exists()


def test_without_games_there_is_a_way_to_start(desk: Desk) -> None:
    done = desk.run("stats", "knot")
    assert (done.status, done.out) == (0, "")
    assert "duels play number-knot --two level:1" in done.err
    assert json.loads(desk.run("stats", "--json").out)["games"] == 0


def test_a_game_that_does_not_exist_is_wrong_usage(desk: Desk) -> None:
    done = desk.run("stats", "chess")
    assert done.status == 2
    assert "number-knot" in done.sentence
