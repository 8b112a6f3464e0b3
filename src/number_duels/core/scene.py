"""What somebody looks at while playing, training or reviewing: one value that every face draws.

A session makes it for one viewer, and it holds nothing that this viewer may not see. A face draws
it and sends back the key of an action. It computes no figure and chooses no word.

>>> rows = (Row("subtract 9: wins", ("100%",), 1.0, good=True),)
>>> scene = Scene("asked", "Number Knot", actions=(Action("skip", "Skip"),), tables=(Table(rows),))
>>> scene_json(scene)["actions"], scene_json(scene)["tables"][0]["rows"][0]["cells"]
([{'key': 'skip', 'label': 'Skip'}], ['100%'])
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from number_duels.core.board import Part
from number_duels.core.questions import Question
from number_duels.core.text import kind_of
from number_duels.core.turn import Seat

__all__ = ["Action", "Frame", "Row", "Scene", "Table", "Verdict", "scene_json"]

JsonObject: TypeAlias = dict[str, object]
#: Which places of which parts the last step changed.
Marks: TypeAlias = Mapping[Part, frozenset[int]]


@dataclass(frozen=True)
class Action:
    """Something that can be done now."""

    #: What a face sends back.
    key: str
    #: What a button says.
    label: str


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


@dataclass(frozen=True)
class Frame:
    """A board in a line that can be walked through, and what happened on it."""

    #: In a sentence.
    said: str
    #: The board after it.
    board: tuple[Part, ...]
    #: What it changed.
    changed: Marks = field(default_factory=dict, hash=False)
    #: The move of each seat that moved, in notation.
    moves: Mapping[Seat, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Scene:
    """What is on the screen."""

    #: What goes on: `working`, `said`, `asked`, `told`, `over`.
    stage: str
    #: What it is about.
    title: str
    #: Where in it one is, in a few words each.
    status: tuple[str, ...] = ()
    #: What is said, a line each; lines know their kind.
    lines: tuple[str, ...] = ()
    #: The board.
    board: tuple[Part, ...] = ()
    #: The card that was drawn just now, in notation.
    drawn: str = ""
    #: Who looks at it.
    you: Seat | None = None
    #: Who decides now.
    to_move: tuple[Seat, ...] = ()
    #: How the game came here, in a few words.
    path: str = ""
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
    #: Other facts, one sentence each.
    notes: tuple[str, ...] = ()
    #: A line to share that gives nothing away.
    share: str = ""
    #: What can be done.
    actions: tuple[Action, ...] = ()

    def offers(self, key: str) -> bool:
        """Whether an action is possible now."""
        return any(action.key == key for action in self.actions)


# ---- as JSON ---------------------------------------------------------------------


def scene_json(scene: Scene) -> JsonObject:
    """A scene for a page. The question is written by whoever knows the places of its answers."""
    verdict = scene.verdict
    return {
        "stage": scene.stage,
        "title": scene.title,
        "status": list(scene.status),
        "lines": list(scene.lines),
        "kinds": [kind_of(line) for line in scene.lines],
        "board": [part_json(part) for part in scene.board],
        "drawn": scene.drawn or None,
        "you": None if scene.you is None else scene.you + 1,
        "to_move": [seat + 1 for seat in scene.to_move],
        "path": scene.path,
        "prompt": scene.prompt,
        "mixture": scene.mixture,
        "answer": scene.answer,
        "verdict": verdict
        and {
            "right": verdict.right,
            "headline": verdict.headline,
            "sentences": list(verdict.sentences),
            "answer": verdict.answer,
        },
        "tables": [table_json(table) for table in scene.tables],
        "frames": [frame_json(frame) for frame in scene.frames],
        "notes": list(scene.notes),
        "share": scene.share,
        "actions": [{"key": action.key, "label": action.label} for action in scene.actions],
    }


def part_json(part: Part) -> JsonObject:
    """One part of a board; seats are numbered as people number them."""
    owner = None if part.owner is None else part.owner + 1
    # Its own fields: a deep copy would take as long as writing all the words.
    return {"kind": type(part).__name__.lower(), **vars(part), "owner": owner}


def table_json(table: Table) -> JsonObject:
    rows = [{**vars(row), "cells": list(row.cells)} for row in table.rows]
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": rows,
        "sentences": list(table.sentences),
    }


def frame_json(frame: Frame) -> JsonObject:
    changed = [
        {"part": index, "place": place}
        for index, part in enumerate(frame.board)
        for place in places_of(frame.changed.get(part))
    ]
    return {
        "said": frame.said,
        "board": [part_json(part) for part in frame.board],
        "changed": changed,
        "moves": {str(seat + 1): move for seat, move in frame.moves.items()},
    }


def places_of(changed: frozenset[int] | None) -> list[int] | list[None]:
    """The places of a part that changed; None stands for the part as a whole."""
    if changed is None:
        return []
    return sorted(changed) or [None]
