"""An OpenAI-compatible endpoint on this machine, whose model plays by a rule."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.patience import PATIENCE_S

#: What the model says to a prompt.
Rule = Callable[[str], str]


def legal_moves(prompt: str) -> list[str]:
    """The moves that a prompt offers, in notation."""
    below = prompt.partition("\nYOUR LEGAL MOVES\n")[2].partition("\n\n")[0]
    return [line.partition(": ")[0] for line in below.splitlines()]


def highest(prompt: str) -> str:
    """A scripted agent: the last move that is offered."""
    return json.dumps({"move": legal_moves(prompt)[-1]})


def silent(prompt: str) -> str:  # noqa: ARG001  # whatever it is asked
    return "I would rather not say."


def hesitant() -> Rule:
    """An agent whose first answer to every prompt is refused."""
    seen: set[str] = set()

    def rule(prompt: str) -> str:
        first = prompt not in seen
        seen.add(prompt)
        return "Let me think." if first else highest(prompt)

    return rule


@dataclass
class Endpoint:
    url: str = ""
    #: The first answers wait until so many requests are open.
    together: int = 1
    #: The conversations that it was sent.
    asked: list[list[dict[str, str]]] = field(default_factory=list)
    most_at_once: int = 0
    _open: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def answer(self, request: dict[str, object], rule: Rule) -> dict[str, object]:
        messages = request["messages"]
        assert isinstance(messages, list)
        with self._changed:
            self.asked.append(messages)
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.most_at_once >= self.together, PATIENCE_S)
            self._open -= 1
        message = {"role": "assistant", "content": rule(messages[0]["content"])}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


@contextmanager
def endpoint(rule: Rule = highest, together: int = 1) -> Iterator[Endpoint]:
    """An endpoint on the loopback, for as long as it is needed."""
    found = Endpoint(together=together)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(found.answer(request, rule)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # theirs
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
