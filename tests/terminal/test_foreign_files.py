"""Files that somebody was sent: what they may overwrite, and how much they may take."""

from __future__ import annotations

from pathlib import Path

import pytest

import number_duels as nd
from tests.arena.matches import GAMES, schedule
from tests.arena.matches import run as play_arena
from tests.terminal.desk import Desk
from tests.terminal.script import finished
from tests.terminal.test_arena import QUICK, Arena, arena

__all__ = ["arena"]  # a fixture
BUILT_IN = ("--players", "random", "perfect")
#: A function that leaves a trace.
TRACE = """
def choose(view, options, history):
    open('trace', 'w').close()
    return options[0]
"""


# ---- files that are there already ------------------------------------------------


def knot_arena(path: Path) -> None:
    knot = tuple(game for game in GAMES if game.name == "number-knot")
    play_arena(schedule("random", "perfect", games=knot, pairs=1), path)


def test_a_report_takes_the_place_of_a_report_alone(desk: Desk, arena: Arena) -> None:
    knot_arena(desk.folder / "a.jsonl")
    page, letter = desk.folder / "page.html", desk.folder / "letter.html"
    letter.write_text("<title>Dear Ann</title>")
    for words in (("a.jsonl",), (*BUILT_IN, *QUICK, "--out", "new.jsonl")):
        done = arena(*words, "--html", "letter.html")
        assert done.status == 1
        assert done.sentence == (
            "letter.html already exists and is not an arena report; choose another file."
        )
    assert letter.read_text() == "<title>Dear Ann</title>"
    assert not (desk.folder / "new.jsonl").exists()

    for before in ("", None):
        if before is not None:
            page.write_text(before)
        assert arena("a.jsonl", "--html", "page.html").status == 0
        assert "<svg" in page.read_text()
    link = desk.folder / "link.html"
    link.symlink_to(page)
    page.chmod(0o604)
    assert arena("a.jsonl", "--html", "link.html").status == 0
    assert link.is_symlink()
    link.unlink()
    link.symlink_to(letter)
    assert arena("a.jsonl", "--html", "link.html").status == 1
    assert letter.read_text() == "<title>Dear Ann</title>"


@pytest.mark.parametrize(
    "text", ["one line and no end", "{", '{"format": 1, "game": x', "\n", "a\n"]
)
def test_games_are_added_to_games_alone(text: str, desk: Desk, arena: Arena) -> None:
    path = desk.folder / "mine.txt"
    path.write_text(text)
    done = arena(*BUILT_IN, *QUICK, "--out", "mine.txt", "--json")
    cut_off = text == "{"  # as our own lines begin
    assert done.status == (0 if cut_off else 1)
    assert (
        cut_off
        or "mine.txt, line 1: this is not a line from an arena results file." in done.sentence
    )
    assert cut_off or path.read_text() == text


def test_what_lies_beside_the_games_is_not_followed_or_overwritten(
    desk: Desk, arena: Arena
) -> None:
    (desk.folder / "mine.py").write_text(TRACE)
    precious = desk.folder / "precious"
    precious.write_text("mine")
    words = ("--players", "random", "py:mine:choose", *QUICK, "--out", "a.jsonl")
    for name in ("a.calls.jsonl", "a.jsonl.salt"):
        beside = desk.folder / name
        beside.symlink_to(precious)
        assert f"{name} is a link; remove it" in arena(*words).sentence
        beside.unlink()
    salt = desk.folder / "a.jsonl.salt"
    salt.write_text("sea salt")
    assert "a.jsonl.salt: A salt must be 32 hexadecimal digits" in arena(*words).sentence
    assert (precious.read_text(), salt.read_text()) == ("mine", "sea salt")
    assert not (desk.folder / "trace").exists()


def test_a_picture_takes_the_place_of_a_picture_alone(desk: Desk, arena: Arena) -> None:
    desk.keep(finished("number-knot"))
    for name in ("chances.svg", "chances.png"):
        path = desk.folder / name
        path.write_text("<svg>my own</svg>")
        done = arena("game.json", "--plot", name, command="review")
        assert (done.status, "exists and is not a picture" in done.sentence) == (1, True)
        assert path.read_text() == "<svg>my own</svg>"
        path.unlink()
        for _ in range(2):
            assert arena("game.json", "--plot", name, command="review").status == 0


