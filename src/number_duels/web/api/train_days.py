"""The day that a caller has: the earth has two, and sometimes three, at the same time."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from fastapi import Query

from number_duels.web.errors import ApiError

Day = Annotated[str | None, Query(pattern=r"^\d{4}-\d\d-\d\d$")]
#: A day that is over in one place of the earth has not begun in another.
MAX_DAYS_APART = 1


def day_of(text: str | None, now: datetime) -> date:
    """The day that a caller has; refused if nobody on earth has it."""
    today = now.date()
    try:
        day = today if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise ApiError(422, f"This is no day: {error}.") from None
    if abs(day - today) > timedelta(days=MAX_DAYS_APART):
        raise ApiError(422, "Send the day that it is where you are.")
    return day
