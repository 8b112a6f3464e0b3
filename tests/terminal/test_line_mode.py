"""The line mode at a terminal: what can be typed, what is drawn, what is dropped."""

from __future__ import annotations

import json
import os
import re

import pytest

import number_duels as nd
from number_duels.core.record import with_names
from tests.some_games import SECRET
from tests.terminal.desk import Desk, bare, hear_out, hear_until
from tests.terminal.script import lines, new_match
from tests.terminal.session import let_it_wait, wait_until

every_game = pytest.mark.parametrize("name", nd.games())
REMINDER = "You can always type help, rules, board, undo, back, save or quit."
NUMBER = "Select a number from the available numbers: "
ACTION = "opponent's life total (S): "
UP = "\x1b[A"


# ---- what can be typed -------------------------------------------------------


def test_the_first_line_on_a_terminal_names_the_commands(desk: Desk) -> None:
    with desk.sit("play", "knot", "--hints") as session:
        assert hear_until(session, NUMBER).startswith(REMINDER.replace("undo", "hint, undo"))
    done = desk.run("play", "knot", typed=["quit"])
    assert REMINDER not in done.out + done.err
    with desk.sit("play", "knot", "--plain") as session:
        assert REMINDER not in hear_until(session, NUMBER)


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        ((), {}, False),
        ((), {"TERM": "dumb"}, True),
        (("--board", "never"), {}, True),
        (("--plain",), {}, False),  # a document's session, word for word
    ],
)
def test_board_is_announced_where_none_is_drawn(
    options: tuple[str, ...], environment: dict[str, str], said: bool, desk: Desk
) -> None:
    with desk.sit("play", "knot", *options, environment=environment) as session:
        heard = " ".join(hear_until(session, NUMBER).split())
        assert ("type board to see it" in heard) is said


def test_a_choice_against_the_computer_is_echoed(desk: Desk) -> None:
    with desk.sit("play", SECRET, "--two", "random", environment={"TERM": "dumb"}) as session:
        asked = hear_until(session, ": ")
        let_it_wait(session.pid)
        assert session.echoes
        session.type("7")
        assert hear_until(session, asked.rpartition("\n")[2]).startswith("7\n")


@pytest.mark.parametrize("words", [("analyze", "bid"), ("analyze", "high", "--moves", "9/8")])
def test_plain_text_has_no_block_characters(words: tuple[str, ...], desk: Desk) -> None:
    with desk.sit(*words, "--plain") as session:
        heard = hear_out(session)
    assert re.search("#{4,}", heard)
    assert not re.search("[\N{UPPER HALF BLOCK}-\N{DARK SHADE}]", heard)


def test_a_question_mark_asks_for_help_and_q_quits(desk: Desk) -> None:
    done = desk.run("play", "knot", typed=["?", "5", " Q "])
    assert "You can also type:" in done.out
    assert (done.status, "Until next time." in done.err) == (0, True)


def test_back_goes_one_step_back(desk: Desk) -> None:
    moves = ["4", "back", "5", "s", "back", "quit"]
    done = desk.run("play", "knot", "--save", "g.json", typed=moves)
    assert json.loads((desk.folder / "g.json").read_text())["moves"] == "S5"
    assert "This move has no earlier step" in done.out.rpartition("Player 2's Turn")[2]
    deal = "294753618 672159834"
    moves = ["9", "7", "back", "8", "back", "back", "7", "5", "+", "", "quit"]
    done = desk.run("play", "drop", "--deal", deal, "--save", "d.json", typed=moves)
    assert json.loads((desk.folder / "d.json").read_text())["moves"] == "7+5"


def test_earlier_answers_come_back_and_can_be_edited(desk: Desk) -> None:
    with desk.sit("play", "knot", "--save", "g.json") as session:
        hear_until(session, NUMBER)
        session.type("S9")
        hear_until(session, NUMBER)
        session.type(f"{UP}\x7f8")
        hear_until(session, NUMBER)
        session.type("quit")
        hear_out(session)
    assert json.loads((desk.folder / "g.json").read_text())["moves"] == "S9 S8"


