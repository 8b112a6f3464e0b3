"""Scenes: everything that a viewer sees on the screen, as values that any front end can draw.

A front end draws a scene and sends back the key of the action that the viewer chose.

>>> rows = (Row("subtract 9: wins", ("100%",), 1.0, good=True),)
>>> scene = Scene("asked", "Number Knot", actions=(Action("skip", "Skip"),), tables=(Table(rows),))
>>> scene_json(scene)["actions"], scene_json(scene)["tables"][0]["rows"][0]["cells"]
([{'key': 'skip', 'label': 'Skip', 'note': '', 'why_not': ''}], ('100%',))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from number_duels.core.board import Grid, Meter, Numbers, Part, changed, gainer
from number_duels.core.questions import Question
from number_duels.core.text import kind_of
from number_duels.core.turn import Seat

#: The stages of a scene: waiting for the program or another player, showing a text, asking the
#: viewer, explaining an answer, and the end.
WORKING, SAID, ASKED, TOLD, OVER = "working", "said", "asked", "told", "over"
JsonObject: TypeAlias = dict[str, object]
MINUS = "\N{MINUS SIGN}"
#: The places that the last step changed, by part.
Marks: TypeAlias = Mapping[Part, frozenset[int]]


@dataclass(frozen=True)
class Action:
    key: str
    label: str
    note: str = ""
    #: Why the action is not possible now, or empty if it is possible.
    why_not: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether an answer was right, and the sentences that explain why."""

    right: bool
    headline: str
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    words: str
    cells: tuple[str, ...]
    #: The filled part of the bar, from 0 to 1.
    share: float
    #: Whether the row is a good choice, or None if that does not apply.
    good: bool | None = None
    #: The uncertain part of the bar: its two ends.
    range: tuple[float, float] | None = None
    #: The position of perfect play on the bar.
    mark: float | None = None
    #: The key to send back if this row is chosen, or empty if it cannot be chosen.
    key: str = ""
    seat: Seat | None = None
    #: Whether this is the current or the selected row.
    here: bool = False
    #: The text for a button, without the beginning that all rows share.
    short: str = ""
    said: str = ""
    #: Whether this row reads like the row before it. If so, both may be joined.
    same: bool = False


@dataclass(frozen=True)
class Table:
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    title: str = ""
    sentences: tuple[str, ...] = ()
    #: `options`, `mixed` (probabilities), `series` (frequencies so far), `shares` (parts of a
    #: whole), `balance` (one bar, two sides), `draws` (possible cards) or `path` (positions).
    kind: str = "options"
    head: str = ""

    def folded(self) -> Iterator[tuple[Row, ...]]:
        rows = self.rows
        starts = [n for n, row in enumerate(rows) if not row.same]
        for first, last in zip(starts, [*starts[1:], len(rows)], strict=True):
            yield rows[first:last]


@dataclass(frozen=True)
class Frame:
    """One board in a line of play, and the step that led to it."""

    said: str
    board: tuple[Part, ...]
    before: tuple[Part, ...] = ()
    moves: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    words: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    #: The number of the turn. 0 is the start.
    turn: int = 0
    drawn: str = ""
    lines: tuple[str, ...] = ()
    announced: int = 0
    at: str = ""

    @property
    def changed(self) -> Marks:
        return changed(self.before, self.board) if self.before else {}


@dataclass(frozen=True)
class Side:
    name: str
    #: The activity in a word or two: "to move", "thinking…", "chosen", "winner".
    doing: str = ""
    #: A note about the player: "you", or the strength of a program.
    note: str = ""
    #: Whether the seat is free or its player is absent.
    away: bool = False


@dataclass(frozen=True)
class Told:
    turn: int
    lines: tuple[str, ...]
    short: str = ""
    moves: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    drawn: str = ""


@dataclass(frozen=True)
class Finding:
    """The comments on one decision in a game."""

    #: The key to send back to go to this decision.
    key: str
    turn: int
    seat: Seat
    words: str
    title: str
    verdict: Verdict
    before: Frame
    #: A sentence with the right move, or empty if the decision was no mistake.
    right: str = ""
    #: Where the right moves are on the board before the decision: part and place.
    better: tuple[tuple[int, int | None], ...] = ()
    cost: str = ""
    #: The cost from 0 to 2, as a mistake book stores it.
    loss: float = 0.0
    #: `mistake`, `inaccuracy`, `rare` (a choice that perfect play seldom makes) or `right`.
    kind: str = "right"
    #: How often perfect play makes this choice, as text, or empty if it does not mix.
    often: str = ""
    blunder: bool = False
    forced: bool = False
    frames: tuple[Frame, ...] = ()
    line: str = ""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Group:
    title: str
    #: The keys of the findings, biggest mistake first.
    keys: tuple[str, ...]
    #: Whether these mistakes are less important. If so, the group may start collapsed.
    folded: bool = False


