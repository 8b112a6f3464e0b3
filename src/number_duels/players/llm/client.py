"""One exchange with an OpenAI-compatible endpoint, within a time limit that holds.

The limit is for the whole answer, whatever it is that keeps one waiting: a name to be
looked up, a header, a stream that trickles. Only a task that can be cancelled keeps it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.players.external import KEY_VARIABLE
from number_duels.players.llm import event_loop
from number_duels.players.llm.endpoint import (
    CUT,
    GARBLED,
    LATE,
    Compressed,
    EndpointError,
    TooManyBytes,
    endpoint_error,
    gate_of,
    limit_bytes,
)
from number_duels.players.llm.prompt import Message
from number_duels.players.llm.replies import Reply, read_reply
from number_duels.players.llm.request import RequestOptions

if TYPE_CHECKING:
    from openai import AsyncOpenAI

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
        except (TooManyBytes, Compressed) as refused:
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
            event_loop.run(self.client.close())


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
