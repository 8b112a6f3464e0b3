"""Training without a screen: the next task, the verdict on an answer, and the mistake book.

A `TrainSession` waits for an action or for work. A front end runs the work, draws the scene, and
sends the next action. All that a session remembers is in `state`, so a server need not keep it
between two requests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from math import inf
from statistics import fmean
from typing import NamedTuple, Protocol

from number_duels.core.board import Part, changed
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.history import History
from number_duels.core.names import YOU, without_address
from number_duels.core.questions import Question
from number_duels.core.randomness import stream
from number_duels.core.scene import ASKED, OVER, SAID, TOLD, WORKING, Action, Scene, Side, Verdict
from number_duels.core.text import counted, rules_text
from number_duels.games import find, load
from number_duels.review.mistakes import is_mistake
from number_duels.review.position import AnySolution, position_of
from number_duels.review.words import capital, cost, either, mixture, shared_word
from number_duels.sessions import Work
from number_duels.sessions.replay import line_frames
from number_duels.sessions.scene_tables import answer_tables, feedback_tables, series_table
from number_duels.trainer.book import (
    DAILY_TRIES,
    AddCard,
    AnswerGiven,
    Book,
    Card,
    RemoveCard,
    TrainingEvent,
    is_explained,
    new_id,
)
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import MIXTURE, MOVE, Answer, Exercise, read_answer
from number_duels.trainer.feedback import Feedback, Series, judge, series
from number_duels.trainer.lessons import TEST, LessonStep, lesson
from number_duels.trainer.puzzles import (
    GRADES,
    Puzzle,
    daily,
    daily_path,
    find_puzzle,
    is_past,
    judge_puzzle,
    puzzles,
    squares,
)
from number_duels.trainer.schedule import scheduler
from number_duels.trainer.spot import OpenSpot, Spot

#: The default number of tasks, and of answers in one spot. Frequencies need more answers.
USUAL_COUNT, SPOT_COUNT = 10, 20
#: After this many wrong tries the mistake of a game is explained.
RETRY_TRIES = 2
TRY_AGAIN = "Try again."
#: In the id of a lesson's item, after the number of the step: the second try.
SECOND_TRY = "-2"
#: The item of a daily puzzle for tries that do not count.
PRACTICE = "practice"


class BookStore(Protocol):
    def read(self) -> Book:
        """Return the current book."""

    def append(self, *events: TrainingEvent) -> None:
        """Save events. Raise ValueError if that is not possible."""


@dataclass(frozen=True)
class Plan:
    """A choice of training."""

    #: `drill`, `retry` (one spot, two tries), `book`, `puzzle`, `daily` or `lesson`.
    kind: str
    #: The name of the game, or empty for the book of all games and for the daily puzzle.
    game: str = ""
    #: Its settings, if they are not the defaults.
    settings: Mapping[str, int | str] = field(default_factory=dict)
    #: The drills to draw, or one spot to repeat.
    scope: Scope = field(default_factory=Scope)
    #: The difficulty of the puzzles, from 1 to 5, or None for all.
    grade: int | None = None
    #: The number of tasks, or None for the default.
    count: int | None = None
    #: The seed for drawing drills and for the order of puzzles.
    seed: int = 0
    #: The date where the learner is.
    day: date = date.min


@dataclass(frozen=True)
class Task:
    """An exercise, and the texts around it."""

    exercise: Exercise
    #: `drill`, `book`, `puzzle`, `daily` or `lesson`, as in the mistake book.
    kind: str
    prompt: str
    #: A few words about its origin.
    facts: tuple[str, ...] = ()
    #: The id of the puzzle, the day of the daily puzzle, or the step of the lesson.
    note: str = ""
    #: Whether it can be tried again, so that a wrong answer must not give the solution away.
    again: bool = False

    @property
    def spot(self) -> OpenSpot:
        return self.exercise.spot

    @property
    def source(self) -> str:
        """Return the source for a card made from this task."""
        return "drill" if self.kind in ("drill", "book") else "puzzle"

    def judge(self, answer: Answer) -> Feedback:
        """Judge an answer. Before another try, only the punishment of a mistake is told."""
        found = judge(self.exercise, answer)
        shown = self.without_solution(found)
        if shown is found or not found.line:
            return shown
        *why, _right = found.sentences
        return replace(shown, sentences=(*why, TRY_AGAIN), line=found.line)

    def without_solution(self, found: Feedback) -> Feedback:
        """Return the verdict on a wrong answer without the solution, if it can be tried again."""
        if found.right or not self.again:
            return found
        return replace(found, sentences=(TRY_AGAIN,), good=(), bad=(), best=(), line=None)


@dataclass(frozen=True)
class PuzzleTask(Task):
    puzzle: Puzzle = field(kw_only=True)

    def judge(self, answer: Answer) -> Feedback:
        found = judge_puzzle(self.puzzle, self.exercise.solution, answer.text)
        if self.puzzle.mistake:
            found = replace(found, cost=0.0)  # the move is named, not played
        return self.without_solution(found)


@dataclass(frozen=True)
class LessonTask(Task):
    """A step of a lesson that asks something."""

    step: LessonStep = field(kw_only=True)

    def judge(self, answer: Answer) -> Feedback:
        """Judge an answer in the words of the lesson. It costs nothing if the rules decide."""
        found = judge(self.exercise, answer)
        right, text = self.step.reply(self.exercise, answer)
        mixed = self.exercise.form == MIXTURE
        then = () if right else (TRY_AGAIN if self.again else self._solution(),)
        return replace(
            found,
            right=right,
            cost=0.0 if self.step.accepts else found.cost,
            headline=found.headline if mixed else "Right." if right else "Wrong.",
            sentences=(text, *then),
            good=(),
            bad=(),
            line=None if right or self.step.accepts else found.line,
        )

    def _solution(self) -> str:
        """Say what is right. A lesson made from rules has no sentence of its own for that."""
        exercise = self.exercise
        best = [option.words for option in exercise.options if option.move in exercise.best]
        return self.step.answer or f"The best move is {either(best)}."


@dataclass(frozen=True)
class Remark:
    """A text with the position that shows it, and no question."""

    text: str
    board: tuple[Part, ...] = ()
    facts: tuple[str, ...] = ()


class Given(NamedTuple):
    """An answer in this session."""

    card: str
    #: The text as it was typed.
    answer: str
    right: bool
    cost: float


@dataclass(frozen=True)
class Judged:
    """An answer and its verdict."""

    answer: Answer
    feedback: Feedback
    #: All answers to this spot so far, if there are several.
    series: Series | None


@dataclass(frozen=True)
class State:
    """All that a session remembers between two actions."""

    #: The ids of the cards, puzzles or steps to come. An empty id is a drill to draw.
    items: tuple[str, ...]
    #: One of the stages in `core.scene`.
    stage: str = WORKING
    #: The id of the current item.
    item: str = ""
    #: The spot and the phase of a drill that was drawn.
    spot: Spot | None = None
    phase: str = ""
    #: The number of tasks so far, with the current one.
    number: int = 0
    #: The ids of the spots drawn so far, which are not drawn again.
    seen: tuple[str, ...] = ()
    #: The answers so far.
    given: tuple[Given, ...] = ()
    #: The number of answers in the book at the start. Only they decide which drills are drawn.
    known: int = 0


class TrainSession:
    """One task after the other. Every answer is saved before its verdict is shown."""

    def __init__(
        self,
        plan: Plan,
        store: BookStore,
        clock: Clock = SYSTEM_CLOCK,
        state: State | None = None,
        *,
        looking_s: float = inf,
    ) -> None:
        scheduler()  # fails now, and not after an answer, if `fsrs` is missing
        self.plan, self.store, self.clock, self.looking_s = plan, store, clock, looking_s
        self.book = store.read()
        self.course: Course = COURSES[plan.kind](self)
        self.state = state or State(self.course.items(), known=len(self.book.answers))
        #: The current task or remark, or None until it is drawn or opened again.
        self.task: Task | Remark | None = None
        self.told: Judged | None = None
        #: The events that could not be stored, and why. The session goes on without them.
        self.unkept: tuple[TrainingEvent, ...] = ()
        self.unkept_because = ""
        if state is None:
            self._go_on()
        elif state.stage == SAID:
            self.task = self.course.remark(state.item)
        #: The reason why the session ended early, or empty.
        self.problem = ""

    @property
    def resumed(self) -> str:
        """Return a sentence on where a resumed session goes on, or empty after its first task."""
        return self.course.resumed if self.state.number <= 1 and not self.told else ""

    @property
    def game(self) -> AnyGame | None:
        """Return the game that is trained now, or None at the end."""
        item = self.state.item if self.state.number else next(iter(self.state.items), "")
        return None if self.state.stage == OVER else self.course.game(item)

    # ---- work ------------------------------------------------------------------

    def work(self) -> Work | None:
        """Return the slow work to do before the next scene, or None."""
        if self.state.stage == WORKING and self.state.items:
            game = self.course.game(self.state.items[0])
            return Work(game, "Looking for a position", self._draw)
        if self.state.stage in (ASKED, TOLD) and self.task is None:
            return Work(self.course.game(self.state.item), "Opening the position", self._reopen)
        return None

    def _draw(self, solution: AnySolution) -> None:
        """Draw the next task. If none fits, end the session with the reason."""
        item, *left = self.state.items
        number = self.state.number + 1
        self.told = None
        try:
            task = self.course.task(item, number, solution)
        except ValueError as error:
            self.problem, self.task = str(error), None
            self.state = replace(self.state, items=(), stage=OVER)
            return
        self.task = task
        drawn = not item
        self.state = replace(
            self.state,
            stage=ASKED,
            items=tuple(left),
            item=item,
            number=number,
            spot=task.spot.spot if drawn else None,
            phase=task.exercise.phase if drawn else "",
            seen=(*self.state.seen, task.spot.id) if drawn else self.state.seen,
        )

    def _reopen(self, solution: AnySolution) -> None:
        """Open the task of a restored session again, with the verdict if it was answered."""
        state, scope = self.state, self.plan.scope
        if state.spot is None:
            self.task = self.course.task(state.item, state.number, solution)
        else:
            level = "" if scope.spot else scope.level
            spot = state.spot.open()
            if spot.game != solution.game:
                raise ValueError("This position is of another game than is trained.")
            found = Exercise(spot, solution, phase=state.phase, level=level).asked_as(scope.form)
            self.task = Task(found, self.plan.kind, found.prompt, facts_of(found))
        if state.stage == TOLD:
            text = state.given[-1].answer if state.given else ""
            answer = read_answer(self.task.spot, text, self.task.exercise.form)
            self.told = Judged(answer, self.task.judge(answer), self._series(self.task))

    # ---- actions ---------------------------------------------------------------

    def act(self, key: str, text: str = "", event_id: str = "") -> str:
        """Carry out an action and return a sentence about it, or an empty string.

        Raise ValueError if it is not possible.
        """
        if key != "answer" and not self._offers(key):
            raise ValueError("That is not possible now.")
        match key:
            case "answer":
                self.answer(text, event_id)
            case "next" | "skip":
                self._go_on()
            case "again":
                item, self.told = self.course.repeated(self.state.item), None
                self.task = self.task if item == self.state.item else None
                self.state = replace(self.state, stage=ASKED, item=item)
            case "restart":
                self.state = State(self.course.all_items(), known=self.state.known)
                self._go_on()
            case "add":
                return self.add()
            case "remove":
                return self.remove()
        return ""

    def _offers(self, key: str) -> bool:
        if self.task is None and self.state.stage != OVER:
            # A restored task need not be opened to leave it.
            leaves = {TOLD: "next", ASKED: "skip" if self.course.can_skip else ""}
            return key == leaves.get(self.state.stage)
        return self.scene().offers(key)

    def _go_on(self) -> None:
        """Go to the next item. A remark needs no work."""
        self.task = self.told = None
        self.state = replace(self.state, stage=WORKING if self.state.items else OVER)
        remark = self.course.remark(self.state.items[0]) if self.state.items else None
        if remark:
            self.task = remark
            item, *left = self.state.items
            number = self.state.number + 1
            self.state = replace(
                self.state, stage=SAID, items=tuple(left), item=item, number=number
            )

    def answer(self, text: str, event_id: str = "") -> None:
        """Judge an answer, and store it before anybody sees the verdict.

        A mistake makes a card, as long as the book has none of this position.
        """
        task = self.task
        if self.state.stage != ASKED or not isinstance(task, Task):
            raise ValueError("Nothing is asked now.")
        answer = read_answer(task.spot, text, task.exercise.form)
        feedback = task.judge(answer)
        now, events = self.clock.now(), list[TrainingEvent]()
        missed = not feedback.right and is_mistake(feedback.cost) and task.kind != "lesson"
        event_id = event_id or new_id()
        if missed and not self.card(task.spot.id):
            card = AddCard.of(task.spot, now, source=task.source, cost=feedback.cost)
            events.append(replace(card, id=sha256(event_id.encode()).hexdigest()[: len(card.id)]))
        given = AnswerGiven.of(
            task.spot,
            now,
            kind=task.kind,
            form=task.exercise.form,
            answer=answer.text,
            cost=feedback.cost,
            right=feedback.right,
            phase=task.exercise.phase,
            note=task.note,
        )
        self.keep(*events, replace(given, id=event_id))
        own = Given(task.spot.id, text, feedback.right, feedback.cost)
        self.state = replace(self.state, stage=TOLD, given=(*self.state.given, own))
        self.told = Judged(answer, feedback, self._series(task))
        self.state = replace(self.state, items=self.course.items_after(own))

    def _series(self, task: Task) -> Series | None:
        """Return how often each move was chosen, or None unless a spot was answered repeatedly."""
        same = [given.answer for given in self.state.given if given.card == task.spot.id]
        kind = self.plan.kind
        if len(same) < 2 or task.exercise.form == MIXTURE or kind not in ("drill", "book"):
            return None
        return series(task.exercise, [read_answer(task.spot, text, MOVE) for text in same])

    # ---- book ------------------------------------------------------------------

    def keep(self, *events: TrainingEvent) -> None:
        """Store events. If that fails, the session goes on, and the next call tries it again."""
        waiting = (*self.unkept, *events)
        try:
            self.store.append(*waiting)
        except ValueError as problem:
            self.unkept, self.unkept_because = waiting, str(problem)
        else:
            self.unkept = ()
        self.book = Book((*self.book.events, *events), self.book.notice)

    @property
    def not_kept(self) -> str:
        """Return a sentence about answers that are not stored, or empty if all are."""
        return f"{self.unkept_because} Your answers are not kept." if self.unkept else ""

    def add(self) -> str:
        """Add the position to the book because the learner asks for it."""
        task = self.asked_task()
        if not self.card(task.spot.id):
            self.keep(AddCard.of(task.spot, self.clock.now(), source=task.source, cost=0.0))
        return self.comes_back(task)

    def remove(self) -> str:
        self.keep(RemoveCard.of(self.asked_task().spot.id, self.clock.now()))
        return self.not_kept or "Removed from your book."

    def asked_task(self) -> Task:
        if not isinstance(self.task, Task):
            raise ValueError("No position is asked about now.")
        return self.task

    def card(self, card_id: str) -> Card | None:
        """Return a card by its id, without scheduling all the others."""
        own = (event for event in self.book.events if event.card == card_id)
        return Book(tuple(own)).card(card_id)

    def comes_back(self, task: Task) -> str:
        """Say when a position comes back, or return an empty string if it is not in the book."""
        if self.unkept:
            return self.not_kept
        card = self.card(task.spot.id)
        return f"In your book; it comes back {card.comes_back(self.clock.now())}." if card else ""

    # ---- scene -----------------------------------------------------------------

    @property
    def standing(self) -> str:
        """Return the score so far, or empty without answers."""
        right, count = sum(one.right for one in self.state.given), len(self.state.given)
        return f"{right} of {count} right" if count and self.course.counts else ""

    def scene(self) -> Scene:
        stage, game, task = self.state.stage, self.game, self.task
        title = game.title if game else ""
        if stage == OVER:
            lines = tuple(filter(None, (self.problem, *self.summary())))
            return self.course.ended(Scene(OVER, title, lines=lines, share=self.course.share()))
        if task is None:
            return Scene(WORKING, title)
        status = tuple(filter(None, (self.course.place(), *self.course.facts(task), self.standing)))
        notes = tuple(filter(None, [self.resumed]))
        if isinstance(task, Remark):
            return Scene(
                SAID,
                title,
                status,
                lines=tuple(task.text.splitlines()),
                sides=tuple(Side(str(seat)) for seat in Seat),
                board=task.board,
                notes=notes,
                actions=(Action("next", "Next"), *self._restart()),
            )
        spot = task.spot
        asked = Scene(
            stage,
            title,
            status,
            detail=reminder(spot.game) if task.kind != "lesson" else "",
            sides=sides(spot),
            board=spot.board,
            drawn=drawn_card(spot),
            you=spot.seat,
            to_move=spot.seats,
            path=path_of(spot),
            prompt=task.prompt,
            question=question_of(spot),
            mixture=task.exercise.form == MIXTURE,
            notes=notes,
            actions=tuple(self._actions(task)),
        )
        return self._with_verdict(asked, task, self.told) if self.told else asked

    def _with_verdict(self, scene: Scene, task: Task, told: Judged) -> Scene:
        feedback, (one, two) = told.feedback, scene.sides
        tables = [*feedback_tables(feedback)]
        if scene.mixture:
            exercise, weights = task.exercise, told.answer.weights
            tables = [*answer_tables(exercise.options, weights, task.spot.seat), *tables]
        if told.series:
            tables.append(series_table(told.series))
        board = board_after(task.spot, told.answer)
        return replace(
            scene,
            detail="",
            question=None,
            answer=told.answer.text,
            board=board,
            changed=changed(task.spot.board, board),
            verdict=Verdict(
                feedback.right,
                f"You answered {in_words(task, told.answer)}. {feedback.headline}",
                feedback.sentences,
            ),
            tables=tuple(tables),
            frames=line_frames(task.spot.history, feedback.line, (one.name, two.name))
            if feedback.line
            else (),
            notes=tuple(filter(None, [self.comes_back(task)])),
            share=self.course.share(),
            share_path=self.course.share_path,
        )

    def _restart(self) -> Iterator[Action]:
        if self.resumed:
            yield Action("restart", "From the start")

    def _actions(self, task: Task) -> Iterator[Action]:
        if self.told:
            yield Action("next", self.course.next_label)
            if not self.told.feedback.right and self.course.can_repeat:
                yield Action("again", self.course.again_label)
        elif self.course.can_skip:
            yield Action("skip", "Skip")
        yield from self._restart()
        known = self.card(task.spot.id)
        if known and task.kind == "book":
            yield Action("remove", "Remove from my book")
        elif not (self.told and known):
            yield Action("add", "Add to my book")

    def summary(self) -> Iterator[str]:
        """Yield a sentence or two on the whole session."""
        yield from self.course.summary()
        given = self.state.given
        if self.standing:
            mean = fmean(one.cost for one in given)
            lost = (
                f" Your answers cost {cost(mean)} of the winning chance on average." if mean else ""
            )
            yield f"{self.standing}.{lost}"
        missed = {one.card for one in given if not one.right and self.card(one.card)}
        if self.unkept:
            yield self.not_kept
        elif missed:
            verb = "is" if len(missed) == 1 else "are"
            yield f"{counted(len(missed), 'mistake')} of yours {verb} in your book."


# ---- sources of tasks ----------------------------------------------------------


class Course(ABC):
    """The source of a plan's tasks."""

    can_skip = True
    #: Whether right answers are counted.
    counts = True
    #: A word for a task.
    noun = ""
    #: Whether a missed position can be repeated at once.
    can_repeat = False
    next_label = "Next"
    again_label = "This position again"
    resumed = ""
    #: The path on a server at which others find the same task, or empty.
    share_path = ""

    def __init__(self, session: TrainSession) -> None:
        self.session, self.plan, self.book = session, session.plan, session.book

    @abstractmethod
    def items(self) -> tuple[str, ...]:
        """Return the ids of all tasks at the start, or none if there is nothing to do."""

    def all_items(self) -> tuple[str, ...]:
        """Return the ids of all tasks, also of those that were done in an earlier session."""
        return self.items()

    def items_after(self, given: Given) -> tuple[str, ...]:
        """Return the ids of the tasks that are left after an answer."""
        return self.session.state.items

    @abstractmethod
    def game(self, item: str) -> AnyGame:
        """Return the game of an item."""

    @abstractmethod
    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        """Return the task of an item. Raise ValueError if there is none."""

    def remark(self, item: str) -> Remark | None:
        """Return a remark to show instead of a task, or None."""
        return None

    def repeated(self, item: str) -> str:
        """Return the item that asks about a missed position once more."""
        return item

    def ended(self, scene: Scene) -> Scene:
        """Return the last scene, with what is left to do."""
        return scene

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        """Return a few words about the origin of a task."""
        return task.facts

    def place(self) -> str:
        """Return the number of the current task, such as `drill 2 of 10`."""
        state = self.session.state
        return f"{self.noun} {state.number} of {state.number + len(state.items)}"

    def share(self) -> str:
        """Return a line to share, or empty."""
        return ""

    def summary(self) -> Iterator[str]:
        """Yield the sentences for the end, without the number of right answers."""
        yield from filter(None, [self.share()])


