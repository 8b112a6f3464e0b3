"""Training sessions: tasks, verdicts on answers, and the mistake book.

Between two requests, a server stores only `state`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
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
from number_duels.core.names import OPPONENT, YOU, without_address
from number_duels.core.questions import Question
from number_duels.core.randomness import stream
from number_duels.core.record import COMPUTER_NAME, with_names
from number_duels.core.scene import (
    ASKED,
    OVER,
    SAID,
    TOLD,
    WORKING,
    Action,
    Frame,
    Scene,
    Side,
    Verdict,
)
from number_duels.core.text import counted
from number_duels.games import load
from number_duels.players.levels import LEVELS
from number_duels.players.registry import full_name
from number_duels.review.mistakes import is_mistake
from number_duels.review.position import AnySolution, position_of
from number_duels.review.words import (
    RESULTS,
    are,
    capital,
    certain,
    cost,
    shared_word,
    strategy_text,
)
from number_duels.sessions import Work
from number_duels.sessions.play import last_change
from number_duels.sessions.progress import (
    is_learned,
    lessons,
    next_lesson_words,
    steps_done,
    today,
)
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
from number_duels.trainer.exercise import MIXED, MOVE, Answer, Exercise, read_answer
from number_duels.trainer.feedback import Feedback, Series, judge, series, to_learner
from number_duels.trainer.lessons import TEST, LessonStep, lesson
from number_duels.trainer.puzzles import (
    GRADES,
    NO_STAR,
    STAR,
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
from number_duels.trainer.spot import OpenSpot, Spot, place_in_words

USUAL_COUNT, SPOT_COUNT = 10, 20
RETRY_TRIES = 2
#: Fewer answers to one position say too little about how often each move is chosen.
MIN_SERIES = 10
#: How many past turns to tell before a question. If both choose at once, only one is told.
TOLD_TURNS = 2
TRY_AGAIN = "Try again."
SECOND_TRY = "-2"
#: With at least this share of right answers in a lesson's test, the easiest opponent is too easy.
GOOD_TEST = 0.5
PRACTICE = "practice"
PHASES = {"opening": "the opening", "middle": "the middle of a game", "end": "the end of a game"}
OPPONENT_NAME = "Opponent"


def opponent_of(card: Card) -> str:
    """Return the opponent's name in a position of the mistake book.

    >>> from number_duels.core.clock import SYSTEM_CLOCK
    >>> spot, now = Spot("number-knot", {}, None, "", Seat.ONE).open(), SYSTEM_CLOCK.now()
    >>> cards = (AddCard.of(spot, now, source=one, cost=0.5) for one in ("game", "drill"))
    >>> [opponent_of(Book((one,)).cards[0]) for one in cards]
    ['Computer', 'your opponent']
    """
    return COMPUTER_NAME if card.source == "game" else OPPONENT


class BookStore(Protocol):
    def read(self) -> Book: ...

    def append(self, *events: TrainingEvent) -> None:
        """Save events. Raise ValueError if that fails."""


@dataclass(frozen=True)
class Plan:
    #: `drill`, `retry` (one position, two tries), `book`, `puzzle`, `daily` or `lesson`.
    kind: str
    #: The name of the game, or "" for the book of all games and the daily puzzle.
    game: str = ""
    settings: Mapping[str, int | str] = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    grade: int | None = None
    count: int | None = None
    seed: int = 0
    day: date = date.min
    #: The opponent's name in a drill or a retry.
    opponent: str = OPPONENT


@dataclass(frozen=True)
class Task:
    exercise: Exercise
    kind: str
    prompt: str
    facts: tuple[str, ...] = ()
    note: str = ""
    #: Whether another try follows. If so, the verdict must not reveal the solution.
    again: bool = False

    @property
    def spot(self) -> OpenSpot:
        return self.exercise.spot

    @property
    def question(self) -> Question[Hashable]:
        return question_of(self.spot)

    @property
    def source(self) -> str:
        return "drill" if self.kind in ("drill", "book") else "puzzle"

    @property
    def against(self) -> str:
        """Return the opponent's move that the question names, in notation, or ""."""
        return ""

    def judge(self, answer: Answer) -> Feedback:
        """Judge an answer. If another try follows, do not reveal the right move."""
        return self.without_solution(judge(self.exercise, answer))

    def becomes_card(self, feedback: Feedback) -> bool:
        """Return whether this answer adds the position to the mistake book."""
        return not feedback.right and is_mistake(feedback.cost)

    def solution(self) -> str:
        """Return the right answer as a sentence, for learners who skip the task."""
        exercise = self.exercise
        if exercise.mixes:
            return f"Perfect play mixes: {strategy_text(exercise.options)}."
        best = [option.words for option in exercise.options if option.move in exercise.best]
        if len(best) == len(exercise.options):
            sure = certain(exercise.options[0].value, exercise.options[0].chances)
            return f"Every move {RESULTS[sure]}." if sure else "Every move is equally good."
        return f"The {are('best move', best)}."

    def met(self, answer: Answer) -> tuple[Frame, ...]:
        """Return frames that show the answer against the opponent's move, if the task names one."""
        return ()

    def without_solution(self, found: Feedback, *, explain: bool = True) -> Feedback:
        """Remove the right move from the feedback on a wrong answer if another try follows."""
        if found.right or not self.again:
            return found
        line = found.line if explain else None
        why = found.sentences[:-1] if explain and found.answer_is_last else ()
        return replace(found, sentences=(*why, TRY_AGAIN), good=(), bad=(), best=(), line=line)


