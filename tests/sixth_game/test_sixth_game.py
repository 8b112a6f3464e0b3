"""A game that is one file of rules is played, solved, measured and served with no other edit.

Two toys, found in `games/` of a copy of the package, and installed as a package of its own.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

import httpx
import pytest

import number_duels
from number_duels.terminal.main import run
from tests.patience import PATIENCE_S
from tests.web.serving import Server

HERE = Path(__file__).parent
FILES = sorted((HERE / "toys").glob("t*.py"))
PACKAGE = Path(number_duels.__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Toy:
    """What both players type in a whole game, its last line, and its value."""

    name: str
    typed: tuple[str, ...]
    last_line: str
    value: float


TAKE_AWAY = Toy("take-away", ("2", "1", "2"), "Player 1 wins: Player 1 took the last counter.", 1.0)
TWO_PRIZES = Toy("two-prizes", ("1", "1", "2", "2"), "It is a draw: The prizes are shared.", 0.0)
TOYS = (TAKE_AWAY, TWO_PRIZES)
every_toy = pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)


class DuelsHere(Protocol):
    """The command, run in this process; what it prints."""

    def __call__(self, *arguments: str, typed: str = "", status: int = 0) -> str: ...


@dataclass(frozen=True)
class Home:
    """A folder in which a new Python finds the toys."""

    folder: Path
    path: str

    @property
    def surroundings(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": self.path}

    def python(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=self.surroundings,
        )


def in_the_games_folder(folder: Path) -> Path:
    """A copy of the package, made of links, with one more file for each toy."""
    copy = folder / "number_duels"
    (copy / "games").mkdir(parents=True)
    for place in (PACKAGE, PACKAGE / "games"):
        for entry in place.iterdir():
            if entry.name not in ("games", "__pycache__"):
                (copy / entry.relative_to(PACKAGE)).symlink_to(entry)
    for toy in FILES:
        (copy / "games" / toy.name).symlink_to(toy)
    return folder


def as_a_package(folder: Path) -> Path:
    """What pip leaves behind when it installs a package with two games."""
    installed = folder / "toys-1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[console_scripts]\nother = take_away:main\n\n[number_duels.games]\n"
        "take-away = take_away:TakeAway\ntwo-prizes = two_prizes:TwoPrizes\n"
    )
    for toy in FILES:
        (folder / toy.name).symlink_to(toy)
    return folder


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages in which the toys are installed."""
    return as_a_package(tmp_path_factory.mktemp("home") / "path")


