"""One page of the menu: a few entries, and a question that is asked until one is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from number_duels.core.questions import Answer, Prompt, Question, find, refusal
from number_duels.terminal.ui.console import Console


@dataclass(frozen=True)
class Entry:
    """One line of a menu, and the words of the command that it stands for."""

    key: str
    title: str
    note: str
    words: tuple[str, ...]


def choose(
    console: Console, prompt: str, entries: list[Entry], way_out: str = "Back"
) -> tuple[str, ...] | None:
    """The words of the chosen entry; None is the way out."""
    entries = [*entries, Entry("n" if way_out == "No" else "q", way_out, "", ())]
    wide = max(len(entry.title) for entry in entries)
    for entry in entries:
        key = console.paint(entry.key, "bold")
        console.say([f"  {key}  {entry.title:{wide}}  {entry.note}".rstrip()])
    answers = (Answer(e.key, e.title, e, (e.title.casefold(),)) for e in entries)
    question = Question(f"\n{prompt}", tuple(answers))
    reason = None
    while True:
        reply = console.ask(Prompt(question.prompt, reason=reason))
        found = find(question, reply)
        if isinstance(found, Entry):
            console.say([""])
            return found.words or None
        reason = refusal(question, reply)
