"""Settings: typed as text, checked against their range."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.settings import Setting
from tests.some_games import SOME_GAMES

LENGTH = Setting(5, "how long it is", low=1, high="width")
WIDTH = Setting(9, "how wide it is", low=1, high=13)
KIND = Setting("oak", "what it is made of", choices=("oak", "ash"))


@pytest.mark.parametrize(("text", "value"), [("5", 5), (" 12 ", 12), ("oak", "oak"), ("-3", "-3")])
def test_a_typed_value_is_a_number_or_a_word(text: str, value: int | str) -> None:
    assert WIDTH.read(text) == value


@pytest.mark.parametrize("text", ["", "\u0663", "9" * 5000, "1.5", "1e3", "\x00"])
def test_any_other_text_is_read_as_a_word_and_is_out_of_range(text: str) -> None:
    assert not WIDTH.accepts(WIDTH.read(text), {})


@pytest.mark.parametrize(("value", "right"), [(1, True), (13, True), (0, False), (14, False)])
def test_a_range_includes_its_ends(value: int, right: bool) -> None:
    assert WIDTH.accepts(value, {}) is right


def test_a_range_can_end_where_another_setting_stands() -> None:
    assert LENGTH.accepts(9, {"width": 9})
    assert not LENGTH.accepts(9, {"width": 8})
    assert LENGTH.allowed({"width": 8}) == "1 to width (8)"


def test_truth_is_not_a_number() -> None:
    assert not WIDTH.accepts(True, {})
    assert not Setting(1, "who is first", choices=(1, 2)).accepts(True, {})


def test_choices_are_named() -> None:
    assert KIND.allowed({}) == "oak or ash"
    assert KIND.accepts("ash", {})
    assert not KIND.accepts("elm", {})


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(
        ValueError, match="There is no game named 'chess'; the games are "
    ) as refusal:
        nd.load("chess")
    assert all(name in str(refusal.value) for name in nd.games())


@pytest.mark.parametrize("name", nd.games())
def test_a_game_is_loaded_by_its_name_with_its_settings(name: str) -> None:
    game = nd.load(name)
    described = game.describe_settings()
    assert game.settings == {setting: one.default for setting, one in described.items()}
    assert all(one.meaning for one in described.values())


@pytest.mark.parametrize("name", SOME_GAMES)
@pytest.mark.parametrize("setting", ["name", "game", "cls", "self", "title"])
def test_no_word_is_mistaken_for_something_else_than_a_setting(name: str, setting: str) -> None:
    with pytest.raises(ValueError, match=f"has no setting {setting}"):
        nd.load(name, **{setting: 1})
