"""Write docs/commands.md from the parser itself: `python scripts/write_commands.py`."""

from __future__ import annotations

from argparse import SUPPRESS, Action, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

from number_duels.terminal.completion import subcommands
from number_duels.terminal.parser import Parser, build_parser

PATH = Path(__file__).parent.parent / "docs" / "commands.md"
#: The page that explains a command.
PAGES = {
    "list": "playing.md",
    "rules": "playing.md",
    "play": "playing.md",
    "resume": "playing.md",
    "replay": "playing.md",
    "review": "reviews.md",
    "analyze": "reviews.md",
    "solve": "reviews.md",
    "arena": "arena.md",
    "serve": "browser.md",
    "bot": "bots.md",
    "bench": "bench.md",
    "train": "trainer.md",
    "book": "trainer.md",
    "stats": "terminal.md",
    "saves": "terminal.md",
    "cache": "terminal.md",
    "completion": "terminal.md",
}
HEAD = """\
# Every command

Every command with every option, as `--help` shows them.
GAME is the name of a game or any part of it that fits no other: `knot`, `stack`. WHO is `human`,
`random`, `level:1` to `level:5`, `perfect`, `bot:COMMAND`, `py:MODULE:FUNCTION` or `llm:MODEL`.

- Results go to standard output; messages about the program and its progress to standard error.
  `--json` prints one JSON value and nothing else.
- The exit status is 0 when all is done, 1 when it failed, 2 after a wrong argument and 130 when it
  was interrupted.
- `--plain` gives bare text with every command; the environment variable `NO_COLOR` takes away
  colour alone.
"""


def page() -> str:
    """The whole document."""
    parser = build_parser()
    parts = [HEAD, section("duels", parser, None)]
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


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
