"""A game that is one file of rules is played, solved, measured and served with no other edit.

Two toys, found in `games/` of a copy of the package, and installed as a package of its own.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

import number_duels
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


@dataclass(frozen=True)
class Home:
    """A folder in which `duels` finds the toys."""

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

    def duels(self, *arguments: str, typed: str = "", status: int = 0) -> str:
        done = self.python("-m", "number_duels", *arguments, typed=typed)
        assert done.returncode == status, done.stderr
        return done.stdout


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


@pytest.fixture(
    scope="module", params=[in_the_games_folder, as_a_package], ids=lambda f: f.__name__
)
def each_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, str(request.param(folder / "path")))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Once a game is found and listed, nothing knows where it came from."""
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, str(as_a_package(folder / "path")))


def test_it_is_listed_beside_the_others(each_home: Home) -> None:
    listed = {game["name"]: game for game in json.loads(each_home.duels("list", "--json"))}
    assert listed.keys() == {*number_duels.games(), "take-away", "two-prizes"}
    assert listed["take-away"]["settings"] == {}
    assert each_home.duels("list").count("take-away ") == 1


def test_it_is_found_without_what_is_slow_to_import(each_home: Home) -> None:
    code = "import sys, number_duels as nd; print(nd.load('prizes').name, *sys.modules)"
    name, *modules = each_home.python("-c", code).stdout.split()
    assert name == "two-prizes"
    assert "importlib.metadata" not in modules


@every_toy
def test_it_has_a_page_of_rules(home: Home, toy: Toy) -> None:
    page = home.duels("rules", toy.name).splitlines()
    assert page[0] == toy.name.replace("-", " ").title()
    assert "AT THE KEYBOARD" in page
    assert not any(line.startswith("SETTINGS") for line in page)  # it has none


@every_toy
def test_it_is_played_resumed_and_reviewed(each_home: Home, toy: Toy) -> None:
    home = each_home
    save = str(home.folder / f"{toy.name}.json")
    cut = len(toy.typed) - 1
    home.duels("play", toy.name, "--save", save, typed=lines(toy.typed[:cut]), status=130)
    finished = home.duels("resume", save, typed=lines(toy.typed[cut - cut % 2 :]))
    assert finished.splitlines()[-1] == toy.last_line
    assert home.duels("play", toy.name, typed=lines(toy.typed)).splitlines()[-1] == toy.last_line
    assert toy.last_line in home.duels("replay", save)
    review = json.loads(home.duels("review", save, "--json"))
    assert review["game"] == toy.name
    assert len(review["turns"]) >= 3
    moves = json.loads(Path(save).read_text(encoding="utf-8"))["moves"]
    analysis = json.loads(home.duels("analyze", toy.name, "--moves", moves, "--json"))
    assert analysis["result"] == review["result"] != "*"


def test_it_is_solved(home: Home) -> None:
    solved = json.loads(home.duels("solve", *(toy.name for toy in TOYS), "--json"))
    assert {row["game"]: row["value"] for row in solved} == {toy.name: toy.value for toy in TOYS}


def test_it_is_measured(home: Home) -> None:
    players = ("--players", "random", "perfect", "level:2")
    games = ("--games", *(toy.name for toy in TOYS))
    assert (
        json.loads(home.duels("arena", *players, *games, "--pairs", "1", "--json"))["games"] == 12
    )


def test_a_bot_is_checked_at_it(home: Home) -> None:
    bot = shlex.join([sys.executable, str(ROOT / "examples" / "bots" / "any_move.py")])
    checked = home.duels("bot", "check", bot)
    assert all(re.search(rf"{toy.name} +fine +8 games", checked) for toy in TOYS)


def test_it_is_served(home: Home) -> None:
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
    end = time.monotonic() + 60
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


def test_it_is_there_where_learners_work(home: Home) -> None:
    done = home.python(str(HERE / "tour.py"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("was played everywhere") == 2


def test_it_keeps_the_laws_and_breaks_no_test_that_knows_the_other_games(tmp_path: Path) -> None:
    laws = ["test_every_game.py", "core/test_questions.py"]
    tables = [
        "adapters/test_pages.py",
        "players/test_calibration.py",
        "games/test_second_opinion.py",
    ]
    documents = ["test_documents.py", "test_solutions_page.py"]
    files = [f"tests/{file}" for file in (*laws, *tables, *documents)]
    chosen = "take-away or two-prizes or documents or page_is_what or tables_are or every_game_of"
    home = Home(ROOT, str(in_the_games_folder(tmp_path)))
    done = home.python("-m", "pytest", "-q", "-p", "no:xdist", "-k", chosen, *files)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_no_test_of_the_library_asks_more_of_it(tmp_path: Path) -> None:
    folders = ["core", "players", "solvers", "review", "trainer", "bench"]
    home = Home(ROOT, str(in_the_games_folder(tmp_path)))
    chosen = ["-k", "take-away or two-prizes", *(f"tests/{folder}" for folder in folders)]
    done = home.python("-m", "pytest", "-q", "-p", "no:xdist", *chosen)
    assert done.returncode == 0, done.stdout[-3000:]


def lines(typed: tuple[str, ...]) -> str:
    return "".join(f"{line}\n" for line in typed)