class DrillCourse(Course):
    """Drills of a game, or one spot again and again."""

    noun = "drill"

    @property
    def can_repeat(self) -> bool:  # type: ignore[override]
        return self.plan.scope.spot is None

    def items(self) -> tuple[str, ...]:
        usual = USUAL_COUNT if self.plan.scope.spot is None else SPOT_COUNT
        return ("",) * (self.plan.count or usual)

    def game(self, item: str) -> AnyGame:
        spot = self.plan.scope.spot
        return spot.open().game if spot else load(self.plan.game, **self.plan.settings)

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        rng, state = stream(self.plan.seed, f"drill {number}"), self.session.state
        learner = Book(self.book.answers[: state.known]).learner(self.plan.game)
        found = drills_of(solution).draw(
            self.plan.scope, learner, rng, state.seen, limit_s=self.session.looking_s
        )
        return Task(found, "drill", found.prompt, facts_of(found))


@lru_cache(maxsize=8)
def drills_of(solution: AnySolution) -> Drills:
    """Return the drills of a game. The cache keeps their levels, which are slow to compute."""
    return Drills(solution)


class CardCourse(Course):
    """The cards that come back today, longest overdue first."""

    noun = "card"
    can_repeat = True

    def items(self) -> tuple[str, ...]:
        found = []
        for card in self.book.due(self.session.clock.now()):
            if self.plan.game in ("", card.spot.game):
                with suppress(ValueError):  # a merged book may have games that are not here
                    found.append(card.spot.open().id)
        return tuple(found[: self.plan.count])

    def _card(self, item: str) -> Card:
        """Return a card, even if it was removed since."""
        own = (event for event in self.session.book.events if event.card == item)
        card = Book(tuple(one for one in own if not isinstance(one, RemoveCard))).card(item)
        if card is None:
            raise ValueError("This card is not in your book.")
        return card

    def game(self, item: str) -> AnyGame:
        return self._card(item).spot.open().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        card = self._card(item)
        # If the last answer was a mixed strategy, ask for one again.
        forms = [answer.form for answer in self.book.answers if answer.card == item]
        form = MIXTURE if forms and forms[-1] == MIXTURE else MOVE
        found = Exercise(card.spot.open(), solution).asked_as(form)
        return Task(found, "book", found.prompt)

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        return card_facts(self._card(self.session.state.item))

    def summary(self) -> Iterator[str]:
        if not self.session.state.number and not self.session.state.items:
            said = today(self.book, self.session.clock.now())
            yield f"{said[:1].upper()}{said[1:]}."


