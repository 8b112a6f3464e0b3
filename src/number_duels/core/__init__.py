"""Parts that all games share: turns, matches, records, players, text and boards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType


def make_callable(name: str, function: Callable[..., object]) -> None:
    """Make `package(...)` call a function, while `package.module` still works."""

    # Rebinding the name to the function would break `import package.module as short`.
    class CallableModule(ModuleType):
        def __call__(self, *args: object, **kwargs: object) -> object:
            return function(*args, **kwargs)

    sys.modules[name].__class__ = CallableModule
