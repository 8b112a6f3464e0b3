"""A user's own defaults, in the XDG folder for settings."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

import pytest

from number_duels.terminal.config import (
    Config,
    choices,
    config_path,
    meaning,
    read_config,
    remember,
    write_config,
)
from number_duels.terminal.errors import CommandError
from tests.terminal.desk import Desk, hear_until

#: A file as somebody may have written it by hand.
BY_HAND = """\
# us
  names = 'Ann,Bo'   # and nobody else
seat=2"""
OTHER = Config(
    names='A "B",C\\D',
    plain=True,
    board="never",
    hints=False,
    theme="high-contrast",
    calm=True,
    game="number-drop",
    opponent="perfect",
    seat=2,
    both="Ann,Cy",
)


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


# ---- written by the program ----------------------------------------------------


def by_hand(text: str) -> Path:
    config_path().parent.mkdir(parents=True, exist_ok=True)
    config_path().write_text(text, encoding="utf-8")
    return config_path()


def test_what_is_written_is_read_again() -> None:
    assert all(getattr(OTHER, one.name) != one.default for one in fields(Config))
    for config in (OTHER, Config(), OTHER):
        write_config(config)
        assert read_config() == config


def test_the_file_says_what_every_key_means() -> None:
    remember(theme="light")
    text = config_path().read_text(encoding="utf-8")
    for name in asdict(Config()):
        assert f"\n# {meaning(name)}\n{name} = " in text


def test_comments_and_order_of_a_file_written_by_hand_survive() -> None:
    by_hand(BY_HAND)
    remember(names="Cy,Di", theme="light")
    text = config_path().read_text(encoding="utf-8")
    assert text.startswith('# us\n  names = "Cy,Di"   # and nobody else\nseat=2\n')
    assert read_config() == Config(names="Cy,Di", theme="light", seat=2)


def test_nothing_is_written_where_nothing_changes() -> None:
    path = by_hand(BY_HAND)
    remember(names="Ann,Bo", seat=2)
    assert path.read_text(encoding="utf-8") == BY_HAND


def test_a_link_to_a_file_elsewhere_stays_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.toml"
    elsewhere.write_text('theme = "light"\n', encoding="utf-8")
    config_path().parent.mkdir(parents=True)
    config_path().symlink_to(elsewhere)
    remember(calm=True)
    assert config_path().is_symlink()
    assert "calm = true" in elsewhere.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["[", "thme = 3", "names = '''\nAnn,Bo'''"])
def test_remembering_never_stops_a_game_nor_harms_a_file(text: str) -> None:
    path = by_hand(text)
    remember(names="Cy,Di")
    assert path.read_text(encoding="utf-8") == text
    with pytest.raises(CommandError, match=r"config\.toml"):
        write_config(Config())


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null")
    remember(calm=True)
    with pytest.raises(CommandError, match="cannot be written"):
        write_config(Config())


def test_what_is_wrong_is_not_remembered() -> None:
    remember(theme="blue")
    remember(colour="red")
    assert not config_path().exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thme = 'x'", "There is no setting 'thme'; did you mean theme?"),
        ("zzz = 1", "the settings are names, plain, board,"),
        ("theme = 'blue'", 'theme must be "dark", "light" or "high-contrast", not \'blue\'.'),
        ("plain = 'yes'", "plain must be true or false, not 'yes'."),
        ("seat = 3", "seat must be 1 or 2, not '3'."),
        ("seat = true", "seat must be 1 or 2, not 'True'."),
        ("game = 3", "game must be text in quotes, not '3'."),
        ("opponent = 'bot:me'", '"level:5" or "perfect", not'),
        ("names = 'Ann'", "such as Ann,Bo."),
    ],
)
def test_a_mistake_is_answered_with_what_is_right(text: str, words: str) -> None:
    by_hand(text)
    with pytest.raises(CommandError) as refusal:
        read_config()
    assert words in str(refusal.value)


def test_any_part_of_a_name_means_a_game_here_too() -> None:
    by_hand("game = 'knot'")
    assert read_config().game == "number-knot"


def test_a_game_that_is_no_longer_installed_is_none() -> None:
    by_hand("game = 'take-away'\ntheme = 'light'")
    assert read_config() == Config(theme="light")
    remember(game="number-knot")
    assert read_config() == Config(theme="light", game="number-knot")


def test_every_choice_that_is_offered_is_taken() -> None:
    for name in asdict(Config()):
        for choice in choices(name):
            remember(**{name: choice})
            assert getattr(read_config(), name) == choice
