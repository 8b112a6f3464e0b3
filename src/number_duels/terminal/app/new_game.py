"""The form for a new game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Label

from number_duels.core.game import AnyGame, Seat
from number_duels.core.match import Match
from number_duels.core.names import YOU
from number_duels.core.player import AnyMatch
from number_duels.core.randomness import fresh_seed, toss
from number_duels.core.record import COMPUTER_NAME, Person, check_names, split_names
from number_duels.core.settings import Setting, setting_label
from number_duels.games import find, load
from number_duels.players.registry import HUMAN, KINDS, described, full_name, known_scores
from number_duels.review.words import capital, chance
from number_duels.terminal.app.form import Choice, ChoiceRow, NumberRow, Row, StartPage, TextRow
from number_duels.terminal.app.page import Preparation
from number_duels.terminal.config import Config
from number_duels.terminal.menu_entries import level_after, level_before
from number_duels.terminal.saves import saved_games

#: Solving starts this long after the last change, because a held key makes many.
SETTLED_S = 0.3
YES_OR_NO = (Choice("yes", "on"), Choice("no", "off"))


class NewGameScreen(StartPage):
    """The form for a new game, filled in from the settings or from the match `again`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f2", "analyze", "Analysis", key_display="F2")]

    def __init__(self, game_name: str, again: AnyMatch | None = None) -> None:
        kind = find(game_name)
        super().__init__(kind.title, kind.summary)
        self._kind, self._again = kind, again
        self._known = kind.describe_settings()
        self._toss = toss(fresh_seed())
        self._settled: Timer | None = None

    def rows(self) -> ComposeResult:
        yield from self.people_rows()
        if "first" in self._known:
            first = "1" if self._again is None else str(self._again.game.settings["first"])
            about = "Choose who takes the first turn."
            yield ChoiceRow("first", "Moves first", first_choices(), first, about)
        hints = self._again.hints if self._again else self.duels.config.hints
        note = "Press h in the game for help with a move."
        yield ChoiceRow("hints", "Hints", YES_OR_NO, "yes" if hints else "no", note)
        settings = {name: one for name, one in self._known.items() if name != "first"}
        if settings:
            yield Label("Settings", classes="section")
        for name, setting in settings.items():
            yield self.setting_row(name, setting)

    @property
    def seat(self) -> Seat:
        """Return the person's seat, which only the record shows."""
        if self._again:
            return Seat.TWO if self._again.players[0].who != HUMAN else Seat.ONE
        return Seat(self.duels.config.seat - 1)

    def people_rows(self) -> Iterator[Row | TextRow]:
        config, again, seat = self.duels.config, self._again, self.seat
        who, mine = last_opponent(self._kind.name, config), split_names(config.names)[seat]
        both = last_names(config)
        if again:
            who, names = again.players[seat.other].who, [one.name for one in again.players]
            lost = again.outcome and again.outcome.winner is seat.other
            who = level_before(who) if lost else level_after(who, again.game.name, saved_games())
            mine, both = (mine, names) if who == HUMAN else (names[seat], both)
        usual = ("", str(Seat.ONE), str(Seat.TWO), COMPUTER_NAME)
        mine, one, two = ("" if name in usual else name for name in (mine, *both))
        yield ChoiceRow("opponent", "Opponent", opponents(self.game_so_far(), seat), who)
        note = "Your name in saved games and reviews. You can leave it empty."
        yield TextRow("mine", "Your name", mine, YOU, note)
        note = "This player's name on the screen and in the saved game. You can leave it empty."
        yield TextRow("one", "Player 1 name", one, str(Seat.ONE), note)
        yield TextRow("two", "Player 2 name", two, str(Seat.TWO), note)

    def setting_row(self, name: str, setting: Setting) -> Row:
        chosen = self.game_so_far().settings
        allowed = setting.allowed(chosen)
        if isinstance(setting.high, str):  # the form may change this limit, too
            allowed = f"{setting.low} to the number of {setting.high}"
        note, label = f"{setting.meaning} ({allowed})", setting_label(name, setting)
        if setting.choices:
            choices = [
                Choice(str(one), setting.in_words(one), capital(f"{setting.meaning}."))
                for one in setting.choices
            ]
            value, beside = str(chosen[name]), setting.meaning
            return ChoiceRow(f"set-{name}", label, choices, value, beside=beside)
        high = setting.high if isinstance(setting.high, int) else self._known[setting.high].high
        assert isinstance(high, int)
        return NumberRow(
            f"set-{name}", label, int(chosen[name]), low=setting.low, high=high, note=note
        )

    def game_so_far(self) -> AnyGame:
        return self._again.game if self._again else load(self._kind.name)

    def chosen_game(self) -> AnyGame:
        settings = {
            name: setting.read(self.chosen(f"set-{name}"))
            for name, setting in self._known.items()
            if name != "first"
        }
        if "first" in self._known:
            first = self.chosen("first")
            settings["first"] = self._toss if first == "random" else int(first)
        return load(self._kind.name, **settings)

    def new_match(self) -> AnyMatch:
        seat, who = self.seat, self.chosen("opponent")
        one, two = (Person(self.chosen(one.name.lower()) or str(one)) for one in Seat)
        if who != HUMAN:
            one, two = Person(self.chosen("mine") or str(seat)), Person(COMPUTER_NAME, who)
            if seat is Seat.TWO:
                one, two = two, one
        check_names(one.name, two.name)
        hints = self.chosen("hints") == "yes"
        return Match(self.chosen_game(), players=(one, two), hints=hints)

    def on_mount(self) -> None:
        self.show_people()
        self.query_one("#row-opponent").focus()
        self.prepare()

    def on_row_changed(self, event: Row.Changed) -> None:
        self.show_people()
        self.show_help()
        if event.row.key != "hints":
            if self._settled:
                self._settled.stop()
            self._settled = self.set_timer(SETTLED_S, self.prepare)

    def show_people(self) -> None:
        alone = self.chosen("opponent") != HUMAN
        seat = self.seat
        for key in ("mine", "one", "two"):
            self.query_one(f"#row-{key}").display = alone is (key == "mine")
        row = self.query_one("#row-opponent", ChoiceRow)
        row.change(opponents(self.game_here(), seat))
        for first in self.query("#row-first").results(ChoiceRow):
            first.change(first_choices(seat if alone else None))

    def game_here(self) -> AnyGame:
        """Return the game with the chosen settings, or the initial game if one is not valid."""
        try:
            return self.chosen_game()
        except ValueError:
            return self.game_so_far()

    def prepare(self) -> None:
        who, preparation = self.chosen("opponent"), self.query_one(Preparation)
        try:
            game = self.chosen_game()
        except ValueError as error:
            preparation.cancel()
            self.say_help(str(error))
            return
        if who in ("random", HUMAN):
            preparation.cancel()
        else:
            preparation.prepare(game)

    def action_start(self) -> None:
        try:
            match = self.new_match()
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        if any(person.who not in (HUMAN, "random") for person in match.players):
            self.query_one(Preparation).when_ready(match.game, lambda: self.begin(match))
        else:
            self.begin(match)

    def begin(self, match: AnyMatch) -> None:
        from number_duels.terminal.app.table import open_table

        self.remember(match)
        open_table(self.duels, match, instead=True)

    def remember(self, match: AnyMatch) -> None:
        names, changes = list(split_names(self.duels.config.names)), dict[str, str | int]()
        changes["opponent"] = HUMAN
        for seat, person in zip(Seat, match.players, strict=True):
            if person.who != HUMAN:
                changes |= {"seat": seat.other + 1, "opponent": person.who}
                if "," not in (mine := match.players[seat.other].name):
                    names[seat.other] = mine
        if names[0] != names[1]:
            changes["names"] = ",".join(names)
        both = [person.name for person in match.players if "," not in person.name]
        if changes["opponent"] == HUMAN and len(both) == 2:
            changes["both"] = ",".join(both)
        self.duels.remember(game=match.game.name, hints=match.hints, **changes)

    def action_analyze(self) -> None:
        self.duels.show_analysis(self.game_here())


