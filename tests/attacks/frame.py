"""What every attack is given, and what it hands back."""

from __future__ import annotations

import http.client
import json
import os
import pkgutil
import socket
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from time import monotonic
from types import ModuleType

from number_duels.web.config import Config
from tests.attacks import programs

HOST = "127.0.0.1"
#: Every address of 127.0.0.0/8 is this machine, so attackers are other clients than players.
ATTACKER = "127.0.0.2"
TIMEOUT_S = 20.0
#: Clients of a flood, all at once.
CLIENTS = 32
#: How far an attacker steps back, of 19.
NICENESS = 10


@dataclass(frozen=True)
class Finding:
    """Whether the bound held, and what was seen."""

    held: bool
    seen: str


@dataclass(frozen=True)
class Answer:
    """What the server answered; status 0: nothing, it hung up."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """A server under attack, for so many seconds."""

    port: int
    pid: int
    config: Config
    seconds: float
    #: Where the attack comes from.
    address: str = ATTACKER
    #: What is added to every time in which the server must have done something.
    slack_s: float = 0.0

    def moments(self) -> Iterator[float]:
        """The seconds since the attack began, again and again until its end."""
        began = monotonic()
        while (since := monotonic() - began) < self.seconds:
            yield since

    def connect(self, address: str | None = None) -> socket.socket:
        """A connection of the attacker."""
        source = address or self.address, 0
        timeout_s = TIMEOUT_S + self.slack_s
        return socket.create_connection((HOST, self.port), timeout_s, source_address=source)

    @contextmanager
    def client(self, address: str | None = None) -> Iterator[http.client.HTTPConnection]:
        """A client with one kept connection."""
        source = address or self.address, 0
        timeout_s = TIMEOUT_S + self.slack_s
        found = http.client.HTTPConnection(HOST, self.port, timeout_s, source_address=source)
        try:
            yield found
        finally:
            found.close()

    def environment(self) -> dict[str, str]:
        """The variables that the server was started with."""
        text = Path(f"/proc/{self.pid}/environ").read_bytes().decode()
        return dict(line.split("=", 1) for line in text.split("\0") if "=" in line)

    def memory_mib(self) -> float:
        """What the server holds in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def open_files(self) -> int:
        """How many descriptors the server has open."""
        return sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())


def ask(
    client: http.client.HTTPConnection,
    method: str,
    path: str,
    body: object = None,
    **headers: str,
) -> Answer:
    """One request; the underscores of a header's name are hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = None
    if body is not None:
        content, named["Content-Type"] = json.dumps(body), "application/json"
    try:
        client.request(method, path, content, named)
        found = client.getresponse()
        return Answer(found.status, found.read(), dict(found.getheaders()))
    except (OSError, http.client.HTTPException):
        client.close()
        return Answer(0)


def status_of(connection: socket.socket) -> int:
    """The status of what a raw connection is answered; 0 if it is closed or reset instead."""
    with suppress(OSError, ValueError, IndexError):
        return int(connection.recv(4096).split(b" ")[1])
    return 0


def step_back() -> None:
    """Let everybody else go first: an attacker has a machine of its own, and here it shares one.

    Linux gives each session an equal part of the time, and to be nice is of use in one's own
    alone. PostgreSQL has its own, so the attacker gets one, too, that is nice as a whole.
    """
    os.nice(NICENESS)
    os.setsid()
    with suppress(OSError):  # no such thing on other systems
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def attack_names() -> list[str]:
    """Every attack there is."""
    return sorted(module.name for module in pkgutil.iter_modules(programs.__path__))


def attack_module(name: str) -> ModuleType:
    """The program of an attack."""
    return import_module(f"{programs.__name__}.{name}")


def settings_of(name: str, *, short: bool) -> dict[str, object]:
    """The options and limits that a server is attacked with."""
    module = attack_module(name)
    settings = dict(getattr(module, "SETTINGS", {}))
    return settings | dict(getattr(module, "SHORT_SETTINGS", {}) if short else {})


def environment_of(name: str, folder: str | Path) -> dict[str, str]:
    """More of a server's environment, with a cache that an attack may spoil."""
    found: dict[str, str] = dict(getattr(attack_module(name), "ENVIRONMENT", {}))
    return {**found, "XDG_CACHE_HOME": f"{folder}/cache"} if found else {}


def run_attack(name: str, target: Target) -> Finding:
    """Attack."""
    found: Finding = attack_module(name).attack(target)
    return found


def flood(
    target: Target,
    asked: Sequence[tuple[str, str]],
    method: str = "GET",
    body: object = None,
) -> tuple[Counter[int], float]:
    """How often which status was answered to clients that ask as fast as they can, and in how long.

    What is asked is an address and a token, or an empty one; each client takes one of them. On a
    busy machine what was asked in time is answered long after, and a limit allows more by then.
    """

    began = monotonic()

    def ask_on(number: int) -> Counter[int]:
        path, token = asked[number % len(asked)]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        found: Counter[int] = Counter()
        with target.client() as client:
            while monotonic() - began < target.seconds:
                found[ask(client, method, path, body, **headers).status] += 1
        return found

    with ThreadPoolExecutor(CLIENTS) as pool:
        found = sum(pool.map(ask_on, range(CLIENTS)), Counter[int]())
    return found, monotonic() - began


def within(target: Target, served: float, seconds: float) -> bool:
    """Whether no more was served than a client may ask for, with what arrives while it ends."""
    config = target.config
    allowed = config.request_burst + config.waiting_requests + config.request_rate * (seconds + 1)
    return served <= allowed + CLIENTS


def within_expensive(target: Target, served: float, seconds: float) -> bool:
    """Whether no more was served than a client may ask for of what is expensive."""
    config = target.config
    return served <= config.expensive_burst + config.expensive_rate * (seconds + 1)


def answers(found: Counter[int]) -> str:
    """The answers, by status."""
    return ", ".join(f"{count} x {status}" for status, count in sorted(found.items()))
