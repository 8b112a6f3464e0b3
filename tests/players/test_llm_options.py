"""What one language model is asked for: by whom it is set, and that it is sent and kept."""

from __future__ import annotations

import pytest

from number_duels.core.player import Outage
from number_duels.players.external import Limits, ModelOptions
from number_duels.players.llm.player import ModelPlayer
from tests.players.endpoint import FakeEndpoint, error, say
from tests.players.model_players import Seated, clock, fake, knot, no_keys, seated

__all__ = ["clock", "fake", "no_keys", "seated"]  # fixtures
ALL = ModelOptions(
    temperature=0.7,
    top_p=0.9,
    max_tokens=500,
    reasoning_effort="low",
    extra_body='{"top_k": 20}',
    system="You are brief.",
)
SENT = {"temperature": 0.7, "top_p": 0.9, "max_tokens": 500, "reasoning_effort": "low", "top_k": 20}


def test_every_option_is_sent_and_kept(fake: FakeEndpoint, seated: Seated) -> None:
    player = seated(model_options=ALL)
    assert str(player.choose(knot())) == "A1"
    assert SENT.items() <= fake.bodies[0].items()
    assert fake.bodies[0]["messages"][0] == {"role": "system", "content": "You are brief."}
    (kept,) = player.kept()
    asked, messages = kept["asked"], kept["messages"]
    assert isinstance(asked, dict)
    assert SENT.items() <= asked.items()
    assert isinstance(messages, tuple)
    assert [message["role"] for message in messages] == ["system", "user"]
    assert (kept["place"], kept["move"]) == (fake.url, "A1")


def test_an_option_that_is_refused_is_never_left_out(fake: FakeEndpoint, seated: Seated) -> None:
    fake.refuses = frozenset({"temperature"})
    with pytest.raises(Outage, match="Unsupported parameter: 'temperature'"):
        seated(model_options=ALL).choose(knot())
    assert all("temperature" in body for body in fake.bodies)


def test_a_limit_of_tokens_goes_by_the_name_that_is_taken(
    fake: FakeEndpoint, seated: Seated
) -> None:
    fake.refuses = frozenset({"max_tokens"})
    player = seated(model_options=ALL)
    player.choose(knot())
    assert fake.bodies[-1]["max_completion_tokens"] == 500
    assert fake.bodies[-1]["response_format"]["type"] == "json_schema"


def test_room_to_think_in_a_field(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [say('{"reasoning": "S1? No.", "move": "S9"}'), say('{"move": "S8"}')]
    player = seated(model_options=ModelOptions(think="field"))
    assert [str(player.choose(knot())) for _ in "ab"] == ["S9", "S8"]
    schema = fake.bodies[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == schema["required"] == ["reasoning", "move"]
    assert '{"reasoning": "...", "move": "..."}' in fake.bodies[0]["messages"][0]["content"]


def test_room_to_think_in_text(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [say("S1 or S9?\nMOVE: S9"), say("Hm."), say('{"move": "S8"}')]
    player = seated(model_options=ModelOptions(think="text"))
    assert [str(player.choose(knot())) for _ in "ab"] == ["S9", "S8"]
    assert "response_format" not in fake.bodies[0]
    for body in (fake.bodies[0], fake.bodies[2]):  # also after a refusal
        assert "end your answer with a line of its own: MOVE:" in body["messages"][-1]["content"]
    assert "The answer could not be read" in str(player.calls[1].refused)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("streams", [True, False])
def test_thoughts_beside_the_answer_are_kept_with_their_tokens(
    name: str, streams: bool, fake: FakeEndpoint, seated: Seated
) -> None:
    fake.streams, fake.reasoning_tokens = streams, 7
    fake.script = [say('{"move": "S9"}', **{name: "S9 it is."})]
    player = seated()
    player.choose(knot())
    assert (player.calls[0].reasoning, player.calls[0].reasoning_tokens) == ("S9 it is.", 7)
    assert player.calls[0].answer == '{"move": "S9"}'


def test_a_forced_move_is_played_and_not_asked_for(fake: FakeEndpoint, seated: Seated) -> None:
    player = seated()
    only = knot("A1 A2 A3", numbers=4).__class__
    asked = knot("A1 A2 A3", numbers=4)
    forced = only(asked.game, asked.seat, asked.view, asked.options[:1], (), asked.rng)
    assert player.choose(forced) == asked.options[0]
    assert fake.bodies == []
    (call,) = player.calls
    assert (call.kind, call.move, call.messages) == ("forced", str(asked.options[0]), ())


def test_each_player_has_its_own_options_endpoint_and_key(
    fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    own = Limits(url=fake.url, model=ModelOptions(key_variable="OTHER_KEY", temperature=0.5))
    limits = Limits(url="http://127.0.0.1:9/v1", players=(("one", own),))
    player = ModelPlayer("tiny", limits.of("one"))
    player.choose(knot())
    player.close()
    assert fake.headers[0]["Authorization"] == "Bearer sk-other"
    assert fake.bodies[0]["temperature"] == 0.5
    assert limits.of("two").model == ModelOptions()


def test_an_option_that_an_endpoint_rejects_is_told(fake: FakeEndpoint, seated: Seated) -> None:
    fake.script = [error(400, "temperature must be 1.")] * 9
    with pytest.raises(Outage, match=r"temperature must be 1\."):
        seated(model_options=ALL).choose(knot())
