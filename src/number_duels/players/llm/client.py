"""Send requests to an OpenAI-compatible endpoint, with a strict time limit for each answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import asdict, dataclass, replace
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.players.external import KEY_VARIABLE, USUAL_MODEL, ModelOptions
from number_duels.players.llm.endpoint import (
    CUT,
    GARBLED,
    LATE,
    BadResponse,
    EndpointError,
    endpoint_error,
    gate_of,
    limit_bytes,
)
from number_duels.players.llm.prompt import Message
from number_duels.players.llm.replies import Reply, read_reply

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ANSWER_FORMS: Final = ("schema", "object", "text")
#: Seeds have 31 bits, which every endpoint can read.
SEED_RANGE: Final = 2**31


@dataclass(frozen=True)
class RequestOptions:
    form: str = ANSWER_FORMS[0]
    seed: bool = True
    usage: bool = True
    stream: bool = True
    tokens_name: str = "max_tokens"

    def asked(
        self, moves: Sequence[str], seed: int | None, wanted: ModelOptions = USUAL_MODEL
    ) -> dict[str, object]:
        """Return the optional fields of a request. `wanted` has the player's options.

        >>> RequestOptions(form="object", usage=False).asked(["1", "2"], seed=7)
        {'response_format': {'type': 'json_object'}, 'seed': 7, 'stream': True}
        """
        asked: dict[str, object] = {}
        if self.form != "text" and wanted.think != "text":
            asked["response_format"] = (
                {"type": "json_object"}
                if self.form == "object"
                else schema(moves, reasoning=wanted.think == "field")
            )
        if self.seed and seed is not None:
            asked["seed"] = seed % SEED_RANGE
        if self.usage:
            asked["stream_options"] = {"include_usage": True}
        asked["stream"] = self.stream
        return asked | wanted.asked(self.tokens_name)

    def without_rejected(
        self, error: str, seed: int | None, wanted: ModelOptions = USUAL_MODEL
    ) -> RequestOptions | None:
        """Return these options without the one that the endpoint rejected.

        If the error names no option, drop the first one. Return None if there is nothing left to
        drop.

        >>> RequestOptions().without_rejected("unknown field: seed", seed=7)
        RequestOptions(form='schema', seed=False, usage=True, stream=True, tokens_name='max_tokens')
        >>> RequestOptions().without_rejected("bad request", seed=7).form
        'object'
        """
        fewer: dict[str, RequestOptions] = {}
        if wanted.max_tokens and "max_tokens" in error and self.tokens_name == "max_tokens":
            return replace(self, tokens_name="max_completion_tokens")
        if self.form != ANSWER_FORMS[-1] and wanted.think != "text":
            form = ANSWER_FORMS[ANSWER_FORMS.index(self.form) + 1]
            fewer["response_format"] = replace(self, form=form)
        if self.seed and seed is not None:
            fewer["seed"] = replace(self, seed=False)
        if self.usage:
            fewer["stream_options"] = replace(self, usage=False)
        elif self.stream:
            fewer["stream"] = replace(self, stream=False)
        named = [options for name, options in fewer.items() if name in error]
        return next(iter([*named, *fewer.values()]), None)


def schema(moves: Sequence[str], *, reasoning: bool = False) -> dict[str, object]:
    move = {"move": {"type": "string", "enum": list(moves)}}
    parts = {"reasoning": {"type": "string"}, **move} if reasoning else move
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "move",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": parts,
                "required": list(parts),
                "additionalProperties": False,
            },
        },
    }


@dataclass(frozen=True)
class Call:
    when: str
    model: str
    place: str
    messages: tuple[Message, ...]
    asked: dict[str, object]
    #: `answered`, a kind of error, or `forced` if there was only one move and nothing was sent.
    kind: str
    status: int | None = None
    reason: str = ""
    answer: str = ""
    reasoning: str = ""
    served: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float = 0.0
    #: The turn of the game, from 1, or 0 for a single position.
    turn: int = 0
    move: str = ""
    refused: str = ""

    def as_object(self) -> dict[str, object]:
        return asdict(self)


#: The client requires a key, even for an endpoint without one.
NO_KEY: Final = "none"
#: After a timeout, an endpoint has this many seconds to show that it is alive.
SIGN_OF_LIFE_S: Final = 5.0


class Chat:
    def __init__(
        self,
        model: str,
        url: str | None,
        *,
        send_key: bool = True,
        variable: str = KEY_VARIABLE,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        if not model.isprintable():
            raise ValueError("Write llm:MODEL, such as llm:my-model.")
        self.model = model
        self.key = os.environ.get(variable, "").strip() if send_key else ""
        self.client = client(url or os.environ.get("OPENAI_BASE_URL") or None, self.key, variable)
        if not send_key:  # the client reads these from the environment, too
            self.client.organization = self.client.project = self.client.admin_api_key = None
        self.clock = clock
        self.gate = gate_of(self.place, clock)
        self.options = RequestOptions()
        self.used = False

    @property
    def place(self) -> str:
        parts = urlsplit(str(self.client.base_url))
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path.rstrip('/')}"

    def clean(self, text: str) -> str:
        """Remove the key, and everything that is not valid UTF-8, so that a text can be stored."""
        whole = text.encode("utf-8", "replace").decode("utf-8")
        return whole.replace(self.key, "(key)") if self.key else whole

    async def exchange(
        self, messages: Sequence[Message], asked: Mapping[str, object], seconds: float
    ) -> Reply:
        from openai import APIError, AsyncStream
        from openai.types.chat import ChatCompletionChunk

        self.used = True
        body = {"model": self.model, "messages": [dict(message) for message in messages], **asked}
        stream = None
        try:
            async with self.clock.timeout(seconds):
                # Posted directly, because the client's method for chats checks every field slowly.
                stream = await self.client.post(
                    "/chat/completions",
                    body=body,
                    cast_to=ChatCompletionChunk,
                    stream=True,
                    stream_cls=AsyncStream[ChatCompletionChunk],
                )
                async with stream:
                    return await read_reply(stream, self.clean)
        except TimeoutError:
            late = f"no complete answer came within {seconds:g} seconds"
            if stream is not None or await self.is_alive():
                raise EndpointError(LATE, late) from None
            silent = seconds + SIGN_OF_LIFE_S
            raise EndpointError(
                CUT, f"{late}, and the endpoint does not respond", silent_s=silent
            ) from None
        except BadResponse as refused:
            raise EndpointError(GARBLED, str(refused)) from None
        except APIError as error:
            raise endpoint_error(error, self.clean, self.clock.now()) from None

    async def is_alive(self) -> bool:
        """Return whether the endpoint answers another request. If so, only the model is slow."""
        from openai import APIConnectionError

        try:
            async with self.clock.timeout(SIGN_OF_LIFE_S):
                await self.client.models.list()
        except (TimeoutError, APIConnectionError):
            return False
        except Exception:  # any other error comes from a live endpoint
            return True
        return True

    def close(self) -> None:
        if self.used:
            run_in_loop(self.client.close())


def client(url: str | None, key: str, variable: str = KEY_VARIABLE) -> AsyncOpenAI:
    try:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    except ImportError:
        raise ValueError(
            "llm: needs the openai library; install it with: pip install 'number-duels[llm]'"
        ) from None
    if url is None and not key:
        raise ValueError(
            f"llm: needs a key in the environment variable {variable}, or an endpoint of your"
            " own (--url, or OPENAI_BASE_URL)."
        )
    if not (key.isascii() and key.isprintable()):
        raise ValueError(
            f"The key in {variable} has characters that are not allowed in a key; set it again."
        )
    if url is not None and not is_address(url):
        raise ValueError("The endpoint's address must look like http://localhost:8000/v1.")
    # Retries and time limits are done here, so the client must have none.
    return AsyncOpenAI(
        base_url=url,
        api_key=key or NO_KEY,
        max_retries=0,
        timeout=None,
        default_headers={"Accept-Encoding": "identity"},
        http_client=DefaultAsyncHttpxClient(event_hooks={"response": [limit_bytes]}, timeout=None),
    )


def is_address(url: str) -> bool:
    # Never print the address, because it may hold a password.
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


# ---- the event loop of all language models of this process -----------------------
# A notebook already runs a loop, and a strict time limit needs a task that can be cancelled. So
# requests never run in the caller's thread.

T = TypeVar("T")
STARTING = Lock()


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop. The first call starts it, and it runs until the process ends."""
    with STARTING:
        return running_loop()


@cache
def running_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="language models", daemon=True).start()
    return loop


os.register_at_fork(after_in_child=running_loop.cache_clear)  # a child process has no such thread


def start_in_loop(task: Coroutine[object, object, T]) -> Future[T]:
    return asyncio.run_coroutine_threadsafe(task, event_loop())


def run_in_loop(task: Coroutine[object, object, T]) -> T:
    """Run a task in the event loop until it ends, and return its result."""
    loop, outcome = event_loop(), Future[T]()
    begun: list[asyncio.Task[T]] = []

    def begin() -> None:
        begun.append(loop.create_task(task))
        begun[0].add_done_callback(report)

    def report(ended: asyncio.Task[T]) -> None:
        error = asyncio.CancelledError() if ended.cancelled() else ended.exception()
        if error is None:
            outcome.set_result(ended.result())
        else:
            outcome.set_exception(error)

    def cancel() -> None:
        if begun:
            begun[0].cancel()
        else:
            task.close()
            outcome.set_exception(asyncio.CancelledError())

    try:
        loop.call_soon_threadsafe(begin)
        return outcome.result()
    except BaseException:
        loop.call_soon_threadsafe(cancel)  # runs after `begin`, because callbacks keep their order
        wait([outcome])
        raise
