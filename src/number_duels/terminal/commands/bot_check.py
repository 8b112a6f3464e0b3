"""The command `duels bot check`, which tries a bot in every game and explains its errors."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace

from number_duels.core.game import AnyGame, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Forfeit, Player, Situation
from number_duels.core.progress_bar import progress_bar
from number_duels.core.runner import play_match
from number_duels.core.text import printable
from number_duels.games import find, load, names
from number_duels.players.bot.player import UNASKED, BotPlayer
from number_duels.players.bot.process import EXIT_GRACE_S, NOT_JSON
from number_duels.players.builtin import RandomPlayer
from number_duels.players.external import CRASHED, ILLEGAL, LATE, UNREADABLE, Fault, turn_number
from number_duels.players.registry import BUILT_IN, is_external
from number_duels.terminal.command_options import read_player_options
from number_duels.terminal.errors import DONE, FAILED, refusing_usage, usage
from number_duels.terminal.line.console import Console, command

SEEDS = (1, 2)
#: How long to wait after the first game, to see whether the bot exits by mistake.
EXIT_DELAY_S = 0.2
ADVICE = {
    ILLEGAL: "answer with one of the options, written exactly as in the message.",
    UNREADABLE: "write one JSON object per line, and nothing else.",
    LATE: "answer sooner, or flush after every line; --seconds N gives more time.",
    CRASHED: "run the bot by hand and type the messages to see where it crashes.",
}


@dataclass
class Complaint:
    where: str
    what: str
    advice: str
    times: int = 1


def check_bot(args: Namespace) -> int:
    file = read_player_options(args)
    who = file.who(args.command)
    if args.command in file.players and not who.startswith("bot:"):
        raise usage(f"{args.command} is not a bot; it is {who}.")
    if not who.startswith("bot:") and (is_external(who) or who in BUILT_IN):
        raise usage(f"Only programs can be checked, such as 'python3 mybot.py', not {who}.")
    line = who.removeprefix("bot:")
    limits = file.limits({"bot": args.command}).of("bot")
    if args.seconds is not None:
        limits = replace(limits, seconds=args.seconds, starting=args.seconds)
    with refusing_usage():
        bot = BotPlayer(line, limits)
    trial, console = Trial(bot), Console(plain=args.plain)
    try:
        with progress_bar("Trying the bot") as report:
            rows = trial.every_game(report)
        tidy = bot.drop(EXIT_GRACE_S)
    finally:
        bot.drop()
    console.draw([console.paint(f"{line}{f' ({bot.name})' if bot.name else ''}", "bold"), *rows])
    show(trial.complaints, console)
    if not tidy:
        console.draw(
            ["", "The bot kept running for a second after its input was closed, so it was stopped."]
        )
    console.draw(["", *verdict(trial, line)])
    return FAILED if trial.complaints else DONE


class Trial:
    def __init__(self, bot: BotPlayer) -> None:
        self.bot = bot
        self.complaints: list[Complaint] = []
        self.games = self.moves = 0
        self.slowest = 0.0
        self.said_hello = self.late = False

    def every_game(self, report: Callable[[float], None]) -> list[str]:
        rows = []
        for number, name in enumerate(names(), 1):
            rows.append(self.one_game(name))
            report(number / len(names()))
            if not self.said_hello:
                return []
            if self.late and number < len(names()):
                return [*rows, "  The other games were not tried, because each would take as long."]
        return rows

    def one_game(self, name: str) -> str:
        before = self.games, self.moves, sum(one.times for one in self.complaints)
        self.slowest, lost = 0.0, False
        for game in (load(name), next(varied(name), load(name))):
            for seat in Seat:
                for seed in SEEDS:
                    lost = lost or not self.play(Match(game, seed), seat)
        games, moves = self.games - before[0], self.moves - before[1]
        wrong = sum(one.times for one in self.complaints) - before[2]
        end = "forfeited" if lost else f"{wrong} wrong" if wrong else "fine"
        figures = f"{games} games, {moves:3} moves, slowest {self.slowest * 1000:.1f} ms"
        return f"  {name:24}{end:12}{figures}"

    def play(self, match: AnyMatch, seat: Seat) -> bool:
        forfeited: list[Seat] = []
        players: dict[Seat, Player] = {seat: self, seat.other: RandomPlayer(match.game)}
        play_match(match, players, lambda who, _: forfeited.append(who))
        if forfeited:
            return False
        self.games += 1
        if self.games == 1:
            self.between_games()
        return True

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        self.bot.begin(game, seat, seed)

    def choose(self, situation: Situation) -> Hashable:
        refused = len(self.bot.faults)
        failure: Forfeit | None = None
        began = time.perf_counter()
        try:
            return self.bot.choose(situation)
        except Forfeit as forfeit:
            failure = forfeit
            raise
        finally:
            if self.moves:  # the first move includes starting the process
                self.slowest = max(self.slowest, time.perf_counter() - began)
            self.said_hello = self.said_hello or bool(self.bot.asked)
            self.note(situation, self.bot.faults[refused:], failure)

    def end(self, view: Hashable, result: str, reason: str) -> None:
        self.bot.end(view, result, reason)

    def note(self, here: Situation, faults: list[Fault], failure: Forfeit | None) -> None:
        self.moves += failure is None
        self.late = self.late or (failure is not None and failure.kind == LATE)
        where = f"{here.game.name}, as {here.seat}, turn {turn_number(here.game, here.history)}"
        for fault in faults:
            open_now = f", options {printable(' '.join(map(str, here.options)), 80)}"
            self.complain(where + (open_now if fault.kind == ILLEGAL else ""), fault)
        if failure and (failure.kind in (LATE, CRASHED) or not faults):
            self.complain(where, Fault(failure.kind, failure.reason))

    def between_games(self) -> None:
        program = self.bot.program
        if program is None or program.has_exited(EXIT_DELAY_S):
            said = f": {program.last_stderr_line}" if program and program.last_stderr_line else ""
            what = f"it exited after the first game{said}"
            advice = "wait for the next start message; exit when standard input is closed."
            self.complaints.append(Complaint("after the end", what, advice))
            return
        try:
            self.bot.tell({"type": "weather", "sky": "blue"}, time.monotonic() + EXIT_DELAY_S)
            confused = program.has_exited(EXIT_DELAY_S) or program.discard() is not None
        except Forfeit:
            confused = True
        if confused:
            what = 'it answered a message of the unknown type "weather", or crashed when it got one'
            advice = "ignore messages of unknown types; later versions may send more."
            self.complaints.append(Complaint("between two games", what, advice))
            self.bot.drop()

    def complain(self, where: str, fault: Fault) -> None:
        advice = advise(fault, first=not self.said_hello)
        for known in self.complaints:
            if known.advice == advice:
                known.times += 1
                return
        where = where if self.said_hello else "at the start"
        self.complaints.append(Complaint(where, fault.reason, advice))


def varied(name: str) -> Iterator[AnyGame]:
    """Yield variants of a game that differ from the default in one setting."""
    known = find(name).describe_settings()
    for setting, described in sorted(known.items(), key=lambda item: bool(item[1].choices)):
        default = described.default
        near = [default - 1, default + 1] if isinstance(default, int) else []
        for value in [one for one in described.choices or near if one != default]:
            try:
                yield load(name, **{setting: value})
            except ValueError:
                continue


def advise(fault: Fault, *, first: bool) -> str:
    if UNASKED in fault.reason:
        return "answer hello once and each turn once, in one line; do not answer start and end."
    if NOT_JSON in fault.reason:
        return "print other text to standard error, and flush after every line."
    if fault.kind == LATE and first:
        return (
            "flush standard output after every line, and read line by line:"
            " a message that stays in a buffer does not arrive (mawk needs -W interactive)."
        )
    return ADVICE[fault.kind]


def show(complaints: list[Complaint], console: Console) -> None:
    for number, one in enumerate(complaints, 1):
        often = f" ({one.times} times)" if one.times > 1 else ""
        console.draw(["", console.paint(f"{number}. {one.where}{often}", "bold")])
        console.draw([f"   {one.what}", f"   Advice: {one.advice}"])


def verdict(trial: Trial, line: str) -> list[str]:
    wrong = len(trial.complaints)
    if wrong:
        things = "1 thing is" if wrong == 1 else f"{wrong} things are"
        return [
            f"Not ready: {things} wrong.",
            'The "Bots" page of the documentation explains the protocol.',
        ]
    ready = f"Ready: {trial.games} games, {trial.moves} moves, nothing wrong."
    if not sys.stdout.isatty():
        return [ready]
    who = f"bot:{line}"
    return [
        ready,
        f"Play against it: {command('play', names()[0], '--two', who)}",
        f"Measure it:      {command('arena', '--players', who, 'random', 'perfect')}",
    ]
