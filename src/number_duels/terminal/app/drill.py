"""The screen for drills, puzzles and lessons."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from number_duels.core.board import Part, Places
from number_duels.core.game import Seat
from number_duels.core.names import SEAT_NAMES
from number_duels.core.questions import Answer, positions
from number_duels.core.randomness import fresh_seed
from number_duels.core.scene import (
    ASKED,
    OVER,
    SAID,
    TOLD,
    WORKING,
    Frame,
    Scene,
    Verdict,
)
from number_duels.games import load
from number_duels.players.registry import full_name
from number_duels.sessions import Work
from number_duels.sessions.progress import next_lesson, next_lesson_words
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.scene_tables import table_lines
from number_duels.sessions.train import Plan, Task, TrainSession
from number_duels.solvers import solve
from number_duels.terminal.app.board_view import (
    BoardView,
    Ending,
    Line,
    Marks,
    Notice,
    WordsPanel,
    on_other_side,
)
from number_duels.terminal.app.choices import AnswerView, Choices, Offer
from number_duels.terminal.app.dialogs import confirm
from number_duels.terminal.app.page import (
    TOO_SOON,
    Notes,
    Page,
    Preparation,
    now_and_then,
    progress_text,
)
from number_duels.terminal.app.scene_text import option_lines
from number_duels.terminal.app.table_layout import TableBlock
from number_duels.terminal.line.console import breadth, fold
from number_duels.terminal.menu_entries import play_words
from number_duels.trainer.book import BookFile
from number_duels.trainer.exercise import MIXED, MIXED_FORM, WEIGHT, read_answer
from number_duels.trainer.spot import OpenSpot

PUNISHED = "How your mistake is punished"
RESULT = re.compile(r"(: )?(wins|draws|loses)$")
ENTER_LABELS = (
    "Go on",
    "Next",
    "Try again",
    "Back",
    "Play now",
    "Back to your exercise",
)


MOVE_NOTES = (
    ("a number, a move", "type your answer, written as in the rules"),
    ("← → ↑ ↓", "select another answer"),
    ("Enter", "confirm the selected answer"),
    ("a click", "answer"),
)
MIXED_NOTES = (
    ("how often", f"type {MIXED_FORM}"),
    ("↑ ↓", "highlight a choice"),
    ("← →", "change how often you make this choice"),
    ("Enter", "confirm your answer"),
    ("a click", "move a slider"),
)


class DrillScreen(Page):
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding("enter", f"next({label!r})", label) for label in ENTER_LABELS),
        Binding("space", "next", "Go on", show=False),
        Binding("h", "no_hint", show=False),
        Binding("f", "act('again')", "Try again"),
        Binding("f", "another", "Again"),
        Binding("b", "book", "Mistake book"),
        Binding("p", "punished", "See it punished"),
        Binding("x", "act('skip')", "Skip"),
        Binding("f5", "act('restart')", "From the start", key_display="F5"),
        Binding("f3", "add", "Add to mistake book", key_display="F3"),
        Binding("c", "copy", "Copy result"),
        Binding("d", "drills", "Drills"),
        Binding("l", "next_lesson", "Next lesson"),
        Binding("n", "set_up", "New game"),
        Binding("l", "lesson", "Lesson"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "step_back", "One step back", show=False),
        Binding("pageup", "scroll_words(-1)", "Scroll up", show=False),
        Binding("pagedown", "scroll_words(1)", "Scroll down", show=False),
    ]

    def __init__(self, session: TrainSession) -> None:
        super().__init__(session.game.title if session.game else "Train")
        self.session = session
        self.scene = Scene(WORKING, "")

    def key_notes(self) -> Notes:
        if self.scene.stage != ASKED:
            return ()
        return MIXED_NOTES if self.scene.mixed else MOVE_NOTES

    def content(self) -> ComposeResult:
        yield Preparation()
        yield TableBlock(
            BoardView(SEAT_NAMES, id="board"),
            below=(
                Ending(id="ending"),
                Notice(id="notice"),
                Choices(id="choices"),
                Sliders(id="sliders"),
            ),
            beside=(WordsPanel(id="drill"),),
        )

    def on_mount(self) -> None:
        self.set_focus(None)
        self.show_board(())
        if self.session.book.notice:
            self.notify(self.session.book.notice, severity="warning", markup=False)
        self.go_on()

    def go_on(self) -> None:
        work = self.session.work()
        if work is None:
            self.show_scene()
            return
        self.wait(f"{work.label}…")
        self.query_one(Preparation).when_ready(work.game, partial(self.start, work))

    def start(self, work: Work) -> None:
        def run() -> None:
            solution, report = solve(work.game), partial(self.call_later, self.show_progress)
            solution.open_arrays(now_and_then(report, self.duels.clock))
            work.run(solution)

        self.work(run, lambda _: self.go_on())

    def show_progress(self, fraction: float) -> None:
        self.query_one(Notice).say("Preparing the game", progress_text(fraction))

    def act(self, key: str, text: str = "") -> None:
        def acted() -> str:
            try:
                return self.session.act(key, text)
            except ValueError as error:
                self.call_later(self.complain, error)
            return ""

        def then(said: str) -> None:
            self.go_on()
            if said:
                self.remark(f"Skipped. {said}")

        self.wait("…")
        self.work(acted, then)

    def wait(self, said: str) -> None:
        self.scene = Scene(WORKING, self.scene.title)
        self.say_in_notice(said)

    def say_below(self, *said: str | Content) -> None:
        self.say_in_notice(*said)
        self.refresh_bindings()

    def say_in_notice(self, *said: str | Content) -> None:
        self.query_one(Notice).display = bool(said)
        self.query_one(Notice).say(*said or ("",))
        self.note_change()

    def show_board(
        self, parts: tuple[Part, ...], marks: Marks | None = None, acting: Seat | None = None
    ) -> None:
        """Show a position with the learner on the left, or hide the board if there are no parts."""
        board = self.query_one(BoardView)
        board.display = bool(parts)
        if self.scene.sides:
            one, two = self.scene.sides
            board.names = one.name, two.name
        if self.scene.you is Seat.TWO:
            board.names = board.names[::-1]
            acting = None if acting is None else acting.other
            marks = {on_other_side(part): places for part, places in (marks or {}).items()}
            parts = tuple(map(on_other_side, parts))
        board.prepare(self.session.game)
        board.show(parts, marks, acting)
        self.query_one(TableBlock).fit()

    def show_scene(self) -> None:
        scene = self.scene = self.session.scene()
        if scene.stage == OVER:
            self.show_end(scene)
            return
        self.say(scene.title, "  ·  ".join(scene.status))
        self.show_board(scene.board, scene.changed, scene.you if scene.stage == ASKED else None)
        self.show_words()
        if scene.stage == SAID:
            self.say_below(*scene.notes, f"Enter: {self.enter_label.lower()}.")
        elif scene.verdict:
            why = "  p: see it punished." if scene.frames else ""
            enter = f"Enter: {self.enter_label.lower()}.{why}"
            self.say_below(marked(scene.verdict), *scene.notes, enter)
        else:
            self.say_below(*scene.notes)
            self.ask(scene)

    def ask(self, scene: Scene) -> None:
        task = self.session.task
        assert isinstance(task, Task)
        assert scene.question
        spot = task.spot
        if scene.mixed:
            self.query_one(Sliders).ask(spot, self.chosen)
        else:
            offer = Offer(scene.question, spot.game.parse, partial(effect, spot), SEAT_NAMES)
            self.query_one(Choices).picked = self.show_picked
            self.query_one(Choices).ask(offer, self.chosen)

    def show_picked(self, answers: tuple[Answer[Hashable], ...]) -> None:
        scene = self.scene
        places = Places(scene.board, Seat.ONE if scene.you is None else scene.you)
        asked = answers if scene.stage == ASKED else ()
        found = chain.from_iterable(positions(answer, places) for answer in asked)
        self.query_one(BoardView).pick(found)

    def chosen(self, move: Hashable) -> None:
        self.act("answer", str(move))

    def show_end(self, scene: Scene) -> None:
        self.query_one(Preparation).cancel()
        self.stop_asking()
        self.say(scene.title or "Train", "  ·  ".join(scene.status))
        self.show_board(scene.board, scene.changed)
        told = (scene.verdict.headline, *scene.verdict.sentences) if scene.verdict else ()
        self.show_lines((*told, *scene.lines) if scene.board else ())
        ways_out = list(self.ways_out(scene))
        if scene.board:
            self.say_below(" ".join(f"{key}: {what}." for key, what in ways_out))
            return
        lines = scene.lines
        if scene.headline:  # the first line without its full stop
            self.query_one(Ending).show(scene.headline, "", "", "$success")
            lines = lines[1:]
        block = self.query_one(TableBlock)
        block.words.display = False
        block.fit()
        wide = max(breadth(key) for key, _ in ways_out)
        keys = [
            Content.assemble((f"{key:{wide}}  ", "bold $accent"), what) for key, what in ways_out
        ]
        self.say_below("")
        self.query_one(Notice).update(
            Content("\n").join([*map(Content, lines), Content(""), *keys])
        )

    def ways_out(self, scene: Scene) -> Iterator[tuple[str, str]]:
        """Yield the keys that leave the end of a session, best first, and what they do."""
        session = self.session
        if self.offers_game:
            title, level = load(session.plan.game).title, full_name(session.opponent).lower()
            yield "Enter", f"play {title} against {level}"
            yield "d", f"drills: find good moves in {title}"
            if self.next_lesson:
                yield "l", f"next lesson: {next_lesson_words(session.book)}"
            yield "n", "new game with another opponent"
            yield "q", "back"
        else:
            yield "Enter", self.enter_label.lower()
        if session.another(0) is not None:
            yield "f", "again, with other positions"
        if session.added_mistakes:
            yield "b", "mistake book"
        if scene.share:
            yield "c", "copy the result"

    @property
    def offers_game(self) -> bool:
        return bool(self.session.opponent) and not self.covers_exercise

    @property
    def next_lesson(self) -> str:
        """Return the game of the next lesson, or "" if it can't be started here."""
        following = next_lesson(self.session.book) if self.offers_game else None
        return following.game if following else ""

    @property
    def enter_label(self) -> str:
        if self.scene.stage == OVER and self.session.opponent:
            return "Back to your exercise" if self.covers_exercise else "Play now"
        if self.scene.stage == OVER:
            return "Back"
        labels = (one.label for one in self.scene.actions if one.key == "next")
        return next((label for label in labels if label in ENTER_LABELS), ENTER_LABELS[0])

    def stop_asking(self) -> None:
        self.query_one(Choices).stop()
        self.query_one(Sliders).stop()

    def show_words(self) -> None:
        if self.scene.stage == SAID:
            self.show_lines(self.scene.lines)
        elif self.scene.stage in (ASKED, TOLD):
            scene = self.scene
            if self.session.is_new_game and scene.detail:
                detail = f"{scene.detail} New to this game? Press l for its lesson."
                scene = replace(scene, detail=detail)
            draw = verdict_lines if scene.verdict else asked_lines
            self.query_one(WordsPanel).show(partial(draw, scene))

    def show_lines(self, lines: Iterable[str]) -> None:
        self.query_one(WordsPanel).show(
            lambda width: (Content(part) for line in lines for part in fold(line, width))
        )

    def drops(self, event: events.Key) -> bool:
        return False  # `on_key` also tells the widgets about an Enter that is too soon

    def on_key(self, event: events.Key) -> None:
        asked = self.query(AnswerView) if self.scene.stage == ASKED else ()
        if self.is_too_soon(event):
            event.stop()
            for view in asked:
                view.wait_for_enter()
            if self.scene.stage in (SAID, TOLD, OVER):
                self.remark(TOO_SOON, timeout=2)
        elif any(view.key(event) for view in asked):
            event.stop()
            if any(view.asks for view in asked):
                self.note_typed(asked)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        possible: dict[str, Callable[[], bool]] = {
            "next": lambda: (
                parameters in ((), (self.enter_label,))
                and (self.scene.stage == OVER or self.scene.offers("next"))
            ),
            "act": lambda: self.scene.offers(str(parameters[0])),
            "punished": lambda: bool(self.scene.frames),
            "add": lambda: (
                self.scene.offers("add")
                and not self.session.card(self.session.asked_task().spot.id)
            ),
            "another": lambda: self.session.another(0) is not None,
            "book": lambda: self.scene.stage == OVER and self.session.added_mistakes,
            "copy": lambda: bool(self.scene.share),
            "set_up": lambda: bool(self.session.opponent),
            "drills": lambda: self.offers_game,
            "next_lesson": lambda: bool(self.next_lesson),
            "lesson": lambda: self.scene.stage in (ASKED, TOLD) and self.session.is_new_game,
            "no_hint": lambda: self.scene.stage == ASKED,
        }
        return possible[action]() if action in possible else True

    def action_next(self, _label: str = "") -> None:
        if self.offers_game:
            self.play()
        elif self.scene.stage == OVER:
            self.dismiss()
        else:
            self.action_act("next")

    def action_another(self) -> None:
        if plan := self.session.another(fresh_seed()):
            sit_down(self, plan, instead=True)

    def action_book(self) -> None:
        from number_duels.terminal.app.book_page import BookScreen

        self.app.switch_screen(BookScreen())

    def action_no_hint(self) -> None:
        said = "Exercises have no hints. You get an explanation after you answer."
        skip = " Press x to skip this one." if self.scene.offers("skip") else ""
        notice = self.query_one(Notice)  # a toast would cover the question
        notice.display = True
        notice.say(*self.scene.notes, f"{said}{skip}")

    def action_act(self, key: str) -> None:
        self.stop_asking()
        self.act(key)

    def action_punished(self) -> None:
        from number_duels.terminal.app.table import ReplayScreen

        scene, game = self.scene, self.session.game
        assert game
        one, two = (side.name for side in scene.sides)
        names, frames = (one, two), scene.frames
        if scene.you is Seat.TWO:  # the learner is on the left
            names, frames = (two, one), tuple(map(seen_from_other_side, frames))
        line = ReplaySession.of_line(game, frames, PUNISHED)
        self.app.push_screen(ReplayScreen(game, names, line))

    def action_add(self) -> None:
        try:
            self.remark(self.session.act("add"))
            self.refresh_bindings()
        except ValueError as error:
            self.complain(error)

    @property
    def covers_exercise(self) -> bool:
        # The list of all keys may be on top of this screen.
        screens = self.app.screen_stack
        return isinstance(screens[screens.index(self) - 1], DrillScreen)

    def play(self) -> None:
        app, game, opponent = self.duels, self.session.plan.game, self.session.opponent
        app.remember(game=game, opponent=opponent, seat=1)
        words = play_words(game, app.config.names, 1, opponent, hints=app.config.hints)
        self.dismiss()
        app.call_later(app.play, words)

    def action_set_up(self) -> None:
        from number_duels.terminal.app.new_game import NewGameScreen

        self.app.switch_screen(NewGameScreen(self.session.plan.game))

    def action_drills(self) -> None:
        sit_down(self, Plan("drill", self.session.plan.game, seed=fresh_seed()), instead=True)

    def action_next_lesson(self) -> None:
        sit_down(self, Plan("lesson", self.next_lesson), instead=True)

    def action_lesson(self) -> None:
        if game := self.session.game:
            sit_down(self, Plan("lesson", game.name))

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.scene.share)
        self.say(self.scene.title or "Train", "Copied to the clipboard.")

    def action_rules(self) -> None:
        if self.session.game:
            self.duels.show_rules(self.session.game, in_exercise=True)

    def action_step_back(self) -> None:
        if not any(view.step_back() for view in self.query(AnswerView)):
            self.action_leave()

    def action_leave(self) -> None:
        session = self.session
        if session.course.keeps_place and self.scene.stage != OVER:
            if kept := " ".join(session.summary()):
                self.duels.say_goodbye(kept)
            self.dismiss()
        elif self.scene.stage == ASKED and session.state.given:
            asked = "Leave this exercise? Your earlier answers are kept."
            confirm(self, asked, "Leave", "Go on", self.dismiss)
        else:
            self.dismiss()

    def action_scroll_words(self, pages: int) -> None:
        self.scroll_pages(self.query_one(WordsPanel), pages)


