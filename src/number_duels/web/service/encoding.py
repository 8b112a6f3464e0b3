"""What is sent, as JSON."""

from __future__ import annotations

import orjson


def encode(value: object) -> bytes:
    """A value as JSON, in one line.

    >>> encode({"name": "Zoë"}).decode()
    '{"name":"Zoë"}'
    """
    return orjson.dumps(value, default=list)  # named tuples are lists, too