@pytest.fixture
def duels(
    installed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[DuelsHere]:
    """The command, in this process, which finds the installed toys until the test ends."""
    monkeypatch.syspath_prepend(installed)
    monkeypatch.chdir(tmp_path)
    forget_games()

    def run_here(*arguments: str, typed: str = "", status: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        done, printed = run([*arguments]), capsys.readouterr()
        assert done == status, printed.err
        return printed.out

    yield run_here
    forget_games()


def forget_games() -> None:
    games = import_module("number_duels.games")
    games.names.cache_clear()
    games._places.cache_clear()
    for toy in FILES:
        sys.modules.pop(toy.stem, None)


@pytest.mark.system
@pytest.mark.parametrize("place", [in_the_games_folder, as_a_package], ids=lambda p: p.__name__)
def test_it_is_found_wherever_it_lies_without_what_is_slow_to_import(
    place: Callable[[Path], Path], tmp_path: Path
) -> None:
    home = Home(tmp_path, str(place(tmp_path / "path")))
    code = "import sys, number_duels as nd; print(nd.load('prizes').name, *sys.modules)"
    name, *modules = home.python("-c", code).stdout.split()
    assert name == "two-prizes"
    assert "importlib.metadata" not in modules
    for toy in TOYS:
        played = home.python("-m", "number_duels", "play", toy.name, typed=lines(toy.typed))
        assert played.stdout.splitlines()[-1] == toy.last_line


def test_the_page_for_contributors_shows_this_game() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"```python\n{(HERE / 'toys' / 'take_away.py').read_text(encoding='utf-8')}```" in page


def test_it_is_listed_beside_the_others(duels: DuelsHere) -> None:
    listed = {game["name"]: game for game in json.loads(duels("list", "--json"))}
    assert listed.keys() == {*number_duels.games(), "take-away", "two-prizes"}
    assert listed["take-away"]["settings"] == {}
    assert duels("list").count("take-away ") == 1


@every_toy
def test_it_has_a_page_of_rules(duels: DuelsHere, toy: Toy) -> None:
    page = duels("rules", toy.name).splitlines()
    assert page[0] == toy.name.replace("-", " ").title()
    assert "AT THE KEYBOARD" in page
    assert not any(line.startswith("SETTINGS") for line in page)  # it has none


@every_toy
def test_it_is_played_resumed_and_reviewed(duels: DuelsHere, toy: Toy, tmp_path: Path) -> None:
    save = str(tmp_path / f"{toy.name}.json")
    cut = len(toy.typed) - 1
    duels("play", toy.name, "--save", save, typed=lines(toy.typed[:cut]), status=130)
    finished = duels("resume", save, typed=lines(toy.typed[cut - cut % 2 :]))
    assert finished.splitlines()[-1] == toy.last_line
    assert duels("play", toy.name, typed=lines(toy.typed)).splitlines()[-1] == toy.last_line
    assert toy.last_line in duels("replay", save)
    review = json.loads(duels("review", save, "--json"))
    assert review["game"] == toy.name
    assert len(review["turns"]) >= 3
    moves = json.loads(Path(save).read_text(encoding="utf-8"))["moves"]
    analysis = json.loads(duels("analyze", toy.name, "--moves", moves, "--json"))
    assert analysis["result"] == review["result"] != "*"


def test_it_is_solved(duels: DuelsHere) -> None:
    solved = json.loads(duels("solve", *(toy.name for toy in TOYS), "--json"))
    assert {row["game"]: row["value"] for row in solved} == {toy.name: toy.value for toy in TOYS}


def test_it_is_measured(duels: DuelsHere) -> None:
    players = ("--players", "random", "perfect", "level:2")
    games = ("--games", *(toy.name for toy in TOYS))
    assert json.loads(duels("arena", *players, *games, "--pairs", "1", "--json"))["games"] == 12


@pytest.mark.system
def test_a_bot_is_checked_at_it(duels: DuelsHere) -> None:
    bot = shlex.join([sys.executable, str(ROOT / "examples" / "bots" / "any_move.py")])
    checked = duels("bot", "check", bot)
    assert all(re.search(rf"{toy.name} +fine +8 games", checked) for toy in TOYS)


@pytest.mark.system
def test_it_is_served(installed: Path, tmp_path: Path) -> None:
    home = Home(tmp_path, str(installed))
    server = Server(home.folder, f"sqlite:///{home.folder}/games.sqlite3", home.surroundings)
    server.start()
    try:
        with server.client() as http:
            for toy in TOYS:
                assert played_over_http(http, toy.name) in ("1-0", "0-1", "1/2-1/2")
    finally:
        server.stop()


def played_over_http(http: httpx.Client, name: str) -> str:
    """The result of a game against the computer."""
    wanted = {"game": name, "opponent": "perfect", "seat": 1, "name": "Ann"}
    made = http.post("/api/games", json=wanted).raise_for_status().json()
    place = f"/api/games/{made['id']}"
    http.headers["Authorization"] = f"Bearer {made['token']}"
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        view = http.get(place).raise_for_status().json()
        if view["result"] != "*":
            http.get(f"{place}/review").raise_for_status()
            return str(view["result"])
        if view["options"]:
            move = {"turn": view["turn"], "move": view["options"][0]}
            http.post(f"{place}/moves", json=move).raise_for_status()
        else:
            time.sleep(0.02)  # the computer thinks
    raise AssertionError("the game did not end")


@pytest.mark.system
def test_it_keeps_the_laws_and_breaks_no_test_that_knows_the_other_games(tmp_path: Path) -> None:
    laws = ["test_every_game.py", "core/test_questions.py"]
    tables = ["players/test_calibration.py", "games/test_second_opinion.py"]
    documents = ["test_documents.py", "test_solutions.py"]
    files = [f"tests/{file}" for file in (*laws, *tables, *documents)]
    chosen = "take-away or two-prizes or documents or page_is_what or tables_are or every_game_of"
    home = Home(ROOT, str(in_the_games_folder(tmp_path)))
    done = home.python("-m", "pytest", "-q", "-p", "no:xdist", "-k", chosen, *files)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
@pytest.mark.system
def test_no_test_of_the_library_asks_more_of_it(tmp_path: Path) -> None:
    folders = ["core", "players", "solvers", "review", "trainer", "bench"]
    home = Home(ROOT, str(in_the_games_folder(tmp_path)))
    chosen = ["-k", "take-away or two-prizes", *(f"tests/{folder}" for folder in folders)]
    done = home.python("-m", "pytest", "-q", "-p", "no:xdist", *chosen)
    assert done.returncode == 0, done.stdout[-3000:]


@dataclass(frozen=True)
class Slip:
    """An edit of the file `take_away.py` that breaks the game, and what is said of it."""

    line: str
    broken: str
    said: str

    def __str__(self) -> str:
        return self.said.partition(":")[0]


SLIPS = (
    Slip(
        "    def key(self", "    def key(self(", "SyntaxError: invalid syntax (take_away.py, line "
    ),
    Slip(
        "from number_duels", "import nowhere\nfrom number_duels", "ModuleNotFoundError: No module "
    ),
    Slip("    def parse(", "    def read(", "TakeAway lacks parse"),
)


def with_a_slip(slip: Slip, home: Path) -> Home:
    """A folder for a Python that finds the package with the toys, one of which has a mistake."""
    folder = as_a_package(home / "path")
    file = folder / "take_away.py"
    code = file.read_text(encoding="utf-8")
    file.unlink()
    assert slip.line in code
    file.write_text(code.replace(slip.line, slip.broken, 1), encoding="utf-8")
    return Home(home, os.pathsep.join((str(folder), str(PACKAGE.parent))))


@pytest.mark.system
@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_a_broken_game_is_told_of_in_a_sentence_and_the_others_are_played(
    tmp_path: Path, slip: Slip
) -> None:
    home = with_a_slip(slip, tmp_path)
    listed = home.python("-m", "number_duels", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    names = {game["name"] for game in json.loads(listed.stdout)}
    assert names == {*number_duels.games(), "two-prizes"}
    said = f"duels: The game take-away (take_away:TakeAway) cannot be loaded ({slip.said}"
    assert listed.stderr.startswith(said)
    assert listed.stderr.endswith(").\n")
    assert listed.stderr.count("\n") == 1
    for command in (["rules", "take"], ["solve", "take-away"], ["arena", "--games", "take"]):
        players = ["--players", "random", "perfect"] if command[0] == "arena" else []
        refused = home.python("-m", "number_duels", *command, *players)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == listed.stderr
    other = home.python("-m", "number_duels", "rules", "prizes")
    assert (other.returncode, other.stderr) == (0, "")


@pytest.mark.system
def test_the_line_of_a_mistake_is_one_of_the_file_of_the_game(tmp_path: Path) -> None:
    slip = Slip("    def start(", "    count: int = []\n\n    def start(", "")
    home = with_a_slip(slip, tmp_path)
    said = home.python("-m", "number_duels", "rules", "take").stderr
    assert re.search(r"\(\w+Error: .*, in take_away\.py, line \d+\)\.\n$", said)


@pytest.mark.system
def test_a_mistake_in_play_is_for_the_authors_of_the_game(tmp_path: Path) -> None:
    slip = Slip(
        "    def turn(", "    def turn(self, state):\n        return stat\n\n    def old(", ""
    )
    home = with_a_slip(slip, tmp_path)
    said = home.python("-m", "number_duels", "solve", "take")
    assert said.returncode == 1
    assert "(NameError: name 'stat' is not defined, in take_away.py, line " in said.stderr
    assert said.stderr.endswith("); please report it to the authors of Take Away.\n")


def lines(typed: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in typed)
