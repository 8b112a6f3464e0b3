"""Logs on standard error, plain or one JSON object a line; no token and no choice is in any."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from number_duels.web.config import Config

#: What a record may say besides its sentence.
FACTS = ("method", "route", "status", "milliseconds", "game")
PLAIN = "%(levelname)s: %(message)s"


class JsonLines(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON."""
        found: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        found |= {name: record.__dict__[name] for name in FACTS if name in record.__dict__}
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """A sentence, and the facts after it."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line; an error with its traceback."""
        facts = [f"{name}={record.__dict__[name]}" for name in FACTS if name in record.__dict__]
        return " ".join([super().format(record), *facts])


def set_up(config: Config) -> None:
    """Log as whoever runs the server wants it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if config.log_format == "json" else PlainLines(PLAIN))
    level = config.log_level.upper()
    for name in ("number_duels", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
    if level == "WARNING":
        # It warns of every request that is no HTTP, which is as often as an attacker likes.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
    # Their messages quote statements, and what is said at these levels is of no use here.
    for name in ("sqlalchemy", "asyncpg", "asyncio"):
        logging.getLogger(name).handlers = [handler]
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
        logging.getLogger(name).propagate = False
