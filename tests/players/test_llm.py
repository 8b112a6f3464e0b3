"""Language models: what they are asked, how their answers are read, what is kept."""

from __future__ import annotations

import json
import sys

import pytest

import number_duels as nd
from number_duels.core.match import Match
from number_duels.core.player import Forfeit, Outage, situation
from number_duels.core.runner import play_match
from number_duels.players.external import ILLEGAL, UNREADABLE, Limits
from number_duels.players.llm.player import ModelPlayer
from number_duels.players.registry import player as make_player
from tests.players.endpoint import Act, FakeEndpoint, error, play, say
from tests.players.misbehaviour import no_choices
from tests.players.model_players import Seated, clock, fake, knot, no_keys, seated
from tests.some_games import SOME_GAMES

__all__ = ["clock", "fake", "no_keys", "seated"]  # fixtures
TOOL = {"index": 0, "id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


# ---- asking ----------------------------------------------------------------------


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_model_plays_every_game_to_its_end(name: str, seated: Seated) -> None:
    game = nd.load(name)
    outcome = play_match(Match(game, seed=3), {seat: seated() for seat in nd.Seat})
    assert "forfeits" not in outcome.reason


def test_a_word_seats_a_model_that_needs_no_beginning(fake: FakeEndpoint) -> None:
    player = make_player("llm:tiny", nd.load("number-knot"), limits=Limits(url=fake.url))
    assert isinstance(player, ModelPlayer)
    assert str(player.choose(knot())) == "A1"
    assert "seed" not in fake.bodies[0]
    player.close()


def test_a_request_asks_for_one_of_the_legal_moves_in_a_stream(
    fake: FakeEndpoint, seated: Seated
) -> None:
    player, asked = seated(), knot("S5 A3")
    player.begin(asked.game, asked.seat, 2**40 + 7)
    player.choose(asked)
    body = fake.bodies[0]
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["move"]["enum"] == list(map(str, asked.options))
    assert (body["model"], body["stream"], body["seed"]) == ("tiny", True, 7)
    assert body.keys().isdisjoint({"temperature", "top_p", "max_tokens"})


@pytest.mark.parametrize("says_which", [True, False])
@pytest.mark.parametrize(
    "demands",
    [
        ({"json_schema", "json_object"}, set(), {"response_format", "seed", "stream_options"}),
        ({"json_object"}, set(), {"response_format", "seed", "stream_options"}),
        (set(), set(), {"seed", "stream_options"}),
        (set(), {"seed"}, {"stream_options"}),
        (set(), {"seed", "stream_options"}, set()),
    ],
)
def test_what_an_endpoint_refuses_is_left_out_and_that_is_remembered(
    demands: tuple[set[str], set[str], set[str]],
    says_which: bool,
    fake: FakeEndpoint,
    seated: Seated,
) -> None:
    formats, refuses, left = demands
    fake.formats, fake.refuses = frozenset(formats), frozenset(refuses)
    fake.says_which = says_which
    player, asked = seated(), knot()
    player.begin(asked.game, asked.seat, 7)
    assert str(player.choose(asked)) == "A1"
    assert fake.bodies[-1].keys() - {"model", "messages", "stream"} == left
    assert player.faults == []
    before = len(fake.bodies)
    player.choose(asked)
    assert len(fake.bodies) == before + 1


def test_a_refusal_that_names_a_part_costs_only_that_part(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.refuses = frozenset({"seed"})
    player, asked = seated(), knot()
    player.begin(asked.game, asked.seat, 7)
    player.choose(asked)
    assert fake.bodies[-1]["response_format"]["type"] == "json_schema"
    assert [call.kind for call in player.calls] == ["rejected", "answered"]


def test_a_request_that_is_refused_in_any_form_changes_nothing(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [error(400, "Too long.")] * 5
    player = seated()
    with pytest.raises(Outage, match="Too long"):
        player.choose(knot())
    player.choose(knot())
    assert fake.bodies[-1]["response_format"]["type"] == "json_schema"


def test_an_endpoint_that_does_not_stream_is_heard_as_well(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.streams = False
    player = seated()
    assert str(player.choose(knot())) == "A1"
    assert player.calls[0].prompt_tokens


def test_an_endpoint_that_refuses_streams_is_asked_without(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.script = [error(400, "No stream_options."), error(400, "No stream here.")]
    player = seated()
    assert str(player.choose(knot())) == "A1"
    assert fake.bodies[-1]["stream"] is False


# ---- reading ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"move": "S9"}',
        ' {"move": "s 9", "why": "{it is} the highest"}\n',
        '```json\n{"move": "S9"}\n```',
        'First {"thought": 1}, then {"move": "S9"}.',
        '<think>{"move": "A1"}?</think>\n{"move": "S9"}',
        'A1 is weak.</think>{"move": "S9"}',
        "I subtract the highest.\nMOVE: S9",
        "S9",
        "`s 9`.",
        "Subtract 9",
        "I subtract.\n\n<answer>S9</answer>",
        "<answer> **S9** </answer> is it, not **A1**.",
        r"So the answer is $\boxed{S9}$.",
        r"\boxed{\text{S9}}",
        "**S9**",
        "The highest number hurts most.\nI play **S9**.",
        "**Plan**: win.\n**S9**",
        "**A1** or **S8**? Neither.\n**MOVE: S9**",
        'A1 is weak and **S8** is not. {"reasoning": "S1?", "move": "S9"}',
        '{"move": "S9"}\nMOVE: s9',
    ],
)
def test_answers_that_are_read(text: str, fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [say(text)]
    player = seated()
    assert str(player.choose(knot())) == "S9"
    assert player.faults == []


def test_a_number_is_read_as_a_move(fake: FakeEndpoint, seated: Seated) -> None:
    game = nd.load("number-bid")
    fake.script = [play(7)]
    assert str(seated().choose(situation(Match(game, seed=1), nd.Seat.ONE))) == "7"


@pytest.mark.parametrize(
    "refused",
    [
        (play("S0"), ILLEGAL, "S0 is not available; choose one of A1"),
        (play("up"), ILLEGAL, "up is not a move"),
        (play(True), UNREADABLE, "no JSON object"),
        (play(None), UNREADABLE, "no JSON object"),
        (say("I take S9"), UNREADABLE, "no JSON object"),
        (say("MOVE: S9\nI think."), UNREADABLE, "no JSON object"),
        (say("[" * 50_000), UNREADABLE, "no JSON object"),
        (say('{"a":' * 20_000), UNREADABLE, "no JSON object"),
        (say('{"move": "S9"} or {"move": "S8"}'), UNREADABLE, "several moves (S8, S9)"),
        (say('{"move": "S9"}\nMOVE: S8'), UNREADABLE, "several moves (S8, S9)"),
        (say("<answer>S9</answer><answer>S8</answer>"), UNREADABLE, "several moves (S8, S9)"),
        (say("**S8** is good.\n**S9** is better."), UNREADABLE, "several moves (S8, S9)"),
        (say("S8 is good.\n**S9** is better."), UNREADABLE, "several moves (S8, S9)"),
        (say("I like **S9**\nand so I subtract."), UNREADABLE, "no JSON object"),
        (say("S9 or S8"), UNREADABLE, "no JSON object"),
        (say("9"), UNREADABLE, "no JSON object"),
        (say("<answer>up</answer>"), ILLEGAL, "up is not a move"),
        (say(r"\boxed{S0}"), ILLEGAL, "S0 is not available"),
        (say(""), UNREADABLE, "it was empty"),
        (say(None), UNREADABLE, "it was empty"),
        (say('<think>{"move": "S9"}'), UNREADABLE, "it was empty"),
        (say(None, "tool_calls", tool_calls=[TOOL]), UNREADABLE, "called a tool"),
        (
            say(None, refusal="I do not gamble."),
            UNREADABLE,
            "declined to answer (I do not gamble.)",
        ),
        (say('{"move": "S', "length"), UNREADABLE, "token limit"),
        (say("half a letter: \ud800"), UNREADABLE, "no JSON object"),
        (no_choices, UNREADABLE, "it was empty"),
        (say("", "content_filter"), UNREADABLE, "filter blocked it"),
        (say("x" * 3_000_000), UNREADABLE, "far too long"),
    ],
)
@pytest.mark.parametrize("streams", [True, False])
def test_answers_that_are_refused_go_back_with_the_reason(
    refused: tuple[Act, str, str], streams: bool, fake: FakeEndpoint, seated: Seated
) -> None:
    act, kind, reason = refused
    fake.script, fake.streams = [act, play("S9")], streams
    player = seated()
    assert str(player.choose(knot())) == "S9"
    (fault,) = player.faults
    assert fault.kind == kind
    assert reason in fault.reason
    question, answer, again = fake.bodies[1]["messages"]
    assert question == fake.bodies[0]["messages"][0]
    assert answer["role"] == "assistant"
    assert answer["content"]
    assert len(answer["content"]) <= 2001
    assert fault.reason in again["content"]


def test_an_illegal_answer_is_never_replaced(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [play("S0")] * 3
    player = seated()
    with pytest.raises(Forfeit, match="no legal move in 3 answers; S0 is not available") as forfeit:
        player.choose(knot())
    assert forfeit.value.kind == ILLEGAL
    assert len(fake.bodies) == len(player.faults) == 3
    assert [len(body["messages"]) for body in fake.bodies] == [1, 3, 5]


# ---- keeping ---------------------------------------------------------------------


def test_every_call_is_kept_until_the_next_game(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [error(500, "Oh no."), play("S0"), play("S9")]
    player, asked = seated(), knot()
    player.begin(asked.game, asked.seat, 7)
    player.choose(asked)
    failed, refused, taken = player.calls
    assert (failed.kind, failed.status, failed.answer) == ("failing", 500, "")
    assert "Oh no." in failed.reason
    assert (refused.answer, taken.answer) == ('{"move": "S0"}', '{"move": "S9"}')
    assert taken.messages[0]["content"] == fake.bodies[0]["messages"][0]["content"]
    words = sum(len(message["content"].split()) for message in fake.bodies[-1]["messages"])
    assert (taken.prompt_tokens, taken.completion_tokens) == (words, 2)
    assert (taken.model, taken.served) == ("tiny", "tiny-2026")
    lines = [json.dumps(kept) for kept in player.kept()]
    assert [json.loads(line)["kind"] for line in lines] == ["failing", "answered", "answered"]
    player.begin(asked.game, asked.seat, 8)
    assert player.calls == []


def test_tokens_that_are_not_told_are_none(fake: FakeEndpoint, seated: Seated) -> None:
    fake.refuses = frozenset({"stream_options"})
    player = seated()
    player.choose(knot())
    assert (player.calls[-1].prompt_tokens, player.calls[-1].completion_tokens) == (None, None)


# ---- without what it takes -------------------------------------------------------


def test_a_missing_library_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ValueError, match=r"pip install 'number-duels\[llm\]'"):
        ModelPlayer("tiny", Limits(url="http://localhost/v1"))


def test_a_missing_key_is_said_in_a_sentence(seated: Seated) -> None:
    with pytest.raises(ValueError, match="needs a key in the environment variable OPENAI_API_KEY"):
        seated(url="")


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://localhost/v1", "http://", "http://a:b/v1"]
)
def test_an_address_that_is_none_is_said_without_repeating_it(url: str, seated: Seated) -> None:
    with pytest.raises(ValueError, match="must look like http://localhost:8000/v1"):
        seated(url=url)
