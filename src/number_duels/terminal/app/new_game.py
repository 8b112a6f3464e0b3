"""A new game: who plays, under which names, where, with which settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Button, Input, Label, Static

from number_duels.core.game import AnyGame, Seat
from number_duels.core.names import YOU
from number_duels.core.randomness import fresh_seed, toss
from number_duels.core.record import COMPUTER_NAME, check_names, split_names
from number_duels.core.settings import Setting
from number_duels.games import find, load
from number_duels.players.registry import HUMAN, KINDS, full_name, known_scores
from number_duels.review.words import chance
from number_duels.terminal.app.form import (
    FORM_NOTES,
    Choice,
    ChoiceRow,
    Form,
    NumberRow,
    Row,
    TextRow,
)
from number_duels.terminal.app.page import Page, Preparation

#: Settings change many times while a key is held; the solver need not see each.
SETTLED_S = 0.3
YES_OR_NO = (Choice("yes", "on"), Choice("no", "off"))


@dataclass(frozen=True)
class NewGame:
    """What was chosen: enough to sit down at the table."""

    game: AnyGame
    names: tuple[str, str]
    who: tuple[str, str]
    hints: bool


class NewGameScreen(Page):
    """All of it prefilled: Enter starts at once."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = FORM_NOTES
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("f1", "rules", "Rules"),
        Binding("f2", "analyze", "Analysis"),
    ]

    def __init__(self, game_name: str, again: NewGame | None = None) -> None:
        kind = find(game_name)
        super().__init__(kind.title, kind.summary)
        self._kind, self._again = kind, again
        self._known = kind.describe_settings()
        self._toss = toss(fresh_seed())
        self._settled: Timer | None = None

    # ---- the form --------------------------------------------------------------

    def content(self) -> ComposeResult:
        with Form():
            yield from self.people_rows()
            if "first" in self._known:
                yield self.first_row()
            hints = self._again.hints if self._again else self.duels.config.hints
            note = "A hint says what to do and why, at the key h."
            yield ChoiceRow("hints", "Hints", YES_OR_NO, "yes" if hints else "no", note)
            if any(name != "first" for name in self._known):
                yield Label("Settings", classes="section")
            for name, setting in self._known.items():
                if name != "first":
                    yield self.setting_row(name, setting)
        yield Static("", id="help", markup=False)
        with Horizontal(id="bottom"):
            yield Button("Start", id="start", compact=True, variant="primary")
            yield Preparation()

    def people_rows(self) -> Iterator[Row | TextRow]:
        config, again = self.duels.config, self._again
        seat = Seat(config.seat - 1)
        who, names = config.opponent, list(split_names(config.names))
        if again:
            seat = Seat.TWO if again.who[0] != HUMAN else Seat.ONE
            who, names = again.who[seat.other], list(again.names)
        usual = [str(Seat.ONE), str(Seat.TWO)]
        mine, other = (name if name not in (*usual, COMPUTER_NAME) else "" for name in names)
        if who != HUMAN and seat is Seat.TWO:
            mine, other = other, mine
        yield ChoiceRow("opponent", "Opponent", opponents(self.game_so_far(), seat), who)
        note = "The name that the words use; it may stay empty."
        yield TextRow("mine", "Your name", mine, YOU, note)
        yield TextRow("other", "Player 2", other, str(Seat.TWO), note)
        seats = [Choice("1", "Player 1"), Choice("2", "Player 2")]
        yield ChoiceRow("seat", "You are", seats, str(seat + 1), "Which seat you take.")

    def first_row(self) -> ChoiceRow:
        first = "1" if self._again is None else str(self._again.game.settings["first"])
        choices = [
            Choice("1", "Player 1"),
            Choice("2", "Player 2"),
            Choice("random", "by lot", "A coin decides, when the game starts."),
        ]
        return ChoiceRow("first", "First turn", choices, first, "Who takes the first turn.")

    def setting_row(self, name: str, setting: Setting) -> Row:
        chosen = self.game_so_far().settings
        allowed = setting.allowed(chosen)
        note = f"{setting.meaning} ({allowed})"
        if setting.choices:
            choices = [Choice(str(one), str(one), note) for one in setting.choices]
            return ChoiceRow(f"set-{name}", name, choices, str(chosen[name]))
        high = setting.high if isinstance(setting.high, int) else self._known[setting.high].high
        assert isinstance(high, int)
        return NumberRow(
            f"set-{name}", name, int(chosen[name]), low=setting.low, high=high, note=note
        )

    # ---- what is chosen --------------------------------------------------------

    def game_so_far(self) -> AnyGame:
        """The game to start from: the one played before, or the usual one."""
        return self._again.game if self._again else load(self._kind.name)

    def chosen(self, name: str) -> str:
        found = self.query(f"#row-{name}").first() if self.query(f"#row-{name}") else None
        return found.value if isinstance(found, Row | TextRow) else ""

    def chosen_game(self) -> AnyGame:
        """The game with its settings; a ValueError says what is wrong with one."""
        settings = {
            name: setting.read(self.chosen(f"set-{name}"))
            for name, setting in self._known.items()
            if name != "first"
        }
        if "first" in self._known:
            first = self.chosen("first")
            settings["first"] = self._toss if first == "random" else int(first)
        return load(self._kind.name, **settings)

    def new_game(self) -> NewGame:
        """All that is chosen; a ValueError says what is wrong."""
        seat, who = Seat(int(self.chosen("seat")) - 1), self.chosen("opponent")
        mine, other = self.chosen("mine"), self.chosen("other")
        hints = self.chosen("hints") == "yes"
        if who == HUMAN:
            names, seats = (mine or str(Seat.ONE), other or str(Seat.TWO)), (HUMAN, HUMAN)
        else:
            names, seats = (mine or str(seat), COMPUTER_NAME), (HUMAN, who)
            if seat is Seat.TWO:
                names, seats = names[::-1], seats[::-1]
        check_names(*names)
        return NewGame(self.chosen_game(), names, seats, hints)

    # ---- while it is chosen ----------------------------------------------------

    def on_mount(self) -> None:
        self.show_people()
        self.query_one("#row-opponent").focus()
        self.prepare()

    def on_row_changed(self, event: Row.Changed) -> None:
        self.show_people()
        self.show_help()
        if event.row.key not in ("hints", "seat"):
            if self._settled:
                self._settled.stop()
            self._settled = self.set_timer(SETTLED_S, self.prepare)

    def show_people(self) -> None:
        """Two people both have names; against the computer one has a seat."""
        alone = self.chosen("opponent") != HUMAN
        seat = Seat(int(self.chosen("seat")) - 1)
        self.query_one("#row-seat").display = alone
        self.query_one("#row-other").display = not alone
        mine = self.query_one("#row-mine", TextRow)
        mine.rename("Your name" if alone else "Player 1", YOU if alone else str(Seat.ONE))
        row = self.query_one("#row-opponent", ChoiceRow)
        row.change(opponents(self.valid_game(), seat))

    def valid_game(self) -> AnyGame:
        """The chosen game, or the usual one while a setting is half typed."""
        try:
            return self.chosen_game()
        except ValueError:
            return self.game_so_far()

    def on_descendant_focus(self) -> None:
        self.show_help()

    def show_help(self) -> None:
        """Say what the row under the keys means."""
        focused = self.focused.parent if isinstance(self.focused, Input) else self.focused
        note = focused.note if isinstance(focused, Row | TextRow) else ""
        self.query_one("#help", Static).update(note[:1].upper() + note[1:], layout=False)

    def prepare(self) -> None:
        """Let the computer get ready while the player still chooses."""
        who, preparation = self.chosen("opponent"), self.query_one(Preparation)
        try:
            game = self.chosen_game()
        except ValueError as error:
            preparation.cancel()
            self.query_one("#help", Static).update(str(error))
            return
        if who in ("random", HUMAN):
            preparation.cancel()
        else:
            preparation.prepare(game)

    # ---- and then --------------------------------------------------------------

    def on_button_pressed(self) -> None:
        self.action_start()

    def action_start(self) -> None:
        try:
            chosen = self.new_game()
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        if any(who not in (HUMAN, "random") for who in chosen.who):
            self.query_one(Preparation).when_ready(chosen.game, lambda: self.begin(chosen))
        else:
            self.begin(chosen)

    def begin(self, chosen: NewGame) -> None:
        """Sit down at the table; the form is not what one comes back to."""
        from number_duels.terminal.app.table import start_game

        self.remember(chosen)
        app = self.duels
        self.dismiss()
        app.call_later(start_game, app, chosen)

    def remember(self, chosen: NewGame) -> None:
        """Keep what was chosen for the next time; the computer's name is nobody's."""
        names = list(split_names(self.duels.config.names))
        for seat, who in zip(Seat, chosen.who, strict=True):
            if who == HUMAN and "," not in chosen.names[seat]:
                names[seat] = chosen.names[seat]
        computer = next(
            (seat for seat, who in zip(Seat, chosen.who, strict=True) if who != HUMAN), None
        )
        changes = {} if names[0] == names[1] else {"names": ",".join(names)}
        if computer is not None:
            self.duels.remember(seat=computer.other + 1)
        self.duels.remember(
            game=chosen.game.name,
            opponent=HUMAN if computer is None else chosen.who[computer],
            hints=chosen.hints,
            **changes,
        )

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.app.push_screen(RulesScreen(self.valid_game()))

    def action_analyze(self) -> None:
        from number_duels.terminal.app.analysis_page import AnalysisScreen

        self.app.push_screen(AnalysisScreen(self.valid_game(), None, ""))