def sit_down(page: Page, plan: Plan, *, instead: bool = False) -> None:
    """Start a training session on top of `page`, or in its place if `instead` is true."""
    try:
        session = TrainSession(plan, BookFile(), page.duels.clock)
    except ValueError as error:
        page.complain(error)
        return
    if session.state.stage == OVER and not session.scene().share:
        page.remark("\n".join(session.summary()))
    elif instead:
        page.app.switch_screen(DrillScreen(session))
    else:
        page.app.push_screen(DrillScreen(session))


def seen_from_other_side(frame: Frame) -> Frame:
    board, before = (tuple(map(on_other_side, parts)) for parts in (frame.board, frame.before))
    return replace(frame, board=board, before=before)


def effect(spot: OpenSpot, move: Hashable) -> str:
    """Return the effect of a move without its result, which would give away the answer."""
    return RESULT.sub("", spot.game.consequence(spot.view, spot.seat, move))


def marked(verdict: Verdict) -> Content:
    """Return a verdict's headline with a mark in front, so that nobody has to read it twice."""
    mark = ("✓ ", "bold $success") if verdict.right else ("✗ ", "bold $error")
    return Content.assemble(mark, (verdict.headline, "bold"))


def asked_lines(scene: Scene, width: int) -> Iterator[Content]:
    yield from (Content.styled(part, "bold") for part in fold(scene.prompt, width))
    for text in filter(None, (scene.detail, scene.path)):
        yield Content("")
        yield from (Content.styled(part, "$faint") for part in fold(text, width))


