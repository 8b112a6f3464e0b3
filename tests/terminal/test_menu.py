"""The menu: everything can be reached from it, by people who know no command."""

from __future__ import annotations

import pytest

import number_duels as nd
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk, bare, hear_out, hear_until
from tests.terminal.script import AGAINST_RANDOM, lines, new_match, typed

some_games = pytest.mark.parametrize("name", SOME_GAMES)
WELCOME = "What would you like to do? "


def number_of(name: str) -> str:
    """What is typed in the menu for a game."""
    return str(nd.games().index(name) + 1)


@some_games
def test_every_game_is_played_and_played_again(name: str, desk: Desk) -> None:
    # Without a seed only games that shuffle nothing can be typed ahead; others are quit.
    match = new_match(name, 3)
    shuffled = match.record.deal is not None or not isinstance(match.turn, nd.Decision)
    whole = ["quit"] if shuffled else typed(match)
    done = desk.run(typed=[number_of(name), "1", *whole, "y", *whole, "n", "q"])
    assert done.status == 0
    assert "Traceback" not in done.err
    assert done.out.count("Play again? ") == 2
    assert done.out.endswith("Goodbye!\n")
    assert len(desk.saved) == (0 if shuffled else 2)


def test_a_game_is_played_against_the_computer(desk: Desk) -> None:
    done = desk.run(typed=["Number Knot", "Against random", "quit", "n", "q"])
    assert (done.status, "Until next time." in done.err) == (0, True)
    first = next(iter(lines(new_match("number-knot", 1, AGAINST_RANDOM))))
    assert first.prompt in done.out


@some_games
def test_rules_are_read_and_the_menu_comes_back(name: str, desk: Desk) -> None:
    done = desk.run(typed=["r", number_of(name), "q"])
    assert (done.status, done.err) == (0, "")
    assert nd.load(name).rules.splitlines()[0] in done.out
    assert done.out.count(WELCOME) == 2


def test_an_interrupted_game_is_continued(desk: Desk) -> None:
    assert "Continue" not in desk.run(typed=["q"]).out
    desk.run("play", "bid", typed=["3", "4"])
    done = desk.run(typed=["c", "quit", "q"])
    assert done.status == 0
    assert "Continue" in done.out
    assert "Available Numbers: 1, 2, 5" in done.out or "Available Numbers: 1 2 5" in done.out


def test_a_finished_game_is_watched(desk: Desk) -> None:
    assert "No game is saved yet." in desk.run(typed=["s", "q"]).out
    desk.run("play", "bid", "--seed", "3", typed=typed(new_match("number-bid", 3)))
    done = desk.run(typed=["s", "1", "w", "q"])
    assert done.status == 0
    assert "Continue" not in done.out
    assert "Final Scores:" in done.out


@pytest.mark.parametrize("first", ["1", "r", "s", "t", "e", "m"])
def test_every_page_has_a_way_back_and_says_so(first: str, desk: Desk) -> None:
    desk.run("play", "bid", typed=["3", "4"])
    done = desk.run(typed=[first, "q", "q"])
    assert done.status == 0
    assert done.out.count(WELCOME) == 2
    assert "q  Back" in done.out
    assert done.out.count("q  Quit") == 2


@pytest.mark.parametrize("wrong", ["", "0", "99", "chess", "\x1b[A", "\N{FULLWIDTH DIGIT ONE}"])
def test_a_wrong_answer_gets_a_reason_and_another_try(wrong: str, desk: Desk) -> None:
    done = desk.run(typed=[wrong, "1", wrong, "q", "q"])
    assert done.status == 0
    assert done.out.count(WELCOME) == 3
    assert done.out.count("Who plays? ") == 2
    assert "Against level 3  plays a random move on about" in done.out
    for reason in done.out.split(WELCOME)[1], done.out.split("Who plays? ")[1]:
        line = reason.strip().partition("\n")[0]
        assert line.endswith(".")
        assert "type" in line or "choose" in line
        assert " q" in line


@pytest.mark.parametrize("answers", [[], ["r"], ["1"], ["1", "1"], ["nonsense"]])
def test_closed_input_interrupts(answers: list[str], desk: Desk) -> None:
    done = desk.run(typed=answers)
    assert done.status == 130
    assert "Traceback" not in done.err


@pytest.mark.parametrize("key", [b"\x03", b"\x04"])
def test_the_keys_that_interrupt_end_the_menu(key: bytes, desk: Desk) -> None:
    with desk.sit() as session:
        hear_until(session, WELCOME)
        session.press(key)
        heard = hear_out(session)
        assert session.status() == 130
    assert "Traceback" not in heard


