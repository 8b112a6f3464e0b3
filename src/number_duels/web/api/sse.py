"""Server-sent events: the view, at once and whenever it changes."""

from __future__ import annotations

from asyncio import create_task, timeout
from collections import Counter
from collections.abc import AsyncIterator
from random import randint

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from number_duels.web.service.sessions import GameSession, Listener

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class EventStream(Response):
    """An open stream; it costs one small object and two waiting tasks."""

    media_type = "text/event-stream"

    def __init__(
        self, session: GameSession, listener: Listener, client: str, counts: Counter[str]
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self.session = session
        self.listener = listener
        self.client = client
        self.counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until either side ends it."""
        watcher = create_task(self.until_gone(receive))
        self.session.connect(self.listener)
        self.counts[self.client] += 1
        try:
            headers = self.raw_headers
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            async for chunk in self.chunks():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except OSError:
            pass  # the client has gone, which is how most streams end
        finally:
            self.session.disconnect(self.listener)
            self.counts[self.client] -= 1
            if not self.counts[self.client]:
                del self.counts[self.client]
            watcher.cancel()

    async def until_gone(self, receive: Receive) -> None:
        """End the stream when the client has gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.listener.close()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The current view, every later one, and signs of life in between."""
        session, listener = self.session, self.listener
        yield b"retry: 1000\n\n"
        listener.woken.set()
        while True:
            try:
                async with timeout(session.config.heartbeat):
                    await listener.woken.wait()
            except TimeoutError:
                yield b": still here\n\n"
                continue
            if listener.closed:
                # Not all at once, and not to the moment: another process may have to open them all.
                yield b"retry: %d\n\n" % randint(100, 1500)
                return
            listener.woken.clear()
            view = session.view(listener.viewer)
            yield b"event: view\nid: %d\ndata: %b\n\n" % (session.stored.version, view)
