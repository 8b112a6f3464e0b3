"""Solutions that are kept: opened again, never trusted when damaged, never in anybody's way."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from itertools import product
from math import prod
from pathlib import Path

import pytest

import number_duels as nd
from number_duels import load
from number_duels.games.number_bid import NumberBid
from number_duels.games.number_stack_showdown import NumberStackShowdown
from number_duels.solvers import cache, solve
from number_duels.solvers.cache import cached_solutions as cached
from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel
from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache
from tests.solvers import toys
from tests.solvers.helpers import every_state

pytestmark = pytest.mark.usefixtures("own_cache")

GAME = NumberBid(numbers=6)


def kept() -> list[Path]:
    """The files on the shelf."""
    return sorted(cache.solutions_folder().iterdir())


def values() -> list[float]:
    """All values of the game, without a shelf."""
    solution = solve(GAME, cache=False)
    return [solution.value(state) for state in every_state(GAME)]


def test_a_solution_is_opened_again() -> None:
    first, second = solve(GAME), solve(GAME)
    assert (first.cached, second.cached) == (False, True)
    assert first.states == second.states
    assert [second.value(state) for state in every_state(GAME)] == values()
    assert len(kept()) == 1


def test_it_lies_under_the_xdg_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        cache.solutions_folder()
        == Path(os.environ["XDG_CACHE_HOME"]) / "number-duels" / "solutions"
    )
    monkeypatch.setenv("HOME", "/somewhere")
    for ignored in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert cache.solutions_folder() == Path("/somewhere/.cache/number-duels/solutions")


def test_without_cache_nothing_is_written() -> None:
    solve(GAME, cache=False)
    assert not cache.solutions_folder().exists()


def test_other_settings_lie_beside_it() -> None:
    solve(GAME)
    assert not solve(NumberBid(numbers=5)).cached
    assert len(kept()) == 2
    assert solve(GAME).cached


def test_who_moves_first_needs_no_file_of_its_own() -> None:
    game = load("number-knot", numbers=4)
    other = load("number-knot", numbers=4, first=2)
    value = solve(game).value(game.start())
    solution = solve(other)
    assert solution.cached
    assert solution.value(other.start()) == -value


def test_how_much_would_be_added_is_known_before() -> None:
    for name in ("number-bid", "number-knot"):
        game = load(name, numbers=4)
        expected = bytes_to_cache(game)
        solution = solve(game)
        size = max(file.stat().st_size for file in kept())
        assert 0.5 * size < expected <= size
        assert solution.states
        assert bytes_to_cache(game) == 0
        for file in kept():
            file.unlink()


def test_a_table_of_stacks_has_an_entry_for_each_set_and_each_split_of_it() -> None:
    kernel = Kernel(NumberStackShowdown(target=12, highest=4, copies=3))
    splits = 0
    for counts in product(*map(range, kernel.digits)):
        total = sum(card * count for card, count in enumerate(counts, 1))
        splits += sum(own < 12 and total - own < 12 for own in range(total + 1))
    assert kernel.table_bytes() == 4 * (prod(kernel.digits) + splits)


def test_the_usual_large_game_is_announced_and_the_others_are_not() -> None:
    large = {name for name in nd.games() if bytes_to_cache(load(name)) > LARGE_CACHE_BYTES}
    assert large == {"number-stack-showdown"}


def test_a_list_tells_what_each_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(GAME)
    solution.open_arrays()
    solve(toys.CoinFlip())
    (cache.solutions_folder() / "leftover").write_bytes(b"NDUELS")
    found = {(file.kind, file.game, file.settings, file.outdated): file for file in cached()}
    assert found.keys() == {
        ("solution", "number-bid", "numbers=6", False),
        ("strategies", "number-bid", "numbers=6", False),
        ("solution", toys.CoinFlip.name, "", True),  # no such game is installed
        ("damaged", "", "", True),
    }
    assert all(file.size_bytes == file.path.stat().st_size for file in found.values())
    monkeypatch.setattr(cache, "fingerprint", lambda _: "other")
    assert all(file.outdated for file in cached())


def test_an_empty_cache_is_an_empty_list() -> None:
    assert cached() == []


def test_a_game_without_a_kernel_is_kept_too() -> None:
    first, second = solve(toys.CoinFlip()), solve(toys.CoinFlip())
    assert second.cached
    for state in ("", "flip"):
        assert second.value(state) == first.value(state)


def test_games_of_one_module_with_one_name_have_files_of_their_own() -> None:
    assert solve(toys.RockPaperScissors()).states == 1
    flip = solve(toys.CoinFlip())
    assert (flip.cached, flip.states) == (False, 2)


def test_changed_rules_are_solved_again_and_the_old_file_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solve(GAME)
    (before,) = kept()
    monkeypatch.setattr(cache, "fingerprint", lambda _: "other")
    assert not solve(GAME).cached
    (after,) = kept()
    assert before != after


@pytest.mark.parametrize("size", [0, 15, 16, 200, -1])
def test_a_file_cut_short_is_made_again(size: int) -> None:
    solve(GAME)
    (file,) = kept()
    whole = file.read_bytes()
    file.write_bytes(whole[:size])
    solution = solve(GAME)
    assert not solution.cached
    assert file.read_bytes() == whole
    assert solve(GAME).cached


def test_a_file_with_something_after_its_end_is_made_again() -> None:
    solve(GAME)
    (file,) = kept()
    file.write_bytes(file.read_bytes() + b"\0")
    assert not solve(GAME).cached


def test_a_damaged_header_is_made_again() -> None:
    solve(GAME)
    (file,) = kept()
    _, length, _ = cache.FIXED.unpack(file.read_bytes()[: cache.FIXED.size])
    for place in range(0, cache.FIXED.size + length, 11):
        data = bytearray(file.read_bytes())
        data[place] ^= 64
        file.write_bytes(data)
        solution = solve(GAME)
        assert not solution.cached
        assert solution.value(GAME.start()) == 0


@pytest.mark.parametrize("share", [0.05, 0.5, 0.999])
def test_damaged_values_are_never_given(share: float) -> None:
    solve(GAME)
    (file,) = kept()
    data = bytearray(file.read_bytes())
    data[int(len(data) * share)] ^= 1
    file.write_bytes(data)
    solution = solve(GAME)
    assert solution.cached
    assert [solution.value(state) for state in every_state(GAME)] == values()
    again = solve(GAME)
    assert [again.value(state) for state in every_state(GAME)] == values()


def test_blocks_are_checked_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "BLOCK", 64)
    solve(GAME)
    (file,) = kept()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert solve(GAME).value(GAME.start()) == 0
    assert file.read_bytes() == bytes(data)  # nobody looked at the damage


def test_a_folder_that_cannot_be_written_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", __file__)
    solution = solve(GAME)
    assert solution.value(GAME.start()) == 0
    assert solution.warning is not None
    assert solution.warning.startswith(
        "The solution of number-bid could not be saved in the cache: "
    )
    assert "Not a directory" in solution.warning


def test_a_full_disk_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    solution = solve(GAME)
    assert solution.value(GAME.start()) == 0
    assert solution.warning is not None
    assert "No space left on device" in solution.warning
    assert kept() == []


def test_an_interruption_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            solve(GAME)
    assert kept() == []
    assert not solve(GAME).cached


def run(code: str) -> subprocess.Popen[str]:
    """A process of its own."""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


@pytest.mark.system
def test_processes_that_solve_at_once_do_not_hurt_each_other() -> None:
    code = (
        "from number_duels import load; from number_duels.solvers import solve\n"
        "for numbers in (6, 7):\n"
        "    game = load('number-bid', numbers=numbers)\n"
        "    solution = solve(game); print(solution.states, solution.value(game.start()))"
    )
    processes = [run(code) for _ in range(3)]
    outputs = {process.communicate()[0] for process in processes}
    assert all(process.returncode == 0 for process in processes)
    assert len(outputs) == 1
    assert len(kept()) == 2
    assert solve(GAME).cached


@pytest.mark.system
def test_opening_a_large_solution_does_not_load_the_compiler() -> None:
    game = NumberStackShowdown(target=20, highest=6, copies=3)
    solution = solve(game)
    assert not solution.cached
    code = (
        "import sys; from number_duels import load; from number_duels.solvers import solve\n"
        "game = load('number-stack-showdown', target=20, highest=6, copies=3)\n"
        "solution = solve(game)\n"
        "print(solution.cached, solution.value(game.start()), 'numba' in sys.modules)"
    )
    opened = run(code).communicate()[0].split()
    assert opened == ["True", str(solution.value(game.start())), "False"]


@pytest.mark.system
@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_plain_python_does_what_it_can(missing: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from number_duels import load; from number_duels.solvers import solve, solver\n"
        "solver.MAX_PLAIN_STATES = 1000\n"
        "game = load('number-knot', numbers=4); print(solve(game).value(game.start()))\n"
        "try: solve(load('number-stack-showdown'))\n"
        "except ValueError as problem: print(problem)"
    )
    value, problem = run(code).communicate()[0].splitlines()
    assert value == "0.0"
    assert "more than 1,000 states; run pip install 'number-duels[play]'" in problem
