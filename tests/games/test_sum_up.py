"""One short sentence for a turn is true: who did what, who got what, who won."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.history import History

TOLD = [
    ("high-low-battle", {}, "8/4", "8 beats 4: Player 1 +1."),
    ("high-low-battle", {}, "4/8", "8 beats 4: Player 2 +1."),
    ("high-low-battle", {}, "5/5", "Both play 5: nobody scores."),
    (
        "high-low-battle",
        {},
        "8/4 5/5",
        "Both play 5: Player 2 had less before, 4 to 8, +2.",
    ),
    ("high-low-battle", {"rounds": 1}, "2/1", "2 beats 1: Player 1 +1 and wins."),
    ("number-bid", {}, "8/4", "8 beats 4: Player 1 +12."),
    ("number-bid", {}, "2/9", "9 beats 2: Player 2 +11."),
    ("number-bid", {}, "7/7", "Both bid 7: nobody scores."),
    ("number-knot", {}, "S5", "Player 1 subtracts 5 from Player 2."),
    ("number-knot", {}, "S5 A3", "Player 2 adds 3 to their own life total."),
    ("number-knot", {}, "S5 A3 S9", "Player 1 subtracts 9 from Player 2 and wins."),
    ("number-stack-showdown", {}, "7", "Player 1 drew a 7."),
    ("number-stack-showdown", {}, "7k", "Player 1 keeps 7 (total 7)."),
    ("number-stack-showdown", {}, "7g", "Player 1 gives 7 to Player 2 (total 7)."),
    ("number-stack-showdown", {"target": 7}, "7k", "Player 1 keeps 7 (total 7) and wins."),
    ("number-drop", {}, "2+1", "Player 1 strikes 3 with 2 + 1."),
    ("number-drop", {}, "9-8", "Player 1 strikes 1 with 9 - 8."),
    ("number-drop", {}, "9+8", "Player 1 strikes nothing with 9 + 8."),
]


@pytest.mark.parametrize(("name", "settings", "moves", "said"), TOLD)
def test_a_turn_is_summed_up(name: str, settings: dict[str, int], moves: str, said: str) -> None:
    game = nd.load(name, **settings)
    step = History.read(game, game.start(), moves).steps[-1]
    assert game.sum_up(step.before, step.moves, step.after) == said
