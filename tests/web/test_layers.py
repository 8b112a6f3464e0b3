"""The arrows inside the server: api -> service -> db, middleware beside, the rest below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import number_duels.web

FOLDER = Path(number_duels.web.__file__).parent
PREFIX = "number_duels.web"
#: What each folder may import of the others, and of the modules beside them.
MAY_IMPORT = {
    "api": {"service", "db", "assets", "config", "errors", "network", "request_limits"},
    "service": {"db", "config", "errors", "telemetry"},
    "db": {"config", "errors"},
}
#: Modules that anything may import, so they import nothing of the server but each other.
BELOW = ("assets", "config", "errors", "network", "request_limits", "telemetry")
#: What puts everything together.
TOP = ("app", "browser_storage", "connections", "pages", "pyodide", "server")


def imports(file: Path) -> Iterator[str]:
    """The folders and modules of the server that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if names == [PREFIX]:
            assert isinstance(node, ast.ImportFrom)
            names = [f"{PREFIX}.{name.name}" for name in node.names]
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        yield from (name.split(".")[2] for name in names if name.startswith(f"{PREFIX}."))


def test_folders_import_only_what_is_below_them() -> None:
    folders = {folder.name for folder in FOLDER.iterdir() if (folder / "__init__.py").exists()}
    assert folders == MAY_IMPORT.keys()
    for folder, allowed in MAY_IMPORT.items():
        for file in (FOLDER / folder).rglob("*.py"):
            wrong = set(imports(file)) - allowed - {folder}
            assert not wrong, f"{file.relative_to(FOLDER)} imports {wrong}"


def test_modules_beside_the_folders_import_none_of_them() -> None:
    modules = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert modules == {*BELOW, *TOP}
    for module in BELOW:
        wrong = set(imports(FOLDER / f"{module}.py")) - set(BELOW)
        assert not wrong, f"{module}.py imports {wrong}"
