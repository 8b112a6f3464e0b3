"""Solutions without NumPy: those that the page ships give the figures that NumPy gives."""

from __future__ import annotations

import gzip
import sys
import typing
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

import number_duels as nd
import write_page_solutions
from number_duels import Chance, Decision, Outcome, Seat, solve
from number_duels.core.game import AnyGame
from number_duels.core.history import History
from number_duels.core.randomness import sample
from number_duels.games import as_game
from number_duels.games.number_bid import NumberBid
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.review.position import AnySolution
from number_duels.sessions.scene_tables import hint_of
from number_duels.solvers import cache, kernels
from number_duels.solvers.code_table import PlainCodeTable
from number_duels.solvers.induction import Induction
from number_duels.solvers.kernels import number_stack_showdown_plain
from number_duels.solvers.kernels.number_stack_showdown_plain import PlainKernel
from number_duels.solvers.solver import method_for
from number_duels.trainer.book import Learner
from number_duels.trainer.drills import Drills, Scope
from tests.conftest import SLOW
from tests.solvers.helpers import LAYERED, Settings, every_state, silent

SHIPPED: list[tuple[str, Settings]] = [
    ("high-low-battle", {}),
    ("number-bid", {}),
    ("number-drop", {}),
    ("number-drop", {"first": 2}),
    ("number-knot", {}),
    ("number-knot", {"first": 2}),
]
POSITIONS = 20_000 if SLOW else 300
STACK = "number-stack-showdown"


@contextmanager
def without_numpy() -> Iterator[None]:
    """NumPy cannot be imported, nor can a kernel that needs it."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(sys.modules):
            if name.startswith(f"{kernels.__name__}."):
                patch.delitem(sys.modules, name)
        patch.setitem(sys.modules, "numpy", None)
        yield


@pytest.fixture(scope="module")
def page_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the files that the page ships, and no other."""
    names = {name for name, _ in SHIPPED}
    return unpacked({*names, STACK} if SLOW else names, tmp_path_factory.mktemp("cache"))


