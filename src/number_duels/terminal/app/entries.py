"""A page of lines, each with its key: what it opens, and a few words about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import OptionList, Static

from number_duels.terminal.app.page import Menu, Page

TITLE_WIDTH = 22


class Entry(NamedTuple):
    """One line of the page: its key, its words, and what it opens."""

    key: str
    title: str
    note: str
    open: Callable[[], None]


class EntriesPage(Page):
    """A question, and the entries that answer it; who lists them keeps them by their keys."""

    QUESTION = ""

    def __init__(self, title: str, facts: str = "") -> None:
        super().__init__(title, facts)
        self._entries: dict[str, Entry] = {}

    def content(self) -> ComposeResult:
        yield Static(self.QUESTION, id="question")
        yield Menu("entries")
        yield Static(id="marked-note", markup=False)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """On a narrow screen, what is cut off in the list stands below it."""
        if event.option_id in self._entries:
            self.query_one("#marked-note", Static).update(self._entries[event.option_id].note)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.is_active and event.option_id in self._entries:
            self._entries[event.option_id].open()

    def on_key(self, event: Key) -> None:
        if not self.is_active:  # typed fast: it is for the page that the key before it opened
            event.stop()
            self.app.post_message(Key(event.key, event.character))
        elif event.character in self._entries:
            event.stop()
            self._entries[event.character].open()


def entry_line(entry: Entry) -> Content:
    """A key, what it opens, and a few words about it."""
    return Content.assemble(
        (f" {entry.key}  ", "bold $accent"),
        (entry.title.ljust(TITLE_WIDTH), "bold"),
        (entry.note, "$secondary"),
    )
