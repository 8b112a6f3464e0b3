"""A user's own defaults, in the XDG folder for settings."""

from __future__ import annotations

import pytest

from tests.terminal.desk import Desk, hear_until


def test_names_are_taken_from_the_settings(desk: Desk) -> None:
    desk.configure('names = "Ann,Bo"\n')
    assert "Ann, enter your bid: " in desk.run("play", "bid").out
    assert "Cy, enter your bid: " in desk.run("play", "bid", "--names", "Cy,Di").out


@pytest.mark.parametrize("plain", [True, False])
def test_plain_is_taken_from_the_settings(plain: bool, desk: Desk) -> None:
    desk.configure(f"plain = {str(plain).lower()}\n")
    with desk.sit("play", "bid") as session:
        heard = hear_until(session, "enter your bid: ")
    assert ("\x1b" not in heard) is plain


@pytest.mark.parametrize("plain", [True, False])
def test_the_menu_honours_the_settings_too(plain: bool, desk: Desk) -> None:
    desk.configure(f'plain = {str(plain).lower()}\nnames = "Ann,Bo"\n')
    with desk.sit() as session:
        heard = hear_until(session, "to do? ")
        session.type("Number Bid")
        heard += hear_until(session, "plays? ")
        session.type("1")
        heard += hear_until(session, "Ann, enter your bid: ")
    assert ("\x1b" not in heard) is plain


@pytest.mark.parametrize(
    "text",
    [
        "names = Ann",
        "names = 3",
        'names = "Ann"',
        'names = "Ann,Ann"',
        'plain = "yes"',
        "colour = true",
        "[",
        "\0",
    ],
)
def test_a_broken_file_is_refused_in_a_sentence_and_left_alone(text: str, desk: Desk) -> None:
    path = desk.configure(text)
    done = desk.run("play", "bid")
    assert done.status in (1, 2)
    assert done.out == ""
    assert "config.toml" in done.sentence
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_is_not_text_is_refused_in_a_sentence(desk: Desk) -> None:
    desk.configure("").write_bytes(b"\xff\xfe\x00")
    assert "config.toml" in desk.run("list").sentence


def test_help_and_version_need_no_settings(desk: Desk) -> None:
    desk.configure("[")
    assert desk.run("--version").status == 0
    assert desk.run("--help").status == 0


def test_a_folder_for_settings_that_cannot_be_looked_into_is_no_reason_for_a_traceback(
    desk: Desk,
) -> None:
    done = desk.run("list", XDG_CONFIG_HOME="/" + "a" * 5000)
    assert "Traceback" not in done.err


def test_a_folder_that_is_named_relatively_is_passed_over(desk: Desk) -> None:
    desk.configure('names = "Ann,Bo"\n')
    done = desk.run("play", "bid", XDG_CONFIG_HOME="config", XDG_DATA_HOME="data")
    assert "Player 1, enter your bid: " in done.out
    assert not desk.games.exists()