class PuzzleCourse(Course):
    """Puzzles from easy to hard, as many of each grade, and unsolved ones before others."""

    noun = "puzzle"

    def items(self) -> tuple[str, ...]:
        found = fitting_puzzles(self.plan.game, self.plan.grade)
        solved = {answer.note for answer in self.book.answers if answer.right}
        mixed = stream(self.plan.seed, "puzzles").sample(found, len(found))
        unsolved_first = sorted(mixed, key=lambda puzzle: puzzle.id in solved)
        graded = ([one for one in unsolved_first if one.grade == grade] for grade in GRADES)
        in_turn = [one for row in zip_longest(*graded) for one in row if one]
        taken = in_turn[: self.plan.count or USUAL_COUNT]
        return tuple(puzzle.id for puzzle in sorted(taken, key=lambda one: one.grade))

    def game(self, item: str) -> AnyGame:
        return find_puzzle(item).spot.open().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        return puzzle_task(find_puzzle(item), solution, "puzzle", item)


class TriesCourse(Course):
    """One task, until it is solved or explained. Its items are the tries."""

    can_skip = counts = False
    max_tries: int

    def items(self) -> tuple[str, ...]:
        return tuple(str(n) for n in range(1, self.max_tries + 1))

    def items_after(self, given: Given) -> tuple[str, ...]:
        return () if given.right else self.session.state.items

    @property
    def next_label(self) -> str:  # type: ignore[override]
        return "Try again" if self.session.state.items else "Done"

    def can_fail(self, item: str) -> bool:
        """Return whether another try follows a wrong one."""
        return item != str(self.max_tries)

    def place(self) -> str:
        return f"try {self.session.state.item} of {self.max_tries}"


