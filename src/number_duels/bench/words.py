"""The figures of a bench as text, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from number_duels.arena.formatting import percent, with_interval
from number_duels.arena.stats.intervals import Estimate
from number_duels.bench.compare import SCORE, Difference
from number_duels.bench.report import Asked, Comparison, GameFigures
from number_duels.bench.results import Header
from number_duels.core.text import printable

HEAD = (
    "game",
    "lost/decision",
    "accuracy",
    "score",
    "best moves",
    "cost",
    "mixtures",
    "exploitable",
    "blunders",
)


def row_of(one: GameFigures) -> tuple[str, ...]:
    return (
        one.event,
        figure(one.loss),
        figure(one.accuracy, 1),
        percent(one.score),
        right(one.moves),
        figure(one.moves.cost, 3),
        right(one.mixtures),
        figure(one.mixtures.cost, 3),
        str(one.blunders),
    )


def figure(one: Estimate | None, digits: int = 4) -> str:
    return "" if one is None else with_interval(one.mean, (one.low, one.high), digits)


def right(asked: Asked) -> str:
    """Return how many answers cost nothing.

    >>> right(Asked(24, 2, 11, None)), right(Asked(0, 0, 0, None))
    ('11 of 24, 2 unanswered', 'not asked')
    """
    if not asked.questions:
        return "not asked"
    silent = f", {asked.unanswered} unanswered" if asked.unanswered else ""
    return f"{asked.right} of {asked.questions}{silent}"


def took(one: GameFigures) -> str:
    """Return the requests, tokens and time, or an empty text for players without calls.

    The time is the sum over all requests, even if several ran at once.
    """
    used = one.usage
    if not used.requests:
        return ""
    tokens = f"{used.prompt_tokens:,} tokens read and {used.completion_tokens:,} written"
    return f"{used.requests:,} requests, {tokens}, {used.seconds:,.0f} seconds of answering"


def suite_words(header: Header) -> str:
    """Return the suite, and whether its games could have been known in advance."""
    if header.public:
        return f"{header.suite} with its public seed: comparable, and could be learned by heart"
    settings = "settings and a seed of one's own" if header.variant else "a seed of one's own"
    return f"{header.suite} with {settings}: nothing of it can have been learned by heart"


def shares(mixture: Mapping[str, float]) -> str:
    """Return the moves that a mixture plays, in percent.

    >>> shares({"8": 0, "9": 0.25, "10": 0.75})
    '9: 25%, 10: 75%'
    """
    return ", ".join(f"{move}: {100 * share:.0f}%" for move, share in mixture.items() if share)


def played(one: Comparison) -> str:
    """Return the moves played at a position, in percent, and how often it occurred."""
    total = sum(one.played.values())
    if not total:
        return "never there"
    said = shares({move: count / total for move, count in one.played.items()})
    return f"{said} ({total} times)"


def difference_cells(one: Difference) -> tuple[str, ...]:
    """Return a difference as a row. Scores are in percent of the points."""
    scale, digits = (50.0, 1) if one.figure == SCORE else (1.0, 4)
    shift = 50.0 if one.figure == SCORE else 0.0
    gap = one.estimate
    ends = f"{scale * gap.low:+.{digits}f} to {scale * gap.high:+.{digits}f}"
    return (
        f"{one.event}: {one.figure}",
        f"{shift + scale * one.one:.{digits}f}",
        f"{shift + scale * one.two:.{digits}f}",
        f"{scale * gap.mean:+.{digits}f} ({ends})",
        "more than chance" if one.is_clear else "",
        f"{one.paired} in pairs" if one.paired else "",
    )


def origin_rows(header: Header, first: str, last: str, salt: str) -> Iterator[tuple[str, str]]:
    """Yield all that is needed to repeat the measurement."""
    settings = (
        f"{name}: " + ", ".join(f"{key} {value}" for key, value in own.items())
        for name, own in header.settings.items()
    )
    yield "player", header.player
    yield "suite", suite_words(header)
    yield "command", header.command
    yield "seed", str(header.seed)
    yield "salt", salt
    yield "size", f"{header.pairs} pairs against each rung, {header.positions} positions a game"
    yield "ladder", ", ".join(header.ladder)
    yield "settings", "; ".join(settings)
    yield "granted", f"{header.seconds:g} seconds an answer, {header.retries} more after a bad one"
    if header.options:
        said = ", ".join(f"{name} {value}" for name, value in header.options.items())
        yield "options", printable(said, limit=None)
    yield "played", f"{first} to {last}" if first else header.started
    yield "versions", ", ".join(f"{name} {number}" for name, number in header.versions.items())
