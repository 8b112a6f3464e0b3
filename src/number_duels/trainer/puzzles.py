"""Puzzles: positions with few right answers, each with a grade and its themes.

`scripts/make_puzzles.py` writes them. Published puzzles never change. New ones get a new `edition`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from number_duels.core.board import in_words
from number_duels.core.game import Seat
from number_duels.core.text import listed
from number_duels.review.position import AnySolution, words_of_moves
from number_duels.review.words import are, capital, cost, doing, lowers
from number_duels.trainer.book import MAX_COST
from number_duels.trainer.exercise import MOVE, Exercise, read_answer
from number_duels.trainer.feedback import Feedback, judge, punishment
from number_duels.trainer.spot import Spot

DATA = Path(__file__).parent / "data" / "puzzles"
GRADES = (1, 2, 3, 4, 5)
STAR, NO_STAR = "★", "☆"


@dataclass(frozen=True)
class Puzzle:
    """A position and its right answers.

    >>> puzzle = puzzles("number-knot")[0]
    >>> puzzle.grade, puzzle.stars, puzzle.is_right(puzzle.answers[0])
    (1, '★', True)
    """

    #: A unique id.
    id: str
    #: The position and the seat that decides.
    spot: Spot
    #: The names of the themes, as in `scripts/puzzle_themes.py`.
    themes: tuple[str, ...]
    #: The difficulty, from 1 (easy) to 5 (hard).
    grade: int
    #: The moves that cost nothing, in notation.
    best: tuple[str, ...]
    #: The only move that costs something, if the puzzle asks for it. Otherwise empty.
    mistake: str = ""
    #: The cost of the smallest mistake, from 0 to 2.
    gap: float = 0.0
    #: A wrong move that looks best, or empty.
    trap: str = ""
    #: The cost of the trap, from 0 to 2.
    loss: float = 0.0
    edition: int = 1

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return self.spot.game

    @property
    def stars(self) -> str:
        """Return the grade as stars."""
        return STAR * self.grade

    @property
    def difficulty(self) -> str:
        """Return the grade as stars out of five, in words that explain them."""
        return f"difficulty {STAR * self.grade}{NO_STAR * (GRADES[-1] - self.grade)}"

    @property
    def prompt(self) -> str:
        """Return the question as one or two sentences."""
        if self.mistake:
            return "All choices but one are right. Which one is the mistake?"
        if "must-mix" in self.themes:
            return "Perfect play mixes several choices here. Find a choice that costs nothing."
        wins = self.gap == MAX_COST or "win-at-once" in self.themes
        draws = "stalemate" in self.themes
        if len(self.best) > 1:
            goal = "Win: find" if wins else "Save the draw: find" if draws else "Find"
            return f"{goal} one of the {len(self.best)} right moves."
        goal = "wins" if wins else "keeps the draw" if draws else "costs nothing"
        return f"Find the only move that {goal}."

    @property
    def note(self) -> str:
        """Return the sentence to show after the puzzle is solved or given up."""
        if self.trap:
            return f"{self.trap} looks best, but lowers the winning chance by {cost(self.loss)}."
        least = "The mistake" if self.mistake else "The smallest mistake"
        return f"{least} lowers the winning chance by {cost(self.gap)}."

    @property
    def solution(self) -> str:
        """Return the right answers as a sentence."""
        spot = self.spot.open()
        words = words_of_moves(spot.game, spot.state, spot.seat)
        right = [words[spot.game.parse(move)] for move in self.answers]
        return f"The {are('mistake' if self.mistake else 'right move', right)}."

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the right answers, in notation."""
        return (self.mistake,) if self.mistake else self.best

    def is_right(self, move: str) -> bool:
        """Return whether a move, in notation, is a right answer."""
        return move in self.answers