# ---- files that take too much ----------------------------------------------------

#: What a program may have; Python alone takes a tenth of it.
MEMORY_KIB = 300_000


@pytest.mark.parametrize("limited", [False, pytest.param(True, marks=pytest.mark.system)])
def test_a_large_file_is_refused_in_little_memory(limited: bool, desk: Desk) -> None:
    big = desk.folder / "big.json"
    start = finished("number-knot").to_json().removesuffix("}")
    with big.open("w") as file:
        file.write(f'{start}, "more": "')
        for _ in range(94):
            file.write("x" * 1_000_000)
        file.write('"}\n')
    for name in ("big.jsonl", "big.toml"):
        (desk.folder / name).hardlink_to(big)
    (desk.folder / "long.json").write_text(f'{start}, "more": "{"x" * 2**20}"}}\n')
    (desk.folder / "many.json").write_text((start + "}\n") * (65 * 2**20 // len(start)))
    desk.games.mkdir(parents=True)
    (desk.games / "big.json").hardlink_to(big)
    commands = {
        "replay big.json": "larger than 64 MiB",
        "resume big.json": "larger than 64 MiB",
        "replay long.json": "line 1 is longer than 1 MiB",
        "review big.json": "larger than 64 MiB",
        "replay many.json": "larger than 64 MiB",
        "replay /dev/zero": "line 1 is longer than 1 MiB",
        "arena big.jsonl": "line 1 is longer than 1 MiB",
        "arena --players-file big.toml --players a b": "larger than 256 KiB",
        "saves": "No game is saved yet",
    }
    for words, told in commands.items():
        if not limited:
            done = desk.run(*words.split())
        elif words.startswith(("review", "arena")):
            continue  # NumPy reserves far more than it uses
        else:
            done = desk.shell(f"ulimit -v {MEMORY_KIB}; duels {words}")
        assert told in done.err, (words, done)
        assert done.status == (0 if words == "saves" else 2 if "--players" in words else 1)


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "number",
    ["Infinity", "-Infinity", "NaN", "1e999", "9" * 4000, DEEP],
    ids=["Infinity", "-Infinity", "NaN", "1e999", "too long", "too deep"],
)
def test_a_number_that_is_none_is_refused(number: str, desk: Desk, arena: Arena) -> None:
    knot_arena(path := desk.folder / "a.jsonl")
    text = path.read_text()
    places = ('"loss": 0.0', '"decisions": 2', '"cards": 0.0', '"pair": 1')
    for place in places:
        assert place in text
        name = place.partition(":")[0]
        path.write_text(text.replace(place, f"{name}: {number}", 1))
        for words in (("a.jsonl", "--json"), (*BUILT_IN, *QUICK, "--out", "a.jsonl")):
            done = arena(*words)
            assert done.status == 1
            assert "this is not a line from an arena results file." in done.sentence
    record = finished("number-knot").to_json()
    desk.keep(nd.Record.from_json(record))
    for name in ("seed", "more"):
        (desk.folder / "game.json").write_text(f'{record[:-1]}, "{name}": {number}}}\n')
        done = arena("game.json", command="replay")
        if number.isdigit():
            continue  # a seed may be any whole number
        assert done.status == 1
        assert "game.json cannot be used: it is not a game record" in done.sentence


def test_a_file_of_players_that_goes_too_far_is_refused(desk: Desk, arena: Arena) -> None:
    wrong = {
        f"players = {DEEP}": "players.toml is not TOML: it is nested too deeply.",
        "seed = " + "9" * 5000: "players.toml is not TOML: one of its numbers has too many digits.",
        "a." * 50_000 + "a = 1": "players.toml is not TOML: a line has more than 200 dots.",
    }
    for text, sentence in wrong.items():
        (desk.folder / "players.toml").write_text(text)
        done = arena(*BUILT_IN, "--players-file", "players.toml")
        assert sentence in done.sentence
        assert done.status == 2
    config = desk.configure(f"names = {DEEP}")
    assert "config.toml: it is nested too deeply." in arena(command="list").sentence
    config.write_text("#" * 300_000)
    assert "config.toml: it is larger than 256 KiB." in arena(command="list").sentence
