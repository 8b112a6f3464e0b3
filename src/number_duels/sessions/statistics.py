"""A scene with a person's statistics: their results and the cost of their moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from statistics import fmean

from number_duels.core.scene import TOLD, Chart, Curve, Row, Scene, Table
from number_duels.core.text import counted, printable
from number_duels.games import find, names
from number_duels.players.levels import LEVELS
from number_duels.players.registry import KINDS, full_name
from number_duels.review.player_stats import WON, OwnGame, PlayerStats, Score
from number_duels.review.tally import Tally
from number_duels.review.words import carelessness, cost, percent
from number_duels.trainer.book import Book

Groups = Mapping[str, Sequence[OwnGame]]
SCORES = ("games", "won", "drawn", "lost", "cost per move")
SCORES_WITH_TREND = (*SCORES, "trend")
#: The most columns of the chart. More games share columns.
MAX_COLUMNS = 60
#: The chart's axis reaches at least this cost, so that small costs do not look large.
MIN_TOP = 0.1
MEANING = "Cost per move: how much a move lowers your winning chance, on average."
COUNTED_MOVES = "It counts {} of your {}: those in which a mistake was possible."
AGAINST_COMPUTER = (
    "Only finished games against the computer count, including resigned games and games with hints."
    " Games in which you took a move back are left out."
)
MIN_TREND_GAMES = 10
TRAINING = {
    "lesson": "lessons",
    "drill": "drills",
    "puzzle": "puzzles",
    "daily": "daily puzzles",
    "book": "mistake book",
}
STEADY_WITHIN = 0.005
TREND = (
    "Trend, from ten games on: whether your moves cost less in the second half of your games than"
    " in the first."
)


def statistics_scene(
    stats: PlayerStats,
    groups: Mapping[str, Groups] | None = None,
    waiting: int = 0,
    counts: str = AGAINST_COMPUTER,
    training: Iterable[str] = (),
) -> Scene:
    """Return a scene with a person's statistics.

    `groups` maps titles to groups of games (default: by game and by opponent). `waiting` is the
    number of games that are not graded yet. `counts` says which games count. `training` has
    sentences about the trainer.
    """
    costs = [cost_per_move([game]) for game in stats.games if game.tally]
    score = stats.score
    shown: Mapping[str, Groups] | None = groups
    columns: tuple[str, ...] = SCORES
    if shown is None:
        shown, columns = usual_groups(stats), SCORES_WITH_TREND
    tables = [scores_table("", {"All": stats.games}, "totals")]
    tables += [
        scores_table(title, group, "scores", columns) for title, group in shown.items() if group
    ]
    return Scene(
        TOLD,
        "Statistics",
        headline=f"{counted(score.played, 'game')}:"
        f" {score.won} won, {score.drawn} drawn, {score.lost} lost",
        lines=(*sentences(stats), *training),
        tables=(*tables, *([phases_table(stats)] if costs else [])),
        chart=columns_chart(costs) if costs else None,
        notes=tuple(remarks(stats, waiting, counts, columns)),
    )


def usual_groups(stats: PlayerStats) -> dict[str, Groups]:
    titles = {name: find(name).title for name in names()}
    by_game: dict[str, Sequence[OwnGame]] = {}
    for name in dict.fromkeys((*titles, *(game.game for game in stats.games))):
        if own := [game for game in stats.games if game.game == name]:
            by_game[titles.get(name) or printable(name)] = own
    if len(by_game) > 1:
        by_game["All"] = stats.games
    return {"By game": by_game, "By opponent": by_opponent(stats.opponents)}


def by_opponent(opponents: Groups) -> Groups:
    """Return the games against each opponent, with the weakest computer player first."""
    order = {who: place for place, who in enumerate(KINDS)}
    met = sorted(opponents, key=lambda who: order.get(who, len(order)))
    return {printable(full_name(who)): opponents[who] for who in met}


def scores_table(title: str, groups: Groups, kind: str, columns: tuple[str, ...] = SCORES) -> Table:
    rows = []
    for name, games in groups.items():
        cells = dict(zip(SCORES_WITH_TREND, score_cells(games), strict=True))
        rows.append(Row(name, tuple(cells[column] for column in columns), 0.0))
    return Table(tuple(rows), columns, title, kind=kind)


def score_cells(games: Sequence[OwnGame]) -> Iterator[str]:
    score = Score.of(game.result for game in games)
    yield from map(str, (score.played, score.won, score.drawn, score.lost))
    # A game in which no move could be a mistake says nothing about the cost of moves.
    counted_games = [game for game in games if game.tally and game.tally.carelessness]
    yield cost(2 * cost_per_move(counted_games)) if counted_games else "-"
    yield trend([game for game in games if game.tally])


def trend(graded: Sequence[OwnGame]) -> str:
    if len(graded) < MIN_TREND_GAMES:
        return "-"
    middle = len(graded) // 2
    change = cost_per_move(graded[middle:]) - cost_per_move(graded[:middle])
    return "steady" if abs(change) < STEADY_WITHIN else "better" if change < 0 else "worse"


def cost_per_move(games: Iterable[OwnGame]) -> float:
    """Return the mean cost of a move, from 0 to 1. Turns with equally good moves are left out."""
    tally = sum((game.tally for game in games if game.tally), Tally())
    return tally.carelessness.mean if tally.carelessness else 0.0


def training_sentences(book: Book, day: date) -> Iterator[str]:
    """Yield sentences about a learner's answers, and about the daily puzzle."""
    if book.answers:
        told = []
        for kind, name in TRAINING.items():
            answers = [one for one in book.answers if one.kind == kind]
            given = [one.right for one in answers]
            if kind == "daily":  # a puzzle can take several tries
                solved_days = {one.note for one in answers if one.right}
                given = [day in solved_days for day in {one.note for one in answers}]
            told += [f"{name} {sum(given)} of {len(given)}"] if given else []
        right = sum(one.right for one in book.answers)
        many = counted(len(book.answers), "answer")
        yield f"Training: {many}, {percent(right / len(book.answers))} right ({', '.join(told)})."
    if book.longest_streak:
        solved = counted(book.days_solved, "day")
        streak, best = counted(book.daily_streak(day), "day"), book.longest_streak
        yield f"Daily puzzle: solved on {solved}; streak {streak} (best {best})."


