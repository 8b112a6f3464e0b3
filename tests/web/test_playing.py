"""Games played to the end by programs, over HTTP."""

from __future__ import annotations

from random import Random

import httpx
import pytest

import number_duels as nd
from tests.some_games import SOME_GAMES
from tests.web.people import Guest, join, pair, play_out, start


@pytest.mark.parametrize("game", SOME_GAMES)
def test_two_programs_play_a_game_to_its_end(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game, seed=11)
    view = play_out((one, two), Random(game))
    assert view["result"] in ("1-0", "0-1", "1/2-1/2")
    assert view["reason"]
    assert view["to_move"] == view["chosen"] == view["options"] == []
    assert two.view()["moves"] == view["moves"]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_the_record_of_a_game_is_replayed_by_the_rules(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game)
    view = play_out((one, two), Random(game))
    record = nd.Record.from_json(one.get("record").text)
    match = nd.Match.from_record(nd.load(record.game, **record.settings), record)
    assert (match.result, match.moves(None)) == (view["result"], view["moves"])
    assert record.seed is not None
    assert [person.name for person in record.players] == ["Ann", "Bo"]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_the_questions_lead_to_the_options(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game, seed=5)
    for guest in (one, two):
        view = guest.view()
        if view["draw"]:
            view = guest.post("draw").json()
        if view["options"]:
            assert set(leaves(view["question"])) == set(view["options"])
        else:
            assert view["question"] is None


def leaves(question: dict[str, list[dict[str, object]]]) -> list[object]:
    found: list[object] = []
    for answer in question["answers"]:
        assert answer["label"]
        following = answer.get("next")
        found += leaves(following) if isinstance(following, dict) else [answer["move"]]
    return found


@pytest.mark.parametrize("seat", [1, 2])
def test_who_starts_chooses_the_seat(http: httpx.Client, seat: int) -> None:
    host = start(http, nd.games()[0], seat=seat)
    assert host.seat == host.view()["you"] == seat
    guest = join(host)
    assert guest.view()["you"] == 3 - seat


def test_a_spectator_sees_the_game_and_no_options(http: httpx.Client) -> None:
    one, _ = pair(http, nd.games()[0])
    view = Guest(http, one.id).view()
    assert view["you"] is None
    assert view["options"] == []
    assert not view["draw"]
    assert [player["name"] for player in view["players"]] == ["Ann", "Bo"]
    assert not any(player["you"] for player in view["players"])


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_move_sent_again_changes_nothing_even_after_the_end(
    http: httpx.Client, game: str
) -> None:
    one, two = pair(http, game, seed=2)
    guests, rng = {1: one, 2: two}, Random(0)
    sent: list[tuple[Guest, int, str, str]] = []
    while not (view := one.view())["over"]:
        for seat in view["to_move"]:
            guest = guests[seat]
            mine = guest.view()
            if mine["draw"]:
                before = guest.post("draw", {"turn": mine["turn"]}).json()
                assert guest.post("draw", {"turn": mine["turn"]}).json() == before
                mine = before
            move = rng.choice(mine["options"])
            sent.append((guest, mine["turn"], move, rng.choice(mine["options"])))
            before = guest.move(mine["turn"], move).json()
            assert guest.move(mine["turn"], move).json() == before
    after = one.view()
    for guest, turn, move, other in sent:
        assert guest.move(turn, move).status_code == 200
        assert guest.move(turn, other).status_code == (200 if other == move else 409)
    assert one.view() == after


def test_a_player_resigns(http: httpx.Client) -> None:
    one, two = pair(http, nd.games()[0])
    view = two.post("resign").json()
    assert (view["over"], view["result"], view["reason"]) == (True, "1-0", "You resigned.")
    assert two.post("resign").json() == view
    assert one.post("resign").status_code == 409
    record = one.get("record").json()
    assert (record["result"], record["reason"]) == ("1-0", "Player 2 resigned.")
    assert one.get("steps").json()[-1]["lines"][-2:] == ["Bo resigned.", "You win the game!"]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_finished_game_is_watched_again_turn_by_turn(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game)
    assert one.get("steps").status_code == 409
    view = play_out((one, two), Random(4))
    steps = one.get("steps").json()
    assert " ".join(step["move"] for step in steps[1:]) == view["moves"]
    assert steps[-1]["board"] == view["board"]
    assert [step["turn"] for step in steps] == list(range(len(steps)))


def test_a_rematch_swaps_the_seats(http: httpx.Client) -> None:
    one, two = pair(http, nd.games()[0])
    assert one.post("rematch").status_code == 409
    play_out((one, two), Random(1))
    first = one.post("rematch").json()
    http.cookies.clear()
    assert one.view()["rematch"] == two.view()["rematch"] == first["id"]
    stranger = Guest(http, first["id"])
    assert stranger.post("seats", {"name": "Cy"}).status_code == 409
    second = two.post("rematch").json()
    http.cookies.clear()
    assert second["id"] == first["id"]
    assert (first["seat"], second["seat"]) == (2, 1)
    assert one.post("rematch").json() == first, "asking again gives the same seat"
    http.cookies.clear()
    new = (
        Guest(http, first["id"], second["token"], 1),
        Guest(http, first["id"], first["token"], 2),
    )
    assert [player["name"] for player in new[0].view()["players"]] == ["Bo", "Ann"]
    play_out(new, Random(2))
    assert Guest(http, one.id).post("rematch").status_code == 401
