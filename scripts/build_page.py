"""Build the page without a server: `python scripts/build_page.py [FOLDER]`, by default `dist/page`.

The folder works on any static host, under any path. Pyodide comes from node_modules
(`npm install`), its packages from PyPI, in the versions of requirements/play.txt.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from asyncio import run
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from fastapi.routing import APIRoute
from scripts import record_page_answers, write_page_solutions
from scripts.record_page_answers import NoStorage

from number_duels import __version__
from number_duels.games import names
from number_duels.web import pages
from number_duels.web.assets import FOLDER, Assets, Release
from number_duels.web.pyodide import Call, LocalServer

PAGE = FOLDER / "page"
PYODIDE = ROOT / "node_modules" / "pyodide"
WORK = ROOT / "build" / "page"
REQUIREMENTS = ROOT / "requirements" / "play.txt"
#: The packages that the application imports. Those with compiled parts are built for Pyodide.
PACKAGES = (
    "annotated-doc",
    "annotated-types",
    "anyio",
    "fastapi",
    "fsrs",
    "idna",
    "opentelemetry-api",
    "prometheus-client",
    "pydantic",
    "pydantic-core",
    "segno",
    "sqlalchemy",
    "starlette",
    "typing-extensions",
    "typing-inspection",
)
PLATFORM = ("--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14", "--abi=cp314")
#: Files of this package that the application does not read.
LEFT_OUT = ("bench/data/", "web/page/", "web/static/")
#: Files of Pyodide, and whether they are compressed here. Archives are compressed already.
RUNTIME = {
    "pyodide.mjs": False,
    "pyodide.asm.mjs": True,
    "pyodide.asm.wasm": True,
    "python_stdlib.zip": False,
}
ARCHIVES = ("packages.zip", "program.zip")
PACKED = ".packed"
HTML = {"accept": "text/html"}
SERVER_ONLY = re.compile(
    r'\s*(?:<meta property="og:[^>]*>|<meta name="twitter:[^>]*>|<meta name="release"[^>]*>'
    r'|<link rel="preload" href="/api[^>]*>|<link rel="manifest"[^>]*>)'
)


def main(folder: Path) -> None:
    if not PYODIDE.is_dir():
        sys.exit("Pyodide is not installed: npm install")
    WORK.mkdir(parents=True, exist_ok=True)
    download_packages()
    compile_python()
    replacement = (PAGE / "transport.js").read_text(encoding="utf-8")
    release = Assets(replacements={"transport": replacement}).release
    files = dict(python_files())
    sizes = {name: len(body) for name, body in files.items()}
    files = {f"python/{name}": body for name, body in files.items()}
    with TemporaryDirectory() as data:
        found, shown, redirects = run(read_pages(Path(data)))
    files |= found
    files |= dict(static_files(release))
    for name in ("shell.js", "shell.css", "worker.js", "early_answers.js"):
        files[name] = (PAGE / name).read_bytes()
    solutions = solution_files()
    with TemporaryDirectory() as data:
        recorded = run(record_page_answers.record(Path(data), names()))
    files |= {f"{name}{PACKED}": gzip.compress(body, mtime=0) for name, body in recorded.items()}
    files |= {f"python/solutions/{name}{PACKED}": body for name, body in solutions.items()}
    build = {"pages": shown, "redirects": redirects, "sizes": sizes, "solutions": [*solutions]}
    files["build.json"] = json.dumps(build).encode()
    write(folder, files)


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a folder named after their contents, and the pages that lead there."""
    hashes = {path: sha256(body).hexdigest()[:16] for path, body in sorted(files.items())}
    name = sha256(json.dumps([__version__, hashes]).encode()).hexdigest()[:12]
    shutil.rmtree(folder, ignore_errors=True)
    top = {
        "index.html": fill("index.html", release=name, description=pages.START_PAGE.description),
        "manifest.webmanifest": fill("manifest.webmanifest", release=name),
    }
    hashes = {f"{name}/{path}": digest for path, digest in hashes.items()}
    hashes |= {path: sha256(text.encode()).hexdigest()[:16] for path, text in top.items()}
    top["sw.js"] = fill("sw.js", files=json.dumps(hashes, indent=0), release=name)
    top["LICENSES.txt"] = licenses()
    for path, body in ({f"{name}/{path}": body for path, body in files.items()}).items():
        save(folder / path, body)
    for path, text in top.items():
        save(folder / path, text.encode())
    total = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: {len(files) + len(top)} files, {total / 1e6:.1f} MB")


def fill(name: str, **values: str) -> str:
    return Template((PAGE / name).read_text(encoding="utf-8")).safe_substitute(values)


def save(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


# Python


def download_packages() -> None:
    wanted = requirements()
    kept = WORK / "requirements.txt"
    wheels = WORK / "wheels"
    if wheels.is_dir() and kept.exists() and kept.read_text() == wanted:
        return
    kept.unlink(missing_ok=True)
    shutil.rmtree(wheels, ignore_errors=True)
    asked = WORK / "asked.txt"
    asked.write_text(wanted)
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
    ]
    command += ["--implementation=cp", *PLATFORM, "--require-hashes", f"--requirement={asked}"]
    subprocess.run([*command, f"--dest={wheels}"], check=True)
    asked.rename(kept)


