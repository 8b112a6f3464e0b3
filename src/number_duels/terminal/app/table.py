"""The screens for playing a game and for replaying one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from number_duels.core.board import Grid, Numbers, Part, Places
from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.history import AnyHistory
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Answer, Question, positions
from number_duels.core.record import Record, shown_names, with_names
from number_duels.core.scene import ASKED, OVER, SAID, WORKING, Scene, Told
from number_duels.players.levels import LEVELS
from number_duels.players.registry import HUMAN, seat_player
from number_duels.sessions.play import Players, PlaySession, PlayWork, people_of
from number_duels.sessions.replay import ReplaySession
from number_duels.terminal.app.board_view import (
    CROSS,
    DOT,
    SEAT_STYLES,
    BoardView,
    Ending,
    LogView,
    Marks,
    Notice,
    WordsPanel,
)
from number_duels.terminal.app.choices import Choices, Offer, key_of
from number_duels.terminal.app.dialogs import SaveDialog, confirm
from number_duels.terminal.app.new_game import NewGameScreen
from number_duels.terminal.app.page import (
    TOO_SOON,
    DuelsScreen,
    KeyFooter,
    Notes,
    megabytes_to_solve,
    now_and_then,
    progress_text,
)
from number_duels.terminal.app.table_layout import TableBlock
from number_duels.terminal.arguments import needs_solution
from number_duels.terminal.config import Config
from number_duels.terminal.errors import CommandError
from number_duels.terminal.line.console import fold
from number_duels.terminal.menu_entries import level_before
from number_duels.terminal.saves import SaveFile, new_save

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp

#: Identifies a question: the moves before it and the seat that is asked.
Place: TypeAlias = tuple[str, Seat | None]


class TableLayout(DuelsScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_log(-1)", "Scroll up", show=False),
        Binding("pagedown", "scroll_log(1)", "Scroll down", show=False),
    ]

    names: tuple[str, str]
    #: The seat on the left side of the board: of the only person, if one plays alone.
    left = Seat.ONE

    def compose(self) -> ComposeResult:
        yield Static(id="table-title", markup=False)
        yield Static(id="table-rules", markup=False)
        hint = WordsPanel(id="hint")
        hint.display = False
        yield TableBlock(
            BoardView(self.names, id="board", left=self.left),
            below=(Ending(id="ending"), Notice(id="notice"), Choices(id="choices")),
            beside=(hint, LogView(self.names, id="log", left=self.left)),
            asks_beside=True,
        )
        yield KeyFooter()

    def show_position(
        self,
        board: tuple[tuple[Part, ...], Marks],
        acting: Seat | None,
        log: Iterable[Told],
        notes: Sequence[str] = (),
    ) -> None:
        self.query_one(BoardView).show(*board, acting)
        self.query_one(TableBlock).fit()
        self.query_one(LogView).show(log, notes)

    def action_scroll_log(self, pages: int) -> None:
        hint = self.query_one(WordsPanel)
        self.scroll_pages(hint if hint.display else self.query_one(LogView), pages)

    def show_title(self, scene: Scene) -> None:
        # A short screen hides the rules after the first turn.
        self.query_one("#table-title", Static).update("  ·  ".join([scene.title, *scene.status]))
        rules = self.query_one("#table-rules", Static)
        rules.update(scene.rules)
        rules.set_class(not scene.rules, "-empty")
        rules.set_class(any(told.turn for told in scene.log), "-known")


#: A move of the computer takes at least this long, so that the user sees it happen.
COMPUTER_SECONDS = 0.9
#: How long two choices are shown face down, and then face up.
FACE_DOWN_SECONDS, FACE_UP_SECONDS = 0.5, 1.4
PAUSE_GROUP = "pause"
#: If a hint takes longer than this, a message says that it is coming.
PATIENCE_SECONDS = 0.6
#: The section of the rules that only matters when something unusual happens.
RULINGS = "RULINGS"
PREPARING_TEXT = "Solving {}, so that the computer can play it."
ONCE_TEXT = "This is done only once. The next game starts immediately."
#: Held while solving, so that two screens do not solve the same game.
PREPARING = Lock()


class Abandoned(Exception): ...


class TableScreen(TableLayout):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("h", "no_hint", show=False),
        Binding("u", "take_back", "Take back"),
        Binding("r", "rules", "Rules"),
        Binding("c", "computer", "Play the computer"),
        Binding("escape", "step_back", "One step back", show=False),
        Binding("x", "resign", "Resign"),
        Binding("q", "leave", "Back"),
    ]

    def __init__(
        self,
        match: AnyMatch,
        save: SaveFile | None,
        players: Players | None = None,
        *,
        by_choice: bool = False,
    ) -> None:
        """With `by_choice`, the user chose who plays and need not hear of the computer."""
        super().__init__()
        self.by_choice = by_choice
        self.match, self.save_file = match, save
        self.session = PlaySession(match, players or (None, None), save)
        self.seated = players is not None or self.session.shared
        self.names = self.session.names
        self.left = left_of(self.session.people)
        self.scene = Scene(WORKING, match.game.title)
        self.hint: Worker[None] | None = None
        #: The steps of the hint for the current question, and how many of them are shown.
        self.hint_steps: tuple[Scene, ...] = ()
        self.hint_shown = 0
        self.megabytes = 0
        self.timer: Worker[None] | None = None
        self.after_pause: Callable[[], None] | None = None
        #: Whether to skip pauses, because a typed key waits for the next question.
        self.skipping = False
        self.thinking_since = 0.0
        #: Keys typed before the question. They select an answer, which a later Enter plays.
        self.typed_early: list[events.Key] = []

    def key_notes(self) -> Notes:
        return tuple(self._key_notes())

    def _key_notes(self) -> Iterator[tuple[str, str]]:
        scene, turn = self.scene, self.match.turn
        if scene.stage == OVER:
            menu = offer_of(self.session, scene).question.answers
            yield from ((key_of(answer), answer.label) for answer in menu)
            yield "← → ↑ ↓", "select another line"
            yield "Enter, a click", "choose it"
            return
        yield "a number, a letter", "select the answer that begins with it"
        if scene.question and isinstance(turn, Decision) and scene.you is not None:
            moves = turn.options[scene.you]
            if any(isinstance(one.leads_to, Question) for one in scene.question.answers):
                yield "a whole move", f"select it by typing it, such as {moves[-1]}"
        yield "← → ↑ ↓", "select another answer"
        yield "Enter", "play the selection, or go on"
        yield "a click", "play an answer"
        if any(isinstance(part, Numbers | Grid) for part in scene.board):
            yield f"{CROSS}  {DOT}", "used in the last turn, used earlier"
        if isinstance(turn, Decision) and len(turn.options) == 2 and not self.duels.calm:
            yield "while cards are turned over", "any key skips; a letter or digit counts"

    @property
    def choosing(self) -> bool:
        return any(choices.asks for choices in self.query(Choices))

    @property
    def asked(self) -> Seat | None:
        return self.scene.you if self.choosing and self.scene.question else None

    def on_mount(self) -> None:
        self.app.app_suspend_signal.subscribe(self, lambda _: self.cover())
        self.set_focus(None)
        self.query_one(BoardView).prepare(self.match.game)
        self.query_one(Choices).picked = self.show_picked
        self.query_one(LogView).before = partial(turn_rules, self.match.game)
        self.show_table()
        if self.seated:
            self.advance()
        else:
            self.tell("The computer is getting ready…")
            self.work(self.prepare, self.begin, "prepare")

    def show_picked(self, answers: tuple[Answer[Hashable], ...]) -> None:
        scene = self.scene
        if scene.you is None or not scene.question:
            answers = ()
        places = Places(scene.board, 0 if scene.you is None else scene.you)
        found = chain.from_iterable(positions(answer, places) for answer in answers)
        self.query_one(BoardView).pick(found)

    def show_table(self) -> None:
        scene = self.scene = self.session.scene(self.session.viewer)
        acting = scene.to_move[0] if scene.to_move else None
        offered = [] if self.by_choice else [one for one in scene.actions if one.key == "computer"]
        keys = [f"{one.note} Press c to {one.label.lower()}." for one in offered]
        self.show_position((scene.board, scene.changed), acting, scene.log, [*scene.notes, *keys])
        self.show_title(scene)

    def tell(self, *lines: str) -> None:
        self.drop_hint()
        self.query_one(Choices).stop()
        self.query_one(Ending).display = False
        self.query_one(Notice).say(*(with_names(line, self.names) for line in lines))
        self.query_one(Notice).display = True
        self.note_change()
        self.refresh_bindings()

    def advance(self) -> None:
        work = self.session.work()
        self.drop_hint()
        self.show_table()
        scene = self.scene
        self.query_one(Ending).display = False
        # An early Enter would play a move before the user sees the question.
        early = [event.key for event in self.typed_early]
        hasty = "enter" in early and scene.stage != WORKING
        if hasty:
            self.typed_early = self.typed_early[: early.index("enter")]
        if scene.stage not in (WORKING, ASKED):
            self.typed_early = []
        if scene.stage in (ASKED, OVER):
            if scene.stage == OVER:
                self.show_ending(scene)
            self.query_one(Notice).display = False
            self.query_one(Choices).ask(offer_of(self.session, scene), self.taken)
            self.note_change()
            self.refresh_bindings()
            for event in self.typed_early if scene.question else ():
                self.query_one(Choices).key(event)
            if hasty and scene.question:
                self.query_one(Choices).wait_for_enter()
        elif scene.stage == SAID:
            self.tell(f"{scene.headline}. Press Enter when ready.", scene.detail)
        else:
            self.tell(scene.headline, scene.detail)
        if work:
            self.thinking_since = self.duels.clock.monotonic()
            self.work(work.run, partial(self.played, work), "think")
        elif scene.stage == OVER and any(self.session.external_players):
            self.work(self.session.end, lambda _: None, "end")

    def say_what_decided(self, said: str) -> None:
        choices = self.query_one(Choices)
        if self.scene.stage == OVER and choices.asks:
            choices.ask_instead(f"{said} {next_step(self.session)}")

    def show_ending(self, scene: Scene) -> None:
        outcome = self.match.outcome
        assert outcome
        winner = outcome.winner
        color = "$success"
        if winner is None or winner not in self.session.people:
            color = ""
        elif self.session.shared:
            color = SEAT_STYLES[winner]
        score = " : ".join(row.cells[0] for table in scene.tables for row in table.rows)
        headline, reason = (with_names(one, self.names) for one in (scene.headline, scene.detail))
        self.query_one(Ending).show(headline, score, reason, color)
        if any(needs_solution(person.who) for person in self.match.players):
            work = partial(decided, self.match.copy(), self.names)
            self.work(work, self.say_what_decided, "decided")

    def cover(self) -> None:
        # Ctrl-Z returns to the shell, where others may see the screen.
        self.session.cover()
        if self.choosing and self.session.needs_curtain():
            self.advance()

    def taken(self, target: Hashable) -> None:
        if self.scene.question:
            self.act("choose", str(target))
        elif target == "draw":
            self.act("draw")
        else:
            perform(self, str(target))

    def turn_over(self) -> None:
        moves = self.session.scene(self.session.viewer).log[-1].moves
        if len(moves) < 2 or self.duels.calm:
            self.advance()
            return
        faces = moves[Seat.ONE], moves[Seat.TWO]
        self.tell("")
        self.query_one(Notice).show_choices(self.names, ("?", "?"), left=self.left)
        self.pause(FACE_DOWN_SECONDS, lambda: self.turn_up(faces))

    def turn_up(self, faces: tuple[str, str]) -> None:
        self.show_table()
        result = self.scene.log[-1].short
        self.query_one(Notice).show_choices(self.names, faces, result, self.left)
        self.pause(FACE_UP_SECONDS, self.advance)

    def act(self, key: str, text: str = "") -> None:
        self.typed_early = []
        self.change(partial(self.session.act, key, text, self.scene.you))

    def change(self, change: Callable[[], str | None]) -> None:
        """Change the game, save it and continue. If saving fails, ask for another file first."""
        turn, said, problem = self.match.turn_number, None, ""
        try:
            said = change()
        except CommandError as error:
            problem = str(error)
        except ValueError as error:
            self.remark(str(error))
            return
        self.cancel_pause()
        if said:
            self.remark(said, timeout=2)
        then = self.turn_over if self.match.turn_number > turn else self.advance
        if problem:
            self.ask_for_file(problem, then)
        else:
            then()

    def ask_for_file(self, reason: str, then: Callable[[], None]) -> None:
        def answered(path: Path | None) -> None:
            try:
                save = new_save(self.match, path) if path else None
            except CommandError as error:
                self.ask_for_file(str(error), then)
                return
            if self.save_file:
                self.save_file.release()
            self.session.store = self.save_file = save
            then()

        self.app.push_screen(SaveDialog(reason), answered)

    def failed(self, error: Exception, group: str) -> None:
        if group == "decided":
            return  # the review says what is wrong
        super().failed(error, group)
        if group == "hint":
            self.drop_hint()
        elif group != "end":
            self.duels.stays = True  # the first screen shows what failed
            self.leave()

    def prepare(self) -> Players:
        """Create the players. This runs in a thread, because it may have to solve the game."""
        if any(needs_solution(person.who) for person in self.match.players):
            self.megabytes = megabytes_to_solve(self.match.game)
        show = partial(self.app.call_from_thread, self.show_progress)
        if self.megabytes:
            show(0.0)
        shown = now_and_then(show, self.duels.clock)

        def report(fraction: float) -> None:
            if self.closed or not self.app.is_running:
                raise Abandoned
            shown(fraction)

        limits, game = self.duels.limits, self.match.game
        with PREPARING:
            one, two = (
                seat_player(person.who, game, report, limits.of(person.name) if limits else None)
                for person in self.match.players
            )
        return one, two

    def show_progress(self, fraction: float) -> None:
        bar = f"{progress_text(fraction)} {fraction:4.0%}"
        once = ONCE_TEXT + self.size_words()
        self.tell(PREPARING_TEXT.format(self.match.game.title), bar, once)

    def begin(self, players: Players) -> None:
        self.session.players = players
        self.advance()

    def played(self, work: PlayWork, result: Hashable) -> None:
        seen = self.duels.clock.monotonic() - self.thinking_since
        finish = partial(self.session.finish, work, result)
        self.pause(COMPUTER_SECONDS - seen, lambda: self.change(finish))

    def pause(self, seconds: float, then: Callable[[], None]) -> None:
        self.cancel_pause()
        if seconds <= 0 or self.skipping or self.duels.calm:
            then()
        else:
            self.after_pause = then
            self.timer = self.run_worker(self.ring(seconds), group=PAUSE_GROUP)

    async def ring(self, seconds: float) -> None:
        await self.duels.clock.sleep(seconds)
        self.timer = None  # this worker must not cancel itself
        self.end_pause()

    def skip(self) -> None:
        self.skipping = True
        self.end_pause()
        self.skipping = False

    def end_pause(self) -> None:
        then = self.after_pause
        self.cancel_pause()
        if then:
            then()

    def cancel_pause(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = self.after_pause = None

    def action_hint(self) -> None:
        if self.hint_steps:
            self.show_hint_steps((self.hint_shown + 1) % (len(self.hint_steps) + 1))
        elif self.asked is None:
            self.remark("You can get a hint when you choose a move.")
        elif self.hint is None or self.hint.is_finished:
            self.megabytes = megabytes_to_solve(self.match.game)
            if self.megabytes:
                asked = f"Solve {self.match.game.title} to get hints?{self.size_words()}"
                confirm(self, asked, "Solve it", "No hint", self.work_out_hint)
            else:
                self.work_out_hint()

    def action_no_hint(self) -> None:
        off = "Hints are off in this game. You can turn them on when you set up a new game."
        found = (one.why_not for one in self.scene.actions if one.key == "hint")
        self.remark(next(found, "") or off)

    def work_out_hint(self) -> None:
        seat = self.asked
        if seat is None:
            return
        hint = partial(hint_for, self.match.game, self.match.history, seat, self.names)
        self.hint = self.work(hint, partial(self.show_hint, self.place), "hint")
        patience = 0.001 if self.megabytes else PATIENCE_SECONDS
        self.set_timer(patience, partial(self.say_that_a_hint_comes, self.place))

    def say_that_a_hint_comes(self, place: Place) -> None:
        if self.hint and not self.hint.is_finished and place == self.place:
            said = f"Solving {self.match.game.title} for the hint. You can wait or keep playing."
            self.show_beside(lambda width: map(Content, fold(said, width)))

    def size_words(self) -> str:
        return f" It takes {self.megabytes} MB on disk." if self.megabytes else ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Keys that do nothing are hidden. Keys that will work again later are dim.
        if action == "no_hint":
            return not self.match.hints or self.scene.offers("draw")
        if action == "hint" and self.scene.offers("draw"):
            return False  # `h` says that a card must be drawn first
        if action not in ("hint", "take_back", "resign", "computer"):
            return True
        if action == "computer" and self.by_choice:
            return False
        if action == "take_back" and self.scene.stage == OVER:
            return False  # the menu after the game has it
        found = [one for one in self.scene.actions if one.key == action]
        return bool(found) and (not found[0].why_not or None)

    @property
    def place(self) -> Place:
        return str(self.match.history), self.asked

    def show_hint(self, place: Place, steps: tuple[Scene, ...]) -> None:
        if place == self.place:  # the same question is still open
            self.hint_steps = steps
            self.show_hint_steps(1)

    def show_hint_steps(self, count: int) -> None:
        from number_duels.terminal.app.scene_text import hint_lines

        self.hint_shown = count
        shown = self.hint_steps[:count]
        self.show_beside(partial(hint_lines, shown) if shown else None)

    def show_beside(self, draw: Callable[[int], Iterable[Content]] | None) -> None:
        words, log = self.query_one(WordsPanel), self.query_one(LogView)
        words.display, log.display = draw is not None, draw is None
        if draw:
            words.show(draw)

    def drop_hint(self) -> None:
        self.hint_steps = ()
        self.show_beside(None)

    def drops(self, event: events.Key) -> bool:
        return False  # `on_key` also tells the widgets that ask about an Enter that is too soon

    def on_key(self, event: events.Key) -> None:
        # A character typed during a pause also counts for the next question.
        too_soon = self.is_too_soon(event)
        if self.choosing:
            taken = self.answer_key(event, too_soon=too_soon)
        elif self.scene.stage == SAID and not self.after_pause:
            taken = event.key == "enter"
            if too_soon:
                self.remark(TOO_SOON, timeout=2)
            elif taken:
                self.act("ready")
        else:
            taken = event.key not in self.active_bindings
            if taken and (event.is_printable or self.typed_early):
                self.typed_early.append(event)
            if taken and event.is_printable:
                self.skip()
            elif taken and not too_soon:
                self.end_pause()
        if taken:
            event.stop()
        else:
            self.say_why_not(event.key)

    def answer_key(self, event: events.Key, *, too_soon: bool) -> bool:
        choices = self.query_one(Choices)
        offer = choices.offer
        taken = too_soon or choices.key(event)
        if too_soon:
            choices.wait_for_enter()
        elif taken and choices.offer is offer:
            self.note_typed([choices])
        return taken

    def say_why_not(self, key: str) -> None:
        if (found := self.active_bindings.get(key)) and not found.enabled:
            for action in self.scene.actions:
                if action.key == found.binding.action:
                    self.remark(action.why_not)

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1:  # a double click must not open a curtain
            return
        if self.after_pause:
            self.end_pause()
        elif self.scene.stage == SAID:
            self.act("ready")

    def action_take_back(self) -> None:
        self.act("take_back")

    def action_resign(self) -> None:
        confirm(self, "Resign this game?", "Resign", "Keep playing", lambda: self.act("resign"))

    def action_computer(self) -> None:
        who = self.duels.config.opponent
        match = self.session.against(Config.opponent if who == HUMAN else who)
        open_table(self.duels, match, instead=True)

    def action_rules(self) -> None:
        self.duels.show_rules(self.match.game)

    def action_step_back(self) -> None:
        if self.query_one(Choices).step_back():
            return
        if self.hint_shown and self.hint_steps:
            self.show_hint_steps(0)
        else:
            self.action_leave()

    def action_leave(self) -> None:
        if self.match.outcome:
            self.leave()
        else:
            if not self.match.record.moves:
                what = "Nothing has been played yet."
            else:
                what = "You can continue it later." if self.save_file else "It is not saved."
            confirm(self, f"Leave this game? {what}", "Leave", "Keep playing", self.leave)

    def leave(self) -> None:
        self.close()
        self.dismiss()

    def on_unmount(self) -> None:
        self.close()

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self.cancel_pause()
        for _, external in self.session.external_players:
            external.close()
        self.duels.kept = None
        if self.save_file and not self.match.record.moves and self.save_file.is_unnamed:
            self.save_file.discard()  # there are no moves
        elif self.save_file:
            self.save_file.release()
            self.duels.kept = None if self.match.outcome else self.save_file.path
        if self.duels.kept:
            self.duels.say_goodbye("The game is saved; you can continue it later.")


def hint_for(
    game: AnyGame, history: AnyHistory, seat: Seat, names: tuple[str, str]
) -> tuple[Scene, ...]:
    from number_duels.sessions.scene_tables import hint_of, hint_steps
    from number_duels.solvers import solve

    with PREPARING:
        solution = solve(game)
    _, found = hint_of(solution, history, seat, names)
    return hint_steps(found)


def turn_rules(game: AnyGame, width: int) -> Iterator[Content]:
    """Yield the goal of a game and what a turn is, for the time before the first turn."""
    from number_duels.terminal.app.rules_page import rules_lines

    sections = takewhile(lambda one: one.title != RULINGS, game.rule_sections())
    *lines, _ = rules_lines(tuple(sections), game.describe_settings(), width)
    yield from lines


def decided(match: AnyMatch, names: tuple[str, str]) -> str:
    from number_duels.sessions.review import what_decided
    from number_duels.solvers import solve

    with PREPARING:
        solution = solve(match.game)
    return what_decided(match, solution, names)


def open_table(app: DuelsApp, match: AnyMatch, *, instead: bool = False) -> None:
    save: SaveFile | None = None
    try:
        save = new_save(match)
    except CommandError as error:
        app.notify(f"{error} This game will not be saved.", markup=False)
    table = TableScreen(match, save, by_choice=True)
    (app.switch_screen if instead else app.push_screen)(table)


KEYS = {"review": "v", "replay": "w", "rematch": "m", "again": "n"}
KEYS |= {"take_back": "u", "leave": "q"}
LOWER_LEVELS = [f"level:{level}" for level in LEVELS[:-1]]


def offer_of(session: PlaySession, scene: Scene) -> Offer:
    question, seat = scene.question, scene.you
    news = scene.log[-1].short if scene.log and scene.stage != OVER else ""
    if question and seat is not None:
        does = partial(session.game.consequence, session.match.view(seat), seat)
        secret = question.secret
        return Offer(question, session.game.parse, does, session.names, secret, news=news)
    keys = KEYS if scene.stage == OVER else {"draw": ""}
    found = {action.key: action for action in scene.actions if not action.why_not}
    offered = [found[key] for key in keys if key in found]
    answers = (Answer[Hashable](keys[one.key], one.label, one.key) for one in offered)
    notes: dict[Hashable, str] = {action.key: action.note for action in offered}
    prompt = ". ".join(filter(None, (scene.headline, scene.detail)))
    asked = Question(next_step(session) if scene.stage == OVER else prompt, tuple(answers))
    return Offer(asked, no_notation, notes.__getitem__, session.names, is_menu=True, news=news)


def next_step(session: PlaySession) -> str:
    """Say what to do after a game, with the keys of the menu."""
    outcome, people, players = session.match.outcome, session.people, session.match.players
    review, again, other = KEYS["review"], KEYS["rematch"], KEYS["again"]
    what = "what each move cost"
    if outcome and outcome.winner is not None and len(people) == 1:
        who = players[people[0].other].who
        if outcome.winner in people and who in LOWER_LEVELS and not session.match.takebacks:
            return f"{review} shows {what}, {other} offers the next level."
        if outcome.winner not in people and level_before(who) != who:
            return f"{review} shows {what}, {other} offers an easier opponent."
    return f"{review} shows {what}, {again} plays again."


def no_notation(text: str) -> NoReturn:
    raise ValueError(f"{text!r} is not one of the choices.")


def perform(table: TableScreen, key: str) -> None:
    from number_duels.terminal.app.review_page import ReviewScreen

    app, record = table.duels, table.match.record
    match key:
        case "review" | "replay":
            table.advance()
            app.push_screen(ReviewScreen(record) if key == "review" else ReplayScreen.of(record))
        case "rematch":
            open_table(app, table.session.rematch(), instead=True)
        case "again":
            app.switch_screen(NewGameScreen(record.game, table.match))
        case "take_back":
            table.act("take_back")
        case _:
            table.leave()


def left_of(people: Sequence[Seat]) -> Seat:
    """Return the seat on the left: the only person's, so that "You" are always there."""
    return people[0] if len(people) == 1 else Seat.ONE


