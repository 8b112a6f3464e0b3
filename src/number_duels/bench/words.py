"""Bench results as text, for the terminal and the HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from number_duels.arena.formatting import percent, with_interval
from number_duels.arena.stats.intervals import Estimate
from number_duels.bench.compare import SCORE, Difference
from number_duels.bench.report import Comparison, GameFigures
from number_duels.bench.results import Header
from number_duels.core.text import printable
from number_duels.review.position import TOLERANCE

HEAD = (
    "game",
    "cost of a move",
    "score",
    "forfeits",
    "exploitable",
    "cost in games",
)


def row_of(one: GameFigures) -> tuple[str, ...]:
    return (
        one.event,
        cost(one.moves.cost),
        percent(one.score),
        f"{sum(one.forfeits.values())} of {one.games}",
        cost(one.mixed.cost),
        cost(one.loss),
    )


def cost(one: Estimate | None) -> str:
    if one is None:
        return ""
    mean, low, high = (50 * part for part in (one.mean, one.low, one.high))
    return with_interval(mean, (low, high), 1, "%")


def headline(one: GameFigures, player: str) -> str:
    asked, given_up = one.moves, sum(one.forfeits.values())
    said = f"A move by {player} costs {cost(asked.cost)} of the winning chance"
    if asked.cost is not None:
        said += f", {between(asked.cost.mean, asked.baselines)}"
    silent = f"{given_up} of {one.games:,} games forfeited" if one.games else "no games played"
    unanswered = f"{asked.unanswered} of {asked.questions:,} positions unanswered"
    return f"{said}, with {silent} and {unanswered}. Score: {percent(one.score)}."


def between(cost: float, baselines: Mapping[str, float]) -> str:
    """Compare a cost with the costs of the built-in players' moves.

    >>> between(0.3, {"random": 1.0, "level:1": 0.5, "perfect": 0.0})
    'between level:1 (25.0%) and perfect (0.0%)'
    >>> between(1.2, {"random": 1.0, "perfect": 0.0})
    'more than random (50.0%)'
    >>> between(0.5 + 1e-12, {"random": 1.0, "level:1": 0.5, "perfect": 0.0})
    'as level:1 (25.0%)'
    """
    weakest_first = sorted(baselines, key=lambda who: -baselines[who])
    said = {who: f"{who} ({50 * baselines[who]:.1f}%)" for who in weakest_first}
    better = next(who for who in weakest_first if baselines[who] <= cost + TOLERANCE)
    worse = next(
        (who for who in reversed(weakest_first) if baselines[who] >= cost - TOLERANCE), None
    )
    if worse is None:
        return f"more than {said[better]}"
    return f"as {said[better]}" if worse == better else f"between {said[worse]} and {said[better]}"


def took(one: GameFigures) -> str:
    used = one.usage
    if not used.requests:
        return ""
    tokens = f"{used.prompt_tokens:,} prompt tokens and {used.completion_tokens:,} answer tokens"
    return f"{used.requests:,} requests, {tokens}, {used.seconds:,.0f} seconds of waiting"


def suite_words(header: Header) -> str:
    if header.public:
        return (
            f"{header.suite} with its public seed: "
            "results are comparable, but a model may have seen the games"
        )
    settings = "other settings and another seed" if header.variant else "another seed"
    return f"{header.suite} with {settings}: no model has seen the games"


def shares(mix: Mapping[str, float]) -> str:
    """Return the moves of a mixed strategy, each with its percentage.

    >>> shares({"8": 0, "9": 0.25, "10": 0.75})
    '9: 25%, 10: 75%'
    """
    return ", ".join(f"{move}: {100 * share:.0f}%" for move, share in mix.items() if share)


def played(one: Comparison) -> str:
    total = sum(one.played.values())
    if not total:
        return "never reached"
    said = shares({move: count / total for move, count in one.played.items()})
    return f"{said} ({total} times)"


def difference_cells(one: Difference) -> tuple[str, ...]:
    shift = 50.0 if one.figure == SCORE else 0.0
    gap = one.estimate
    return (
        f"{one.event}: {one.figure}",
        f"{shift + 50 * one.one:.1f}%",
        f"{shift + 50 * one.two:.1f}%",
        f"{50 * gap.mean:+.1f} ({50 * gap.low:+.1f} to {50 * gap.high:+.1f})",
        "more than chance" if one.is_clear else "",
        f"{one.paired} in pairs" if one.paired else "",
    )


def origin_rows(header: Header, first: str, last: str, salt: str) -> Iterator[tuple[str, str]]:
    settings = (
        f"{name}: " + ", ".join(f"{key} {value}" for key, value in own.items())
        for name, own in header.settings.items()
    )
    yield "player", header.player
    yield "suite", suite_words(header)
    yield "command", header.command
    yield "seed", str(header.seed)
    yield "salt", salt
    yield "size", f"{header.pairs} pairs per opponent, {header.positions} positions per game"
    yield "ladder", ", ".join(header.ladder)
    yield "settings", "; ".join(settings)
    yield (
        "limits",
        f"{header.seconds:g} seconds per answer, {header.retries} retries after a bad answer",
    )
    if header.options:
        said = ", ".join(f"{name} {value}" for name, value in header.options.items())
        yield "options", printable(said, limit=None)
    yield "played", f"{first} to {last}" if first else header.started
    yield "versions", ", ".join(f"{name} {number}" for name, number in header.versions.items())
