"""A game that was played, as the results file, the statistics and the report have it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from number_duels.arena.grading import Blunder, Cost, Figures
from number_duels.arena.salt import Origin, read_salt
from number_duels.core.input_files import parse_json
from number_duels.core.record import Record
from number_duels.core.text import printable
from number_duels.players.external import Fault
from number_duels.review.tally import Tally

SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}
#: The key beside those of a record under which a line has what the report needs.
ARENA_KEY = "arena"
#: More than any game has of anything: turns, decisions, pairs; and of what a seat loses by them.
MAX_COUNT, MAX_AMOUNT = 10**9, 10.0**6


@dataclass(frozen=True)
class Side:
    name: str
    who: str
    #: The kind of failure by which this seat forfeited the game; empty: it did not.
    forfeit: str
    faults: tuple[Fault, ...]
    cost: Cost

    @property
    def tally(self) -> Tally:
        """The figures of this seat as a review counts them; luck is the game's business here."""
        cost = self.cost
        return Tally.of_sums(cost.loss, cost.worst, 0.0, cost.decisions, cost.choices)


@dataclass(frozen=True)
class GameResult:
    """One game of a tournament: its record, its place in the schedule, and its figures."""

    fixture: str
    event: str
    #: The names of both players; scores are told from the side of the first.
    pairing: tuple[str, str]
    pair: int
    record: Record
    #: By seat, the kind of failure by which it forfeited; empty: it did not.
    forfeits: tuple[str, str]
    faults: tuple[tuple[Fault, ...], tuple[Fault, ...]]
    #: What the moves cost and what was luck; None where the game is not solved.
    figures: Figures | None
    #: In the last game of a salted arena that is complete: what all seeds follow from.
    origin: Origin | None = None
    #: The calls of language models, as JSON objects; they go to a file of their own.
    calls: tuple[Mapping[str, object], ...] = ()

    @property
    def score(self) -> float:
        """Player 1's result: win 1, draw 0, loss -1."""
        return SCORES[self.record.result]

    @property
    def luck(self) -> tuple[float, float] | None:
        """What cards and known mixing brought Player 1; None where the game is not solved."""
        return None if self.figures is None else (self.figures.cards, self.figures.mixing)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        costs = self.figures.costs if self.figures else (Cost(), Cost())
        parts = zip(self.record.players, self.forfeits, self.faults, costs, strict=True)
        one, two = (Side(who.name, who.who, kind, own, cost) for who, kind, own, cost in parts)
        return one, two

    def to_json(self) -> str:
        """The game as one line: a record, with the rest under a key of its own."""
        kinds = enumerate(self.forfeits, 1)
        rest: dict[str, object] = {
            "fixture": self.fixture,
            "event": self.event,
            "pairing": list(self.pairing),
            "pair": self.pair,
            "forfeit": next(({"seat": seat, "kind": kind} for seat, kind in kinds if kind), None),
            "faults": [[vars(fault) for fault in own] for own in self.faults],
        }
        if self.figures is not None:
            rest["luck"] = {"cards": self.figures.cards, "mixing": self.figures.mixing}
            rest["sides"] = [
                {**vars(cost), "blunders": [vars(blunder) for blunder in cost.blunders]}
                for cost in self.figures.costs
            ]
        if self.origin is not None:
            rest |= vars(self.origin)
        return json.dumps({**self.record.as_object(), ARENA_KEY: rest}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> GameResult:
        """Read a line, without its calls; a ValueError for anything else."""
        try:
            data = parse_json(line)
            record = Record.from_object(data)
            assert isinstance(data, dict)  # or it were no record
            rest = data[ARENA_KEY]
            for person in record.players:
                word_in(person.name), word_in(person.who)
            if record.result not in SCORES or not isinstance(record.seed, int):
                raise ValueError("no game that was played")
            one, two = rest["pairing"]
            return cls(
                fixture=word_in(rest["fixture"]),
                event=word_in(rest["event"]),
                pairing=(word_in(one), word_in(two)),
                pair=count_in(rest["pair"]),
                record=record,
                forfeits=forfeits_in(rest["forfeit"]),
                faults=(faults_in(rest["faults"][0]), faults_in(rest["faults"][1])),
                figures=figures_in(rest),
                origin=origin_in(rest),
            )
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise ValueError("it is not a line of an arena.") from None


def word_in(value: object) -> str:
    """A word that can be shown on a terminal; a ValueError for anything else."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError("no word")
    return value


def count_in(value: object) -> int:
    """How often something happened, or which it was."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MAX_COUNT:
        raise ValueError("no count")
    return value


def amount_in(value: object) -> float:
    """What something cost or brought, of which no game has much."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MAX_AMOUNT:
        raise ValueError("no amount")
    return float(value)


def forfeits_in(forfeit: dict | None) -> tuple[str, str]:  # type: ignore[type-arg]  # JSON
    if forfeit is None:
        return "", ""
    kind = word_in(forfeit["kind"])
    return (kind, "") if forfeit["seat"] == 1 else ("", kind)


def faults_in(faults: list[dict]) -> tuple[Fault, ...]:  # type: ignore[type-arg]  # JSON
    return tuple(
        Fault(word_in(one["kind"]), printable(str(one.get("reason", "")), limit=None))
        for one in faults
    )


def figures_in(rest: dict) -> Figures | None:  # type: ignore[type-arg]  # JSON
    """What the moves cost and what was luck; None where the game was not solved."""
    if not rest.get("luck"):
        return None
    luck, (one, two) = rest["luck"], map(cost_in, rest["sides"])
    return Figures(amount_in(luck["cards"]), amount_in(luck["mixing"]), (one, two))


def origin_in(rest: dict) -> Origin | None:  # type: ignore[type-arg]  # JSON
    return Origin(int(rest["seed"]), read_salt(rest["salt"])) if "salt" in rest else None


def cost_in(cost: dict) -> Cost:  # type: ignore[type-arg]  # JSON
    blunders = (
        Blunder(
            count_in(one["turn"]),
            word_in(one["move"]),
            amount_in(one["loss"]),
            tuple(map(word_in, one["best"])),
        )
        for one in cost["blunders"]
    )
    decisions = count_in(cost["decisions"])
    # Files of 0.1.0 do not say which decisions were obvious.
    choices = count_in(cost.get("choices", decisions))
    loss, worst = amount_in(cost["loss"]), amount_in(cost["worst"])
    return Cost(loss, worst, decisions, tuple(blunders), choices)
