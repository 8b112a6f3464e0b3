"""An endpoint on this machine that speaks the chat-completions protocol over HTTP.

It checks requests as strictly as a public endpoint does, answers streamed or whole as it is
asked to, and can be told to misbehave: each act in its script is one response.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
Act: TypeAlias = "Callable[[Connection, Body], None]"

KNOWN = {"model", "messages", "stream", "stream_options", "response_format", "seed"}
#: What a request may ask for besides.
WANTED = {
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "reasoning_effort",
    "top_k",
}
DATA = "text/event-stream; charset=utf-8"
JSON = "application/json"


@dataclass
class FakeEndpoint:
    """What the endpoint demands, what it will do, and what it was asked."""

    script: list[Act] = field(default_factory=list)
    #: What it does when there is no script left; None: it obeys.
    act: Act | None = None
    key: str | None = None
    models: tuple[str, ...] = ("tiny",)
    #: Parts of a request that it does not take, and whether it says which.
    refuses: frozenset[str] = frozenset()
    #: Kinds of response_format that it does not take.
    formats: frozenset[str] = frozenset({"json_schema", "json_object"})
    says_which: bool = True
    streams: bool = True
    #: What it says that thoughts took; None: nothing.
    reasoning_tokens: int | None = None
    bodies: list[Body] = field(default_factory=list)
    headers: list[Message] = field(default_factory=list)
    #: How much of an endless answer has gone out.
    endless_bytes: int = 0
    closing: Event = field(default_factory=Event)
    url: str = ""


class Connection(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # small pieces would wait for each other
    fake: FakeEndpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.fake.bodies.append(body)
        self.fake.headers.append(self.headers)
        with suppress(OSError):  # the client may have hung up
            if (wrong := self.wrong(body)) is not None:
                error(*wrong)(self, body)
            else:
                act = self.fake.script.pop(0) if self.fake.script else self.fake.act or obey
                act(self, body)

    def wrong(self, body: Body) -> tuple[int, str, str | None] | None:
        """The status, the message and the parameter of a request that is refused."""
        fake = self.fake
        if self.path != "/v1/chat/completions":
            return 404, f"Invalid URL (POST {self.path})", None
        if fake.key and self.headers["Authorization"] != f"Bearer {fake.key}":
            return 401, f"Incorrect API key provided: {self.headers['Authorization'][7:]}.", None
        if body.get("model") not in fake.models:
            return 404, f"The model '{body.get('model')}' does not exist.", "model"
        part = unknown_part(body, fake)
        if part is not None:
            return (400, f"Unsupported parameter: '{part}'.", part) if fake.says_which else NO
        return NO if not well_formed(body) else None

    def send(self, content_type: str, status: int = 200, length: int | None = None) -> None:
        """The head of a response."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def piece(self, data: bytes) -> None:
        """A piece of a response in pieces; an empty one is its end."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, value: object) -> None:
        """A server-sent event."""
        said = value if isinstance(value, str) else json.dumps(value)
        self.piece(f"data: {said}\n\n".encode())

    def hang_up(self) -> None:
        """Cut the connection off, as a crash does."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
        """Nothing on the screen."""