def verdict_lines(scene: Scene, width: int) -> Iterator[Content]:
    assert scene.verdict
    for sentence in scene.verdict.sentences:
        yield from map(Content, fold(sentence, width))
    for table in scene.tables:
        yield Content("")
        if table.kind == "series":
            for line in table_lines(table):
                yield from map(Content, fold(line, width))
        elif table.kind == "mixed":
            yield Content.styled(table.title, "bold")
            wide = max(breadth(row.words) for row in table.rows)
            yield from (Content(f"{row.words:{wide}}  {row.cells[0]:>4}") for row in table.rows)
        else:
            yield from (Content.styled(part, "bold") for part in fold(table.head, width))
            yield from option_lines(replace(table, title=""), width)


SLIDER_WIDTH = 10
TOTAL_WIDTH = 20
STEP, FINE_STEP, MOST = 5, 1, 100
#: By how much typed percentages may miss 100, such as three times 33%.
ROUNDING = 1
BETWEEN_COLUMNS = 4
BEGUN_WEIGHT = re.compile(r"\d{0,9}(\.\d{0,9})?%?")


def percents_in(text: str) -> float:
    weights = (part.rpartition(":")[2] for part in re.split("[ ,]+", text))
    return sum(float(weight.rstrip("%")) for weight in weights if WEIGHT.fullmatch(weight))


