"""The command line: what it answers, where it answers, and with which status it ends."""

from __future__ import annotations

import json
import re
import shlex

import pytest

import number_duels as nd
from number_duels.terminal.completion import candidates_for
from number_duels.terminal.parser import COMMANDS
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk

every_game = pytest.mark.parametrize("name", nd.games())
some_games = pytest.mark.parametrize("name", SOME_GAMES)
WITH_TURNS = [name for name in nd.games() if "first" in nd.load(name).settings]
AT_ONCE = [name for name in nd.games() if name not in WITH_TURNS]


# ---- what is right -----------------------------------------------------------


def test_the_version_is_that_of_the_package(desk: Desk) -> None:
    done = desk.run("--version")
    assert (done.status, done.out) == (0, f"number-duels {nd.__version__}\n")


def test_the_list_names_every_game(desk: Desk) -> None:
    done = desk.run("list")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == list(nd.games())


def test_the_list_as_json_is_one_value_with_what_the_contract_names(desk: Desk) -> None:
    done = desk.run("list", "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert [game["name"] for game in found] == list(nd.games())
    for game in found:
        assert list(game) == ["name", "title", "settings", "summary"]
        assert game["settings"] == nd.load(game["name"]).settings
        assert game["title"] == nd.load(game["name"]).title
        assert game["summary"]


@every_game
def test_the_rules_have_every_setting_and_its_range(name: str, desk: Desk) -> None:
    done = desk.run("rules", name)
    assert (done.status, done.err) == (0, "")
    assert nd.load(name).title in done.out
    for setting, described in nd.load(name).describe_settings().items():
        (line,) = (one for one in done.out.splitlines() if one.startswith(f"  {setting} = "))
        assert f"{setting} = {described.default} " in line
        bounds = described.choices or (described.low, described.high)
        assert all(str(bound) in line for bound in bounds)
        assert described.meaning in line


def parts(name: str) -> set[str]:
    """Parts of a game's name that no other game has, in a few spellings."""
    pieces = {name[a:b] for a in range(len(name)) for b in range(a + 3, len(name) + 1)}
    alone = sorted(p for p in pieces if sum(p in other for other in nd.games()) == 1)
    return {name.upper(), name.replace("-", " "), name.replace("-", "_"), alone[0], alone[-1]}


@every_game
def test_any_unambiguous_part_of_a_name_will_do(name: str, desk: Desk) -> None:
    for part in parts(name):
        done = desk.run("rules", "--", part)
        assert done.status == 0, (part, done.err)
        assert done.out.startswith(nd.load(name).title)


def test_names_may_be_of_any_script(desk: Desk) -> None:
    done = desk.run("play", "bid", "--names", "Zoë,李小龙", typed=["3", "4"], PYTHONUTF8="1")
    assert "李小龙 wins the round" in done.out
    assert "Zoë, enter your bid: " in done.out
    assert "Player" not in done.out


def test_names_that_a_screen_cannot_show_do_not_stop_a_game(desk: Desk) -> None:
    done = desk.run(
        "play", "bid", "--names", "Zoë,李小龙", typed=["3", "4"], PYTHONIOENCODING="ascii"
    )
    assert done.status == 130
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", WITH_TURNS)
def test_who_is_first_can_be_said_or_tossed(name: str, desk: Desk) -> None:
    firsts = {}
    for first in ("1", "2", "random"):
        desk.run("play", name, "--first", first, "--seed", "4", "--save", f"{first}.json")
        record = json.loads((desk.folder / f"{first}.json").read_text(encoding="utf-8"))
        firsts[first] = record["settings"]["first"]
    assert (firsts["1"], firsts["2"]) == (1, 2)
    assert firsts["random"] in (1, 2)


# ---- what is wrong -----------------------------------------------------------

WRONG = {
    "play": ["game"],
    "play chess": list(nd.games()),
    "play knott": ["did you mean number-knot?"],
    "play high-low-batle": ["did you mean high-low-battle?"],
    "play number": ["number-bid", "number-knot", "number-drop", "type more"],
    "play ''": list(nd.games()),
    "play bid --set numbers": ["NAME=VALUE", "numbers="],
    "play bid --set numbers=": ["2 to 20"],
    "play bid --set numbers=99": ["2 to 20", "99"],
    "play bid --set numbers=-1": ["2 to 20"],
    "play bid --set numbers=ten": ["2 to 20", "ten"],
    "play bid --set numbers=\N{FULLWIDTH DIGIT FIVE}": ["2 to 20"],
    "play bid --set colour=red": ["colour", "numbers"],
    "play battle --set rounds=10": ["1 to cards (9)"],
    "play battle --set level=flat": ["sudden-death or draw"],
    "play knot --first 3": ["1", "2", "random"],
    "play knot --set first=3": ["1 or 2"],
    "play stack --deal '7 11'": ["1 to 10"],
    "play stack --deal '7 7 7 7 7'": ["4 of card 7"],
    "play drop --deal 123": ["such as"],
    "play drop --deal '123456789 123456788'": ["once"],
    "play bid --deal '1 2'": ["shuffles nothing"],
    "play bid --names Ann": ["Ann,Bo"],
    "play bid --names Ann,Bo,Cy": ["Ann,Bo"],
    "play bid --names Ann,Ann": ["different"],
    "play bid --names ,Bo": ["1 to 20"],
    f"play bid --names {'a' * 21},Bo": ["1 to 20"],
    "play bid --names 'A\x1bB,Bo'": ["printable"],
    "play bid --one alien": ["alien", "human", "random"],
    "play bid --two level:9": ["level:9", "human", "random"],
    "play bid --two ''": ["human", "random"],
    "play bid --seed seven": ["seven"],
    "play bid --colour": ["--colour"],
    "rules": ["GAME"],
    "rules chess": list(nd.games()),
    "replay game.json --delay soon": ["soon"],
    "replay game.json --delay=-1": ["--delay", "seconds from 0 to 99"],
    "replay game.json --delay=nan": ["--delay", "seconds from 0 to 99"],
    "completion tcsh": ["bash", "zsh", "fish"],
    "dance": ["play", "rules", "list"],
    "plya": ["There is no command 'plya'; did you mean play?"],
    "--plain reviw": ["did you mean review?"],
    "list bid": ["bid"],
}


@pytest.mark.parametrize("command", WRONG)
def test_a_wrong_argument_is_answered_with_what_would_be_right(command: str, desk: Desk) -> None:
    done = desk.run(*shlex.split(command))
    assert (done.status, done.out) == (2, "")
    for words in WRONG[command]:
        assert words.casefold() in done.sentence.casefold()
    assert "_complete" not in done.sentence
    assert not desk.games.exists()


@pytest.mark.parametrize("name", AT_ONCE)
@pytest.mark.parametrize("option", ["--first 1", "--first random", "--set first=1"])
def test_games_in_which_both_choose_at_once_have_no_first_player(
    name: str, option: str, desk: Desk
) -> None:
    done = desk.run("play", name, *option.split())
    assert done.status == 2
    assert "both players choose at once" in done.sentence


@pytest.mark.parametrize("command", ["replay nothing.json", "resume nothing.json"])
def test_a_file_that_is_not_there_is_named(command: str, desk: Desk) -> None:
    done = desk.run(*command.split())
    assert done.status in (1, 2)
    assert done.out == ""
    assert "nothing.json" in done.sentence


@pytest.mark.parametrize("name", ["a" * 300, "a" * 5000])
def test_a_name_that_is_too_long_for_a_file_is_refused_in_a_sentence(name: str, desk: Desk) -> None:
    done = desk.run("play", "bid", "--save", name)
    assert done.status in (1, 2)
    assert "long" in done.sentence


def test_an_argument_that_is_not_text_is_refused_in_a_sentence(desk: Desk) -> None:
    for command in ("play \udcff", "play bid --names \udcff,Bo", "play bid --set \udcff=1"):
        done = desk.run(*command.split())
        assert done.status == 2
        assert done.sentence


def test_help_is_as_wide_as_the_screen(desk: Desk) -> None:
    widths = [
        max(map(len, desk.run("play", "--help", COLUMNS=str(columns)).out.splitlines()))
        for columns in (60, 120)
    ]
    assert widths[0] < 60 < widths[1] < 120


def test_help_shows_every_command_and_no_machinery(desk: Desk) -> None:
    done = desk.run("--help")
    assert (done.status, done.err) == (0, "")
    for command in ("list", "rules", "play", "resume", "replay", "completion"):
        assert f" {command} " in done.out.replace("\n", " ")
    assert "_complete" not in done.out
    assert "SUPPRESS" not in done.out


def test_help_lists_the_commands_in_four_groups(desk: Desk) -> None:
    lines = desk.run("--help").out.splitlines()
    groups = [line.rstrip(":") for line in lines if re.fullmatch("[a-z]+:", line)]
    assert groups == ["options", *COMMANDS] == ["options", "play", "learn", "measure", "host"]
    listed = [line.split(maxsplit=1) for line in lines if re.match("  [a-z]", line)]
    assert listed == [
        [name, text] for group in COMMANDS.values() for name, (_, text) in group.items()
    ]
    assert all(re.fullmatch(r"[A-Z][^.]*\.", text) for _, text in listed)


@pytest.mark.parametrize(("command", "most"), [("train", 12), ("book", 2)])
def test_a_command_has_few_options(command: str, most: int) -> None:
    options = [o for o in candidates_for([command, "--"]) if o != "--help"]
    assert len(options) <= most
