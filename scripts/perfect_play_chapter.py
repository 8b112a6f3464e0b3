"""The last chapter of docs/solutions.md: which of several perfect ways to play is meant."""

from __future__ import annotations

from collections.abc import Iterator

from audit_strategies import GAMES, Audit
from measure_proper import Figures
from number_duels.games import find

WHO = ("random", "level:1", "level:2", "level:3", "level:4", "level:5")

HEAD = """
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

AUDIT_HEAD = f"""
## What an audit finds

In {GAMES} games between `level:2` players: how many decisions cost more or less by the choice of
the opponent's equilibrium, which is a matter of the game; how many moves that cost nothing are in
no equilibrium; how many won positions have a move that costs nothing and does not keep the win.
What equilibria play is found by linear programs that know nothing of the solver
(`scripts/audit_strategies.py`).

| game | cost depends | free, in no equilibrium | won, with an unsafe free move |
|---|---|---|---|"""

LUCK_HEAD = """
Number Bid has no cards, and perfect play never has to mix there: between perfect players there is
no luck at all. What is left between others is made by mistakes. Where both go wrong in the same
turn neither is punished as its move deserved, and where one does, the other may hold the value
by a move that happens not to punish. The mean size of luck in a game, and the luck of turns in
which nobody, one or both went wrong, added up without regard to its direction:

| game | luck | nobody | one | both |
|---|---|---|---|---|"""

PLAYERS_HEAD = f"""
The mean size of luck in {GAMES} games of two equal players:

| game | perfect | level:5 | level:4 | level:3 | level:2 | level:1 | random |
|---|---|---|---|---|---|---|---|"""


def perfect_play_chapter(proper: Figures, audit: Audit) -> Iterator[str]:
    ranges = ", ".join(
        f"from {low:.3f} to {high:.3f} at {find(name).title}"
        for name, (low, high) in proper["ties"].items()
    )
    yield HEAD.replace("TIES", ranges)
    for lost in proper["lost"]:
        scores = " | ".join(f"{lost['now'][who]:.3f}" for who in WHO)
        after = f"`{lost['moves']}`" if lost["moves"] else "(the start)"
        yield f"| {find(lost['game']).title} | {after} | {scores} |"
    yield from audit_chapter(audit)


def audit_chapter(audit: Audit) -> Iterator[str]:
    judged = [(f"| {find(name).title} |", shares) for name, shares in audit["now"].items()]
    yield AUDIT_HEAD
    for row, s in judged:
        yield f"{row} {s['depends']}% | {s['free']}% | {s['unsafe']}% |"
    yield LUCK_HEAD
    for row, s in judged:
        figures = " | ".join(f"{part:.3f}" for part in (s["luck"], *s["luck_by_mistakes"]))
        yield f"{row} {figures} |"
    yield PLAYERS_HEAD
    for name, by_player in audit["luck"].items():
        figures = " | ".join(f"{luck:.3f}" for luck in by_player.values())
        yield f"| {find(name).title} | {figures} |"