def unpacked(names: set[str], folder: Path) -> Path:
    solutions = folder / "number-duels" / "solutions"
    solutions.mkdir(parents=True)
    for file in write_page_solutions.write(folder, names):
        (solutions / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
    return folder


@contextmanager
def on_the_page(page_cache: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, without_numpy():
        patch.setenv("XDG_CACHE_HOME", str(page_cache))
        yield


def open_shipped(game: AnyGame) -> AnySolution:
    solution = solve(game)
    assert solution.tables.method.identity.split()[0] in ("layers", "early")
    assert solution.cached
    return solution


def positions(game: AnyGame, count: int) -> list[object]:
    """Positions of games between random players."""
    rng, found = Random(0), list[object]()
    while len(found) < count:
        state = game.start(rng)
        while not isinstance(turn := game.turn(state), Outcome):
            if isinstance(turn, Chance):
                state = game.drawn(state, sample(turn.odds, rng))
                continue
            found.append(state)
            moves = {seat: rng.choice(options) for seat, options in turn.options.items()}
            state = game.resolve(state, moves)
    return found


def figures(solution: AnySolution, state: object) -> list[float]:
    turn, found = solution.game.turn(state), [solution.value(state)]
    assert isinstance(turn, Decision)
    for seat in turn.options:
        for of_moves in (solution.values, solution.strategy, solution.guarantees):
            found += of_moves(state, seat).values()
    return found


def test_number_bid_has_the_same_value_in_every_position(page_cache: Path) -> None:
    game: AnyGame = as_game("number-bid")
    states = [*every_state(game)]
    wanted = [*map(solve(game).value, states)]
    with on_the_page(page_cache):
        found = [*map(open_shipped(game).value, states)]
    assert len(states) == 39_993
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("name", "settings"), SHIPPED)
def test_all_figures_are_those_of_numpy(name: str, settings: Settings, page_cache: Path) -> None:
    game: AnyGame = nd.load(name, **settings)
    solution, states = solve(game), positions(game, POSITIONS)
    if SLOW:
        solution.open_arrays()  # computes whole layers of strategies
        states += every_state(game) if name == "number-bid" else []
    compare(solution, states, page_cache)


def compare(solution: AnySolution, states: Sequence[object], page_cache: Path) -> None:
    wanted = [figures(solution, state) for state in states]
    with on_the_page(page_cache):
        plain = open_shipped(solution.game)
        found = [figures(plain, state) for state in states]
    for state, expected, actual in zip(states, wanted, found, strict=True):
        assert actual == pytest.approx(expected, abs=1e-9), state


@pytest.mark.slow
def test_the_largest_game_has_the_same_figures(page_cache: Path) -> None:
    name: str = STACK
    game: AnyGame = nd.load(name)
    compare(solve(game), positions(game, 100), page_cache)


@pytest.mark.parametrize("early", [0, 2, 7])
@pytest.mark.parametrize(
    "settings",
    [
        {"target": 9, "highest": 4, "copies": 2},
        {"target": 12, "highest": 4, "copies": 3, "first": 2},
        {"target": 15, "highest": 5, "copies": 2},
        {"target": 20, "highest": 4, "copies": 2},  # the deck can run out
    ],
)
def test_plain_python_solves_small_decks(
    settings: Settings, early: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(number_stack_showdown_plain, "EARLY_CARDS", early)
    game = NumberStackShowdown(**settings)  # type: ignore[arg-type]  # some settings are words
    plain, wanted = PlainKernel(game, 0, ""), Induction(game)
    tables, expected = plain.solve(silent), wanted.solve(silent)
    assert tables.states == expected.states
    for state in every_state(game):
        value = wanted.value(state, expected.sections)
        assert plain.value(state, tables.sections) == pytest.approx(value, abs=1e-9), state


def test_a_large_deck_needs_its_table() -> None:
    with without_numpy(), pytest.raises(ValueError, match="run pip install 'number-duels"):
        solve(nd.load(STACK), cache=False)


@pytest.mark.parametrize(("name", "settings"), SHIPPED)
def test_hints_drills_and_computer_players_are_those_of_numpy(
    name: str, settings: Settings, page_cache: Path
) -> None:
    game: AnyGame = nd.load(name, **settings)

    def told() -> tuple[object, str, list[str]]:
        start = History(game, game.start())
        assert isinstance(start.turn, Decision)
        hint = hint_of(solve(game), start, min(start.turn.options))
        drill = Drills(solve(game)).draw(Scope(), Learner(), Random(7))
        games = []
        for seed in range(5):
            match = nd.Match(game, seed=seed)
            one, two = nd.player("level:3", game), nd.player("perfect", game)
            nd.play_match(match, {Seat.ONE: one, Seat.TWO: two})
            games.append(match.record.moves)
        return hint, drill.spot.id, games

    wanted = told()
    with on_the_page(page_cache):
        assert told() == wanted


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(("name", "settings"), LAYERED)
def test_either_reads_what_the_other_has_solved(name: str, settings: Settings) -> None:
    game: AnyGame = nd.load(name, **settings)
    states = [*every_state(game)]
    with without_numpy():
        plain = solve(game)
    quick = solve(game)
    assert (plain.cached, quick.cached) == (False, True)
    assert (plain.states, quick.states) == (len(states), len(states))
    values = [*map(solve(game, cache=False).value, states)]
    assert [*map(quick.value, states)] == pytest.approx(values, abs=1e-9)
    for file in cache.solutions_folder().iterdir():
        file.unlink()
    solve(game)
    with without_numpy():
        again = solve(game)
    assert again.cached
    assert [*map(again.value, states)] == pytest.approx(values, abs=1e-9)


def test_a_large_table_of_few_states_is_not_made_without_numpy() -> None:
    game = nd.load("high-low-battle", cards=13, rounds=1)
    with without_numpy():
        assert not isinstance(method_for(game), PlainCodeTable)
        assert solve(nd.load("high-low-battle", cards=8, rounds=1), cache=False).value() == 0.0


def test_the_name_of_a_file_depends_on_this_package_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = cache.fingerprint.__wrapped__(NumberBid)
    monkeypatch.setattr(typing, "__file__", "python314.zip/typing.pyc")
    assert cache.fingerprint.__wrapped__(NumberBid) == expected is not None
