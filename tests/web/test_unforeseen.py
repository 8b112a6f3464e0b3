"""What nobody foresaw is one sentence, and tells nothing of what went wrong inside."""

from __future__ import annotations

import asyncio

import httpx
from fastapi import FastAPI

from number_duels.core.bug_reports import unforeseen
from number_duels.web.app import add_errors
from tests.web.test_refusals import refused


def test_what_nobody_foresaw_is_a_sentence_that_says_whom_to_tell() -> None:
    app = FastAPI()
    add_errors(app)

    @app.get("/api/luck")
    def luck() -> None:
        raise ZeroDivisionError("a secret")

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/luck")

    told = refused(asyncio.run(ask()), 500)
    assert told == unforeseen(where="to whoever runs this server")
