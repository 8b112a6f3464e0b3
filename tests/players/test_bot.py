"""`bot:COMMAND`: what a bot hears, what it may answer, and the bots that come with the program."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.notation import read
from number_duels.core.player import AnyMatch, own_seed, situation
from number_duels.core.runner import play_match
from number_duels.players.bot.player import BotPlayer, split
from number_duels.players.bot.process import MAX_LINE_BYTES, PROTOCOL, as_json, decode, encode
from number_duels.players.bot.process import shown as shown_line
from number_duels.players.builtin import RandomPlayer
from number_duels.players.external import ILLEGAL, UNREADABLE, Refused, legal, turn_number
from number_duels.players.registry import player
from tests.players.bots import PATIENT, Recorder, duel, write_bot
from tests.players.in_process_bot import HELLO, InProcessBot, Message, Script, hear, move
from tests.some_games import SOME_GAMES

VERSION = nd.__version__
TOP = Path(__file__).parents[2]
EXAMPLES = sorted((TOP / "examples" / "bots").iterdir())
PAGE = (TOP / "docs" / "bots.md").read_text(encoding="utf-8")
every_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)

#: Plays the first option, and writes down all that it hears.
LISTENER = """
log = open(sys.argv[0] + ".log", "a")
def note(message):
    print(json.dumps({"pid": os.getpid(), **message}), file=log, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    note(message)
    if message["type"] == "hello":
        say(type="hello", protocol=1, name="listener")
    if message["type"] == "turn":
        say(type="move", move=message["options"][0], id=message["id"])
note({"type": "closed"})
"""


@dataclass
class Listener:
    """Plays the first option in this process, and keeps all that it hears."""

    heard: list[Message] = field(default_factory=list)

    def script(self) -> Script:
        yield HELLO
        while True:
            self.heard.append(message := (yield from hear()))
            if message["type"] == "turn":
                yield move(message)

    def all(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["type"] == kind]


# ---- what a bot hears ----------------------------------------------------------


@pytest.mark.usefixtures("mark")
def test_one_process_is_told_of_many_games(tmp_path: Path) -> None:
    bot = BotPlayer(write_bot(tmp_path, LISTENER), PATIENT)
    endings = [duel(bot, "number-knot", 5, nd.Seat.TWO), duel(bot, "number-bid", 6, nd.Seat.ONE)]
    assert bot.name == "listener"
    bot.close()
    said = [json.loads(line) for line in (tmp_path / "bot.py.log").read_text().splitlines()]
    assert len({message["pid"] for message in said}) == 1
    types = " ".join(message["type"] for message in said)
    assert re.fullmatch(r"hello start (turn )+end start (turn )+end closed", types)
    assert said[0]["protocol"] == 1
    assert said[0]["program"] == f"number-duels {VERSION}"
    starts = [message for message in said if message["type"] == "start"]
    assert [(one["game"], one["seat"], one["seed"]) for one in starts] == [
        ("number-knot", 2, own_seed(nd.Match(nd.load("number-knot"), 5), nd.Seat.TWO)),
        ("number-bid", 1, own_seed(nd.Match(nd.load("number-bid"), 6), nd.Seat.ONE)),
    ]
    assert starts[0]["settings"] == nd.load("number-knot").settings
    ends = [message for message in said if message["type"] == "end"]
    assert [one["result"] for one in ends] == [ending.result for ending in endings]
    ids = [message["id"] for message in said if message["type"] == "turn"]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_turn_has_what_the_seat_may_know(name: str) -> None:
    bot = InProcessBot((listener := Listener()).script)
    match: AnyMatch = nd.Match(nd.load(name), seed=3)
    seat = Recorder(bot)
    play_match(match, {nd.Seat.ONE: RandomPlayer(match.game), nd.Seat.TWO: seat})
    bot.close()
    turns = listener.all("turn")
    assert [(turn["view"], turn["options"], turn["history"]) for turn in turns] == [
        (as_json(here.view), list(map(str, here.options)), here.history) for here in seat.told
    ]
    steps = [step.moves for step in match.steps(None) if step.moves]
    own = [number for number, moves in enumerate(steps, 1) if nd.Seat.TWO in moves]
    assert [turn["turn"] for turn in turns] == own


def test_a_bot_that_is_only_asked_is_told_of_the_game_all_the_same() -> None:
    bot = InProcessBot((listener := Listener()).script)
    for seed in (1, 1, 2):
        match = nd.Match(nd.load("number-bid"), seed=seed)
        play_match(match, {nd.Seat.ONE: RandomPlayer(match.game), nd.Seat.TWO: Recorder(bot)})
    bot.close()
    seeds = [message["seed"] for message in listener.all("start")]
    assert len(seeds) == 3
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_refused_answer_comes_back_with_its_reason() -> None:
    heard: list[Message] = []

    def script() -> Script:
        yield HELLO
        for answer in (encode({"type": "move", "move": "S99"}), b"thinking ...\n"):
            heard.append((yield from hear("turn")))
            yield answer
        while True:
            heard.append((yield from hear("turn")))
            yield move(heard[-1])

    bot = InProcessBot(script)
    ending = duel(bot)
    bot.close()
    first, again, third = heard[:3]
    assert ending.forfeit is None
    assert [fault.kind for fault in ending.faults] == [ILLEGAL, UNREADABLE]
    assert "refused" not in first
    assert "S99 is not available; choose one of" in again["refused"]
    assert "'thinking ...' is not JSON" in third["refused"]
    assert first["id"] < again["id"] < third["id"]
    for key in ("turn", "view", "options", "history"):
        assert first[key] == again[key] == third[key]


@pytest.mark.parametrize("more", [0, 1])
def test_a_line_may_be_as_long_as_stated_and_no_longer(more: int) -> None:
    def script() -> Script:
        yield HELLO
        while True:
            line = move((yield from hear("turn")))
            yield line[:-1].ljust(MAX_LINE_BYTES + more) + b"\n"

    bot = InProcessBot(script)
    assert duel(bot).kind == (UNREADABLE if more else None)
    bot.close()


# ---- the wire ------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    left: int
    right: int

    def __str__(self) -> str:
        return f"{self.left}:{self.right}"


def test_what_a_player_sees_is_plain_json() -> None:
    things = {1: (nd.HIDDEN, nd.Seat.TWO, None), "two": Pair(3, 4), "half": Fraction(1, 2)}
    assert as_json(things) == {"1": ["?", 2, None], "two": "3:4", "half": "1/2"}
    assert as_json(frozenset({3, 1, 2})) == [1, 2, 3]


@pytest.mark.parametrize("name", SOME_GAMES)
def test_every_view_travels_and_a_hidden_card_does_not(name: str) -> None:
    match = nd.Match(nd.load(name), seed=8)
    other = RandomPlayer(match.game)
    while not isinstance(turn := match.turn, nd.Outcome):
        for viewer in (*nd.Seat, None):
            written = json.dumps(as_json(match.view(viewer)))
            assert "(" not in written  # nothing of Python's own
            assert ('"?"' in written) == (not match.hides_nothing_from(viewer))
            history = match.moves(viewer)
            if isinstance(turn, nd.Decision) and viewer in turn.options:
                assert turn_number(match.game, history) == match.turn_number
        if isinstance(turn, nd.Chance):
            match.draw()
        else:
            for seat in turn.options:
                match.submit(seat, other.choose(situation(match, seat)))


def test_a_message_is_one_line_that_a_shell_can_read() -> None:
    line = encode({"type": "turn", "options": ["S5", "A3"], "refused": 'a\n"b" é\ud800'})
    assert line.startswith(b'{"type":"turn","options":["S5","A3"],"refused":"')
    assert line.count(b"\n") == 1
    assert decode(line)["refused"] == 'a\n"b" é\ud800'


def test_what_is_repeated_of_a_bot_is_short_and_printable() -> None:
    assert shown_line(b"  \x1b[31mred\a ") == "?[31mred?"
    assert len(shown_line(b"x" * 100_000)) == 161


# ---- commands ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (" ", "such as"),
        ("nowhere-to-be-found --fast", "'nowhere-to-be-found'"),
        ("./nowhere.py", "'./nowhere.py'"),
        ("'half", "unclosed"),
        ("plain.py", "chmod"),
        ("ready.py", "./ready.py"),
        ("ready\0.py", "zero byte"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_in_a_sentence(
    command: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("plain.py", "ready.py"):
        Path(name).write_text("#!/bin/sh\n")
    Path("ready.py").chmod(0o755)
    with pytest.raises(ValueError, match=re.escape(reason)):
        split(command)


def test_a_command_is_split_but_no_shell_sees_it() -> None:
    assert split("sh 'my bot.sh' $HOME *") == ["sh", "my bot.sh", "$HOME", "*"]


@pytest.mark.usefixtures("mark")
def test_a_program_that_the_system_refuses_has_crashed(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("#!/nowhere/to/be/found\n")
    path.chmod(0o755)
    bot = BotPlayer(str(path), PATIENT)
    assert "cannot be started" in duel(bot).reason


# ---- the examples --------------------------------------------------------------


@pytest.mark.usefixtures("mark")
@every_example
def test_an_example_plays_every_game_without_a_fault(path: Path) -> None:
    bot = player(f"bot:{path}", nd.load("number-knot"), limits=PATIENT)
    assert isinstance(bot, BotPlayer)
    for name in nd.games():
        for seat in nd.Seat:
            ending = duel(bot, name, seed=4, seat=seat)
            assert (ending.forfeit, ending.faults) == (None, ()), name
            assert ending.result != "*", name
    assert bot.name
    assert bot.drop(grace_s=30)


@every_example
def test_an_example_can_be_run_and_the_page_names_it(path: Path) -> None:
    assert os.access(path, os.X_OK)
    assert f"examples/bots/{path.name}" in PAGE


@pytest.mark.usefixtures("mark")
def test_the_same_seed_gives_the_example_the_same_moves() -> None:
    bot = BotPlayer(str(TOP / "examples" / "bots" / "any_move.py"), PATIENT)
    histories = []
    for seed in (1, 1, 2):
        duel(bot, "number-drop", seed)
        histories.append(bot.history)
    bot.close()
    assert histories[0] == histories[1] != histories[2]


def test_the_page_has_every_message_as_it_is_sent() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith('{"type":')]
    for line in lines:
        assert encode(decode(line.encode())) == f"{line}\n".encode()
    hello, start, turn, again, end = map(json.loads, lines)
    game = nd.load(start["game"], **start["settings"])
    assert hello == {"type": "hello", "protocol": PROTOCOL, "program": f"number-duels {VERSION}"}
    seat = nd.Seat(start["seat"] - 1)
    match = nd.Match(game, seed=1)
    match._replay(read(game, game.start(), turn["history"]))
    assert turn == {
        "type": "turn",
        "id": 3,
        "turn": match.turn_number,
        "view": as_json(match.view(seat)),
        "options": list(map(str, match.options(seat))),
        "history": match.moves(seat),
    }
    with pytest.raises(Refused) as refused:
        legal(situation(match, seat), "S9")
    assert again == {**turn, "id": 4, "refused": refused.value.fault.reason}
    match = nd.Match(game, seed=1)
    match._replay(read(game, game.start(), f"{turn['history']} S4 A2 S1"))
    assert isinstance(match.turn, nd.Outcome)
    view = as_json(match.view(seat))
    reason = match.turn.reason
    assert end == {"type": "end", "result": match.result, "reason": reason, "view": view}
