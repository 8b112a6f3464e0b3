"""Guesses an arena's seed, and so predicts what `perfect` will choose: `seer.py GUESS ONE TWO`.

ONE and TWO are the names of the pairing; games are counted as one worker plays them. Each turn
it answers the choice that it predicts. With a wrong guess that is what an honest bot would do
that answers a choice drawn from the strategy of `perfect`.
"""

# ruff: noqa: T201  # a bot answers by printing
from __future__ import annotations

import json
import sys

import number_duels as nd
from number_duels.arena.schedule import Pairing, Schedule
from number_duels.core.game import Decision
from number_duels.core.notation import read
from number_duels.core.randomness import stream
from number_duels.core.record import Person

MAX_PAIRS = 1000
SIGNS = {nd.Seat.ONE: 1, nd.Seat.TWO: -1}


def seeds(game: nd.AnyGame, guess: int, one: str, two: str) -> list[int]:
    """The seeds of all games of the pairing, if the guess is right."""
    people = Person(one, "bot:seer"), Person(two, "perfect")
    schedule = Schedule(people, (game,), MAX_PAIRS, guess)
    return [played.seed for pair in schedule.pairs_of(Pairing(game, *people)) for played in pair]


def answer(game: nd.AnyGame, seat: nd.Seat, seed: int, history: str, turn: int) -> str:
    """The best reply to what the other seat will choose."""
    state, solution = game.start(), nd.solve(game)
    for step in read(game, state, history):
        state = step.after
    odds = solution.strategy(state, seat.other)
    rng = stream(seed, "seat", int(seat.other), turn)
    other = rng.choices(list(odds), list(odds.values()))[0]
    decision = game.turn(state)
    assert isinstance(decision, Decision)

    def value(move: object) -> float:
        after = game.resolve(state, {seat: move, seat.other: other})
        end = game.turn(after)
        if isinstance(end, nd.Outcome):
            return 0 if end.winner is None else 1 if end.winner is seat else -1
        return SIGNS[seat] * solution.value(after)

    return str(max(decision.options[seat], key=value))


def main(guess: str, one: str, two: str) -> None:
    """Play all games."""
    number, known = -1, list[int]()
    game: nd.AnyGame | None = None
    seat = nd.Seat.ONE
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type": "hello", "protocol": 1}', flush=True)
        elif message["type"] == "start":
            new: nd.AnyGame = nd.load(message["game"], **message["settings"])
            game, seat = new, nd.Seat(message["seat"] - 1)
            known = known or seeds(new, int(guess), one, two)
            number += 1
        elif message["type"] == "turn" and game:
            move = answer(game, seat, known[number], message["history"], message["turn"])
            print(json.dumps({"type": "move", "move": move}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
