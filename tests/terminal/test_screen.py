"""A screen with colours and boards: the same words as bare text, and never wider than it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from unicodedata import combining, east_asian_width

import pytest

import number_duels as nd
from number_duels.core.settings import Setting
from number_duels.core.text import rules_text
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk, bare, hear_out, hear_until
from tests.terminal.script import finished, lines, new_match

every_game = pytest.mark.parametrize("name", nd.games())
some_games = pytest.mark.parametrize("name", SOME_GAMES)
NARROW = 40
FRAME = re.compile(r"^[╭│╰].*\n", re.MULTILINE)
#: What the program says about itself, with a command to copy.
COMMAND = re.compile(r"^.*\bduels (play|resume|replay|review) .*\n", re.MULTILINE)
#: The line that names the commands, at the top of a session on a terminal.
REMINDER = re.compile(r"\AYou can always type [^.]*\.\n")
SECRET = "[Input Hidden]"


def largest(setting: Setting, others: Mapping[str, Setting]) -> int:
    """The highest value of a setting."""
    return setting.high if isinstance(setting.high, int) else largest(others[setting.high], others)


def large(name: str) -> dict[str, int]:
    """The settings of a game that make its board as large as it can be."""
    known = nd.load(name).describe_settings()
    return {n: largest(one, known) for n, one in known.items() if not one.choices}


def watched(
    desk: Desk,
    name: str,
    *options: str,
    columns: int = 80,
    environment: Mapping[str, str] | None = None,
    most: int = 1000,
    settings: Mapping[str, int] | None = None,
) -> str:
    """All that a terminal shows of a game, or of its first few questions."""
    chosen = [word for n, value in (settings or {}).items() for word in ("--set", f"{n}={value}")]
    words = ("play", name, "--seed", "6", *chosen, *options)
    heard = ""
    with desk.sit(*words, columns=columns, environment=environment) as session:
        for n, line in enumerate(lines(new_match(name, 6, settings=settings), by_steps=True)):
            heard += hear_until(session, line.prompt[-20:])
            if n == most:
                session.type("quit")
                break
            session.type(line.text)
        heard += hear_out(session)
        assert session.status() == 0
    return heard


def words(text: str) -> list[str]:
    """The words of a session, wherever its lines are cut, without the boards around them."""
    return REMINDER.sub("", COMMAND.sub("", FRAME.sub("", bare(text)))).split()


def breadth(line: str) -> int:
    """How many columns a line takes."""
    return sum(0 if combining(one) else 1 + (east_asian_width(one) in "WF") for one in line)


def widest(text: str) -> str:
    """The line that takes the most columns, what is typed aside; a command is never cut."""
    return max(COMMAND.sub("", bare(text)).replace(SECRET, "").split("\n"), key=breadth)


@some_games
def test_colour_layout_and_width_never_change_the_words(name: str, desk: Desk) -> None:
    plain = watched(desk, name, "--plain")
    for columns, board in ((80, "always"), (NARROW, "changes")):
        pretty = watched(desk, name, "--board", board, columns=columns)
        assert "\x1b[" in pretty
        assert "╭" in pretty or board == "changes"
        assert words(pretty) == words(plain)
        assert breadth(widest(pretty)) <= columns


@pytest.mark.parametrize(
    ("options", "environment"),
    [(["--plain"], {}), ([], {"TERM": "dumb"})],
    ids=["--plain", "dumb"],
)
@some_games
def test_bare_text_has_no_escape_codes_and_no_frames(
    name: str, options: list[str], environment: dict[str, str], desk: Desk
) -> None:
    heard = watched(desk, name, *options, environment=environment, most=6)
    assert "\x1b" not in heard
    assert heard.isascii()


@every_game
def test_no_line_of_the_largest_game_is_wider_than_the_screen(name: str, desk: Desk) -> None:
    options = ("--board", "always")
    heard = watched(desk, name, *options, columns=NARROW, most=20, settings=large(name))
    assert breadth(widest(heard)) <= NARROW


@pytest.mark.parametrize(
    "names",
    ["A rather long name 1,A rather long name 2", "王" * 10 + ",Bo"],
    ids=["long", "wide"],
)
@some_games
def test_no_line_with_long_names_is_wider_than_the_screen(
    name: str, names: str, desk: Desk
) -> None:
    heard = ""
    with desk.sit("play", name, "--seed", "6", "--names", names, columns=NARROW) as session:
        for line in islice(lines(new_match(name, 6)), 6):
            heard += hear_until(session, line.prompt[-9:])
            session.type(line.text)
    assert breadth(widest(heard)) <= NARROW
    assert not re.search(r"Player\s+[12]\b", bare(heard))


@some_games
def test_help_board_and_rules_fit_on_a_narrow_screen(name: str, desk: Desk) -> None:
    line = next(iter(lines(new_match(name, 6))))
    with desk.sit("play", name, "--seed", "6", columns=NARROW) as session:
        heard = hear_until(session, line.prompt[-20:])
        for command in ("help", "board", "rules"):
            session.type(command)
            heard += hear_until(session, line.prompt[-20:])
    assert breadth(widest(heard)) <= NARROW


@pytest.mark.parametrize("columns", [NARROW, 80])
@some_games
def test_a_page_of_rules_fits_on_the_screen(name: str, columns: int, desk: Desk) -> None:
    with desk.sit("rules", name, columns=columns) as session:
        heard = hear_out(session)
    assert breadth(widest(heard)) <= columns


@pytest.mark.parametrize("columns", [NARROW, 80])
@pytest.mark.parametrize("words", ["rules", "play", "train drill"])
def test_rules_are_wrapped_once(words: str, columns: int, desk: Desk) -> None:
    game, question = nd.load("number-knot"), "available numbers:"
    with desk.sit(*words.split(), game.name, columns=columns) as session:
        if words != "rules":
            hear_until(session, question)
            session.type("rules")
        heard = bare(hear_until(session, question) if words != "rules" else hear_out(session))
    (rulings,) = [part for part in game.rule_sections() if part.title == "RULINGS"]
    assert rules_text([rulings], columns - 1) in heard


@pytest.mark.parametrize("columns", [NARROW, 80])
def test_the_menu_fits_on_the_screen(columns: int, desk: Desk) -> None:
    with desk.sit(columns=columns) as session:
        heard = hear_until(session, "to do? ")
    assert breadth(widest(heard)) <= columns


@some_games
def test_a_replay_fits_on_the_screen(name: str, desk: Desk) -> None:
    path = desk.keep(finished(name))
    desk.configure('board = "always"')
    with desk.sit("replay", str(path), "--delay", "0", columns=NARROW) as session:
        heard = hear_out(session)
    assert "╭" in heard
    assert breadth(widest(heard)) <= NARROW


def test_the_table_of_an_arena_fits_on_the_screen(desk: Desk) -> None:
    words = ("--players", "random", "level:1", "--games", "knot", "--pairs", "2")
    desk.run("arena", *words, "--workers", "1", "--out", "a.jsonl")
    with desk.sit("arena", "a.jsonl") as session:
        heard = bare(hear_out(session))
    assert breadth(widest(heard)) < 80
    headings = re.findall("^player .*", heard, re.MULTILINE)
    assert len(headings) > 1
    rows = re.findall("^(?:random|level:1) .*%.*", heard, re.MULTILINE)[:2]
    assert len(rows) == 2
    for row in rows:
        assert row.index("%") > headings[0].index("exploitable")
