"""How often each choice is made: a slider for each, by arrows, clicks or typing."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from number_duels.terminal.app.board_view import Line
from number_duels.terminal.ui.text_width import fold
from number_duels.trainer.exercise import MIXTURE, read_answer
from number_duels.trainer.spot import OpenSpot

SLIDER_WIDTH = 20
STEP, FINE_STEP, MOST = 5, 1, 100
BETWEEN_COLUMNS = 4
HOW_TO = "↑↓ another choice, ←→ how often, Enter when done; or type it: {}"
#: The keys of a slider besides those that type: which slider, and how far.
KEYS = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -STEP),
    "right": (0, STEP),
    "shift+left": (0, -FINE_STEP),
    "shift+right": (0, FINE_STEP),
    "home": (0, -MOST),
    "end": (0, MOST),
}


class Sliders(Widget):
    """A mixture that is put together; like the choices, it is passed the keys by its screen."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.spot: OpenSpot | None = None
        self.then: Callable[[str], None] | None = None
        self.moves: list[str] = []
        self.weights: list[int] = []
        self.marked = 0
        self.typed = self.reason = ""

    def ask(self, spot: OpenSpot, then: Callable[[str], None]) -> None:
        """Begin with nothing chosen."""
        self.spot, self.then = spot, then
        self.moves = list(map(str, spot.options))
        self.weights = [0] * len(self.moves)
        self.marked, self.typed, self.reason = 0, "", ""
        self.refresh(layout=True)

    def stop(self) -> None:
        self.spot = self.then = None
        self.refresh(layout=True)

    @property
    def text(self) -> str:
        """The mixture as it would be typed."""
        shares = zip(self.moves, self.weights, strict=True)
        return " ".join(f"{move}:{weight}" for move, weight in shares if weight)

    # ---- keys and clicks -------------------------------------------------------

    def key(self, event: events.Key) -> bool:
        """Take a key; False: it means nothing here."""
        if self.spot is None:
            return False
        letter = event.character if event.is_printable else None
        if event.key in KEYS and not self.typed:
            self.slide(*KEYS[event.key])
        elif event.key == "enter":
            self.accept()
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
        elif letter and self.begins(letter):
            self.typed += letter
        else:
            return False
        self.refresh(layout=True)
        return True

    def begins(self, letter: str) -> bool:
        """Whether a letter is typed; others are commands."""
        if self.typed:
            return letter != "?"
        return any(move.casefold().startswith(letter.casefold()) for move in self.moves)

    def slide(self, other: int, by: int) -> None:
        self.reason = ""
        self.marked = (self.marked + other) % len(self.moves)
        self.weights[self.marked] = max(0, min(MOST, self.weights[self.marked] + by))

    def accept(self) -> None:
        """Enter: what is typed, or what the sliders say."""
        if self.spot is None or not (text := self.typed or self.text):
            self.reason = "Give at least one choice a weight."
            return
        try:
            read_answer(self.spot, text, MIXTURE)
        except ValueError as error:
            self.reason, self.typed = str(error), ""
            return
        then = self.then
        self.stop()
        if then:
            then(text)

    def clear(self) -> bool:
        """Take back what was typed or refused; False: there is nothing."""
        had = bool(self.typed or self.reason)
        self.typed = self.reason = ""
        self.refresh(layout=True)
        return had and self.spot is not None

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.spot is None:
            return
        event.stop()
        columns, wide = self.columns(self.content_size.width), self.cell_width
        row, column = at.y, at.x // (wide + BETWEEN_COLUMNS)
        place = row * columns + column
        if column < columns and place < len(self.moves):
            self.marked = place
            slid = at.x - column * (wide + BETWEEN_COLUMNS) - self.label_width
            if 0 <= slid <= SLIDER_WIDTH:
                self.weights[place] = round(slid * MOST / SLIDER_WIDTH / STEP) * STEP
            self.refresh(layout=True)

    # ---- drawing ---------------------------------------------------------------

    @property
    def label_width(self) -> int:
        return 3 + max(map(len, self.moves), default=0)

    @property
    def cell_width(self) -> int:
        return self.label_width + SLIDER_WIDTH + len("  100")

    def columns(self, width: int) -> int:
        return max(1, (width + BETWEEN_COLUMNS) // (self.cell_width + BETWEEN_COLUMNS))

    def lines(self, width: int) -> list[Line]:
        if self.spot is None:
            return []
        columns, lines = self.columns(width), list[Line]()
        for start in range(0, len(self.moves), columns):
            row: Line = ()
            for place in range(start, min(start + columns, len(self.moves))):
                row += (*self.cell(place), (" " * BETWEEN_COLUMNS, ""))
            lines.append(row)
        total = sum(self.weights)
        shares = "" if total in (0, MOST) else f", counted as shares of {total}"
        lines.append(((f"Total {total}{shares}", "bold"),))
        if self.typed:
            lines.append((("> ", "$accent"), (f"{self.typed}█", "bold")))
        else:
            example = " ".join(f"{move}:50" for move in self.moves[-2:])
            lines.append(((HOW_TO.format(example)[:width], "$faint"),))
        lines += [((part, "$error"),) for part in fold(self.reason, width) if part]
        return lines

    def cell(self, place: int) -> Line:
        """One slider: its choice, how far it is, and the figure."""
        is_marked = place == self.marked
        move, weight = self.moves[place], self.weights[place]
        filled = round(SLIDER_WIDTH * weight / MOST)
        label = f"{'▸' if is_marked else ' '} {move:>{self.label_width - 3}} "
        return (
            (label, "bold $accent" if is_marked else "bold"),
            ("━" * filled, "$primary"),
            ("─" * (SLIDER_WIDTH - filled), "$faint"),
            (f"  {weight:>3}", "bold reverse" if is_marked else ""),
        )

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def render(self) -> Content:
        lines = self.lines(self.content_size.width)
        return Content("\n").join(Content.assemble(*line) for line in lines)