# ---- who can sit on the other side --------------------------------------------


def opponents(game: AnyGame, seat: Seat) -> list[Choice]:
    return [
        Choice(who, short_name(who), expectation(who, game, seat), alone_name(who)) for who in KINDS
    ]


def short_name(who: str) -> str:
    """A player's word, short enough for all of them to stand in one line.

    >>> [short_name(who) for who in ("human", "level:1", "level:4", "perfect")]
    ['Two people', 'Level 1', '4', 'Perfect']
    """
    kind, _, level = who.partition(":")
    if who == HUMAN:
        return "Two people"
    return (f"Level {level}" if level == "1" else level) if level else kind.capitalize()


def alone_name(who: str) -> str:
    """A player's word where the others do not stand beside it."""
    return short_name(who) if who == HUMAN else full_name(who)


def expectation(who: str, game: AnyGame, seat: Seat) -> str:
    """What a player does, and what two others score against it, where that is known."""
    if who == HUMAN:
        return "You take turns at this keyboard; secret choices are made behind a curtain."
    said = f"{full_name(who)} {KINDS[who]}."
    known = scores_against(who, game, seat)
    if known is None:
        return said
    least, most = known
    chances = f"{chance(least)} with random play, {chance(most)} with perfect play"
    return f"{said} Winning chance against it: {chances}."


def scores_against(who: str, game: AnyGame, seat: Seat) -> tuple[float, float] | None:
    """What random and perfect play in a seat bring against a player; None: not known at once."""
    scores = known_scores(game)
    if scores is None:
        return None
    if seat is Seat.ONE:
        return scores["random"][who], scores["perfect"][who]
    return -scores[who]["random"], -scores[who]["perfect"]
