"""Form pages, with rows for choices, numbers and text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Static

from number_duels.core.game import AnyGame
from number_duels.terminal.app.page import Page, Preparation

LABEL_WIDTH = 14
CHOSEN = "bold $background on $primary"
FAINT = "$faint"
FORM_NOTES = (
    ("↑ ↓", "another row"),
    ("← →", "another choice"),
    ("a number", "type it in a row that takes a number"),
    ("a click", "choose it"),
)


class Choice(NamedTuple):
    value: str
    shown: str
    note: str = ""
    alone: str = ""


class Row(Widget, can_focus=True):
    class Changed(Message):
        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Set", key_display="←→"),
        Binding("right", "step(1)", "Set", show=False),
    ]

    def __init__(self, name: str, label: str, note: str = "") -> None:
        super().__init__(id=f"row-{name}", classes="row")
        self.key, self.label, self._note = name, label, note
        #: The form gives all its rows the same width.
        self.label_width = LABEL_WIDTH

    @property
    def value(self) -> str:
        raise NotImplementedError

    @property
    def note(self) -> str:
        return self._note

    def labelled(self, *parts: Content | str | tuple[str, str]) -> Content:
        mark = "▸ " if self.has_focus else "  "
        style = "bold $accent" if self.has_focus else ""
        return Content.assemble(
            (mark, "$accent"), (self.label.ljust(self.label_width), style), *parts
        )

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


class ChoiceRow(Row):
    place = reactive(0)

    def __init__(
        self,
        name: str,
        label: str,
        choices: Sequence[Choice],
        value: str,
        note: str = "",
        *,
        beside: str = "",
    ) -> None:
        super().__init__(name, label, note)
        self._beside = beside
        self.choices = tuple(choices)
        places = [n for n, choice in enumerate(self.choices) if choice.value == value]
        self.set_reactive(ChoiceRow.place, places[0] if places else 0)

    @property
    def value(self) -> str:
        return self.choices[self.place].value

    @property
    def note(self) -> str:
        return self.choices[self.place].note or self._note

    def render(self) -> Content:
        if not self.all_fit():
            shown, count = self.shown_alone, f"{self.place + 1} of {len(self.choices)}"
            style = CHOSEN if self.has_focus else "bold"
            return self.labelled((f" ◂ {shown} ▸ ", style), (f" {count}", FAINT))
        segments = [
            (f" {choice.shown} ", CHOSEN if n == self.place else FAINT)
            for n, choice in enumerate(self.choices)
        ]
        row = self.labelled(*segments)
        whole = Content.assemble(row, ("  ", ""), (self._beside, FAINT))
        return whole if self._beside and len(whole) <= self.size.width else row

    def change(self, choices: Sequence[Choice]) -> None:
        self.choices = tuple(choices)
        self.refresh()

    def watch_place(self) -> None:
        self.post_message(self.Changed(self))

    def action_step(self, by: int) -> None:
        self.place = max(0, min(len(self.choices) - 1, self.place + by))

    def on_click(self, event: Click) -> None:
        if not self.all_fit():
            middle = self.label_width + 5 + len(self.shown_alone) // 2
            self.action_step(-1 if event.x < middle else 1)
            return
        for n, (left, right) in enumerate(self.segments()):
            if left <= event.x < right:
                self.place = n

    @property
    def shown_alone(self) -> str:
        return self.choices[self.place].alone or self.choices[self.place].shown

    def all_fit(self) -> bool:
        *_, (_, right) = self.segments()
        return right <= self.size.width

    def segments(self) -> Iterator[tuple[int, int]]:
        left = 2 + self.label_width
        for choice in self.choices:
            right = left + 2 + len(choice.shown)
            yield left, right
            left = right


class NumberRow(Row):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("minus", "step(-1)", "less", show=False),
        Binding("plus", "step(1)", "more", show=False),
    ]
    digits = reactive("")

    def __init__(
        self, name: str, label: str, value: int, *, low: int, high: int, note: str
    ) -> None:
        super().__init__(name, label, note)
        self.low, self.high = low, high
        self._typing = False
        self.set_reactive(NumberRow.digits, str(value))

    @property
    def value(self) -> str:
        return self.digits

    def render(self) -> Content:
        count = f" ◂ {self.digits:>2} ▸ "
        row = self.labelled((count, CHOSEN if self.has_focus else "bold"))
        whole = Content.assemble(row, (self.note, FAINT))
        return whole if len(whole) <= self.size.width else row  # the note is also below the form

    def watch_digits(self) -> None:
        self.post_message(self.Changed(self))

    def action_step(self, by: int) -> None:
        self._typing = False
        self.digits = str(max(self.low, min(self.high, int(self.digits or self.low) + by)))

    def on_key(self, event: Key) -> None:
        if event.character and event.character in "0123456789":
            started = self.digits if self._typing else ""
            self._typing, self.digits = True, (started + event.character)[-3:]
        elif event.key == "backspace":
            self._typing, self.digits = True, self.digits[:-1]
        else:
            return
        event.stop()

    def on_blur(self) -> None:
        self._typing = False
        super().on_blur()

    def on_click(self, event: Click) -> None:
        middle = 2 + self.label_width + 4
        if event.x < middle + 4:
            self.action_step(-1 if event.x < middle else 1)


class TextRow(Horizontal):
    INPUT: ClassVar[type[Input]] = Input

    def __init__(self, name: str, label: str, value: str, usual: str, note: str = "") -> None:
        super().__init__(id=f"row-{name}", classes="row text-row")
        self.key, self.label, self.note = name, label, note
        self._first, self._usual = value, usual
        self.label_width = LABEL_WIDTH

    def compose(self) -> ComposeResult:
        label = Label(f"  {self.label}", markup=False)
        label.styles.width = self.label_width + len("  ")
        yield label
        yield self.INPUT(self._first, self._usual, max_length=20, compact=True)

    @property
    def value(self) -> str:
        return self.query_one(Input).value.strip()

    def on_descendant_focus(self) -> None:
        focused = self.has_focus or self.query_one(Input).has_focus
        mark, style = ("▸ ", "bold $accent") if focused else ("  ", "")
        self.query_one(Label).update(Content.assemble((mark, "$accent"), (self.label, style)))

    def on_descendant_blur(self) -> None:
        self.on_descendant_focus()


class EditInput(Input):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Keep")]


class EditedRow(TextRow, can_focus=True):
    """A text that changes only after Enter, so that a key meant for the page cannot change it."""

    INPUT = EditInput

    class Edited(Message):
        def __init__(self, row: EditedRow) -> None:
            super().__init__()
            self.row = row

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "Edit"),
        Binding("escape", "restore", "Restore", key_display="Esc"),
    ]

    def on_mount(self) -> None:
        self.query_one(Input).can_focus = False

    def on_focus(self) -> None:
        self.on_descendant_focus()

    def on_blur(self) -> None:
        self.on_descendant_focus()

    def on_click(self) -> None:
        self.action_edit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_edited = self.query_one(Input).can_focus
        return is_edited == (action == "restore") if action in ("edit", "restore") else True

    def action_edit(self) -> None:
        typed = self.query_one(Input)
        if not typed.can_focus:
            self._first, typed.can_focus = typed.value, True
            typed.focus()

    def action_restore(self) -> None:
        self.query_one(Input).value = self._first
        self.focus()

    def on_input_submitted(self) -> None:
        self.focus()

    def on_descendant_blur(self) -> None:
        typed = self.query_one(Input)
        typed.can_focus = False
        super().on_descendant_blur()
        if typed.value != self._first:
            self.post_message(self.Edited(self))


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", "page", show=False),
        Binding("pagedown", "page_down", "page", show=False),
    ]


class FormPage(Page):
    # Of the page and not of the form, because the button below the form has the focus, too.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", "Row", key_display="↑↓"),
        Binding("down", "app.focus_next", "row", show=False),
    ]
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = FORM_NOTES

    def content(self) -> ComposeResult:
        rows = list(self.rows())
        labels = [row.label for row in rows if isinstance(row, Row | TextRow)]
        wide = max(LABEL_WIDTH, *(len(label) + 2 for label in labels))
        for row in rows:
            if isinstance(row, Row | TextRow):
                row.label_width = wide
        with Vertical(id="form-frame"):
            with Form():
                yield from rows
            yield Static("", id="help", markup=False)
            yield from self.bottom()

    def bottom(self) -> ComposeResult:
        yield from ()

    def rows(self) -> ComposeResult:
        raise NotImplementedError

    def chosen(self, name: str) -> str:
        found = self.query(f"#row-{name}").first() if self.query(f"#row-{name}") else None
        return found.value if isinstance(found, Row | TextRow) else ""

    def on_descendant_focus(self) -> None:
        self.show_help()

    def show_help(self) -> None:
        focused = self.focused.parent if isinstance(self.focused, Input) else self.focused
        note = focused.note if isinstance(focused, Row | TextRow) else ""
        self.say_help(note[:1].upper() + note[1:])

    def say_help(self, text: str) -> None:
        self.query_one("#help", Static).update(text, layout=False)


class StartPage(FormPage):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("r", "rules", "Rules"),
        # Listed in the footer instead of r while the user types, because r is then a letter.
        Binding("f1", "rules", "Rules", key_display="F1"),
    ]

    def bottom(self) -> ComposeResult:
        with Horizontal(id="bottom"):
            yield Button("Start", id="start", compact=True, variant="primary")
            yield Preparation()

    def game_here(self) -> AnyGame:
        raise NotImplementedError

    def action_start(self) -> None:
        raise NotImplementedError

    def on_button_pressed(self) -> None:
        self.action_start()

    def action_rules(self) -> None:
        self.duels.show_rules(self.game_here())