def test_no_secret_enters_the_history(desk: Desk) -> None:
    with desk.sit() as session:
        hear_until(session, "to do? ")
        session.type(str(nd.games().index("number-bid") + 1))
        hear_until(session, "Who plays? ")
        session.type("1")
        for line, seat in (("7", 1), ("quit", 2)):
            hear_until(session, f"Player {seat}, enter your bid: ")
            session.type(line)
        hear_until(session, "Play again? ")
        os.write(session.terminal, UP.encode())
        # The last answer to an open question stands there, and the one before it above.
        assert bare(hear_until(session, "1")) == "1"
        os.write(session.terminal, UP.encode())
        assert bare(hear_until(session, "2")).strip("\b") == "2"


def test_what_is_typed_while_the_computer_thinks_is_dropped(desk: Desk) -> None:
    (desk.folder / "slow.py").write_text(
        "import pathlib, time\n"
        "def choose(view, options, history):\n"
        "    pathlib.Path('thinks').touch()\n"
        "    while not pathlib.Path('go').exists():\n"
        "        time.sleep(0.01)\n"
        "    return 'A3' if 'A3' in map(str, options) else str(options[0])\n"
    )
    with desk.sit("play", "knot", "--two", "py:slow:choose", "--save", "g.json") as session:
        hear_until(session, NUMBER)
        session.type("S5")
        wait_until((desk.folder / "thinks").exists, "the computer thinks")
        session.type_ahead("S9")
        (desk.folder / "go").touch()
        heard = hear_until(session, NUMBER)
        assert "S9" not in heard
        session.type("S1")
        heard = hear_until(session, NUMBER)
        session.type("quit")
        hear_out(session)
    assert json.loads((desk.folder / "g.json").read_text())["moves"].startswith("S5 A3 S1")


def test_a_move_against_the_computer_is_taken_back_and_counted(desk: Desk) -> None:
    moves = ["undo", "S5", "undo", "S4", "undo", "S3", "quit"]
    options = ("--two", "random", "--seed", "4", "--save", "g.json")
    done = desk.run("play", "knot", *options, typed=moves)
    assert "There is no turn to take back yet." in done.out
    assert "The last turn is taken back. You have taken back 2 moves in this game." in done.out
    record = json.loads((desk.folder / "g.json").read_text())
    assert (record["takebacks"], record["moves"][:2]) == (2, "S3")


def test_hints_are_remembered_by_a_saved_game(desk: Desk) -> None:
    desk.run("play", "knot", "--hints", "--save", "g.json", typed=["S5"])
    resumed = desk.run("resume", "g.json", typed=["hint", "hint", "quit"])
    assert "Add 6, add 7" in resumed.out
    desk.run("play", "knot", "--save", "h.json", typed=["S5"])
    assert "Hints are off" in desk.run("resume", "h.json", typed=["hint", "quit"]).out


# ---- what is shown -----------------------------------------------------------


#: What a person and the computer are called.
NAMES = ("You", "Computer")


def frames(desk: Desk, name: str, *options: str) -> list[int]:
    """How many boards are drawn before each question of a whole game."""
    counts = []
    words = ("play", name, "--seed", "6", "--two", "random", *options)
    with desk.sit(*words) as session:
        for line in lines(new_match(name, 6, ("human", "random"))):
            counts.append(hear_until(session, with_names(line.prompt, NAMES)[-20:]).count("╭"))
            session.type(line.text)
        return [*counts, hear_out(session).count("╭")]


@every_game
def test_the_board_is_drawn_once_a_turn_and_not_where_the_words_show_it(
    name: str, desk: Desk
) -> None:
    game = nd.load(name)
    words = [*game.opening(game.start()), *game.announce(game.start(), None)]
    shown = [line for line in words if getattr(line, "kind", "") == "board"]
    drawn = frames(desk, name)
    assert drawn[0] == (0 if shown else 1)
    assert max(drawn) <= 1
    if shown:
        assert sum(drawn[:-1]) == 0


def test_the_board_is_drawn_as_often_as_is_wanted(desk: Desk) -> None:
    assert sum(frames(desk, "number-knot", "--board", "never")) == 0
    always = frames(desk, "number-knot", "--board", "always")
    assert set(always[1:-1]) == {2}  # the computer's turn, and one's own
    desk.configure('board = "never"\n')
    assert sum(frames(desk, "high-low-battle")) == 0


def test_no_color_takes_away_colour_alone(desk: Desk) -> None:
    environment = {"NO_COLOR": "1"}
    words = ("play", "knot", "--board", "always")
    with desk.sit(*words, environment=environment) as session:
        heard = hear_until(session, NUMBER)
    assert "╭" in heard
    assert "\x1b" not in heard


