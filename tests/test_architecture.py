"""The house rules: who may import whom, and who may name a game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import number_duels as nd

TOP = Path(__file__).parents[1]
PACKAGE = TOP / "src" / "number_duels"
FILES = sorted(PACKAGE.rglob("*.py"))

BELOW_THE_TERMINAL = {
    *("core", "games", "machine", "solvers", "players", "review", "trainer", "sessions"),
    *("arena", "bench", "adapters"),
}
#: What each folder may import of the package, besides itself.
MAY_IMPORT = {
    "core": set[str](),
    "games": {"core"},
    "machine": {"core", "games"},
    "solvers": {"core", "games", "machine"},
    "players": {"core", "solvers"},
    "review": {"core", "solvers"},
    "trainer": {"core", "solvers", "review"},
    "sessions": {"core", "games", "solvers", "players", "review", "trainer"},
    "arena": {"core", "games", "solvers", "players", "review"},
    "bench": {"core", "games", "solvers", "players", "review", "trainer", "arena"},
    "adapters": {"core", "games", "machine", "solvers", "players", "review", "arena"},
    "terminal": BELOW_THE_TERMINAL | {"web"},
    "web": BELOW_THE_TERMINAL,
}
#: What each folder of the server may import of the others; the files beside them may use all.
WEB_MAY_IMPORT = {
    "api": {"service"},
    "service": {"db"},
    "db": set[str](),
    "middleware": set[str](),
}
#: Imports against the arrows, each with its reason.
AGAINST_THE_ARROWS = {
    "core/record.py imports games": "a record knows its game by name, and finds it when asked",
    "core/match.py imports games": "a match may be given its game by name",
    "adapters/inspect_ai.py imports bench.suite": "a task asks at the positions of the bench",
}
#: Folders that need nothing but the standard library.
STANDARD_LIBRARY_ONLY = ("core", "games")


def path_of(file: Path) -> str:
    return file.relative_to(TOP).as_posix()


def folders(file: Path) -> tuple[str, ...]:
    """The folders inside the package that a file lies in; none for the package's front."""
    return file.relative_to(PACKAGE).parts[:-1]


