"""Lines of text, sections of rules, and small text functions.

A game's text is a series of lines. Each line has a kind:

>>> lines = [Heading("Round 1"), BoardLine("Pool: 1 2 3"), Rule("---"), "It's a tie!"]
>>> [kind_of(line) for line in lines], isinstance(lines[0], Line)
(['heading', 'board', 'rule', 'said'], True)

A game's rules are sections. Each front end formats them in its own way:

>>> other = prose("A tie draws. With ", SettingValue("tie", "lost"), " it is lost.")
>>> sections = [
...     Section("", (Paragraph(other),)),
...     Section("A TURN", (numbered("Draw a card.", "Keep it or give it."),)),
...     Section("THE END", (bullets("50 wins.", "More than 50 loses."),)),
...     at_keyboard("Type k or g."),
... ]
>>> print(rules_text(sections[1:3]))
A TURN
  1. Draw a card.
  2. Keep it or give it.
<BLANKLINE>
THE END
  - 50 wins.
  - More than 50 loses.
<BLANKLINE>
>>> bullets("50 wins.") == Points(("50 wins.",))
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

__all__ = [
    "Line",
    "Heading",
    "Rule",
    "BoardLine",
    "kind_of",
    "Section",
    "Paragraph",
    "Points",
    "SettingValue",
    "Prose",
    "Block",
    "prose",
    "numbered",
    "bullets",
    "at_keyboard",
    "rules_text",
    "number",
    "listed",
    "count_word",
    "points",
]

PAGE_WIDTH = 80
COUNT_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)
#: Joins words that must stay on one line.
NO_BREAK = "\N{NO-BREAK SPACE}"
#: Stands for a setting, so that its sentence can be left out.
CUT = "\0"


class Line(str):
    """A line of a game's text, with its kind. A plain `str` counts as `said`."""

    __slots__ = ()
    #: `said`, `heading`, `rule` or `board`.
    kind: ClassVar[str] = "said"


class Heading(Line):
    """The title of the lines that follow it."""

    __slots__ = ()
    kind: ClassVar[str] = "heading"


class Rule(Line):
    """A horizontal rule."""

    __slots__ = ()
    kind: ClassVar[str] = "rule"


class BoardLine(Line):
    """A line about the board. A front end that draws the board can skip it."""

    __slots__ = ()
    kind: ClassVar[str] = "board"


def kind_of(line: str) -> str:
    """Return the kind of a line: `said`, `heading`, `rule` or `board`.

    >>> kind_of(Heading("[Round 1]")), kind_of("It's a tie!")
    ('heading', 'said')
    """
    return line.kind if isinstance(line, Line) else Line.kind


def same_kind(line: str, text: str) -> str:
    return type(line)(text) if isinstance(line, Line) else text


# Named tuple classes are created ten times as fast as frozen dataclasses, at every start.
class SettingValue(NamedTuple):
    """A setting that the rules mention. Each front end explains how to change it."""

    #: The name of the setting.
    name: str
    #: The value mentioned.
    value: str

    def __str__(self) -> str:
        return f"--set{NO_BREAK}{self.name}={self.value}"


#: Sentences. If they mention settings, they are a tuple of texts and settings.
Prose: TypeAlias = str | tuple[str | SettingValue, ...]


class Paragraph(NamedTuple):
    """A paragraph of rules."""

    #: The sentences.
    text: Prose


class Points(NamedTuple):
    """A list, numbered if the order matters."""

    #: The items.
    items: tuple[Prose, ...]
    #: Whether the order matters.
    numbered: bool = False


Block: TypeAlias = Paragraph | Points


def prose(*parts: str | SettingValue) -> Prose:
    """Build sentences from text and the settings that they mention."""
    return parts


def numbered(*items: Prose) -> Points:
    """Return a numbered list."""
    return Points(items, numbered=True)


def bullets(*items: Prose) -> Points:
    """Return a list with bullets."""
    return Points(items)


class Section(NamedTuple):
    """A part of a game's rules."""

    #: The heading, or empty for the first section.
    title: str
    #: The paragraphs and lists.
    blocks: tuple[Block, ...]
    #: Whether the section says what to type. Only terminals show it.
    for_keyboard: bool = False


