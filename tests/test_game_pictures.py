"""The pictures of the games' pages show what the solver says."""

from __future__ import annotations

import json
from itertools import product
from math import comb, prod

import pytest

import draw_game_pictures
import number_duels as nd
from number_duels.games import number_stack_showdown as stack
from tests.documented import DOCUMENTED, ROOT

KNOWN = json.loads(draw_game_pictures.DATA.read_text(encoding="utf-8"))
QUICK = "number-bid"
RUN = "run: python scripts/draw_game_pictures.py"


def test_every_documented_game_has_a_page() -> None:
    assert set(draw_game_pictures.NAMES) == set(KNOWN) == set(DOCUMENTED)


@pytest.mark.parametrize("name", KNOWN)
def test_every_picture_is_drawn_from_these_figures(name: str) -> None:
    drawn = list(draw_game_pictures.PICTURES.glob(f"game-{name}-*.svg"))
    assert drawn
    for path in drawn:
        digest = draw_game_pictures.digest(name, KNOWN[name])
        assert digest in path.read_text(encoding="utf-8"), RUN


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != QUICK)) for name in KNOWN]
)
def test_the_figures_are_what_the_solver_says(name: str) -> None:
    found = json.loads(json.dumps(draw_game_pictures.facts(name)))
    assert found == KNOWN[name], f"{RUN} --solve {name}"


def test_the_page_of_number_stack_showdown_has_these_shares() -> None:
    page = (ROOT / "docs" / "games" / "number_stack_showdown.md").read_text(encoding="utf-8")
    shares = {
        name: round(share) for name, share in KNOWN["number-stack-showdown"]["regions"].items()
    }
    shares["to own forties"] = 100 - shares["to own forties"]
    assert shares.pop("both below 20") < 1
    assert [name for name, share in shares.items() if f"{share}%" not in page] == []


# ---- the map of Number Stack Showdown --------------------------------------------


def ways_to_lie(game: stack.NumberStackShowdown, *totals: int) -> dict[stack.State, int]:
    """Every two stacks with these totals, and in how many ways single cards make them."""
    found: dict[stack.State, int] = {}
    pairs = [(a, b) for a in range(game.copies + 1) for b in range(game.copies + 1 - a)]
    for counts in product(pairs, repeat=game.highest):
        stacks = tuple(
            tuple(n for n, count in enumerate(counts, 1) for _ in range(count[seat]))
            for seat in nd.Seat
        )
        if tuple(map(sum, stacks)) == totals:
            laid = sum(map(len, stacks))
            one, two = stacks if laid % 2 == 0 else stacks[::-1]  # the first total is the mover's
            ways = prod(comb(game.copies, a) * comb(game.copies - a, b) for a, b in counts)
            found[stack.State((one, two), nd.Seat(laid % 2))] = ways
    return found


@pytest.mark.slow
def test_the_map_counts_every_way_in_which_cards_can_lie() -> None:
    from game_pictures.stack_totals import totals

    game = stack.NumberStackShowdown(target=33, highest=4, copies=4)
    solution, card, own, other = nd.solve(game), stack.Card(3), 10, 12
    found = totals(solution)
    positions = given = gain = 0.0
    for state, ways in ways_to_lie(game, own, other).items():
        left = game.deck(state)[card.number - 1]
        if left:
            values = solution.values(game.drawn(state, card), state.mover)
            more = values[stack.Choice.GIVE] - values[stack.Choice.KEEP]
            positions += ways * left
            given += ways * left * (more > 0)
            gain += ways * left * more
    at = card.number - 1, own, other
    assert found.positions[at] == positions > 1000
    assert found.given[at] == given
    assert found.gain[at] == pytest.approx(gain)