def test_a_card_that_was_drawn_waits_for_enter_when_resumed(desk: Desk) -> None:
    moves = ["", "k", "", "board"]
    desk.run("play", "stack", "--deal", "7 10", "--save", "g.json", typed=moves)
    with desk.sit("resume", "g.json") as session:
        heard = hear_until(session, "draw a card...")
        session.type("board")
        heard += hear_until(session, "draw a card...")
        assert "10" not in bare(heard).partition("Turn")[2].replace("1-10", "")
        session.type("")
        assert "You drew a 10." in hear_until(session, "(yes/no): ")


def test_bars_fit_and_begin_empty(desk: Desk) -> None:
    environment = {"XDG_CACHE_HOME": str(desk.folder / "cache")}
    with desk.sit("solve", "knot", "high", columns=50, environment=environment) as session:
        heard = hear_out(session)
    bars = re.findall(r"\r([^\r\x1b]*%)", heard)
    assert bars[0].endswith("]   0%")
    assert max(map(len, bars)) < 50
    for one in bars:
        assert one.endswith("100%") == ("." not in one)


@pytest.mark.parametrize("columns", [55, 60])
def test_what_is_wrapped_stays_in_its_column(columns: int, desk: Desk) -> None:
    with desk.sit("analyze", "bid", columns=columns) as session:
        heard = bare(hear_out(session))
    rows = heard.split("\n")
    options = [n for n, row in enumerate(rows) if "bid 1, 2" in row]
    column = rows[options[0]].index("bid 1")
    assert re.match(rf" {{{column}}}(bid )?\d", rows[options[0] + 1])


def test_a_large_solution_is_announced_before_it_is_made(desk: Desk) -> None:
    environment = {"XDG_CACHE_HOME": str(desk.folder / "cache")}
    words = ("play", "stack", "--two", "perfect")
    with desk.sit(*words, columns=50, environment=environment) as session:
        heard = hear_until(session, "  0%")
        os.write(session.terminal, b"\x03")
        hear_out(session)
        assert session.status() == 130
    assert re.search(r"takes 286 MB in the cache; see: .*cache\n", bare(heard))
    assert not list((desk.folder / "cache").rglob("number-stack*"))


# ---- the disk ----------------------------------------------------------------


def break_folder(desk: Desk) -> None:
    """Nothing can be written where the game was."""
    (desk.folder / "sub").rename(desk.folder / "gone")
    (desk.folder / "sub").write_text("in the way")


def test_a_disk_that_fails_in_mid_game_is_answered_with_another_file(desk: Desk) -> None:
    with desk.sit("play", "knot", "--save", "sub/g.json") as session:
        hear_until(session, NUMBER)
        session.type("S5")
        hear_until(session, NUMBER)
        break_folder(desk)
        session.type("S1")
        heard = hear_until(session, "without saving: ")
        assert "cannot be saved to sub/g.json" in heard
        assert "Player 2 subtracts" not in heard
        session.type("sub")
        assert "sub exists already." in hear_until(session, "without saving: ")
        session.type("other.json")
        assert "subtracts 1" in hear_until(session, NUMBER)
        session.type("A2")
        hear_until(session, NUMBER)
        session.type("quit")
        assert "duels resume other.json" in hear_out(session)
        assert session.status() == 0
    assert json.loads((desk.folder / "other.json").read_text())["moves"] == "S5 S1 A2"


def test_a_game_goes_on_without_being_saved(desk: Desk) -> None:
    with desk.sit("play", "knot", "--save", "sub/g.json") as session:
        hear_until(session, NUMBER)
        break_folder(desk)
        session.type("S5")
        hear_until(session, "without saving: ")
        session.type("")
        hear_until(session, NUMBER)
        session.type("save")
        assert "This game is not saved." in hear_until(session, NUMBER)
        session.type("quit")
        assert "This game was not saved." in hear_out(session)


def test_a_card_is_on_disk_before_anybody_sees_it(desk: Desk) -> None:
    words = ("play", "stack", "--deal", "7 10", "--save", "sub/g.json")
    with desk.sit(*words) as session:
        hear_until(session, "draw a card...")
        break_folder(desk)
        session.type("")
        assert "You drew" not in hear_until(session, "without saving: ")
        session.type("")
        assert "You drew a 7." in hear_until(session, "(yes/no): ")
