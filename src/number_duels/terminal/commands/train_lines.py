"""The trainer a line at a time: asks, says what an answer was worth, and goes on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from number_duels.core.board import Part, in_words
from number_duels.core.game import AnyGame
from number_duels.core.questions import Prompt
from number_duels.review.position import AnySolution
from number_duels.terminal.commands.analysis import solved
from number_duels.terminal.errors import CommandError
from number_duels.terminal.input_commands import ALIASES, Quit, StepBack
from number_duels.terminal.train.sitting import Remark, Sitting, Task, Verdict
from number_duels.terminal.train.words import again_command, line_told, place_of, verdict_lines
from number_duels.terminal.ui.board import drawn
from number_duels.terminal.ui.console import Console, thinking
from number_duels.terminal.ui.progress import progress_bar
from number_duels.trainer.answers import MIXTURE, Answer, read_answer

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "the position once more",
    "why": "how your last mistake is punished, turn by turn",
    "add": "put this position into your book",
    "skip": "another position",
    "back": "one step back, where a move is asked for in steps",
    "quit": "enough for now",
}
GO_ON_READING = "Enter to go on: "
GO_ON = "Enter for the next one, or type why, add or quit: "
NO_LINE = "There is no mistake of yours to punish."


class Skipped(Exception):
    """Somebody wants another position."""


class LineTrainer:
    """A sitting at a line terminal or a pipe."""

    def __init__(self, sitting: Sitting, console: Console) -> None:
        self.sitting, self.console = sitting, console
        self.solutions: dict[AnyGame, AnySolution] = {}
        self.last: Verdict | None = None

    def run(self) -> None:
        """Ask until there is nothing left; `Quit` and closed input end it too."""
        while (game := self.sitting.tasks.game) is not None:
            task = self.drawn_task(game)
            if task is None:
                return
            if isinstance(task, Remark):
                self.remark(task)
                continue
            try:
                self.one(task)
            except Skipped:
                self.console.say(["Skipped.", ""])

    def remark(self, remark: Remark) -> None:
        """Say something, with its board; at a keyboard there is time to read it."""
        self.heading(remark.game, remark.facts)
        self.console.say([*remark.text.splitlines()])
        self.show_board(remark.game, remark.board)
        self.console.say([""])
        if self.console.keyboard:
            self.wait(GO_ON_READING, None)

    def wait(self, text: str, task: Task | None) -> None:
        """Until Enter alone is pressed."""
        while self.reply(Prompt(text), task).strip():
            pass
        self.console.say([""])

    def heading(self, game: AnyGame, facts: Sequence[str]) -> None:
        said = [game.title, self.sitting.place, *facts]
        self.console.draw([self.console.paint(", ".join(filter(None, said)), "bold")])

    def drawn_task(self, game: AnyGame) -> Task | Remark | None:
        """The next task; None, in a sentence, where nothing more fits."""
        if game not in self.solutions:
            self.solutions[game] = ready_solution(game)
        try:
            with thinking():
                return self.sitting.draw(self.solutions[game])
        except ValueError as error:
            if not self.sitting.asked:
                raise CommandError(str(error)) from None
            self.console.say([str(error)])
            return None

    def one(self, task: Task) -> None:
        """Ask one task, say what the answer was worth, and wait at a keyboard."""
        sitting, spot = self.sitting, task.spot
        self.heading(spot.game, task.facts)
        self.console.say([place_of(task)])
        self.show_board(spot.game, spot.board)
        self.console.say([task.prompt])
        answer = self.hear(task)
        with thinking():
            verdict = self.last = sitting.answer(task, answer)
        colour = "good" if verdict.right else "bold"
        self.console.say([""])
        headline = self.console.fold(verdict.feedback.headline)
        self.console.draw(self.console.paint(part, colour) for part in headline)
        self.console.say(verdict_lines(verdict))
        if task.kind == "book" and not verdict.right:
            # Drawn, not said: a command that is to be copied stays in one piece.
            self.console.draw([f"Try it again: {again_command(spot.spot)}"])
        self.console.say([f"{sitting.standing} so far.", ""])
        if self.console.keyboard and sitting.tasks.game is not None:
            self.wait(GO_ON, task)

    def show_board(self, game: AnyGame, board: tuple[Part, ...]) -> None:
        if self.console.plain:
            self.console.say(in_words(board))
        elif board:
            self.console.draw(drawn(game.title, board, self.console))

    # ---- one answer ------------------------------------------------------------

    def hear(self, task: Task) -> Answer:
        """An answer in the form that is asked for."""
        if task.exercise.form == MIXTURE:
            return self.hear_mixture(task)
        return Answer({str(self.hear_move(task)): 1.0})

    def hear_mixture(self, task: Task) -> Answer:
        example = " ".join(f"{move}:50" for move in task.spot.options[-2:])
        text = f"Your mixture, such as {example}: "
        prompt = Prompt(text)
        while True:
            said = self.reply(prompt, task)
            try:
                return read_answer(task.spot, said, MIXTURE)
            except ValueError as error:
                prompt = Prompt(text, reason=str(error))

    def hear_move(self, task: Task) -> Hashable:
        """A move as in a game: step by step, or at once; nothing is secret, as nobody looks on."""
        given: list[str] = []
        while True:
            conversation = task.spot.game.ask(task.spot.view, task.spot.seat)
            prompt = next(conversation)
            for answer in given:
                prompt = conversation.send(answer)
            try:
                while True:
                    said = self.reply(
                        Prompt(prompt.text.lstrip("\n"), reason=prompt.reason), task, len(given)
                    )
                    prompt = conversation.send(said)
                    given += [] if prompt.reason else [said]
            except StepBack:
                given.pop()
            except StopIteration as done:
                move: Hashable = done.value
                return move

    def reply(self, prompt: Prompt, task: Task | None, steps: int = 0) -> str:
        """What is typed; what is meant for the trainer itself is dealt with here."""
        while True:
            said = self.console.ask(prompt)
            word = said.strip().casefold()
            word = ALIASES.get(word, word)
            if word not in COMMANDS:
                return said
            if word == "back" and steps:
                raise StepBack
            self.obey(word, task)
            prompt = Prompt(prompt.text)

    def obey(self, word: str, task: Task | None) -> None:
        match word:
            case "help":
                self.console.say(f"  {one:6} {meaning}" for one, meaning in COMMANDS.items())
            case "rules" if task:
                self.console.say(task.spot.game.rules.splitlines())
            case "board" if task:
                self.show_board(task.spot.game, task.spot.board)
            case "why":
                self.why()
            case "add" if task:
                self.console.say([self.sitting.add(task)])
            case "skip" if task and self.sitting.tasks.can_skip:
                raise Skipped
            case "back":
                self.console.say(["There is no step to take back in this question."])
            case "quit":
                raise Quit
            case _:
                self.console.say([f"There is nothing to {word} here."])

    def why(self) -> None:
        """The line that punishes the last mistake."""
        line = self.last.feedback.line if self.last else ""
        if self.last and line:
            self.console.say(line_told(self.last.task, line))
        else:
            self.console.say([NO_LINE])


def ready_solution(game: AnyGame) -> AnySolution:
    """The solution of a game with all strategies at hand: many positions are asked about."""
    solution = solved(game)
    with thinking(), progress_bar(f"Getting {game.title} ready") as report:
        solution.open_arrays(report)
    return solution
