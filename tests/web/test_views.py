"""A view is the same whether its turns were told before or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from number_duels.core.game import Chance, Decision, Seat
from number_duels.core.player import AnyMatch
from number_duels.sessions.narration import ToldTurns
from number_duels.web.config import Config
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.service import commands
from number_duels.web.service.game_sessions import GameSession
from number_duels.web.service.new_game import GameRequest, new_game
from number_duels.web.service.view_models import View
from number_duels.web.service.views import make_view
from tests.some_games import SOME_GAMES
from tests.web.people import GAME

VIEWERS = (*Seat, None)


def positions(
    name: str, started: StoredGame | None = None
) -> Iterator[tuple[StoredGame, AnyMatch]]:
    """A game as it is after each thing that its players do; they are two people by default."""
    rng = Random(5)
    stored = started or new_game(GameRequest(name, {}, name="Ann"), "digest")
    match = stored.match()
    if started is None:
        stored, match = commands.join("Bo", "other digest")(stored, match)
    yield stored, match
    while not match.outcome:
        turn = match.turn
        if isinstance(turn, Chance):
            command = commands.draw(match.drawer, match.turn_number)
        else:
            assert isinstance(turn, Decision)
            seat = next(seat for seat in turn.options if seat not in match.seats_ready)
            command = commands.play(seat, match.turn_number, str(rng.choice(turn.options[seat])))
        stored, match = command(stored, match)
        yield stored, match


def view_of(stored: StoredGame, match: AnyMatch, viewer: Seat | None, told: ToldTurns) -> View:
    limit = Config().solve_limit
    return make_view(stored, match, viewer, frozenset(), 0.0, told_turns=told, solve_limit=limit)


@pytest.mark.parametrize("name", SOME_GAMES)
def test_what_was_told_before_is_what_would_be_told_now(name: str) -> None:
    told: ToldTurns = {}
    for stored, match in positions(name):
        for viewer in VIEWERS:
            kept, anew = (view_of(stored, match, viewer, each) for each in (told, {}))
            assert kept == anew
    renamed = replace(stored, seats=(replace(stored.seats[0], name="Eve"), stored.seats[1]))
    assert view_of(renamed, match, None, told) == view_of(renamed, match, None, {})


def test_a_turn_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, (stored, match) = positions(GAME)
    told: ToldTurns = {}
    before = view_of(stored, match, None, told)
    asked: list[object] = []
    kind = type(match.game)
    tell = kind.tell

    def counted(*parameters: object) -> Iterator[str]:
        asked.append(parameters)
        return tell(*parameters)  # type: ignore[arg-type] # they are handed on as they are

    monkeypatch.setattr(kind, "tell", counted)
    assert view_of(stored, match, None, told) == before
    assert not asked, "neither a turn of the log nor, for the headline, the last one"
    view_of(stored, match, None, {})
    assert asked


def test_what_was_told_is_not_kept_after_the_end() -> None:
    first, *later = positions(GAME)
    session = GameSession(*first, Config())
    kept = []
    for stored, match in later:
        session.replace(replace(stored, over=match.outcome is not None), match)
        for seat in Seat:
            session.view(seat)
        kept.append(len(session._told_turns))
    assert kept[-2] > 0
    assert kept[-1] == 0


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_player_reads_you_and_the_others_read_the_names(name: str) -> None:
    for stored, match in positions(name):
        views = {viewer: view_of(stored, match, viewer, {}) for viewer in VIEWERS}
        sides = {viewer: view["scene"]["sides"] for viewer, view in views.items()}
        assert [side.name for side in sides[None]] == ["Ann", "Bo"]
        assert [(side.name, side.note) for side in sides[Seat.ONE]] == [("You", "Ann"), ("Bo", "")]
        assert [(side.name, side.note) for side in sides[Seat.TWO]] == [("Ann", ""), ("You", "Bo")]
        for seat, own in ((Seat.ONE, "Ann"), (Seat.TWO, "Bo")):
            told = [
                line for entry in views[seat]["log"] for line in (*entry["lines"], entry["short"])
            ]
            assert own not in re.findall(r"\w+", " ".join((*told, views[seat]["reason"])))


def test_a_winner_is_offered_no_level_that_the_server_cannot_solve() -> None:
    huge = GameRequest("number-bid", {"numbers": 20}, name="Ann", opponent="random", seed=5)
    stored = new_game(huge, "digest")
    match = stored.match()
    match.concede(Seat.TWO, "resigned.")
    scene = view_of(stored, match, Seat.ONE, {})["scene"]
    assert not any(str(one["key"]).startswith("harder ") for one in scene["actions"])


def test_a_winner_is_offered_the_next_level() -> None:
    for who, stronger in (
        ("random", "level 1"),
        ("level:2", "level 3"),
        ("level:5", "perfect play"),
        ("perfect", ""),
    ):
        alone = new_game(GameRequest(GAME, {}, name="Ann", opponent=who, seed=5), "digest")
        for loser, offered in ((Seat.TWO, stronger), (Seat.ONE, "")):
            match = alone.match()
            match.concede(loser, "resigned.")
            actions = view_of(alone, match, Seat.ONE, {})["scene"]["actions"]
            labels = [one["label"] for one in actions if str(one["key"]).startswith("harder ")]
            assert labels == ([f"Try {offered}"] if offered else [])