def puzzles(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, easiest first. Raise ValueError if there are none.

    `game` may be a part of the name, if only one game matches it.

    >>> len(puzzles("number-knot"))
    320
    >>> puzzles("take-away")
    Traceback (most recent call last):
    ValueError: There are no puzzles for 'take-away'; ...
    """
    fitting = [name for name in games_with_puzzles() if game.casefold() in name]
    if len(fitting) != 1:
        there = listed(list(games_with_puzzles()))
        raise ValueError(f"There are no puzzles for {game!r}; choose {there}.")
    return _read(fitting[0])


@cache
def games_with_puzzles() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in DATA.glob("*.jsonl")))


def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return the puzzle with this id. Raise ValueError if there is none.

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
    found = dict(line)
    themes, best = tuple(found.pop("themes")), tuple(found.pop("best"))
    settings, deal = found.pop("settings", {}), found.pop("deal", None)
    spot = Spot(game, settings, deal, found.pop("moves"), Seat(found.pop("seat") - 1))
    return Puzzle(spot=spot, themes=themes, best=best, **found)


#: The first day of edition 1, 2 and so on. A new edition never changes an earlier day's puzzle.
FIRST_DAYS = (date(2026, 11, 1),)
GRADE_OF_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)
RIGHT, WRONG = "🟩", "⬛"
MAX_AHEAD_OF_UTC, MAX_BEHIND_UTC = timedelta(hours=14), timedelta(hours=12)


@dataclass(frozen=True)
class Edition:
    """The puzzles for all days from `first_day` on."""

    number: int
    first_day: date
    puzzles: Mapping[str, tuple[Puzzle, ...]]


def daily(day: date) -> Puzzle:
    """Return the puzzle of a day. It is easy on Monday and hard on Sunday. The games take turns.

    >>> daily(date(2026, 11, 16)).stars, daily(date(2026, 11, 22)).stars
    ('★', '★★★★★')
    """
    return puzzle_of(edition_of(editions(), day), day)


def daily_path(day: date) -> str:
    return f"/daily/{day.isoformat()}"


def read_day(text: str, now: datetime) -> date:
    """Read a date. Raise ValueError if that day has not begun anywhere on Earth.

    >>> noon = datetime(2026, 11, 16, 12, tzinfo=UTC)
    >>> read_day("2026-11-17", noon).day
    17
    >>> read_day("2026-11-18", noon)
    Traceback (most recent call last):
      ...
    ValueError: The puzzle for 2026-11-18 is not available yet.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise ValueError(f"{text!r} is not a date; write it as {now.date().isoformat()}.")
    if day > (now.astimezone(UTC) + MAX_AHEAD_OF_UTC).date():
        raise ValueError(f"The puzzle for {day} is not available yet.")
    return day


def is_past(day: date, now: datetime) -> bool:
    return day < (now.astimezone(UTC) - MAX_BEHIND_UTC).date()


@cache
def editions() -> tuple[Edition, ...]:
    every = {name: puzzles(name) for name in games_with_puzzles()}
    return tuple(
        Edition(number, first_day, up_to(number, every))
        for number, first_day in enumerate(FIRST_DAYS, start=1)
    )


def up_to(number: int, every: Mapping[str, tuple[Puzzle, ...]]) -> dict[str, tuple[Puzzle, ...]]:
    some = {
        name: tuple(puzzle for puzzle in found if puzzle.edition <= number)
        for name, found in every.items()
    }
    return {name: found for name, found in some.items() if found}


def edition_of(known: Sequence[Edition], day: date) -> Edition:
    return [known[0], *(one for one in known if one.first_day <= day)][-1]


def puzzle_of(edition: Edition, day: date) -> Puzzle:
    """Return the puzzle of `day`. Puzzles that are new in the edition come first."""
    name, grade = game_of(edition, day), GRADE_OF_WEEKDAY[day.weekday()]
    fitting = [puzzle for puzzle in edition.puzzles[name] if puzzle.grade == grade]
    fitting.sort(key=lambda one: (-one.edition, _digest("daily", edition.number, one.id)))
    return fitting[days_before(edition, day, name, grade) % len(fitting)]


def game_of(edition: Edition, day: date) -> str:
    # All games take turns. Their order changes after each round.
    names = list(edition.puzzles)
    turn, place = divmod(day.toordinal(), len(names))
    return sorted(names, key=lambda name: _digest("game", edition.number, turn, name))[place]


def days_before(edition: Edition, day: date, name: str, grade: int) -> int:
    first = min(edition.first_day, day)
    days = (first + timedelta(days=n) for n in range((day - first).days))
    return sum(
        GRADE_OF_WEEKDAY[one.weekday()] == grade and game_of(edition, one) == name for one in days
    )


def squares(day: date, tries: Sequence[bool], streak: int = 0) -> str:
    """Return a line of text to share. It shows the tries, but not the answer.

    >>> squares(date(2026, 11, 16), [False, True], streak=3)  # doctest: +ELLIPSIS
    'Number Duels 2026-11-16 · ... ★ ⬛🟩 · streak 3'
    """
    puzzle = daily(day)
    shown = "".join(RIGHT if right else WRONG for right in tries)
    title = puzzle.spot.open().game.title
    told = f"Number Duels {day.isoformat()} · {title} {puzzle.stars} {shown}".rstrip()
    return f"{told} · streak {streak}" if streak else told


def _digest(*parts: object) -> str:
    return sha256(" ".join(map(str, parts)).encode()).hexdigest()


def judge_puzzle(puzzle: Puzzle, solution: AnySolution, text: str) -> Feedback:
    """Judge a typed answer to a puzzle. Raise ValueError if it is not a legal move.

    If the puzzle asks for the mistake, the mistake is the right answer.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> puzzle = next(one for one in puzzles("number-knot") if one.mistake)
    >>> judge_puzzle(puzzle, solve(load(puzzle.game)), puzzle.best[0]).headline
    'Wrong: it costs nothing, so it is not the mistake.'
    """
    exercise = Exercise(puzzle.spot.open(), solution)
    answer = read_answer(exercise.spot, text, MOVE)
    feedback = judge(exercise, answer)
    reasons = tuple(reason_sentences(puzzle, exercise, feedback, str(answer.move)))
    if not puzzle.mistake:
        return replace(feedback, sentences=(*feedback.sentences, *reasons))
    said = f"Right: this mistake {lowers(exercise.value, feedback.cost)}."
    if feedback.right:
        said = "Wrong: it costs nothing, so it is not the mistake."
    return replace(feedback, right=not feedback.right, headline=said, sentences=reasons)


def reason_sentences(
    puzzle: Puzzle, exercise: Exercise, feedback: Feedback, played: str
) -> Iterator[str]:
    """Explain one mistake in the puzzle: the only one, the tempting one, or the smallest one."""
    if not feedback.bad or not (feedback.right or puzzle.mistake):
        return  # the verdict explains the learner's own mistake
    wrong = puzzle.mistake or puzzle.trap or feedback.bad[0].move
    option = next(option for option in feedback.bad if option.move == wrong)
    subject = capital(doing([option.words], 1))
    does = lowers(exercise.value, exercise.cost(wrong))
    if played != wrong:
        if puzzle.mistake:
            yield f"{subject} is the mistake: it {does}."
        elif puzzle.trap:
            yield f"{subject} looks best, but {does}."
        else:  # after a right answer, the cost of the alternative is enough
            would = does.replace("lowers", "would have lowered", 1)
            yield f"{subject} {would}."
            return
    yield punishment(exercise, wrong)


OPTION_KEYS = ("move", "words", "value", "guarantee", "probability")


def puzzle_lines(puzzles: Iterable[Puzzle], solution: AnySolution) -> Iterator[str]:
    """Yield one line of JSON per puzzle. All puzzles belong to the game of `solution`.

    >>> from number_duels import load, solve
    >>> from number_duels.trainer.puzzles import puzzles
    >>> line, *_ = puzzle_lines(puzzles("number-knot"), solve(load("number-knot")))
    >>> sorted(json.loads(line))[:6]
    ['answers', 'board', 'deal', 'game', 'grade', 'id']
    """
    return (json.dumps(puzzle_json(puzzle, solution), ensure_ascii=False) for puzzle in puzzles)


def puzzle_json(puzzle: Puzzle, solution: AnySolution) -> dict[str, object]:
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
        "options": [{name: getattr(found[move], name) for name in OPTION_KEYS} for move in moves],
        "themes": list(puzzle.themes),
        "grade": puzzle.grade,
        "note": puzzle.note,
    }
