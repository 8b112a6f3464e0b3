"""A learner who trains by HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from number_duels.trainer.spot import OpenSpot, Spot
from number_duels.web.api.training import TrainFacts
from tests.web.people import Json


@dataclass
class Training:
    """A session; its state is sent back as it came."""

    http: httpx.Client
    plan: Mapping[str, object]
    state: Json = field(default=None)
    scene: Json = field(default=None)
    said: str = ""

    def __post_init__(self) -> None:
        self.take(self.post({"plan": self.plan}))

    def post(self, body: Mapping[str, object]) -> httpx.Response:
        return self.http.post("/api/train/session", json=body)

    def act(self, key: str, text: str = "", **more: object) -> Json:
        """Do something; the scene after it."""
        answer = self.post(
            {"plan": self.plan, "state": self.state, "action": {"key": key, "text": text, **more}}
        )
        return self.take(answer)

    def take(self, answer: httpx.Response) -> Json:
        assert answer.status_code == 200, answer.text
        TrainFacts.model_validate(found := answer.json())
        self.state, self.scene, self.said = found["state"], found["scene"], found["said"]
        return self.scene

    @property
    def spot(self) -> OpenSpot:
        """The spot that chance drew."""
        return Spot.from_json(self.state["spot"]).open()


def moves_of(question: Json) -> list[str]:
    """Every move that a question leads to."""
    found: list[str] = []
    for answer in question["answers"]:
        found += moves_of(answer["next"]) if "next" in answer else [answer["move"]]
    return found


def spot_plan(spot: Mapping[str, object], **more: object) -> dict[str, object]:
    """One spot again and again."""
    return {"kind": "drill", "game": spot["game"], "spot": spot, **more}
