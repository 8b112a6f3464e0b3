"""One person's statistics: results against the computer, and the winning chance lost.

A game counts only if it is finished and no move was taken back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from number_duels import __version__
from number_duels.core.game import AnyGame, Seat
from number_duels.core.input_files import MAX_LINE_BYTES, parse_json, read_as, read_text
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record
from number_duels.core.storage import cache_folder, replace_file
from number_duels.review.mistakes import concessions, grade_step
from number_duels.review.position import AnySolution, examine
from number_duels.review.tally import Tally
from number_duels.solvers import Unsolvable, solve
from number_duels.solvers.cache import Progress, fingerprint, silent
from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache

#: The parts of a game. Each has about a third of the person's decisions.
PHASES = ("opening", "middle", "end")
WON, DRAWN, LOST = 1, 0, -1
RESULTS = {"1-0": WON, "1/2-1/2": DRAWN, "0-1": LOST}

UNFINISHED, TAKEN_BACK = "unfinished", "with moves taken back"
TWO_PEOPLE, NO_PEOPLE = "between two people", "without a person"


@dataclass(frozen=True)
class Score:
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @classmethod
    def of(cls, results: Iterable[int]) -> Score:
        """Count the wins, draws and losses.

        >>> Score.of([WON, LOST, WON])
        Score(won=2, drawn=0, lost=1)
        """
        count = Counter(results)
        return cls(count[WON], count[DRAWN], count[LOST])


@dataclass(frozen=True)
class OwnGame:
    started: str
    game: str
    opponent: str
    result: int
    tally: Tally | None = None
    phases: tuple[Tally, ...] = ()
    #: Why the game is not graded, or empty if it is.
    ungraded: str = ""

    @property
    def chance_lost(self) -> float | None:
        """Return the winning chance lost (1 for a certain win), or None for an ungraded game."""
        return None if self.tally is None else self.tally.loss / 2


@dataclass(frozen=True)
class PlayerStats:
    games: tuple[OwnGame, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def tally(self) -> Tally:
        return sum((game.tally for game in self.games if game.tally), Tally())

    @property
    def phases(self) -> dict[str, Tally]:
        graded = [game.phases for game in self.games if game.phases]
        return {
            phase: sum((tallies[third] for tallies in graded), Tally())
            for third, phase in enumerate(PHASES)
        }

    @property
    def ungraded(self) -> Counter[str]:
        return Counter(game.ungraded for game in self.games if game.ungraded)

    @property
    def score(self) -> Score:
        return Score.of(game.result for game in self.games)

    @property
    def opponents(self) -> dict[str, tuple[OwnGame, ...]]:
        met = Counter(game.opponent for game in self.games)
        return {
            who: tuple(game for game in self.games if game.opponent == who)
            for who, _ in sorted(met.items(), key=lambda one: (-one[1], one[0]))
        }

    @property
    def over_time(self) -> tuple[float, ...]:
        return chances_lost(self.games)

    @property
    def streak(self) -> int:
        """Return the current streak: the number of wins in a row, or minus the number of losses."""
        last = self.games[-1].result if self.games else DRAWN
        run = next((n for n, g in enumerate(reversed(self.games)) if g.result != last), None)
        return last * (len(self.games) if run is None else run)

    @property
    def longest_streak(self) -> int:
        best = run = 0
        for game in self.games:
            run = run + 1 if game.result == WON else 0
            best = max(best, run)
        return best


def chances_lost(games: Iterable[OwnGame]) -> tuple[float, ...]:
    return tuple(game.chance_lost for game in games if game.chance_lost is not None)


def cut_in_three(losses: Losses) -> tuple[Losses, Losses, Losses]:
    """Divide the decisions of a game into opening, middle and end.

    >>> one, two, three, four = (0.0, 0.0), (0.5, 1.0), (0.0, 2.0), (1.0, 1.0)
    >>> [len(part) for part in cut_in_three((one, two, three, four))]
    [2, 1, 1]
    """
    middle, end = (-(-third * len(losses) // 3) for third in (1, 2))
    return losses[:middle], losses[middle:end], losses[end:]


def player_stats(
    records: Iterable[Record],
    *,
    progress: Progress = silent,
    max_bytes: int | None = LARGE_CACHE_BYTES,
) -> PlayerStats:
    """Return the statistics of the person who played these games.

    If grading a game would add more than `max_bytes` to the cache, only its result counts. None
    sets no limit.

    >>> from number_duels.core.record import Person
    >>> players = (Person("Ann"), Person("Computer", "perfect"))
    >>> record = Record("number-knot", {"first": 1}, None, 7, players, "S5 A3 S9", "1-0")
    >>> stats = player_stats([record])
    >>> stats.score, stats.streak, stats.over_time
    (Score(won=1, drawn=0, lost=0), 1, (0.0,))
    """
    records = sorted(records, key=lambda record: record.started)
    left_out = Counter(filter(None, map(reason_left_out, records)))
    counted = [record for record in records if not reason_left_out(record)]
    grader = Grader(max_bytes)
    games = []
    for place, record in enumerate(counted):

        def report(fraction: float, done: int = place) -> None:
            progress((done + fraction) / len(counted))

        report(0.0)
        games.append(own_game(record, grader, report))
    progress(1.0)
    return PlayerStats(tuple(games), left_out)


def own_game(record: Record, grader: Grader, progress: Progress) -> OwnGame:
    seat = Seat([one.who for one in record.players].index("human"))
    who = record.players[seat.other].who
    result = RESULTS[record.result] * (1 if seat is Seat.ONE else -1)
    game = OwnGame(record.started, record.game, who, result)
    try:
        figures = grader.grade(record, progress)
    except Ungraded as reason:
        return replace(game, ungraded=str(reason))
    thirds = cut_in_three(figures.losses[seat])
    phases = tuple(Tally.of_game(list(third), 0.0) for third in thirds)
    return replace(game, tally=figures.tally(seat), phases=phases)


def reason_left_out(record: Record) -> str | None:
    people = sum(one.who == "human" for one in record.players)
    if people != 1:
        return TWO_PEOPLE if people else NO_PEOPLE
    if record.result not in RESULTS:
        return UNFINISHED
    return TAKEN_BACK if record.takebacks else None


#: For each decision of a seat: its loss, and the largest possible loss.
Losses = tuple[tuple[float, float], ...]


class Ungraded(ValueError):
    """Raised if a game cannot be graded. The message says why."""


@dataclass(frozen=True)
class GameFigures:
    losses: Mapping[Seat, Losses]
    luck: float

    def tally(self, seat: Seat) -> Tally:
        luck = self.luck if seat is Seat.ONE else 0.0 - self.luck
        return Tally.of_game(list(self.losses[seat]), luck)


def grade_decisions(match: AnyMatch, solution: AnySolution) -> GameFigures:
    one, two = losses = list[tuple[float, float]](), list[tuple[float, float]]()
    for turn, step in enumerate(match.history.steps):
        if step.moves:
            for grade in grade_step(step, turn, examine(solution, step.before), ""):
                losses[grade.seat].append((grade.loss, grade.worst))
    gained = solution.value(match.history.state) - solution.value(match.history.start)
    luck = gained + sum(loss for loss, _ in one) - sum(loss for loss, _ in two)
    for ended in concessions(match, solution, match.state):
        if ended.is_forfeit:
            losses[ended.seat].append((ended.cost, ended.cost))
    return GameFigures({Seat.ONE: tuple(one), Seat.TWO: tuple(two)}, luck)


class Grader:
    """Grades games. It keeps figures on disk and solutions in memory.

    Raise Ungraded if a solution would add more than `max_bytes` to the cache.
    """

    def __init__(self, max_bytes: int | None) -> None:
        self.max_bytes = max_bytes
        self.solutions: dict[AnyGame, AnySolution] = {}
        self.sizes: dict[AnyGame, int] = {}

    def grade(self, record: Record, progress: Progress) -> GameFigures:
        try:
            match = record.match()
            path = figures_path(match.game, record)
            found = read_figures(path)
            if found is None:
                found = grade_decisions(match, self.solution(match.game, progress))
                write_figures(path, found)
        except Unsolvable as problem:
            raise Ungraded(str(problem)) from None
        return found

    def solution(self, game: AnyGame, progress: Progress) -> AnySolution:
        if game not in self.solutions:
            if game not in self.sizes:
                self.sizes[game] = bytes_to_cache(game)
            size = self.sizes[game]
            if self.max_bytes is not None and size > self.max_bytes:
                megabytes = f"{size / 1e6:.0f} MB"
                raise Ungraded(f"grading {game.title} would add {megabytes} to the cache")
            self.solutions[game] = solve(game, progress=progress)
        return self.solutions[game]


@dataclass(frozen=True)
class StoredFigures:
    losses: tuple[Losses, Losses]
    luck: float


def figures_folder() -> Path:
    return cache_folder() / "reviews"


def kept_figures() -> Iterable[Path]:
    with suppress(OSError, RuntimeError):
        return sorted(path for path in figures_folder().iterdir() if path.is_file())
    return []


def figures_path(game: AnyGame, record: Record) -> Path | None:
    rules = fingerprint(type(game))
    if rules is None:
        return None
    end = [record.result, record.reason.partition(":")[0]]  # a forfeit costs something
    parts = [__version__, rules, sorted(game.settings.items()), record.deal, record.moves, end]
    what = blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()
    with suppress(RuntimeError):  # no home folder
        return figures_folder() / f"{game.name}-{what}.json"
    return None


def read_figures(path: Path | None) -> GameFigures | None:
    if path is None:
        return None
    with suppress(OSError, ValueError):
        found = read_as(StoredFigures, parse_json(read_text(path, MAX_LINE_BYTES)))
        return GameFigures(dict(zip(Seat, found.losses, strict=True)), found.luck)
    return None


def write_figures(path: Path | None, figures: GameFigures) -> None:
    # If this fails, the figures are computed again next time.
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            losses = [figures.losses[seat] for seat in Seat]
            file.write(json.dumps({"losses": losses, "luck": figures.luck}).encode())
