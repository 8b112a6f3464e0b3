"""The house rules: who may import whom, who may name a game, and how long a file may be."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_origin

import pytest

import number_duels as nd

TOP = Path(__file__).parents[1]
PACKAGE = TOP / "src" / "number_duels"
FILES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((TOP / "tests").rglob("*.py"))

BELOW_THE_TERMINAL = {"core", "games", "solvers", "players", "review", "arena", "adapters"}
#: What each folder may import of the package, besides itself.
MAY_IMPORT = {
    "core": set[str](),
    "games": {"core"},
    "solvers": {"core", "games"},
    "players": {"core", "solvers"},
    "review": {"core", "solvers"},
    "arena": {"core", "solvers", "players", "review"},
    "adapters": {"core", "games", "solvers", "players"},
    "terminal": BELOW_THE_TERMINAL | {"web"},
    "web": BELOW_THE_TERMINAL,
}
#: Folders that need nothing but the standard library.
STANDARD_LIBRARY_ONLY = ("core", "games")

LONGEST = 300
#: Files that are longer, each with its reason.
LONG_FILES = {
    "src/number_duels/games/number_drop.py": "one file a game: rules, words and board",
    "src/number_duels/games/number_stack_showdown.py": "one file a game: rules, words and board",
    "tests/terminal/test_saves.py": "most of it is a table of damaged files",
    "tests/test_every_game.py": "the laws of all games are one page to hold a new game against",
}


def path_of(file: Path) -> str:
    return file.relative_to(TOP).as_posix()


def folder(file: Path) -> str:
    """The part of the package that a file belongs to; the package's own front is `games`' guest."""
    parts = file.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imports(file: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in it."""
    here = ["number_duels", *file.relative_to(PACKAGE).with_suffix("").parts]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: -node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            # `from number_duels import core` imports a folder, too.
            inside = (PACKAGE / name.name for name in node.names if module == "number_duels")
            yield from (f"{module}.{found.name}" for found in inside if found.is_dir())
            yield module


@pytest.mark.parametrize("file", [f for f in FILES if folder(f)], ids=path_of)
def test_imports_follow_the_arrows(file: Path) -> None:
    allowed = {folder(file)} | MAY_IMPORT[folder(file)]
    for module in imports(file):
        top, *rest = module.split(".")
        if top == "number_duels":
            # The package itself is a front for core and games.
            assert (rest[0] if rest else "games") in allowed, f"imports {module}"


@pytest.mark.parametrize("file", FILES, ids=path_of)
def test_core_and_games_need_only_the_standard_library(file: Path) -> None:
    if folder(file) in STANDARD_LIBRARY_ONLY:
        tops = {module.split(".")[0] for module in imports(file)}
        assert tops <= sys.stdlib_module_names | {"number_duels"}


def test_every_folder_has_its_arrows() -> None:
    assert {folder(file) for file in FILES} - {""} <= MAY_IMPORT.keys()


def spellings() -> list[str]:
    """Every way to name a particular game: by name, module, title or class."""
    games = [nd.load(name) for name in nd.games()]
    return [
        spelling
        for game in games
        for spelling in (game.name, game.name.replace("-", "_"), game.title, type(game).__name__)
    ]


def said(file: Path) -> Iterator[str]:
    """All names and texts in a file, without its docstrings."""
    tree = ast.parse(file.read_text())
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def names_a_game(texts: Iterator[str]) -> set[str]:
    pattern = re.compile("|".join(map(re.escape, spellings())), re.IGNORECASE)
    return {found[0] for text in texts for found in pattern.finditer(text)}


NAMELESS = [f for f in FILES if folder(f) != "games" and not {"kernels", "compiled"} & set(f.parts)]
OTHER_TEXTS = [
    file
    for file in sorted(PACKAGE.rglob("*"))
    if file.suffix in {".js", ".ts", ".html", ".css", ".json", ".toml", ".fish", ".bash", ".zsh"}
]


@pytest.mark.parametrize("file", NAMELESS, ids=path_of)
def test_nothing_outside_games_names_a_game(file: Path) -> None:
    assert names_a_game(said(file)) == set()


def test_no_page_or_script_names_a_game() -> None:
    assert {
        path_of(f): found for f in OTHER_TEXTS if (found := names_a_game(iter([f.read_text()])))
    } == {}


def test_the_laws_over_every_game_name_none() -> None:
    laws = [
        TOP / "tests" / name
        for name in ("test_every_game.py", "core/test_questions.py", "core/playing.py")
    ]
    assert {path_of(f): found for f in laws if (found := names_a_game(said(f)))} == {}


@pytest.mark.parametrize("file", [*FILES, *TESTS], ids=path_of)
def test_files_are_short_or_have_a_reason(file: Path) -> None:
    lines = len(file.read_text().splitlines())
    assert lines <= LONGEST or path_of(file) in LONG_FILES, f"{lines} lines"


def test_a_plain_game_loads_nothing_but_the_standard_library() -> None:
    script = (
        "import sys; before = set(sys.modules)\n"
        "import number_duels as nd\n"
        "for name in nd.games(): nd.Match(nd.load(name), seed=1)\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= sys.stdlib_module_names | {"number_duels"}


@pytest.mark.parametrize("name", nd.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    thing = getattr(nd, name)
    documentation = inspect.getdoc(get_origin(thing) or thing)
    assert documentation
    assert documentation.splitlines()[0].rstrip().endswith((".", ":", "`"))


def test_public_names_are_there_once_and_the_types_are_shipped() -> None:
    assert len(set(nd.__all__)) == len(nd.__all__)
    assert (PACKAGE / "py.typed").exists()
