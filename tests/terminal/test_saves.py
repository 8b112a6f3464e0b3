"""Games on disk: where they are kept, which files are refused, and that nothing is lost."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

import number_duels as nd
from number_duels.core.storage import try_lock
from number_duels.terminal import saves
from tests.patience import PATIENCE_S
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk, Finished, read_until
from tests.terminal.script import AGAINST_RANDOM, PEOPLE, again, finished, lines, new_match, typed

some_games = pytest.mark.parametrize("name", SOME_GAMES)


def record_of(path: Path) -> nd.Record:
    """The record in a file of one."""
    return nd.Record.from_json(path.read_text(encoding="utf-8"))


def begun(name: str, turns: int = 1, seed: int = 3) -> nd.Record:
    """The record of a game after some turns, each complete."""
    match = new_match(name, seed)
    for _ in lines(match):
        if match.turn_number > turns:
            break
    return match.record


# ---- where games are kept ----------------------------------------------------


@some_games
def test_a_game_is_kept_in_the_folder_for_data(name: str, desk: Desk) -> None:
    done = desk.run("play", name, "--seed", "3", typed=typed(new_match(name, 3)))
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    (path,) = desk.saved
    assert replace(record_of(path), started="") == replace(finished(name), started="")
    assert path.name.endswith(f"{name}.json")
    assert [one.name for one in desk.games.iterdir()] == [path.name]


def test_a_game_is_nobody_elses_to_read(desk: Desk) -> None:
    desk.run("play", "bid", typed=["3", "4"])
    (path,) = desk.saved
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_game_is_kept_where_its_player_wants_it(desk: Desk) -> None:
    desk.run("play", "bid", "--save", "new/folder/game.json", typed=["3", "4"])
    assert record_of(desk.folder / "new/folder/game.json").moves == "3/4"
    assert not desk.games.exists()


def test_a_file_that_is_there_is_never_overwritten(desk: Desk) -> None:
    path = desk.folder / "diary.txt"
    path.write_text("Dear diary")
    done = desk.run("play", "bid", "--save", path.name)
    assert done.status == 2
    assert "diary.txt exists" in done.sentence
    assert path.read_text() == "Dear diary"


def test_save_says_where_the_game_is_kept(desk: Desk) -> None:
    done = desk.run("play", "bid", "--save", "game.json", typed=["save"])
    assert "game.json" in done.out


def test_resume_takes_the_latest_interrupted_game(desk: Desk) -> None:
    for n, name in enumerate(("number-bid", "number-knot", "number-drop"), 1):
        desk.run("play", name, "--seed", "3", typed=typed(new_match(name, 3))[:4])
        os.utime(desk.saved[-1], (n, n))
    whole = desk.run("play", "bid", "--seed", "3", typed=typed(new_match("number-bid", 3)))
    assert whole.status == 0
    assert "Number Drop" in desk.run("resume", typed=["quit"]).err
    os.utime(desk.saved[1], (2**31, 2**31))
    assert "Number Knot" in desk.run("resume", typed=["quit"]).err


def test_with_no_interrupted_game_there_is_a_way_to_start_one(desk: Desk) -> None:
    done = desk.run("resume")
    assert done.status == 1
    assert "duels play GAME" in done.sentence


def test_files_that_are_no_games_do_not_stand_in_the_way(desk: Desk) -> None:
    desk.run("play", "bid", typed=["3", "4"])
    for n, text in enumerate(["", "{", '{"format": 1, "game": "chess", "moves": ""}', "\0"]):
        (desk.games / f"{n}.json").write_text(text)
    (desk.games / "folder.json").mkdir()
    assert "Number Bid" in desk.run("resume", typed=["quit"]).err


@some_games
def test_a_finished_game_is_not_resumed(name: str, desk: Desk) -> None:
    path = desk.keep(finished(name))
    before = path.read_bytes()
    done = desk.run("resume", path.name)
    assert done.status == 1
    assert "finished" in done.sentence
    assert "duels replay" in done.sentence
    assert path.read_bytes() == before


# ---- going on ----------------------------------------------------------------


@pytest.mark.parametrize("who", [PEOPLE, AGAINST_RANDOM], ids="-".join)
@some_games
def test_a_game_that_is_cut_off_ends_as_if_it_had_not_been(
    name: str, who: tuple[str, str], desk: Desk
) -> None:
    match = new_match(name, 8, who)
    answers = typed(match)
    seats = ("--one", who[0], "--two", who[1])
    cut = len(answers) // 2
    desk.run("play", name, "--seed", "8", *seats, "--save", "game.json", typed=answers[:cut])
    path = desk.folder / "game.json"
    done = desk.run("resume", "game.json", typed=typed(again(record_of(path))))
    assert done.status == 0
    assert replace(record_of(path), started="") == replace(match.record, started="")


@some_games
def test_another_player_can_take_over(name: str, desk: Desk) -> None:
    path = desk.keep(begun(name))
    done = desk.run("resume", path.name, "--one", "random", "--two", "random")
    assert done.status == 0
    assert record_of(path).result != "*"
    assert [person.who for person in record_of(path).players] == ["random", "random"]


def test_a_game_with_several_of_its_kind_is_not_resumed(desk: Desk) -> None:
    path = desk.folder / "many.jsonl"
    path.write_text(f"{begun('number-bid').to_json()}\n{begun('number-knot').to_json()}\n")
    done = desk.run("resume", path.name)
    assert done.status == 1
    assert "2 games" in done.sentence


@pytest.mark.parametrize("who", ["bot:touch ran", "llm:gpt", "py:touch:ran"])
def test_a_program_named_inside_a_file_is_never_started(who: str, desk: Desk) -> None:
    for seat, option in enumerate(("--one", "--two")):
        record = begun("number-knot")
        players = list(record.players)
        players[seat] = nd.Person("Machine", who)
        path = desk.keep(replace(record, players=(players[0], players[1])))
        before = path.read_bytes()
        done = desk.run("resume", path.name)
        assert done.status == 2
        assert option in done.sentence
        assert not (desk.folder / "ran").exists()
        assert path.read_bytes() == before
        assert desk.run("resume", path.name, option, "human", typed=["quit"]).status == 0


def test_a_file_that_is_being_played_is_left_to_that_table(desk: Desk) -> None:
    path = desk.folder / "game.json"
    with desk.start("play", "bid", "--save", "game.json") as process:
        process.stdin.write(b"3\n4\n")
        read_until(process, "Remaining Numbers")
        before = path.read_bytes()
        done = desk.run("resume", "game.json")
        assert done.status == 1
        assert "another window" in done.sentence
        assert path.read_bytes() == before
        process.kill()
    assert desk.run("resume", "game.json", typed=["quit"]).status == 0


def test_a_file_that_was_replaced_while_it_was_opened_is_left_to_that_table(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.keep(begun("number-bid"))

    def replaced(file: IO[bytes]) -> bool:
        desk.keep(begun("number-bid", turns=2), "newer.json").rename(path)
        return try_lock(file)

    monkeypatch.setattr(saves, "try_lock", replaced)
    assert "another window" in desk.run("resume", "game.json").sentence


def test_a_deal_is_read_as_it_was_written(desk: Desk) -> None:
    for space in (" ", "\t", "\N{LINE SEPARATOR}", "\x85", "\N{IDEOGRAPHIC SPACE}"):
        name = f"{ord(space)}.json"
        desk.run("play", "stack", "--deal", f"7{space}10", "--save", name, typed=["", "yes"])
        done = desk.run("replay", name)
        assert done.status == 0, done.err
        assert "7 to their own stack" in done.out


# ---- a disk that does not want -----------------------------------------------


def test_a_folder_that_cannot_be_written_to_is_a_warning(desk: Desk) -> None:
    desk.games.parent.mkdir(parents=True)
    if os.getuid() == 0:
        desk.games.write_text("a file in its place, since no folder is read-only for root")
    else:
        desk.games.mkdir(mode=0o500)
    done = desk.run("play", "bid", "--seed", "3", typed=typed(new_match("number-bid", 3)))
    assert done.status == 0
    assert "cannot be saved" in done.err
    assert "will not be saved" in done.err
    assert "wins the game" in done.out


def test_a_full_disk_ends_a_game_in_a_sentence_and_keeps_what_was_saved(desk: Desk) -> None:
    # No file can grow beyond what the first turn takes.
    size = len(begun("number-bid").to_json()) + 1
    words = ("play", "bid", "--seed", "3", "--save", "game.json")
    with desk.start(*words, largest_file=size) as process:
        process.stdin.write(
            "".join(f"{line}\n" for line in typed(new_match("number-bid", 3))).encode()
        )
        out, err = process.stdout.readall().decode(), process.stderr.readall().decode()
        done = Finished(process.wait(PATIENCE_S), out, err)
    assert done.status == 1
    assert "cannot be saved to game.json" in done.sentence
    assert record_of(desk.folder / "game.json").moves == begun("number-bid").moves
    assert [path.name for path in desk.folder.iterdir()] == ["game.json"]


# ---- files that are refused --------------------------------------------------

WHOLE = begun("number-knot", turns=2)
DATA: dict[str, object] = json.loads(WHOLE.to_json())
ESCAPE = "\x1b[2J"
DAMAGED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "empty"),
    "blank": ("\n \n", "empty"),
    "truncated": (WHOLE.to_json()[:-20], "not JSON"),
    "binary": (b"\x00\xff\xfe\x80" * 100, "not text"),
    "zeros": (b"\0" * 300, "not JSON"),
    "a letter": ("Dear diary\nToday", "not JSON"),
    "a number": ("1\n", "not a game record"),
    "a list": ("[]\n", "not a game record"),
    "foreign": ('{"name": "package", "version": 1}\n', "not a game record"),
    "too deep": ("[" * 100_000, "nested too deeply"),
    "format 2": (json.dumps({**DATA, "format": 2}), "format"),
    "no format": (json.dumps({k: v for k, v in DATA.items() if k != "format"}), "format"),
    "unknown game": (json.dumps({**DATA, "game": "chess"}), "chess"),
    "unknown setting": (json.dumps({**DATA, "settings": {"colour": 1}}), "colour"),
    "setting out of range": (json.dumps({**DATA, "settings": {"life": 1000}}), "1 to 99"),
    "setting with a code": (json.dumps({**DATA, "settings": {"exhausted": ESCAPE}}), "exhausted"),
    "setting named by a code": (json.dumps({**DATA, "settings": {ESCAPE: 1}}), "setting"),
    "game with a code": (json.dumps({**DATA, "game": ESCAPE}), "no game"),
    "moves with a code": (json.dumps({**DATA, "moves": f"{ESCAPE}S5"}), "turn 1"),
    "moves that are none": (json.dumps({**DATA, "moves": 7}), "moves must be text"),
    "a seed that is none": (json.dumps({**DATA, "seed": "x"}), "seed"),
    "three players": (json.dumps({**DATA, "players": [{"name": "A"}] * 3}), "two"),
    "names alike": (json.dumps({**DATA, "players": [{"name": "A"}] * 2}), "different"),
    "an unknown result": (json.dumps({**DATA, "result": "2-0"}), "result"),
    "a wrong result": (json.dumps({**DATA, "result": "1-0"}), "1-0"),
    "an illegal move": (json.dumps({**DATA, "moves": "S5 S5"}), "turn 2"),
    "an unreadable move": (json.dumps({**DATA, "moves": "S5 A3 hello"}), "turn 3"),
    "a move after the end": (json.dumps({**DATA, "moves": "S9 A1 S8 A2"}), "turn 4"),
    "a deal it cannot have": (json.dumps({**DATA, "deal": "1 2"}), "shuffles nothing"),
}


@pytest.mark.parametrize("command", ["resume", "replay"])
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_refused_in_a_sentence_and_left_untouched(
    damage: str, command: str, desk: Desk
) -> None:
    content, reason = DAMAGED[damage]
    path = desk.folder / "game.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = path.read_bytes()
    done = desk.run(command, "game.json")
    assert (done.status, done.out) == (1, "")
    assert reason in done.sentence
    assert "game.json" in done.sentence
    assert done.sentence.isprintable()
    assert len(done.sentence) < 400
    assert path.read_bytes() == before
    assert [one.name for one in desk.folder.iterdir()] == ["game.json"]


def test_a_card_that_was_not_dealt_is_refused_naming_the_turn(desk: Desk) -> None:
    desk.run("play", "stack", "--deal", "7 10", "--save", "game.json", typed=["", "yes"])
    path = desk.folder / "game.json"
    path.write_text(path.read_text().replace('"7k"', '"6k"'))
    assert "turn 1" in desk.run("resume", "game.json").sentence


def test_a_grid_that_is_missing_is_refused(desk: Desk) -> None:
    path = desk.keep(replace(begun("number-drop"), deal=None))
    assert "deal" in desk.run("resume", path.name).sentence