class Server(ThreadingHTTPServer):
    """Takes many connections at a time."""

    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing of clients that hang up in the midst of a request."""
        if not isinstance(sys.exception(), OSError | json.JSONDecodeError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # as it came


NO = 400, "Bad request.", None


def unknown_part(body: Body, fake: FakeEndpoint) -> str | None:
    """The part of a request that the endpoint does not take."""
    form = body.get("response_format", {}).get("type")
    if form is not None and form not in fake.formats:
        return "response_format"
    return next(iter(sorted(body.keys() & fake.refuses | body.keys() - KNOWN - WANTED)), None)


def well_formed(body: Body) -> bool:
    """Whether a request is as the protocol has it."""
    messages = body.get("messages") or [{}]
    roles = [message.get("role") for message in messages if message.get("role") != "system"]
    alternating = all(role == ("user", "assistant")[n % 2] for n, role in enumerate(roles))
    spoken = all(isinstance(m.get("content"), str) and m["content"] for m in messages)
    form = body.get("response_format", {"type": "text"})
    schema = form.get("json_schema", {}).get("schema", {})
    strict = form["type"] != "json_schema" or (
        schema.get("additionalProperties") is False
        and schema.get("required") == list(schema["properties"])
    )
    streaming = body.get("stream") is True or "stream_options" not in body
    return alternating and spoken and strict and streaming


def completion(body: Body, message: Body, finish: str | None, *, chunk: bool) -> Body:
    """A completion, or a piece of one."""
    said = {"delta" if chunk else "message": message, "index": 0, "finish_reason": finish}
    kind = "chat.completion.chunk" if chunk else "chat.completion"
    head = {"id": "chatcmpl-1", "object": kind, "created": 1, "model": f"{body['model']}-2026"}
    return {**head, "choices": [said]}


def usage(body: Body, text: str, fake: FakeEndpoint) -> Body:
    """Tokens are words here."""
    prompt = sum(len(message["content"].split()) for message in body["messages"])
    answer = len(text.split())
    total = prompt + answer
    found: Body = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total}
    if fake.reasoning_tokens is not None:
        found["completion_tokens_details"] = {"reasoning_tokens": fake.reasoning_tokens}
    return found


# ---- acts ----------------------------------------------------------------------


def say(text: str | None, finish: str | None = "stop", **more: object) -> Act:
    """An answer, streamed or whole."""

    def act(connection: Connection, body: Body) -> None:
        if not (connection.fake.streams and body.get("stream")):
            message = {"role": "assistant", "content": text, **more}
            whole = completion(body, message, finish, chunk=False)
            send_json(connection, 200, {**whole, "usage": usage(body, text or "", connection.fake)})
            return
        connection.send(DATA)
        connection.event(completion(body, {"role": "assistant", **more}, None, chunk=True))
        connection.piece(b": still there\n\n")
        for piece in re.findall(r"(?s).{1,4000}", text or ""):
            for part in (piece[: len(piece) // 2], piece[len(piece) // 2 :]):
                connection.event(completion(body, {"content": part}, None, chunk=True))
        if finish is not None:
            connection.event(completion(body, {}, finish, chunk=True))
            if body.get("stream_options", {}).get("include_usage"):
                last = completion(body, {}, None, chunk=True)
                connection.event(
                    {**last, "choices": [], "usage": usage(body, text or "", connection.fake)}
                )
            connection.event("[DONE]")
        connection.piece(b"")

    return act


def play(move: object) -> Act:
    """An answer in the form that is asked for."""
    return say(json.dumps({"move": move}))


def obey(connection: Connection, body: Body) -> None:
    """The first legal move, found in the prompt."""
    play(first_move(body))(connection, body)


def first_move(body: Body) -> str:
    """The first legal move of a prompt."""
    asked: str = next(one["content"] for one in body["messages"] if one["role"] == "user")
    return asked.partition("YOUR LEGAL MOVES\n")[2].partition(":")[0]


def error(status: int, message: str, param: str | None = None, **headers: str) -> Act:
    """An error as the protocol has it; `code` stands among the headers."""
    code = headers.pop("code", None)

    def act(connection: Connection, _: Body) -> None:
        value = {"message": message, "type": "error", "param": param, "code": code}
        send_json(connection, status, {"error": value}, headers)

    return act


def send_json(
    connection: Connection, status: int, value: object, headers: Mapping[str, str] = {}
) -> None:
    """A JSON value as a whole response."""
    raw(json.dumps(value).encode(), JSON, status, headers)(connection, {})


def raw(data: bytes, kind: str, status: int = 200, headers: Mapping[str, str] = {}) -> Act:
    """Any bytes."""

    def act(connection: Connection, _: Body) -> None:
        connection.send_response(status)
        for name, value in headers.items():
            connection.send_header(name.replace("_", "-"), value)
        connection.send_header("Content-Type", kind)
        connection.send_header("Content-Length", str(len(data)))
        connection.end_headers()
        connection.wfile.write(data)

    return act


@contextmanager
def endpoint(fake: FakeEndpoint) -> Iterator[FakeEndpoint]:
    """The endpoint, running in threads of its own until the end of the block."""
    connection = type("Connection", (Connection,), {"fake": fake})
    with Server(("127.0.0.1", 0), connection) as server:
        fake.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield fake
        finally:
            fake.closing.set()
            server.shutdown()
            thread.join()