class RetryCourse(TriesCourse):
    """A mistake of a game."""

    max_tries = RETRY_TRIES

    def _spot(self) -> OpenSpot:
        if self.plan.scope.spot is None:
            raise ValueError("Say which position to try again.")
        return self.plan.scope.spot.open()

    def game(self, item: str) -> AnyGame:
        return self._spot().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        found = Exercise(self._spot(), solution).asked_as(self.plan.scope.form)
        return Task(found, "drill", found.prompt, again=self.can_fail(item))


class DailyCourse(TriesCourse):
    """The puzzle of a day. Further tries are practice, and count as those of an ordinary puzzle."""

    max_tries = DAILY_TRIES
    again_label = "Practise it"

    def __init__(self, session: TrainSession) -> None:
        super().__init__(session)
        self.puzzle = daily(self.plan.day)
        self.share_path = daily_path(self.plan.day)

    @property
    def tries(self) -> list[bool]:
        """Return whether each try so far was right, also those of earlier sessions."""
        own = [one.right for one in self.session.state.given]
        counted = own[: own.index(True) + 1] if True in own else own
        return self.session.book.daily_tries(self.plan.day) or counted[:DAILY_TRIES]

    @property
    def is_done(self) -> bool:
        return any(self.tries) or is_explained(self.tries)

    @property
    def can_repeat(self) -> bool:  # type: ignore[override]
        return self.is_done

    def items(self) -> tuple[str, ...]:
        before = self.book.daily_tries(self.plan.day)
        return () if any(before) else super().items()[len(before) :]

    def repeated(self, item: str) -> str:
        return PRACTICE

    def game(self, item: str) -> AnyGame:
        return self.puzzle.spot.open().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        if item == PRACTICE:
            return puzzle_task(self.puzzle, solution, "puzzle", self.puzzle.id)
        again = self.can_fail(item)
        return puzzle_task(self.puzzle, solution, "daily", str(self.plan.day), again=again)

    def place(self) -> str:
        day = self.plan.day
        return f"puzzle of the day, {day.day} {day:%B}"

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        place = PRACTICE if self.session.state.item == PRACTICE else super().place()
        return (place, *super().facts(task))

    def share(self) -> str:
        """Return the tries in squares, once the puzzle is solved or explained."""
        if not self.is_done:
            return ""
        return squares(self.plan.day, self.tries, self.session.book.daily_streak(self.plan.day))

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        if not self.session.state.number and not is_past(self.plan.day, self.session.clock.now()):
            yield "A new puzzle comes tomorrow."

    def ended(self, scene: Scene) -> Scene:
        """Show the position of a puzzle that is done, to practise it."""
        spot = self.puzzle.spot.open()
        return replace(
            scene,
            sides=sides(spot),
            board=spot.board,
            drawn=drawn_card(spot),
            you=spot.seat,
            share_path=self.share_path,
            actions=(Action("again", self.again_label),),
        )


