"""The HTTP interface of a profile: who has this browser, and what they play."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse

from number_duels.web.api import profile_models as models
from number_duels.web.api.auth import (
    check_rate,
    client_name,
    find_profile,
    forget_profile_cookie,
    profiles_of,
    rates_of,
    set_profile_cookie,
)
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.db.profiles import Profile
from number_duels.web.errors import ApiError
from number_duels.web.service.profiles import ProfileService
from number_duels.web.tokens import profile_token

me = APIRouter(prefix="/api/me", responses=PROBLEMS)
Profiles = Annotated[ProfileService, Depends(profiles_of)]
Own = Annotated[Profile | None, Depends(find_profile)]


def check_change(request: Request) -> None:
    """Refuse a client that makes or changes too many profiles."""
    check_rate(rates_of(request).profiles, client_name(request), "changes of profiles")


def check_rare(request: Request) -> None:
    """Refuse a client that tries too many codes, or exports too often."""
    check_rate(rates_of(request).codes, client_name(request), "codes or exports")


async def about(profiles: ProfileService, own: Profile | None) -> models.Me:
    if own is None:
        return models.Me(name="", created=None, running=[], finished=[])
    running, finished = await profiles.running(own), await profiles.finished(own)
    if running or finished:
        await profiles.played(own)
    found = {"name": own.name, "created": own.created, "running": running, "finished": finished}
    return models.Me.model_validate(found)


@me.get("")
async def look(profiles: Profiles, own: Own, request: Request, response: Response) -> models.Me:
    """The profile of this browser with its games; `created` is null where there is none."""
    if own is not None:
        set_profile_cookie(request, response, profile_token(request))
    return await about(profiles, own)


@me.post("")
async def name(
    body: models.ProfileName, profiles: Profiles, own: Own, request: Request, response: Response
) -> models.Me:
    """Make a profile for this browser, or give another name to the one that it has."""
    check_change(request)
    if own is not None:
        return await about(profiles, await profiles.rename(own, body.name))
    new, token = await profiles.create(body.name)
    set_profile_cookie(request, response, token)
    return await about(profiles, new)


@me.delete("", status_code=204)
async def forget(profiles: Profiles, own: Own, request: Request, response: Response) -> None:
    """Forget the profile, in all browsers that have it; its games go on."""
    check_change(request)
    if own is not None:
        await profiles.forget(own)
    forget_profile_cookie(request, response)


@me.get("/statistics")
async def statistics(profiles: Profiles, own: Own) -> models.Statistics:
    """Results and chances thrown away, over time and by game and opponent."""
    return models.Statistics.model_validate(await profiles.statistics(own))


@me.get(
    "/records",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def records(profiles: Profiles, own: Own, request: Request) -> Response:
    """The records of all games that are kept, a JSON object a line, as the caller may see them."""
    check_rare(request)
    return StreamingResponse(
        profiles.records(own),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="number-duels.jsonl"'},
    )


@me.post("/code")
async def code(
    profiles: Profiles, own: Own, request: Request, _: models.Nothing | None = None
) -> models.TransferCode:
    """A code that gives this profile to another browser: once, and not for long."""
    check_change(request)
    if own is None:
        raise ApiError(401, "There is no profile in this browser; make one first.")
    return models.TransferCode(
        code=await profiles.new_code(own), expires_s=int(profiles.config.code_time)
    )


@me.post("/redeem")
async def redeem(
    body: models.Redeeming, profiles: Profiles, own: Own, request: Request, response: Response
) -> models.Me:
    """Have the profile of a code in this browser; `merge`: with the games that it has."""
    check_rare(request)
    token = await profiles.redeem(body.code, own, body.merge)
    set_profile_cookie(request, response, token)
    return await about(profiles, await profiles.find(token))
