"""The short version of every attack; `python -m tests.attacks` measures the moves of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from number_duels.web.config import Config
from tests.attacks.frame import (
    Target,
    attack_module,
    attack_names,
    environment_of,
    run_attack,
    settings_of,
)
from tests.web.limited import configured
from tests.web.serving import Server

pytestmark = pytest.mark.system  # an attack measures the process of its server

SECONDS = 0.5
#: How quick the server is, `python -m tests.attacks` tells; here others use the machine, too.
SLACK_S = 60.0
#: Attacks whose settings would change what the others show.
ALONE = tuple(name for name in attack_names() if hasattr(attack_module(name), "OWN_SERVER"))
Attacked = Callable[[str], tuple[Server, Config]]


@pytest.fixture(scope="module")
def attacked(new_database: Callable[[Path], str]) -> Iterator[Attacked]:
    """Starts the server that an attack is for; most attack the same one, as different clients."""
    with ExitStack() as stack:

        @cache
        def start(names: tuple[str, ...]) -> tuple[Server, Config]:
            settings: dict[str, object] = {}
            environment: dict[str, str] = {}
            folder = Path(stack.enter_context(TemporaryDirectory()))
            for name in names:
                settings |= settings_of(name, short=True)
                environment |= environment_of(name, folder)
            server = Server(folder, new_database(folder), environment, settings)
            server.start()
            stack.callback(server.kill)
            return server, configured(settings)

        together = tuple(name for name in attack_names() if name not in ALONE)
        yield lambda name: start((name,) if name in ALONE else together)


#: They solve games, so they take a while even in their short version.
HEAVY = ("drills", "many_solutions", "unsolvable_settings")
ATTACKS = [
    pytest.param(name, marks=pytest.mark.slow if name in HEAVY else ()) for name in attack_names()
]


@pytest.mark.parametrize("name", ATTACKS)
def test_the_bound_of_an_attack_holds(name: str, attacked: Attacked) -> None:
    server, config = attacked(name)
    assert server.process is not None
    address = f"127.0.2.{attack_names().index(name) + 1}"
    target = Target(server.port, server.process.pid, config, SECONDS, address, SLACK_S)
    found = run_attack(name, target)
    assert found.held, found.seen
    assert "Traceback" not in server.log, server.log
