"""Record files: the games of a profile as the terminal writes and reads them."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from number_duels.core.clock import utc_text
from number_duels.core.game import Seat
from number_duels.core.record import Record
from number_duels.players.registry import KINDS
from number_duels.review.player_stats import TAKEN_BACK, UNFINISHED, reason_left_out
from number_duels.web.db.profiles import AddedGame
from number_duels.web.db.stored_game import HUMAN, SeatHolder, StoredGame, digest
from number_duels.web.service.new_game import check_player_names, events_of, fresh_game_seed, new_id
from number_duels.web.service.results import result_of
from number_duels.web.service.views import seen_from

#: The longest line. Real ones have less than a thousand characters.
MAX_RECORD_CHARS = 6000
OTHER_PROGRAM = "against a program that cannot play here"


class ReadRecords(NamedTuple):
    games: list[AddedGame]
    #: The number of games that cannot be in a profile, by reason.
    left_out: Counter[str]


def record_line(stored: StoredGame, seat: Seat) -> bytes:
    match = stored.match()
    record = replace(match.record_for(seen_from(stored, match, seat)), players=stored.players)
    return f"{record.to_json()}\n".encode()


def read_records(lines: Sequence[str], profile: str, now: int, lag_s: int) -> ReadRecords:
    """Read lines of record files. Raise ValueError if one of them is not a valid record.

    `now` is the time by the store's clock, which is `lag_s` seconds behind the machine's.
    """
    games: list[AddedGame] = []
    left_out = Counter[str]()
    for number, line in enumerate(lines, start=1):
        try:
            if len(line) > MAX_RECORD_CHARS:
                raise ValueError(f"it is longer than {MAX_RECORD_CHARS} characters.")
            record = Record.from_json(line)
            reason = reason_not_kept(record)
            if reason is None:
                games.append(read_game(record, profile, now, lag_s))
            else:
                left_out[reason] += 1
        except ValueError as problem:
            raise ValueError(f"Record {number} cannot be used: {problem}") from None
    return ReadRecords(games, left_out)


def reason_not_kept(record: Record) -> str | None:
    reason = reason_left_out(record)
    if reason == UNFINISHED:
        reason = TAKEN_BACK if record.takebacks else None
    if reason is None and not all(one.who in KINDS for one in record.players):
        return OTHER_PROGRAM
    return reason


def read_game(record: Record, profile: str, now: int, lag_s: int) -> AddedGame:
    match, started = record.match(), start_time(record)
    check_player_names(*(one.name for one in record.players))
    one, two = (
        SeatHolder(person.name, HUMAN, digest(secrets.token_urlsafe(32)), profile)
        if person.who == HUMAN
        else SeatHolder(person.name, person.who)
        for person in record.players
    )
    stored = StoredGame(
        id=new_id(),
        name=match.game.name,
        settings=match.game.settings,
        deal=match.record.deal,
        seed=fresh_game_seed() if record.seed is None else record.seed,
        seats=(one, two),
        started=utc_text(started),
        updated_at=now,
        has_known_cards=match.outcome is None and record.seed is not None,
        over=match.outcome is not None,
        events=events_of(match),
    )
    if match.outcome is None:
        return AddedGame(stored, record.seed is not None)
    seat = Seat.ONE if one.profile else Seat.TWO
    result = result_of(stored, seat, profile, match.outcome)
    finished_at = max(0, min(now, int(started.timestamp()) - lag_s))
    return AddedGame(stored, record.seed is not None, replace(result, finished_at=finished_at))


def start_time(record: Record) -> datetime:
    try:
        started = datetime.fromisoformat(record.started)
        if started.tzinfo is None:
            raise ValueError
        utc_text(started)
    except (ValueError, OverflowError):
        raise ValueError(
            "it does not say when the game started, such as 2026-01-05T12:00:00Z."
        ) from None
    return started
