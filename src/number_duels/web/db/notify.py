"""Notices of changed games: in one process, and sent with a transaction to all others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, String, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.web.db.attendance import Attendance

CHANNEL = "number_duels"
#: PostgreSQL takes 8,000 bytes in one message, less one.
MAX_MESSAGE_BYTES = 7_900
SEND = select(
    func.pg_notify(
        CHANNEL, func.unnest(bindparam("messages", type_=ARRAY(String))).column_valued("message")
    )
)


@dataclass(frozen=True)
class GameNotice:
    """What has become of a game: a new version, other people connected, or its removal."""

    game: str
    version: int | None = None
    #: The process to which somebody has connected, or from which somebody has gone.
    process: int | None = None
    removed: bool = False

    def __add__(self, other: GameNotice) -> GameNotice:
        """Both in one; of two versions the later.

        >>> GameNotice("a", version=3) + GameNotice("a", process=7) + GameNotice("a", version=5)
        GameNotice(game='a', version=5, process=7, removed=False)
        """
        versions = [one.version for one in (self, other) if one.version is not None]
        return GameNotice(
            self.game,
            max(versions, default=None),
            other.process if self.process is None else self.process,
            self.removed or other.removed,
        )

    def outdates(self, version: int) -> bool:
        """Whether a game that was read at a version must be read again."""
        newer = self.version is not None and self.version > version
        return newer or self.process is not None or self.removed

    def __str__(self) -> str:
        facts = {"version": self.version, "process": self.process, "removed": self.removed or None}
        return ":".join([self.game, *(f"{k}={int(v)}" for k, v in facts.items() if v is not None)])


def pack(notices: Iterable[GameNotice]) -> Iterator[str]:
    """Notices in as few messages as possible, as each costs every process a little.

    >>> list(pack([GameNotice("a", version=3), GameNotice("b", removed=True)]))
    ['a:version=3 b:removed=1']
    """
    message = ""
    for item in map(str, notices):
        if len(message) + len(item) >= MAX_MESSAGE_BYTES:
            yield message
            message = ""
        message = f"{message} {item}" if message else item
    if message:
        yield message


def unpack(message: str) -> Iterator[GameNotice]:
    """The notices in a message; what is not ours is passed over.

    >>> [str(notice) for notice in unpack("a:version=3 nonsense b:removed=1 c:version=x")]
    ['a:version=3', 'b:removed=1']
    """
    for item in message.split():
        game, *facts = item.split(":")
        found = {name: value for name, _, value in (fact.partition("=") for fact in facts)}
        with suppress(ValueError):
            notice = GameNotice(
                game,
                int(found["version"]) if "version" in found else None,
                int(found["process"]) if "process" in found else None,
                found.get("removed") == "1",
            )
            if notice != GameNotice(game):
                yield notice


def announce(connection: Connection, notices: Iterable[GameNotice]) -> None:
    """Let every process know once this transaction is committed; SQLite has no others."""
    if connection.dialect.name == "postgresql":
        messages = list(pack(notices))
        if messages:
            connection.execute(SEND, {"messages": messages})


async def send(connection: AsyncConnection, notices: Iterable[GameNotice]) -> None:
    """The same from a connection that is waited for."""
    await connection.run_sync(announce, notices)


Subscriber = Callable[[Collection[GameNotice]], Awaitable[None]]


class Notifier:
    """Tells everything in this process that has subscribed."""

    #: Whether all that happens elsewhere is noticed.
    connected = True

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._after_gap: list[Callable[[], Awaitable[None]]] = []

    def subscribe(self, subscriber: Subscriber, after_gap: Callable[[], Awaitable[None]]) -> None:
        """Be told of every change from now on, and of each time when some may have been missed."""
        self._subscribers.append(subscriber)
        self._after_gap.append(after_gap)

    async def publish(self, notices: Collection[GameNotice]) -> None:
        """Tell this process of changes that are in the database already."""
        for subscriber in self._subscribers:
            await subscriber(notices)

    def set_presence(self, game: str, here: Attendance) -> None:
        """Tell the other processes who is connected to this one; there are none."""

    async def open(self) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Stop listening."""