def test_a_file_cannot_send_codes_to_the_screen(desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    record = nd.Match(nd.load("number-bid"), 1, started="\x1b[2J\x07").record
    (desk.games / "1.json").write_text(record.to_json())
    done = desk.run(typed=["s", "q", "q"])
    assert done.status == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out


def test_computer_players_are_measured(desk: Desk) -> None:
    done = desk.run(typed=["m", "m", number_of("number-knot"), "q"])
    assert done.status == 0
    assert "number-knot: 300 games" in done.out
    assert done.out.endswith("Goodbye!\n")


@pytest.mark.slow
def test_games_are_solved(desk: Desk) -> None:
    done = desk.run(typed=["m", "s", "q"])
    assert (done.status, done.out.count(WELCOME)) == (0, 2)
    assert all(nd.load(name).title in done.out for name in nd.games())


def test_settings_are_changed_and_the_full_screen_comes_back(desk: Desk) -> None:
    path = desk.configure("plain = true\n")
    done = desk.run(typed=["e", "Plain", "theme", "Names", "Ann,Bo", "q", "q"])
    assert (done.status, done.err) == (0, "")
    assert "Full-screen mode opens the next time you run `duels`." in done.out
    assert f"Changes are saved immediately, in {path}." in done.out
    text = path.read_text(encoding="utf-8")
    assert text.startswith("plain = false\n")
    assert 'theme = "light"\n' in text
    assert 'names = "Ann,Bo"\n' in text


def test_a_saved_game_is_reviewed_and_deleted_by_the_keys_of_the_full_screen(desk: Desk) -> None:
    desk.run("play", "knot", "--seed", "3", typed=typed(new_match("number-knot", 3)))
    assert desk.run("review").out in desk.run(typed=["s", "1", "v", "q"]).out
    assert "To agree without a terminal" in desk.run(typed=["s", "1", "d", "q"]).out


def test_a_newcomer_is_offered_a_lesson_first(desk: Desk) -> None:
    first = desk.run(typed=["n", "quit", "q"])
    learn = "New here? Learn Number Knot in 3 minutes, or just play a game below"
    assert first.out.splitlines()[3] == f"  n  {learn}"
    assert "step 1 of" in first.out
    desk.run("play", "bid", typed=["3", "4"])
    assert "New here?" not in desk.run(typed=["q"]).out


# ---- at a terminal -----------------------------------------------------------


def test_a_page_waits_for_enter(desk: Desk) -> None:
    with desk.sit() as session:
        hear_until(session, WELCOME)
        session.type("r")
        hear_until(session, "Which game? ")
        session.type("1")
        heard = hear_until(session, "back to the menu...")
        assert WELCOME not in bare(heard)
        session.type("")
        hear_until(session, WELCOME)


def test_ctrl_c_goes_back_one_level(desk: Desk) -> None:
    with desk.sit() as session:
        hear_until(session, WELCOME)
        bid, who = number_of("number-bid"), "Who plays? "
        for dialogue in (
            ("r", "Which game? ", "\x03", WELCOME),
            (bid, who, "n", "separated by a comma: ", "\x03", who, "\x03", WELCOME),
            (bid, who, "1", "Player 1, enter your bid: ", "\x03", WELCOME),
        ):
            for typed_or_key, prompt in zip(dialogue[::2], dialogue[1::2], strict=True):
                if typed_or_key == "\x03":
                    session.press(b"\x03")
                else:
                    session.type(typed_or_key)
                hear_until(session, prompt)
        session.press(b"\x03")
        hear_out(session)
        assert session.status() == 130


def test_names_seat_and_first_are_chosen_and_remembered(desk: Desk) -> None:
    knot = number_of("number-knot")
    chosen = [knot, "n", "Ann,Bo", "s", "f", "h", "Against random", "5", "A", "quit", "n", "q"]
    desk.run("play", "bid", typed=["3", "4"])
    done = desk.run(typed=chosen)
    assert "you play as Bo against the computer" in done.out
    assert "Bo takes the first turn" in done.out
    assert "Bo's Turn:\nSelect a number" in done.out
    again = desk.run(typed=["l", "hint", "quit", "n", knot, "q", "q"])
    assert "Like last time         Number Knot, against Random" in again.out
    assert "Bo's Turn:\nSelect a number" in again.out
    assert "Hints are off" in again.out
    assert "you play as Bo against the computer" in again.out


@pytest.mark.parametrize("wrong", ["Ann", "Ann,Ann", "a,b,c"])
def test_wrong_names_are_refused_and_none_changes_nothing(wrong: str, desk: Desk) -> None:
    done = desk.run(typed=[number_of("number-bid"), "n", wrong, "", "q", "q"])
    assert done.status == 0
    assert done.out.count("Names            Player 1 and Player 2") == 2


def test_long_notes_are_wrapped_below_themselves(desk: Desk) -> None:
    with desk.sit(columns=60) as session:
        rows = bare(hear_until(session, WELCOME)).split("\n")
    (first,) = (n for n, row in enumerate(rows) if "Keep each card" in row)
    column = rows[first].index("Keep")
    assert rows[first + 1][:column].isspace()
    assert not rows[first + 1][column].isspace()


def test_the_book_is_opened_from_the_menu_of_training(desk: Desk) -> None:
    for words, keys in (((), ["t", "b", "q"]), (("train",), ["b"])):
        done = desk.run(*words, typed=keys)
        assert not done.status
        assert "Your book is empty" in done.out