class LessonCourse(Course):
    """The steps of a lesson, from where the learner stopped. A wrong answer gets a second try."""

    counts = False

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        return lesson(self.game("")).steps

    def items(self) -> tuple[str, ...]:
        return self.all_items()[steps_done(self.book, self.plan.game, len(self.steps)) :]

    def all_items(self) -> tuple[str, ...]:
        return tuple(str(n) for n in range(1, len(self.steps) + 1))

    @property
    def resumed(self) -> str:  # type: ignore[override]
        state = self.session.state
        first = (state.item or next(iter(state.items), "1")).removesuffix(SECOND_TRY)
        done = int(first) - 1
        return f"You did {counted(done, 'step')} before. This is the next one." if done else ""

    def items_after(self, given: Given) -> tuple[str, ...]:
        item, items = self.session.state.item, self.session.state.items
        return items if given.right or is_second(item) else (item + SECOND_TRY, *items)

    def game(self, item: str) -> AnyGame:
        return load(self.plan.game)

    @property
    def next_label(self) -> str:  # type: ignore[override]
        return "Try again" if is_second(next(iter(self.session.state.items), "")) else "Next"

    def _step(self, item: str) -> tuple[LessonStep, tuple[str, ...]]:
        """Return a step, and its principle or `test`."""
        number = item.removesuffix(SECOND_TRY)
        if not number.isdecimal() or not 1 <= int(number) <= len(self.steps):
            raise ValueError(f"The lesson has {len(self.steps)} steps.")
        step = self.steps[int(number) - 1]
        return step, tuple(filter(None, ["test" if step.kind == TEST else step.principle]))

    def remark(self, item: str) -> Remark | None:
        step, facts = self._step(item)
        return None if step.asks else Remark(step.text, step.board, facts)

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        step, facts = self._step(item)
        note, again = item.removesuffix(SECOND_TRY), not is_second(item)
        exercise = step.exercise(solution)
        return LessonTask(exercise, "lesson", step.text, facts, note, step=step, again=again)

    def place(self) -> str:
        item = self.session.state.item
        place = f"lesson, step {item.removesuffix(SECOND_TRY)} of {len(self.steps)}"
        return f"{place}, second try" if is_second(item) else place

    def summary(self) -> Iterator[str]:
        book, game = self.session.book, self.plan.game
        if self.session.state.stage != OVER:
            done = steps_done(book, game, len(self.steps))
            if done:
                yield f"Next time the lesson goes on with step {done + 1} of {len(self.steps)}."
            return
        tests = [str(n) for n, step in enumerate(self.steps, 1) if step.kind == TEST]
        first_tries = book.lesson_answers(game)
        if any(test in first_tries for test in tests):
            right = sum(first_tries.get(test, False) for test in tests)
            yield f"The test: {right} of {len(tests)} right at the first try."
        yield f"Now play {self.game('').title}, or drill it."


