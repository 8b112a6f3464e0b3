"""One exchange with an OpenAI-compatible endpoint, within a time limit that holds.

The limit is for the whole answer, whatever it is that keeps one waiting: a name to be
looked up, a header, a stream that trickles. Only a task that can be cancelled keeps it,
so the client runs in an event loop in a thread of its own; a notebook has one already.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Mapping, Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast
from urllib.parse import urlsplit

from number_duels.players.llm.errors import LATE, EndpointError, endpoint_error
from number_duels.players.llm.parsing import Reply
from number_duels.players.llm.prompt import Message
from number_duels.players.llm.response import read_reply

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

T = TypeVar("T")
#: For endpoints that want none; the client insists on one.
NO_KEY: Final = "none"


class Chat:
    """A model behind an endpoint, reached with the official client."""

    def __init__(self, model: str, url: str | None, *, send_key: bool = True) -> None:
        if not model.isprintable():
            raise ValueError("llm: takes the name of a model, such as llm:my-model.")
        self.model = model
        self.key = os.environ.get("OPENAI_API_KEY", "").strip() if send_key else ""
        self.client = client(url or os.environ.get("OPENAI_BASE_URL") or None, self.key)
        if not send_key:  # the client finds more about the user in the environment
            self.client.organization = self.client.project = self.client.admin_api_key = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: Thread | None = None

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

    def exchange(
        self, messages: Sequence[Message], asked: Mapping[str, object], seconds: float
    ) -> Reply:
        """The model's reply to a conversation; EndpointError says why there is none."""
        from openai import APIError

        try:
            return self.run(self.reply(messages, asked, seconds))
        except TimeoutError:
            raise EndpointError(LATE, f"no whole answer came within {seconds:g} seconds") from None
        except APIError as error:
            raise endpoint_error(error, self.clean) from None

    async def reply(
        self, messages: Sequence[Message], asked: Mapping[str, object], seconds: float
    ) -> Reply:
        """One request, and the whole reply to it."""
        said = cast("list[ChatCompletionMessageParam]", [dict(message) for message in messages])
        async with asyncio.timeout(seconds):
            stream = await self.client.chat.completions.create(
                model=self.model, messages=said, stream=True, extra_body=asked
            )
            async with stream:
                return await read_reply(stream, self.clean)

    def run(self, task: Coroutine[Any, Any, T]) -> T:
        """What a task in the other thread brings; an interruption here ends it there."""
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            self.thread = Thread(target=self.loop.run_forever, name="language model", daemon=True)
            self.thread.start()
        future = asyncio.run_coroutine_threadsafe(task, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        if self.loop is None or self.thread is None:
            return
        self.run(self.client.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.loop = self.thread = None


def client(url: str | None, key: str) -> AsyncOpenAI:
    """The official client; a ValueError says what is missing."""
    try:
        from openai import AsyncOpenAI
    except ImportError:
        raise ValueError(
            "llm: needs the openai library; install it with: pip install 'number-duels[llm]'"
        ) from None
    if url is None and not key:
        raise ValueError(
            "llm: needs a key in the environment variable OPENAI_API_KEY, or an endpoint of your"
            " own (--url, or OPENAI_BASE_URL)."
        )
    if not (key.isascii() and key.isprintable()):
        raise ValueError("The key in OPENAI_API_KEY has letters that no key has; set it again.")
    if url is not None and not is_address(url):
        raise ValueError("The endpoint's address must be like http://localhost:8000/v1.")
    # Tries and time limits are decided in one place, which is not the client.
    return AsyncOpenAI(base_url=url, api_key=key or NO_KEY, max_retries=0, timeout=None)


def is_address(url: str) -> bool:
    """Whether a text can be the address of an endpoint; it may hold a password: never show it."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
