"""What somebody looks at while playing, training or reviewing: one value that every face draws.

A session makes it for one viewer, and it holds nothing that this viewer may not see. A face draws
it and sends back the key of an action. It computes no figure and chooses no word.

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

from number_duels.core.board import Grid, Meter, Numbers, Part, changed
from number_duels.core.questions import Question
from number_duels.core.text import kind_of
from number_duels.core.turn import Seat

__all__ = [
    "ASKED",
    "OVER",
    "SAID",
    "TOLD",
    "WORKING",
    "Action",
    "Chart",
    "Curve",
    "Finding",
    "Frame",
    "Mark",
    "Row",
    "Scene",
    "Side",
    "Table",
    "Told",
    "Verdict",
    "scene_json",
]

#: What goes on: something is worked out or somebody else acts, something is said, the viewer is
#: asked, an answer is explained, it is over.
WORKING, SAID, ASKED, TOLD, OVER = "working", "said", "asked", "told", "over"
JsonObject: TypeAlias = dict[str, object]
MINUS = "\N{MINUS SIGN}"
#: Which places of which parts the last step changed.
Marks: TypeAlias = Mapping[Part, frozenset[int]]


@dataclass(frozen=True)
class Action:
    """Something that can be done."""

    #: What a face sends back.
    key: str
    #: What a button says.
    label: str
    #: What it leads to, in a few words.
    note: str = ""
    #: Why it cannot be done just now; empty where it can.
    why_not: str = ""


@dataclass(frozen=True)
class Verdict:
    """What an answer was worth, in words."""

    #: Whether it was right.
    right: bool
    #: In a few words.
    headline: str
    #: Why.
    sentences: tuple[str, ...] = ()
    #: The answer in the words of the game.
    answer: str = ""


@dataclass(frozen=True)
class Row:
    """One line of a table, with a bar."""

    #: What it is about.
    words: str
    #: Its figures as they are read, one for each column.
    cells: tuple[str, ...]
    #: How much of the bar is filled, from 0 to 1.
    share: float
    #: Whether it is a good choice; None where that is not the question.
    good: bool | None = None
    #: From where to where the bar is uncertain.
    range: tuple[float, float] | None = None
    #: A mark on the bar: perfect play.
    mark: float | None = None
    #: What a face sends back if this line is chosen; empty where it cannot be.
    key: str = ""
    #: Whose it is.
    seat: Seat | None = None
    #: Whether it is where one is now, or what one has picked.
    here: bool = False
    #: The words without those that all lines of the table begin with, for a button.
    short: str = ""
    #: What it brings, in words.
    said: str = ""
    #: Whether it reads as the line before it, and may share a line with it.
    same: bool = False


@dataclass(frozen=True)
class Table:
    """Figures side by side."""

    #: Its lines, best first.
    rows: tuple[Row, ...]
    #: What each figure is.
    columns: tuple[str, ...] = ()
    #: What it shows, in a word.
    title: str = ""
    #: Sentences that say what the figures mean.
    sentences: tuple[str, ...] = ()
    #: How it is drawn: `options`, `mixture` (how often each), `series` (how often so far),
    #: `balance` (one bar between two sides), `draws` (what may come), `path` (what can be gone to).
    kind: str = "options"
    #: What the lines are, in a word.
    head: str = ""

    def folded(self) -> Iterator[tuple[Row, ...]]:
        """Yield the lines that read the same together."""
        rows = self.rows
        starts = [n for n, row in enumerate(rows) if not row.same]
        for first, last in zip(starts, [*starts[1:], len(rows)], strict=True):
            yield rows[first:last]


@dataclass(frozen=True)
class Frame:
    """A board in a line that can be walked through, and what happened on it."""

    #: In a sentence.
    said: str
    #: The board after it.
    board: tuple[Part, ...]
    #: The board before it; none where nothing led here.
    before: tuple[Part, ...] = ()
    #: The move of each seat that moved, in notation.
    moves: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    #: Each move in the words of the game.
    words: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    #: Which turn it was; 0 is the start.
    turn: int = 0
    #: What was drawn in it, in notation.
    drawn: str = ""
    #: As the game tells it; lines know their kind.
    lines: tuple[str, ...] = ()
    #: How many of the lines were said before anybody did something.
    announced: int = 0
    #: How the game came here, in notation.
    at: str = ""

    @property
    def changed(self) -> Marks:
        """What it changed on the board."""
        return changed(self.before, self.board) if self.before else {}


@dataclass(frozen=True)
class Side:
    """One side of a table: who sits there, and what they are doing."""

    name: str
    #: In a word or two: "to move", "thinking…", "chosen", "winner".
    doing: str = ""
    #: Who that is, in a few words: "you", or how strong a computer is.
    note: str = ""
    #: Whether nobody is there now.
    away: bool = False


@dataclass(frozen=True)
class Told:
    """What was told of one turn; the opening is turn 0."""

    turn: int
    #: As the game tells it; lines know their kind.
    lines: tuple[str, ...]
    #: The turn in one short sentence.
    short: str = ""
    #: The move of each seat that moved, in notation.
    moves: Mapping[Seat, str] = field(default_factory=dict, hash=False)
    #: What was drawn in it, in notation.
    drawn: str = ""


@dataclass(frozen=True)
class Finding:
    """What is to be said about one decision of a game."""

    #: What a face sends back to go there.
    key: str
    turn: int
    seat: Seat
    #: The move, in the words of the game.
    words: str
    #: Which turn it was, and whose.
    title: str
    #: What it was worth, and why.
    verdict: Verdict
    #: The board that was decided on.
    before: Frame
    #: What it cost, as it is read; empty where it cost nothing.
    cost: str = ""
    #: Whether it decided the game.
    decisive: bool = False
    #: How it is punished, on the board.
    frames: tuple[Frame, ...] = ()
    #: What these frames show, in a few words.
    line: str = ""
    #: What can be done about it.
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Curve:
    """One line of a chart: how high after which turn, from 0 to 1."""

    name: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(frozen=True)
class Mark:
    """A point of a chart that is named: a mistake."""

    turn: float
    height: float
    seat: Seat
    words: str


@dataclass(frozen=True)
class Chart:
    """How a game went."""

    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    #: Heights with their names.
    axis: tuple[tuple[float, str], ...]
    #: Whose chance it is.
    title: str
    #: The picture in words, for people who cannot see it.
    said: str


@dataclass(frozen=True)
class Scene:
    """What is on the screen."""

    #: What goes on: `WORKING`, `SAID`, `ASKED`, `TOLD` or `OVER`.
    stage: str
    #: What it is about.
    title: str
    #: Where in it one is, in a few words each.
    status: tuple[str, ...] = ()
    #: The one thing to know now, in a few words.
    headline: str = ""
    #: A little more, in a sentence.
    detail: str = ""
    #: What is said, a line each; lines know their kind.
    lines: tuple[str, ...] = ()
    #: What was told so far, turn by turn.
    log: tuple[Told, ...] = ()
    #: Both sides of the table.
    sides: tuple[Side, ...] = ()
    #: The board.
    board: tuple[Part, ...] = ()
    #: What the last move changed in it.
    changed: Marks = field(default_factory=dict, hash=False)
    #: The card that was drawn just now, in notation.
    drawn: str = ""
    #: Who looks at it.
    you: Seat | None = None
    #: Who decides now.
    to_move: tuple[Seat, ...] = ()
    #: How the game came here, in a few words.
    path: str = ""
    #: The position to analyze, in notation.
    at: str = ""
    #: What is asked, in a sentence.
    prompt: str = ""
    #: What can be answered; None where nothing is asked.
    question: Question[Hashable] | None = None
    #: Whether the answer says how often each move is chosen.
    mixture: bool = False
    #: The answer that was given, in notation.
    answer: str = ""
    #: What it was worth.
    verdict: Verdict | None = None
    #: Figures that explain it.
    tables: tuple[Table, ...] = ()
    #: A line on the board that explains it, from the position on.
    frames: tuple[Frame, ...] = ()
    #: What is to be said about each decision of a game.
    findings: tuple[Finding, ...] = ()
    #: How a game went, as a picture.
    chart: Chart | None = None
    #: Other facts, one sentence each.
    notes: tuple[str, ...] = ()
    #: A line to share that gives nothing away.
    share: str = ""
    #: What can be done.
    actions: tuple[Action, ...] = ()

    def offers(self, key: str) -> bool:
        """Whether an action is possible now."""
        return any(action.key == key and not action.why_not for action in self.actions)


# ---- as JSON ---------------------------------------------------------------------


def scene_json(scene: Scene) -> JsonObject:
    """A scene for a page. The question is written by whoever knows the places of its answers."""
    return {
        "stage": scene.stage,
        "title": scene.title,
        "status": list(scene.status),
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
        "mixture": scene.mixture,
        "answer": scene.answer,
        "verdict": scene.verdict and vars(scene.verdict),
        "tables": [table_json(table) for table in scene.tables],
        "frames": [frame_json(frame) for frame in scene.frames],
        "findings": [finding_json(finding) for finding in scene.findings],
        "chart": scene.chart and chart_json(scene.chart),
        "notes": list(scene.notes),
        "share": scene.share,
        "actions": [vars(action) for action in scene.actions],
    }


def seat_json(seat: int | None) -> int | None:
    """A seat as people number it."""
    return None if seat is None else seat + 1


def kinds(lines: Iterable[str]) -> list[str]:
    """What each line is: said, a heading, a rule, or how the board stands."""
    return [kind_of(line) for line in lines]


def part_json(part: Part) -> JsonObject:
    """One part of a board."""
    # Its own fields: a deep copy would take as long as writing all the words.
    return {"kind": type(part).__name__.lower(), **vars(part), "owner": seat_json(part.owner)}


def table_json(table: Table) -> JsonObject:
    return {**vars(table), "rows": [row_json(row) for row in table.rows]}


def row_json(row: Row) -> JsonObject:
    mark = None if row.mark is None else drawable(row.mark)
    return {**vars(row), "share": drawable(row.share), "mark": mark, "seat": seat_json(row.seat)}


def drawable(figure: float) -> float:
    """Return a figure without the last digits, which can differ from one process to another."""
    return round(figure, 6)


def frame_json(frame: Frame) -> JsonObject:
    short = {seat: words.rsplit(": ", 1)[-1] for seat, words in frame.words.items()}
    if frame.drawn:
        short = {seat: f"{frame.drawn}: {words}" for seat, words in frame.words.items()}
    return {
        "turn": frame.turn,
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


def by_seat(found: Mapping[Seat, str]) -> dict[str, str]:
    return {str(seat + 1): text for seat, text in found.items()}


def changes_json(frame: Frame) -> Iterator[JsonObject]:
    """Where a board changed, whose move did it on a part of both, and what can be noted there."""
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
    """Return whose move changed a place of a part that belongs to nobody."""
    if part.owner is not None:
        return None
    number = part.numbers[place] if isinstance(part, Numbers) and place is not None else None
    made = [seat for seat, move in moves.items() if len(moves) == 1 or move == str(number)]
    return made[0] if made else None


def change_note(old: Part | None, new: Part, place: int | None) -> str:
    """Return by how much a player's figure went up or down, or the number that is gone."""
    match old, new:
        case Meter(), Meter() if new.owner is not None:
            gain = new.value - old.value
            return f"+{gain}" if gain > 0 else f"{MINUS}{-gain}" if gain else ""
        case Grid(), Grid() if place is not None:
            was, now = (tuple(chain(*grid.rows))[place] for grid in (old, new))
            return str(was) if now is None and was is not None else ""
    return ""


