"""What a page loads, by Chromium's own account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.web.people import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page


@dataclass
class Traffic:
    """What a page has asked the server for since it was made."""

    page: Page
    requests: dict[str, Json] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)
    bytes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        panel = self.page.context.new_cdp_session(self.page)
        panel.on("Network.requestWillBeSent", self._sent)
        panel.on("Network.requestServedFromCache", lambda event: self._kept(event["requestId"]))
        panel.on("Network.responseReceived", self._received)
        panel.on("Network.loadingFinished", self._finished)
        panel.send("Network.enable")

    def _sent(self, event: Json) -> None:
        self.requests.setdefault(event["requestId"], event)

    def _kept(self, request: str) -> None:
        self.cached.add(request)

    def _received(self, event: Json) -> None:
        response = event["response"]
        if response.get("fromDiskCache") or response.get("fromPrefetchCache"):
            self._kept(event["requestId"])

    def _finished(self, event: Json) -> None:
        self.bytes[event["requestId"]] = int(event["encodedDataLength"])

    @property
    def depth(self) -> int:
        """The round trips one after another: a page, what it names, what that asks for, …"""
        depths: dict[str, int] = {}
        for event in self.travelled:
            asker = event["initiator"].get("url") or caller(event["initiator"])
            depths[event["request"]["url"]] = depths.get(asker, len(depths) > 0) + 1
        return max(depths.values(), default=0)

    @property
    def travelled(self) -> list[Json]:
        """What went over the wire."""
        return [event for id_, event in self.requests.items() if id_ not in self.cached]

    @property
    def unfinished(self) -> list[Json]:
        """What is still under way."""
        return [event for id_, event in self.requests.items() if id_ not in self.bytes]


def caller(initiator: Json) -> str:
    """The script that asked, where one did."""
    frames = initiator.get("stack", {}).get("callFrames", [])
    return str(frames[0]["url"]) if frames else ""


def addresses(events: list[Json]) -> list[str]:
    return [event["request"]["url"] for event in events]
