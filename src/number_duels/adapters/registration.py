"""Gymnasium's names of the games, registered as soon as both libraries are imported.

Gymnasium 1.0 gave up its entry point for environments of other packages: whoever brings some
registers them when it is imported. `import number_duels` must not load Gymnasium, so it waits.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

LIBRARY = "gymnasium"


def env_id(name: str) -> str:
    """What Gymnasium calls a game.

    >>> env_id("number-knot")
    'number_duels/NumberKnot-v0'
    """
    return f"number_duels/{name.title().replace('-', '')}-v0"


def register() -> None:
    """Register every game with Gymnasium; a second time changes nothing.

    >>> import gymnasium
    >>> register()
    >>> env_id("number-knot") in gymnasium.registry
    True
    """
    import gymnasium

    from number_duels.games import names

    for name in names():
        identifier = env_id(name)
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point="number_duels.adapters.gymnasium:DuelEnv",
                vector_entry_point="number_duels.adapters.gymnasium_vector:VectorDuel",
                # It insists on the order of calls itself: a wrapper would share it with its copies.
                order_enforce=False,
                disable_env_checker=True,
                kwargs={"game": name},
            )


def register_when_imported() -> None:
    """Register every game now, or when somebody imports Gymnasium."""
    if hasattr(sys.modules.get(LIBRARY), "register"):
        register()
    else:
        sys.meta_path.insert(0, GymnasiumImport())


class GymnasiumImport:
    """Waits on Python's list of finders for the import of Gymnasium, and finds nothing else."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the other finders say Gymnasium is, to be followed by our registration."""
        if name != LIBRARY:
            return None
        sys.meta_path.remove(self)
        found = (finder.find_spec(name, path, target) for finder in list(sys.meta_path))
        spec = next(filter(None, found), None)
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                register()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]  # this one import only
        return spec
