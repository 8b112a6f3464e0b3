"""The browser's storage for `LocalServer`: `page/worker.js` passes its functions in."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Mapping
from types import ModuleType
from typing import Protocol

if sys.platform == "emscripten":
    # anyio imports this module, which needs threads, and uses nothing of it here.
    interpreters = ModuleType("concurrent.interpreters")
    vars(interpreters).update(ExecutionFailed=RuntimeError, create=None)
    sys.modules[interpreters.__name__] = interpreters


class Bytes(Protocol):
    """An array of JavaScript."""

    def to_bytes(self) -> bytes: ...


class Files(Protocol):
    """The functions of `page/worker.js`. `save` returns whether the files are saved.

    `solution` returns undefined if the page has no such file.
    """

    def load(self) -> Awaitable[Mapping[str, Bytes]]: ...

    def save(self, files: Mapping[str, bytes]) -> Awaitable[bool]: ...

    def solution(self, name: str) -> Awaitable[Bytes | None]: ...


class BrowserStorage:
    def __init__(self, files: Files) -> None:
        self.files = files

    async def load(self) -> Mapping[str, bytes]:
        return {name: data.to_bytes() for name, data in (await self.files.load()).items()}

    async def save(self, files: Mapping[str, bytes]) -> None:
        if not await self.files.save(files):
            raise OSError("The browser has no room for these files.")

    async def solution(self, name: str) -> bytes | None:
        found = await self.files.solution(name)
        return None if found is None else found.to_bytes()