def amiss(total: float) -> str:
    """Say what to change if percentages do not add up to 100, except for rounding.

    >>> amiss(60), amiss(120), amiss(99.9)
    ('Set 40% more', 'Set 20% less', '')
    """
    left = MOST - total
    if abs(left) <= ROUNDING:
        return ""
    return f"Set {abs(left):.4g}% {'more' if left > 0 else 'less'}"


class Sliders(AnswerView):
    """Sliders for a mixed strategy, one per option. The user can also type the strategy."""

    #: For each key, by how much it changes the marked slider's index and value.
    MOVES: ClassVar = {
        "up": (-1, 0),
        "down": (1, 0),
        "left": (0, -STEP),
        "right": (0, STEP),
        "shift+left": (0, -FINE_STEP),
        "shift+right": (0, FINE_STEP),
        "home": (0, -MOST),
        "end": (0, MOST),
    }

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.spot: OpenSpot | None = None
        self.moves: list[str] = []
        self.weights: list[int] = []
        self.marked = 0

    def ask(self, spot: OpenSpot, then: Callable[[Hashable], None]) -> None:
        self.spot, self.then = spot, then
        self.moves = list(map(str, spot.options))
        self.marked = 0
        self.type("")

    def fits(self, text: str) -> bool:
        *earlier, last = (part.rpartition(":") for part in re.split("[ ,]+", text.casefold()))
        left = {move.casefold() for move in self.moves}
        for name, _, weight in earlier:
            if name not in left or not WEIGHT.fullmatch(weight):
                return False
            left.remove(name)
        name, colon, weight = last
        if colon:
            return name in left and bool(BEGUN_WEIGHT.fullmatch(weight))
        return any(move.startswith(weight) for move in left)

    def refusal(self, text: str) -> str:
        return f"That does not fit; type {MIXED_FORM}, and name no choice twice."

    def type(self, text: str) -> None:
        super().type(text)
        parts = (part.rpartition(":") for part in re.split("[ ,]+", text.casefold()))
        found = {name: weight.rstrip("%") for name, _, weight in parts if WEIGHT.fullmatch(weight)}
        self.weights = [
            min(MOST, round(float(found.get(move.casefold(), 0)))) for move in self.moves
        ]

    def move(self, along: int, down: int) -> None:
        self.text = ""
        self.marked = (self.marked + along) % len(self.moves)
        self.weights[self.marked] = max(0, min(MOST, self.weights[self.marked] + down))

    def accept(self) -> None:
        shares = zip(self.moves, self.weights, strict=True)
        text = self.text or " ".join(f"{move}:{weight}" for move, weight in shares if weight)
        if self.spot is None or not text:
            self.reason = "Give at least one choice more than 0%."
            return
        try:
            read_answer(self.spot, text, MIXED)
        except ValueError as error:
            self.reason = str(error)
            return
        if ":" in text and (wrong := amiss(percents_in(text))):
            self.reason = f"{wrong}, so that all choices together are 100%."
            return
        self.finish(text)

    def step_back(self) -> bool:
        if self.asks and self.reason:
            self.reason = ""
            self.refresh(layout=True)
            return True  # what the user entered stays
        if self.asks and not self.text and any(self.weights):
            self.type("")
            return True
        return super().step_back()

    @property
    def is_answered(self) -> bool:
        return self.asks and any(self.weights)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or not self.asks:
            return
        event.stop()
        columns, wide = self.columns(self.content_size.width), self.cell_width
        row = at.y - len(self.head(self.content_size.width))
        column = at.x // (wide + BETWEEN_COLUMNS)
        place = row * columns + column
        if row >= 0 and column < columns and place < len(self.moves):
            self.marked = place
            slid = at.x - column * (wide + BETWEEN_COLUMNS) - self.label_width
            if 0 <= slid <= SLIDER_WIDTH:
                self.text = ""
                self.weights[place] = round(slid * MOST / SLIDER_WIDTH / STEP) * STEP
            self.refresh(layout=True)

    @property
    def label_width(self) -> int:
        return 3 + max(map(len, self.moves), default=0)

    @property
    def cell_width(self) -> int:
        return self.label_width + SLIDER_WIDTH + len(" 100%")

    def columns(self, width: int) -> int:
        return max(1, (width + BETWEEN_COLUMNS) // (self.cell_width + BETWEEN_COLUMNS))

    def lines(self, width: int) -> list[Line]:
        if not self.asks:
            return []
        columns, lines = self.columns(width), self.head(width)
        for start in range(0, len(self.moves), columns):
            row: Line = ()
            for place in range(start, min(start + columns, len(self.moves))):
                row += (*self.cell(place), (" " * BETWEEN_COLUMNS, ""))
            lines.append(row)
        return lines

    def head(self, width: int) -> list[Line]:
        lines: list[Line] = [self.total()]
        if self.text:
            lines.append((("> ", "$accent"), (f"{self.text}█", "bold")))
        else:
            how = f"↑↓ select, ←→ set how often, Enter answers. Or type {MIXED_FORM}."
            lines += [((part, "$faint"),) for part in fold(how, width)]
        return [*lines, *self.reason_lines(width)]

    def total(self) -> Line:
        total = sum(self.weights)
        filled = min(TOTAL_WIDTH, round(TOTAL_WIDTH * total / MOST))
        left = f", {MOST - total}% left" if total < MOST else ""
        left = f", {total - MOST}% too much" if total > MOST else left
        return (
            ("█" * filled, "$success" if total == MOST else "$accent"),
            ("░" * (TOTAL_WIDTH - filled), "$faint"),
            (f" {total}% set{left}", "bold"),
        )

    def cell(self, place: int) -> Line:
        is_marked = place == self.marked
        move, weight = self.moves[place], self.weights[place]
        filled = round(SLIDER_WIDTH * weight / MOST)
        label = f"{'▸' if is_marked else ' '} {move:>{self.label_width - 3}} "
        return (
            (label, "bold $accent" if is_marked else "bold"),
            ("━" * filled, "$primary"),
            ("─" * (SLIDER_WIDTH - filled), "$faint"),
            (f" {weight:>3}%", "bold reverse" if is_marked else ""),
        )
