"""The library as people expect it: usual calls work, and mistakes are answered in a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.history import History
from tests.documented import DOCUMENTED
from tests.some_games import SOME_GAMES

GAMES = pytest.mark.parametrize("name", SOME_GAMES)


USUAL_IMPORTS = (
    "import number_duels.games.number_knot as m; m.NumberKnot",
    "from number_duels.games import number_knot; number_knot.NumberKnot",
    "from number_duels.games.number_knot import NumberKnot",
    "import number_duels.games.number_knot as _, number_duels; number_duels.games.number_knot",
    "import number_duels.games; number_duels.games()",
    "from number_duels import NumberKnot, Solution, Policy, Response, Step, Forfeit, review",
    "import number_duels.review as m; m.review; m.position",
    "import number_duels as nd; assert all(hasattr(nd, name) for name in nd.__all__)",
)
#: Runs statements one after the other, forgetting the package in between.
SCRIPT = """
import sys
for statement in sys.argv[1:]:
    for name in [name for name in sys.modules if name.split(".")[0] == "number_duels"]:
        del sys.modules[name]
    exec(statement, {})
    print(statement)
"""


@pytest.mark.system
def test_every_usual_import_works() -> None:
    script = [sys.executable, "-c", SCRIPT, *USUAL_IMPORTS]
    run = subprocess.run(script, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == list(USUAL_IMPORTS)


def test_a_text_is_taken_as_the_move_that_it_spells() -> None:
    match = nd.Match(nd.load("number-knot"), seed=1)
    match.submit(nd.Seat.ONE, "S5")
    match.submit(nd.Seat.TWO, "add 3")
    assert str(match.history) == "S5 A3"


def test_a_text_that_is_no_move_and_one_that_is_closed_are_refused() -> None:
    match = nd.Match(nd.load("number-knot", numbers=2), seed=1)
    with pytest.raises(nd.IllegalMove, match="A move is A or S and a number"):
        match.submit(nd.Seat.ONE, "knight to f3")
    with pytest.raises(nd.IllegalMove, match=r"S9 is not available; .* A1, S1, A2, S2\."):
        match.submit(nd.Seat.ONE, "S9")


def test_a_game_takes_moves_and_says_so_when_it_is_given_text() -> None:
    game = nd.load("number-knot")
    with pytest.raises(nd.IllegalMove, match=r"'S5' is text, .* game\.parse\('S5'\)"):
        game.play(game.start(), {nd.Seat.ONE: "S5"})  # type: ignore[arg-type]  # that is the point


def test_a_kept_choice_is_the_option_and_not_its_text() -> None:
    match = nd.Match(nd.load("number-stack-showdown"), seed=1, deal="7")
    match.draw()
    match.submit(nd.Seat.ONE, "k")
    (move,) = match.history.steps[-1].moves.values()
    assert type(move) is type(match.game.all_moves()[0])


@GAMES
def test_a_copy_goes_its_own_way_with_the_same_cards(name: str) -> None:
    match = nd.Match(nd.load(name), seed=5)
    ahead = match.copy()
    players = {seat: nd.player("random", match.game) for seat in nd.Seat}
    nd.play_match(ahead, players)
    assert str(match.history) == ""
    nd.play_match(match, players)
    assert match.record == ahead.record


def test_a_copy_takes_the_choices_that_wait_with_it() -> None:
    match = nd.Match(nd.load("number-bid"), seed=5)
    match.submit(nd.Seat.ONE, "7")
    ahead = match.copy()
    ahead.submit(nd.Seat.TWO, "6")
    assert str(ahead.history) == "7/6"
    assert match.seats_ready == {nd.Seat.ONE}
    assert str(match.history) == ""


@GAMES
def test_a_record_is_a_match_again(name: str) -> None:
    match = nd.Match(nd.load(name), seed=5)
    nd.play_match(match, {seat: nd.player("random", match.game) for seat in nd.Seat})
    again = match.record.match()
    assert again.state == match.state
    assert again.history == match.history
    assert isinstance(again.history, History)


@pytest.mark.parametrize("part", ["knot", "Number Knot", "number_knot", "NUMBER-KNOT"])
def test_a_game_is_found_by_any_unambiguous_part(part: str) -> None:
    assert nd.load(part) == nd.load("number-knot")


def test_settings_are_given_by_keyword_or_in_parentheses() -> None:
    game = nd.load("number-knot", life=5, numbers=4)
    assert nd.load("knot(life=5, numbers=4)") == nd.load("knot(life=5)", numbers=4) == game
    assert nd.solve("knot", life=5, numbers=4).game == game
    assert nd.solve("knot(life=5,numbers=4)").game == game
    assert nd.Match("knot", seed=1, life=5, numbers=4).game == game
    assert len(list(nd.states("knot", life=5, numbers=4))) == len(list(nd.states(game)))
    expected = nd.exploitability(game, "random")
    assert nd.exploitability("knot", "random", life=5, numbers=4) == expected
    with pytest.raises(ValueError, match="Number Knot has no setting lives; it has first, life"):
        nd.solve("knot", lives=5)
    with pytest.raises(
        ValueError, match=r"^A game object already has settings; pass life to nd.load\.$"
    ):
        nd.Match(game, life=5)


def test_an_ambiguous_part_is_refused() -> None:
    with pytest.raises(ValueError, match=r"could be .*number-bid or .*type more of the name"):
        nd.load("number")


@GAMES
def test_every_state_is_listed_once_by_its_key(name: str) -> None:
    small = {"numbers": 4, "cards": 3, "rounds": 2, "target": 3, "highest": 2, "side": 2}
    known = nd.load(name).describe_settings()
    wanted = {n: value for n, value in small.items() if n in known}
    game = nd.load(name, **wanted) if name in DOCUMENTED else nd.load(name)
    found = list(nd.states(game))
    assert len({key for key, _ in found}) == len(found)
    assert all(game.key(state) == key for key, state in found)
    going_on = sum(1 for _, state in found if not isinstance(game.turn(state), nd.Outcome))
    assert going_on == nd.solve(game).states


def test_a_player_that_is_a_person_or_nobody_is_refused() -> None:
    game = nd.load("knot")
    with pytest.raises(ValueError, match="A human player cannot be used here"):
        nd.player("human", game)
    with pytest.raises(ValueError, match="There is no player 'nobody'"):
        nd.player("nobody", game)
    with pytest.raises(ValueError, match="Player 2 has no player"):
        nd.play_match(nd.Match(game, seed=1), {nd.Seat.ONE: nd.player("random", game)})


def test_what_is_shown_of_a_match_says_what_it_is() -> None:
    match = nd.Match(nd.load("knot"), seed=7)
    match.submit(nd.Seat.ONE, "S5")
    assert repr(match).endswith("seed 7, turn 2: S5>")


@pytest.mark.parametrize("name", nd.games())  # each has its own sentences
def test_rules_are_those_of_the_settings(name: str) -> None:
    for setting, described in nd.load(name).describe_settings().items():
        if setting != "first":
            other = described.choices[-1] if described.choices else described.low + 1
            beside = {"rounds": 1} if setting == "cards" else {}
            assert nd.load(name, **{**beside, setting: other}).rules != nd.load(name).rules, setting


def test_the_target_of_a_stack_is_the_one_that_was_set() -> None:
    rules = nd.load("number-stack-showdown", target=20).rules
    assert "exactly 20" in rules
    assert "50" not in rules


def test_a_users_own_code_has_types() -> None:
    """Run here, and read by the strict type check of all tests."""
    game = nd.load("number-knot", life=20)
    match = nd.Match(game, seed=7)
    life: tuple[int, int] = match.state.life
    players = {seat: nd.player("random", game) for seat in nd.Seat}
    outcome: nd.Outcome = nd.play_match(match, players)
    names: tuple[str, ...] = nd.games()
    value: float = nd.solve(game).value(game.start())
    assert (life, outcome.winner in (*nd.Seat, None)) == ((20, 20), True)
    assert (names[0], value) == ("high-low-battle", 0)
    assert Path(nd.__file__).with_name("py.typed").exists()


HALF = """
from dataclasses import dataclass
from number_duels.core.game import Game

@dataclass(frozen=True)
class HalfGame(Game):
    name = "half-game"
    def start(self, rng=None, deal=None): ...
    def turn(self, state): ...
    def resolve(self, state, moves): ...
"""


def test_a_game_that_lacks_a_method_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_game.py").write_text(HALF, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("number_duels.games.names", lambda: ("half-game",))
    monkeypatch.setattr("number_duels.games._places", lambda: {"half-game": "half_game"})
    said = r"The game half-game \(half_game\) cannot be loaded \(HalfGame lacks key, parse\)\."
    with pytest.raises(ValueError, match=said):
        nd.load("half-game")
