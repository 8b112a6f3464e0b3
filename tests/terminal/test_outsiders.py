"""`duels play` against programs: who fails forfeits; who was interrupted is named again."""

from __future__ import annotations

import json

from tests.players.endpoint import FakeEndpoint, endpoint, error, play
from tests.terminal.desk import Desk

BAD = "def choose(view, options, history):\n    return 'castle'\n"


def test_who_cannot_move_forfeits_and_the_record_can_be_watched_and_reviewed(desk: Desk) -> None:
    (desk.folder / "bad.py").write_text(BAD)
    done = desk.run("play", "knot", "--two", "py:bad:choose", "--save", "g.json", typed=["S5"])
    assert done.status == 0
    reason = "forfeits: no legal move in 3 answers; castle is not a move."
    assert f"Computer {reason}" in done.out
    assert done.out.endswith("You win the game!\n")
    record = json.loads((desk.folder / "g.json").read_text())
    assert (record["moves"], record["result"]) == ("S5", "1-0")
    assert record["reason"].startswith(f"Player 2 {reason}")
    assert f"Computer {reason}" in desk.run("replay", "g.json").out
    assert f"Computer {reason}" in desk.run("review", "g.json").out


def test_an_interrupted_game_says_whom_to_name_again(desk: Desk) -> None:
    (desk.folder / "first.py").write_text(BAD.replace("'castle'", "options[0]"))
    done = desk.run("play", "knot", "--two", "py:first:choose", "--save", "g.json", typed=["S5"])
    assert done.status == 130
    assert "duels resume g.json --two py:first:choose" in done.err
    assert "--two" in desk.run("resume", "g.json").sentence
    again = desk.run("resume", "g.json", "--two", "py:first:choose", typed=["quit"])
    assert again.status == 0


def test_a_game_whose_model_is_out_of_reach_is_kept_and_goes_on(desk: Desk) -> None:
    with endpoint(FakeEndpoint([play("S1"), error(401, "No such key.")])) as fake:
        model = ("--two", "llm:tiny", "--url", fake.url, "--seconds", "30")
        done = desk.run("play", "knot", *model, "--save", "g.json", typed=["S5", "A3"])
        assert done.status == 1
        assert "failed: it returned status 401 (No such key.)." in done.err
        again = f"duels resume g.json --two llm:tiny --seconds 30.0 --url {fake.url}"
        assert f"The game is saved; go on with: {again}" in done.err
        record = json.loads((desk.folder / "g.json").read_text())
        assert (record["moves"], record["result"]) == ("S5 S1 A3", "*")
        resumed = desk.run("resume", "g.json", *model, typed=["quit"])
    assert resumed.status == 0
    assert json.loads((desk.folder / "g.json").read_text())["moves"].startswith("S5 S1 A3 ")
