"""A person's statistics as a scene: results, and the winning chance thrown away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from number_duels.core.scene import TOLD, Chart, Curve, Row, Scene, Table
from number_duels.core.text import counted, printable
from number_duels.players.registry import full_name
from number_duels.review.player_stats import OwnGame, PlayerStats, Score, thrown_away
from number_duels.review.words import carelessness, cost, percent

#: Games by group, such as by opponent.
Groups = Mapping[str, Sequence[OwnGame]]
SCORES = ("games", "won", "drawn", "lost", "thrown away a game")
#: The most columns of the chart. More games share columns.
MAX_COLUMNS = 60
#: The least top of the chart's axis, so that small numbers do not look large.
MIN_TOP = 0.1
SCALE = (
    "100% is from a certain win to a certain loss; what an opponent gives back can be thrown away"
    " again."
)


def statistics_scene(
    stats: PlayerStats, groups: Mapping[str, Groups] | None = None, waiting: int = 0
) -> Scene:
    """Return the statistics of some games as a scene.

    `groups` has titles and groups of games to use instead of opponents. `waiting` is the number of
    games that are still to be graded.
    """
    score, opponents = stats.score, dict[str, Sequence[OwnGame]]()
    for who, games in stats.opponents.items():
        opponents[printable(full_name(who))] = games
    if len(opponents) > 1:
        opponents["All"] = stats.games
    shown = {"Results": opponents} if groups is None else groups
    tables = [scores_table("", {"All": stats.games}, "totals")]
    tables += [scores_table(title, group) for title, group in shown.items() if group]
    return Scene(
        TOLD,
        "Statistics",
        headline=f"{counted(score.played, 'game')}:"
        f" {score.won} won, {score.drawn} drawn, {score.lost} lost",
        lines=tuple(sentences(stats)),
        tables=(*tables, *([phases_table(stats)] if stats.over_time else [])),
        chart=columns_chart(stats.over_time) if stats.over_time else None,
        notes=tuple(remarks(stats, waiting)),
    )


def scores_table(title: str, groups: Groups, kind: str = "scores") -> Table:
    rows = tuple(Row(name, tuple(score_cells(games)), 0.0) for name, games in groups.items())
    return Table(rows, SCORES, title, kind=kind)


def score_cells(games: Sequence[OwnGame]) -> Iterator[str]:
    score, thrown = Score.of(game.result for game in games), thrown_away(games)
    yield from map(str, (score.played, score.won, score.drawn, score.lost))
    yield cost(2 * fmean(thrown)) if thrown else "-"


def sentences(stats: PlayerStats) -> Iterator[str]:
    if abs(stats.streak) > 1:
        yield f"You {'won' if stats.streak > 0 else 'lost'} the last {abs(stats.streak)}."
    if stats.longest_streak > 1:
        yield f"Your longest streak: {stats.longest_streak} won in a row."
    if stats.over_time:
        said = carelessness(stats.tally.carelessness)
        said = said.replace("loses", "you lose", 1)
        yield f"All together, {said}."


def columns_chart(thrown: Sequence[float]) -> Chart:
    """Chart the winning chance thrown away per game, oldest first. Many games share columns."""
    width = min(MAX_COLUMNS, len(thrown))
    cuts = [place * len(thrown) // width for place in range(width + 1)]
    means = [fmean(thrown[start:end]) for start, end in pairwise(cuts)]
    top = max(MIN_TOP, *means)
    points = tuple((float(place), mean / top) for place, mean in enumerate(means))
    return Chart(
        (Curve("thrown away", points),),
        (),
        tuple((height, cost(2 * top * height)) for height in (1.0, 0.5, 0.0)),
        "Winning chances thrown away, from the first game to the last",
        f"From the first to the last: {', '.join(cost(2 * mean) for mean in means)}",
    )


def phases_table(stats: PlayerStats) -> Table:
    whole = stats.tally.loss
    rows = []
    for phase, tally in stats.phases.items():
        share = tally.loss / whole if whole else 0.0
        mean = f"{cost(tally.loss / max(1, tally.games))} a game"
        rows.append(Row(phase.capitalize(), (percent(share), mean), share))
    return Table(tuple(rows), ("share", "mean"), "Where they are thrown away", kind="shares")


def remarks(stats: PlayerStats, waiting: int) -> Iterator[str]:
    """Explain the figures, and name the games that are not in them."""
    if stats.over_time:
        yield SCALE
    if waiting:
        yield f"{counted(waiting, 'game')} still to be graded…"
    for reason, games in stats.ungraded.items():
        yield f"Not graded: {counted(games, 'game')}; {reason.rstrip('.')}."
    if stats.left_out:
        listed = (f"{reason} ({games})" for reason, games in stats.left_out.items())
        yield f"Not counted: {', '.join(listed)}."