def told_json(told: Told) -> JsonObject:
    moves = {str(seat + 1): move for seat, move in told.moves.items()}
    return {**vars(told), "kinds": kinds(told.lines), "moves": moves}


def changed_places(board: Iterable[Part], marks: Marks) -> Iterator[tuple[int, int | None]]:
    """Which places of which parts of a board changed; None stands for the part as a whole."""
    for index, part in enumerate(board):
        if part in marks:
            yield from ((index, place) for place in sorted(marks[part]) or (None,))


def changed_json(board: Iterable[Part], marks: Marks) -> list[JsonObject]:
    return [{"part": part, "place": place} for part, place in changed_places(board, marks)]


def finding_json(finding: Finding) -> JsonObject:
    return {
        **vars(finding),
        "seat": finding.seat + 1,
        "verdict": vars(finding.verdict),
        "before": frame_json(finding.before),
        "frames": [frame_json(frame) for frame in finding.frames],
        "actions": [vars(action) for action in finding.actions],
    }


def chart_json(chart: Chart) -> JsonObject:
    marks = [
        {**vars(mark), "height": drawable(mark.height), "seat": mark.seat + 1}
        for mark in chart.marks
    ]
    curves = [
        {**vars(curve), "points": [(turn, drawable(height)) for turn, height in curve.points]}
        for curve in chart.curves
    ]
    return {**vars(chart), "curves": curves, "marks": marks}
