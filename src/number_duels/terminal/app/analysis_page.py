"""A position: its winning chance, that of every option, and what comes after it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Choice

from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.history import History
from number_duels.core.record import with_names
from number_duels.games import load, names
from number_duels.review.position import TOLERANCE, Option, Position, examine_with_chances
from number_duels.review.text import BAR_WIDTH, advice, bar, safe_options
from number_duels.review.words import brings, capital, certain, chance, percent, verdict
from number_duels.solvers import solve
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.page import Menu
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.app.train.card import CardPage
from number_duels.trainer.spot import OpenSpot

AnyHistory = History[Hashable, Hashable, Hashable]
NAMES = (str(Seat.ONE), str(Seat.TWO))
#: What a line takes besides the move and what it brings, with the list's own margin and bar.
FIGURES_WIDTH = BAR_WIDTH + 14
SHORT_BAR_WIDTH = 8


class OptionMenu(Menu):
    """The options of a position: right goes on, left goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "select", "Choose", show=False),
        Binding("left", "screen.up", "Take back", show=False),
    ]


class AnalysisScreen(CardPage):
    """Choose or type a move to go on from it; Backspace goes back."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("↑ ↓", "mark a move"),
        ("Enter →", "play it"),
        ("a move", "type it, or several, as the rules write them"),
        ("Tab", "to the words, to scroll them"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "up", "Take back", key_display="←"),
        Binding("f1", "rules", "Rules"),
        Binding("f2", "other_game", "Next game"),
    ]

    def __init__(
        self, game: AnyGame, deal: str | None, moves: str, names: tuple[str, str] = NAMES
    ) -> None:
        super().__init__("Analysis", game.title)
        self._names = names
        self._game = game
        start = game.start(deal=deal)
        whole = History.read(game, start, moves)
        #: Every position on the way here; the last one is shown.
        self._path = [History(game, start, whole.steps[:n]) for n in range(len(whole.steps) + 1)]
        self._pending: dict[Seat, Hashable] = {}
        self._listed: list[Hashable] = []

    @property
    def here(self) -> AnyHistory:
        return self._path[-1]

    def content(self) -> ComposeResult:
        yield Preparation()
        with Horizontal(classes="columns"):
            with Vertical(classes="left"):
                yield Static("", id="line", classes="faint", markup=False)
                yield BoardView(self._names)
                with VerticalScroll(id="words"):
                    yield Static("", id="said", markup=False)
            with Vertical(classes="right"):
                yield Static("", id="columns", classes="faint", markup=False)
                yield OptionMenu("options")
                yield Input(
                    placeholder="type a move, or several",
                    id="typed",
                    compact=True,
                    select_on_focus=False,
                )

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.show_board()
        self.query_one("#said", Static).update("Working out the winning chance of each move …")
        self.query_one(Preparation).when_ready(self._game, self.work_out)

    # ---- what is shown ---------------------------------------------------------

    def work_out(self) -> None:
        history = self.here

        def examined() -> Position:
            return examine_with_chances(solve(self._game), history.state)

        self.work(examined, lambda position: self.show(history, position))

    def show_board(self) -> None:
        moves = str(self.here)
        chosen = "".join(f"  {seat} plays {move}" for seat, move in self._pending.items())
        self.query_one("#line", Static).update(
            with_names((f"after {moves}" if moves else "at the start") + chosen, self._names)
        )
        self.query_one(BoardView).show(self._game.board(self.here.state), {}, self.asked())

    def show(self, history: AnyHistory, position: Position) -> None:
        """The position in words, and what may follow."""
        if history is not self.here:
            return
        self._position = position
        said = [verdict(position.value, None, position.chances)]
        turn, seat = history.turn, self.asked()
        if position.outcome:
            said = [position.outcome.reason]
        elif seat is not None:
            said += words_beside_list(position, seat)
        self.query_one("#said", Static).update(with_names("\n".join(said) + "\n", self._names))
        if seat is not None:
            self.list_options(position, seat)
        elif isinstance(turn, Chance):
            self.list_events(turn)
        else:
            self.query_one("#columns", Static).update("")
            self.list_lines([], [])

    def asked(self) -> Seat | None:
        """Who chooses now; where both do, one after the other."""
        turn = self.here.turn
        if not isinstance(turn, Decision):
            return None
        return next((seat for seat in sorted(turn.options) if seat not in self._pending), None)

    def spot_here(self) -> OpenSpot | None:
        seat = self.asked()
        return None if seat is None else OpenSpot(self._game, self.here, seat)

    def list_options(self, position: Position, seat: Seat) -> None:
        """The options of a seat: what perfect play chooses first, then the best."""
        turn = self.here.turn
        assert isinstance(turn, Decision)
        by_text = {str(move): move for move in turn.options[seat]}
        options = sorted(position.options[seat], key=lambda o: (-o.probability, -o.value))
        wide = max(len(option.words) for option in options)
        room = self.query_one(OptionList).size.width
        lines = list(option_lines(options, wide, room))
        what = "winning chance" if room >= wide + 28 else "chance"
        self.query_one("#columns", Static).update(f"often  {self._names[seat]:{wide}}  {what}")
        self.list_lines([by_text[option.move] for option in options], lines)

    def list_events(self, turn: Chance[Hashable]) -> None:
        """What nature may bring, with its odds."""
        self.query_one("#columns", Static).update("what may be drawn")
        lines = [
            Content.assemble(
                (f" {self._game.draw_label} {event}  ", ""), (percent(float(odd)), "$faint")
            )
            for event, odd in turn.odds.items()
        ]
        self.list_lines(list(turn.odds), lines)

    def list_lines(self, listed: list[Hashable], lines: Sequence[Content]) -> None:
        self._listed = listed
        options = self.query_one(OptionList)
        options.set_options(map(Choice, lines))
        options.highlighted = 0 if lines else None

    # ---- keys and mouse --------------------------------------------------------

    def on_option_list_option_selected(self) -> None:
        place = self.query_one(OptionList).highlighted
        if place is not None and self._listed:
            self.follow(self._listed[place])

    def follow(self, chosen: Hashable) -> None:
        """Play a move, or let nature bring something."""
        turn, seat = self.here.turn, self.asked()
        if isinstance(turn, Chance):
            self.go_to(self.here.drawn(chosen))
        elif isinstance(turn, Decision) and seat is not None:
            self._pending[seat] = chosen
            if self.asked() is None:
                self.go_to(self.here.decided(self._pending))
            else:
                self.show_board()
                self.show(self.here, self._position)

    def go_to(self, *histories: AnyHistory) -> None:
        self._path += histories
        self.changed()

    def changed(self) -> None:
        self._pending = {}
        self._listed = []
        self.show_board()
        self.work_out()

    def action_up(self) -> None:
        if self._pending:
            self._pending = {}
            self.show_board()
            self.show(self.here, self._position)
        elif len(self._path) > 1:
            self._path.pop()
            self.changed()

    def on_key(self, event: Key) -> None:
        """A move may simply be typed; what the input has taken does not come here."""
        typed = self.query_one(Input)
        character = event.character or ""
        if character.isalnum() and character != "q":
            event.stop()
            typed.focus()
            typed.insert_text_at_cursor(character)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self.play_typed(event.value.strip())
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        event.input.value = ""
        self.query_one(OptionList).focus()

    def play_typed(self, text: str) -> None:
        """Play what was typed: one move as people type it, or turns as they are written."""
        turn, seat = self.here.turn, self.asked()
        if isinstance(turn, Decision) and seat is not None:
            try:
                move = self._game.parse(text)
            except ValueError:
                move = None
            if move in turn.options[seat]:
                self.follow(move)
                return
        whole = History.read(self._game, self.here.start, f"{self.here} {text}")
        steps = whole.steps
        if len(steps) > len(self.here):
            known = len(self.here)
            self.go_to(
                *(
                    History(self._game, whole.start, steps[: n + 1])
                    for n in range(known, len(steps))
                )
            )

    def action_leave(self) -> None:
        if self.query_one(Input).has_focus:
            self.query_one(Input).value = ""
            self.query_one(OptionList).focus()
        else:
            self.dismiss()

    def action_other_game(self) -> None:
        following = (names().index(self._game.name) + 1) % len(names())
        self.app.switch_screen(AnalysisScreen(load(names()[following]), None, ""))

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.app.push_screen(RulesScreen(self._game))


def words_beside_list(position: Position, seat: Seat) -> list[str]:
    """What a seat should do; a mixture is not written out again beside the list that has it."""
    said = list(advice(position, seat))
    if len(position.options) == 2 and not safe_options(position.options[seat]):
        said[0] = f"{seat}'s best is to choose by chance, as often as the list says."
    return said


def option_lines(options: Sequence[Option], wide: int, room: int) -> Iterator[Content]:
    """How often perfect play chooses each, its winning chance, and what it brings, if that fits."""
    room -= FIGURES_WIDTH + wide
    brought = [brings(option.value, option.chances) for option in options]
    if room < max(map(len, brought)):
        brought = [
            said if certain(option.value, option.chances) else chance(option.value)
            for option, said in zip(options, brought, strict=True)
        ]
    bar_width = BAR_WIDTH if room >= max(map(len, brought)) else SHORT_BAR_WIDTH
    for option, said in zip(options, brought, strict=True):
        played = option.probability > TOLERANCE
        often = percent(option.probability) if played else "·"
        yield Content.assemble(
            (f"{often:>5}  ", "bold $accent" if played else "$faint"),
            f"{capital(option.words):{wide}}  ",
            (bar((1 + option.value) / 2, bar_width), "$primary"),
            (f"  {said}", "$secondary"),
        )
