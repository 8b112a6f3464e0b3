"""What those who run the server see of it: settings, probes, figures and logs."""

from __future__ import annotations

import json
import logging
import re
import signal
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import NoReturn

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

import number_duels as nd
from number_duels.core.bug_reports import unforeseen
from number_duels.terminal.parser import parsed
from number_duels.web.config import (
    OPTIONS,
    Config,
    default_database,
    flag_of,
    unknown_variables,
    variable_of,
)
from number_duels.web.telemetry import set_up_logs
from tests.clock import ManualClock
from tests.web.local import LocalServer
from tests.web.people import GAME, pair, play_out, start
from tests.web.serving import Server, until
from tests.web.test_refusals import refused

#: Those that the server's logs are made of.
LOGGERS = ("number_duels", "uvicorn", "sqlalchemy", "asyncpg", "asyncio")


# ---- settings ------------------------------------------------------------------


def test_every_option_is_a_flag_a_variable_and_a_line_of_a_file(tmp_path: Path) -> None:
    texts = {name: str(number) for number, name in enumerate(OPTIONS, start=7)}
    texts |= {"log_format": "json", "log_level": "error", "strictness": "strict"}
    flags = [word for name, text in texts.items() for word in (flag_of(name), text)]
    config = Config.read(vars(parsed(["serve", *flags])), {})
    for name, text in texts.items():
        assert getattr(config, name) == type(getattr(Config, name))(text)
    variables = {variable_of(name): text for name, text in texts.items()}
    assert Config.read(vars(parsed(["serve"])), variables) == config
    file = tmp_path / "serve.toml"
    file.write_text("\n".join(f"{name} = {text!r}" for name, text in texts.items()))
    assert Config.read(vars(parsed(["serve", "--config", str(file)])), {}) == config
    assert Config.read({}, {"DUELS_CONFIG": str(file)}) == config


def test_a_flag_comes_before_a_variable_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text("drain = 7.5\nport = 7\nmax_games = 7")
    flags = vars(parsed(["serve", "--drain", "5", "--config", str(file)]))
    config = Config.read(flags, {"DUELS_DRAIN": "6", "DUELS_PORT": "6"})
    assert (config.drain, config.port, config.max_games) == (5, 6, 7)


def test_without_options_everything_has_its_default() -> None:
    assert Config.read({}, {}) == Config(database=default_database())


