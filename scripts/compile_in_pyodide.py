"""Compile what the page needs, in Pyodide: `compile_in_pyodide.mjs` runs this.

A tour through the application tells which modules of the libraries it loads. Modules that these
import later, inside functions, are kept too.
"""

from __future__ import annotations

import json
import marshal
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path, PurePosixPath
from site import getsitepackages
from types import CodeType
from zipfile import ZIP_DEFLATED, ZipFile

import number_duels.web.browser_storage  # noqa: F401 (prepares this Python)
from number_duels import games
from number_duels.web.pyodide import Call, LocalServer

SITE = Path(getsitepackages()[0])
STANDARD = "python_stdlib.zip"
STANDARD_PATH = next(path for path in sys.path if path.endswith(".zip"))
#: The date of every file, so that equal contents give equal archives.
DATE = (1980, 1, 1, 0, 0, 0)
#: A header that tells Python not to look for the source.
HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
#: Parts of our package for other uses. Of these, only what is loaded at the start is kept.
UNUSED = tuple(f"number_duels/{part}/" for part in ("adapters", "arena", "bench", "terminal"))
#: A module that calls this reads its own source, and imports little.
LAZY = b"install_lazy_importer()"
#: The names of cached solutions are hashes of these sources.
HASHED = tuple(f"number_duels/{part}" for part in ("core/", "games/", "machine/", "solvers/"))
#: Large parts of libraries that only mention each other.
UNREACHED = ("sqlalchemy/orm/",)
LEFT_OUT = UNUSED + UNREACHED
TURNS = 3


class NoStorage:
    async def load(self) -> Mapping[str, bytes]:
        return {}

    async def save(self, files: Mapping[str, bytes]) -> None: ...

    async def solution(self, name: str) -> None: ...


async def tour() -> None:
    """Use every part of the application once, and ignore the answers."""
    today = datetime.now(UTC).date().isoformat()
    server = LocalServer(Path("/tour"), NoStorage())
    await server.open()

    async def ask(method: str, path: str, body: object = None) -> dict[str, object]:
        sent = b"" if body is None else json.dumps(body).encode()
        answer = await server.answer(Call(method, path, {"content-type": "application/json"}, sent))
        print(method, path, answer.status)
        found = json.loads(answer.body) if answer.body.startswith(b"{") else {}
        assert isinstance(found, dict)
        return found

    for path in ("", "/statistics", "/records"):
        await ask("GET", f"/api/me{path}")
    await ask("GET", "/api/catalogue")
    await ask("GET", "/api/nothing")
    await ask("POST", "/api/me", {"name": "Ann"})
    solved: set[str] = set()

    async def once(what: str, method: str, path: str, body: object = None) -> None:
        """Ask until a game is solved, which takes long in this Python."""
        if what not in solved and (await ask(method, path, body)).get("error") is None:
            solved.add(what)

    for name in games():
        game = (await ask("POST", "/api/games", {"game": name, "opponent": "random"}))["id"]
        for _ in range(TURNS):
            view = await ask("GET", f"/api/games/{game}")
            if question := view.get("question"):
                move = first_move(question)
                await ask("POST", f"/api/games/{game}/moves", {"turn": view["turn"], "move": move})
        await ask("POST", f"/api/games/{game}/resign", {})
        for what in ("record", "steps", "hint"):
            await ask("GET", f"/api/games/{game}/{what}")
        await once("review", "GET", f"/api/games/{game}/review")
        await once("analysis", "GET", f"/api/analysis?game={name}&moves=")
        plan = {"game": name, "settings": {}, "seed": 1, "day": today}
        for kind in ("lesson", "drill", "puzzle", "daily", "book"):
            await once(kind, "POST", "/api/train/session", {"plan": {**plan, "kind": kind}})
        await ask("GET", f"/api/train/book?day={today}&game={name}")
    await ask("GET", "/api/train/daily")
    await ask("GET", "/api/me/statistics")
    await ask("POST", "/api/train/book/games")
    await ask("DELETE", "/api/me")
    await server.close()


