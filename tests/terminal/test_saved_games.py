"""The list of saved games: what it shows, how it is searched, and how a game is deleted."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.terminal.saves import find_saves, games_folder
from tests.terminal.desk import Desk, hear_out, hear_until, read_until
from tests.terminal.script import finished

ANN_AND_BO = (nd.Person("Ann"), nd.Person("Bo"))
AGAINST_LEVEL_2 = (nd.Person("Computer", "level:2"), nd.Person("Ann"))


def fill(folder: Path) -> list[Path]:
    """Three games, from the oldest to the newest."""
    folder.mkdir(parents=True)
    knot = replace(finished("number-knot"), started="2026-01-02T10:00:00Z", players=ANN_AND_BO)
    drop = replace(finished("number-drop"), started="2026-02-03T10:00:00Z", players=AGAINST_LEVEL_2)
    begun = replace(knot, moves=knot.moves.split()[0], result="*", reason="", hints=True)
    paths = []
    for n, record in enumerate((knot, drop, begun), 1):
        path = folder / f"{n}-{record.game}.json"
        path.write_text(record.to_json() + "\n", encoding="utf-8")
        os.utime(path, (n, n))
        paths.append(path)
    return paths


def test_every_game_is_listed_with_all_that_is_asked_of_a_list(desk: Desk) -> None:
    fill(desk.games)
    (desk.games / "torn.json").write_text("{")
    done = desk.run("saves")
    assert (done.status, done.err) == (0, "")
    head, newest, middle, oldest = done.out.splitlines()
    assert head.split() == ["started", "game", "opponent", "result", "turns", "file"]
    assert newest.split()[-1] == "3-number-knot.json"
    assert "unfinished" in newest
    assert "Ann and Bo" in newest
    assert all(words in middle for words in ("2026-02-03", "Number Drop", "Level 2", " won"))
    turns = len(finished("number-knot").moves.split())
    assert oldest.split()[-2:] == [str(turns), "1-number-knot.json"]


def test_a_saved_game_shows_the_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    _, drop, _ = fill(games_folder())
    record = finished("number-drop")
    (games_folder() / "old.json").write_text(replace(record, started="long ago").to_json())
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "JST-9")
        time.tzset()
        shown = {game.path.name: game.when for game in find_saves("drop")}
    time.tzset()
    assert shown == {drop.name: "2026-02-03 19:00", "old.json": "long ago"}


def test_a_game_without_a_move_is_not_listed(desk: Desk) -> None:
    paths = fill(desk.games)
    empty = replace(finished("number-bid"), moves="", result="*", reason="")
    (desk.games / "empty.json").write_text(empty.to_json())
    assert "empty.json" not in desk.run("saves").out
    assert len(json.loads(desk.run("saves", "--json").out)) == len(paths)


def test_the_list_as_json_is_one_array(desk: Desk) -> None:
    paths = fill(desk.games)
    found = json.loads(desk.run("saves", "--json").out)
    assert [one["file"] for one in found] == [str(path) for path in reversed(paths)]
    newest, middle, _ = found
    assert (newest["result"], newest["turns"], newest["hints"]) == ("*", 1, True)
    assert (middle["game"], middle["opponent"]) == ("number-drop", "level:2")
    assert middle["settings"] == nd.load("number-drop").settings
    assert json.loads(desk.run("saves", "chess", "--json").out) == []


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", [3, 2, 1]),
        ("KNOT", [3, 1]),
        ("level:2", [2]),
        ("2026-02", [2]),
        ("unfinished", [3]),
        ("knot won", [1]),
        ("ann", [3, 2, 1]),
        ("ann drop", [2]),
        ("nobody", []),
    ],
)
def test_a_search_finds_games_that_mention_every_word(search: str, found: list[int]) -> None:
    fill(games_folder())
    assert [int(game.path.name[0]) for game in find_saves(search)] == found


def test_with_nothing_to_list_there_is_a_way_on(desk: Desk) -> None:
    done = desk.run("saves")
    assert (done.status, done.out) == (0, "")
    assert "duels play GAME" in done.err
    fill(desk.games)
    assert "'chess'" in desk.run("saves", "chess").err


def test_a_game_is_named_by_its_file_name_alone(desk: Desk) -> None:
    fill(desk.games)
    assert "Number Knot" in desk.run("resume", "3-number-knot.json", typed=["quit"]).err
    assert desk.run("replay", "1-number-knot.json").status == 0
    assert desk.run("review", "1-number-knot.json").status == 0


def test_a_file_that_lies_here_comes_before_one_of_that_name_in_the_folder(desk: Desk) -> None:
    fill(desk.games)
    desk.keep(finished("number-bid"), "1-number-knot.json")
    assert "bid" in desk.run("replay", "1-number-knot.json").out


def test_a_terminal_shows_what_can_be_done_next_and_no_line_is_too_long(desk: Desk) -> None:
    fill(desk.games)
    with desk.sit("saves", "--plain", columns=72) as session:
        heard = hear_out(session)
    assert max(map(len, heard.splitlines())) <= 72
    for step in ("resume 3-number-knot.json", "review 2-number-drop.json"):
        assert step in heard


# ---- deleting ------------------------------------------------------------------


def test_a_game_is_deleted_when_that_is_said_twice(desk: Desk) -> None:
    knot, drop, begun = fill(desk.games)
    done = desk.run("saves", "--delete", knot.name)
    assert done.status == 2
    assert "--yes" in done.sentence
    assert knot.exists()
    assert desk.run("saves", "--delete", knot.name, "--yes").status == 0
    assert desk.run("saves", "--delete", str(begun), "--yes").status == 0
    assert desk.saved == [drop]


@pytest.mark.parametrize(("answer", "left"), [("y", False), ("", True), ("no", True)])
def test_a_terminal_is_asked_first(answer: str, left: bool, desk: Desk) -> None:
    knot, *_ = fill(desk.games)
    with desk.sit("saves", "--delete", knot.name) as session:
        assert "Number Knot" in hear_until(session, "[y/N]")
        session.type(answer)
        hear_out(session)
    assert knot.exists() is left


def test_nobody_is_asked_whose_answer_is_not_typed(desk: Desk) -> None:
    knot, *_ = fill(desk.games)
    screen, theirs = os.openpty()
    done = desk.run("saves", "--delete", knot.name, typed=["y"], out_to=theirs)
    os.close(theirs)
    os.close(screen)
    assert (done.status, "--yes" in done.sentence, knot.exists()) == (2, True, True)


def test_a_game_that_is_being_played_is_not_deleted(desk: Desk) -> None:
    with desk.start("play", "bid", "--save", "game.json") as process:
        process.stdin.write(b"3\n4\n")
        read_until(process, "Remaining Numbers")
        done = desk.run("saves", "--delete", "game.json", "--yes")
        assert done.status == 1
        named = "Number Bid, Player 1 and Player 2, is being played in another window."
        assert named in done.sentence
        assert "game.json" not in done.sentence
        assert (desk.folder / "game.json").exists()
        process.kill()


@pytest.mark.parametrize("text", ["Dear diary", ""])
def test_what_is_no_game_is_never_deleted(text: str, desk: Desk) -> None:
    path = desk.folder / "diary.txt"
    path.write_text(text)
    done = desk.run("saves", "--delete", "diary.txt", "--yes")
    assert done.status == 1
    assert "diary.txt" in done.sentence
    assert path.read_text() == text


def test_a_file_of_many_games_is_never_deleted(desk: Desk) -> None:
    path = desk.folder / "many.jsonl"
    path.write_text(f"{finished('number-knot').to_json()}\n" * 2)
    assert "2 games" in desk.run("saves", "--delete", "many.jsonl", "--yes").sentence
    assert path.exists()


def test_a_game_that_is_not_there_is_named(desk: Desk) -> None:
    assert "nothing.json" in desk.run("saves", "--delete", "nothing.json", "--yes").sentence
