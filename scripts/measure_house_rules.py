"""Measure how fair and how deep each game is with other settings; docs/data/house_rules.json.

    python scripts/measure_house_rules.py            # what is missing: half an hour for all
    python scripts/measure_house_rules.py NAME …     # only those games
    python scripts/measure_house_rules.py --again …  # also what is there already

What is tried and what is recommended stands in scripts/house_rules.toml. All figures are exact;
docs/house_rules.md defines them.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TypedDict

import number_duels as nd
from equal_players import best_nowhere, equal_play
from number_duels.games import find
from number_duels.review.position import AnySolution
from number_duels.solvers import solve
from strength_ladder import ladder

ROOT = Path(__file__).parent.parent
DATA = ROOT / "docs" / "data" / "house_rules.json"
TRIED = ROOT / "scripts" / "house_rules.toml"
#: Equal players who err once in so many turns meet where perfect ones would leave nothing to see.
TURNS_PER_ERROR = 8
DIGITS = 6

Settings = dict[str, int | str]


class Figures(TypedDict):
    """All that is measured of one game with its settings."""

    #: Those that differ from the document's rules.
    settings: Settings
    states: int
    #: The first mover's value between perfect players, and between equal good ones.
    first_turn: float
    first_turn_level: float
    #: Under perfect play: draws, turns and their standard deviation.
    draws: float
    turns: float
    spread: float
    #: Between equal good players: see `EqualPlay`.
    draws_level: float
    matters: float
    dead: float
    luck: float
    #: Moves that are best in no decision that matters.
    best_nowhere: list[str]
    levels: float
    #: The error rates of the ladder, and what perfect play scores against the last.
    ladder: list[float]
    last_score: float


class Recommendation(TypedDict):
    """Settings that we recommend, how to play them, and why."""

    settings: Settings
    command: str
    why: str


class Document(TypedDict):
    """What docs/data/house_rules.json has."""

    turns_per_error: int
    games: dict[str, list[Figures]]
    #: What comes out of it, in a few sentences.
    findings: dict[str, str]
    recommended: dict[str, list[Recommendation]]


def measured(name: str, settings: Settings) -> Figures:
    """Solve a game with other settings, and measure it."""
    solution: AnySolution = solve(nd.load(name, **settings), cache=is_default(name, settings))
    perfect, good = equal_play(solution, 0.0), equal_play(solution, 1 / TURNS_PER_ERROR)
    climbed = ladder(solution)
    return {
        "settings": settings,
        "states": solution.states,
        "first_turn": figure(perfect.first_turn),
        "first_turn_level": figure(good.first_turn),
        "draws": figure(perfect.draws),
        "turns": figure(perfect.turns),
        "spread": figure(perfect.spread),
        "draws_level": figure(good.draws),
        "matters": figure(good.matters),
        "dead": figure(good.wrong),
        "luck": figure(good.luck),
        "best_nowhere": best_nowhere(solution),
        "levels": round(climbed.levels, 3),
        "ladder": [figure(rate) for rate in climbed.error_rates],
        "last_score": figure(climbed.last_score),
    }


def is_default(name: str, settings: Settings) -> bool:
    return nd.load(name, **settings) == nd.load(name)


def figure(value: float) -> float:
    """A figure as it is kept: the last digits of an approximation are not facts."""
    return round(value, DIGITS) + 0.0


# ---- what is tried -------------------------------------------------------------


def tried(name: str, ranges: list[Mapping[str, list[int | str]]]) -> list[Settings]:
    """Every combination of each group of ranges once, the document's rules first."""
    found: list[Settings] = [{}]
    for group in ranges:
        for values in product(*group.values()):
            settings = changed(name, dict(zip(group, values, strict=True)))
            if settings not in found and is_allowed(name, settings):
                found.append(settings)
    return found


def changed(name: str, settings: Settings) -> Settings:
    """The settings that differ from the document's rules."""
    known = find(name).describe_settings()
    return {key: value for key, value in settings.items() if value != known[key].default}


def is_allowed(name: str, settings: Settings) -> bool:
    try:
        nd.load(name, **settings)
    except ValueError:  # a range may depend on another setting
        return False
    return True


def recommendations(
    name: str, chosen: list[Recommendation], known: list[Figures]
) -> Iterator[Recommendation]:
    """Yield the recommended settings with the command that plays them.

    The reason may name figures in braces, and those of the default settings (`document`).
    """
    for one in chosen:
        options = "".join(f" --set {key}={value}" for key, value in one["settings"].items())
        command = one.get("command", f"duels play {name}{options}")
        (figures,) = (f for f in known if f["settings"] == one["settings"])
        why = one["why"].format(
            **figures,
            document=known[0],
            first=score(figures["first_turn"]),
            first_good=score(figures["first_turn_level"]),
            default_first=score(known[0]["first_turn"]),
            default_first_good=score(known[0]["first_turn_level"]),
        )
        yield {"settings": one["settings"], "command": command, "why": why}


def score(value: float) -> float:
    """Return an expected result, from -1 to 1, as points: a win 1, a draw 0.5."""
    return (1 + value) / 2


def main() -> None:
    """Measure what is missing, and keep every figure as soon as it is known."""
    names = [word for word in sys.argv[1:] if word != "--again"]
    plan = tomllib.loads(TRIED.read_text(encoding="utf-8"))
    document = Document(turns_per_error=TURNS_PER_ERROR, games={}, findings={}, recommended={})
    if DATA.exists():
        document = json.loads(DATA.read_text(encoding="utf-8"))
    for name, game in plan.items():
        wanted = tried(name, game["try"])
        known = document["games"].setdefault(name, [])
        known[:] = [one for one in known if one["settings"] in wanted]
        for settings in wanted if not names or name in names else []:
            there = [one for one in known if one["settings"] == settings]
            if there and "--again" not in sys.argv:
                continue
            began = perf_counter()
            found = measured(name, settings)
            known[:] = [one for one in known if one["settings"] != settings] + [found]
            known.sort(key=lambda one: wanted.index(one["settings"]))
            write(document)
            print(name, settings, found["levels"], f"{perf_counter() - began:.0f} s", flush=True)
        document["findings"][name] = game["finding"]
        if len(known) == len(wanted):
            document["recommended"][name] = list(recommendations(name, game["recommended"], known))
    write(document)


def write(document: Document) -> None:
    DATA.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
