"""What an endpoint does that is out of order: each act is one response."""

from __future__ import annotations

from tests.players.endpoint import DATA, Act, Body, Connection, completion, send_json


def silence(connection: Connection, _: Body) -> None:
    """Nothing, ever."""
    connection.fake.closing.wait()
    connection.close_connection = True


def trickle(connection: Connection, _: Body) -> None:
    """Signs of life, and no answer: no single wait is long."""
    connection.send(DATA)
    while not connection.fake.closing.wait(0.02):
        connection.piece(b": still there\n\n")


def dripping_head(connection: Connection, _: Body) -> None:
    """A response whose head never ends."""
    connection.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not connection.fake.closing.wait(0.02):
        connection.wfile.write(b"X-Wait: a little\r\n")


def endless(start: bytes, kind: str, status: int = 200) -> Act:
    """A response whose first line never ends, as fast as it is taken: 200 MB."""

    def act(connection: Connection, _: Body) -> None:
        connection.send(kind, status)
        connection.piece(start)
        for _sent in range(3000):  # more than anybody may take
            connection.piece(b"x" * 65536)
            connection.fake.endless_bytes += 65536

    return act


def cut(connection: Connection, body: Body) -> None:
    """Half an answer, and then the line is dead."""
    connection.send(DATA)
    connection.event(completion(body, {"content": '{"mo'}, None, chunk=True))
    connection.hang_up()


def slam(connection: Connection, _: Body) -> None:
    """The line is dead before a word is said."""
    connection.hang_up()


def no_choices(connection: Connection, body: Body) -> None:
    """A completion without any choice."""
    send_json(connection, 200, {**completion(body, {}, "stop", chunk=False), "choices": []})


def stream_error(connection: Connection, body: Body) -> None:
    """An error in the midst of an answer."""
    connection.send(DATA)
    connection.event(completion(body, {"content": '{"mo'}, None, chunk=True))
    connection.event({"error": {"message": "The server is overloaded.", "code": 502}})
    connection.piece(b"")
