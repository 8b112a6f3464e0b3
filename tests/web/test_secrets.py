"""Nothing that the others are sent depends on a secret: not a byte, not a size, not an error.

One player's secret differs between runs that are otherwise the same; every byte
that the other seat and a spectator are sent before the reveal must be the same.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from random import Random

import httpx
import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch
from tests.some_games import BOTH_CHOOSE, CARDS, SECRET, SOME_GAMES, begins_with_a_card
from tests.web.people import GAME, Guest, Json, pair, start

#: How far a game is played before the secret: not at all, a little, and up to its last turn.
PLAYED = (0, 2, 1000)


@pytest.mark.parametrize("turns", [0, pytest.param(2, marks=pytest.mark.slow), 1000])
@pytest.mark.parametrize(
    "game", [SECRET, CARDS, *(pytest.param(g, marks=pytest.mark.slow) for g in BOTH_CHOOSE[1:])]
)
def test_nothing_depends_on_a_secret_before_the_reveal(
    http: httpx.Client, game: str, turns: int
) -> None:
    checked = 0
    for chooser in (1, 2):
        runs = list(runs_of(http, game, turns, chooser))
        assert all(run == runs[0] for run in runs)
        checked += len(runs)
    assert checked > 1, "there is nothing secret here"


def runs_of(http: httpx.Client, game: str, turns: int, chooser: int) -> Iterator[list[bytes]]:
    """All that the others hear, for each of the secrets there may be."""
    match = played(game, turns)
    turn = match.turn
    if isinstance(turn, nd.Chance) and match.drawer == chooser - 1:
        for event in list(turn.odds)[::3] + list(turn.odds)[-1:]:
            deal = " ".join([*drawn(match), str(event)])
            yield heard(http, match, chooser, None, deal=deal)
    elif isinstance(turn, nd.Decision) and len(turn.options) == 2:
        options = turn.options[nd.Seat(chooser - 1)]
        for move in (options[0], options[len(options) // 2], options[-1]):
            yield heard(http, match, chooser, str(move), seed=1)


def test_the_games_have_secrets_of_both_kinds() -> None:
    turns = [played(game, turns).turn for game in nd.games() for turns in PLAYED]
    assert any(isinstance(turn, nd.Chance) for turn in turns)
    assert any(isinstance(turn, nd.Decision) and len(turn.options) == 2 for turn in turns)


def played(name: str, turns: int) -> AnyMatch:
    """A match after some turns, before anything of the next."""
    match: AnyMatch = nd.Match(nd.load(name), seed=1)
    rng = Random(name)
    while match.turn_number <= turns:
        turn = match.turn
        if isinstance(turn, nd.Outcome):
            match.undo()
            break
        if isinstance(turn, nd.Chance):
            match.draw()
        elif isinstance(turn, nd.Decision):
            for seat, options in turn.options.items():
                match.submit(seat, rng.choice(options))
    return match


def drawn(match: AnyMatch) -> list[str]:
    """The cards drawn so far."""
    return [str(step.event) for step in match.steps(None) if not step.moves]


def heard(
    http: httpx.Client, match: AnyMatch, chooser: int, secret: str | None, **wish: Json
) -> list[bytes]:
    """Everything the other seat and a spectator are sent between a secret and its reveal."""
    guests = pair(http, match.game.name, **wish)
    repeat(match, guests)
    keeper, other = guests[chooser - 1], guests[2 - chooser]
    curious = (Guest(http, other.id), other)
    turn = keeper.view()["turn"]
    streams = []
    for guest in curious:
        # One after the other, so that both see the same people come.
        streams.append(guest.listen())
        streams[-1].until_version(1)
    streams[0].until(lambda found: found[-1]["players"][2 - chooser]["present"])
    answer = keeper.post("draw") if secret is None else keeper.move(turn, secret)
    assert answer.status_code == 200
    # Who chose sees it; it is not the others' to see before both have chosen.
    assert answer.json()["choice"] == secret == keeper.view()["choice"]
    version = answer.json()["version"]
    for stream in streams:
        stream.until_version(version)
    found = [told for guest in curious for told in asked(guest, turn)]
    found += [stream.raw for stream in streams]
    for stream in streams:
        stream.close()
    names = {keeper.id: "ID", str(keeper.token): "TOKEN", str(other.token): "TOKEN"}
    return [plain(told, names) for told in found]


def repeat(match: AnyMatch, guests: Sequence[Guest]) -> None:
    """Play at a table what was played in a match."""
    number = 1
    for step in match.steps(None):
        if not step.moves:
            assert guests[step_drawer(match, step.before)].post("draw").status_code == 200
        for seat, move in step.moves.items():
            assert guests[seat].move(number, str(move)).status_code == 200
        number += bool(step.moves)


def step_drawer(match: AnyMatch, before: Hashable) -> int:
    """Whose hand drew in a step."""
    seat = match.game.drawer(before)
    assert seat is not None
    return int(seat)


def asked(guest: Guest, turn: int) -> Iterator[bytes]:
    """Every answer that can be had, errors included."""
    answers = [guest.get(what) for what in ("", "record", "hint", "review", "steps")]
    answers += [guest.move(turn + 1, "1"), guest.move(turn, "nonsense"), guest.move(turn, "99")]
    answers += [guest.post(what) for what in ("draw", "rematch")]
    answers += [guest.post("draw", {"turn": turn}), guest.post("seats", {"name": "Cy"})]
    if guest.token is None:
        answers += [guest.move(turn, "1"), guest.post("resign")]
    for answer in answers:
        head = "".join(f"{name}: {value}\n" for name, value in sorted(answer.headers.items()))
        yield f"{answer.status_code}\n{head}".encode() + answer.content


def plain(told: bytes, names: dict[str, str]) -> bytes:
    """What was sent, without what differs between any two games."""
    text = told.decode()
    for name, standing in names.items():
        text = text.replace(name, standing)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\d{14}", "TIME", text)
    return re.sub("date: .* GMT", "date: TIME", text).encode()


@pytest.mark.parametrize("game", BOTH_CHOOSE)
def test_the_computers_secret_is_not_in_what_a_person_is_sent(
    http: httpx.Client, game: str
) -> None:
    runs = []
    for seed in range(6):
        person = start(http, game, opponent="random", seed=seed)
        stream = person.listen()
        stream.until(lambda found: found and found[-1]["chosen"] == [2])
        told = [person.get(what) for what in ("", "record", "review", "steps")]
        names = {person.id: "ID", str(person.token): "TOKEN"}
        runs.append([plain(answer.content, names) for answer in told])
        stream.close()
    assert all(run == runs[0] for run in runs)


def test_nothing_about_a_game_is_kept_on_its_way(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    answers = [one.get(what) for what in ("", "record", "steps", "nothing")]
    answers += [one.move(1, "1"), http.get(f"/play/{one.id}"), http.get("/api/me")]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


@pytest.mark.parametrize("game", SOME_GAMES)
def test_seed_and_deck_are_not_sent_before_the_end(http: httpx.Client, game: str) -> None:
    seed = 918273645546372
    one, two = pair(http, game, seed=seed)
    for guest in (one, two, Guest(http, one.id)):
        for what in ("", "record"):
            assert str(seed) not in guest.get(what).text
        assert guest.get("record").json()["seed"] is None
    one.post("resign")
    assert two.get("record").json()["seed"] == seed


def test_a_deck_in_order_is_not_sent_before_the_end(http: httpx.Client) -> None:
    for name in filter(begins_with_a_card, nd.games()):
        match: AnyMatch = nd.Match(nd.load(name), seed=1)
        assert isinstance(match.turn, nd.Chance)
        deal = " ".join(str(event) for event in match.turn.odds)
        one, two = pair(http, name, deal=deal)
        assert two.get("record").json()["deal"] is None
        assert deal not in two.get().text
        assert "chose its cards" in two.view()["log"][0]["lines"][-1]
        one.post("resign")
        assert two.get("record").json()["deal"] == deal


@pytest.mark.parametrize("game", [g for g in nd.games() if begins_with_a_card(g)])
def test_a_drawn_card_is_in_its_drawers_record_alone(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game)
    moves = one.post("draw").json()["moves"]
    assert moves
    assert one.get("record").json()["moves"] == moves
    assert two.get("record").json()["moves"] == Guest(http, one.id).view()["moves"] == ""
