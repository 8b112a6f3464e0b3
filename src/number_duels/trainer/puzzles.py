"""Puzzles: spots in which little is right, graded, with the names of what they are about.

`data/puzzles/GAME.jsonl` has one JSON object a puzzle, made by `scripts/make_puzzles.py`:

    {"id": "…", "moves": "S5 A3", "seat": 1, "best": ["S9"], "themes": ["only-move"],
     "grade": 3, "gap": 1.0, "trap": "S8", "loss": 2.0, "edition": 1}

`id` is the game's name and the id of its spot; `moves` (after `deal`, where one is dealt, and with
`settings`, where they are not the usual ones) lead to it; `best` are the moves that cost nothing,
`gap` is what the least mistake costs and `loss` what `trap` does, a move that looks best: in
values, of which 2 are all points. A line with `mistake` asks for that move, the only one that costs
something; all others ask for one of `best`. Lines are only ever added, with a new `edition`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from number_duels.core.board import in_words
from number_duels.core.game import Seat
from number_duels.core.text import listed
from number_duels.review.position import AnySolution
from number_duels.review.words import cost
from number_duels.trainer.exercise import MOVE, Exercise, read_answer
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.spot import Spot

DATA = Path(__file__).parent / "data" / "puzzles"
GRADES = (1, 2, 3, 4, 5)
STAR = "★"


@dataclass(frozen=True)
class Puzzle:
    """A spot and what is right there.

    >>> puzzle = puzzles("number-knot")[0]
    >>> puzzle.grade, puzzle.stars, puzzle.is_right(puzzle.answers[0])
    (1, '★', True)
    """

    #: What tells puzzles apart.
    id: str
    #: Where it is asked.
    spot: Spot
    #: What it is about, by the names in `scripts/puzzle_themes.py`.
    themes: tuple[str, ...]
    #: From 1, easy, to 5.
    grade: int
    #: The moves that cost nothing, in notation.
    best: tuple[str, ...]
    #: The only move that costs something, where that is asked for; else empty.
    mistake: str = ""
    #: What the least of all mistakes costs, in values.
    gap: float = 0.0
    #: A move that looks best and is wrong, and what it costs; empty where there is none.
    trap: str = ""
    loss: float = 0.0
    edition: int = 1

    @property
    def game(self) -> str:
        """The name of its game."""
        return self.spot.game

    @property
    def stars(self) -> str:
        """How hard it is, as stars."""
        return STAR * self.grade

    @property
    def prompt(self) -> str:
        """What is asked, in a sentence or two."""
        if self.mistake:
            return "Every choice but one is right here. Which one is the mistake?"
        if "must-mix" in self.themes:
            return "Perfect play mixes here. Find a choice that loses nothing."
        return f"Find the {'only move' if len(self.best) == 1 else 'right move'}."

    @property
    def note(self) -> str:
        """What to say once it is solved, or given up."""
        if self.trap:
            return f"{self.trap} looks best, and costs {cost(self.loss)} of the winning chance."
        least = "The mistake" if self.mistake else "The least of all mistakes"
        return f"{least} costs {cost(self.gap)} of the winning chance."

    @property
    def answers(self) -> tuple[str, ...]:
        """The moves that answer what is asked, in notation."""
        return (self.mistake,) if self.mistake else self.best

    def is_right(self, move: str) -> bool:
        """Whether a move, in notation, answers what is asked."""
        return move in self.answers


def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, easy ones first; a ValueError where there are none.

    >>> len(puzzles("number-knot"))
    320
    >>> puzzles("take-away")
    Traceback (most recent call last):
    ValueError: There are no puzzles of 'take-away'; ...
    """
    fitting = [name for name in games_with_puzzles() if game.casefold() in name]
    if len(fitting) != 1:
        there = listed(list(games_with_puzzles()))
        raise ValueError(f"There are no puzzles of {game!r}; there are some of {there}.")
    return _read(fitting[0])


@cache
def games_with_puzzles() -> tuple[str, ...]:
    """The names of the games that have puzzles."""
    return tuple(sorted(file.stem for file in DATA.glob("*.jsonl")))


def find_puzzle(puzzle_id: str) -> Puzzle:
    """The puzzle with an id; a ValueError where there is none.

    >>> one = puzzles("number-knot")[0]
    >>> find_puzzle(one.id) == one
    True
    """
    name = puzzle_id.rpartition("-")[0]
    known = _by_id(name) if name in games_with_puzzles() else {}
    if puzzle_id not in known:
        raise ValueError(f"There is no puzzle {puzzle_id!r}.")
    return known[puzzle_id]


@cache
def _read(game: str) -> tuple[Puzzle, ...]:
    text = (DATA / f"{game}.jsonl").read_text(encoding="utf-8")
    return tuple(read_puzzle(game, json.loads(line)) for line in text.splitlines())


@cache
def _by_id(game: str) -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in _read(game)}


def read_puzzle(game: str, line: Mapping[str, Any]) -> Puzzle:
    """The puzzle that a line of the file of a game tells."""
    found = dict(line)
    themes, best = tuple(found.pop("themes")), tuple(found.pop("best"))
    settings, deal = found.pop("settings", {}), found.pop("deal", None)
    spot = Spot(game, settings, deal, found.pop("moves"), Seat(found.pop("seat") - 1))
    return Puzzle(spot=spot, themes=themes, best=best, **found)


# ---- the puzzle of the day ---------------------------------------------------


#: The first day of each edition, counted from 1: a longer list never changes an earlier day.
FIRST_DAYS = (date(2026, 11, 1),)
#: Easy on Monday, hard on Sunday.
GRADE_OF_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)
RIGHT, WRONG = "🟩", "⬛"


