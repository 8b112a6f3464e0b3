"""Solve every game with its default settings and with others: docs/data/solutions.json.

    python scripts/measure_solutions.py         # all games: some minutes
    python scripts/measure_solutions.py NAME    # only one game, which may be new

`make test` checks the figures of the quickest games, `make test-all` all of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import TypedDict

import number_duels as nd
from number_duels.games import find
from number_duels.review import examine
from number_duels.review.position import AnySolution, snap_to_integer
from number_duels.solvers import Unsolvable, solve

ROOT = Path(__file__).parent.parent
DATA = ROOT / "docs" / "data" / "solutions.json"
#: How far below and above its default a setting is tried.
BELOW, ABOVE = 4, 1


class Move(TypedDict):
    """One option of the first turn; `after` is what was drawn before it, if anything."""

    after: str
    move: str
    value: float
    probability: float


class House(TypedDict):
    """What a house rule makes of a game: its value, and the best first move in words."""

    value: float
    first: str


class Facts(TypedDict):
    """What the page says about one game."""

    value: float
    states: int
    opening: list[Move]
    settings: dict[str, dict[str, House]]


# ---- the figures ---------------------------------------------------------------


def facts(name: str) -> Facts:
    """Solve a game, and every house rule near the usual ones."""
    game = nd.load(name)
    solution: AnySolution = solve(game)
    return {
        "value": figure(solution.value(game.start())),
        "states": solution.states,
        "opening": list(opening(solution)),
        "settings": house_rules(name),
    }


def opening(solution: AnySolution) -> Iterator[Move]:
    """The options of who begins (Player 1, where both do), after each card if one is drawn."""
    game, start = solution.game, solution.game.start()
    turn = game.turn(start)
    states: dict[str, Hashable] = {"": start}
    if isinstance(turn, nd.Chance):
        states = {str(event): game.drawn(start, event) for event in turn.odds}
    for after, state in states.items():
        options = examine(solution, state).options
        for option in options[min(options)]:
            yield {
                "after": after,
                "move": option.move,
                "value": figure(option.value),
                "probability": figure(option.probability),
            }


def house_rules(name: str) -> dict[str, dict[str, House]]:
    """The game with other settings, one changed at a time."""
    found: dict[str, dict[str, House]] = {}
    for setting, described in find(name).describe_settings().items():
        tried = list(described.choices) or near(described.default, described.low, described.high)
        found[setting] = {}
        for value in tried:
            try:
                game = nd.load(name, **{setting: value})
                solution: AnySolution = solve(game)
            except Unsolvable:
                continue
            except ValueError:
                continue  # out of range beside the other defaults
            found[setting][str(value)] = {
                "value": figure(solution.value(game.start())),
                "first": best_first(list(opening(solution))),
            }
    return found


def near(default: int | str, low: int, high: int | str) -> list[int | str]:
    """Values around a default, inside the range."""
    assert isinstance(default, int)
    top = default + ABOVE if isinstance(high, str) else min(high, default + ABOVE)
    return list(range(max(low, default - BELOW), top + 1))


def figure(value: float) -> float:
    """A figure as it is kept: the last digits of an approximation are not facts."""
    return snap_to_integer(round(value, 6)) + 0.0


def best_first(moves: list[Move]) -> str:
    """The first move of perfect play, or what it does with each card."""
    if any(move["after"] for move in moves):
        chosen = {m["after"]: m["move"] for m in moves if m["probability"] == 1}
        if len(set(chosen.values())) == 1:
            return f"With every card: {next(iter(chosen.values()))}."
        return "By the card: " + ", ".join(f"{card}: {move}" for card, move in chosen.items()) + "."
    mixed = [m for m in moves if 0 < m["probability"] < 1]
    if mixed:
        odds = ", ".join(f"{m['move']} ({m['probability']:.1%})" for m in mixed)
        return f"A mixed strategy: {odds}."
    top = max(move["value"] for move in moves)
    best = [move["move"] for move in moves if move["value"] == top]
    if len(best) == len(moves):
        return "They are all equally good."
    others = f"; as good: {', '.join(best[1:])}" if len(best) > 1 else ""
    return f"{best[0]}{others}."


def main() -> None:
    """Write the figures."""
    known = json.loads(DATA.read_text(encoding="utf-8"))
    for name in sys.argv[1:] or list(known):
        known[name] = facts(name)
        print(name, known[name]["value"])
    DATA.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
