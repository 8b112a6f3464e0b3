"""Remembers the cards of the first game of a pair in the second: `memory.py NOTES`.

It keeps them in a file, so that a fresh process remembers them too; without the file's name it
forgets. Where it remembers nothing, or sees another card than it remembers, it plays
perfectly; that is also the honest bot of its strategy.
"""

# ruff: noqa: T201  # a bot answers by printing
from __future__ import annotations

import json
import sys
from collections.abc import Hashable
from pathlib import Path

import number_duels as nd
from number_duels.core.game import Chance, Decision
from number_duels.core.notation import read


class Game:
    """One game: its solution, and the cards that are thought to come."""

    def __init__(self, game: nd.AnyGame, seat: nd.Seat, cards: list[str]) -> None:
        self.game, self.seat, self.cards = game, seat, cards
        self.solution = nd.solve(game)

    def plain(self, state: Hashable, seat: nd.Seat) -> Hashable:
        """The likeliest move of perfect play."""
        odds = self.solution.strategy(state, seat)
        return max(odds, key=lambda move: odds[move])

    def answer(self, history: str) -> str:
        """The move that brings most, if the cards that are remembered come."""
        state, seen = self.game.start(), list[str]()
        for step in read(self.game, state, history):
            state = step.after
            seen += [] if step.moves else [step.text]
        if seen != self.cards[: len(seen)]:
            return str(self.plain(state, self.seat))
        decision = self.game.turn(state)
        assert isinstance(decision, Decision)
        options = decision.options[self.seat]
        ahead = self.cards[len(seen) :]
        return str(max(options, key=lambda m: self.value(self.after(state, m), ahead)))

    def after(self, state: Hashable, move: Hashable) -> Hashable:
        decision = self.game.turn(state)
        assert isinstance(decision, Decision)
        (mover,) = decision.options
        return self.game.resolve(state, {mover: move})

    def value(self, state: Hashable, cards: list[str]) -> float:
        """What a state brings, when the cards are known and the other does not know them."""
        turn = self.game.turn(state)
        if isinstance(turn, nd.Outcome):
            return 0 if turn.winner is None else 1 if turn.winner is self.seat else -1
        if isinstance(turn, Chance):
            event = next((e for e in turn.odds if cards and str(e) == cards[0]), None)
            if event is None:
                return (1, -1)[self.seat] * self.solution.value(state)
            return self.value(self.game.drawn(state, event), cards[1:])
        (mover,) = turn.options
        moves = turn.options[mover] if mover is self.seat else (self.plain(state, mover),)
        return max(self.value(self.after(state, move), cards) for move in moves)


def main(notebook: Path | None) -> None:
    """Play all games; the first of each pair teaches the cards of the second."""
    number, history = 0, ""
    playing: Game | None = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type": "hello", "protocol": 1}', flush=True)
        elif message["type"] == "start":
            notes = notebook.read_text().splitlines() if notebook and notebook.exists() else []
            number = len(notes)
            game = nd.load(message["game"], **message["settings"])
            cards = notes[-1].split() if number % 2 else []
            playing = Game(game, nd.Seat(message["seat"] - 1), cards)
        elif message["type"] == "turn":
            assert playing
            history = message["history"]
            move = playing.answer(history)
            print(json.dumps({"type": "move", "move": move}), flush=True)
        elif message["type"] == "end" and notebook and playing:
            drawn = [card.rstrip("kg") for card in history.split()]
            with notebook.open("a") as file:
                file.write(" ".join(drawn) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