@dataclass(frozen=True)
class Edition:
    """What the days from a first one on are chosen from."""

    number: int
    first_day: date
    #: Those of each game: all whose own edition is not later.
    puzzles: Mapping[str, tuple[Puzzle, ...]]


def daily(day: date) -> Puzzle:
    """The puzzle of a day: games take turns, and Monday's is easy and Sunday's hard.

    >>> daily(date(2026, 11, 16)).stars, daily(date(2026, 11, 22)).stars
    ('★', '★★★★★')
    """
    return puzzle_of(edition_of(editions(), day), day)


@cache
def editions() -> tuple[Edition, ...]:
    every = {name: puzzles(name) for name in games_with_puzzles()}
    return tuple(
        Edition(number, first_day, up_to(number, every))
        for number, first_day in enumerate(FIRST_DAYS, start=1)
    )


def up_to(number: int, every: Mapping[str, tuple[Puzzle, ...]]) -> dict[str, tuple[Puzzle, ...]]:
    """The puzzles of an edition, for the games that have some."""
    some = {
        name: tuple(puzzle for puzzle in found if puzzle.edition <= number)
        for name, found in every.items()
    }
    return {name: found for name, found in some.items() if found}


def edition_of(known: Sequence[Edition], day: date) -> Edition:
    """The latest that had begun on a day; the first one also serves the days before it."""
    return [known[0], *(one for one in known if one.first_day <= day)][-1]


def puzzle_of(edition: Edition, day: date) -> Puzzle:
    """The puzzle of a day in an edition: what is new in it comes first."""
    name, grade = game_of(edition, day), GRADE_OF_WEEKDAY[day.weekday()]
    fitting = [puzzle for puzzle in edition.puzzles[name] if puzzle.grade == grade]
    fitting.sort(key=lambda one: (-one.edition, _digest("daily", edition.number, one.id)))
    return fitting[days_before(edition, day, name, grade) % len(fitting)]


def game_of(edition: Edition, day: date) -> str:
    """Every game once in as many days as there are games, in another order each time."""
    names = list(edition.puzzles)
    turn, place = divmod(day.toordinal(), len(names))
    return sorted(names, key=lambda name: _digest("game", edition.number, turn, name))[place]


def days_before(edition: Edition, day: date, name: str, grade: int) -> int:
    """How many days of an edition had this game and grade before: so no puzzle comes back soon."""
    first = min(edition.first_day, day)
    days = (first + timedelta(days=n) for n in range((day - first).days))
    return sum(
        GRADE_OF_WEEKDAY[one.weekday()] == grade and game_of(edition, one) == name for one in days
    )


def squares(day: date, tries: Sequence[bool], streak: int = 0) -> str:
    """A line to share that gives nothing away: wrong and right tries of the day's puzzle.

    >>> squares(date(2026, 11, 16), [False, True], streak=3)  # doctest: +ELLIPSIS
    'Number Duels 2026-11-16 · ... ★ ⬛🟩 · streak 3'
    """
    puzzle = daily(day)
    shown = "".join(RIGHT if right else WRONG for right in tries)
    title = puzzle.spot.open().game.title
    told = f"Number Duels {day.isoformat()} · {title} {puzzle.stars} {shown}".rstrip()
    return f"{told} · streak {streak}" if streak else told


def _digest(*parts: object) -> str:
    """An order that no version of Python changes."""
    return sha256(" ".join(map(str, parts)).encode()).hexdigest()


def judge_puzzle(puzzle: Puzzle, solution: AnySolution, text: str) -> Feedback:
    """The verdict on an answer as it was typed; a ValueError for what is no option.

    Where a puzzle asks for the mistake, its cost and its punishment explain the right answer.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> puzzle = next(one for one in puzzles("number-knot") if one.mistake)
    >>> judge_puzzle(puzzle, solve(load(puzzle.game)), puzzle.best[0]).headline
    'Wrong: this one costs nothing.'
    """
    spot = puzzle.spot.open()
    feedback = judge(Exercise(spot, solution), read_answer(spot, text, MOVE))
    if not puzzle.mistake:
        return feedback
    said = feedback.headline.replace("Wrong", "Right", 1)
    if feedback.right:
        said = "Wrong: this one costs nothing."
    return replace(feedback, right=not feedback.right, headline=said)


# ---- for other tools ---------------------------------------------------------


def puzzle_lines(puzzles: Iterable[Puzzle], solution: AnySolution) -> Iterator[str]:
    """A line for each puzzle of a game, of which `solution` is the solution.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> line, *_ = puzzle_lines(puzzles("number-knot"), solve(load("number-knot")))
    >>> sorted(json.loads(line))[:6]
    ['answers', 'board', 'deal', 'game', 'grade', 'id']
    """
    return (json.dumps(puzzle_json(puzzle, solution), ensure_ascii=False) for puzzle in puzzles)


def puzzle_json(puzzle: Puzzle, solution: AnySolution) -> dict[str, object]:
    """A puzzle with its board in words, its options with their values, and its answers."""
    spot = puzzle.spot.open()
    exercise = Exercise(spot, solution)
    found = {option.move: option for option in exercise.options}
    moves = list(map(str, spot.options))
    return {
        "id": puzzle.id,
        **spot.spot.to_json(),
        "title": spot.game.title,
        "board": list(in_words(spot.board)),
        "prompt": puzzle.prompt,
        "answers": list(puzzle.answers),
        "value": exercise.value,
        "options": [
            {
                "move": move,
                "words": found[move].words,
                "value": found[move].value,
                "guarantee": found[move].guarantee,
                "probability": found[move].probability,
            }
            for move in moves
        ],
        "themes": list(puzzle.themes),
        "grade": puzzle.grade,
        "note": puzzle.note,
    }
