"""Language models whose policies are known: a local endpoint that answers from the prompt alone.

It speaks the chat-completions protocol over HTTP. A model looks at the moves under `YOUR LEGAL
MOVES` and weighs them by their order: `even` chooses blindly, `steep` prefers what is listed last.
So what it loses a decision can be computed exactly, and a bench must find it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Lock, Thread

from number_duels.bench.questions import MIXTURE_FORM
from number_duels.core.game import AnyGame, Decision, Seat


def even(moves: Sequence[str]) -> list[float]:
    return [1 / len(moves)] * len(moves)


def steep(moves: Sequence[str]) -> list[float]:
    """Twice as often the second as the first, three times the third, and so on."""
    whole = len(moves) * (len(moves) + 1) / 2
    return [place / whole for place in range(1, len(moves) + 1)]


MODELS = {"even": even, "steep": steep}


class ModelPolicy:
    """What a model does, as a policy of a game."""

    def __init__(self, model: str, game: AnyGame) -> None:
        self.model = model
        self.game = game

    def __call__(self, view: Hashable, seat: Seat) -> dict[str, float]:
        turn = self.game.turn(view)
        assert isinstance(turn, Decision)
        moves = list(map(str, turn.options[seat]))
        return dict(zip(moves, MODELS[self.model](moves), strict=True))


def answer_to(model: str, prompt: str, rng: Random) -> str:
    """What a model says: a move, or its mixture where it is asked for one."""
    listed = prompt.partition("YOUR LEGAL MOVES\n")[2].partition("\n\n")[0].splitlines()
    moves = [line.partition(":")[0] for line in listed]
    shares = MODELS[model](moves)
    if MIXTURE_FORM in prompt:
        stated = {move: round(share, 6) for move, share in zip(moves, shares, strict=True)}
        return f"I would mix: {json.dumps(stated)}"
    chosen = rng.choices(moves, shares)[0]
    return f'I weigh them by their order. {{"move": "{chosen}"}}'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rng: Random
    lock: Lock

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = next(m["content"] for m in body["messages"] if m["role"] == "user")
        with self.lock:
            text = answer_to(body["model"], prompt, self.rng)
        used = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        used["total_tokens"] = sum(used.values())
        head = {"id": "1", "created": 1, "model": body["model"]}
        if body.get("stream"):
            chunk = {**head, "object": "chat.completion.chunk"}
            delta = {"role": "assistant", "content": text}
            pieces: list[Mapping[str, object]] = [
                {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                {**chunk, "choices": [], "usage": used},
            ]
            said = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces)
            self.reply("text/event-stream", f"{said}data: [DONE]\n\n")
            return
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": used}
        self.reply("application/json", json.dumps(whole))

    def reply(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
        """Nothing on the screen."""


@contextmanager
def endpoint(seed: int) -> Iterator[str]:
    """The address of an endpoint on this machine, with dice of its own."""
    handler = type("Seeded", (Handler,), {"rng": Random(seed), "lock": Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
