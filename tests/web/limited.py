"""`python -m tests.web.limited …`: `duels serve` with other limits, for a test or a benchmark.

The variable `NUMBER_DUELS_TEST_LIMITS` has them as JSON, by the names of `Config`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from number_duels.web.config import Config

VARIABLE = "NUMBER_DUELS_TEST_LIMITS"
read_options = Config.read


def changed(config: Config, settings: Mapping[str, object]) -> Config:
    """Options and limits with other values; text becomes what the default is."""
    values: dict[str, Any] = {
        name: type(getattr(Config, name))(value) for name, value in settings.items()
    }
    return replace(config, **values)


def configured(settings: Mapping[str, object]) -> Config:
    """The configuration of a server in this process."""
    return changed(read_options({"strictness": settings.get("strictness")}, {}), settings)


def as_variable(settings: Mapping[str, object]) -> dict[str, str]:
    """Settings for a server in another process."""
    return {VARIABLE: json.dumps(settings, default=str)}


def serve(arguments: Sequence[str]) -> int:
    """Be the command, with the limits of the environment."""
    from number_duels.terminal.main import run

    settings = json.loads(os.environ.get(VARIABLE, "{}"))

    def read(flags: Mapping[str, object]) -> Config:
        strictness = settings.get("strictness", flags.get("strictness"))
        return changed(read_options({**flags, "strictness": strictness}), settings)

    Config.read = read  # type: ignore[method-assign,assignment]
    return run(["serve", *arguments])


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
