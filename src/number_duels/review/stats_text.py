"""A person's own record in words, with two small charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from number_duels.core.text import printable
from number_duels.review.player_stats import OwnGame, PlayerStats, Score, thrown_away
from number_duels.review.review_text import carelessness
from number_duels.review.words import cost, percent

#: Heights of a column of a chart, from nothing to all.
BLOCKS = "▁▂▃▄▅▆▇█"
#: The most columns of the chart over time; more games share columns.
MAX_COLUMNS = 60
BAR_WIDTH = 20


def stats_lines(stats: PlayerStats) -> Iterator[str]:
    """The whole record; it says what is left out, and why."""
    if stats.games:
        yield from score_lines(stats)
    if stats.over_time:
        yield ""
        yield from time_lines(stats.over_time)
        yield ""
        yield from phase_lines(stats)
        yield ""
        yield f"All together: {carelessness(stats.tally.carelessness)}."
    if stats.ungraded or stats.left_out:
        yield ""
    for reason, games in stats.ungraded.items():
        yield f"Not graded: {count(games)}; {reason.rstrip('.')}."
    for reason, games in stats.left_out.items():
        yield f"Not counted: {count(games)}, {reason}."


def count(games: int) -> str:
    """A number of games.

    >>> count(1), count(3)
    ('1 game', '3 games')
    """
    return f"{games} game{'' if games == 1 else 's'}"


def score_lines(stats: PlayerStats) -> Iterator[str]:
    """Results by opponent, and streaks."""
    rows = {printable(who): games for who, games in stats.opponents.items()}
    if len(rows) > 1:
        rows["all"] = stats.games
    wide = max(map(len, ["opponent", *rows]))
    yield f"{'opponent':{wide}}  games   won  drawn  lost  thrown away a game"
    for who, games in rows.items():
        yield f"{who:{wide}}  {score_columns(games)}"
    yield ""
    now = "won" if stats.streak > 0 else "lost"
    last = f"{now} the last {abs(stats.streak)}" if abs(stats.streak) > 1 else "none running"
    longest = f"; the longest was {stats.longest_streak} won in a row"
    yield f"Streak: {last}{longest if stats.longest_streak else ''}."


def score_columns(games: Sequence[OwnGame]) -> str:
    score = Score.of(game.result for game in games)
    thrown = thrown_away(games)
    mean = cost(2 * fmean(thrown)) if thrown else "-"
    return f"{score.played:5}{score.won:6}{score.drawn:7}{score.lost:6}{mean:>20}"


def time_lines(thrown: Sequence[float]) -> Iterator[str]:
    """The winning chances thrown away in each game, oldest first."""
    yield "Winning chances thrown away, from the first game to the last"
    yield f"  {columns(thrown)}  at most {cost(2 * max(thrown))} in a game"
    yield "  (100% is from a certain win to a certain loss)"


def columns(values: Sequence[float], most: int = MAX_COLUMNS) -> str:
    """A chart one line high; where there are too many values, each column is a mean of some.

    >>> columns([0.0, 0.5, 1.0]), columns([0.0, 0.0, 1.0, 1.0], most=2)
    ('▁▅█', '▁█')
    """
    width = min(most, len(values))
    cuts = [place * len(values) // width for place in range(width + 1)]
    means = [fmean(values[start:end]) for start, end in pairwise(cuts)]
    top = max(*means, 0.0) or 1.0
    return "".join(BLOCKS[round((len(BLOCKS) - 1) * mean / top)] for mean in means)


def phase_lines(stats: PlayerStats) -> Iterator[str]:
    """Where chances are thrown away, a game's decisions cut into three."""
    yield "Where they are thrown away"
    whole = stats.tally.loss
    for phase, tally in stats.phases.items():
        share = tally.loss / whole if whole else 0.0
        bar = "█" * round(BAR_WIDTH * share)
        mean = cost(tally.loss / tally.games)
        yield f"  {phase:7}  {bar:░<{BAR_WIDTH}}  {percent(share):>4}  {mean} a game"
