"""The HTTP interface of a profile: who has this browser, and what they play."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from number_duels.web.api import profile_models as models
from number_duels.web.api.auth import (
    admit_expensive,
    find_profile,
    forget_profile_cookie,
    profiles_of,
    set_profile_cookie,
)
from number_duels.web.api.play import json_answer
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.errors import ApiError
from number_duels.web.request_limits import CODE_COST, PROFILE_COST, profile_token
from number_duels.web.service.encoding import encode
from number_duels.web.service.profiles import Profile, ProfileService


async def profile_service(request: Request) -> ProfileService:
    return profiles_of(request)


me = APIRouter(prefix="/api/me", responses=PROBLEMS)
Profiles = Annotated[ProfileService, Depends(profile_service)]
Own = Annotated[Profile | None, Depends(find_profile)]


async def admit_rare(request: Request) -> None:
    """Let in a code, a whole book or all records; refused to a client that asks too often."""
    await admit_expensive(request, "codes or files", CODE_COST)


@me.get("", response_model=models.Me)
async def look(profiles: Profiles, own: Own, request: Request) -> Response:
    """The profile of this browser with its games; `created` is null where there is none."""
    answer = json_answer(encode(await profiles.about(own)))
    if own is not None:
        set_profile_cookie(request, answer, profile_token(request))
    return answer


@me.post("", response_model=models.Me)
async def name(
    body: models.ProfileName, profiles: Profiles, own: Own, request: Request
) -> Response:
    """Make a profile for this browser, or give another name to the one that it has."""
    if own is None:
        await admit_expensive(request, "new profiles", PROFILE_COST)
        own, token = await profiles.create(body.name)
    else:
        own, token = await profiles.rename(own, body.name), profile_token(request)
    answer = json_answer(encode(await profiles.about(own)))
    set_profile_cookie(request, answer, token)
    return answer


@me.delete("", status_code=204, response_model=None)
async def forget(profiles: Profiles, own: Own, request: Request, response: Response) -> None:
    """Forget the profile, in all browsers that have it; its games go on."""
    if own is not None:
        await profiles.forget(own)
    forget_profile_cookie(request, response)


@me.get("/statistics", response_model=models.Statistics)
async def statistics(profiles: Profiles, own: Own) -> Response:
    """Results and chances thrown away, over time and by game and opponent."""
    return json_answer(encode(await profiles.statistics(own)))


@me.get(
    "/records",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def records(profiles: Profiles, own: Own, request: Request) -> Response:
    """The records of all games that are kept, a JSON object a line, as the caller may see them."""
    await admit_rare(request)
    return Response(
        await profiles.records(own),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="number-duels.jsonl"'},
    )


@me.post("/code")
async def code(
    profiles: Profiles, own: Own, _: models.Nothing | None = None
) -> models.TransferCode:
    """A code that gives this profile to another browser: once, and not for long."""
    if own is None:
        raise ApiError(401, "There is no profile in this browser; make one first.")
    return models.TransferCode(
        code=await profiles.new_code(own), expires_s=int(profiles.config.code_time)
    )


@me.post("/redeem", response_model=models.Me)
async def redeem(
    body: models.Redeeming, profiles: Profiles, own: Own, request: Request
) -> Response:
    """Have the profile of a code in this browser; `merge`: with the games that it has."""
    await admit_rare(request)
    token = await profiles.redeem(body.code, own, body.merge)
    answer = json_answer(encode(await profiles.about(await profiles.find(token))))
    set_profile_cookie(request, answer, token)
    return answer
