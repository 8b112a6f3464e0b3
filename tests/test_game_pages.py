"""docs/games/ says and shows what the solver says."""

from __future__ import annotations

import json
import re
from itertools import product
from math import comb, prod
from pathlib import Path

import pytest

import number_duels as nd
import write_game_pages
from number_duels.core.history import History
from number_duels.games import number_stack_showdown as stack
from tests.documented import DOCUMENTED
from tests.trainer.game_laws import LAWS

MODULES = {name: write_game_pages.module(name) for name in write_game_pages.NAMES}

KNOWN = json.loads(write_game_pages.DATA.read_text(encoding="utf-8"))
QUICK = "number-bid"
PICTURE = re.compile(r"!\[.+\]\(\.\./pictures/(game-.+)\)")
#: The colours and words of a drawing; other versions of Matplotlib place them a little differently.
SHOWN = re.compile(r"fill: (#\w+)|>([^<>\n]+)</text>")
RUN = "run: python scripts/write_game_pages.py"


def page(name: str) -> str:
    path: Path = write_game_pages.PAGES / f"{name.replace('-', '_')}.md"
    return path.read_text(encoding="utf-8")


def test_every_documented_game_has_a_page() -> None:
    assert set(write_game_pages.NAMES) == set(KNOWN) == set(DOCUMENTED)


@pytest.mark.parametrize("name", KNOWN)
def test_a_page_is_what_its_figures_say(name: str) -> None:
    assert page(name) == write_game_pages.page(name, KNOWN[name]), RUN


@pytest.mark.parametrize("name", KNOWN)
def test_every_picture_is_drawn_from_these_figures_and_shown(name: str) -> None:
    shown = set(PICTURE.findall(page(name)))
    drawn = {path.name: path for path in write_game_pages.PICTURES.glob(f"game-{name}-*.svg")}
    assert shown == set(drawn) != set()
    for path in drawn.values():
        digest = write_game_pages.digest(name, KNOWN[name])
        assert digest in path.read_text(encoding="utf-8"), RUN


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_every_picture_shows_what_would_be_drawn_now(name: str, tmp_path: Path) -> None:
    write_game_pages.draw(name, KNOWN[name], tmp_path)
    for path in tmp_path.iterdir():
        kept = (write_game_pages.PICTURES / path.name).read_text(encoding="utf-8")
        now = path.read_text(encoding="utf-8")
        assert SHOWN.findall(now) == SHOWN.findall(kept), RUN
        assert SHOWN.findall(now)


@pytest.mark.parametrize("name", KNOWN)
def test_a_page_states_laws_that_are_checked(name: str) -> None:
    assert set(MODULES[name].LAWS) <= set(LAWS[name])


@pytest.mark.parametrize("name", KNOWN)
def test_the_game_that_is_told_is_a_game(name: str) -> None:
    game = MODULES[name].GAME
    assert game == nd.load(name)
    assert History.read(game, game.start(), KNOWN[name]["worked"]["moves"]).outcome


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != QUICK)) for name in KNOWN]
)
def test_the_figures_are_what_the_solver_says(name: str) -> None:
    found = json.loads(json.dumps(write_game_pages.facts(name)))
    assert found == KNOWN[name], f"{RUN} --solve {name}"


# ---- house rules -----------------------------------------------------------------


def test_house_rules_are_told_where_they_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house_rules.json"
    monkeypatch.setattr(write_game_pages, "HOUSE_RULES", path)
    assert list(write_game_pages.house_rules("number-knot")) == []
    command = "duels play knot --set life=12"
    rule = {"settings": {"life": 12}, "command": command, "why": "Nobody wins at once."}
    path.write_text(json.dumps({"recommended": {"number-knot": [rule]}}), encoding="utf-8")
    told = "\n".join(write_game_pages.house_rules("number-knot"))
    assert f"- `{command}`: Nobody wins at once." in told.splitlines()
    assert "(../house_rules.md)" in told
    assert list(write_game_pages.house_rules("number-bid")) == []


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
    from game_pages.stack_totals import totals

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
