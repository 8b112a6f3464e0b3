"""What the decisions of a game cost, kept on disk: all that statistics need of a review."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from number_duels import __version__
from number_duels.core.game import AnyGame, Seat
from number_duels.core.input_files import MAX_LINE_BYTES, parse_json, read_text
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record
from number_duels.core.storage import cache_folder, replace_file
from number_duels.review.grades import grade_step
from number_duels.review.position import AnySolution, examine
from number_duels.review.tally import Tally
from number_duels.solvers import Unsolvable, solve
from number_duels.solvers.cache import Progress, fingerprint
from number_duels.solvers.solver import bytes_to_cache

#: The loss and the worst loss of every decision of a seat.
Losses = tuple[tuple[float, float], ...]


class Ungraded(ValueError):
    """Why the decisions of a game are not graded, in a sentence."""


@dataclass(frozen=True)
class GameFigures:
    """One game's decisions, seat by seat, and Player 1's luck; as a review has them."""

    losses: Mapping[Seat, Losses]
    luck: float

    def tally(self, seat: Seat) -> Tally:
        luck = self.luck if seat is Seat.ONE else 0.0 - self.luck
        return Tally.of_game(list(self.losses[seat]), luck)


def grade_decisions(match: AnyMatch, solution: AnySolution) -> GameFigures:
    """The figures of a match; a review has them too, and takes longer to say why."""
    losses: dict[Seat, list[tuple[float, float]]] = {seat: [] for seat in Seat}
    for turn, step in enumerate(match.history.steps):
        if step.moves:
            for grade in grade_step(step, turn, examine(solution, step.before), ""):
                losses[grade.seat].append((grade.loss, grade.worst))
    one, two = (sum(loss for loss, _ in losses[seat]) for seat in Seat)
    gained = solution.value(match.history.state) - solution.value(match.history.start)
    return GameFigures({seat: tuple(losses[seat]) for seat in Seat}, gained + one - two)


class Grader:
    """Grades games, and never one twice: figures are kept on disk, solutions in memory.

    A game whose solution would add more than `max_bytes` to the cache is not solved.
    """

    def __init__(self, max_bytes: int | None) -> None:
        self.max_bytes = max_bytes
        self.solutions: dict[AnyGame, AnySolution] = {}
        self.sizes: dict[AnyGame, int] = {}

    def grade(self, record: Record, progress: Progress) -> GameFigures:
        """The figures of a game; `Ungraded` says why there are none."""
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
                raise Ungraded(f"to grade {game.title} puts {megabytes} into the cache")
            self.solutions[game] = solve(game, progress=progress)
        return self.solutions[game]


# ---- on disk -------------------------------------------------------------------


def figures_folder() -> Path:
    return cache_folder() / "reviews"


def kept_figures() -> Iterable[Path]:
    """The files of all games that were graded."""
    with suppress(OSError, RuntimeError):
        return sorted(path for path in figures_folder().iterdir() if path.is_file())
    return []


def figures_path(game: AnyGame, record: Record) -> Path | None:
    """The file of a game's figures, named by all that they depend on; None: never kept."""
    rules = fingerprint(type(game))
    if rules is None:
        return None
    parts = [__version__, rules, sorted(game.settings.items()), record.deal, record.moves]
    what = blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()
    with suppress(RuntimeError):  # no home
        return figures_folder() / f"{game.name}-{what}.json"
    return None


def read_figures(path: Path | None) -> GameFigures | None:
    """The figures of a file; None if there are none, or it is damaged."""
    if path is None:
        return None
    try:
        data = parse_json(read_text(path, MAX_LINE_BYTES))
        if not isinstance(data, dict):
            return None
        losses = {
            seat: tuple((float(loss), float(worst)) for loss, worst in data["losses"][seat])
            for seat in Seat
        }
        return GameFigures(losses, float(data["luck"]))
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None


def write_figures(path: Path | None, figures: GameFigures) -> None:
    """Keep figures; where that cannot be, they are worked out again the next time."""
    if path is None:
        return
    losses = [figures.losses[seat] for seat in Seat]
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            file.write(json.dumps({"losses": losses, "luck": figures.luck}).encode())
