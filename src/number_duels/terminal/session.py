"""A game at one terminal: asks the players in turn, saves, says what happened."""

from __future__ import annotations

from collections.abc import Iterator

from number_duels.core.board import in_words
from number_duels.core.game import AnyGame, Chance, Decision, IllegalMove, Outcome, Seat
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.questions import Prompt
from number_duels.core.text import rules_text
from number_duels.players.external import ExternalPlayer
from number_duels.terminal.saves import SaveFile
from number_duels.terminal.ui.board import drawn
from number_duels.terminal.ui.console import Console

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "how the game stands",
    "hint": "what each of your options is worth",
    "undo": "take back the last turn",
    "save": "where this game is kept",
    "quit": "stop here, and go on another day",
}
CLOSED = {
    "hint": "Hints are off; start the game, or resume it, with --hints to have them.",
    "undo": "A turn can be taken back only when no computer plays.",
}


class Quit(Exception):
    """A player wants to stop here."""


class TakenBack(Exception):
    """A turn was taken back, so whatever was being asked is asked no more."""


class Session:
    """One match, the players in its chairs, a screen, and where it is saved."""

    def __init__(
        self,
        match: AnyMatch,
        players: tuple[Player | None, Player | None],
        console: Console,
        save: SaveFile | None,
        *,
        hints: bool = False,
    ) -> None:
        self.match = match
        self.game = match.game
        self.players = players
        self.console = console
        self.save_file = save
        self.announced = 0
        closed = [] if hints else ["hint"]
        closed += ["undo"] if any(players) else []
        self.commands = {word: text for word, text in COMMANDS.items() if word not in closed}

    def play(self) -> Outcome:
        """Play to the end; every change is on disk before it is shown."""
        if self.match.turn_number == 1:
            self.console.say(self.game.opening(self.match.view(None)))
        elif self.console.plain:
            self.console.say(self.board(None))
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
                if self.console.plain:
                    self.console.say(self.board(None))
        if not self.console.plain:
            self.console.draw(self.board(None))
        for seat, player in self.external_players():
            player.end(self.match.view(seat), turn.result, turn.reason)
        return turn

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
        if not self.console.plain:
            self.console.draw(self.board(viewer))
        self.console.say(self.game.announce(self.match.view(viewer), viewer))
        begun = [n for n, step in enumerate(self.match.steps(viewer), 1) if step.moves]
        for step in self.match.steps(viewer)[begun[-1] if begun else 0 :]:
            self.console.say(self.game.tell(step.before, step.moves, step.after, viewer))

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
            self.press_enter(draw_prompt(self.game))
        self.match.draw()
        self.save()
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
        self.save()
        self.tell(viewer)
        over = isinstance(self.match.turn, Outcome)
        if viewer is not None and self.game.end_prompt and not over:
            self.press_enter(self.game.end_prompt)

    def played(self, seat: Seat, player: Player) -> bool:
        """Let a player choose; False: it could not, and the game is over."""
        try:
            self.match.submit(seat, player.choose(situation(self.match, seat)))
        except Forfeit as forfeit:
            self.give_up(seat, forfeit)
            return False
        return True

    def give_up(self, seat: Seat, forfeit: Forfeit) -> None:
        """A player that cannot go on loses."""
        self.match.concede(seat, f"forfeits: {forfeit.reason}")
        self.save()
        self.console.say(["", self.match.record.reason, f"{seat.other} wins the game!"])

    def tell(self, viewer: Seat | None) -> None:
        """What the last step did, in words."""
        step = self.match.steps(viewer)[-1]
        self.console.say(self.game.tell(step.before, step.moves, step.after, viewer))

    # ---- one question ----------------------------------------------------------

    def hear(self, seat: Seat) -> None:
        """Ask a person until there is a move."""
        conversation = self.game.ask(self.match.view(seat), seat)
        prompt = next(conversation)
        while True:
            try:
                prompt = conversation.send(self.reply(prompt, seat))
            except StopIteration as done:
                self.match.submit(seat, done.value)
                return

    def press_enter(self, text: str) -> None:
        """Wait until a person is ready."""
        prompt = Prompt(text)
        while self.reply(prompt, self.addressed()).strip():
            prompt = Prompt(text, reason="Press Enter alone to go on, or type help.")

    def reply(self, prompt: Prompt, seat: Seat | None) -> str:
        """A person's answer; what is meant for the table itself is dealt with here."""
        while True:
            said = self.console.ask(prompt)
            command = said.strip().casefold()
            if command not in COMMANDS:
                return said
            if command in self.commands:
                self.obey(command, seat)
            else:
                self.console.say([CLOSED[command]])
            prompt = Prompt(prompt.text.lstrip("\n"), prompt.secret)

    def obey(self, command: str, seat: Seat | None) -> None:
        """Do what a player asks of the table."""
        match command:
            case "help":
                self.console.say(self.help())
            case "rules":
                self.console.say(self.game.rules.splitlines())
            case "board" if self.console.plain:
                self.console.say(self.board(seat))
            case "board":
                self.console.draw(self.board(seat))
            case "hint":
                self.hint(seat)
            case "undo":
                self.undo()
            case "save":
                where = f"in {self.save_file.path}" if self.save_file else "nowhere"
                self.console.say([f"Every finished turn is saved at once, {where}."])
            case "quit":
                raise Quit

    def hint(self, seat: Seat | None) -> None:
        """What the position is worth to who asks; never while something is hidden from them."""
        if not self.match.hides_nothing_from(seat):
            self.console.say(["There is no hint while a card is hidden from you."])
            return
        from number_duels.review.text import position_lines
        from number_duels.terminal.commands.analysis import examined

        position = examined(self.game, self.match.view(seat))
        self.console.say([*position_lines(position, seat), ""])

    def undo(self) -> None:
        """Take back a turn, among people."""
        try:
            self.match.undo()
        except IllegalMove as error:
            self.console.say([str(error)])
            return
        self.save()
        self.console.say(["The last turn is taken back.", ""])
        raise TakenBack

    def help(self) -> Iterator[str]:
        """What can be typed."""
        typing = [part for part in self.game.rule_sections() if part.for_keyboard]
        yield from rules_text(typing).splitlines()[1:]
        yield "You can also type:"
        for command, meaning in self.commands.items():
            yield f"  {command:6} {meaning}"

    # ---- the board and the disk ------------------------------------------------

    def board(self, viewer: Seat | None) -> Iterator[str]:
        """How the game stands, drawn or in words."""
        parts = self.game.board(self.match.view(viewer))
        if self.console.plain:
            return in_words(parts)
        return drawn(self.game.title, parts, self.console)

    def save(self) -> None:
        """Write the match down, before anybody is shown anything new."""
        if self.save_file:
            self.save_file.write(self.match)


def draw_prompt(game: AnyGame) -> str:
    """What the one who draws a card is asked."""
    return f"Press Enter to {game.draw_label[0].lower()}{game.draw_label[1:]}..."
