"""What is sent, as JSON."""

from __future__ import annotations

import json

#: Nothing that is sent has itself in it.
ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def encode(value: object) -> bytes:
    """A value as JSON, in one line.

    >>> encode({"name": "Zoë"}).decode()
    '{"name":"Zoë"}'
    """
    return ENCODER.encode(value).encode()
