"""A game in the line mode: asks the people, runs the computer, prints what happened."""

from __future__ import annotations

import sys
from collections.abc import Hashable

from number_duels.core.board import Part, in_words
from number_duels.core.game import AnyGame, IllegalMove, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Prompt
from number_duels.sessions.game_log import concession, turn_so_far
from number_duels.sessions.play import Players, PlaySession, WorkKind
from number_duels.terminal.line.board import BoardDisplay, BoardPolicy
from number_duels.terminal.line.console import (
    COMMANDS,
    NO_HINTS,
    NO_STEP_BACK,
    Console,
    Quit,
    StepBack,
    TakenBack,
    command_in,
    help_lines,
    note,
    reminder,
    thinking,
)
from number_duels.terminal.saves import GameSaver, SaveFile


class LineGame:
    """A game being played, and the screen that it is played at."""

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
        self.announced = 0
        self.commands = {
            word: text for word, text in COMMANDS.items() if word != "hint" or match.hints
        }

    def play(self) -> None:
        """Play to the end."""
        if self.console.keyboard and not self.console.plain and sys.stderr.isatty():
            note("\n".join(self.console.fold(reminder(self.commands))))
        if self.match.turn_number == 1:
            self.display.say(self.game.opening(self.match.view(None)))
        else:
            self.say_board()
        while not self.match.outcome:
            try:
                self.go_on()
            except TakenBack:
                self.announced = 0
                self.display.forget()
                self.say_board()
        self.display.show(self.board(None))
        self.session.end()

    def say_board(self) -> None:
        """How the game stands, where bare text begins in its middle; else the turn draws it."""
        if self.console.plain and self.display.policy != "never":
            self.console.say(in_words(self.board(None)))

    # ---- one turn --------------------------------------------------------------

    def go_on(self) -> None:
        """Let whoever is waited for act, and tell what became of it."""
        session, before = self.session, self.match.history
        work = session.work()
        if work is None or work.kind is not WorkKind.BEGIN:
            self.begin_turn()
        viewer = session.addressed
        if work:
            with thinking():
                result = work.run()
            session.finish(work, result)
        else:
            self.let_act(viewer)
        if self.match.conceded:
            self.console.say(["", *concession(self.match)])
        elif self.match.history is not before:
            self.display.say(session.tell(viewer), changed=True)
            self.end_turn(viewer)

    def begin_turn(self) -> None:
        """Announce a turn once; one that was cut off in its middle is repeated that far."""
        if self.announced == self.match.turn_number:
            return
        self.announced = self.match.turn_number
        viewer = self.session.addressed
        view, begun = turn_so_far(self.match, viewer)
        words = list(self.game.announce(view, viewer))
        self.display.show(self.game.board(view), words)
        self.display.say(words)
        for step in begun:
            if viewer is not None and self.console.keyboard:  # who looks may be somebody else
                self.press_enter(draw_prompt(self.game), None)
            self.display.say(self.session.tell(viewer, step), changed=True)

    def let_act(self, viewer: Seat | None) -> None:
        """Draw a card, once a person who draws it is ready; or ask a person for a move."""
        scene = self.session.scene(self.session.next().seat)
        if scene.question:
            assert scene.you is not None
            self.session.act("choose", str(self.hear(scene.you)), scene.you)
        else:
            self.press_enter(draw_prompt(self.game), viewer)
            self.session.act("draw", viewer=viewer)

    def end_turn(self, viewer: Seat | None) -> None:
        """Wait until the person who moved alone is ready, where the game wants that."""
        moved = self.match.turn_number > self.announced
        if viewer is not None and moved and self.game.end_prompt and not self.match.outcome:
            self.press_enter(self.game.end_prompt, self.session.addressed)

    # ---- one question ----------------------------------------------------------

    def hear(self, seat: Seat) -> Hashable:
        """Ask a person until there is a move; one step can be taken back at a time."""
        given: list[str] = []
        while True:
            conversation = self.game.ask(self.match.view(seat), seat)
            prompt = next(conversation)
            for answer in given:
                prompt = conversation.send(answer)
            try:
                while True:
                    said = self.reply(prompt, seat, steps=len(given))
                    prompt = conversation.send(said)
                    given += [] if prompt.reason else [said]
            except StepBack:
                given.pop()
            except StopIteration as done:
                move: Hashable = done.value
                return move

    def press_enter(self, text: str, seat: Seat | None) -> None:
        """Wait until a person is ready."""
        prompt = Prompt(text)
        while self.reply(prompt, seat).strip():
            prompt = Prompt(text, reason="Press Enter alone to go on, or type help.")

    def reply(self, prompt: Prompt, seat: Seat | None, steps: int = 0) -> str:
        """A person's answer; what is meant for the table itself is dealt with here."""
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
        """Do what a player asks of the table."""
        match command:
            case "help":
                self.console.say(help_lines(self.game, self.commands))
            case "rules":
                self.console.say(self.game.rules.splitlines())
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
                self.console.say([f"Every finished turn is saved at once, {self.saver.place}."])
            case "quit":
                raise Quit

    def hint(self, seat: Seat | None) -> None:
        """What the position is worth to who asks; never while something is hidden from them."""
        if not self.match.hints:
            self.console.say([NO_HINTS])
            return
        if not self.match.hides_nothing_from(seat):
            self.console.say(["There is no hint while a card is hidden from you."])
            return
        from number_duels.review.position import examine_with_chances
        from number_duels.sessions.options import hint_scene
        from number_duels.sessions.text import scene_lines
        from number_duels.terminal.line.progress import solved

        with thinking():
            position = examine_with_chances(solved(self.game), self.match.view(seat))
        scene = hint_scene(position, seat, self.session.names)
        self.console.say([*scene_lines(scene), ""])

    def undo(self) -> None:
        try:
            said = self.session.take_back()
        except IllegalMove as error:
            self.console.say([str(error)])
            return
        self.console.say([said, ""])
        raise TakenBack

    # ---- the board -------------------------------------------------------------

    def board(self, viewer: Seat | None) -> tuple[Part, ...]:
        """How the game stands, as a viewer may see it."""
        return self.game.board(self.match.view(viewer))


def draw_prompt(game: AnyGame) -> str:
    """What the one who draws a card is asked."""
    return f"Press Enter to {game.draw_label[0].lower()}{game.draw_label[1:]}..."
