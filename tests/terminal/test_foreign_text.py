"""Whatever a file says, a terminal gets letters: nothing in it moves the cursor or hides a word."""

from __future__ import annotations

import json

import pytest

from tests.arena.matches import GAMES, schedule
from tests.arena.matches import run as play_arena
from tests.terminal.app.emulator import Screen
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, press
from tests.terminal.desk import Desk, hear_out, hear_until
from tests.terminal.session import Session

#: A title for the window, a bell, hidden letters, a clean screen, and text from right to left.
CODES = "\x1b]0;OWNED\x07\x1b[8m\x9b2J\u202e\x7f"
OBEYED = ("\x1b]0", "OWNED\x07", "\x1b[8m", "\x9b", "\u202e", "\x7f")
RECORD: dict[str, object] = {
    "format": 1,
    "game": "number-knot",
    "settings": {"first": 1, "life": 6, "numbers": 4},
    "deal": None,
    "seed": 7,
    "players": [{"name": "Ann"}, {"name": "Bot", "who": f"bot:me{CODES}"}],
    "moves": "A2 S3",
    "result": "0-1",
    "reason": f"Player 1 forfeits: {CODES} it is late",
    "started": f"2026-{CODES}",
}
UNFINISHED = {**RECORD, "players": [{"name": "Ann"}, {"name": "Bo"}], "result": "*", "moves": "A2"}


def write(desk: Desk, name: str, *records: object) -> None:
    text = "".join(json.dumps(one) + "\n" for one in records)
    desk.games.mkdir(parents=True, exist_ok=True)
    (desk.games / name).write_text(text, encoding="utf-8")


def check(said: str) -> None:
    found = [code for code in OBEYED if code in said]
    assert not found, (found, said)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("replay", "game.json", "--delay", "0"), "it is late"),
        (("review", "game.json"), "it is late"),
        (("review", "many.json"), "Totals of 2 games"),
        (("saves",), "me?"),
        (("saves", "--json"), "it is late"),
        (("stats",), "me?"),
        (("stats", "--json"), "me?"),
        (("_complete", "resume", ""), "late.json"),
        (("replay", "odd.json"), "turn 1"),
        (("replay", f"no{CODES}.json"), "cannot be read"),
        (("arena", "--players-file", "wrong.toml"), "not TOML"),
        (("arena", "--players-file", "key.toml"), "unknown key"),
        (("arena", "--players-file", "name.toml"), "a name must have"),
    ],
    ids=str,
)
def test_what_a_file_says_is_shown_as_letters(
    words: tuple[str, ...], expected: str, desk: Desk
) -> None:
    write(desk, "game.json", RECORD)
    write(desk, f"name{CODES}.json", UNFINISHED)
    write(desk, "late.json", UNFINISHED)
    if words[1:] == ("many.json",):
        write(desk, "many.json", RECORD, {**RECORD, "moves": "A1 S4"})
    if words[1:] == ("odd.json",):
        write(desk, "odd.json", {**RECORD, "moves": CODES})
    (desk.folder / "wrong.toml").write_text(f"'{CODES[-2]}' = {CODES[-2]}\n")
    (desk.folder / "key.toml").write_text(json.dumps(CODES[-3:-1]) + " = 1\n")
    name = json.dumps(f"me:{CODES}").replace("\x7f", "")
    (desk.folder / "name.toml").write_text(f"[players.{name}]\nwho = 'random'\n")
    with desk.sit(*words) as session:
        said = hear_out(session)
    assert expected in " ".join(said.split())
    check(said)


def test_a_game_goes_on_without_obeying_its_file(desk: Desk) -> None:
    write(desk, "game.json", UNFINISHED)
    with desk.sit("resume", "game.json") as session:
        said = hear_until(session, "available numbers: ")
        session.type("quit")
        check(said + hear_out(session))


def test_the_report_of_a_file_obeys_none_of_it(desk: Desk) -> None:
    path = desk.folder / "a.jsonl"
    knot = tuple(game for game in GAMES if game.name == "number-knot")
    play_arena(schedule("random", "perfect", games=knot, pairs=1), path)
    first, *rest = path.read_text().splitlines()
    game = json.loads(first)
    game["started"] = game["deal"] = game["reason"] = CODES
    game["arena"]["faults"] = [[{"kind": "late", "reason": CODES}], []]
    path.write_text("\n".join([json.dumps(game), *rest, ""]))
    for words in ((), ("--json",)):
        with desk.sit("arena", "a.jsonl", *words) as session:
            said = hear_out(session)
        assert "perfect" in said
        check(said)
    game["arena"]["event"] = CODES
    path.write_text("\n".join([json.dumps(game), *rest, ""]))
    with desk.sit("arena", "a.jsonl") as session:
        said = hear_out(session)
    assert "line 1: this is not a line from an arena results file" in " ".join(said.split())
    check(said)


class Listener(Screen):
    """A screen that keeps all that the program sends to it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.heard = b""

    def feed(self, piece: bytes) -> None:
        self.heard += piece
        super().feed(piece)


@pytest.mark.system
def test_the_full_screen_is_no_different(desk: Desk) -> None:
    write(desk, f"name{CODES}.json", RECORD)
    with Session(["--calm"], desk.folder, desk.surroundings) as session:
        screen = Listener(session)
        screen.wait_for("Number Knot")
        for key, shown in (
            ("s", "me?"),
            ("w", "Previous"),
            ("\x1b[F", "late"),  # End
            ("q", "/ search by game"),
            ("v", "Bot won"),
            ("q", "/ search by game"),
            ("d", "undo"),
        ):
            screen.press(key)
            screen.wait_for(shown)
        check(screen.heard.decode(errors="replace"))


def test_what_the_full_screen_is_given_is_letters(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(desk, f"name{CODES}.json", RECORD)
    monkeypatch.setenv("XDG_DATA_HOME", desk.surroundings["XDG_DATA_HOME"])

    @awaited
    async def look() -> None:
        async with opened(["s", "@"]) as (app, pilot):
            for keys, shown in (
                ("w @ end @", "late"),
                ("q @ v @", "won"),
                ("q @ d @", "undo"),
            ):
                await press(pilot, *keys.split())
                screen = app.export_screenshot()
                assert shown in screen
                check(screen)

    look()


def test_a_program_that_fails_cannot_write_on_the_screen(desk: Desk) -> None:
    words = "printf '\\033]0;OWNED\\007\\033[8m' >&2; printf '\\302\\2332J\\177{}\\n'; exit 3"
    (desk.folder / "rude.sh").write_text(words)
    (desk.folder / "rude.py").write_text(f"def choose(*_): raise OSError({CODES!r})\n")
    players = ("--one", "bot:sh rude.sh", "--two", "py:rude:choose")
    for command in (("play", "knot", *players), ("bot", "check", "sh rude.sh")):
        with desk.sit(*command) as session:
            said = hear_out(session)
        assert "Traceback" not in said
        check(said)