@cache
def parsed(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def imports(file: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in it."""
    here = ["number_duels", *file.relative_to(PACKAGE).with_suffix("").parts]
    for node in parsed(file):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: -node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            names = {name.name for name in node.names}
            # `from number_duels import core` imports a folder, too; anybody may ask the version.
            if module == "number_duels":
                yield from (f"{module}.{name}" for name in names if (PACKAGE / name).is_dir())
            if (module, names) != ("number_duels", {"__version__"}):
                yield module


def breaks_an_arrow(file: Path, module: str) -> bool:
    """Whether a file may not import a module; the package's front stands for core and games."""
    here, (top, *there) = folders(file), module.split(".")
    if not here or top != "number_duels":
        return False
    if (there or ["games"])[0] not in {here[0]} | MAY_IMPORT[here[0]]:
        return True
    if here[0] == "web" and here[1:] and there[:1] == ["web"] and there[1:]:
        return there[1] in WEB_MAY_IMPORT.keys() - {here[1]} - WEB_MAY_IMPORT[here[1]]
    return False


def test_imports_follow_the_arrows() -> None:
    assert {folders(file)[0] for file in FILES if folders(file)} <= MAY_IMPORT.keys()
    broken = {
        f"{file.relative_to(PACKAGE)} imports {module.removeprefix('number_duels.')}"
        for file in FILES
        for module in imports(file)
        if breaks_an_arrow(file, module)
    }
    assert broken == AGAINST_THE_ARROWS.keys()


def test_core_and_games_need_only_the_standard_library() -> None:
    assert [
        f"{path_of(file)} imports {module}"
        for file in FILES
        if folders(file)[:1] and folders(file)[0] in STANDARD_LIBRARY_ONLY
        for module in imports(file)
        if module.split(".")[0] not in sys.stdlib_module_names | {"number_duels"}
    ] == []


@pytest.mark.system
def test_a_plain_game_loads_nothing_but_the_standard_library() -> None:
    script = (
        "import sys; before = set(sys.modules)\n"
        "import number_duels as nd\n"
        "for name in nd.games(): nd.Match(nd.load(name), seed=1)\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= sys.stdlib_module_names | {"number_duels"}


#: What is used of other libraries that their documentation calls private, and why it will stay.
PRIVATE = {
    "_Cache": "Numba: how code is kept is decided nowhere else; a test sees that it is found again",
    "_SubParsersAction": "argparse lists subcommands nowhere else; the tests of completion use it",
    "_accumulate_rewards": "PettingZoo documents it for those who write an environment",
    "_asdict": "a row of SQLAlchemy is a named tuple, which documents it",
    "_captured_signals": "uvicorn: how it was stopped; the tests stop servers in every way",
    "_exit": "os documents it: the way to end a forked child",
    "_make": "a named tuple documents it",
    "_processes": "a pool of processes gives them no other way; the tests of the worker end one",
    "_rebuild": "Numba: compiled code from what was kept, as its own cache does",
    "_reduce": "Numba: compiled code as it can be kept, as its own cache does",
    "_replace": "a named tuple documents it",
    "_was_dead_step": "PettingZoo documents it for those who write an environment",
}


def test_what_is_private_to_other_libraries_is_used_with_a_reason() -> None:
    used, own = set[str](), set[str]()
    for node in (node for file in FILES for node in parsed(file)):
        if isinstance(node, ast.Attribute):
            (own if isinstance(node.ctx, ast.Store) else used).add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.alias):
            used.add(node.name)
    foreign = {name for name in used - own if re.match(r"_[^_]", name)}
    assert foreign - PRIVATE.keys() == set()


# ---- who may name a game -------------------------------------------------------

LAWS = ("test_every_game.py", "core/test_questions.py", "core/playing.py")
PAGES = {".js", ".ts", ".html", ".css", ".fish", ".bash", ".zsh"}


@cache
def spelling() -> re.Pattern[str]:
    """Every way to name a particular game: by name, module, title or class."""
    games = [nd.load(name) for name in nd.games()]
    return whole_words(
        [way for g in games for way in (g.name, g.name.replace("-", "_"), g.title)],
        [type(game).__name__ for game in games],
    )


def whole_words(names: list[str], classes: list[str]) -> re.Pattern[str]:
    """Find names as whole words, so that a game may be called Nim although there are minimums."""
    either, cased = "|".join(map(re.escape, names)), "|".join(classes)
    return re.compile(rf"(?i:(?<![a-z])(?:{either})(?![a-z]))|(?<![A-Za-z])(?:{cased})(?![a-z])")


@pytest.mark.parametrize(
    ("text", "names_nim"),
    [
        ("nim", True),
        ("play Nim, please", True),
        ("nim_rules", True),
        ("NimState", True),
        ("minimum", False),
        ("Nimble", False),
        ("animate_nimbly", False),
    ],
)
def test_a_short_name_of_a_game_is_found_as_a_whole_word(text: str, names_nim: bool) -> None:
    assert bool(whole_words(["nim"], ["Nim"]).search(text)) == names_nim


def said(file: Path) -> Iterator[str]:
    """All names and texts in a Python file, without its docstrings; another file as it is."""
    if file.suffix != ".py":
        yield file.read_text(encoding="utf-8")
        return
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in parsed(file)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in parsed(file):
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


def may_name_games(file: Path) -> bool:
    """The games, what is named after them for speed, and the front."""
    named_after_games = {"games", "kernels", "machine", "lookup"}
    return not folders(file) or bool(named_after_games & set(folders(file)))


def test_code_names_no_game_outside_games() -> None:
    files = [f for f in sorted(PACKAGE.rglob("*")) if f.suffix in {".py", *PAGES}]
    files = [file for file in files if not may_name_games(file)]
    files += [TOP / "tests" / law for law in LAWS]
    assert [
        f"{path_of(file)} names {found[0]}"
        for file in files
        for text in said(file)
        for found in spelling().finditer(text)
    ] == []


# ---- files ---------------------------------------------------------------------


def test_the_types_are_shipped() -> None:
    assert (PACKAGE / "py.typed").exists()
