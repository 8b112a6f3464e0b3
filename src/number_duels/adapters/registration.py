"""Register a Gymnasium id for every game as soon as Gymnasium is imported."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

LIBRARY = "gymnasium"


def env_id(name: str) -> str:
    """Return the Gymnasium id of a game.

    >>> env_id("number-knot")
    'number_duels/NumberKnot-v0'
    """
    return f"number_duels/{name.title().replace('-', '')}-v0"


def register() -> None:
    """Register every game with Gymnasium. You may call it more than once.

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
                # DuelEnv checks the order of calls itself. Copies of a wrapper would share a game.
                order_enforce=False,
                disable_env_checker=True,
                kwargs={"game": name},
            )


def register_when_imported() -> None:
    if hasattr(sys.modules.get(LIBRARY), "register"):
        register()
    else:
        sys.meta_path.insert(0, GymnasiumImport())


class GymnasiumImport:
    #: Whether this asks the other finders now. If the package was imported again, they include
    #: another object like this one, which asks this one.
    asking = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != LIBRARY or self.asking:
            return None
        self.asking = True
        try:
            found = (finder.find_spec(name, path, target) for finder in list(sys.meta_path))
            spec = next(filter(None, found), None)
        finally:
            self.asking = False
        if spec and spec.loader:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                if self in sys.meta_path:  # until then, this may be a question without an import
                    sys.meta_path.remove(self)
                register()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]  # this one import only
        return spec
