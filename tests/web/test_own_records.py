"""A profile's own record: results that outlive games, what moves cost, and every record."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from random import Random

import pytest
from sqlalchemy import delete

import number_duels as nd
from number_duels.review.json import stats_json
from number_duels.review.player_stats import player_stats
from number_duels.web.db.schema import games
from tests.review.positions import SMALL
from tests.some_games import CARDS, SECRET, both_choose
from tests.web.browsers import Browser, in_database, listed
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, Json, play_out, until_asked
from tests.web.test_secrets import plain

#: A game in which both choose at once, and one with cards.
PLAYED = (SECRET, CARDS)


def graded(server: LocalServer, browser: Browser) -> Json:
    """The statistics, once everything is graded."""

    async def grade() -> None:
        while await server.service.grader.grade_some():
            pass

    server.run(grade())
    found = browser.me(what="statistics")
    assert found["waiting"] == 0
    return found


def records(browser: Browser) -> list[nd.Record]:
    answer = browser.ask("GET", "records")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [nd.Record.from_json(line) for line in answer.text.splitlines()]


def test_the_record_of_a_person_is_that_of_the_terminal_and_outlives_games_and_crashes(
    own_server: Callable[..., LocalServer],
) -> None:
    server = own_server()
    with server.client() as http, server.client() as other:
        ann, bo = Browser(http, "Ann"), Browser(other, "Bo")
        assert ann.me(what="statistics")["games"] == 0
        for number, name in enumerate(PLAYED):
            wish = {"opponent": "random", "seat": 1 + number % 2, "seed": number}
            play_out((ann.start(name, settings=SMALL[name], **wish),), Random(number))
        server.kill()  # before they are graded, or in the middle of it
        server.restart()
        found = graded(server, ann)
        oldest_first = records(ann)[::-1]  # both may have begun in the same second
        expected = stats_json(player_stats(oldest_first, max_bytes=None))
        assert {key: without_server(found[key]) for key in expected} == approximately(expected)
        assert found["figures"]["games"] == len(PLAYED)
        assert set(found["by_game"]) == set(PLAYED)

        table = ann.start(GAME)
        bo.join(table.id).post("resign")
        found = graded(server, ann)
        assert found["people"]["Bo"]["won"] == 1
        assert found["by_game"][GAME]["opponents"]["human"]["won"] == 1
        assert sum(month["games"] for month in found["months"].values()) == len(PLAYED) + 1
        assert graded(server, bo)["lost"] == 1

        lines = ann.me()["finished"]
        assert all(line["kept"] for line in lines)
        in_database(server.database, delete(games))
        assert ann.me()["finished"] == [{**line, "kept": False} for line in lines]
        ids = [one.pop("id") for one in found["over_time"]]
        gone = ann.me(what="statistics")
        assert [one.pop("id") for one in gone["over_time"]] == [None] * len(ids)
        assert gone == found
        assert records(ann) == []


def approximately(value: Json) -> Json:
    """A value of JSON, whose sums may have been added in another order."""
    if isinstance(value, dict):
        return {key: approximately(one) for key, one in value.items()}
    if isinstance(value, list):
        return [approximately(one) for one in sorted(value, key=itemgetter("game"))]
    return pytest.approx(value) if isinstance(value, float) else value


def without_server(value: Json) -> Json:
    """What the terminal says of games, too; those of one second may be in any order."""
    if not isinstance(value, list):
        return value
    only_here = ("id", "finished", "name", "against", "cost")
    games = sorted(value, key=itemgetter("game"))
    return [{key: game[key] for key in game if key not in only_here} for game in games]


def test_a_game_that_nobody_joined_counts_for_nobody(browser: Callable[..., Browser]) -> None:
    ann = browser("Ann")
    ann.start(GAME).post("resign")
    assert (listed(ann, "finished"), ann.me(what="statistics")["games"]) == (set(), 0)


def test_records_are_of_ones_own_games_as_one_may_see_them(
    browser: Callable[..., Browser],
) -> None:
    ann, bo = browser("Ann"), browser("Bo")
    over, running = ann.start(GAME, seed=5), ann.start(GAME, seed=5)
    bo.join(over.id).post("resign")
    bo.join(running.id)
    running.move(1, running.view()["options"][0])
    for person in (ann, bo):
        kept, ended = sorted(records(person), key=lambda record: record.result)
        assert (kept.result, kept.seed, kept.moves) == ("*", None, "")
        assert (ended.result, ended.seed) == ("1-0", 5)
        assert [one.name for one in ended.players] == ["Ann", "Bo"]
    assert records(browser("Cy")) == records(browser()) == []


@pytest.mark.parametrize("game", [SECRET, CARDS])
def test_nothing_of_a_secret_is_in_the_profile_of_the_other(
    browser: Callable[..., Browser], game: str
) -> None:
    told, own = [], set()
    for secret in range(3):
        ann, bo = browser("Ann"), browser("Bo")
        wish: Json = {"seed": 1} if both_choose(game) else {"deal": f"{secret + 2}"}
        table = ann.start(game, **wish)
        bo.join(table.id)
        if both_choose(game):
            table.move(1, until_asked(Guest(ann.http, table.id))["options"][secret])
        else:
            own.add(table.post("draw").text)
        names = {table.id: "ID"}
        told.append([plain(bo.ask("GET", what).content, names) for what in ("", "records")])
        assert bo.me()["running"][0]["id"] == table.id
        own.add(str(ann.ask("GET").content.replace(table.id.encode(), b"ID")))
    assert told[0] == told[1] == told[2]
    assert len(own) > 1 or both_choose(game), "its owner sees a card"