def is_second(item: str) -> bool:
    """Return whether an item of a lesson is the second try at its step."""
    return item.endswith(SECOND_TRY)


COURSES: Mapping[str, type[Course]] = {
    "drill": DrillCourse,
    "retry": RetryCourse,
    "book": CardCourse,
    "puzzle": PuzzleCourse,
    "daily": DailyCourse,
    "lesson": LessonCourse,
}


def puzzle_task(
    puzzle: Puzzle, solution: AnySolution, kind: str, note: str, *, again: bool = False
) -> PuzzleTask:
    exercise, facts = Exercise(puzzle.spot.open(), solution), (puzzle.stars,)
    return PuzzleTask(exercise, kind, puzzle.prompt, facts, note, puzzle=puzzle, again=again)


def fitting_puzzles(game: str, grade: int | None) -> list[Puzzle]:
    """Return the puzzles of a game with a grade. Raise ValueError if there are none."""
    found = [puzzle for puzzle in puzzles(game) if grade in (None, puzzle.grade)]
    if not found:
        raise ValueError("No puzzle of this game fits; choose another difficulty.")
    return found


# ---- texts ---------------------------------------------------------------------


def in_words(task: Task, answer: Answer) -> str:
    """Return an answer in the words of the game."""
    odds, first = answer.weights, len(shared_word(task.exercise.options))
    given = [
        replace(option, probability=odds[option.move], words=option.words[first:])
        for option in task.exercise.options
        if option.move in odds
    ]
    return mixture(given) if len(given) > 1 else given[0].words


