"""What every route may answer when it refuses, for the description at `/api`."""

from __future__ import annotations

from number_duels.web.api import models

PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": models.Problem, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        401: "A token is missing or wrong.",
        403: "This is not open to the caller.",
        404: "There is no such game.",
        408: "The request did not arrive in time.",
        409: "The game does not stand so that this can be done.",
        411: "The body comes in chunks, without a length.",
        413: "The body is too large.",
        414: "The address is too long.",
        421: "The server does not go by this name.",
        422: "The request does not fit its description, or the rules.",
        429: "Too many requests.",
        431: "The head is too large.",
        503: "The database does not answer, or the server is stopping; the same again, later.",
    }.items()
}
