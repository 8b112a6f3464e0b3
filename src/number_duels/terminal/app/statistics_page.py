"""The statistics page: results by game and opponent, and the cost of moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from number_duels.core.clock import Clock
from number_duels.core.scene import Scene, Table
from number_duels.terminal.app.charts import column_chart
from number_duels.terminal.app.page import ReadingPage
from number_duels.terminal.line.console import aligned
from number_duels.terminal.menu_entries import read_book
from number_duels.terminal.saves import saved_games

NO_GAMES = (
    "There is no game to count yet.\n\n"
    "Press q, choose a game, and play the computer. This page then shows how often you win, "
    "how much your moves cost, and in which part of a game they cost most. "
    "Your results stay on this machine."
)
CHART_ROWS = 6
BAR_WIDTH = 20


def graded(clock: Clock) -> Scene:
    from number_duels.review.player_stats import player_stats
    from number_duels.sessions.statistics import statistics_scene, training_sentences
    from number_duels.terminal.commands.book import local_day

    training = training_sentences(read_book(clock), local_day(clock))
    stats = player_stats([game.record for game in saved_games()])
    return statistics_scene(stats, training=training)


class LossView(Static):
    scene: Scene | None = None

    def on_resize(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        if self.scene:
            width = max(10, min(60, self.size.width - 6))
            self.update(Content("\n").join(loss_lines(self.scene, width)))


class StatisticsScreen(ReadingPage):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("s", "saved_games", "Saved games")]

    def __init__(self) -> None:
        super().__init__("Statistics")

    def content(self) -> ComposeResult:
        with VerticalScroll(classes="reading", can_focus=False):
            yield Static("Reading your games …", id="games", markup=False)
            with Container(classes="pair"):
                yield Static("", id="results", markup=False)
                yield LossView("", id="losses", markup=False)

    def on_mount(self) -> None:
        self.work(partial(graded, self.duels.clock), self.show)

    def show(self, scene: Scene) -> None:
        scores = [table for table in scene.tables if table.kind == "scores"]
        if not scores:
            self.query_one("#games", Static).update(
                "\n\n".join([NO_GAMES, *scene.lines, *scene.notes])
            )
            return
        self.say(scene.title, scene.headline)
        by_game, by_opponent = scores
        counts = Content.styled(scene.notes[0], "$faint")
        self.query_one("#games", Static).update(Content("\n").join([*score_lines(by_game), counts]))
        self.query_one("#results", Static).update(
            Content("\n").join([*score_lines(by_opponent), *map(Content, ("", *scene.lines))])
        )
        losses = self.query_one(LossView)
        losses.scene = scene
        losses.redraw()

    def action_saved_games(self) -> None:
        from number_duels.terminal.app.saved_games_page import SavedGamesScreen

        self.app.switch_screen(SavedGamesScreen())


def title(text: str) -> Content:
    return Content.styled(text, "bold $primary")


def score_lines(table: Table) -> Iterator[Content]:
    wide = max(len(row.words) for row in table.rows)
    rows = [("", *table.columns), *((row.words, *row.cells) for row in table.rows)]
    head, *lines = aligned(rows, right=range(1, len(rows[0])))
    yield title(table.title)
    yield Content.styled(head, "$faint")
    yield from (Content.assemble((line[:wide], "bold"), line[wide:]) for line in lines)


def loss_lines(scene: Scene, width: int) -> Iterator[Content]:
    if scene.chart:
        yield title(scene.chart.title)
        yield from column_chart(scene.chart, width, CHART_ROWS)
    for table in (table for table in scene.tables if table.kind == "shares"):
        yield Content("")
        yield title(table.title)
        for row in table.rows:
            filled, (share, mean) = round(BAR_WIDTH * row.share), row.cells
            yield Content.assemble(
                f"{row.words:9}",
                ("█" * filled, "$accent"),
                ("░" * (BAR_WIDTH - filled), "$faint"),
                f" {share:>4}",
                (f"  {mean}", "$faint"),
            )
    yield from (Content.styled(note, "$faint") for note in ("", *scene.notes[1:]))