@dataclass(frozen=True)
class RetryTask(Task):
    @property
    def source(self) -> str:
        return "game"


@dataclass(frozen=True)
class PuzzleTask(Task):
    puzzle: Puzzle = field(kw_only=True)

    @property
    def question(self) -> Question[Hashable]:
        asked = super().question
        return replace(asked, prompt="Select the mistake") if self.puzzle.mistake else asked

    def judge(self, answer: Answer) -> Feedback:
        found = judge_puzzle(self.puzzle, self.exercise.solution, answer.text)
        if self.puzzle.mistake:
            found = replace(found, cost=0.0)  # the learner names the mistake and does not play it
        return self.without_solution(found, explain=not self.puzzle.mistake)

    def becomes_card(self, feedback: Feedback) -> bool:
        return not feedback.right

    def solution(self) -> str:
        return self.puzzle.solution


@dataclass(frozen=True)
class LessonTask(Task):
    step: LessonStep = field(kw_only=True)

    @property
    def against(self) -> str:
        return self.step.against

    def judge(self, answer: Answer) -> Feedback:
        """Judge an answer with the lesson's texts. A wrong answer about the rules costs nothing."""
        found = judge(self.exercise, answer)
        right, text = self.step.reply(self.exercise, answer)
        mixed = self.exercise.form == MIXED
        then = () if right else (TRY_AGAIN if self.again else self.solution(),)
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

    def met(self, answer: Answer) -> tuple[Frame, ...]:
        spot = self.spot
        if not self.against or answer.move is None:
            return ()
        moves = {spot.seat: answer.move, spot.seat.other: self.against}
        played = spot.history.decided({seat: spot.game.parse(move) for seat, move in moves.items()})
        return line_frames(spot.history, str(played), spot.names)

    def becomes_card(self, feedback: Feedback) -> bool:
        return False

    def solution(self) -> str:
        return self.step.answer or super().solution()


@dataclass(frozen=True)
class Remark:
    text: str
    board: tuple[Part, ...] = ()
    before: tuple[Part, ...] = ()
    facts: tuple[str, ...] = ()
    seat: Seat = Seat.ONE


class Given(NamedTuple):
    card: str
    answer: str
    right: bool
    cost: float


@dataclass(frozen=True)
class Judged:
    answer: Answer
    feedback: Feedback
    #: All answers to this position so far, if there are several.
    series: Series | None


@dataclass(frozen=True)
class State:
    """Everything that a session remembers between two actions."""

    #: The ids of the remaining cards, puzzles or steps. An empty id stands for a drill to draw.
    items: tuple[str, ...]
    stage: str = WORKING
    item: str = ""
    spot: Spot | None = None
    phase: str = ""
    number: int = 0
    #: The ids of the positions drawn so far. They are not drawn again.
    seen: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()
    #: How many answers the book had at the start. Only these decide which drills are drawn.
    known: int = 0


