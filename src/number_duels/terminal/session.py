"""A game at one terminal: asks the players in turn, saves, says what happened."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from number_duels.core.board import Part, in_words
from number_duels.core.game import AnyGame, Chance, Decision, IllegalMove, Outcome, Seat
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.questions import Prompt
from number_duels.players.external import ExternalPlayer
from number_duels.terminal.game_saver import GameSaver
from number_duels.terminal.input_commands import (
    COMMANDS,
    NO_HINTS,
    NO_STEP_BACK,
    Quit,
    StepBack,
    TakenBack,
    command_in,
    help_lines,
    reminder,
)
from number_duels.terminal.saves import SaveFile
from number_duels.terminal.ui.board_display import BoardDisplay, BoardPolicy
from number_duels.terminal.ui.console import Console, note, thinking


class Session:
    """One match, the players in its chairs, a screen, and where it is saved."""

    def __init__(
        self,
        match: AnyMatch,
        players: tuple[Player | None, Player | None],
        console: Console,
        save: SaveFile | None,
        *,
        board: BoardPolicy = "changes",
    ) -> None:
        self.match = match
        self.game = match.game
        self.players = players
        self.console = console
        self.display = BoardDisplay(console, match.game.title, board)
        self.saver = GameSaver(console, save)
        self.announced = 0
        self.commands = {
            word: text for word, text in COMMANDS.items() if word != "hint" or match.hints
        }

    def play(self) -> Outcome:
        """Play to the end; every change is on disk before it is shown."""
        if self.console.keyboard and not self.console.plain and sys.stderr.isatty():
            note("\n".join(self.console.fold(reminder(self.commands))))
        if self.match.turn_number == 1:
            self.display.say(self.game.opening(self.match.view(None)))
        else:
            self.say_board()
        self.begin_players()
        while not isinstance(turn := self.match.turn, Outcome):
            try:
                self.begin_turn()
                if isinstance(turn, Chance):
                    self.draw_card()
                else:
                    self.ask_everybody(turn)
            except TakenBack:
                self.announced = 0
                self.display.forget()
                self.say_board()
        self.display.show(self.board(None))
        for seat, player in self.external_players():
            player.end(self.match.view(seat), turn.result, turn.reason)
        return turn

    def say_board(self) -> None:
        """How the game stands, where bare text begins in its middle; else the turn draws it."""
        if self.console.plain and self.display.policy != "never":
            self.console.say(in_words(self.board(None)))

    def begin_players(self) -> None:
        """Tell the players from outside that the game begins; one that is not there loses it."""
        for seat, player in self.external_players():
            try:
                player.begin(self.game, seat, own_seed(self.match, seat))
            except Forfeit as forfeit:
                self.give_up(seat, forfeit)
                return

    def external_players(self) -> Iterator[tuple[Seat, ExternalPlayer]]:
        """The players from outside, who are told of the beginning and the end."""
        for seat, player in zip(Seat, self.players, strict=True):
            if isinstance(player, ExternalPlayer):
                yield seat, player

    # ---- one turn --------------------------------------------------------------

    def begin_turn(self) -> None:
        """Announce a turn once; one that was cut off in its middle is repeated that far."""
        if self.announced == self.match.turn_number:
            return
        self.announced = self.match.turn_number
        viewer = self.addressed()
        steps = self.match.steps(viewer)
        decided = [n for n, step in enumerate(steps, 1) if step.moves]
        begun = steps[decided[-1] if decided else 0 :]
        view = begun[0].before if begun else self.match.view(viewer)
        words = list(self.game.announce(view, viewer))
        self.display.show(self.game.board(view), words)
        self.display.say(words)
        for step in begun:
            if viewer is not None and self.console.keyboard:  # who looks may be somebody else
                self.press_enter(draw_prompt(self.game), None)
            self.display.say(
                self.game.tell(step.before, step.moves, step.after, viewer), changed=True
            )

    def addressed(self) -> Seat | None:
        """The person who is spoken to as "you": the one whose turn it is, if it is a person."""
        turn = self.match.turn
        if isinstance(turn, Decision):
            seat = next(iter(turn.options)) if len(turn.options) == 1 else None
        else:
            seat = self.match.drawer
        return seat if seat is not None and self.players[seat] is None else None

    def draw_card(self) -> None:
        """Let nature move, once the one who draws is ready."""
        viewer = self.addressed()
        if viewer is not None:
            self.press_enter(draw_prompt(self.game), viewer)
        self.match.draw()
        self.saver.write(self.match)
        self.tell(viewer)

    def ask_everybody(self, turn: Decision[object]) -> None:
        """Hear everybody who decides, people first, and tell what became of it."""
        viewer = self.addressed()
        for seat in sorted(turn.options, key=lambda seat: (self.players[seat] is not None, seat)):
            player = self.players[seat]
            if player is None:
                self.hear(seat)
            elif not self.played(seat, player):
                return
        self.saver.write(self.match)
        self.tell(viewer)
        over = isinstance(self.match.turn, Outcome)
        if viewer is not None and self.game.end_prompt and not over:
            self.press_enter(self.game.end_prompt, self.addressed())

    def played(self, seat: Seat, player: Player) -> bool:
        """Let a player choose; False: it could not, and the game is over."""
        try:
            with thinking():
                self.match.submit(seat, player.choose(situation(self.match, seat)))
        except Forfeit as forfeit:
            self.give_up(seat, forfeit)
            return False
        return True

    def give_up(self, seat: Seat, forfeit: Forfeit) -> None:
        """A player that cannot go on loses."""
        self.match.concede(seat, f"forfeits: {forfeit.reason}")
        self.saver.write(self.match)
        self.console.say(["", self.match.record.reason, f"{seat.other} wins the game!"])

    def tell(self, viewer: Seat | None) -> None:
        """What the last step did, in words."""
        step = self.match.steps(viewer)[-1]
        told = self.game.tell(step.before, step.moves, step.after, viewer)
        self.display.say(told, changed=True)

    # ---- one question ----------------------------------------------------------

    def hear(self, seat: Seat) -> None:
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
                self.match.submit(seat, done.value)
                return

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
        from number_duels.review.text import column_notes, position_lines
        from number_duels.terminal.commands.analysis import solved

        with thinking():
            position = examine_with_chances(solved(self.game), self.match.view(seat))
        notes = () if seat is None else column_notes(position, seat)
        self.console.say([*position_lines(position, seat), *notes, ""])

    def undo(self) -> None:
        """Take back a turn among people, or a person's last move against the computer."""
        people = [seat for seat in Seat if self.players[seat] is None]
        try:
            if len(people) == 1:
                self.match.take_back(people[0])
            else:
                self.match.undo()
        except IllegalMove:
            self.console.say(["There is no turn to take back yet."])
            return
        self.saver.write(self.match)
        count = f" The record counts it: {self.match.takebacks}." if len(people) == 1 else ""
        self.console.say([f"The last turn is taken back.{count}", ""])
        raise TakenBack

    # ---- the board -------------------------------------------------------------

    def board(self, viewer: Seat | None) -> tuple[Part, ...]:
        """How the game stands, as a viewer may see it."""
        return self.game.board(self.match.view(viewer))


def draw_prompt(game: AnyGame) -> str:
    """What the one who draws a card is asked."""
    return f"Press Enter to {game.draw_label[0].lower()}{game.draw_label[1:]}..."
