"""The log beside the board, when it is longer than its place."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from number_duels.core.scene import Told
from number_duels.terminal.app.board_view import LogView
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import rows_of


class LogApp(App[int]):
    CSS = "#log { scrollbar-gutter: stable; }"

    def compose(self) -> ComposeResult:
        yield LogView(("Ann", "Computer"), id="log")


@pytest.mark.parametrize("height", range(4, 9))
@awaited
async def test_a_long_log_begins_with_a_whole_entry(height: int) -> None:
    said = "Ann subtracts five from Computer, who has three life left and many numbers left."
    log = [Told(turn, (), said) for turn in range(1, 8)]
    app = LogApp()
    async with app.run_test(size=(40, height)) as pilot:
        app.query_one(LogView).show(log)
        await pilot.pause()
        await pilot.pause()
        (first, *_) = rows_of(app)
        assert first.lstrip()[:1].isdecimal()
        assert any(row.lstrip().startswith("7 ") for row in rows_of(app))
