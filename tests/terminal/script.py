"""What people would type to play a whole game, for any game and from any point on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

import number_duels as nd
from number_duels.core.notation import Step, write
from number_duels.core.player import AnyMatch, situation
from number_duels.core.questions import Question
from number_duels.players.builtin import RandomPlayer
from number_duels.sessions.play import draw_prompt

PEOPLE = ("human", "human")
AGAINST_RANDOM = ("human", "random")


@dataclass(frozen=True)
class Line:
    """One line that is typed, and the question that it answers; None: Enter is awaited."""

    text: str
    prompt: str
    question: Question[Hashable] | None = None
    #: Whether the question is the first of its turn, which takes a whole move.
    first: bool = True
    secret: bool = False


def new_match(
    name: str,
    seed: int,
    who: tuple[str, str] = PEOPLE,
    settings: Mapping[str, int] | None = None,
) -> AnyMatch:
    """The match that `duels play NAME --seed SEED --one … --two …` plays."""
    one, two = (nd.Person(str(seat), kind) for seat, kind in zip(nd.Seat, who, strict=True))
    return nd.Match(nd.load(name, **(settings or {})), seed, None, (one, two))


def again(record: nd.Record) -> AnyMatch:
    """The match of a record."""
    return nd.Match.from_record(nd.load(record.game, **record.settings), record)


def lines(match: AnyMatch, *, by_steps: bool = False) -> Iterator[Line]:
    """Play a match to its end, line by line; what is chosen depends on seed and turn alone."""
    people = [seat for seat in nd.Seat if match.players[seat].who == "human"]
    while not isinstance(turn := match.turn, nd.Outcome):
        if isinstance(turn, nd.Chance):
            if match.drawer in people:
                yield Line("", draw_prompt(match.game))
            match.draw()
            continue
        deciding = sorted(turn.options, key=lambda seat: (seat not in people, seat))
        for seat in deciding:
            if seat in people:
                move = choice(match, seat)
                question = match.game.question(match.view(seat), seat)
                yield from spoken(question, move, by_steps=by_steps)
            else:
                assert match.players[seat].who == "random"
                move = RandomPlayer(match.game).choose(situation(match, seat))
            match.submit(seat, move)
        alone = len(deciding) == 1 and deciding[0] in people
        if alone and match.game.end_prompt and match.result == "*":
            yield Line("", match.game.end_prompt)


def typed(match: AnyMatch) -> list[str]:
    """Only the texts."""
    return [line.text for line in lines(match)]


def finished(name: str, seed: int = 3) -> nd.Record:
    """The record of a whole game."""
    match = new_match(name, seed)
    list(lines(match))
    return match.record


def choice(match: AnyMatch, seat: nd.Seat) -> Hashable:
    """What a person chooses."""
    rng = Random(f"{match.seed} {match.turn_number} {seat}")
    return rng.choice(sorted(match.options(seat), key=str))


def spoken(question: Question[Hashable], move: Hashable, *, by_steps: bool) -> Iterator[Line]:
    """A move in full at the first question, or answer by answer."""
    steps = path(question, move)
    if not by_steps:
        yield Line(str(move), question.typed_prompt, question, secret=question.secret)
        return
    for n, (asked, text) in enumerate(steps):
        yield Line(text, asked.typed_prompt, asked, first=n == 0, secret=asked.secret)


def path(
    question: Question[Hashable], move: Hashable
) -> tuple[tuple[Question[Hashable], str], ...]:
    """The questions that lead to a move, each with its answer; none: there is no way."""
    for answer in question.answers:
        target = answer.leads_to
        if target == move:
            return ((question, answer.text),)
        if isinstance(target, Question) and (rest := path(target, move)):
            return ((question, answer.text), *rest)
    return ()


def boundaries(record: nd.Record) -> list[nd.Record]:
    """What a finished game's record was after each of its steps, from the first to the last."""
    steps = again(record).steps(None)
    unfinished = [
        replace(record, moves=write(steps[:n]), result="*", reason="") for n in range(len(steps))
    ]
    return [*unfinished, record]


def told(record: nd.Record) -> list[str]:
    """What a table says after each step of a finished game, to whoever is addressed as "you"."""
    match = again(record)
    seen = {viewer: match.steps(viewer) for viewer in (None, *nd.Seat)}
    return [step_told(match, n, seen) for n in range(len(seen[None]))]


def step_told(
    match: AnyMatch,
    n: int,
    seen: Mapping[nd.Seat | None, tuple[Step[Hashable, Hashable, Hashable], ...]],
) -> str:
    """What is said after one step."""
    before = seen[None][n].before
    turn = match.game.turn(before)
    deciding = list(turn.options) if isinstance(turn, nd.Decision) else []
    mover = deciding[0] if len(deciding) == 1 else match.game.drawer(before)
    viewer = mover if mover is not None and match.players[mover].who == "human" else None
    step = seen[viewer][n]
    said = match.game.tell(step.before, step.moves, step.after, viewer)
    return "".join(f"{line}\n" for line in said)
