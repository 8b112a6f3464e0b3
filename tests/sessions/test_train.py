"""Training sessions without a face: what is asked, what is told, and what the book keeps."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from itertools import count

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame, Seat
from number_duels.core.scene import ASKED, OVER, SAID, TOLD, WORKING, Scene, scene_json
from number_duels.games import load
from number_duels.review.words import are
from number_duels.sessions.progress import lesson_note, next_training
from number_duels.sessions.train import (
    MIN_SERIES,
    LessonTask,
    Plan,
    Task,
    TrainSession,
    answered_words,
    path_of,
    puzzle_task,
    spot_after,
)
from number_duels.trainer.book import AddCard, AnswerGiven
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import MIXED, read_answer
from number_duels.trainer.lessons import TEST, lesson, lesson_names
from number_duels.trainer.puzzles import GRADES, daily, find_puzzle, puzzles
from number_duels.trainer.schedule import DAY
from number_duels.trainer.spot import Spot
from number_duels.web.service.training import seen
from tests.clock import START, ManualClock
from tests.sessions.training import MemoryBook, mistake, worked
from tests.some_games import SECRET, SOME_GAMES, sample
from tests.terminal.training import CARDS, KNOT, TickingClock, drill_plan

KINDS = ("drill", "book", "puzzle", "daily", "lesson")
KEYS = ("answer", "next", "skip", "again", "add", "remove")
NOT_NOW = "That is not possible now|There is no question to answer now"


def day_with(game: str) -> date:
    """A day whose puzzle is one of a game."""
    days = (START.date() + timedelta(n) for n in count())
    return next(day for day in days if daily(day).game == game)


def begun(kind: str, game: str, tasks: int = 2) -> TrainSession:
    """A session of any kind in a game; its book has a card."""
    card = AddCard.of(puzzles(game)[0].spot.open(), START, source="analysis", cost=0.5)
    day = day_with(game)
    clock = TickingClock(START + timedelta((day - START.date()).days))
    plan = Plan(kind, "" if kind == "daily" else game, count=tasks, seed=3, day=day)
    return TrainSession(plan, MemoryBook(card), clock)


def drilled(scope: Scope | None = None, tasks: int = 1) -> TrainSession:
    """A session of drills in a quick game, with an empty book."""
    return TrainSession(drill_plan(KNOT, 3, tasks, scope), MemoryBook(), TickingClock())


def reopened(session: TrainSession) -> TrainSession:
    """A session that was put away: nothing but its state is left of it."""
    return TrainSession(session.plan, session.store, session.clock, session.state)


def answer_to(task: Task, *, right: bool) -> str:
    """A right or a wrong answer to anything that is asked."""
    exercise = task.exercise
    said = list(map(str, task.spot.options))
    if exercise.form == MIXED:
        shares = [(one.move, 100 * one.probability) for one in exercise.options]
        perfect = " ".join(f"{move}:{share:.6f}" for move, share in shares if share)
        said = [perfect, *(f"{move}:100" for move in said)]
    read = {text: read_answer(task.spot, text, exercise.form) for text in said}
    return next(text for text, answer in read.items() if task.judge(answer).right is right)


def answered(session: TrainSession, *, right: bool) -> Scene:
    """What is told after an answer."""
    worked(session)
    session.act("answer", answer_to(session.asked_task(), right=right))
    return session.scene()


def step(session: TrainSession) -> None:
    """Do the next thing: answer wrong where nothing was answered yet, then right, and go on."""
    scene = worked(session)
    if scene.stage == ASKED:
        right = bool(session.state.given)
        session.act("answer", answer_to(session.asked_task(), right=right))
    else:
        session.act("again" if scene.offers("again") else "next")


# ---- answers and the book --------------------------------------------------------


def test_a_missed_drill_becomes_a_card_and_the_answer_follows() -> None:
    session = drilled()
    told = answered(session, right=False)
    (added,) = (one for one in session.store.read().events if isinstance(one, AddCard))
    (given,) = session.store.read().answers
    assert added.card == given.card == session.asked_task().spot.id
    assert (added.source, added.cost) == ("drill", given.cost)
    assert added.time == given.time
    assert (given.kind, given.right, given.answer) == ("drill", False, told.answer)
    kept = "Saved in your mistake book: the position comes back for practice today."
    assert told.notes == (kept,)
    (card,) = session.book.cards
    assert (card.tries, card.misses) == (0, 0)  # it is to be repeated, and was not yet


def test_an_inaccuracy_makes_no_card() -> None:
    """Giving the card costs 0.8% of the winning chance."""
    settings: dict[str, int | str] = {"target": 13, "highest": 4, "copies": 2}
    spot = Spot("number-stack-showdown", settings, None, "3k 1k 2", Seat.ONE)
    plan = Plan("drill", spot.game, settings, Scope(spot=spot), count=1)
    session = TrainSession(plan, MemoryBook(), TickingClock())
    worked(session)
    session.act("answer", "g")
    told = session.scene()
    assert told.verdict
    assert not told.verdict.right
    assert told.verdict.headline.startswith("Inaccurate: it lowers your winning chance from ")
    assert told.verdict.sentences[0] == "Your answer: give."
    assert (told.notes, session.book.cards) == ((), ())


def test_a_right_answer_makes_no_card() -> None:
    session = drilled()
    told = answered(session, right=True)
    assert told.verdict
    assert told.verdict.right
    assert (told.notes, session.book.cards) == ((), ())
    assert [one.right for one in session.store.read().answers] == [True]
    session.act("next")
    assert session.scene().lines == ("1 of 1 right.",)


def test_a_session_that_cannot_be_kept_goes_on_and_says_so() -> None:
    session, store = drilled(tasks=2), MemoryBook()
    session.store, store.problem = store, "The disk is full."
    told = answered(session, right=False)
    assert (told.stage, told.notes) == (TOLD, ("The disk is full. Your answers are not saved.",))
    assert session.act("again") == ""
    assert session.act("add") == "The disk is full. Your answers are not saved."
    answered(session, right=True)
    session.act("next")
    worked(session)
    session.act("skip")
    assert session.scene().lines == (
        "1 of 2 right, 1 skipped. Your answers lower the winning chance by 25% on average.",
        "The disk is full. Your answers are not saved.",
    )
    assert store.read().events == ()


def test_what_could_not_be_kept_is_kept_as_soon_as_there_is_room() -> None:
    session, store = drilled(tasks=2), MemoryBook()
    session.store, store.problem = store, "The disk is full."
    answered(session, right=False)
    session.act("next")
    store.problem = ""
    assert answered(session, right=True).notes == ()
    assert [one.right for one in store.read().answers] == [False, True]
    assert len(store.read().cards) == 1


@pytest.mark.parametrize("text", ["", "eleven", "S99", "S1:1"])
def test_what_is_no_answer_changes_nothing(text: str) -> None:
    session = drilled()
    asked = worked(session)
    with pytest.raises(ValueError, match=r"\w"):
        session.act("answer", text)
    assert session.scene() == asked
    assert session.store.read().events == ()


def test_an_answer_that_is_sent_twice_is_kept_once() -> None:
    session = drilled()
    worked(session)
    state, said = session.state, mistake(session.asked_task())
    for _ in range(2):
        session = TrainSession(session.plan, session.store, session.clock, state)
        worked(session)
        session.act("answer", said, "0123456789abcdef")
    kinds = sorted(one.event for one in session.store.read().events)
    assert kinds == ["add", "answer"]


def test_a_card_that_is_answered_comes_back_later() -> None:
    session = begun("book", SECRET)
    (before,) = session.book.cards
    told = answered(session, right=True)
    (after,) = session.store.read().cards
    assert after.due > before.due + DAY
    assert [(one.kind, one.right) for one in session.book.answers] == [("book", True)]
    assert told.notes[0].startswith("In your mistake book. It comes back in ")
    assert "right ever since" in told.status
    assert begun_again(session).scene().lines[0].startswith("Nothing to practice; ")


def begun_again(session: TrainSession) -> TrainSession:
    return TrainSession(session.plan, session.store, session.clock)


def test_a_missed_card_is_asked_again_at_once_and_both_answers_count() -> None:
    session = begun("book", SECRET)
    assert answered(session, right=False).offers("again")
    session.act("again")
    asked = session.scene()
    assert (asked.stage, asked.verdict, asked.tables) == (ASKED, None, ())
    assert not answered(session, right=True).offers("again")
    (card,) = session.store.read().cards
    assert (card.tries, card.misses) == (2, 1)
    session.act("next")
    assert session.scene().lines[0].startswith("1 of 2 right. ")


@pytest.mark.parametrize("stage", [ASKED, TOLD])
def test_a_card_is_removed_and_the_session_goes_on(stage: str) -> None:
    session = begun("book", SECRET)
    scene = worked(session) if stage == ASKED else answered(session, right=False)
    assert (scene.stage, scene.offers("remove")) == (stage, True)
    assert session.act("remove") == "Removed from your book."
    assert session.store.read().cards == ()
    session = reopened(session)
    after = worked(session)
    assert (after.stage, after.offers("remove"), after.notes) == (stage, False, ())
    assert session.act("add") == "In your mistake book. It comes back today."
    session.act("skip" if stage == ASKED else "next")
    assert session.scene().stage == OVER


def test_a_position_is_put_into_the_book_before_or_after_its_answer() -> None:
    session = drilled()
    worked(session)
    for _ in range(2):
        assert session.act("add") == "In your mistake book. It comes back today."
    assert len(session.store.read().cards) == 1
    session.store = MemoryBook()
    session.book = session.store.read()
    told = answered(session, right=True)
    assert (told.offers("add"), told.notes) == (True, ())
    session.act("add")
    told = session.scene()
    assert (told.offers("add"), told.notes) == (
        False,
        ("In your mistake book. It comes back today.",),
    )


def test_an_answer_that_costs_less_than_two_percent_makes_no_card() -> None:
    game: AnyGame = load(SECRET, cards=6, rounds=4)
    scope = Scope(spot=spot_after(game, None, "5/2", 1).spot)
    session = TrainSession(drill_plan(game, 3, 1, scope), MemoryBook(), TickingClock())
    worked(session)
    session.act("answer", "6")
    assert session.told
    assert 0 < session.told.feedback.cost < 0.04
    assert session.store.read().cards == ()


# ---- kinds of tasks --------------------------------------------------------------


def test_one_spot_is_asked_again_and_again_and_tells_a_series() -> None:
    scope = Scope(spot=spot_after(CARDS, None, "", 1).spot)
    session = TrainSession(drill_plan(CARDS, 3, MIN_SERIES, scope), MemoryBook(), ManualClock())
    for _ in range(MIN_SERIES - 1):  # too few answers to say how often each move is chosen
        told = answered(session, right=True)
        assert "series" not in [table.kind for table in told.tables]
        assert not told.offers("again")
        session.act("next")
    *_, series = answered(session, right=True).tables
    assert (series.title, series.columns) == (
        f"{MIN_SERIES} answers",
        ("you", "(range)", "perfect"),
    )
    session.act("next")
    assert session.scene().stage == OVER


def test_where_perfect_play_need_not_mix_no_series_calls_a_right_answer_different() -> None:
    scope = Scope(spot=spot_after(KNOT, None, "S9 A1", 1).spot)  # several moves win
    session = TrainSession(drill_plan(KNOT, 3, MIN_SERIES, scope), MemoryBook(), ManualClock())
    for _ in range(MIN_SERIES):
        told = answered(session, right=True)
        assert told.verdict
        assert told.verdict.right
        assert "series" not in [table.kind for table in told.tables]
        session.act("next")


def test_where_nothing_fits_the_reason_is_said() -> None:
    session = drilled(Scope(form=MIXED))
    over = worked(session)
    assert (over.stage, session.state.number) == (OVER, 0)
    assert over.lines[0].startswith("No more positions in Number Knot need a mixed")


def test_cards_come_before_the_lesson_and_the_lesson_before_drills() -> None:
    clock, store = TickingClock(), MemoryBook()

    def offered() -> str:
        return next_training(store.read(), clock.now(), KNOT.name).kind

    assert offered() == "lesson"
    session = TrainSession(Plan("lesson", KNOT.name), store, clock)
    while (scene := worked(session)).stage != OVER:
        assert offered() == "lesson"
        if scene.stage == ASKED:
            answered(session, right=True)
        session.act("next")
    assert offered() == "drill"
    session = TrainSession(drill_plan(KNOT, 3, 1), store, clock)
    answered(session, right=False)
    assert offered() == "book"


def test_an_empty_book_has_nothing_to_ask() -> None:
    session = TrainSession(Plan("book"), MemoryBook(), ManualClock())
    assert session.work() is None
    assert session.scene().lines == ("Your mistakes will come back here.",)


def test_three_wrong_tries_end_the_daily_puzzle_and_explain_it() -> None:
    session = begun("daily", KNOT.name)
    for number in (1, 2, 3):
        asked = worked(session)
        day = session.plan.day
        place = (f"daily puzzle, {day.day} {day:%B}", f"try {number} of 3")
        assert (asked.status[:2], asked.offers("skip")) == (place, False)
        assert asked.detail == KNOT.short_rules
        told = answered(session, right=False)
        session = reopened(session)
        assert worked(session) == told
        assert told.verdict
        if number < 3:
            *why, last = told.verdict.sentences
            assert last == "Try again."
            assert len(why) > 1  # the reason, but not the answer
            task = session.asked_task()
            right = [one.words for one in task.exercise.options if one.move in task.exercise.best]
            assert not any(words in " ".join(why) for words in right)
            assert (told.tables, told.share) == ((), "")
            assert told.frames
            assert told.actions[0].label == "Try again"
            assert told.notes == ()  # when it comes back is not decided yet
        session.act("next")
    assert told.verdict
    assert told.tables
    over = worked(session)
    assert (over.stage, over.lines[0]) == (OVER, over.share)
    assert "⬛⬛⬛" in over.share
    lines = (over.share, "A new puzzle comes tomorrow.")
    session = begun_again(session)
    again = session.scene()
    assert (again.stage, again.lines, again.share) == (OVER, lines, over.share)
    assert again.share_path == f"/daily/{session.plan.day}"
    assert (again.title, again.status[0]) == ("Number Knot", asked.status[0])
    # How it went and the answer stay, without a solver.
    assert (again.progress, again.prompt) == ((3, 3), asked.prompt)
    assert again.verdict
    assert (again.verdict.right, again.verdict.headline) == (False, "Not solved.")
    assert daily(day).is_right(again.answer)
    assert again.changed
    # Further tries are practice, and change nothing.
    session.act("again")
    assert worked(session).status[1] == "practice"
    assert answered(session, right=True).share == over.share
    session.act("next")
    assert worked(session).share == over.share
    assert session.book.daily_streak(session.plan.day) == 0


def test_a_puzzle_says_what_its_right_moves_reach() -> None:
    only, several = set[str](), set[str]()
    for puzzle in puzzles(KNOT.name):
        if not puzzle.mistake:
            prompt = puzzle_task(puzzle, nd.solve(KNOT), "puzzle", "").prompt
            (only if len(puzzle.best) == 1 else several).add(re.sub(r"\d", "N", prompt))
    assert only == {"Find the only move that wins.", "Find the only move that keeps the draw."}
    assert several == {"Save the draw: find one of the N right moves."}


def test_the_first_mistake_that_is_kept_introduces_the_book() -> None:
    session = drilled(tasks=2)
    worked(session)
    (note,) = answered(session, right=False).notes
    assert note == "Saved in your mistake book: the position comes back for practice today."
    session.act("next")
    worked(session)
    (note,) = answered(session, right=False).notes
    assert note == "In your mistake book. It comes back today."
    session.act("next")
    assert "Your mistake book now has 2 mistakes." in worked(session).lines


def test_a_try_that_is_sent_twice_counts_once() -> None:
    session = begun("daily", KNOT.name)
    answered(session, right=False)
    session.act("next")
    worked(session)
    state, said = session.state, answer_to(session.asked_task(), right=False)
    for _ in range(2):
        session = TrainSession(session.plan, session.store, session.clock, state)
        assert worked(session).status[1] == "try 2 of 3"
        session.act("answer", said, "0123456789abcdef")
        assert (session.scene().tables, session.scene().share) == ((), "")
    assert worked(begun_again(session)).status[1] == "try 3 of 3"


def puzzle_session(kind: str) -> TrainSession:
    """A puzzle with a trap, or one that asks for the mistake, as a session of its own."""
    wanted = [one for one in puzzles(KNOT.name) if getattr(one, kind)]
    session = TrainSession(Plan("puzzle", KNOT.name, count=1), MemoryBook(), TickingClock())
    session.state = replace(session.state, items=(wanted[0].id,))
    return session


@pytest.mark.parametrize(("kind", "asks"), [("mistake", "Select the mistake"), ("trap", "Select")])
def test_the_board_of_a_puzzle_asks_what_the_puzzle_asks(kind: str, asks: str) -> None:
    session = puzzle_session(kind)
    scene, sent = worked(session), seen(session)["question"]
    assert scene.question
    assert isinstance(sent, dict)
    assert scene.question.prompt == sent["text"]
    assert ("the mistake" in sent["text"]) is (kind == "mistake")
    assert sent["text"].startswith(asks)


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("kind", ["mistake", "trap"])
def test_a_puzzle_is_explained_by_the_line_that_punishes_a_mistake(kind: str, right: bool) -> None:
    session = puzzle_session(kind)
    told = answered(session, right=right)
    if not right:  # the second try is explained
        session.act("next")
        told = answered(session, right=False)
    assert told.verdict
    said = " ".join(told.verdict.sentences[1:])
    assert said.count("Your opponent can ") == 1
    assert (" is the mistake: it lowers " in said) is (kind == "mistake" and not right)
    assert (" looks best, but lowers " in said) is (kind == "trap" and right)


@pytest.mark.parametrize("count", [5, 10, 12])
def test_puzzles_of_any_grade_begin_easy_and_get_harder(count: int) -> None:
    plan = Plan("puzzle", KNOT.name, count=count, seed=3)
    grades = [find_puzzle(one).grade for one in TrainSession(plan, MemoryBook()).state.items]
    assert grades == sorted(grades)
    assert len(grades) == count
    assert {grades.count(grade) for grade in GRADES} <= {count // 5, -(-count // 5)}


def test_days_in_a_row_are_counted() -> None:
    session = begun("daily", KNOT.name)
    store, day = session.store, session.plan.day
    told = answered(session, right=True)
    assert "🟩 · streak 1" in told.share
    assert told.verdict
    assert told.verdict.headline == "Solved on the first try."
    yesterday = AnswerGiven.of(
        daily(day - DAY).spot.open(),
        session.clock.now() - DAY,
        kind="daily",
        form="move",
        answer="",
        cost=0.0,
        right=True,
        note=str(day - DAY),
    )
    store.append(yesterday)
    assert "🟩 · streak 2" in begun_again(session).scene().share


def test_an_error_in_a_lesson_costs_nothing_where_the_rules_decide() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    told = Scene(WORKING, "")
    while worked(session).stage != OVER:
        if session.state.stage == SAID:
            session.act("next")
            continue
        step_number = int(session.asked_task().note)
        told = answered(session, right=False)
        assert told.verdict
        assert not told.verdict.right
        assert told.verdict.headline == "Wrong."
        rules_decide = bool(lesson(KNOT.name).steps[step_number - 1].accepts)
        assert (session.state.given[-1].cost == 0, told.frames == ()) == (rules_decide,) * 2
        if told.frames:
            assert told.frames[-1].said.endswith(("and wins.", "That leaves you with a draw."))
        session.act("next")
    assert session.store.read().cards == ()
    tests = sum(one.kind == TEST for one in lesson(KNOT.name).steps)
    assert session.scene().lines == result_of_test(0, tests)


def result_of_test(right: int, tests: int) -> tuple[str, ...]:
    """The sentences at the end of a lesson."""
    well = "Perfect" if right == tests else "Well done"
    level = 3 if right == tests else 2 if 2 * right >= tests else 1
    stars = "★" * right + "☆" * (tests - right)
    return (
        f"{well}! You have learned Number Knot.",
        f"{stars} The test: {right} of {tests} right on the first try.",
        "Remember:",
        *(f"{n}. {one}." for n, one in enumerate(lesson(KNOT.name).principles, 1)),
        "You have finished 1 of 5 lessons. Next: Number Bid, 4 minutes.",
        f"Now play it against the computer at level {level} of 5.",
    )


def lesson_until(session: TrainSession, end: str, *wrong: str) -> None:
    """Do the steps of a lesson up to one of them; answer some wrong at the first try."""
    while (scene := worked(session)).stage != OVER and session.state.item != end:
        if scene.stage == ASKED:
            answered(session, right=session.state.item not in wrong)
        session.act("next")


def test_a_lesson_goes_on_where_it_was_left_and_says_so() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    assert (session.resumed, worked(session).notes) == ("", ())
    assert list(session.summary()) == []
    while worked(session).stage == SAID:
        session.act("next")
    place = session.state.item
    steps = len(lesson(KNOT.name).steps)
    assert list(session.summary()) == [f"Saved: the lesson resumes at step {place} of {steps}."]
    answered(session, right=True)
    goes_on = f"Saved: the lesson resumes at step {int(place) + 1} of {steps}."
    assert list(session.summary()) == [goes_on]
    session = begun_again(session)
    said = f"You have already done {place} steps. This is the next one."
    scene = worked(session)
    assert (session.resumed, scene.notes, scene.offers("restart")) == (said, (said,), True)
    session.act("next")
    assert (worked(session).notes, session.scene().offers("restart")) == ((), False)
    session = begun_again(session)
    session.act("restart")
    scene = worked(session)
    assert (session.state.item, scene.notes, scene.offers("restart")) == ("1", (), False)


def test_a_skipped_question_of_a_lesson_is_answered() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook())
    while not worked(session).question:
        session.act("next")
    task = session.asked_task()
    assert isinstance(task, LessonTask)
    best = [one.words for one in task.exercise.options if one.move in task.exercise.best]
    assert session.act("skip") in (task.step.answer, f"The {are('best move', best)}.")


def test_steps_of_a_lesson_that_were_read_or_skipped_are_done_and_are_no_answers() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    for number, one in enumerate(lesson(KNOT.name).steps[:-1], 1):
        assert worked(session).progress == (number, len(lesson(KNOT.name).steps))
        session.act("skip" if one.asks else "next")
        session = begun_again(session)
    assert session.book.answers == ()
    assert session.book.lesson_answers(KNOT.name) == {}
    assert lesson_note(session.book, KNOT.name) == f"{number} of {number + 1} steps are done"
    session.act("skip" if worked(session).question else "next")
    said, *others = session.scene().lines
    assert said.startswith("You skipped most of the questions in this lesson.")
    assert not any("learned" in line for line in others)
    assert next_training(session.book, session.clock.now(), KNOT.name).kind == "lesson"


def test_a_test_that_is_left_in_the_middle_counts_all_its_questions() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    tests = [str(n) for n, one in enumerate(lesson(KNOT.name).steps, 1) if one.kind == TEST]
    lesson_until(session, tests[2], tests[0])
    session = begun_again(session)
    lesson_until(session, "")
    assert session.scene().lines == result_of_test(len(tests) - 1, len(tests))
    # The next run starts its own count, and a skipped question is not right.
    session = begun_again(session)
    lesson_until(session, tests[-1], tests[1], tests[2])
    session.act("skip")
    assert session.scene().lines == result_of_test(len(tests) - 3, len(tests))


@pytest.mark.parametrize("second", [True, False])
def test_a_wrong_answer_in_a_lesson_gets_its_reason_and_a_second_try(second: bool) -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    while worked(session).stage == SAID:
        session.act("next")
    number = int(session.state.item)
    step = lesson(KNOT.name).steps[number - 1]
    told = answered(session, right=False)
    assert told.verdict
    assert told.verdict.sentences[1:] == (step.otherwise, "Try again.")
    assert (told.actions[0].label, told.tables) == ("Try again", ())
    session.act("next")
    session = reopened(session)
    asked = worked(session)
    assert (asked.stage, asked.prompt) == (ASKED, step.text)
    assert asked.status[0] == f"step {number} of {len(lesson(KNOT.name).steps)}, try 2 of 2"
    told = answered(session, right=second)
    assert told.verdict
    said = (step.praise,) if second else (step.otherwise, step.answer)
    assert told.verdict.sentences[1:] == said
    assert told.actions[0].label == "Next"
    session.act("next")
    worked(session)
    assert session.state.item == str(number + 1)
    assert session.book.lesson_place(KNOT.name) == str(number)


def test_the_test_of_a_lesson_counts_first_tries() -> None:
    session = TrainSession(Plan("lesson", KNOT.name), MemoryBook(), TickingClock())
    tests = [str(n) for n, one in enumerate(lesson(KNOT.name).steps, 1) if one.kind == TEST]
    while (scene := worked(session)).stage != OVER:
        if scene.stage == ASKED:
            answered(session, right=session.state.item != tests[0])
        session.act("next")
    assert session.scene().lines == result_of_test(len(tests) - 1, len(tests))
    assert (session.scene().title, session.opponent) == ("Number Knot", "level:2")
    session = begun_again(session)
    lesson_until(session, "")
    assert session.scene().lines == result_of_test(len(tests), len(tests))
    assert session.opponent == "level:3"


def test_a_lesson_speaks_to_the_learner_and_never_of_a_numbered_player() -> None:
    for name in lesson_names():
        for step in lesson(name).steps:
            said = (step.text, step.praise, step.otherwise, step.answer, *step.replies.values())
            assert not re.search(r"Player [12]|\b[AS][1-9]\b", " ".join(said)), said


def test_a_position_tells_the_last_turns_in_sentences() -> None:
    told = {
        "": "",
        "S5 A3": "So far: You subtract 5 from your opponent."
        " Your opponent adds 3 to their own life total.",
        "S6 A9 S8": (
            "Just before: You add 9 to your own life total. Your opponent subtracts 8 from you."
        ),
    }
    for moves, said in told.items():
        assert path_of(spot_after(KNOT, None, moves, None)) == said


def test_the_lesson_of_a_game_that_is_new_to_the_learner_is_at_hand() -> None:
    store = MemoryBook()
    plan = drill_plan(KNOT, 3, 1)
    session = TrainSession(plan, store, TickingClock())
    worked(session)
    assert session.is_new_game
    learning = TrainSession(Plan("lesson", KNOT.name), store, TickingClock())
    lesson_until(learning, "5")
    assert not learning.is_new_game
    session = TrainSession(plan, store, TickingClock())
    worked(session)
    assert not session.is_new_game


def test_a_mixed_strategy_is_asked_for_only_where_perfect_play_mixes() -> None:
    for game, mixes in ((KNOT, False), (CARDS, True)):
        spot = spot_after(game, None, "", 1)
        plan = drill_plan(game, 3, 1, Scope(form=MIXED, spot=spot.spot))
        session = TrainSession(plan, MemoryBook(), TickingClock())
        assert worked(session).mixed is mixes
        assert worked(reopened(session)).mixed is mixes
        card = AddCard.of(spot, START, source="drill", cost=0.5)
        given = AnswerGiven.of(
            spot, START, kind="drill", form=MIXED, answer="", cost=0.5, right=False
        )
        session = TrainSession(Plan("book"), MemoryBook(card, given), TickingClock())
        assert worked(session).mixed is mixes


# ---- every kind in every game ----------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_verdict_repeats_the_answer(name: str, kind: str) -> None:
    session = begun(kind, name)
    while worked(session).stage != ASKED:
        session.act("next")
    told = answered(session, right=False)
    assert told.verdict
    words = {option.move: option.words for option in session.asked_task().exercise.options}
    # A sentence that begins with the answer repeats it, too.
    said = told.verdict.sentences[0].removeprefix("Your answer: ").removesuffix(".")
    assert words[told.answer].endswith(said) or said.startswith(words[told.answer])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sample(nd.games(), 1))
def test_a_session_that_is_put_away_at_any_time_goes_on(name: str, kind: str) -> None:
    session = begun(kind, name)
    told = 0
    while True:
        session = reopened(session)
        scene = worked(session)
        session = reopened(session)
        assert worked(session) == scene
        told += scene.stage == TOLD
        if scene.stage == OVER:
            break
        step(session)
    assert told == len(session.state.given) > 1
    assert [one.right for one in session.state.given] == [False] + [True] * (told - 1)
    assert len(session.store.read().answers) == told
    assert scene.lines


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sample(nd.games(), 1))
def test_only_what_is_offered_is_possible(name: str, kind: str) -> None:
    session = begun(kind, name)
    for key in KEYS:
        if not session.scene().offers(key):  # a lesson begins with something that is said
            with pytest.raises(ValueError, match=NOT_NOW):
                session.act(key)
    seen = set[str]()
    while True:
        scene = worked(session)
        seen.add(scene.stage)
        state = session.state
        offered = {action.key for action in scene.actions}
        for key in set(KEYS) - offered - ({"answer"} if scene.stage == ASKED else set()):
            with pytest.raises(ValueError, match=NOT_NOW):
                session.act(key)
        assert session.state == state
        if scene.stage == OVER:
            break
        step(session)
    assert seen == {ASKED, TOLD, OVER} | ({SAID} if kind == "lesson" else set())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sample(nd.games(), 1))
def test_before_an_answer_nothing_is_told_of_it(name: str, kind: str) -> None:
    session = begun(kind, name)
    asked: Scene | None = None
    while (scene := worked(session)).stage != OVER:
        if scene.stage == ASKED:
            asked = scene
            assert (asked.verdict, asked.answer, asked.share) == (None, "", "")
            assert (asked.tables, asked.frames, asked.notes) == ((), (), ())
            assert asked.question
        elif scene.stage == TOLD:
            assert asked
            assert scene.verdict
            assert scene.question is None
            # The rules and the turns before may use the same words.
            before = json.dumps(scene_json(replace(asked, detail="", path="")))
            told = [*scene.verdict.sentences, *(frame.said for frame in scene.frames)]
            told += [row.words for table in scene.tables for row in table.rows]
            assert [one for one in told if one and json.dumps(one)[1:-1] in before] == []
        step(session)


@pytest.mark.parametrize("kind", ["lesson", "drill"])
def test_a_session_that_is_put_away_goes_on_without_work(kind: str) -> None:
    session = begun(kind, KNOT.name)
    scene = worked(session)
    if scene.stage == ASKED:
        step(session)
    number, session = session.state.number, reopened(session)
    for key in set(KEYS) - {"next"}:
        with pytest.raises(ValueError, match=NOT_NOW):
            session.act(key)
    session.act("next")
    assert (session.state.stage, session.state.number) == (WORKING, number)
    assert worked(session).status[0] != scene.status[0]


def test_a_state_that_cannot_be_is_refused() -> None:
    session = drilled()
    answered(session, right=True)
    session.state = replace(session.state, given=())
    with pytest.raises(ValueError, match=r"\w"):
        worked(reopened(session))


def test_a_drill_keeps_its_part_and_its_level() -> None:
    session = drilled(Scope("opening", "hard"))
    assert worked(session).status == ("exercise 1 of 1", "opening", "hard")
    assert worked(reopened(session)).status == ("exercise 1 of 1", "opening", "hard")


def test_a_mixed_strategy_of_one_move_is_an_answer() -> None:
    plan = drill_plan(CARDS, 3, 1, Scope(form=MIXED))
    session = TrainSession(plan, MemoryBook(), ManualClock())
    assert worked(session).mixed
    session.act("answer", f"{session.asked_task().spot.options[0]}:100")
    assert worked(reopened(session)) == session.scene()
    mine, perfect, *_ = session.scene().tables
    assert [table.title for table in (mine, perfect)] == ["Your mix", "Perfect mix"]
    assert [row.cells for row in mine.rows] == [("100%",)]
    assert sum(row.share for row in perfect.rows) == pytest.approx(1)


def test_a_scene_is_what_the_seat_that_decides_may_see() -> None:
    session = begun("drill", SECRET)
    scene = worked(session)
    assert scene.you == session.asked_task().spot.seat
    assert scene.board == session.asked_task().spot.board
    assert scene.you in scene.to_move
    assert set(scene.to_move) <= set(Seat)


def test_an_answer_is_not_named_twice() -> None:
    again = ("8 + 7 = 15 turns your win into a loss.",)
    assert tuple(answered_words("8 + 7 = 15", again)) == again
    other = ("Adding 3 turns your draw into a loss.",)
    assert tuple(answered_words("add 3", other)) == ("Your answer: add 3.", *other)


@pytest.mark.parametrize("name", lesson_names())
def test_an_answer_to_a_move_that_the_lesson_names_meets_it_on_the_board(name: str) -> None:
    session = TrainSession(Plan("lesson", name), MemoryBook(), TickingClock())
    for number, step in enumerate(lesson(name).steps, 1):
        scene = worked(session)
        assert scene.progress == (number, len(lesson(name).steps))
        if step.against:
            assert step.against in step.text
            session.act("answer", step.accepts[0])
            before, after = session.scene().met
            assert before.board == scene.board
            assert {*after.moves.values()} == {step.accepts[0], step.against}
        session.act("next" if step.against or not step.asks else "skip")
    assert name not in (SECRET, "number-bid") or any(one.against for one in lesson(name).steps)