def facts_of(exercise: Exercise) -> tuple[str, ...]:
    return tuple(filter(None, (exercise.phase, exercise.level)))


def card_facts(card: Card) -> tuple[str, ...]:
    """Return the origin of a card, and how often it was missed."""
    where = {
        "game": f"from your game of {card.played}" if card.played else "from a game of yours",
        "drill": "from a drill",
        "analysis": "from an analysis",
        "puzzle": "from a puzzle",
    }[card.source]
    missed = f"missed {card.misses} of {card.tries} times" if card.misses else "right every time"
    return where, missed if card.tries else "new"


def spot_after(game: AnyGame, deal: str | None, moves: str, seat: int | None) -> OpenSpot:
    """Return the spot after some moves. Raise ValueError if the seat does not decide there."""
    position_of(game, deal, moves)
    history = History.read(game, game.start(deal=deal), moves)
    turn = history.turn
    if not isinstance(turn, Decision):
        raise ValueError(f"nobody decides after {moves or 'nothing'}.")
    chosen = min(turn.options) if seat is None else Seat(seat - 1)
    if chosen not in turn.options:
        raise ValueError(f"{chosen} has nothing to decide after {moves or 'nothing'}.")
    return OpenSpot(game, history, chosen)


def board_after(spot: OpenSpot, answer: Answer) -> tuple[Part, ...]:
    """Return the board after an answer, or before it if both seats choose at the same time."""
    if spot.both_choose or answer.move is None:
        return spot.board
    moved = spot.history.decided({spot.seat: spot.game.parse(answer.move)})
    return spot.game.board(moved.view(spot.seat))


