"""Requests to an OpenAI-compatible endpoint, within a time limit that holds.

The limit is for the whole answer, whatever it is that keeps one waiting: a name to be
looked up, a header, a stream that trickles. Only a task that can be cancelled keeps it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
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

#: How the form of an answer is asked for, from the strictest down.
ANSWER_FORMS: Final = ("schema", "object", "text")
#: Seeds are sent within 31 bits, which every endpoint can read.
SEED_RANGE: Final = 2**31


@dataclass(frozen=True)
class RequestOptions:
    """The optional parts of a request."""

    form: str = ANSWER_FORMS[0]
    seed: bool = True
    usage: bool = True
    stream: bool = True
    #: What the endpoint calls a limit of tokens.
    tokens_name: str = "max_tokens"

    def asked(
        self, moves: Sequence[str], seed: int | None, wanted: ModelOptions = USUAL_MODEL
    ) -> dict[str, object]:
        """The parts of a request that an endpoint may refuse, and what its player wants.

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
        """Without the part that an error names, or else without the next; None: nothing is left.

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
    """The form of an answer as a JSON schema: an object with one of the moves, after thoughts."""
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
    #: Where it was sent.
    place: str
    messages: tuple[Message, ...]
    #: What it was asked for besides: the form of the answer, the seed, what its player wants.
    asked: dict[str, object]
    #: `answered`, or what the trouble was; `forced`: there was one move, and nothing was asked.
    kind: str
    #: The HTTP status of an error; None where there was none.
    status: int | None = None
    #: What the trouble was, in words.
    reason: str = ""
    answer: str = ""
    #: Thoughts that the endpoint sends beside the answer.
    reasoning: str = ""
    #: The model that the endpoint says has answered.
    served: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float = 0.0
    #: The turn of the game, counted from 1; 0: it was about a position alone.
    turn: int = 0
    #: The move that was played for it; empty: none.
    move: str = ""
    #: Why the answer was refused; empty: it was not.
    refused: str = ""

    def as_object(self) -> dict[str, object]:
        return asdict(self)


# ---- an exchange -----------------------------------------------------------------


#: For endpoints that want none; the client insists on one.
NO_KEY: Final = "none"
#: How long an endpoint has to show that it is there, after an answer that did not come.
SIGN_OF_LIFE_S: Final = 5.0


class Chat:
    """A model behind an endpoint, reached with the official client by any number of players."""

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
            raise ValueError("llm: takes the name of a model, such as llm:my-model.")
        self.model = model
        self.key = os.environ.get(variable, "").strip() if send_key else ""
        self.client = client(url or os.environ.get("OPENAI_BASE_URL") or None, self.key, variable)
        if not send_key:  # the client finds more about the user in the environment
            self.client.organization = self.client.project = self.client.admin_api_key = None
        self.clock = clock
        self.gate = gate_of(self.place, clock)
        #: What the endpoint has been found to accept.
        self.options = RequestOptions()
        self.used = False

    @property
    def place(self) -> str:
        """Where the endpoint is, without any password in its address."""
        parts = urlsplit(str(self.client.base_url))
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path.rstrip('/')}"

    def clean(self, text: str) -> str:
        """A text of the endpoint's that can be kept: without the key, and in whole letters."""
        whole = text.encode("utf-8", "replace").decode("utf-8")
        return whole.replace(self.key, "(key)") if self.key else whole

    async def exchange(
        self, messages: Sequence[Message], asked: Mapping[str, object], seconds: float
    ) -> Reply:
        """The model's reply to a conversation; EndpointError says why there is none."""
        from openai import APIError, AsyncStream
        from openai.types.chat import ChatCompletionChunk

        self.used = True
        body = {"model": self.model, "messages": [dict(message) for message in messages], **asked}
        stream = None
        try:
            async with self.clock.timeout(seconds):
                # As it is: the method for chats takes a while to look at every part of it.
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
            late = f"no whole answer came within {seconds:g} seconds"
            if stream is not None or await self.is_alive():
                raise EndpointError(LATE, late) from None
            silent = seconds + SIGN_OF_LIFE_S
            raise EndpointError(CUT, f"{late}, nor any sign of life", silent_s=silent) from None
        except BadResponse as refused:
            raise EndpointError(GARBLED, str(refused)) from None
        except APIError as error:
            raise endpoint_error(error, self.clean, self.clock.now()) from None

    async def is_alive(self) -> bool:
        """Whether the endpoint answers anything: then it is the model that takes its time."""
        from openai import APIConnectionError

        try:
            async with self.clock.timeout(SIGN_OF_LIFE_S):
                await self.client.models.list()
        except (TimeoutError, APIConnectionError):
            return False
        except Exception:  # whatever else it says, it is there
            return True
        return True

    def close(self) -> None:
        if self.used:
            run_in_loop(self.client.close())


def client(url: str | None, key: str, variable: str = KEY_VARIABLE) -> AsyncOpenAI:
    """The official client; a ValueError says what is missing."""
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
        raise ValueError(f"The key in {variable} has letters that no key has; set it again.")
    if url is not None and not is_address(url):
        raise ValueError("The endpoint's address must be like http://localhost:8000/v1.")
    # Tries and time limits are decided in one place, which is not the client.
    return AsyncOpenAI(
        base_url=url,
        api_key=key or NO_KEY,
        max_retries=0,
        timeout=None,
        default_headers={"Accept-Encoding": "identity"},
        http_client=DefaultAsyncHttpxClient(event_hooks={"response": [limit_bytes]}, timeout=None),
    )


def is_address(url: str) -> bool:
    """Whether a text can be the address of an endpoint; it may hold a password: never show it."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


# ---- the event loop of all language models of this process -----------------------
# A notebook has a loop already, and a time limit that holds for a whole answer needs a task that
# can be cancelled: so requests never run in the thread that asks.

T = TypeVar("T")
#: Two threads that ask first must not make two loops.
STARTING = Lock()


def event_loop() -> asyncio.AbstractEventLoop:
    """The loop, running from its first use to the end of the process."""
    with STARTING:
        return running_loop()


@cache
def running_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="language models", daemon=True).start()
    return loop


os.register_at_fork(after_in_child=running_loop.cache_clear)  # the thread stays with the parent


def start_in_loop(task: Coroutine[object, object, T]) -> Future[T]:
    """A task on its way in the loop."""
    return asyncio.run_coroutine_threadsafe(task, event_loop())


def run_in_loop(task: Coroutine[object, object, T]) -> T:
    """What a task brings; an interruption here ends it there."""
    future = start_in_loop(task)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
