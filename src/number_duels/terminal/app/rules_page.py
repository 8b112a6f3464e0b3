"""The rules page, which shows a game's rules with the current settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static, Tab, Tabs

from number_duels.core.game import AnyGame
from number_duels.core.settings import Setting, setting_label
from number_duels.core.text import NO_BREAK, PAGE_WIDTH, Paragraph, Prose, Section, SettingValue
from number_duels.games import find, load, names
from number_duels.terminal.app.page import ReadingPage


class RulesScreen(ReadingPage):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "other(-1)", "Other game", key_display="←→"),
        Binding("right", "other(1)", "Other game", show=False),
        Binding("n", "play", "New game"),
    ]

    def __init__(self, game: AnyGame, *, in_exercise: bool = False) -> None:
        super().__init__("Rules")
        self._game, self._shown, self._in_exercise = game, game, in_exercise

    def content(self) -> ComposeResult:
        yield Tabs(*(Tab(find(name).title, id=name) for name in names()), active=self._game.name)
        with VerticalScroll(classes="reading", can_focus=False):
            yield RulesText(self._game, in_exercise=self._in_exercise)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        name = event.tab.id or self._game.name
        self._shown = self._game if name == self._game.name else load(name)
        self.say("Rules", self._shown.summary)
        self.query_one(RulesText).show(self._shown)
        self.action_first()

    def action_other(self, by: int) -> None:
        tabs = self.query_one(Tabs)
        if by > 0:
            tabs.action_next_tab()
        else:
            tabs.action_previous_tab()

    def action_rules(self) -> None:
        """Do nothing, because the rules are already open."""

    def action_play(self) -> None:
        from number_duels.terminal.app.new_game import NewGameScreen

        self.app.switch_screen(NewGameScreen(self._shown.name))


class RulesText(Static):
    def __init__(self, game: AnyGame, *, in_exercise: bool) -> None:
        super().__init__()
        self._game, self._in_exercise = game, in_exercise

    def show(self, game: AnyGame) -> None:
        self._game = game
        self.wrap_lines(self.size.width)

    def on_resize(self, event: Resize) -> None:
        self.wrap_lines(event.size.width)

    def wrap_lines(self, width: int) -> None:
        sections, known = self._game.rule_sections(), self._game.describe_settings()
        if self._in_exercise:  # an example of typing could be the answer
            sections = tuple(section for section in sections if not section.for_keyboard)
        lines = rules_lines(sections, known, min(PAGE_WIDTH, max(width - 1, 20)))
        self.update(Content("\n").join(lines))


def rules_lines(
    sections: tuple[Section, ...], known: Mapping[str, Setting], width: int
) -> Iterator[Content]:
    for section in sections:
        if section.title:
            yield Content.styled(section.title.capitalize(), "bold $primary")
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield from wrapped(block.text, known, "", width)
            else:
                for number, item in enumerate(block.items, 1):
                    mark = f"{number}. " if block.numbered else "• "
                    yield from wrapped(item, known, mark, width)
        yield Content("")


def wrapped(prose: Prose, known: Mapping[str, Setting], mark: str, width: int) -> Iterator[Content]:
    indent = "  " if mark else ""
    text = prose if isinstance(prose, str) else "".join(in_words(part, known) for part in prose)
    lines = wrap(
        text, width, initial_indent=indent + mark, subsequent_indent=indent + " " * len(mark)
    )
    return (Content(line.replace(NO_BREAK, " ")) for line in lines)


def in_words(part: str | SettingValue, known: Mapping[str, Setting]) -> str:
    """Return a part of a sentence, with a setting as the form for a new game shows it."""
    if isinstance(part, str):
        return part
    setting = known[part.name]
    return f"the setting “{setting_label(part.name, setting)}: {setting.in_words(part.value)}”"