@dataclass(frozen=True)
class Curve:
    """One line of a chart. Each point is a turn or a game, with a height from 0 to 1."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Mark:
    """A mistake, as a labeled point on a chart."""

    turn: float
    height: float
    seat: Seat
    words: str
    #: Whether the chart's player made this mistake. The other player's marks are hollow.
    own: bool = True
    #: If both seats chose at once, the chances before and after this choice alone and after both.
    change: str = ""

    @property
    def sign(self) -> str:
        return "●" if self.own else "○"


@dataclass(frozen=True)
class Chart:
    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    axis: tuple[tuple[float, str], ...]
    title: str
    #: The chart in words, for screen readers.
    said: str
    #: The seat whose winning chance it shows, or None.
    seat: Seat | None = None
    #: The meaning of each kind of line and mark.
    legend: tuple[str, ...] = ()
    unit: str = "Turn"
    #: What else moves the curve, or empty.
    note: str = ""


@dataclass(frozen=True)
class Scene:
    stage: str
    title: str
    #: Short facts about the position, such as the turn.
    status: tuple[str, ...] = ()
    #: The number of the current step or try, and the total, or None if nothing is counted.
    progress: tuple[int, int] | None = None
    rules: str = ""
    headline: str = ""
    detail: str = ""
    lines: tuple[str, ...] = ()
    log: tuple[Told, ...] = ()
    sides: tuple[Side, ...] = ()
    board: tuple[Part, ...] = ()
    changed: Marks = field(default_factory=dict, hash=False)
    #: The card just drawn, in notation.
    drawn: str = ""
    you: Seat | None = None
    to_move: tuple[Seat, ...] = ()
    path: str = ""
    at: str = ""
    prompt: str = ""
    question: Question[Hashable] | None = None
    mixed: bool = False
    #: The opponent's move that the question names, in notation, or empty.
    against: str = ""
    answer: str = ""
    verdict: Verdict | None = None
    tables: tuple[Table, ...] = ()
    frames: tuple[Frame, ...] = ()
    #: The boards before and after the answer and the opponent's move in `against`.
    met: tuple[Frame, ...] = ()
    findings: tuple[Finding, ...] = ()
    groups: tuple[Group, ...] = ()
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    #: A line to share, without spoilers.
    share: str = ""
    #: The path on a server where others find the same content, or empty.
    share_path: str = ""
    actions: tuple[Action, ...] = ()

    def offers(self, key: str) -> bool:
        return any(action.key == key and not action.why_not for action in self.actions)


# ---- as JSON ---------------------------------------------------------------------


def scene_json(scene: Scene) -> JsonObject:
    """Return a scene as a JSON object. The caller adds the question."""
    return {
        "stage": scene.stage,
        "title": scene.title,
        "status": list(scene.status),
        "progress": scene.progress,
        "rules": scene.rules,
        "headline": scene.headline,
        "detail": scene.detail,
        "lines": list(scene.lines),
        "kinds": kinds(scene.lines),
        "log": [told_json(told) for told in scene.log],
        "sides": [vars(side) for side in scene.sides],
        "board": [part_json(part) for part in scene.board],
        "changed": changed_json(scene.board, scene.changed),
        "drawn": scene.drawn or None,
        "you": seat_json(scene.you),
        "to_move": [seat + 1 for seat in scene.to_move],
        "path": scene.path,
        "at": scene.at,
        "prompt": scene.prompt,
        "mixed": scene.mixed,
        "against": scene.against,
        "answer": scene.answer,
        "verdict": scene.verdict and vars(scene.verdict),
        "tables": [table_json(table) for table in scene.tables],
        "frames": [frame_json(frame) for frame in scene.frames],
        "met": [frame_json(frame) for frame in scene.met],
        "findings": [finding_json(finding) for finding in scene.findings],
        "groups": [vars(group) for group in scene.groups],
        "chart": scene.chart and chart_json(scene.chart),
        "notes": list(scene.notes),
        "share": scene.share,
        "share_path": scene.share_path,
        "actions": [vars(action) for action in scene.actions],
    }


def seat_json(seat: int | None) -> int | None:
    return None if seat is None else seat + 1


def kinds(lines: Iterable[str]) -> list[str]:
    return [kind_of(line) for line in lines]


def part_json(part: Part) -> JsonObject:
    # `vars` avoids the slow deep copy of `asdict`.
    return {"kind": type(part).__name__.lower(), **vars(part), "owner": seat_json(part.owner)}


def table_json(table: Table) -> JsonObject:
    return {**vars(table), "rows": [row_json(row) for row in table.rows]}


def row_json(row: Row) -> JsonObject:
    mark = None if row.mark is None else drawable(row.mark)
    return {**vars(row), "share": drawable(row.share), "mark": mark, "seat": seat_json(row.seat)}


def drawable(figure: float) -> float:
    return round(figure, 6)


def frame_json(frame: Frame) -> JsonObject:
    short = {seat: words.rsplit(": ", 1)[-1] for seat, words in frame.words.items()}
    if frame.drawn:
        short = {seat: f"{frame.drawn}: {words}" for seat, words in frame.words.items()}
    return {
        "turn": frame.turn,
        "when": turn_label(frame.turn, len(frame.moves)),
        "won": gainer(frame.before, frame.board) if len(frame.moves) == 2 else None,
        "said": frame.said,
        "lines": list(frame.lines),
        "kinds": kinds(frame.lines),
        "board": [part_json(part) for part in frame.board],
        "changed": list(changes_json(frame)),
        "drawn": frame.drawn,
        "moves": by_seat(frame.moves),
        "words": by_seat(frame.words),
        "short": by_seat(short),
        "at": frame.at,
    }


def turn_label(turn: int, movers: int) -> str:
    """Return the label of a turn, such as "Round 3" if both players move. Turn 0 has none.

    >>> turn_label(3, 2), turn_label(3, 1), turn_label(0, 0)
    ('Round 3', 'Turn 3', '')
    """
    return f"{'Round' if movers == 2 else 'Turn'} {turn}" if turn else ""


def by_seat(found: Mapping[Seat, str]) -> dict[str, str]:
    return {str(seat + 1): text for seat, text in found.items()}


def changes_json(frame: Frame) -> Iterator[JsonObject]:
    earlier = {(part.label, part.owner): part for part in frame.before}
    for index, place in changed_places(frame.board, frame.changed):
        part = frame.board[index]
        yield {
            "part": index,
            "place": place,
            "seat": seat_json(mover(frame.moves, part, place)),
            "note": change_note(earlier.get((part.label, part.owner)), part, place),
        }


def mover(moves: Mapping[Seat, str], part: Part, place: int | None) -> Seat | None:
    if part.owner is not None:
        return None
    number = part.numbers[place] if isinstance(part, Numbers) and place is not None else None
    made = [seat for seat, move in moves.items() if len(moves) == 1 or move == str(number)]
    return made[0] if made else None


def change_note(old: Part | None, new: Part, place: int | None) -> str:
    match old, new:
        case Meter(), Meter() if new.owner is not None:
            gain = new.value - old.value
            return f"+{gain}" if gain > 0 else f"{MINUS}{-gain}" if gain else ""
        case Grid(), Grid() if place is not None:
            was, now = (tuple(chain(*grid.rows))[place] for grid in (old, new))
            return str(was) if now is None and was is not None else ""
    return ""


def told_json(told: Told) -> JsonObject:
    return {**vars(told), "kinds": kinds(told.lines), "moves": by_seat(told.moves)}


def changed_places(board: Iterable[Part], marks: Marks) -> Iterator[tuple[int, int | None]]:
    """Yield the index of each changed part, and the index of each changed place in it.

    If a part changed as a whole, the second index is None.
    """
    for index, part in enumerate(board):
        if part in marks:
            yield from ((index, place) for place in sorted(marks[part]) or (None,))


def changed_json(board: Iterable[Part], marks: Marks) -> list[JsonObject]:
    return [{"part": part, "place": place} for part, place in changed_places(board, marks)]


def finding_json(finding: Finding) -> JsonObject:
    return {
        **vars(finding),
        "seat": finding.seat + 1,
        "loss": drawable(finding.loss),
        "verdict": vars(finding.verdict),
        "before": frame_json(finding.before),
        "better": [{"part": part, "place": place} for part, place in finding.better],
        "frames": [frame_json(frame) for frame in finding.frames],
        "actions": [vars(action) for action in finding.actions],
    }


def chart_json(chart: Chart) -> JsonObject:
    marks = [
        {
            **vars(mark),
            "height": drawable(mark.height),
            "seat": mark.seat + 1,
        }
        for mark in chart.marks
    ]
    curves = [
        {**vars(curve), "points": [(turn, drawable(height)) for turn, height in curve.points]}
        for curve in chart.curves
    ]
    return {**vars(chart), "curves": curves, "marks": marks, "seat": seat_json(chart.seat)}