def last_opponent(game: str, config: Config) -> str:
    """Return the last opponent in a game, or the next level if the user has beaten that level."""
    saved = list(saved_games())
    if not saved:
        return config.opponent
    latest = next((one.record for one in saved if one.record.game == game), None)
    others = [one.who for one in latest.players if one.who != HUMAN] if latest else []
    who = others[0] if others else HUMAN
    if latest is None or who not in KINDS:
        return Config.opponent
    return level_after(who, game, saved)


def last_names(config: Config) -> Sequence[str]:
    """Return the names chosen for the last game between two people, or those of the settings."""
    return split_names(config.both or config.names)


def first_choices(seat: Seat | None = None) -> list[Choice]:
    names = [str(one) if seat is None else YOU if one is seat else COMPUTER_NAME for one in Seat]
    return [
        *(Choice(str(one + 1), name) for one, name in zip(Seat, names, strict=True)),
        Choice("random", "Random", "A coin toss decides who goes first."),
    ]


def opponents(game: AnyGame, seat: Seat) -> list[Choice]:
    names = [(who, short_name(who)) for who in KINDS]
    return [
        Choice(who, name, expectation(who, game, seat), name if who == HUMAN else full_name(who))
        for who, name in names
    ]


def short_name(who: str) -> str:
    """Return a short name, so that the names of all players fit in one line.

    >>> [short_name(who) for who in ("human", "level:1", "level:4", "perfect")]
    ['Two people', 'Level 1', '4', 'Perfect']
    """
    kind, _, level = who.partition(":")
    if who == HUMAN:
        return "Two people"
    return (f"Level {level}" if level == "1" else level) if level else kind.capitalize()


def expectation(who: str, game: AnyGame, seat: Seat) -> str:
    if who == HUMAN:
        return "You share this keyboard. A curtain hides secret choices."
    said = f"{full_name(who)} {described(who, game.name)}."
    known = scores_against(who, game, seat)
    if known is None:
        return said
    least, most = known
    chances = f"{chance(most)} with perfect play, {chance(least)} with random play"
    return f"{said} Winning chance against it: {chances}."


def scores_against(who: str, game: AnyGame, seat: Seat) -> tuple[float, float] | None:
    scores = known_scores(game)
    if scores is None:
        return None
    if seat is Seat.ONE:
        return scores["random"][who], scores["perfect"][who]
    return -scores[who]["random"], -scores[who]["perfect"]