def path_of(spot: OpenSpot) -> str:
    """Return a sentence with the learner's seat and the moves before a spot."""
    moves = spot.history.moves(spot.seat)
    return f"You are {spot.seat}, {f'after {moves}' if moves else 'at the start'}."


def question_of(spot: OpenSpot) -> Question[Hashable]:
    """Return the question of the game, without addressing the learner by seat."""
    asked = spot.question
    typed = without_address(asked.at_keyboard)
    return replace(asked, prompt=without_address(asked.prompt), at_keyboard=typed)


def drawn_card(spot: OpenSpot) -> str:
    """Return the card drawn just now, in notation, or empty."""
    steps = spot.history.steps
    return steps[-1].text if steps and not steps[-1].moves else ""


OPPONENT = "Opponent"


def sides(spot: OpenSpot) -> tuple[Side, ...]:
    """Name both players. An exercise waits for nobody, so nothing is said of what they do."""
    return tuple(Side(YOU if seat is spot.seat else OPPONENT) for seat in Seat)


def reminder(game: AnyGame) -> str:
    """Return what a turn does and who wins, in the words of the game's rules."""
    introduction = [one for one in game.rule_sections()[:1] if not one.title]
    aim = " ".join(rules_text(introduction).split())
    return game.summary if aim in ("", game.summary) else f"{game.summary} {aim}"


# ---- what waits for a learner ---------------------------------------------------
class NextTraining(NamedTuple):
    """The training that is offered first."""

    #: The kind of the plan: `book`, `lesson` or `drill`.
    kind: str
    #: The label of a button.
    label: str
    #: The reason, in a sentence.
    note: str


def next_training(book: Book, now: datetime, name: str) -> NextTraining:
    """Choose the training of a game: the cards that are due, else its lesson, else drills."""
    title, steps = load(name).title, lesson(name).steps
    if any(map(can_open, book.due(now))):
        return NextTraining("book", "Repeat your cards", f"{capital(today(book, now))}.")
    place = book.lesson_place(name)
    done = int(place) if place.isdecimal() else 0
    if any(step.asks for step in steps[done:]):
        if done:
            note = f"You did {done} of {len(steps)} steps of the lesson of {title}."
            return NextTraining("lesson", "Go on with the lesson", note)
        note = f"Learn {title} in a few minutes, by playing it."
        return NextTraining("lesson", "Start the lesson", note)
    note = f"Choose the best move in positions of {title}, and see what each answer costs."
    return NextTraining("drill", "Start drills", note)


def can_open(card: Card) -> bool:
    """Return whether a card's position is valid here and has the card's id."""
    try:
        return card.spot.open().id == card.id
    except ValueError:
        return False


def today(book: Book, now: datetime) -> str:
    """Say what is due in a book."""
    if due := due_words(len(book.due(now))):
        return due
    if book.cards:
        return f"no card is due; the next one comes back {book.cards[0].comes_back(now)}"
    return "your mistakes come back here as cards"


def daily_note(book: Book, day: date) -> str:
    """Describe the puzzle of a day, or its result, with the days in a row."""
    puzzle, tries, streak = daily(day), book.daily_tries(day), book.daily_streak(day)
    row = f", {streak} days in a row" if streak > 1 else ""
    if any(tries):
        return f"solved{row}; a new one comes tomorrow"
    if is_explained(tries):
        return "not solved; a new one comes tomorrow"
    about = f"{puzzle.stars} {find(puzzle.game).title}"
    if tries:
        return f"{about}, {len(tries)} of {DAILY_TRIES} tries used"
    return f"{about}; solve it for {streak + 1} days in a row" if streak else about


def lesson_note(book: Book, name: str) -> str:
    """Say how far a lesson is done, or return an empty string."""
    steps = len(lesson(load(name)).steps)
    done = steps_done(book, name, steps)
    return f"{done} of {steps} steps are done" if done else ""


def steps_done(book: Book, name: str, steps: int) -> int:
    """Return how many steps of a lesson are done, or 0 if all are, to begin it again."""
    place = book.lesson_place(name)
    done = int(place) if place.isdecimal() else 0
    return done if done < steps else 0


def due_words(due: int) -> str:
    """Say how many cards are due, or return an empty string for none."""
    return f"{counted(due, 'card')} {'is' if due == 1 else 'are'} due" if due else ""


def streak_words(streak: int) -> str:
    """Say how many daily puzzles in a row were solved, or return an empty string for none."""
    return f"{counted(streak, 'day')} in a row" if streak else ""


def so_far(book: Book, day: date) -> str:
    """Summarize all answers, with the daily streak."""
    count = len(book.answers)
    if not count:
        return "drills, puzzles, and a book of your mistakes"
    right = sum(answer.right for answer in book.answers)
    streak = book.daily_streak(day)
    days = f", daily streak {streak}" if streak else ""
    return f"{counted(count, 'answer')}, {right / count:.0%} right{days}"
