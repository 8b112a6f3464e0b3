"""One mistake has one figure wherever a person reads: percent of the winning chance."""

from __future__ import annotations

import re

from textual.widgets import OptionList

from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.statistics_page import StatisticsScreen
from number_duels.terminal.saves import games_folder
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, settle, text_of
from tests.terminal.app.samples import ANN, COMPUTER, sample_record
from tests.terminal.desk import Desk

#: Only subtracting 3 wins at once; Ann's subtract 1 turns that win into a loss.
SMALL = ("--set", "numbers=3", "--set", "life=3")
RECORD = sample_record("number-knot", None, "S1 S3", (ANN, COMPUTER), numbers=3, life=3)
#: Values, and the words that used to stand beside other figures.
OTHER_UNITS = re.compile(r"[+\N{MINUS SIGN}-]?[012]\.\d{3}\b|of the points|\bworth\b|thrown away")


def lines_with(words: str, text: str) -> list[str]:
    """The lines that have some words, in one unit."""
    assert not OTHER_UNITS.search(text), text
    return [" ".join(line.split()) for line in text.splitlines() if words in line]


def test_a_lost_win_costs_100_percent_at_the_terminal(desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    (desk.games / "game.json").write_text(RECORD.to_json(), encoding="utf-8")
    review = desk.run("review").out
    (turn,) = lines_with("subtract 1  ", review)
    assert re.fullmatch(r"1 Ann subtract 1 100% ·+ 0%", turn)
    assert lines_with("Ann: ", review) == [
        "Ann: 1 mistake in 1 move. It lowered Ann's winning chance from 100% to 0%."
    ]
    stats = desk.run("stats").out
    assert lines_with("Level 2", stats) == ["Level 2 1 0 0 1 100% -"]
    assert lines_with("A move lowers", stats)[0].startswith(
        "A move lowers the winning chance by 100%"
    )
    drill = ("train", "knot", *SMALL, "--moves", "", "--seat", "1", "--count", "1")
    trained = desk.run(*drill, typed=["S1"]).out
    assert lines_with("Wrong", trained) == ["Wrong: it lowers your winning chance from 100% to 0%."]
    assert lines_with("on average", trained) == [
        "0 of 1 right. Your answers lower the winning chance by 100% on average."
    ]
    hint = desk.run("play", "knot", *SMALL, "--hints", typed=["hint", "hint", "hint", "quit"]).out
    assert lines_with("subtract 3: wins", hint) == ["############ 100% subtract 3: wins"]
    assert lines_with("each loses", hint) == ["············ 0% subtract 1 or 2: each loses"]


@awaited
async def test_a_lost_win_costs_100_percent_on_the_full_screen() -> None:
    games_folder().mkdir(parents=True, exist_ok=True)
    (games_folder() / "game.json").write_text(RECORD.to_json(), encoding="utf-8")
    async with opened() as (app, pilot):
        await app.push_screen(ReviewScreen(RECORD))
        await settle(pilot)
        options = app.screen.query_one(OptionList)
        assert str(options.get_option_at_index(1).prompt).endswith(" 100%")
        said = text_of(app, "#why")
        assert lines_with("Ann: ", said) == [
            "Ann: 1 mistake in 1 move. It lowered Ann's winning chance from 100% to 0%."
        ]
        await app.push_screen(StatisticsScreen())
        await settle(pilot)
        assert lines_with("Level 2", text_of(app, "#results")) == ["Level 2 1 0 0 1 100% -"]
