"""What a language model took for its answers: requests, tokens and time; and its own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from number_duels.arena.results import amount_in, count_in
from number_duels.core.text import printable

#: How much is kept of what a model said.
MAX_WORDS_CHARS = 2000


@dataclass(frozen=True)
class Usage:
    """Sums over requests; tokens are counted by the endpoint, and 0 where it does not tell."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    #: What the model said in its last answer; empty where nothing is kept.
    words: str = ""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            round(self.seconds + other.seconds, 3),
        )

    def to_json(self) -> dict[str, object]:
        return dict(vars(self))

    @classmethod
    def from_object(cls, data: object) -> Usage:
        if not isinstance(data, dict):
            raise ValueError("no usage")
        return cls(
            count_in(data.get("requests")),
            count_in(data.get("prompt_tokens")),
            count_in(data.get("completion_tokens")),
            amount_in(data.get("seconds")),
            printable(str(data.get("words", "")), limit=MAX_WORDS_CHARS),
        )


NO_USAGE = Usage()


def usage_of(calls: Sequence[Mapping[str, object]]) -> Usage:
    """The sums over calls, as a player from outside keeps them."""
    made = requests(calls)
    return Usage(
        len(made),
        sum(whole(call.get("prompt_tokens")) for call in made),
        sum(whole(call.get("completion_tokens")) for call in made),
        round(sum(number(call.get("seconds")) for call in made), 3),
        words_of(made[-1]) if made else "",
    )


def requests(calls: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """The calls that were sent: where there is one move, nothing is asked."""
    return [call for call in calls if call.get("messages")]


def whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def words_of(call: Mapping[str, object]) -> str:
    """What a model said in a call: its reasoning where that is kept, then its answer."""
    said = [str(call.get(part) or "") for part in ("reasoning", "answer")]
    return printable(" ".join(" ".join(said).split()), limit=MAX_WORDS_CHARS)


def words_by_turn(
    calls: Sequence[Mapping[str, object]], turns: Sequence[tuple[int, int]]
) -> dict[int, str]:
    """What a model said at each of its turns, which are given with how many options each had.

    Calls with the same question are about one turn; a turn with a single option may not have
    been asked about. Where the two cannot be brought together, nothing is told.
    """
    asked = [list(group) for _, group in groupby(requests(calls), key=asked_in)]
    for known in (turns, [turn for turn in turns if turn[1] > 1]):
        if len(known) == len(asked):
            pairs = zip(known, asked, strict=True)
            return {turn: words_of(group[-1]) for (turn, _), group in pairs}
    return {}


def asked_in(call: Mapping[str, object]) -> str:
    """The question of a call: what its first message from the user says."""
    messages = call.get("messages")
    found = messages if isinstance(messages, Iterable) and not isinstance(messages, str) else ()
    return next(user_texts(found), "")


def user_texts(messages: Iterable[object]) -> Iterator[str]:
    for one in messages:
        if isinstance(one, Mapping) and one.get("role") == "user":
            yield str(one.get("content", ""))
