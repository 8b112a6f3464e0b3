"""Profiles: a person in a browser or several, whose seats are nobody else's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from sqlalchemy import select, update

from number_duels.web.db.schema import devices, games, profiles, results, transfer_codes
from number_duels.web.db.stored_game import digest
from number_duels.web.request_limits import PROFILE_COOKIE
from number_duels.web.service import profiles as profile_service
from number_duels.web.service.profiles import CODE_LENGTH, CODE_LETTERS
from tests.web.browsers import Browser, OpenBrowser, in_database, listed
from tests.web.people import GAME
from tests.web.serving import Server


def test_a_profile_is_a_cookie_that_no_script_reads_and_no_database_tells(
    server: Server, browser: OpenBrowser
) -> None:
    ann = browser()
    assert ann.me() == {"name": "", "created": None, "running": [], "finished": []}
    answer = ann.ask("POST", name="Ann")
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=lax", "Max-Age=31536000", "Path=/api;"):
        assert part in f"{cookie};"
    assert "Secure" not in cookie
    assert ann.token is not None
    assert ann.token not in answer.text
    code = ann.code()
    kept = in_database(server.database, *map(select, (devices, profiles, transfer_codes)))
    assert digest(ann.token) in str(kept)
    for secret in (ann.token, code, code.replace("-", "")):
        assert secret not in str(kept)
    by_tls = ann.http.get("/api/me", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in by_tls.headers["set-cookie"]


def test_a_name_is_given_and_changed_and_one_that_no_game_takes_is_refused(
    browser: OpenBrowser,
) -> None:
    ann = browser("Ann")
    created = ann.me()["created"]
    assert ann.me("POST", name="Anna")["name"] == "Anna"
    assert (ann.me()["name"], ann.me()["created"]) == ("Anna", created)
    for name in (" Ann", "\u3164", "x" * 21):
        assert ann.ask("POST", name=name).status_code == 422
    assert ann.me()["name"] == "Anna"


# ---- seats -----------------------------------------------------------------------


def test_a_second_device_plays_on_and_each_shows_the_same_games(browser: OpenBrowser) -> None:
    ann, phone, bo = browser("Ann"), browser(), browser("Bo")
    table = ann.start(GAME)
    bo.join(table.id)
    assert phone.at(table.id).view()["you"] is None
    shown = phone.redeem(ann.code().lower().replace("-", " "))
    assert shown.json()["name"] == "Ann"
    there = phone.at(table.id)
    view = there.view()
    assert (view["you"], view["players"][0]["name"]) == (1, "Ann")
    stream = there.listen(cookie=f"{PROFILE_COOKIE}={phone.token}")
    assert stream.until_version(1)["you"] == 1
    line = phone.me()["running"][0]
    assert line == ann.me()["running"][0]
    assert line["board"] == view["board"]
    assert (line["your_turn"], line["names"], line["opponent"]) == (True, ["Ann", "Bo"], "human")
    assert there.move(1, view["options"][0]).status_code == 200
    assert not ann.me()["running"][0]["your_turn"]
    assert table.view()["chosen"] == [1]
    stream.close()
    assert there.post("resign").status_code == 200
    assert (listed(ann), listed(ann, "finished")) == (set(), {table.id})
    assert bo.me()["finished"][0]["result"] == "0-1"
    assert bo.me()["finished"][0]["reason"] == "Ann resigned."


def test_nobody_gets_anothers_seat(server: Server, browser: OpenBrowser) -> None:
    ann, bo, cy = browser("Ann"), browser("Bo"), browser("Cy")
    table = ann.start(GAME)
    bo.join(table.id)
    assert (table.view()["you"], bo.at(table.id).view()["you"]) == (1, 2)
    kept = in_database(server.database, select(profiles.c.id), select(devices.c.token))
    forged = [str(value) for rows in kept for row in rows for value in row]
    with server.client() as stranger:
        for token in ("", *forged[-40:], "x" * 43):
            stranger.cookies.set(PROFILE_COOKIE, token)
            assert Browser(stranger).me()["created"] is None
            guest = Browser(stranger).at(table.id)
            assert guest.view()["you"] is None
            assert guest.move(1, "1").status_code == 401
    for other in (cy.at(table.id), ann.at(bo.start(GAME).id)):
        assert other.view()["you"] is None
        for what in ("moves", "resign", "rematch", "draw"):
            body = {"turn": 1, "move": "1"} if what == "moves" else {}
            assert other.post(what, body).status_code == 401
    # Who sends a token is whoever holds it, and nobody else.
    headers = {"Authorization": f"Bearer {ann.token}"}
    assert cy.http.get(f"/api/games/{table.id}", headers=headers).status_code == 401
    assert listed(cy) == set()


def test_nobody_sits_down_opposite_himself(browser: OpenBrowser) -> None:
    ann, phone = browser("Ann"), browser()
    table = ann.start(GAME)
    phone.redeem(ann.code())
    answer = phone.at(table.id).post("seats", {"name": "Bo"})
    assert (answer.status_code, "already" in answer.json()["error"]) == (409, True)


def test_a_rematch_belongs_to_the_same_profiles(browser: OpenBrowser) -> None:
    ann, phone, bo = browser("Ann"), browser(), browser("Bo")
    table = ann.start(GAME)
    bo.join(table.id).post("resign")
    phone.redeem(ann.code())
    again = phone.at(table.id).post("rematch").json()
    assert again["token"]
    assert listed(ann) == {again["id"]}
    assert listed(bo) == set(), "the seat is kept for him, and he has not taken it"
    assert bo.at(again["id"]).view()["you"] is None
    for device in (ann, phone):
        assert device.at(again["id"]).view()["you"] == 2
        assert device.at(table.id).post("rematch").json()["seat"] == 2
    assert bo.at(table.id).post("rematch").status_code == 201
    assert listed(bo) == {again["id"]}


# ---- codes -----------------------------------------------------------------------


def test_a_code_works_once_even_at_the_same_instant(browser: OpenBrowser) -> None:
    ann, others = browser("Ann"), [browser() for _ in range(6)]
    first = ann.code()
    code = ann.code()
    assert others[0].redeem(first).status_code == 404, "a new code takes the place of the other"
    with ThreadPoolExecutor(len(others)) as pool:
        told = list(pool.map(lambda other: other.redeem(code).status_code, others))
    assert sorted(told) == [200, *[404] * 5]
    assert sum(other.me()["created"] is not None for other in others) == 1
    assert browser().redeem(code).status_code == 404
    assert browser().ask("POST", "code").status_code == 401, "nobody has no code"


def test_a_code_expires(server: Server, browser: OpenBrowser) -> None:
    ann = browser("Ann")
    assert ann.me("POST", "code")["expires_s"] == 600
    for age_s, status in {590: 200, 601: 404}.items():
        code = ann.code()
        plain = digest(code.replace("-", ""))
        older = update(transfer_codes).where(transfer_codes.c.code == plain)
        in_database(server.database, older.values(expires_at=transfer_codes.c.expires_at - age_s))
        assert browser().redeem(code).status_code == status


def test_a_code_cannot_be_guessed(strict_server: Server) -> None:
    assert len(set(CODE_LETTERS)) ** CODE_LENGTH > 2**50
    assert not set("01ILOU") & set(CODE_LETTERS)
    with strict_server.client() as one, strict_server.client() as two:
        two.headers["X-Forwarded-For"] = "192.0.2.78"  # a client that no other test is
        ann, thief = Browser(one, "Ann"), Browser(two)
        code = ann.code()
        tries = [thief.redeem(f"{number:012}").status_code for number in range(4)]
        assert tries == [404] * 4
        refused = thief.redeem(code)
        assert (refused.status_code, "retry-after" in refused.headers) == (429, True)


# ---- two profiles become one -----------------------------------------------------


def test_a_profile_is_in_so_many_browsers_and_not_in_more(
    browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("number_duels.web.db.profiles.MAX_DEVICES", 3)
    ann = browser("Ann")
    told = [browser().redeem(ann.code()) for _ in range(3)]
    assert [one.status_code for one in told] == [200, 200, 409]
    assert "needs" not in told[-1].json(), "no other request would do"


def test_games_of_the_other_browser_come_along_if_wanted(browser: OpenBrowser) -> None:
    ann, tablet, desk = browser("Ann"), browser("Tab"), browser()
    mine, theirs = ann.start(GAME), tablet.start(GAME)
    ended = tablet.start(GAME, opponent="random")
    ended.post("resign")
    desk.redeem(tablet.code())
    code = ann.code()
    refused = tablet.redeem(code)
    sentence = "This browser has other games; add them to the profile, or leave them behind."
    assert refused.status_code == 409
    assert refused.json() == {"error": sentence, "needs": "merge"}
    assert listed(tablet) == {theirs.id}, "nothing has changed"
    assert tablet.redeem(code, merge=True).status_code == 200
    for device in (ann, tablet, desk):
        assert device.me()["name"] == "Ann"
        assert (listed(device), listed(device, "finished")) == ({mine.id, theirs.id}, {ended.id})
        assert device.at(theirs.id).view()["you"] == 1
        assert device.at(mine.id).view()["you"] == 1
    assert ann.at(theirs.id).move(1, theirs.view()["options"][0]).status_code == 200
    assert ann.redeem(ann.code()).status_code == 409, "it has this profile already"


def test_games_of_the_other_browser_stay_behind_if_not(
    server: Server, browser: OpenBrowser
) -> None:
    ann, tablet, desk = browser("Ann"), browser("Tab"), browser()
    theirs = tablet.start(GAME)
    desk.redeem(tablet.code())
    assert tablet.redeem(ann.code(), merge=False).json()["name"] == "Ann"
    assert (listed(tablet), listed(desk)) == (set(), {theirs.id})
    assert tablet.at(theirs.id).view()["you"] == 1, "by the seat's own cookie"
    assert ann.at(theirs.id).view()["you"] is None
    assert desk.redeem(ann.code(), merge=False).status_code == 200
    left = in_database(server.database, select(games.c.profile_one).where(games.c.id == theirs.id))
    assert left == [[(None,)]], "nobody can come back to the old profile, so it is forgotten"
    assert desk.at(theirs.id).view()["you"] is None


def test_what_becomes_of_a_profile_holds_in_every_process(
    clients: tuple[httpx.Client, httpx.Client], two_servers: tuple[Server, Server]
) -> None:
    with two_servers[0].client() as third, two_servers[1].client() as fourth:
        ann, tablet = Browser(clients[0], "Ann"), Browser(clients[1], "Tab")
        theirs = tablet.start(GAME)
        assert tablet.redeem(ann.code(), merge=True).status_code == 200
        assert ann.at(theirs.id).view()["you"] == 1
        # The same browsers, sent to the other process.
        for http, browser in ((third, tablet), (fourth, ann)):
            http.cookies.set(PROFILE_COOKIE, str(browser.token))
            assert Browser(http).at(theirs.id).view()["you"] == 1
        assert Browser(fourth).ask("DELETE").status_code == 204
        for guest in (ann.at(theirs.id), Browser(third).at(theirs.id)):
            assert guest.view()["you"] is None


def test_of_very_many_games_the_newest_are_shown_counted_and_exported(
    browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = browser("Ann")
    for _ in range(3):
        ann.start(GAME)
        ann.start(GAME, opponent="random").post("resign")
    assert (len(listed(ann)), len(listed(ann, "finished"))) == (3, 3)
    assert (ann.me(what="statistics")["games"], len(exported(ann))) == (3, 6)
    bounds = {"RUNNING": 1, "FINISHED": 2, "COUNTED": 2, "EXPORTED": 5}
    for name, most in bounds.items():
        monkeypatch.setattr(profile_service, f"MAX_{name}", most)
    monkeypatch.setattr(profile_service, "GAMES_PER_EXPORT_STEP", 2)
    assert (len(listed(ann)), len(listed(ann, "finished"))) == (1, 2)
    assert (ann.me(what="statistics")["games"], len(exported(ann))) == (2, 5)


def exported(browser: Browser) -> list[str]:
    return browser.ask("GET", "records").text.splitlines()


# ---- forgetting ------------------------------------------------------------------


def test_a_forgotten_profile_is_gone_and_its_games_go_on(
    server: Server, browser: OpenBrowser
) -> None:
    ann, phone = browser("Ann"), browser()
    table = ann.start(GAME)
    ended = ann.start(GAME, opponent="random")
    ended.post("resign")
    phone.redeem(ann.code())
    code, token = phone.code(), str(ann.token)
    assert ann.ask("DELETE").status_code == 204
    assert ann.token is None
    assert (phone.me()["created"], browser().redeem(code).status_code) == (None, 404)
    assert phone.at(table.id).view()["you"] is None
    view = table.view()
    assert view["you"] == 1, "by the seat's own cookie"
    assert table.move(1, view["options"][0]).status_code == 200
    about = in_database(
        server.database,
        select(devices.c.token).where(devices.c.token == digest(token)),
        select(results.c.profile).where(results.c.game == ended.id),
        select(games.c.profile_one).where(games.c.id == ended.id),
    )
    assert about == [[], [], [(None,)]]
    assert ann.ask("DELETE").status_code == 204, "once more changes nothing"
