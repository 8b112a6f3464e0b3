"""Texts about a learner's progress and about what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from number_duels.core.text import counted
from number_duels.games import find, load, names
from number_duels.review.words import capital
from number_duels.trainer.book import DAILY_TRIES, NO_CARD, Book, Card, is_explained
from number_duels.trainer.lessons import Lesson, lesson, lesson_names
from number_duels.trainer.puzzles import daily, games_with_puzzles, puzzles
from number_duels.trainer.schedule import DAY


class NextTraining(NamedTuple):
    kind: str
    label: str
    note: str


def next_training(book: Book, now: datetime, name: str) -> NextTraining:
    title, steps = load(name).title, lesson(name).steps
    if any(map(can_open, book.due(now))):
        return NextTraining(
            "book", "Practice your mistakes", f"{capital(today(book, now))}, from all games."
        )
    done = steps_done(book, name, len(steps))
    if not is_learned(book, lesson(name)):
        if done:
            note = f"You have done {done} of {len(steps)} steps of the {title} lesson."
            return NextTraining("lesson", "Go on with the lesson", note)
        note = f"Learn {title} in a few minutes, by playing it."
        return NextTraining("lesson", "Start the lesson", note)
    note = f"Find the best move in positions from {title}, and see what each answer costs."
    return NextTraining("drill", "Start drills", note)


def can_open(card: Card) -> bool:
    try:
        return card.spot.open().id == card.id
    except ValueError:
        return False


def due_words(due: int) -> str:
    return f"{counted(due, 'mistake')} to practice today" if due else ""


def today(book: Book, now: datetime) -> str:
    if due := due_words(len(book.due(now))):
        return due
    if book.cards:
        return f"nothing to practice; the next comes back {book.cards[0].comes_back(now)}"
    return "your mistakes will come back here"


def daily_note(book: Book, day: date) -> str:
    puzzle, tries, streak = daily(day), book.daily_tries(day), book.daily_streak(day)
    if any(tries):
        return f"solved, streak {streak}; come back tomorrow for {streak + 1}"
    if is_explained(tries):
        return "not solved; a new one comes tomorrow"
    about = f"{find(puzzle.game).title}, {puzzle.difficulty}"
    if tries:
        return f"{about}, {len(tries)} of {DAILY_TRIES} tries used"
    return f"for a {streak + 1}-day streak: {about}" if streak else about


def streak_words(streak: int) -> str:
    return f"{streak} days in a row" if streak > 1 else ""


def steps_reached(book: Book, name: str) -> int:
    place = book.lesson_place(name)
    return int(place) if place.isdecimal() else 0


def steps_done(book: Book, name: str, steps: int) -> int:
    """Return how many steps of a lesson are done. A finished lesson starts again at 0."""
    done = steps_reached(book, name)
    return done if done < steps else 0


def lesson_note(book: Book, name: str) -> str:
    steps = len(lesson(load(name)).steps)
    done = steps_done(book, name, steps)
    return f"{done} of {steps} steps are done" if done else ""


def game_notes(book: Book, name: str) -> dict[str, str]:
    given = [one for one in book.answers if one.spot.game == name]
    drills = [one.right for one in given if one.kind == "drill"]
    known = {one.id for one in puzzles(name)} if name in games_with_puzzles() else set()
    solved = known & {one.note for one in given if one.right}
    return {
        "lesson": f"{steps_reached(book, name)} of {len(lesson(name).steps)} steps",
        "drills": f"{sum(drills)} of {len(drills)} right" if drills else "",
        "puzzles": f"{len(solved)} of {len(known)} solved" if known else "",
    }


def lessons() -> list[Lesson]:
    known = [lesson(name) for name in names() if name in lesson_names()]
    return sorted(known, key=lambda one: (one.minutes, len(one.steps)))


def is_learned(book: Book, one: Lesson) -> bool:
    """Return whether a learner finished a lesson and answered at least half of its questions."""
    asked = [str(number) for number, step in enumerate(one.steps, 1) if step.asks]
    given = book.lesson_steps(one.game)
    answered = {step.note for step in given if step.card != NO_CARD}.intersection(asked)
    return any(step.note == asked[-1] for step in given) and 2 * len(answered) >= len(asked)


def next_lesson(book: Book) -> Lesson | None:
    """Return the lesson to suggest next, or None. Lessons that the learner has begun come first."""
    left = [one for one in lessons() if not is_learned(book, one)]
    return min(left, key=lambda one: not lesson_note(book, one.game), default=None)


def next_lesson_words(book: Book) -> str:
    one = next_lesson(book)
    if one is None:
        return ""
    begun = lesson_note(book, one.game).removesuffix(" are done")
    return f"{one.title}, {begun or counted(one.minutes, 'minute')}"


def so_far(book: Book, day: date) -> str:
    count = len(book.answers)
    if not count:
        return "drills, puzzles, and a book of your mistakes"
    right = sum(answer.right for answer in book.answers)
    streak = book.daily_streak(day)
    days = f", daily streak {streak}" if streak else ""
    return f"{counted(count, 'answer')}, {right / count:.0%} right{days}"


def standing(book: Book, day: date, now: datetime) -> str:
    return " · ".join(standing_parts(book, day, now))


def standing_parts(book: Book, day: date, now: datetime) -> Iterator[str]:
    streak, best = book.daily_streak(day), book.longest_streak
    if best > 1:
        days = streak_words(streak)
        yield f"{days} (best {best})" if days else f"best: {best} days in a row"
    every = lessons()
    if done := sum(is_learned(book, one) for one in every):
        yield f"{done} of {counted(len(every), 'lesson')}"
    if later := len(book.due(now + DAY)) - len(book.due(now)):
        yield f"{counted(later, 'mistake')} due tomorrow"
