"""An answer without end takes no memory without end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from number_duels.core.player import Forfeit, Outage
from tests.players.endpoint import (
    DATA,
    JSON,
    Act,
    Body,
    Connection,
    FakeEndpoint,
    endpoint,
    obey,
    raw,
)
from tests.players.misbehaviour import endless
from tests.players.model_players import Seated, clock, fake, knot, no_keys, seated

__all__ = ["clock", "fake", "no_keys", "seated"]  # fixtures

#: Asks for a move, and tells what came of it and by how much the process grew, in KiB.
ASKING = """
import resource, sys
import number_duels as nd
from number_duels.core.player import Forfeit, Outage, situation
from number_duels.players.external import Limits
from number_duels.players.llm import ModelPlayer

def size():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

asked = situation(nd.Match(nd.load("number-knot"), seed=1), nd.Seat.ONE)
player = ModelPlayer("tiny", Limits(url=sys.argv[1], seconds=600, patience=2))
player.choose(asked)  # all that is imported is there
before = size()
try:
    player.choose(asked)
except (Forfeit, Outage) as failure:
    print(size() - before, type(failure).__name__, failure.reason)
player.close()
"""


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (endless(b"data: ", DATA), "no legal move in 3 answers"),
        (endless(b'{"choices": "', JSON), "no legal move in 3 answers"),
        (endless(b'{"error": "', JSON, 500), "the response is too long"),
        (endless(b"data: x\ndata: " + b"\ndata: " * 9000, DATA), "no legal move in 3 answers"),
        (raw(b"", JSON, 200, {"Content_Encoding": "gzip"}), "is compressed"),
    ],
    ids=["stream", "whole", "error", "lines", "compressed"],
)
def test_an_answer_without_end_is_not_taken_to_its_end(
    act: Act, said: str, fake: FakeEndpoint, seated: Seated
) -> None:
    fake.act = act
    with pytest.raises((Forfeit, Outage), match=said):
        seated(retry_budget_s=2.0).choose(knot())
    # Up to 1 MB of each is read; the rest is what a connection holds on its way.
    assert fake.endless_bytes < len(fake.bodies) * 16_000_000


@pytest.mark.system
def test_an_answer_without_end_is_bounded_while_it_arrives() -> None:
    def after_one(connection: Connection, body: Body) -> None:
        (endless(b"data: ", DATA) if len(running.bodies) > 1 else obey)(connection, body)

    with endpoint(FakeEndpoint(act=after_one)) as running:
        done = subprocess.run(
            [sys.executable, "-c", ASKING, running.url],
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
    grown, _, reason = done.stdout.partition(" ")
    assert "Forfeit no legal move in 3 answers" in reason
    assert int(grown) < 24 * 1024
