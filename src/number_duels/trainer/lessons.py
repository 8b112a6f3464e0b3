"""Lessons that teach a game's rules and principles, and end with a test."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from number_duels.core.board import Part
from number_duels.core.game import Decision, Seat, SomeGame
from number_duels.core.record import Record
from number_duels.core.text import rules_text
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXED, MOVE, Answer, Exercise
from number_duels.trainer.feedback import judge
from number_duels.trainer.spot import Spot

#: The kinds of steps: a statement, questions about a move or a mixed strategy, a test question.
SAY, ASK, MIX, TEST = ("say", "ask", "mix", "test")
FOLDER = files("number_duels.trainer") / "data" / "lessons"
SUFFIX = ".toml"
#: A table in a lesson file. Tests check the types in every file.
Table: TypeAlias = Mapping[str, Any]


class Reply(NamedTuple):
    right: bool
    text: str


@dataclass(frozen=True)
class LessonStep:
    kind: str
    text: str
    #: The position. In a statement, it may be one in which nobody decides.
    spot: Spot | None = None
    form: str = MOVE
    #: The principle that the step teaches, or empty in the introduction and the test.
    principle: str = ""
    #: The right answers to a question about the rules. If empty, moves that cost nothing are right.
    accepts: tuple[str, ...] = ()
    #: The replies to a right answer, to some wrong answers, and to all others. A reply to a wrong
    #: answer does not reveal the right one, because the learner may try again.
    praise: str = ""
    replies: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""
    answer: str = ""
    #: Whether the step is only about the rules.
    rules: bool = False
    against: str = ""

    @property
    def asks(self) -> bool:
        return self.kind != SAY

    @property
    def board(self) -> tuple[Part, ...]:
        spot = self.spot
        if spot is None:
            return ()
        match = Record(spot.game, spot.settings, spot.deal, 0, moves=spot.moves).match()
        return match.game.board(match.history.view(spot.seat))

    @property
    def before(self) -> tuple[Part, ...]:
        """Return the board before the last turn, or () if there is none."""
        spot = self.spot
        if spot is None:
            return ()
        match = Record(spot.game, spot.settings, spot.deal, 0, moves=spot.moves).match()
        turns = [step for step in match.steps(spot.seat) if step.moves]
        return match.game.board(turns[-1].before) if turns else ()

    def exercise(self, solution: AnySolution) -> Exercise:
        if not self.asks or self.spot is None:
            raise ValueError("This step has no question.")
        return Exercise(self.spot.open(), solution, self.form)

    def reply(self, exercise: Exercise, answer: Answer) -> Reply:
        move = answer.move
        if self.form == MIXED:
            right = judge(exercise, answer).right
        elif move is None:
            raise ValueError("Answer with one move here, not with a mixed strategy.")
        else:
            right = move in self.accepts if self.accepts else not exercise.cost(move)
        return Reply(right, self.praise if right else self.replies.get(move or "", self.otherwise))


@dataclass(frozen=True)
class Lesson:
    """A lesson on a game with its default settings.

    >>> found = lesson("number-bid")
    >>> found.title, found.steps[0].kind, found.steps[-1].kind
    ('Number Bid', 'say', 'test')
    """

    #: The name of the game.
    game: str
    #: The title of the game.
    title: str
    #: The approximate duration in minutes.
    minutes: int
    #: The statements and questions, in order.
    steps: tuple[LessonStep, ...]

    @property
    def principles(self) -> tuple[str, ...]:
        """Return the principles that the lesson teaches, in order."""
        return tuple(dict.fromkeys(step.principle for step in self.steps if step.principle))


def lesson(game: SomeGame | str) -> Lesson:
    """Return a game's lesson. Without a lesson file, make one from the rules.

    Raise ValueError if `game` is a name without a lesson file.

    >>> found = lesson("number-knot")
    >>> found.title, found.steps[0].kind
    ('Number Knot', 'say')
    """
    name = game if isinstance(game, str) else game.name
    if name in lesson_names():
        return shipped_lesson(name)
    if isinstance(game, str):
        raise ValueError(f"There is no lesson for {name}; choose {', '.join(lesson_names())}.")
    return lesson_from_rules(game)


def lesson_from_rules(game: SomeGame) -> Lesson:
    sections = (section for section in game.rule_sections() if not section.for_keyboard)
    rules = (LessonStep(SAY, rules_text([one]).strip(), rules=True) for one in sections)
    return Lesson(game.name, game.title, 2, (*rules, *first_question(game)))


def first_question(game: SomeGame) -> Iterator[LessonStep]:
    start = game.start()
    turn = game.turn(start)
    if isinstance(turn, Decision):
        seat = min(turn.options, default=Seat.ONE)
        spot = Spot(game.name, game.settings, game.deal_text(start), "", seat)
        yield LessonStep(
            TEST,
            "Your first turn. What do you play?",
            spot,
            praise="It costs nothing.",
            otherwise="Another move is better.",
        )


@lru_cache
def lesson_names() -> tuple[str, ...]:
    found = (file.name for file in FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


@lru_cache
def shipped_lesson(name: str) -> Lesson:
    return read_lesson(name, (FOLDER / f"{name}{SUFFIX}").read_text(encoding="utf-8"))


def read_lesson(name: str, text: str) -> Lesson:
    found = tomllib.loads(text)
    start = Spot(name, {}, found.get("deal"), "", Seat.ONE)
    steps = tuple(read_step(table, start) for table in found["steps"])
    return Lesson(name, found["title"], found["minutes"], steps)


def read_step(table: Table, start: Spot) -> LessonStep:
    # Only the tests use `claims`.
    step = {key: table[key] for key in table.keys() - {"moves", "seat", "claims"}}
    step["accepts"] = tuple(table.get("accepts", ()))
    if table["kind"] == MIX:
        step["form"] = MIXED
    return LessonStep(spot=read_spot(table, start), **step)


def read_spot(table: Table, start: Spot) -> Spot | None:
    if not {"moves", "seat"} & table.keys():
        return None
    moves, seat = table.get("moves", start.moves), table.get("seat", start.seat + 1)
    return replace(start, moves=moves, seat=Seat(seat - 1))