def first_move(question: object) -> object:
    while isinstance(question, dict):
        answer = question["answers"][0]
        if answer.get("move"):
            return answer["move"]
        question = answer["next"]
    return None


def imported(code: CodeType, package: str) -> Iterator[str]:
    """Yield the modules that a code imports, also inside functions."""
    import dis

    level, names = 0, ()
    loaded: list[object] = []
    for step in dis.get_instructions(code):
        if step.opname.startswith("LOAD_"):
            loaded.append(step.argval)
        elif step.opname == "IMPORT_NAME":
            level, names = loaded[-2], loaded[-1]
            base = step.argval
            if level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - level + 1], *filter(None, [step.argval])])
            yield base
            yield from (f"{base}.{name}" for name in names or () if name != "*")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imported(constant, package)


def compiled(body: bytes, path: str) -> CodeType:
    return compile(body, path, "exec", dont_inherit=True, optimize=1)


def is_ours(path: str) -> bool:
    return path.startswith("number_duels/") and not path.startswith(UNUSED)


def module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def with_parents(names: set[str]) -> set[str]:
    return {
        name.rsplit(".", count)[0] if count else name
        for name in names
        for count in range(name.count(".") + 1)
    }


def write_standard(needed: set[str]) -> None:
    with ZipFile(STANDARD_PATH) as source, ZipFile(f"/{STANDARD}", "w", ZIP_DEFLATED) as target:
        for info in sorted(source.infolist(), key=lambda each: each.filename):
            name = module_name(info.filename)
            is_code = info.filename.endswith((".py", ".pyc"))
            if not is_code or name in needed:
                add(target, info.filename, source.read(info))


def add(archive: ZipFile, name: str, body: bytes) -> None:
    from zipfile import ZipInfo

    info = ZipInfo(name, DATE)
    info.compress_type = ZIP_DEFLATED
    archive.writestr(info, body, compresslevel=9)


def add_module(archive: ZipFile, path: str, body: bytes, code: CodeType | None) -> None:
    """Add a module as code. Add its source too, or alone, if something reads it."""
    if LAZY in body or path.startswith(HASHED):
        add(archive, path, body)
    if LAZY not in body:
        target = cache_from_source(path) if path.startswith(HASHED) else f"{path}c"
        add(archive, target, HEADER + marshal.dumps(code or compiled(body, path)))


def is_about_package(path: str) -> bool:
    return path.endswith((".so", "METADATA")) or "license" in path.lower()


def main() -> None:
    loaded = set(sys.modules)
    sources = {
        path.relative_to(SITE).as_posix(): path
        for path in sorted(SITE.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    codes = {
        path: compiled(file.read_bytes(), path)
        for path, file in sources.items()
        if path.endswith(".py") and (module_name(path) in loaded or is_ours(path))
    }
    later: set[str] = set()
    for path, code in codes.items():
        name = module_name(path)
        package = name if path.endswith("__init__.py") else name.rpartition(".")[0]
        later |= set(imported(code, package))
    with ZipFile(STANDARD_PATH) as standard:
        for info in standard.infolist():
            name = module_name(info.filename)
            if name in loaded and info.filename.endswith(".pyc"):
                code = marshal.loads(standard.read(info)[16:])
                is_package = info.filename.endswith("__init__.pyc")
                later |= set(imported(code, name if is_package else name.rpartition(".")[0]))
    needed = with_parents(loaded | later)
    with (
        ZipFile("/program.zip", "w") as program,
        ZipFile("/packages.zip", "w") as packages,
    ):
        for path, file in sources.items():
            archive = program if path.startswith("number_duels/") else packages
            code = codes.get(path)
            if not path.endswith(".py"):
                if archive is program or is_about_package(path):
                    add(archive, path, file.read_bytes())
            elif code or (module_name(path) in needed and not path.startswith(LEFT_OUT)):
                add_module(archive, path, file.read_bytes(), code)
    write_standard(needed)
    for name in ("program.zip", "packages.zip", STANDARD):
        print(name, Path(f"/{name}").stat().st_size)