class ReplayScreen(TableLayout):
    """A screen that replays a game, or moves that were not played, as a spectator sees them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,space", "act('next')", "Next", key_display="→"),
        Binding("left,up", "act('back')", "Previous", key_display="←"),
        Binding("home", "act('first')", "First", key_display="Home"),
        Binding("end", "act('last')", "Last", key_display="End"),
        Binding("escape", "app.back", "Back", show=False),
        Binding("q", "app.back", "Back"),
    ]

    def __init__(
        self,
        game: AnyGame,
        names: tuple[str, str],
        session: ReplaySession,
        left: Seat = Seat.ONE,
    ) -> None:
        super().__init__()
        self.game, self.names, self.session, self.left = game, names, session, left
        self.scene, self.typed = session.scene(), ""

    @classmethod
    def of(cls, record: Record) -> ReplayScreen:
        match, names = record.match(), shown_names(record.players)
        return cls(match.game, names, ReplaySession.of(match), left_of(people_of(match)))

    def key_notes(self) -> Notes:
        word = self.session.word
        enter = f"next {word}, or back at the end"
        return ("Enter", enter), ("a number, Enter", f"go to that {word}")

    def on_mount(self) -> None:
        self.query_one(Choices).display = False
        self.query_one(BoardView).prepare(self.game)
        self.set_focus(None)
        self.show_turn()

    def action_act(self, key: str, text: str = "") -> None:
        self.session.act(key, text)
        self.show_turn()

    def show_turn(self) -> None:
        scene = self.scene = self.session.scene()
        self.show_position((scene.board, scene.changed), None, scene.log)
        self.show_title(scene)
        self.show_progress()

    def action_rules(self) -> None:
        self.duels.show_rules(self.game)

    def action_leave(self) -> None:
        if not self.typed:
            self.dismiss()
            return
        self.typed = ""
        self.show_progress()

    def show_progress(self) -> None:
        count, place = len(self.session.frames), self.session.place
        line = "".join("●" if turn == place else "·" for turn in range(count))
        log = self.scene.log if self.scene.stage == OVER else ()
        ending = [with_names(line, self.names) for told in log[-1:] for line in told.lines[-2:]]
        prompt = f"Go to {self.typed}█" if self.typed else self.scene.prompt
        back = "This is the end. Enter: back." if self.is_at_end else ""
        self.query_one(Notice).say(line, *ending, prompt, *filter(None, [back]))

    @property
    def is_at_end(self) -> bool:
        return self.session.place == len(self.session.frames) - 1

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdecimal() and event.character.isascii():
            self.type_digit(event.character)
        elif event.key == "enter" and self.is_at_end and not self.typed:
            self.dismiss()
        elif event.key == "enter":
            key, turn, self.typed = "go" if self.typed else "next", self.typed, ""
            self.action_act(key, turn)
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self.show_progress()
        else:
            return
        event.stop()

    def type_digit(self, digit: str) -> None:
        """Add a digit to the typed turn number. If there is no such turn, clear the number."""
        last, self.typed = len(self.session.frames) - 1, self.typed + digit
        if int(self.typed) > last or len(self.typed) > len(str(last)):
            self.typed = ""
            self.remark(f"Type a number from 0 to {last}.", timeout=2)
        self.show_progress()
