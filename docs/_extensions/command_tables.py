"""The tables of docs/commands.md, made from the parser when the site is built."""

from __future__ import annotations

from argparse import SUPPRESS, Action, _SubParsersAction
from collections.abc import Iterator
from typing import TYPE_CHECKING

from number_duels.terminal.completion import subcommands
from number_duels.terminal.parser import Parser, build_parser

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The page that explains a command.
PAGES = {
    "list": "terminal.md",
    "rules": "terminal.md",
    "play": "terminal.md",
    "resume": "terminal.md",
    "replay": "terminal.md",
    "review": "reviews.md",
    "analyze": "reviews.md",
    "solve": "reviews.md",
    "arena": "arena.md",
    "serve": "browser.md",
    "bot": "bots.md",
    "bench": "bench.md",
    "export": "recipes/trl.md",
    "train": "trainer.md",
    "book": "trainer.md",
    "stats": "your_games.md",
    "saves": "your_games.md",
    "cache": "your_games.md",
    "completion": "your_games.md",
}
#: The line of docs/commands.md that becomes the tables.
MARK = "<!-- commands -->\n"


def write_tables(_: Sphinx, name: str, content: list[str]) -> None:
    """Put the options of every command into their page."""
    if name == "commands":
        content[0] = content[0].replace(MARK, tables())


def always_outdated(*_: object) -> list[str]:
    """Read the page in every build: the options may have changed."""
    return ["commands"]


def tables() -> str:
    """Return a section for each command."""
    parser = build_parser()
    parts = [section("duels", parser, None)]
    for name, one in subcommands(parser).items():
        parts.append(section(f"duels {name}", one, PAGES[name]))
    return "".join(parts)


def section(heading: str, parser: Parser, more: str | None) -> str:
    """A command: what it does, what can be said to it, where it is explained."""
    shown = [
        action for action in parser._actions if action.help != SUPPRESS and action.dest != "help"
    ]
    line = " ".join([heading, *(words for one in shown if (words := positional(one)))])
    link = f" More: [{more}]({more})." if more else ""
    told = [f"\n## {heading}\n\n{parser.description}{link}\n"]
    if line != heading:
        told.append(f"\n`{line}`\n")
    if table := [*rows(shown)]:
        told.append("\n| option | meaning |\n|---|---|\n" + "".join(table))
    return "".join(told)


def positional(action: Action) -> str:
    """What stands on the line without a dash, optional things in brackets."""
    if action.option_strings or isinstance(action, _SubParsersAction):
        return ""
    name = str(action.metavar or "|".join(action.choices or ()))
    match action.nargs:
        case "?":
            return f"[{name}]"
        case "*":
            return f"[{name}…]"
        case "+":
            return f"{name}…"
    return name


def rows(actions: list[Action]) -> Iterator[str]:
    """A line of the table for everything that needs a word."""
    for action in actions:
        words = " ".join([*action.option_strings, value(action)]).strip() or positional(action)
        if action.help and words:
            cells = [f"`{words}`", action.help]
            yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"


def value(action: Action) -> str:
    """What follows an option."""
    if not action.option_strings or action.nargs == 0:
        return ""
    name = str(action.metavar or "|".join(action.choices or ()) or action.dest.upper())
    return f"{name}…" if action.nargs == "+" else name


def setup(app: Sphinx) -> None:
    """Write the tables before other extensions read the page."""
    app.connect("source-read", write_tables, priority=400)
    app.connect("env-get-outdated", always_outdated)