@pytest.mark.parametrize(
    ("strictness", "rate", "streams"),
    [("strict", 37.5, 5), ("normal", 150, 20), ("off", 15e7, 2e7)],
)
def test_one_option_scales_all_that_a_client_may_take(
    strictness: str, rate: float, streams: int
) -> None:
    config = Config.read({"strictness": strictness}, {})
    assert (config.request_rate, config.seat_streams) == (rate, streams)
    assert config.open_connections == Config().open_connections


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("max_games", "0"),
        ("max_games", "1.5"),
        ("drain", "nan"),
        ("drain", "inf"),
        ("drain", "-1"),
        ("log_format", "xml"),
        ("log_level", "loud"),
    ],
)
def test_an_option_that_cannot_be_is_told_by_its_name(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{flag_of(name)} must be "):
        Config.read({name: text}, {})
    with pytest.raises(ValueError, match=f"^{variable_of(name)} must be "):
        Config.read({}, {variable_of(name): text})


def test_a_variable_that_is_no_option_is_known() -> None:
    variables = {"DUELS_CLIENT_RATE": "5", "DUELS_PORT": "8000", "DUELS_TRACEBACK": "1", "HOME": ""}
    assert unknown_variables(variables) == ["DUELS_CLIENT_RATE"]


# ---- probes --------------------------------------------------------------------


def test_alive_and_ready(http: httpx.Client) -> None:
    for path in ("/healthz", "/readyz"):
        assert http.get(path).json() == {"ok": True}


def test_a_server_that_is_told_to_stop_serves_on_until_others_have_noticed(
    own_server: Callable[..., LocalServer],
) -> None:
    clock = ManualClock()
    server = own_server(clock, drain=60)
    with server.client() as http:
        one, two = pair(http, GAME, seed=2)
        stream = one.listen()
        stream.until_version(1)
        server.begin_to_stop()
        server.until(lambda: server.service.draining)
        answer = http.get("/readyz")
        assert (answer.status_code, list(answer.json())) == (503, ["error"])
        assert http.get("/healthz").status_code == 200
        assert play_out((one, two), Random(1))["over"], "what is under way goes on"
        assert stream.until(lambda found: found[-1]["over"])
        assert not stream.closed
        clock.advance(60)
        assert server.stop() == 0
        stream.until_closed()
        assert server.log == ""


def test_a_second_signal_says_that_nobody_will_come_any_more(
    own_process: Callable[..., Server],
) -> None:
    server = own_process(drain=600)
    assert server.process is not None
    with server.client() as http:
        server.process.send_signal(signal.SIGTERM)
        until(lambda: http.get("/readyz").status_code == 503)
        assert http.get("/healthz").status_code == 200
    assert server.stop() == 0
    assert server.log == ""


def test_requests_under_way_are_finished(own_server: Callable[..., LocalServer]) -> None:
    """A body that is half sent when the server is told to stop still becomes a move."""
    server = own_server()
    with server.client() as http:
        one, _ = pair(http, GAME)
        body = json.dumps({"turn": 1, "move": "1"}).encode()
        path = f"/api/games/{one.id}/moves"

        def slowly() -> Iterator[bytes]:
            yield body[:5]
            server.until(lambda: path in server.paths_under_way())
            server.begin_to_stop()
            server.until(lambda: server.service.closing)
            yield body[5:]

        answer = http.post(
            path,
            headers={
                **one.headers,
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
            },
            content=slowly(),
        )
        assert answer.status_code == 200
        assert answer.json()["chosen"] == [1]
        assert server.stop() == 0
        server.restart()
        assert one.view()["chosen"] == [1]


# ---- figures -------------------------------------------------------------------


def figures(http: httpx.Client) -> dict[str, float]:
    """Every figure, by its name and labels."""
    answer = http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        " ".join([sample.name, *map(str, sample.labels.values())]): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_games_moves_requests_streams_and_errors_are_counted(
    http: httpx.Client, server: LocalServer
) -> None:
    before = figures(http)

    def more(name: str) -> float:
        return figures(http)[name] - before.get(name, 0.0)

    one, two = pair(http, GAME)
    stream = one.listen()
    stream.until_version(1)
    opened = figures(http)["duels_streams"]
    assert opened >= 1
    view = play_out((one, two), Random(1))
    stream.close()
    server.until(lambda: server.service.streams.total() < opened)
    assert figures(http)["duels_streams"] < opened
    match = nd.Match.from_record(nd.load(GAME), nd.Record.from_json(one.get("record").text))
    assert match.moves(None) == view["moves"]
    assert more(f"duels_games_started_total {GAME}") == 1
    assert more(f"duels_games_finished_total {GAME}") == 1
    assert more(f"duels_moves_total {GAME}") == sum(len(s.moves) for s in match.steps(None))
    accepted = more("duels_requests_total /api/games/{id}/moves 200")
    assert accepted == more(f"duels_moves_total {GAME}")
    assert more("duels_request_seconds_count /api/games/{id}/moves") == accepted
    http.get("/nothing/at/all")
    assert more("duels_requests_total other 404") == 1
    assert {"duels_errors_total database", "duels_errors_total server"} <= before.keys()
    assert figures(http)["duels_tables"] >= 1


def test_what_nobody_foresaw_is_a_sentence_and_is_counted_and_logged(
    own_server: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = own_server()

    async def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(server.service, "find", fail)
    with server.client() as http, server.client() as other:
        told = refused(http.get("/api/games/any"), 500)
        assert told == unforeseen(where="to the operator of this server")
        assert figures(other)["duels_errors_total server"] == 1
    assert "ZeroDivisionError" in server.log


def test_no_figure_tells_of_a_person_or_a_game(http: httpx.Client) -> None:
    one, two = pair(http, GAME)
    text = http.get("/metrics").text
    for secret in (one.id, str(one.token), str(two.token), "Ann"):
        assert secret not in text


# ---- logs ----------------------------------------------------------------------


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """What is logged as the command would, to the last detail."""
    found = StringIO()
    monkeypatch.setattr("sys.stderr", found)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(one.handlers, one.level, one.propagate) for one in loggers]
    set_up_logs(Config(log_format="json", log_level="debug"))
    yield found
    for one, (handlers, level, propagate) in zip(loggers, before, strict=True):
        one.handlers, one.propagate = handlers, propagate
        one.setLevel(level)


def test_logs_are_json_lines_without_secrets(
    logged: StringIO, own_server: Callable[..., LocalServer]
) -> None:
    server = own_server()
    secrets: list[str] = []
    with server.client() as http:
        for game in (GAME, nd.games()[-1]):
            one, two = pair(http, game, seed=918273645)
            play_out((one, two), Random(1))
            computer = start(http, game, opponent="random")
            computer.listen().until_version(1)
            computer.post("resign")
            secrets += [one.id, str(one.token), str(two.token), str(computer.token)]
        http.post(f"/api/games/{one.id}/moves?token={one.token}", json={"turn": 1, "move": "x" * 9})
        http.get("/nothing", headers={"Authorization": f"Bearer {two.token}"})
    assert server.stop() == 0
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    requests = [line for line in lines if line["message"] == "request"]
    assert {line["route"] for line in requests} >= {"/api/games/{id}/moves", "/api/games", "other"}
    known = {"time", "level", "logger", "message", "method", "route", "status", "milliseconds"}
    assert all(line.keys() <= known | {"game"} for line in lines)
    assert all(re.fullmatch("[0-9a-f]{12}", line["game"]) for line in requests if "game" in line)
    for secret in (*secrets, "918273645", "Ann", "Bo", "x" * 9):
        assert secret not in logged.getvalue()