class TrainSession:
    """A series of tasks. Every answer is saved before its verdict is shown."""

    def __init__(
        self,
        plan: Plan,
        store: BookStore,
        clock: Clock = SYSTEM_CLOCK,
        state: State | None = None,
        *,
        looking_s: float = inf,
    ) -> None:
        scheduler()  # if `fsrs` is missing, fail now and not after an answer
        self.plan, self.store, self.clock, self.looking_s = plan, store, clock, looking_s
        self.book = store.read()
        self.course: Course = COURSES[plan.kind](self)
        self.state = state or State(self.course.items(), known=len(self.book.answers))
        self.task: Task | Remark | None = None
        self.told: Judged | None = None
        #: The events that could not be saved, and the reason. The session continues without them.
        self.unkept: tuple[TrainingEvent, ...] = ()
        self.unkept_because = ""
        if state is None:
            self._go_on()
        elif state.stage == SAID:
            self.task = self.course.remark(state.item)
        self.problem = ""

    @property
    def resumed(self) -> str:
        return self.course.resumed if self.state.number <= 1 and not self.told else ""

    @property
    def opponent(self) -> str:
        return self.course.opponent if self.state.stage == OVER else ""

    @property
    def is_new_game(self) -> bool:
        """Return whether the learner may not know the rules yet."""
        game = self.game if self.plan.kind in ("drill", "puzzle", "daily") else None
        return game is not None and not self.book.lesson_place(game.name)

    @property
    def game(self) -> AnyGame | None:
        item = self.state.item if self.state.number else next(iter(self.state.items), "")
        return None if self.state.stage == OVER else self.course.game(item)

    def work(self) -> Work | None:
        if self.state.stage == WORKING and self.state.items:
            game = self.course.game(self.state.items[0])
            return Work(game, "Looking for a position", self._draw)
        if self.state.stage in (ASKED, TOLD) and self.task is None:
            return Work(self.course.game(self.state.item), "Opening the position", self._reopen)
        return None

    def _draw(self, solution: AnySolution) -> None:
        """Draw the next task. If none fits, end the session and store the reason in `problem`."""
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
        state, scope = self.state, self.plan.scope
        if state.spot is None:
            self.task = self.course.task(state.item, state.number, solution)
        else:
            level = "" if scope.spot else scope.level
            spot = replace(state.spot.open(), opponent=self.plan.opponent)
            if spot.game != solution.game:
                raise ValueError("This position belongs to another game; start a new session.")
            found = Exercise(spot, solution, phase=state.phase, level=level).asked_as(scope.form)
            self.task = Task(found, self.plan.kind, found.prompt, facts_of(found))
        if state.stage == TOLD:
            text = state.given[-1].answer if state.given else ""
            answer = read_answer(self.task.spot, text, self.task.exercise.form)
            self.told = Judged(answer, self.task.judge(answer), self._series(self.task))

    def act(self, key: str, text: str = "", event_id: str = "") -> str:
        """Do an action, and return a message for the user. Raise ValueError if it is impossible."""
        if key != "answer" and not self._offers(key):
            raise ValueError("That is not possible now; choose another action.")
        match key:
            case "answer":
                self.answer(text, event_id)
            case "next" | "skip":
                skipped = self.task if key == "skip" else None
                if self.state.stage != TOLD:
                    self.keep(*self.course.passed())
                self._go_on()
                return skipped.solution() if isinstance(skipped, Task) else ""
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
            # A restored task can be left without opening it.
            leaves = {TOLD: "next", ASKED: "skip" if self.course.can_skip else ""}
            return key == leaves.get(self.state.stage)
        return self.scene().offers(key)

    def _go_on(self) -> None:
        # A remark is shown at once, because it needs no work.
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
        """Judge and save an answer. A mistake becomes a card, unless the position has one."""
        task = self.task
        if self.state.stage != ASKED or not isinstance(task, Task):
            raise ValueError("There is no question to answer now; choose another action.")
        answer = read_answer(task.spot, text, task.exercise.form)
        feedback = task.judge(answer)
        now, events = self.clock.now(), list[TrainingEvent]()
        event_id = event_id or new_id()
        if task.becomes_card(feedback) and not self.card(task.spot.id):
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
        exercise, kind = task.exercise, self.plan.kind
        same = [given.answer for given in self.state.given if given.card == task.spot.id]
        # Where perfect play is one of several equal moves, choosing another one is not worse.
        if kind not in ("drill", "book") or exercise.form == MIXED or not exercise.mixes:
            return None
        if len(same) < MIN_SERIES:
            return None
        return series(exercise, [read_answer(task.spot, text, MOVE) for text in same])

    def keep(self, *events: TrainingEvent) -> None:
        """Save events. If that fails, the session continues, and the next call tries again."""
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
        return f"{self.unkept_because} Your answers are not saved." if self.unkept else ""

    def add(self) -> str:
        task = self.asked_task()
        if not self.card(task.spot.id):
            self.keep(AddCard.of(task.spot, self.clock.now(), source=task.source, cost=0.0))
        return self.comes_back(task)

    def remove(self) -> str:
        self.keep(RemoveCard.of(self.asked_task().spot.id, self.clock.now()))
        return self.not_kept or "Removed from your book."

    def asked_task(self) -> Task:
        if not isinstance(self.task, Task):
            raise ValueError("There is no question to answer now; choose another action.")
        return self.task

    def card(self, card_id: str) -> Card | None:
        own = (event for event in self.book.events if event.card == card_id)
        return Book(tuple(own)).card(card_id)

    def comes_back(self, task: Task) -> str:
        if self.unkept:
            return self.not_kept
        card = self.card(task.spot.id)
        if card is None:
            return ""
        when = card.comes_back(self.clock.now())
        if task.kind != "book" and self.is_first_mistake:
            return f"Saved in your mistake book: the position comes back for practice {when}."
        return f"In your mistake book. It comes back {when}."

    @property
    def is_first_mistake(self) -> bool:
        wrong = sum(not one.right for one in self.state.given)
        added = sum(isinstance(event, AddCard) for event in self.book.events)
        return self.told is not None and not self.told.feedback.right and added == wrong == 1

    @property
    def standing(self) -> str:
        scored = self.course.scored()
        right, count = sum(one.right for one in scored), len(scored)
        return f"{right} of {count} right" if count and self.course.counts else ""

    def another(self, seed: int) -> Plan | None:
        """Return a plan for more of the same after the end, or None if there is nothing more."""
        return self.course.another(seed) if self.state.stage == OVER and not self.problem else None

    @property
    def added_mistakes(self) -> bool:
        """Return whether wrong answers of this session are in the mistake book."""
        return any(not one.right and self.card(one.card) for one in self.state.given)

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
                self.course.progress(),
                lines=tuple(task.text.splitlines()),
                sides=sides(task.seat),
                board=task.board,
                changed=changed(task.before, task.board) if task.before else {},
                you=task.seat,
                notes=notes,
                actions=(Action("next", "Next"), *self._restart()),
            )
        spot = task.spot
        asked = Scene(
            stage,
            title,
            status,
            self.course.progress(),
            detail="" if task.kind == "lesson" else spot.game.short_rules,
            sides=sides(spot.seat, spot.opponent),
            board=spot.board,
            changed=last_change(spot.game, spot.history.seen(spot.seat), spot.board),
            drawn=drawn_card(spot),
            you=spot.seat,
            to_move=spot.seats,
            path=path_of(spot),
            prompt=task.prompt,
            question=task.question,
            mixed=task.exercise.form == MIXED,
            against=task.against,
            notes=notes,
            actions=tuple(self._actions(task)),
        )
        return self._with_verdict(asked, task, self.told) if self.told else asked

    def _with_verdict(self, scene: Scene, task: Task, told: Judged) -> Scene:
        feedback = told.feedback
        tables = [*feedback_tables(feedback)]
        if scene.mixed:
            exercise, weights = task.exercise, told.answer.weights
            answers = [*answer_tables(exercise.options, weights, task.spot.seat)]
            # Who tries again must not see perfect play yet.
            tables = [*(answers[:1] if task.again and not feedback.right else answers), *tables]
        if told.series:
            tables.append(series_table(told.series))
        board, spot = board_after(task.spot, told.answer), task.spot
        frames: tuple[Frame, ...] = ()
        if feedback.line:
            frames = line_frames(spot.history, feedback.line, spot.names, feedback.line_end)
        return replace(
            scene,
            detail="",
            question=None,
            answer=told.answer.text,
            board=board,
            changed=changed(spot.board, board),
            verdict=Verdict(
                feedback.right,
                headline := self.course.headline(feedback),
                tuple(answered_words(in_words(task, told.answer), feedback.sentences, headline)),
            ),
            tables=tuple(tables),
            frames=frames,
            met=task.met(told.answer),
            # Another try decides when the position comes back.
            notes=()
            if task.again and not feedback.right
            else tuple(filter(None, [self.comes_back(task)])),
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
        elif not (self.told and known) and task.kind != "lesson":
            yield Action("add", "Add to my book")

    def summary(self) -> Iterator[str]:
        yield from self.course.summary()
        given = self.state.given
        skipped = self.course.skipped()
        if self.standing or skipped:
            mean = fmean(one.cost for one in given) if given else 0.0
            lost = (
                f" Your answers lower the winning chance by {cost(mean)} on average."
                if mean
                else ""
            )
            counts = (self.standing, f"{skipped} skipped" if skipped else "")
            yield f"{', '.join(filter(None, counts))}.{lost}"
        yield from self.course.weak_spot()
        if self.unkept:
            yield self.not_kept
        elif self.added_mistakes:
            yield f"Your mistake book now has {counted(len(self.book.cards), 'mistake')}."


class Course(ABC):
    """The tasks of a plan. Each kind of plan has its own subclass."""

    can_skip = True
    counts = True
    noun = ""
    can_repeat = False
    keeps_place = False
    next_label = "Next"
    again_label = "This position again"
    resumed = ""
    #: The server path at which others find the same task, or "" if there is none.
    share_path = ""
    #: The computer player to suggest at the end, or "" for none.
    opponent = ""

    def __init__(self, session: TrainSession) -> None:
        self.session, self.plan, self.book = session, session.plan, session.book

    @abstractmethod
    def items(self) -> tuple[str, ...]: ...

    def all_items(self) -> tuple[str, ...]:
        """Return the ids of all tasks, including those done in earlier sessions."""
        return self.items()

    def items_after(self, given: Given) -> tuple[str, ...]:
        """Return the ids of the tasks that remain after an answer."""
        return self.session.state.items

    @abstractmethod
    def game(self, item: str) -> AnyGame: ...

    @abstractmethod
    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        """Return the task for an item. Raise ValueError if there is no such task."""

    def remark(self, item: str) -> Remark | None:
        return None

    def passed(self) -> Iterator[TrainingEvent]:
        """Yield the events to store if the learner leaves the current item without an answer."""
        yield from ()

    def repeated(self, item: str) -> str:
        """Return the id under which a missed position is asked again."""
        return item

    def ended(self, scene: Scene) -> Scene:
        """Return the last scene of a session, changed for this course."""
        return scene

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        return task.facts

    def progress(self) -> tuple[int, int] | None:
        """Return the current task's number and the number of tasks, or None to show neither."""
        state = self.session.state
        return state.number, state.number + len(state.items)

    def place(self) -> str:
        return f"{self.noun} {' of '.join(map(str, self.progress() or ()))}"

    def headline(self, feedback: Feedback) -> str:
        return feedback.headline

    def share(self) -> str:
        return ""

    def scored(self) -> Sequence[Given]:
        """Return the answers that count."""
        return self.session.state.given

    def skipped(self) -> int:
        """Return how many tasks were left without an answer."""
        state = self.session.state
        done, _ = self.progress() or (0, 0)
        answered = {one.card for one in state.given}
        return done - (state.stage in (ASKED, TOLD)) - len(answered) if self.can_skip else 0

    def weak_spot(self) -> Iterator[str]:
        """Yield a sentence about the part of a game in which most answers were wrong, if any."""
        yield from ()

    def another(self, seed: int) -> Plan | None:
        return None

    def summary(self) -> Iterator[str]:
        yield from filter(None, [self.share()])


class DrillCourse(Course):
    noun = "exercise"

    def skipped(self) -> int:
        # The same position is asked again and again if the plan has one.
        state = self.session.state
        if self.can_repeat:
            return super().skipped()
        return state.number - (state.stage in (ASKED, TOLD)) - len(state.given)

    def weak_spot(self) -> Iterator[str]:
        given = self.session.book.answers[self.session.state.known :]
        every = Counter(one.phase for one in given if one.phase)
        wrong = Counter(one.phase for one in given if one.phase and not one.right)
        most = wrong.most_common(2)
        if most and most[0][1] > 1 and (len(most) == 1 or most[0][1] > most[1][1]):
            phase, count = most[0]
            yield f"Weak spot: {PHASES[phase]} ({count} of {every[phase]} wrong)."

    def another(self, seed: int) -> Plan | None:
        return replace(self.plan, seed=seed) if self.can_repeat else None

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
        found = replace(found, spot=replace(found.spot, opponent=self.plan.opponent))
        return Task(found, "drill", found.prompt, facts_of(found))


@lru_cache(maxsize=8)
def drills_of(solution: AnySolution) -> Drills:
    # The difficulty of drills is slow to compute.
    return Drills(solution)


class CardCourse(Course):
    noun = "mistake"
    can_repeat = True

    def items(self) -> tuple[str, ...]:
        found = []
        for card in self.book.due(self.session.clock.now()):
            if self.plan.game in ("", card.spot.game):
                with suppress(ValueError):  # a merged book may have games that are not installed
                    found.append(card.spot.open().id)
        return tuple(found[: self.plan.count])

    def _card(self, item: str) -> Card:
        # The card may have been removed from the book.
        own = (event for event in self.session.book.events if event.card == item)
        card = Book(tuple(one for one in own if not isinstance(one, RemoveCard))).card(item)
        if card is None:
            raise ValueError("This mistake is not in your book.")
        return card

    def game(self, item: str) -> AnyGame:
        return self._card(item).spot.open().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        card = self._card(item)
        # If the last answer was a mixed strategy, ask for one again.
        forms = [answer.form for answer in self.book.answers if answer.card == item]
        form = MIXED if forms and forms[-1] == MIXED else MOVE
        spot = replace(card.spot.open(), opponent=opponent_of(card))
        found = Exercise(spot, solution).asked_as(form)
        return Task(found, "book", found.prompt)

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        _, missed = card_facts(self._card(self.session.state.item))
        return (missed,)  # the source, too, would not fit in one line

    def summary(self) -> Iterator[str]:
        if not self.session.state.number and not self.session.state.items:
            yield f"{capital(today(self.book, self.session.clock.now()))}."


class SecondTryCourse(Course):
    """Tasks that are asked a second time after a wrong answer."""

    def items_after(self, given: Given) -> tuple[str, ...]:
        item, items = self.session.state.item, self.session.state.items
        return items if given.right or is_second(item) else (item + SECOND_TRY, *items)

    @property
    def next_label(self) -> str:  # type: ignore[override]
        return "Try again" if is_second(next(iter(self.session.state.items), "")) else "Next"

    def place(self) -> str:
        second = is_second(self.session.state.item)
        return f"{super().place()}, try 2 of {RETRY_TRIES}" if second else super().place()


class PuzzleCourse(SecondTryCourse):
    noun = "puzzle"

    def scored(self) -> Sequence[Given]:
        first = dict[str, Given]()
        for one in self.session.state.given:
            first.setdefault(one.card, one)
        return tuple(first.values())

    def progress(self) -> tuple[int, int]:
        state = self.session.state
        seconds = sum(not one.right for one in self.scored())
        waits = is_second(next(iter(state.items), ""))
        return state.number - seconds + waits, state.number + len(state.items) - seconds

    def another(self, seed: int) -> Plan | None:
        return replace(self.plan, seed=seed)

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
        return find_puzzle(item.removesuffix(SECOND_TRY)).spot.open().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        note, again = item.removesuffix(SECOND_TRY), not is_second(item)
        return puzzle_task(find_puzzle(note), solution, "puzzle", note, again=again)


class TriesCourse(Course):
    """One task, asked until it is solved or all tries are used up. Each item is one try."""

    can_skip = counts = False
    noun = "try"
    max_tries: int

    def items(self) -> tuple[str, ...]:
        return tuple(str(n) for n in range(1, self.max_tries + 1))

    def items_after(self, given: Given) -> tuple[str, ...]:
        return () if given.right else self.session.state.items

    @property
    def next_label(self) -> str:  # type: ignore[override]
        return "Try again" if self.session.state.items else "Back"

    def can_fail(self, item: str) -> bool:
        return item != str(self.max_tries)

    def progress(self) -> tuple[int, int] | None:
        item = self.session.state.item
        return (int(item), self.max_tries) if item.isdecimal() else None


class RetryCourse(TriesCourse):
    max_tries = RETRY_TRIES

    def _spot(self) -> OpenSpot:
        if self.plan.scope.spot is None:
            raise ValueError("Choose a position to try again.")
        return replace(self.plan.scope.spot.open(), opponent=self.plan.opponent)

    def game(self, item: str) -> AnyGame:
        return self._spot().game

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        found = Exercise(self._spot(), solution).asked_as(self.plan.scope.form)
        return RetryTask(found, "drill", found.prompt, again=self.can_fail(item))


class DailyCourse(TriesCourse):
    """The puzzle of a day. At most three tries count. All later tries are practice."""

    max_tries = DAILY_TRIES
    again_label = "Practice it"

    def __init__(self, session: TrainSession) -> None:
        super().__init__(session)
        self.puzzle = daily(self.plan.day)
        self.share_path = daily_path(self.plan.day)

    @property
    def tries(self) -> list[bool]:
        own = [one.right for one in self.session.state.given]
        counted = own[: own.index(True) + 1] if True in own else own
        return self.session.book.daily_tries(self.plan.day) or counted[:DAILY_TRIES]

    @property
    def is_done(self) -> bool:
        return any(self.tries) or is_explained(self.tries)

    @property
    def result(self) -> str:
        if not any(self.tries):
            return "Not solved."
        count = len(self.tries)
        return f"Solved in {count} tries." if count > 1 else "Solved on the first try."

    def headline(self, feedback: Feedback) -> str:
        practices = self.session.state.item == PRACTICE
        return self.result if feedback.right and not practices else super().headline(feedback)

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
        return f"daily puzzle, {day.day} {day:%B}"

    def facts(self, task: Task | Remark) -> tuple[str, ...]:
        place = PRACTICE if self.session.state.item == PRACTICE else super().place()
        return (place, *super().facts(task))

    def share(self) -> str:
        if not self.is_done:
            return ""
        return squares(self.plan.day, self.tries, self.session.book.daily_streak(self.plan.day))

    def summary(self) -> Iterator[str]:
        yield from super().summary()
        if not is_past(self.plan.day, self.session.clock.now()):
            yield "A new puzzle comes tomorrow."

    def ended(self, scene: Scene) -> Scene:
        """Show the result and the answer of the puzzle, without a solver."""
        spot, tries = self.puzzle.spot.open(), self.tries
        day = ("daily", str(self.plan.day))
        given = [one.answer for one in self.session.book.answers if (one.kind, one.note) == day]
        move = given[-1] if given and any(tries) else self.puzzle.answers[0]
        board = board_after(spot, read_answer(spot, move, MOVE))
        return replace(
            scene,
            title=spot.game.title,
            status=(self.place(), self.puzzle.difficulty),
            progress=(len(tries), self.max_tries),
            sides=sides(spot.seat, spot.opponent),
            board=board,
            changed=changed(spot.board, board),
            drawn=drawn_card(spot),
            you=spot.seat,
            to_move=spot.seats,
            prompt=self.puzzle.prompt,
            answer=move,
            verdict=Verdict(any(tries), self.result, (self.puzzle.solution,)),
            share_path=self.share_path,
            actions=(Action("again", self.again_label),),
        )


class LessonCourse(SecondTryCourse):
    """The steps of a lesson, from where the learner stopped. A wrong answer gets a second try."""

    noun = "step"
    counts = False
    keeps_place = True

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
        return (
            f"You have already done {counted(done, 'step')}. This is the next one." if done else ""
        )

    def passed(self) -> Iterator[TrainingEvent]:
        step = self.session.state.item.removesuffix(SECOND_TRY)
        yield AnswerGiven.passed(self.plan.game, self.session.clock.now(), step)

    def game(self, item: str) -> AnyGame:
        return load(self.plan.game)

    def skipped(self) -> int:
        return 0

    def _step(self, item: str) -> tuple[LessonStep, tuple[str, ...]]:
        number = item.removesuffix(SECOND_TRY)
        if not number.isdecimal() or not 1 <= int(number) <= len(self.steps):
            raise ValueError(f"The lesson has {len(self.steps)} steps.")
        step = self.steps[int(number) - 1]
        return step, tuple(filter(None, ["test" if step.kind == TEST else step.principle]))

    def remark(self, item: str) -> Remark | None:
        step, facts = self._step(item)
        seat = step.spot.seat if step.spot else Seat.ONE
        return None if step.asks else Remark(step.text, step.board, step.before, facts, seat)

    def task(self, item: str, number: int, solution: AnySolution) -> Task:
        step, facts = self._step(item)
        note, again = item.removesuffix(SECOND_TRY), not is_second(item)
        exercise = step.exercise(solution)
        return LessonTask(exercise, "lesson", step.text, facts, note, step=step, again=again)

    def progress(self) -> tuple[int, int]:
        return int(self.session.state.item.removesuffix(SECOND_TRY)), len(self.steps)

    def summary(self) -> Iterator[str]:
        book, game = self.session.book, self.plan.game
        if self.session.state.stage != OVER:
            done = steps_done(book, game, len(self.steps))
            if done:
                yield f"Saved: the lesson resumes at step {done + 1} of {len(self.steps)}."
            return
        tests, right = self._test()
        title, learned = self.game("").title, lesson(self.game("")).principles
        if not is_learned(book, lesson(self.game(""))):
            learned = ()
            yield (
                "You skipped most of the questions in this lesson."
                " Start it again to learn the game."
            )
        elif tests and right == tests:
            yield f"Perfect! You have learned {title}."
        else:
            yield f"Well done! You have learned {title}."
        if tests:
            stars = f"{STAR * right}{NO_STAR * (tests - right)}"
            yield f"{stars} The test: {right} of {tests} right on the first try."
        if learned:
            yield "Remember:"
            yield from (f"{number}. {one}." for number, one in enumerate(learned, 1))
        every = lessons()
        if done := sum(is_learned(book, one) for one in every):
            following = next_lesson_words(book)
            then = f" Next: {following}." if following else ""
            yield f"You have finished {done} of {counted(len(every), 'lesson')}.{then}"
        level = full_name(self.opponent).lower()
        yield f"Now play it against the computer at {level} of {len(LEVELS)}."

    def _test(self) -> tuple[int, int]:
        tests = [str(n) for n, step in enumerate(self.steps, 1) if step.kind == TEST]
        given = self.session.book.lesson_answers(self.plan.game)
        if not any(test in given for test in tests):
            return 0, 0
        return len(tests), sum(given.get(test, False) for test in tests)

    @property
    def opponent(self) -> str:  # type: ignore[override]
        tests, right = self._test()
        share = right / tests if tests else 0.0
        return "level:3" if share == 1 else "level:2" if share >= GOOD_TEST else "level:1"

    def ended(self, scene: Scene) -> Scene:
        title = self.game("").title
        learned = is_learned(self.session.book, lesson(self.plan.game))
        headline = scene.lines[0].removesuffix(".") if learned else ""
        return replace(scene, title=title, status=("lesson done",), headline=headline)


def is_second(item: str) -> bool:
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
    exercise, facts = Exercise(puzzle.spot.open(), solution), (puzzle.difficulty,)
    return PuzzleTask(exercise, kind, puzzle.prompt, facts, note, puzzle=puzzle, again=again)


def fitting_puzzles(game: str, grade: int | None) -> list[Puzzle]:
    found = [puzzle for puzzle in puzzles(game) if grade in (None, puzzle.grade)]
    if not found:
        raise ValueError("This game has no puzzle of that difficulty; choose another one.")
    return found


def in_words(task: Task, answer: Answer) -> str:
    odds, first = answer.weights, len(shared_word(task.exercise.options))
    given = [
        replace(option, probability=odds[option.move], words=option.words[first:])
        for option in task.exercise.options
        if option.move in odds
    ]
    return strategy_text(given) if len(given) > 1 else given[0].words


def answered_words(words: str, sentences: Sequence[str], headline: str = "") -> Iterator[str]:
    """Yield the sentences of a verdict. Name the answer first if they do not begin with it.

    A first sentence that only repeats the headline's cost is left out.

    >>> headline = "Wrong: it lowers your winning chance from 67% to 33%."
    >>> repeated = "On average, playing 5 lowers your winning chance from 67% to 33%."
    >>> list(answered_words("play 5", [repeated, "Playing 9 costs nothing."], headline))
    ['Your answer: play 5.', 'Playing 9 costs nothing.']
    """
    _, _, lowers = headline.partition(": it ")
    if lowers and sentences and sentences[0].endswith(f" {lowers}"):
        sentences = sentences[1:]
    if not (sentences and sentences[0].casefold().startswith(f"{words} ".casefold())):
        yield f"Your answer: {words}."
    yield from sentences


def facts_of(exercise: Exercise) -> tuple[str, ...]:
    phase = PHASES.get(exercise.phase, exercise.phase).removeprefix("the ")
    return tuple(filter(None, (phase, exercise.level)))


def card_facts(card: Card) -> tuple[str, ...]:
    where = {
        "game": f"from your game on {card.played}" if card.played else "from your game",
        "drill": "from a drill",
        "analysis": "from an analysis",
        "puzzle": "from a puzzle",
    }[card.source]
    missed = f"missed {card.misses} of {card.tries}" if card.misses else "right ever since"
    return where, missed if card.tries else "new"


def spot_after(game: AnyGame, deal: str | None, moves: str, seat: int | None) -> OpenSpot:
    """Return the position after `moves`, in which `seat` chooses. Raise ValueError if it does not.

    `seat` is 1 or 2, or None for the first seat that chooses.
    """
    position_of(game, deal, moves)
    history = History.read(game, game.start(deal=deal), moves)
    turn = history.turn
    if not isinstance(turn, Decision):
        raise ValueError(f"there is no decision {place_in_words(moves)}.")
    chosen = min(turn.options) if seat is None else Seat(seat - 1)
    if chosen not in turn.options:
        raise ValueError(f"{chosen} has no decision {place_in_words(moves)}.")
    return OpenSpot(game, history, chosen)


def board_after(spot: OpenSpot, answer: Answer) -> tuple[Part, ...]:
    if spot.both_choose or answer.move is None:
        return spot.board
    moved = spot.history.decided({spot.seat: spot.game.parse(answer.move)})
    return spot.game.board(moved.view(spot.seat))


def path_of(spot: OpenSpot) -> str:
    game, steps = spot.game, [step for step in spot.history.seen(spot.seat) if step.moves]
    if not steps:
        return ""
    last = steps[-1:] if spot.both_choose else steps[-TOLD_TURNS:]
    told = (game.sum_up(one.before, one.moves, one.after) for one in last)
    said = " ".join(to_learner(one, spot) for one in told)
    return f"{'So far' if len(last) == len(steps) else 'Just before'}: {said}"


def question_of(spot: OpenSpot) -> Question[Hashable]:
    """Return the game's question to the learner, without a name in front of the prompt."""
    asked = spot.question
    prompt, typed = without_address(asked.prompt), without_address(asked.at_keyboard)
    return replace(asked, prompt=with_names(prompt, spot.names), at_keyboard=typed)


def drawn_card(spot: OpenSpot) -> str:
    steps = spot.history.steps
    return steps[-1].text if steps and not steps[-1].moves else ""


def sides(learner: Seat, opponent: str = OPPONENT) -> tuple[Side, ...]:
    """Return the columns' headings. The usual opponent's heading needs no "your"."""
    other = OPPONENT_NAME if opponent == OPPONENT else opponent
    return tuple(Side(YOU if seat is learner else other) for seat in Seat)
