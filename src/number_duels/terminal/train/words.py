"""What an answer was worth, in lines: the verdict, why, and all options folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from number_duels.core.history import History
from number_duels.core.text import kind_of
from number_duels.games import load
from number_duels.review.text import BAR_WIDTH, MAX_NAMED, bar, share
from number_duels.review.words import percent
from number_duels.terminal.train.sitting import Task, Verdict
from number_duels.terminal.ui.console import command
from number_duels.trainer.feedback import Feedback, Group
from number_duels.trainer.series import series_lines
from number_duels.trainer.spot import Spot


def place_of(task: Task) -> str:
    """Where in its game a task stands."""
    moves = task.spot.history.moves(task.spot.seat)
    return f"after {moves}" if moves else "at the start"


def again_command(spot: Spot) -> str:
    """The command that asks a spot again and again."""
    usual = load(spot.game).settings
    chosen = {name: value for name, value in spot.settings.items() if usual.get(name) != value}
    first = chosen.pop("first", None)
    words = ["train", spot.game]
    words += [] if first is None else ["--first", str(first)]
    for name, value in chosen.items():
        words += ["--set", f"{name}={value}"]
    words += [] if spot.deal is None else ["--deal", spot.deal]
    return command(*words, "--moves", spot.moves, "--seat", str(spot.seat + 1))


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """All that is said after an answer, besides its headline."""
    yield from verdict.feedback.sentences
    yield from verdict.task.remarks
    if verdict.feedback.good:
        yield ""
    yield from folded_lines(verdict.feedback)
    if verdict.series:
        yield ""
        yield from series_lines(verdict.series)
    if verdict.comes_back:
        yield ""
        yield verdict.comes_back


class Row(NamedTuple):
    """Options that read the same, in one."""

    value: float
    #: How often perfect play chooses one of them; empty where it does not mix.
    often: str
    words: str


def rows(groups: Sequence[Group], *, mixes: bool, joined: str = " ") -> Iterator[Row]:
    """Groups of options as they are shown; what reads the same is told in one line.

    The words of a move are `joined` by what keeps them on a line.
    """

    def reads(group: Group) -> tuple[str, str, str]:
        often = percent(group.probability) if group.probability else "-"
        return share(group.value), often if mixes else "", group.brings

    ordered = sorted(groups, key=lambda group: (-round(group.value, 6), -group.probability))
    for (_, often, brings), equal in groupby(ordered, key=reads):
        same = list(equal)
        words = [move.replace(" ", joined) for one in same for move in one.words]
        yield Row(same[0].value, often, f"{named(words)}: {brings}")


def is_mixed(feedback: Feedback) -> bool:
    return any(0 < group.probability < 1 for group in feedback.good)


def folded_lines(feedback: Feedback) -> Iterator[str]:
    """Every option, folded into good and bad, with its share of the points."""
    mixes = is_mixed(feedback)
    for heading, groups in (("good", feedback.good), ("bad", feedback.bad)):
        if groups:
            often = "  often" if mixes and heading == "good" else ""
            yield f"  {heading:{BAR_WIDTH}}  points{often}"
        for row in rows(groups, mixes=mixes):
            figures = f"{bar((1 + row.value) / 2)}  {share(row.value):>6}"
            often = f"  {row.often:>5}" if mixes else ""
            yield f"  {figures}{often}  {row.words}"


def named(words: Sequence[str]) -> str:
    """Some moves of equal worth; many are counted."""
    more = len(words) - MAX_NAMED
    return ", ".join(words[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def line_told(task: Task, line: str) -> Iterator[str]:
    """A punishing line turn by turn, in the words of the game."""
    game, history = task.spot.game, task.spot.history
    for step in History.read(game, history.start, line).steps[len(history) :]:
        told = game.tell(step.before, step.moves, step.after, None)
        said = " ".join(part.strip() for part in told if part and kind_of(part) == "said")
        yield f"{step.text}: {said}"
