"""News of games between processes: NOTIFY, in the same transaction as what it tells of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import String, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL = "number_duels"
#: What stands for a version when the game is gone. The number of a process, below zero: who is
#: connected to that process has changed.
GONE = 0
#: PostgreSQL takes 8,000 bytes in one message, less one.
LONGEST = 7_900

News = tuple[str, int]
SEND = select(
    func.pg_notify(
        CHANNEL, func.unnest(bindparam("messages", type_=ARRAY(String))).column_valued("message")
    )
)


def pack(news: Iterable[News]) -> Iterator[str]:
    """News in as few messages as possible, as each costs every process a little.

    >>> list(pack([("a", 3), ("b", 0)]))
    ['a:3 b:0']
    """
    message = ""
    for game, version in news:
        item = f"{game}:{version}"
        if len(message) + len(item) >= LONGEST:
            yield message
            message = ""
        message = f"{message} {item}" if message else item
    if message:
        yield message


def unpack(message: str) -> Iterator[News]:
    """What a message tells; what is not ours is passed over.

    >>> list(unpack("a:3 nonsense b:0"))
    [('a', 3), ('b', 0)]
    """
    for item in message.split():
        game, _, version = item.rpartition(":")
        if game and version.removeprefix("-").isdecimal():
            yield game, int(version)


async def tell(connection: AsyncConnection, news: Iterable[News]) -> None:
    """Let every process hear, once this transaction is committed; SQLite has nobody to tell."""
    if connection.dialect.name == "postgresql":
        messages = list(pack(news))
        if messages:
            await connection.execute(SEND, {"messages": messages})
