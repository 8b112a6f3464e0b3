"""The files of the pages, kept in memory under a name that changes with their contents.

They lie at `/static/RELEASE/…`: modules import each other by relative addresses, so the whole
tree has one name, and each of its files may be kept for ever. In a checkout an edited file makes
a new release with the next page that is asked for.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from number_duels import __version__

FOLDER = Path(__file__).parent
RELEASE_LENGTH = 12
#: What is worth compressing; fonts are compressed already.
TEXT_SUFFIXES = (".css", ".js", ".svg", ".txt", ".webmanifest")
#: Types and explanations are for who reads the source; lines keep their numbers without them.
DOC_COMMENT = re.compile(rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
FOREVER = "public, max-age=31536000, immutable"
#: What one module takes from others before it runs.
IMPORT = re.compile(r"""^(?:import|export)\b[^;'"]*["']\./([\w-]+\.js)["']""", re.MULTILINE)


@dataclass(frozen=True)
class Asset:
    """A file as it is sent, and compressed if that makes it smaller."""

    body: bytes
    media_type: str
    compressed: bytes | None = None


@dataclass(frozen=True)
class Release:
    """All files at one moment."""

    name: str
    files: dict[str, Asset]
    template: str

    def address(self, path: str) -> str:
        """Where a file of this release lies."""
        return f"/static/{self.name}/{path}"

    def modules(self, name: str) -> list[str]:
        """A script and all that it imports, each before those that it leads to."""
        found = [f"js/{name}.js"] if f"js/{name}.js" in self.files else []
        for path in found:
            imported = IMPORT.findall(self.files[path].body.decode())
            new = dict.fromkeys(f"js/{each}" for each in imported)
            found += [each for each in new if each in self.files and each not in found]
        return found

    def styles(self, name: str) -> list[str]:
        """The styles of a script and of all that it imports: each has the name of its module."""
        modules = [Path(path).stem for path in self.modules(name)] or [name]
        named = ["css/base.css", *(f"css/{module}.css" for module in reversed(modules))]
        return [path for path in named if path in self.files]


class Assets:
    """The release that is served."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        #: An installed server keeps what it started with, also while it is being upgraded.
        self._editable = (folder.parents[2] / "pyproject.toml").exists()
        self._stamp = self._read_stamp()
        self._release = self._read()

    @property
    def release(self) -> Release:
        """What is served now; in a checkout it is read again after an edit."""
        if self._editable and (stamp := self._read_stamp()) != self._stamp:
            self._stamp, self._release = stamp, self._read()
        return self._release

    def find(self, path: str) -> tuple[Asset, str] | None:
        """A file and how long it may be kept; None if there is none.

        A page of another release, and whoever asks without one, gets what there is now.
        """
        release, _, rest = path.partition("/")
        if release == self._release.name and rest in self._release.files:
            return self._release.files[rest], FOREVER
        current = self.release.files
        asset = current.get(path) or current.get(rest)
        return None if asset is None else (asset, "no-cache")

    def _files(self) -> list[Path]:
        static = self._folder / "static"
        found = [file for file in static.rglob("*") if file.is_file()]
        return [*sorted(found), self._folder / "templates" / "page.html"]

    def _read_stamp(self) -> list[tuple[str, int, int]]:
        return [
            (str(file), stat.st_mtime_ns, stat.st_size)
            for file in self._files()
            for stat in (file.stat(),)
        ]

    def _read(self) -> Release:
        *files, template = self._files()
        static = self._folder / "static"
        read = {file.relative_to(static).as_posix(): file.read_bytes() for file in files}
        page = template.read_text(encoding="utf-8")
        digest = sha256(f"{__version__}\0{page}".encode())
        for path, body in read.items():
            digest.update(f"\0{path}\0{len(body)}\0".encode() + body)
        return Release(
            digest.hexdigest()[:RELEASE_LENGTH],
            {path: make_asset(path, body) for path, body in read.items()},
            page,
        )


def make_asset(path: str, body: bytes) -> Asset:
    media_type = guess_type(path)[0] or "application/octet-stream"
    if path.endswith(".js"):
        body = DOC_COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), body)
    compressed = compress(body) if path.endswith(TEXT_SUFFIXES) else None
    return Asset(body, media_type, compressed)


def compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
