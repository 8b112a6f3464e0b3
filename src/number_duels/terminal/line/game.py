"""Playing a game in line mode."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import replace

from number_duels.core.board import Part, in_words
from number_duels.core.game import IllegalMove, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Prompt
from number_duels.core.scene import Scene
from number_duels.sessions.play import Players, PlaySession, draw_prompt
from number_duels.terminal.line.board import BoardDisplay, BoardPolicy
from number_duels.terminal.line.console import (
    COMMANDS,
    NO_BOARD,
    NO_HINTS,
    NO_STEP_BACK,
    Console,
    Quit,
    StepBack,
    TakenBack,
    command_in,
    help_lines,
    hold,
    note,
    reminder,
    thinking,
)
from number_duels.terminal.saves import GameSaver, SaveFile


class LineGame:
    def __init__(
        self,
        match: AnyMatch,
        players: Players,
        console: Console,
        save: SaveFile | None,
        *,
        board: BoardPolicy = "changes",
    ) -> None:
        self.match = match
        self.game = match.game
        self.console = console
        self.display = BoardDisplay(console, match.game.title, board)
        self.saver = GameSaver(console, save)
        self.session = PlaySession(match, players, self.saver)
        #: The view and seat of the last hint, and the steps that are not printed yet.
        self.hinted: tuple[Hashable, Seat | None] | None = None
        self.hint_left: list[Scene] = []
        self.commands = {
            word: text for word, text in COMMANDS.items() if word != "hint" or match.hints
        }

    def play(self) -> None:
        console = self.console
        if console.keyboard and not console.plain_wanted and sys.stderr.isatty():
            drawn = not console.plain and self.display.policy != "never"
            said = reminder(self.commands) + ("" if drawn else f" {NO_BOARD}")
            note("\n".join(console.fold(said)))
        if self.match.turn_number > 1:
            self.say_board()
        while True:
            try:
                self.listen()
                if self.match.outcome:
                    break
                self.go_on()
            except TakenBack:
                self.display.forget()
                self.say_board()
        self.display.show(self.board(None))
        self.session.end()

    def say_board(self) -> None:
        # In other modes, the next turn draws the board.
        if self.console.plain and self.display.policy != "never":
            self.console.say(in_words(self.board(None)))

    def listen(self) -> None:
        for speech in self.session.speak():
            if speech.pause and (self.console.keyboard or not speech.lines):
                self.press_enter(speech.pause, None if speech.lines else self.session.addressed)
            if speech.board is not None:
                self.display.show(speech.board, speech.lines)
            self.display.say(speech.lines, changed=speech.changed)

    def go_on(self) -> None:
        session = self.session
        if work := session.work():
            with thinking():
                result = work.run()
            session.finish(work, result)
            return
        scene = session.scene(session.next().seat)
        if scene.question:
            assert scene.you is not None
            session.act("choose", str(self.hear(scene.you)), scene.you)
        else:
            viewer = session.addressed
            self.press_enter(draw_prompt(self.game), viewer)
            session.act("draw", viewer=viewer)

    def hear(self, seat: Seat) -> Hashable:
        view = self.match.view(seat)
        return hold(
            lambda: self.game.ask(view, seat), lambda prompt, steps: self.reply(prompt, seat, steps)
        )

    def press_enter(self, text: str, seat: Seat | None) -> None:
        prompt = Prompt(text)
        while self.reply(prompt, seat).strip():
            prompt = Prompt(text, reason="Press Enter to continue, or type help.")

    def reply(self, prompt: Prompt, seat: Seat | None, steps: int = 0) -> str:
        # Against the computer, nothing is secret. Plain text and pipes still hide the input.
        alone = self.console.keyboard and not self.console.plain_wanted and not self.session.shared
        prompt = replace(prompt, secret=prompt.secret and not alone)
        while True:
            said = self.console.ask(prompt)
            command = command_in(said)
            if command is None:
                return said
            if command == "back" and steps:
                raise StepBack
            self.obey(command, seat)
            prompt = Prompt(prompt.text.lstrip("\n"), prompt.secret)

    def obey(self, command: str, seat: Seat | None) -> None:
        match command:
            case "help":
                typing = [part for part in self.game.rule_sections() if part.for_keyboard]
                self.console.say([*self.console.rules(typing)[1:], *help_lines(self.commands)])
            case "rules":
                self.console.say(self.console.rules(self.game.rule_sections()))
            case "board" if self.console.plain:
                self.console.say(in_words(self.board(seat)))
            case "board":
                self.display.draw(self.board(seat))
            case "hint":
                self.hint(seat)
            case "undo":
                self.undo()
            case "back":
                self.console.say([NO_STEP_BACK])
            case "save":
                self.console.say([self.saver.about])
            case "quit":
                raise Quit

    def hint(self, seat: Seat | None) -> None:
        if not self.match.hints:
            self.console.say([NO_HINTS])
            return
        if not self.match.hides_nothing_from(seat):
            self.console.say(["You can't get a hint while a card is hidden from you."])
            return
        from number_duels.sessions.scene_tables import hint_of, hint_steps, scene_lines
        from number_duels.terminal.line.progress import solved

        view = self.match.view(seat)
        if not self.hint_left or self.hinted != (view, seat):
            with thinking():
                _, found = hint_of(solved(self.game), self.match.history, seat, self.session.names)
            self.hinted = view, seat
            self.hint_left = [*hint_steps(found)]
        step = self.hint_left.pop(0)
        more = [f"{action.label}: type hint again." for action in step.actions]
        self.console.say([*scene_lines(step), *more, ""])

    def undo(self) -> None:
        try:
            said = self.session.take_back()
        except IllegalMove as error:
            self.console.say([str(error)])
            return
        self.console.say([said, ""])
        raise TakenBack

    def board(self, viewer: Seat | None) -> tuple[Part, ...]:
        return self.game.board(self.match.view(viewer))