def requirements() -> str:
    """Return the lines of the lock file that are about our packages, with their hashes."""
    text = REQUIREMENTS.read_text(encoding="utf-8")
    found = dict(re.findall(r"^([\w-]+)(==[^ ;]+.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL))
    return "".join(f"{name}{found[name]}" for name in PACKAGES)


def compile_python() -> None:
    """Compile our code and the packages with Pyodide's own Python. Leave out what is unused."""
    inputs = WORK / "inputs"
    inputs.mkdir(exist_ok=True)
    zip_files(inputs / "packages.zip", sorted(package_files()))
    zip_files(inputs / "program.zip", sorted(program_files()))
    script = ROOT / "scripts" / "compile_in_pyodide.mjs"
    used = [PYODIDE / "package.json", *sorted(inputs.iterdir()), script, script.with_suffix(".py")]
    state = sha256(b"".join(path.read_bytes() for path in used)).hexdigest()
    done = WORK / "compiled.txt"
    if not done.exists() or done.read_text() != state:
        subprocess.run(["node", str(script), str(inputs), str(WORK)], check=True, cwd=ROOT)
        done.write_text(state)


def package_files() -> Iterator[tuple[str, bytes]]:
    for wheel in sorted((WORK / "wheels").glob("*.whl")):
        with ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    yield name, archive.read(name)


def program_files() -> Iterator[tuple[str, bytes]]:
    package = ROOT / "src" / "number_duels"
    for file in package.rglob("*"):
        within = file.relative_to(package).as_posix()
        if file.is_file() and "__pycache__" not in within and not within.startswith(LEFT_OUT):
            yield f"number_duels/{within}", file.read_bytes()


def zip_files(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    with ZipFile(path, "w") as archive:
        for name, body in files:
            archive.writestr(ZipInfo(name), body, ZIP_DEFLATED)


def python_files() -> Iterator[tuple[str, bytes]]:
    for name, packed in RUNTIME.items():
        body = ((WORK / name) if (WORK / name).exists() else (PYODIDE / name)).read_bytes()
        yield (f"{name}{PACKED}", gzip.compress(body, mtime=0)) if packed else (name, body)
    for name in ARCHIVES:
        yield name, (WORK / name).read_bytes()
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    yield "pyodide-lock.json", json.dumps({**lock, "packages": {}}).encode()


def solution_files() -> dict[str, bytes]:
    """Return the compressed solutions of all games by the names that the cache gives them."""
    folder = WORK / "solutions"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    written = write_page_solutions.write(folder, names())
    return {path.name.removesuffix(".gz"): path.read_bytes() for path in written}


# Pages


async def read_pages(data: Path) -> tuple[dict[str, bytes], dict[str, str], dict[str, str]]:
    """Ask the application for its pages, one of each kind.

    Return their files, the name of each by the first part of its path, and the redirects.
    """
    server = LocalServer(data, NoStorage())
    await server.open()
    files: dict[str, bytes] = {}
    shown: dict[str, str] = {}
    redirects: dict[str, str] = {}
    game = names()[0]
    started = await server.answer(
        Call(
            "POST",
            "/api/games",
            {"content-type": "application/json"},
            json.dumps({"game": game, "opponent": "random"}).encode(),
        )
    )
    values = {
        "game": game,
        "id": json.loads(started.body)["id"],
        "day": server.app.state.service.clock.now().date().isoformat(),
    }
    for route in server.app.routes:
        if not isinstance(route, APIRoute) or route.endpoint.__module__ != pages.__name__:
            continue
        if route.include_in_schema or "path" in route.param_convertors:
            continue
        answer = await server.answer(Call("GET", route.path.format(**values), HTML))
        location = dict(answer.headers).get("location")
        if location is not None:
            redirects[route.path] = location
            continue
        text = answer.body.decode()
        (name,) = re.findall(r'<main [^>]*class="(\w+)"', text)
        shown[route.path.split("/")[1]] = name
        files[f"pages/{name}.html"] = page_file(text, is_one_of_many="{" in route.path)
    unknown = await server.answer(Call("GET", "/nothing", HTML))
    files["pages/error.html"] = page_file(unknown.body.decode(), is_one_of_many=False)
    await server.close()
    return files, shown, redirects


def page_file(text: str, *, is_one_of_many: bool) -> bytes:
    """Return a page of the server as a file, with addresses relative to the built folder."""
    text = SERVER_ONLY.sub("", text)
    if is_one_of_many:
        text = re.sub(r"<title>.*?</title>", "<title>Number Duels</title>", text)
    text = re.sub(r'"/static/\w+/', '"../static/', text)
    return re.sub(r'href="(/[^"]*)"', r'href="../../#\1" target="_top"', text).encode()


def static_files(release: Release) -> Iterator[tuple[str, bytes]]:
    for path, asset in release.files.items():
        own = path.startswith(("js/", "css/")) and not path.endswith((".bundle.js", ".bundle.css"))
        if not own or path in ("js/theme.js", "css/base.css"):
            yield f"static/{path}", asset.body


def licenses() -> str:
    lines = [
        "Number Duels is under the MIT license.",
        "It contains Pyodide (https://github.com/pyodide/pyodide), under the Mozilla Public",
        "License 2.0; CPython (https://docs.python.org/3/license.html); and these packages. Their",
        "licenses are in packages.zip.",
        *sorted(file.name.split("-")[0] for file in (WORK / "wheels").glob("*.whl")),
        "The font Inter is under the SIL Open Font License (static/fonts/OFL.txt).",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "page")
