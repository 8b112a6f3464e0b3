"""Records: what is written is read again, and anything else is refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import number_duels as nd
from number_duels.core.record import Record

KNOT = nd.load("number-knot")
WRITTEN = {
    "format": 1,
    "game": "number-knot",
    "settings": {"first": 1, "life": 10, "numbers": 9, "exhausted": "draw"},
    "deal": None,
    "seed": 7,
    "players": [{"name": "Player 1", "who": "human"}, {"name": "Player 2", "who": "perfect"}],
    "moves": "S5 A3 S9",
    "result": "1-0",
    "reason": "Player 2's life total has reached zero or below.",
    "started": "2026-01-01T00:00:00Z",
}


def refusal(text: str) -> str:
    """Why a text is not taken as a record, or not played: one sentence."""
    with pytest.raises(ValueError, match=r"^(?s:.)") as error:
        replay(text)
    reason = str(error.value)
    assert reason.endswith(".")
    assert reason.isprintable()
    return reason


def replay(text: str) -> str:
    """The result of a record that is read and played again."""
    record = Record.from_json(text)
    game = nd.load(record.game, **record.settings)
    return nd.Match.from_record(game, record).result


def changed(**fields: object) -> str:
    return json.dumps({**WRITTEN, **fields})


def test_the_record_of_the_contract_is_read_and_written_as_it_is() -> None:
    record = Record.from_json(json.dumps(WRITTEN))
    assert json.loads(record.to_json()) == WRITTEN
    assert list(json.loads(record.to_json())) == list(WRITTEN)
    assert "\n" not in record.to_json()
    match = nd.Match.from_record(KNOT, record)
    assert match.record == record


def test_settings_deal_and_moves_are_enough() -> None:
    few = {name: WRITTEN[name] for name in ("format", "game", "settings", "deal", "moves")}
    assert replay(json.dumps(few)) == "1-0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        json.dumps(WRITTEN)[:-30],
        "\x00\x01\x02",
        "[" * 100_000,
        '{"format": 1, "game": "number-knot", "moves": "S5", "seed": ' + "9" * 5000 + "}",
    ],
)
def test_damaged_json_is_refused(text: str) -> None:
    assert refusal(text).endswith(("it is not JSON.", "its JSON is nested too deeply."))


@pytest.mark.parametrize(
    "text", ["[]", "7", "null", '"S5"', "{}", '{"format": 1}', '{"name": "x"}']
)
def test_foreign_json_is_refused(text: str) -> None:
    assert "not a game record" in refusal(text)


@pytest.mark.parametrize("format_", [0, 2, "1", None, [], 1.5, True])
def test_another_format_is_refused(format_: object) -> None:
    assert "format 1" in refusal(changed(format=format_))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", 7),
        ("game", None),
        ("settings", []),
        ("settings", {"life": 1.5}),
        ("settings", {"life": None}),
        ("settings", {"life": [10]}),
        ("deal", 7),
        ("seed", "7"),
        ("seed", 1.5),
        ("seed", True),
        ("players", []),
        ("players", [{"name": "A"}]),
        ("players", ["A", "B"]),
        ("players", {"A": "B"}),
        ("players", [{"name": 1}, {"name": 2}]),
        ("players", [{"name": "A"}, {"name": "A"}]),
        ("players", [{"name": ""}, {"name": "B"}]),
        ("players", [{"name": "A\n"}, {"name": "B"}]),
        ("moves", ["S5"]),
        ("moves", None),
        ("result", "2-0"),
        ("result", None),
        ("result", ["1-0"]),
        ("reason", 1),
        ("reason", "x" * 100_001),
        ("started", 2026),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused(field: str, value: object) -> None:
    refusal(changed(**{field: value}))


@pytest.mark.parametrize("field", ["reason", "started", "who"])
def test_text_that_no_file_can_hold_is_refused(field: str) -> None:
    assert refusal(with_text(field, "\ud800")) == f"its {field} must be text."


@pytest.mark.parametrize("text", ["\U0001f3b2", "a\x1b[31m\x00b", "\u202e\u2028", "\udbff\udfff"])
@pytest.mark.parametrize("field", ["reason", "started", "who"])
def test_a_record_that_is_taken_can_be_written_to_a_file_again(field: str, text: str) -> None:
    record = Record.from_json(with_text(field, text))
    assert Record.from_json(record.to_json().encode().decode()) == record


def with_text(field: str, text: str) -> str:
    people = [{"name": "A", "who": text}, {"name": "B"}]
    return changed(players=people) if field == "who" else changed(**{field: text})


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"life": 100}, "1 to 99"),
        ({"life": True}, "1 to 99"),
        ({"colour": "red"}, "no setting colour"),
        ({"name": "red"}, "no setting name"),
        ({"self": 1}, "no setting self"),
    ],
)
def test_settings_that_the_game_does_not_have_are_refused(
    settings: dict[str, object], reason: str
) -> None:
    assert reason in refusal(changed(settings=settings))


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    reason = refusal(changed(game="chess"))
    assert all(name in reason for name in nd.games())


@pytest.mark.parametrize(
    ("moves", "turn"),
    [
        ("S5 S5 S9", "turn 2 (S5)"),
        ("X5", "turn 1 (X5)"),
        ("S5 A3 S9 A1", "turn 4 (A1)"),
        ("S5 A3/A4", "turn 2 (A3/A4)"),
        ("S5 \x1b[2J", "turn 2 (?[2J)"),
        ("S5 " + "9" * 5000, "turn 2 (99999999999999999999"),
    ],
)
def test_an_illegal_move_is_refused_naming_the_turn(moves: str, turn: str) -> None:
    assert turn in refusal(changed(moves=moves, result="*"))


def test_a_move_after_the_end_is_refused() -> None:
    assert "already over" in refusal(changed(moves="S5 A3 S9 A1"))


@pytest.mark.parametrize("result", ["0-1", "1/2-1/2"])
def test_a_result_that_contradicts_the_moves_is_refused(result: str) -> None:
    reason = refusal(changed(result=result))
    assert "1-0" in reason
    assert result in reason


def test_a_result_before_the_end_is_refused() -> None:
    refusal(changed(moves="S5 A3", result="1-0"))


def test_an_unfinished_result_of_a_finished_game_is_taken() -> None:
    assert replay(changed(result="*")) == "1-0"


def test_a_missing_deal_is_refused_where_there_must_be_one() -> None:
    record = nd.Match(nd.load("number-drop"), seed=1).record
    assert "deal" in refusal(replace(record, deal=None).to_json())


def test_a_wrong_deal_is_refused() -> None:
    record = nd.Match(nd.load("number-drop"), seed=1).record
    assert "deal" in refusal(replace(record, deal="123 456").to_json())
    assert "no deal" in refusal(changed(deal="1 2 3"))


def test_a_file_of_many_records_is_one_a_line() -> None:
    records = [nd.Match(nd.load(name), seed=seed).record for seed, name in enumerate(nd.games())]
    lines = "\n".join(record.to_json() for record in records)
    assert [Record.from_json(line) for line in lines.splitlines()] == records


def test_before_the_end_a_viewers_record_tells_no_card_to_come() -> None:
    match = nd.Match(nd.load("number-stack-showdown"), seed=1, deal="7,3,9")
    match.draw()
    for viewer in (None, *nd.Seat):
        record = match.record_for(viewer)
        assert (record.seed, record.deal) == (None, None)
    match.concede(nd.Seat.ONE, "resigned.")
    assert match.record_for(None).deal == match.record.deal == "7,3,9"


def test_a_deal_that_everybody_sees_stays_in_a_viewers_record() -> None:
    match = nd.Match(nd.load("number-drop"), seed=1)
    assert match.record_for(None).deal == match.record.deal is not None
    assert match.record_for(None).seed is None