def at_keyboard(text: str) -> Section:
    """Return the section of the rules that says what to type."""
    return Section("AT THE KEYBOARD", (Paragraph(text),), for_keyboard=True)


def in_force(section: Section) -> Section:
    """Return a section without the sentences that mention a `SettingValue`.

    >>> other = prose("A tie draws. With ", SettingValue("tie", "lost"), " it is lost. So be it.")
    >>> in_force(Section("TIES", (Paragraph(other),))).blocks
    (Paragraph(text='A tie draws. So be it.'),)
    """
    blocks = tuple(
        Paragraph(_without_settings(block.text))
        if isinstance(block, Paragraph)
        else block._replace(items=tuple(map(_without_settings, block.items)))
        for block in section.blocks
    )
    return section._replace(blocks=blocks)


def _without_settings(prose: Prose) -> str:
    if isinstance(prose, str):
        return prose
    marked = "".join(part if isinstance(part, str) else CUT for part in prose)
    sentences = re.split(r"(?<=[.!?])\s+", marked)
    return " ".join(sentence for sentence in sentences if CUT not in sentence)


def rules_text(sections: Sequence[Section]) -> str:
    """Return rules as plain text.

    >>> print(rules_text([Section("A TURN", (numbered("Draw.", "Keep or give."),))]))
    A TURN
      1. Draw.
      2. Keep or give.
    <BLANKLINE>
    """
    return "\n".join("\n".join((*_section_lines(section), "")) for section in sections)


def _section_lines(section: Section) -> Iterator[str]:
    if section.title:
        yield section.title
    for number, block in enumerate(section.blocks):
        if isinstance(block, Paragraph):
            indent = "  " if section.for_keyboard else ""
            yield from ("",) * (number > 0)
            yield from _wrapped(block.text, indent, indent)
        else:
            yield from _item_lines(block)


def _item_lines(points: Points) -> Iterator[str]:
    for number, item in enumerate(points.items, 1):
        mark = f"  {number}. " if points.numbered else "  - "
        yield from _wrapped(item, mark, " " * len(mark))


def _wrapped(prose: Prose, first_indent: str, indent: str) -> Iterator[str]:
    from textwrap import wrap

    text = prose if isinstance(prose, str) else "".join(map(str, prose))
    for line in wrap(text, PAGE_WIDTH, initial_indent=first_indent, subsequent_indent=indent):
        yield line.replace(NO_BREAK, " ")


def number(text: str) -> int | None:
    """Convert up to four ASCII digits to an integer. Return None for any other text.

    >>> number("07"), number("seven"), number("12345")
    (7, None, None)
    """
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else None


def counted(count: int, what: str) -> str:
    """Return a count and its noun, such as `1 game` or `2 games`.

    >>> counted(1, "game"), counted(0, "game")
    ('1 game', '0 games')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def listed(items: Sequence[str]) -> str:
    """Return items as a list in a sentence: `1, 2 or 3`.

    >>> listed(["1", "2", "3"]), listed(["yes"])
    ('1, 2 or 3', 'yes')
    """
    return " or ".join(filter(None, (", ".join(items[:-1]), items[-1])))


def count_word(count: int) -> str:
    """Return a number as a word, or in digits if it is larger than thirteen.

    >>> count_word(4), count_word(40)
    ('four', '40')
    """
    return COUNT_WORDS[count] if count < len(COUNT_WORDS) else str(count)


def points(count: int) -> str:
    """Return a number of points, such as `1 point`.

    >>> points(1), points(13)
    ('1 point', '13 points')
    """
    return "1 point" if count == 1 else f"{count} points"


def printable(text: str, limit: int | None = 20) -> str:
    r"""Return a text as one line that is safe to print, cut after `limit` characters.

    A limit of None keeps the whole text.

    >>> printable("\x1b[31mred", limit=6), printable("two\nlines", limit=None)
    ('?[31mr…', 'two lines')
    """
    clean = text if text.isprintable() else "".join(map(printable_letter, text))
    return clean if limit is None or len(clean) <= limit else f"{clean[:limit]}…"


def printable_letter(letter: str) -> str:
    return letter if letter.isprintable() else " " if letter.isspace() else "?"
