"""Training in line mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from number_duels.core.board import in_words
from number_duels.core.game import AnyGame
from number_duels.core.questions import Prompt, converse
from number_duels.core.scene import ASKED, OVER, SAID, Scene
from number_duels.games import load
from number_duels.review.position import AnySolution
from number_duels.sessions.scene_tables import table_lines
from number_duels.sessions.train import TrainSession
from number_duels.terminal.errors import CommandError
from number_duels.terminal.line.board import drawn
from number_duels.terminal.line.console import (
    ALIASES,
    Console,
    Quit,
    StepBack,
    command,
    hold,
    thinking,
)
from number_duels.terminal.line.progress import solved
from number_duels.trainer.exercise import MIXED, MIXED_FORM, read_answer
from number_duels.trainer.spot import Spot

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "the position again",
    "why": "how your last mistake is punished, turn by turn",
    "add": "add this position to your mistake book",
    "skip": "go to another position",
    "restart": "start the lesson again from its first step",
    "back": "go back one step in a move that has several steps",
    "quit": "stop training",
}
GO_ON_READING = "Press Enter to continue: "
GO_ON = "Press Enter to continue, or type why, add or quit: "
NO_LINE = "You have not made a mistake yet."


class Skipped(Exception): ...


class Restarted(Exception): ...


class LineTrainer:
    def __init__(self, session: TrainSession, console: Console) -> None:
        self.session, self.console = session, console
        self.solutions: dict[AnyGame, AnySolution] = {}
        self.last: Scene | None = None
        self.reminder = ""

    def run(self) -> None:
        """Run the session until it is over. Raise Quit or Interrupted if it ends early."""
        while True:
            self.work()
            scene = self.session.scene()
            if scene.sides:
                one, two = scene.sides
                self.console.names = one.name, two.name
            if scene.stage == OVER:
                self.ending(scene)
                break
            with suppress(Restarted):
                if scene.stage == SAID:
                    self.remark(scene)
                elif scene.stage == ASKED:
                    self.one(scene)
        if self.session.problem and not self.session.state.number:
            raise CommandError(self.session.problem)

    def ending(self, scene: Scene) -> None:
        if scene.status:
            self.heading(scene)
        if scene.verdict:
            self.console.say([scene.verdict.headline, *scene.verdict.sentences])

    def work(self) -> None:
        while work := self.session.work():
            if work.game not in self.solutions:
                self.solutions[work.game] = solved(work.game, arrays=True)
            with thinking():
                work.run(self.solutions[work.game])

    def remark(self, scene: Scene) -> None:
        self.heading(scene)
        self.console.say(scene.lines)
        self.show_board(scene)
        self.console.say([""])
        if self.console.keyboard:
            self.wait(GO_ON_READING, scene)
        self.session.act("next")

    def wait(self, text: str, scene: Scene) -> None:
        while self.reply(Prompt(text), scene).strip():
            pass
        self.console.say([""])

    def heading(self, scene: Scene) -> None:
        said = (scene.title, *(one for one in scene.status if one != self.session.standing))
        self.console.draw([self.console.paint(", ".join(said), "bold")])

    def one(self, asked: Scene) -> None:
        self.heading(asked)
        if asked.detail != self.reminder:
            self.reminder = asked.detail
            self.console.say([asked.detail])
        self.console.say([asked.path])
        self.show_board(asked)
        self.console.say([asked.prompt])
        try:
            self.hear(asked)
        except Skipped:
            said = self.session.act("skip")
            self.console.say([f"Skipped. {said}".rstrip(), ""])
            return
        told = self.last = self.session.scene()
        assert told.verdict
        color = "good" if told.verdict.right else "bold"
        self.console.say([""])
        headline = self.console.fold(told.verdict.headline)
        self.console.draw(self.console.paint(part, color) for part in headline)
        self.console.say(verdict_lines(told))
        if told.offers("remove") and not told.verdict.right:
            # `say` would fold the command, and a folded command can't be copied.
            spot = self.session.asked_task().spot.spot
            self.console.draw([f"Try it again: {again_command(spot)}"])
        if self.session.standing:
            self.console.say([f"{self.session.standing} so far."])
        self.console.say([""])
        if self.console.keyboard and self.session.state.items:
            self.wait(GO_ON, told)
        self.session.act("next")

    def show_board(self, scene: Scene) -> None:
        if self.console.plain:
            self.console.say(in_words(scene.board))
        elif scene.board:
            self.console.draw(drawn(scene.title, scene.board, self.console))

    def hear(self, scene: Scene) -> None:
        text = self.hear_mix(scene) if scene.mixed else self.hear_move(scene)
        with thinking():
            self.session.act("answer", text)

    def hear_mix(self, scene: Scene) -> str:
        spot = self.session.asked_task().spot
        text = f"Your mixed strategy, {MIXED_FORM}: "
        prompt = Prompt(text)
        while True:
            said = self.reply(prompt, scene)
            try:
                read_answer(spot, said, MIXED)
            except ValueError as error:
                prompt = Prompt(text, reason=str(error))
            else:
                return said

    def hear_move(self, scene: Scene) -> str:
        question, game = scene.question, self.session.game
        assert question
        assert game

        def reply(prompt: Prompt, steps: int) -> str:
            return self.reply(Prompt(prompt.text.lstrip("\n"), reason=prompt.reason), scene, steps)

        return str(hold(lambda: converse(question, game.parse), reply))

    def reply(self, prompt: Prompt, scene: Scene, steps: int = 0) -> str:
        while True:
            said = self.console.ask(prompt)
            word = said.strip().casefold()
            word = ALIASES.get(word, word)
            if word not in COMMANDS:
                return said
            if word == "back" and steps:
                raise StepBack
            self.obey(word, scene)
            prompt = Prompt(prompt.text)

    def obey(self, word: str, scene: Scene) -> None:
        asks = scene.stage != SAID
        match word:
            case "help":
                self.console.say(f"  {one:7} {meaning}" for one, meaning in COMMANDS.items())
            case "rules" if asks and self.session.game:
                sections = self.session.game.rule_sections()
                # An example of typing could be the answer.
                told = tuple(section for section in sections if not section.for_keyboard)
                self.console.say(self.console.rules(told))
            case "board" if asks:
                self.show_board(scene)
            case "why":
                frames = self.last.frames[1:] if self.last else ()
                self.console.say([frame.said for frame in frames] or [NO_LINE])
            case "add" if asks:
                self.console.say([self.session.add()])
            case "skip" if scene.offers("skip"):
                raise Skipped
            case "restart" if scene.offers("restart"):
                self.session.act("restart")
                raise Restarted
            case "back":
                self.console.say(["This move has no earlier step."])
            case "quit":
                raise Quit
            case _:
                self.console.say([f"You cannot use {word} here."])


def verdict_lines(scene: Scene) -> Iterator[str]:
    assert scene.verdict
    yield from scene.verdict.sentences
    for first, table in enumerate(scene.tables):
        if not first or table.kind == "series":
            yield ""
        yield from table_lines(table)
    for note in scene.notes:
        yield ""
        yield note


def again_command(spot: Spot) -> str:
    usual = load(spot.game).settings
    chosen = {name: value for name, value in spot.settings.items() if usual.get(name) != value}
    first = chosen.pop("first", None)
    words = ["train", "drill", spot.game]
    words += [] if first is None else ["--first", str(first)]
    for name, value in chosen.items():
        words += ["--set", f"{name}={value}"]
    words += [] if spot.deal is None else ["--deal", spot.deal]
    return command(*words, "--moves", spot.moves, "--seat", str(spot.seat + 1))