def sentences(stats: PlayerStats) -> Iterator[str]:
    if abs(stats.streak) > 1:
        yield f"You {'won' if stats.streak > 0 else 'lost'} your last {abs(stats.streak)} games."
    if stats.longest_streak > 1:
        yield f"Your longest streak: {stats.longest_streak} wins in a row."
    if stats.over_time:
        yield carelessness(stats.tally.carelessness)
    yield from levels_beaten(stats.games)


def levels_beaten(games: Sequence[OwnGame]) -> Iterator[str]:
    for name in names():
        won = {one.opponent for one in games if one.game == name and one.result == WON}
        beaten = max((level for level in LEVELS if f"level:{level}" in won), default=0)
        if beaten:
            following = f"next: level {beaten + 1}" if beaten < LEVELS[-1] else "next: Perfect"
            yield f"{find(name).title}: you have beaten level {beaten} ({following})."


def columns_chart(costs: Sequence[float]) -> Chart:
    width = min(MAX_COLUMNS, len(costs))
    cuts = [place * len(costs) // width for place in range(width + 1)]
    means = [fmean(costs[start:end]) for start, end in pairwise(cuts)]
    top = max(MIN_TOP, *means)
    points = tuple((float(place), mean / top) for place, mean in enumerate(means))
    return Chart(
        (Curve("cost per move", points),),
        (),
        tuple((height, cost(2 * top * height)) for height in (1.0, 0.5, 0.0)),
        "Cost per move, from the first game to the last",
        f"From the first game to the last: {', '.join(cost(2 * mean) for mean in means)}",
    )


def phases_table(stats: PlayerStats) -> Table:
    whole = stats.tally.loss
    rows = []
    for phase, tally in stats.phases.items():
        share = tally.loss / whole if whole else 0.0
        mean = cost(2 * tally.carelessness.mean if tally.carelessness else 0.0)
        rows.append(Row(phase.capitalize(), (percent(share), f"{mean} per move"), share))
    return Table(
        tuple(rows),
        ("share", "mean"),
        "Where your mistakes are: share of their cost",
        kind="shares",
    )


def remarks(
    stats: PlayerStats, waiting: int, counts: str, columns: tuple[str, ...]
) -> Iterator[str]:
    if stats.games or stats.left_out:
        yield counts
    if stats.over_time:
        tally = stats.tally
        yield f"{MEANING} {COUNTED_MOVES.format(tally.choices, counted(tally.decisions, 'move'))}"
    if stats.over_time and "trend" in columns:
        yield TREND
    if waiting:
        yield f"{counted(waiting, 'game')} still to be graded…"
    for reason, games in stats.ungraded.items():
        yield f"Not graded: {counted(games, 'game')}; {reason.rstrip('.')}."
    if stats.left_out:
        listed = (f"{reason} ({games})" for reason, games in stats.left_out.items())
        yield f"Left out: {', '.join(listed)}."
