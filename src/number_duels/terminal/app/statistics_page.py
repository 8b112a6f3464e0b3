"""The statistics page: results by opponent, and what moves cost, over time and by phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from number_duels.core.scene import Scene
from number_duels.terminal.app.charts import column_chart
from number_duels.terminal.app.page import ReadingPage
from number_duels.terminal.saves import saved_games

NO_GAMES = (
    "No finished game against the computer is kept yet.\n\n"
    "Play one: q, then choose a game, then Enter. Here you will then see how often you win, "
    "what your moves cost, and in which part of a game. Nothing leaves this machine."
)
CHART_ROWS = 6
BAR_WIDTH = 20


def graded() -> Scene | None:
    """Grade all saved games. Return the statistics, or None if no game counts."""
    from number_duels.review.player_stats import player_stats
    from number_duels.sessions.statistics import statistics_scene

    stats = player_stats([game.record for game in saved_games()])
    return statistics_scene(stats) if stats.games else None


class StatisticsScreen(ReadingPage):
    """Statistics of all finished games against the computer, computed in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "saved_games", "Saved games"),
    ]

    def __init__(self) -> None:
        super().__init__("Statistics")
        self._scene: Scene | None = None

    def content(self) -> ComposeResult:
        with VerticalScroll(classes="reading", can_focus=False), Container(classes="pair"):
            yield Static("Looking through your games …", id="results", markup=False)
            yield Static("", id="losses", markup=False)

    def on_mount(self) -> None:
        self.work(graded, self.show)

    def show(self, scene: Scene | None) -> None:
        self._scene = scene
        if scene is None:
            self.query_one("#results", Static).update(NO_GAMES)
            return
        self.say(scene.title, scene.headline)
        self.query_one("#results", Static).update(Content("\n").join(result_lines(scene)))
        self.show_losses()

    def on_resize(self) -> None:
        super().on_resize()
        self.call_after_refresh(self.show_losses)

    def show_losses(self) -> None:
        if self._scene:
            losses = self.query_one("#losses", Static)
            width = max(10, min(60, losses.size.width - 6))
            losses.update(Content("\n").join(loss_lines(self._scene, width)))

    def action_saved_games(self) -> None:
        from number_duels.terminal.app.saved_games_page import SavedGamesScreen

        self.app.switch_screen(SavedGamesScreen())


def title(text: str) -> Content:
    return Content.styled(text, "bold $primary")


def result_lines(scene: Scene) -> Iterator[Content]:
    (table,) = (table for table in scene.tables if table.kind == "scores")
    wide = max(len(row.words) for row in table.rows)

    def line(*cells: str) -> str:
        figures = zip(cells, table.columns, strict=True)
        return "".join(f"  {cell:>{len(column)}}" for cell, column in figures)

    yield title(table.title)
    yield Content.styled(" " * wide + line(*table.columns), "$faint")
    for row in table.rows:
        yield Content.assemble((f"{row.words:{wide}}", "bold"), line(*row.cells))
    yield from (Content(text) for text in ("", *scene.lines))


def loss_lines(scene: Scene, width: int) -> Iterator[Content]:
    """Yield the cost per move in each game and each part of a game, and the notes."""
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
    yield from (Content.styled(note, "$faint") for note in ("", *scene.notes))
