"""One's own record: results by opponent, what is thrown away over time, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from number_duels.players.registry import full_name
from number_duels.review.words import cost, percent
from number_duels.terminal.app.charts import column_chart
from number_duels.terminal.app.page import Page
from number_duels.terminal.saves import saved_games

if TYPE_CHECKING:
    from number_duels.review.player_stats import OwnGame, PlayerStats

NO_GAMES = (
    "No finished game against the computer is kept yet.\n\n"
    "Play one: q, then choose a game, then Enter. Here you will then see how often you win, "
    "what you throw away, and in which part of a game. Nothing leaves this machine."
)
CHART_ROWS = 6
BAR_WIDTH = 20


def graded() -> PlayerStats:
    """What all saved games say; grades those that were not graded before."""
    from number_duels.review.player_stats import player_stats

    return player_stats([record for _, record in saved_games()])


class StatisticsScreen(Page):
    """Figures of all finished games against the computer; worked out in the background."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = ()
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1)", "Scroll", key_display="↑↓"),
        Binding("down", "scroll(1)", "Scroll", show=False),
        Binding("s", "saved_games", "Saved games"),
    ]

    def __init__(self) -> None:
        super().__init__("Statistics")
        self._stats: PlayerStats | None = None

    def content(self) -> ComposeResult:
        with VerticalScroll(classes="reading", can_focus=False), Container(classes="pair"):
            yield Static("Looking through your games …", id="results", markup=False)
            yield Static("", id="losses", markup=False)

    def on_mount(self) -> None:
        self.work(graded, self.show)

    def show(self, stats: PlayerStats) -> None:
        self._stats = stats
        if not stats.games:
            self.query_one("#results", Static).update(NO_GAMES)
            return
        score = stats.score
        games = "1 game" if score.played == 1 else f"{score.played} games"
        self.say(
            "Statistics",
            f"{games}: {score.won} won, {score.drawn} drawn, {score.lost} lost",
        )
        self.query_one("#results", Static).update(Content("\n").join(result_lines(stats)))
        self.show_losses()

    def on_resize(self) -> None:
        if self._stats and self._stats.games:
            self.call_after_refresh(self.show_losses)

    def show_losses(self) -> None:
        assert self._stats
        losses = self.query_one("#losses", Static)
        width = min(60, losses.size.width - 6)
        losses.update(Content("\n").join(loss_lines(self._stats, max(10, width))))

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def action_saved_games(self) -> None:
        from number_duels.terminal.app.saved_games_page import SavedGamesScreen

        self.app.switch_screen(SavedGamesScreen())


def title(text: str) -> Content:
    return Content.styled(text, "bold $primary")


def result_lines(stats: PlayerStats) -> Iterator[Content]:
    """Results by opponent, streaks, and what does not count."""
    from number_duels.review.review_text import carelessness

    yield title("Results")
    yield Content.styled(f"{'':12}games  won  drawn  lost  thrown away", "$faint")
    for who, games in stats.opponents.items():
        yield opponent_line(full_name(who), games)
    if len(stats.opponents) > 1:
        yield opponent_line("all", stats.games)
    yield Content("")
    if abs(stats.streak) > 1:
        yield Content(f"You {'won' if stats.streak > 0 else 'lost'} the last {abs(stats.streak)}.")
    yield Content(f"Your longest streak: {stats.longest_streak} won in a row.")
    if stats.over_time:
        yield Content(f"All together, you {you(carelessness(stats.tally.carelessness))}.")
    yield Content("")
    left_out = [f"{reason} ({count})" for reason, count in stats.left_out.items()]
    if left_out:
        yield Content.styled(f"Not counted: {', '.join(left_out)}.", "$faint")
    for reason, count in stats.ungraded.items():
        yield Content.styled(f"Not graded ({count}): {reason.rstrip('.')}.", "$faint")


def you(said: str) -> str:
    """What is said of a player, said to that player."""
    return said.replace("throws", "throw", 1).replace("every", "found that every", 1)


def opponent_line(name: str, games: Sequence[OwnGame]) -> Content:
    results = [game.result for game in games]
    won, drawn, lost = (results.count(result) for result in (1, 0, -1))
    thrown = [game.thrown_away for game in games if game.thrown_away is not None]
    mean = cost(2 * fmean(thrown)) if thrown else "·"
    return Content.assemble(
        (f"{name:12.12}", "bold"), f"{len(games):5}{won:5}{drawn:7}{lost:6}{mean:>13}"
    )


def loss_lines(stats: PlayerStats, width: int) -> Iterator[Content]:
    """What is thrown away, game by game, and in which part of the games."""
    thrown = stats.over_time
    if not thrown:
        return
    yield title("Winning chance thrown away, from the first game to the last")
    top = max(0.1, *thrown)
    yield from column_chart(thrown, width, CHART_ROWS, top)
    yield Content("")
    yield title("Where it is thrown away")
    whole = stats.tally.loss
    for phase, tally in stats.phases.items():
        part = tally.loss / whole if whole else 0.0
        filled = round(BAR_WIDTH * part)
        yield Content.assemble(
            f"{phase.capitalize():9}",
            ("█" * filled, "$accent"),
            ("░" * (BAR_WIDTH - filled), "$faint"),
            f" {percent(part):>4}",
            (f"  {cost(tally.loss / max(1, tally.games))} a game", "$faint"),
        )
