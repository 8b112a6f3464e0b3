"""Static files, kept in memory and served at `/static/RELEASE/…`.

The release name changes with the contents of the files, so browsers may cache them forever.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from logging import getLogger
from mimetypes import guess_type
from pathlib import Path
from time import monotonic

from fastapi import Request, Response

from number_duels import __version__

log = getLogger(__name__)

FOLDER = Path(__file__).parent
RELEASE_LENGTH = 12
EDITS_SEEN_EVERY_S = 0.5
#: Files to compress. Fonts are compressed already.
TEXT_SUFFIXES = (".css", ".js", ".svg", ".txt", ".webmanifest")
#: Blank lines replace doc comments, so that line numbers stay the same.
DOC_COMMENT = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
LINE_START = re.compile(r"\n\s*(?://.*\s*)+|\n\s+")
#: White space that separates nothing.
SCRIPT_SPACE = re.compile(r"(?<=[(\[{,;])\n|\n(?=[)\]}])|(?<=\{) | (?=\})")
LAST_COMMENT = re.compile(r"[([{,;]\s*//")
TYPE_COMMENT = re.compile(r"/\*\*.*?\*/ ?")
STYLE_SPACE = re.compile(r"\s*([{};])\s*|(?<=[:,])\s+")
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n*", re.DOTALL)
FileStamp = tuple[Path, int, int]
FOREVER = "public, max-age=31536000, immutable"
#: The browser may keep the file, but must ask each time whether it has changed.
CHECKED = "no-cache"


@dataclass(frozen=True)
class Asset:
    body: bytes
    media_type: str
    compressed: bytes | None = None

    @cached_property
    def tag(self) -> str:
        # The ETag is weak, because the plain and the gzipped contents share it.
        return f'W/"{sha256(self.body).hexdigest()[:32]}"'


@dataclass(frozen=True)
class Release:
    name: str
    files: dict[str, Asset]
    template: str

    def address(self, path: str) -> str:
        return f"/static/{self.name}/{path}"

    def script(self, page: str) -> str | None:
        return self._first(f"js/{page}.bundle.js", f"js/{page}.js")

    def style(self, page: str) -> str | None:
        return self._first(f"css/{page}.bundle.css", f"css/{page}.css", "css/base.css")

    def _first(self, *paths: str) -> str | None:
        return next((path for path in paths if path in self.files), None)


class Assets:
    def __init__(
        self, folder: Path = FOLDER, replacements: Mapping[str, str] | None = None
    ) -> None:
        self._folder = folder
        #: Other texts of scripts, by their names.
        self._replacements = replacements or {}
        #: Whether this is a checkout. An installed server ignores changes, such as an upgrade.
        self._editable = (folder.parents[2] / "pyproject.toml").exists()
        self._stamp, self._looked_at = self._read_stamp(), monotonic()
        self._release = self._read()

    @property
    def release(self) -> Release:
        if self._editable and monotonic() - self._looked_at >= EDITS_SEEN_EVERY_S:
            self._looked_at = monotonic()
            # A file may be missing for a moment while an editor replaces it.
            with suppress(FileNotFoundError):
                if (stamp := self._read_stamp()) != self._stamp:
                    self._stamp, self._release = stamp, self._read()
        return self._release

    def find(self, path: str) -> tuple[Asset, str] | None:
        """Return a file and its Cache-Control value, or None if there is no such file.

        If the release name in `path` is old or missing, return the current file.
        """
        release, _, rest = path.partition("/")
        if release == self._release.name and rest in self._release.files:
            return self._release.files[rest], FOREVER
        current = self.release.files
        asset = current.get(path) or current.get(rest)
        return None if asset is None else (asset, CHECKED)

    def _files(self) -> list[Path]:
        static = self._folder / "static"
        found = [file for file in static.rglob("*") if file.is_file()]
        return [*sorted(found), self._folder / "templates" / "page.html"]

    def _read_stamp(self) -> list[FileStamp]:
        found = ((file, file.stat()) for file in self._files())
        return [(file, stat.st_mtime_ns, stat.st_size) for file, stat in found]

    def _read(self) -> Release:
        *files, template = self._files()
        static = self._folder / "static"
        read = {file.relative_to(static).as_posix(): file.read_bytes() for file in files}
        page = template.read_text(encoding="utf-8")
        digest = sha256(f"{__version__}\0{page}".encode())
        for path, body in read.items():
            digest.update(f"\0{path}\0{len(body)}\0".encode() + body)
        scripts = {
            Path(path).stem: DOC_COMMENT.sub(blank_lines, body.decode())
            for path, body in read.items()
            if path.endswith(".js")
        }
        for name, text in self._replacements.items():
            scripts[name] = DOC_COMMENT.sub(blank_lines, text)
        styles = {
            Path(path).stem: STYLE_COMMENT.sub("", body.decode())
            for path, body in read.items()
            if path.endswith(".css")
        }
        read |= {f"js/{name}.js": text.encode() for name, text in scripts.items()}
        read |= make_bundles(scripts, styles)
        assets = {path: make_asset(path, body) for path, body in read.items()}
        return Release(digest.hexdigest()[:RELEASE_LENGTH], assets, page)


def blank_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def make_bundles(scripts: Mapping[str, str], styles: Mapping[str, str]) -> dict[str, bytes]:
    within = {each for text in scripts.values() for each in imports(text)}
    found: dict[str, bytes] = {}
    for name, text in scripts.items():
        if name in within or not imports(text):
            continue
        try:
            found[f"css/{name}.bundle.css"] = bundle_style(name, scripts, styles).encode()
            found[f"js/{name}.bundle.js"] = bundle_script(name, scripts).encode()
        except BundleError as error:
            # The page then loads its modules one by one.
            log.error("%s", error)
    return found


def make_asset(path: str, body: bytes) -> Asset:
    media_type = guess_type(path)[0] or "application/octet-stream"
    return Asset(body, media_type, compress(body) if path.endswith(TEXT_SUFFIXES) else None)


def compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def send(request: Request, asset: Asset, cache: str, status: int = 200) -> Response:
    """Return a response with the asset, gzipped if the client accepts that.

    If `cache` is `CHECKED` and the client's copy is current, the response is a 304 without a body.
    """
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if cache == CHECKED:
        headers["ETag"] = asset.tag
        if asset.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
    body = asset.body
    if asset.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = asset.compressed, "gzip"
    return Response(body, status, headers, asset.media_type)


# A page's modules are joined into one bundle. They use only `import { a, b as c } from "./x.js"`,
# the same with `export`, and `export` before a declaration. In a bundle, a module is a function
# that runs once, after the modules it imports. A module and its style have the same name.


NAMES_FROM = r'\s*\{([^}]*)\}\s*from\s*"\./(\w+)\.js";?$'
IMPORT = re.compile(f"^import{NAMES_FROM}", re.MULTILINE)
PASSED_ON = re.compile(f"^export{NAMES_FROM}", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
MODULE = re.compile(r"\bmodule_(\w+)")
UNKNOWN = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class BundleError(ValueError): ...


def imports(source: str) -> list[str]:
    return [name for _, name in (*IMPORT.findall(source), *PASSED_ON.findall(source))]


def order(name: str, sources: Mapping[str, str], above: tuple[str, ...] = ()) -> list[str]:
    """Return the names of a module and all modules it imports. Each follows the ones it imports."""
    if name in above:
        raise BundleError(f"{name}.js imports itself through {', '.join(above)}.")
    if name not in sources:
        raise BundleError(f"{', '.join(above)}: the imported file {name}.js does not exist.")
    found: dict[str, None] = {}
    for each in imports(sources[name]):
        found.update(dict.fromkeys(order(each, sources, (*above, name))))
    return [*found, name]


def bundle_script(name: str, sources: Mapping[str, str]) -> str:
    names = order(name, sources)
    joined = "\n".join(wrap(each, sources[each]) for each in names)
    bare = SCRIPT_SPACE.sub("", LINE_START.sub("\n", TYPE_COMMENT.sub("", joined)))
    return MODULE.sub(lambda found: f"m{names.index(found[1])}", bare)  # numbers are shorter


def bundle_style(name: str, sources: Mapping[str, str], styles: Mapping[str, str]) -> str:
    used = ["base", *(each for each in order(name, sources) if each in styles)]
    joined = "\n".join([*(styles[each] for each in used), f"@media print {{{styles['print']}}}"])
    return STYLE_SPACE.sub(r"\1", joined)


def wrap(name: str, source: str) -> str:
    exports = EXPORT.findall(source)
    for names, _ in PASSED_ON.findall(source):
        exports += [each.strip() for each in names.split(",") if each.strip()]
    body = EXPORT.sub("", PASSED_ON.sub(take, IMPORT.sub(take, source)))
    if any(line.count("`") % 2 for line in body.splitlines()):
        raise BundleError(f"{name}.js: a text in backquotes spans several lines.")
    if LAST_COMMENT.search(LINE_START.sub("\n", f"\n{body}")):
        raise BundleError(f"{name}.js: a comment follows code on its line.")
    if left := UNKNOWN.search(body):
        raise BundleError(f"{name}.js: web/assets.py does not understand {left[0]!r}.")
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();"


def take(found: re.Match[str]) -> str:
    names = re.sub(r"\s+as\s+", ": ", found[1])
    return f"const {{{names}}} = module_{found[2]};"
