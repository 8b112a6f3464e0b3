"""Write docs/solutions.md from the solver's own output.

    python scripts/write_solutions.py            # the page, from the kept figures
    python scripts/write_solutions.py --solve    # work the figures out again first: some minutes
    python scripts/write_solutions.py --solve NAME    # only those of one game, which may be new

The figures are kept in docs/data/solutions.json. `make test` checks that the page is what
they say, `make test-all` that they are what the solver says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import TypedDict

import number_duels as nd
from measure_proper import Figures
from number_duels.games import find
from number_duels.players.calibration import error_rates
from number_duels.players.registry import known_loss
from number_duels.review import examine
from number_duels.review.position import AnySolution, snap_to_integer
from number_duels.solvers import Unsolvable, solve

ROOT = Path(__file__).parent.parent
DATA = ROOT / "docs" / "data" / "solutions.json"
PROPER = ROOT / "docs" / "data" / "proper.json"
PAGE = ROOT / "docs" / "solutions.md"
#: How far below and above its default a setting is tried.
BELOW, ABOVE = 4, 1
WHO = ("random", "level:1", "level:2", "level:3", "level:4", "level:5")


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


# ---- the page ------------------------------------------------------------------

HEAD = """\
# What perfect play looks like

Every game is solved exactly, so these are facts, not opinions. A value is Player 1's
expected result if both play perfectly: 1 is a certain win, 0 even, -1 a certain loss; a
value of 0.02 is a winning chance of 51%. Each game's page says why it is so, with pictures.
`duels analyze GAME` answers for any position, and [reviews.md](reviews.md) says how moves are
graded. Made by `scripts/write_solutions.py` from the solver's own output.

| game | value | who is ahead | best first move | states |
|---|---|---|---|---|
"""
SETTINGS_HEAD = """
## With other settings

One setting changed at a time, and the first move of perfect play then. Which of them make a
game fair is on the page of [fair house rules](house_rules.md).
"""
LEVEL_HEAD = """
## How strong the computer players are

`random` always plays at random. `level:1` to `level:5` do so on a share of their turns and play
perfectly on the others. The share depends on the game, so that the levels divide the way from
`random` to `perfect` into six equal steps. What each loses to perfect play in a game, on average
over both seats, and that share, computed exactly from the solutions
(`scripts/measure_scores.py`). To lose 2 would be to turn every won game into a lost one. In a game
of your own, or a package's, the levels play 1/2, 1/3, 1/4, 1/6 and 1/12 of their turns at random.

| game | random | level:1 | level:2 | level:3 | level:4 | level:5 |
|---|---|---|---|---|---|---|
"""


def page(known: dict[str, Facts], proper: Figures) -> str:
    """The whole document."""
    text = HEAD
    for name, one in known.items():
        ahead = "nobody" if not one["value"] else f"Player {1 if one['value'] > 0 else 2}"
        first, states = best_first(one["opening"]), f"{one['states']:,}"
        text += f"| {link(name)} | {one['value']:+.4f} | {ahead} | {first} | {states} |\n"
    text += SETTINGS_HEAD
    for name, one in known.items():
        text += f"\n### {find(name).title}\n\n" + "\n".join(settings_table(one)) + "\n"
    text += LEVEL_HEAD
    for name in known:
        text += f"| {find(name).title} | {' | '.join(losses(name))} |\n"
    return text + "\n".join(perfect_play_chapter(proper)) + "\n"


def losses(name: str) -> Iterator[str]:
    """What `random` and each level lose to perfect play, and how often a level slips."""
    game = nd.load(name)
    for who, share in error_rates(game).items():
        if who != "perfect":
            slips = f" ({share:.1%})" if share < 1 else ""
            yield f"{known_loss(who, game):.3f}{slips}"


def link(name: str) -> str:
    """A game's title, which leads to its page."""
    return f"[{find(name).title}](games/{name.replace('-', '_')}.md)"


def settings_table(one: Facts) -> Iterator[str]:
    """What each house rule makes of a game."""
    yield "| setting | value of the game | best first move |"
    yield "|---|---|---|"
    for setting, houses in one["settings"].items():
        for choice, house in houses.items():
            yield f"| `{setting}={choice}` | {house['value']:+.4f} | {house['first']} |"


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
        return f"A secret mixture: {odds}."
    top = max(move["value"] for move in moves)
    best = [move["move"] for move in moves if move["value"] == top]
    if len(best) == len(moves):
        return "They are all equally good."
    others = f"; as good: {', '.join(best[1:])}" if len(best) > 1 else ""
    return f"{best[0]}{others}."


# ---- the last chapter: which of several perfect ways to play is meant ----------

PERFECT_HEAD = """
## Which perfect play

Several ways to play can be perfect: against a perfect opponent they bring the same, against
mistakes they do not. Wherever a figure on this page depends on it, this is the one:

- Where both choose at once, the mixture that is optimal and gains most from whatever else the
  opponent plays: a *proper* equilibrium, found by Dresher's procedure. Among mixtures that are
  equal against every reply, the one that brings most against an opponent who plays at random
  from here on. So a move costs nothing exactly if some equilibrium plays it, and a lost side
  keeps setting problems.
- Where one seat decides, a best move after which the opponent has the most ways to go wrong.
  What `random` loses depends on that choice. Over all perfect ways to play it is anything
  TIES.

What perfect play scores as Player 2, exactly (a win 1, a loss -1). But for the start, all
positions of the first four games are lost; so is the start of Number Drop. In Number Stack
Showdown hardly anything is lost for certain: there Player 2 is far behind, and can expect -0.549.

| game | after | random | level:1 | level:2 | level:3 | level:4 | level:5 |
|---|---|---|---|---|---|---|---|"""


def perfect_play_chapter(proper: Figures) -> Iterator[str]:
    ranges = ", ".join(
        f"from {low:.3f} to {high:.3f} at {find(name).title}"
        for name, (low, high) in proper["ties"].items()
    )
    yield PERFECT_HEAD.replace("TIES", ranges)
    for lost in proper["lost"]:
        scores = " | ".join(f"{lost['scores'][who]:.3f}" for who in WHO)
        after = f"`{lost['moves']}`" if lost["moves"] else "(the start)"
        yield f"| {find(lost['game']).title} | {after} | {scores} |"


def main() -> None:
    """Write the page."""
    known, proper = (json.loads(path.read_text(encoding="utf-8")) for path in (DATA, PROPER))
    if sys.argv[1:2] == ["--solve"]:
        for name in sys.argv[2:] or list(known):
            known[name] = facts(name)
            print(name, known[name]["value"])
        known = dict(sorted(known.items()))
        DATA.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(known, proper), encoding="utf-8")


if __name__ == "__main__":
    main()
