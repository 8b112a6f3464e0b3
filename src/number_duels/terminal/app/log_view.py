"""What happened so far, in the game's own words, beside the board."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from number_duels.core.game import AnyGame, Seat
from number_duels.core.names import named_parts
from number_duels.core.player import AnyMatch
from number_duels.core.text import kind_of
from number_duels.sessions.play import AnyStep, concession
from number_duels.terminal.app.board_view import SEAT_STYLES


class LogView(VerticalScroll, can_focus=False):
    """The words of a game; the newest stay in sight."""

    def __init__(self, names: tuple[str, str], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names

    def compose(self) -> ComposeResult:
        yield Static(id="log-lines")

    def show(self, lines: Iterable[str]) -> None:
        """Replace everything that is told."""
        said = [styled(line, self.names) for line in lines]
        self.query_one("#log-lines", Static).update(Content("\n").join(said))
        self.call_after_refresh(self.scroll_end, animate=False)

    def on_resize(self) -> None:
        self.scroll_end(animate=False)


def game_log(match: AnyMatch, viewer: Seat | None) -> list[str]:
    """The whole game so far in words, as a viewer may hear them."""
    lines = list(told(match.game, match.steps(viewer), match.view(viewer), viewer))
    if not match.history.steps:
        lines += announced(match.game, match.view(viewer), viewer)
    return [*lines, *concession(match)]


def told(
    game: AnyGame, steps: Sequence[AnyStep], now: Hashable, viewer: Seat | None
) -> Iterator[str]:
    """Some steps of a game in words, without what the board shows."""
    yield from worth_telling(game.opening(steps[0].before if steps else now))
    begins = True
    for step in steps:
        if begins:
            yield from announced(game, step.before, viewer)
        yield from worth_telling(game.tell(step.before, step.moves, step.after, viewer))
        begins = bool(step.moves)


def announced(game: AnyGame, view: Hashable, viewer: Seat | None) -> Iterator[str]:
    """The heading of a turn, after an empty line."""
    yield ""
    yield from (line for line in game.announce(view, viewer) if kind_of(line) == "heading")


def worth_telling(lines: Iterable[str]) -> Iterator[str]:
    """Lines without boards, rules and gaps, and without headings that would stand alone."""
    heading = ""
    for line in lines:
        kind = kind_of(line)
        if kind in ("heading", "board"):
            heading = line if kind == "heading" else ""
        elif kind == "said" and line.strip():
            if heading:
                yield heading
                heading = ""
            yield line.strip()


def styled(line: str, names: tuple[str, str]) -> Content:
    """A line with the players' names, each in its colour."""
    said = Content.assemble(
        *(
            part if seat is None else (part, SEAT_STYLES[seat])
            for part, seat in named_parts(line, names)
        )
    )
    return said.stylize("bold") if kind_of(line) == "heading" else said
