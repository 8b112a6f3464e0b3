"""The settings page. Every change is written to `config.toml` immediately."""

from __future__ import annotations

from textual.app import ComposeResult

from number_duels.core.names import YOU
from number_duels.core.record import check_names, split_names
from number_duels.terminal.app.form import Choice, ChoiceRow, EditedRow, FormPage, Row
from number_duels.terminal.config import PREFERENCES, change, choices, config_path, label, meaning
from number_duels.terminal.errors import CommandError

WAY_BACK = "Next time, `duels` opens a text menu. Use its settings to return to full-screen mode."
WORDS = {
    "plain": {"false": "full screen", "true": "lines of text"},
    "board": {"always": "every turn", "changes": "when it changes"},
    "calm": {"false": "on", "true": "off"},
}
NOTES = {"calm": {"false": "Cards turn over, and the computer takes a moment to move."}}


class SettingsScreen(FormPage):
    def __init__(self) -> None:
        super().__init__("Settings", f"Saved at once in {config_path()}")

    def rows(self) -> ComposeResult:
        for name in sorted(PREFERENCES, key=lambda name: name in ("names", "plain", "board")):
            value, about = getattr(self.duels.config, name), meaning(name)
            if name == "names":
                for n, shown in enumerate(split_names(str(value)), 1):
                    about = f"The name of Player {n} in new games (default: Player {n})."
                    called, usual = f"Player {n} name", f"Player {n}"
                    typed = "" if shown == usual else shown
                    if n == self.duels.config.seat:
                        about = f"Your name, and the name of Player {n} if two people play."
                        called, usual = "Your name", YOU
                    yield EditedRow(f"name-{n}", called, typed, usual, about)
            else:
                yield ChoiceRow(name, label(name), shown_choices(name), written(value), about)

    def on_mount(self) -> None:
        self.query(Row).first().focus()

    def on_row_changed(self, event: Row.Changed) -> None:
        name, text = event.row.key, event.row.value
        value = next((one for one in choices(name) if written(one) == text), text)
        self.keep(**{name: value})
        self.show_help()
        if name == "theme":
            self.app.theme = text
        if name == "plain" and value is True:
            self.say_help(WAY_BACK)
        if name == "calm":
            self.duels.calm = value is True
            self.app.animation_level = "none" if value is True else "full"

    def on_input_changed(self) -> None:
        one, two = (self.chosen(f"name-{n}") or f"Player {n}" for n in (1, 2))
        try:
            check_names(one, two)
        except ValueError as error:
            self.say_help(str(error))
            return
        self.show_help()

    def on_edited_row_edited(self, event: EditedRow.Edited) -> None:
        one, two = (self.chosen(f"name-{n}") or f"Player {n}" for n in (1, 2))
        try:
            check_names(one, two)
        except ValueError as error:
            event.row.action_restore()
            self.complain(error)
            return
        if f"{one},{two}" != self.duels.config.names:
            self.keep(names=f"{one},{two}", both="")
            self.show_help()

    def keep(self, **changes: str | bool | int) -> None:
        try:
            self.duels.config = change(self.duels.config, **changes)
        except (CommandError, ValueError) as error:
            self.complain(error)


def written(value: str | bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown_choices(name: str) -> list[Choice]:
    words, notes = WORDS.get(name, {"true": "on", "false": "off"}), NOTES.get(name, {})
    values = [written(one) for one in choices(name)]
    return [
        Choice(value, words.get(value, value), notes.get(value, ""))
        for value in sorted(values, key=[*words, *values].index)
    ]
