"""Find puzzles in the solutions of the games, at their default settings, and write them down.

    python scripts/make_puzzles.py [GAME …]

They go to src/number_duels/trainer/data/puzzles/. Games of imperfect players are sampled, what is
a puzzle among their positions is kept, and of these as varied a set as possible is chosen. The same
files come out on every run; once a release has them, a longer list is a new edition, added below.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from random import Random

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.core.history import History
from number_duels.core.randomness import sample
from number_duels.review.position import TOLERANCE, AnySolution
from number_duels.trainer.exercise import Exercise, greedy_moves
from number_duels.trainer.puzzles import DATA, GRADES, Puzzle
from number_duels.trainer.spot import OpenSpot
from puzzle_themes import themes, trap

AnyHistory = History[Hashable, Hashable, Hashable]

#: How many puzzles a game gets.
COUNT = 320
#: How many games are sampled, and how many puzzles among their positions are enough.
SAMPLED_GAMES = 5000
ENOUGH = 2000
#: The least that a mistake must cost: 5% of the winning chance.
LEAST_GAP = 0.1
#: How often a player of a sampled game plays anything at all.
ERROR_RATES = (0.5, 0.25, 0.125)
#: How often a player of a sampled game plays what looks best where it does not slip.
GREEDY_SHARE = 0.4
PHASES = ("opening", "middle", "end")
#: A win at once is easy to find; few puzzles ask for nothing else.
OBVIOUS = "win-at-once"
MOST_OBVIOUS = COUNT // 10
#: Digits of costs in the files: none that rounding alone decides.
DIGITS = 6


@dataclass(frozen=True)
class Candidate:
    """A puzzle that may be chosen, and what tells it from others."""

    puzzle: Puzzle
    difficulty: float
    tags: tuple[str, ...]


# ---- positions -----------------------------------------------------------------


def sampled_spots(solution: AnySolution, rng: Random) -> Iterator[tuple[OpenSpot, float]]:
    """Where somebody has a choice in sampled games, once each, and how far the game had come."""
    game, seen = solution.game, set[Hashable]()
    for _ in range(SAMPLED_GAMES):
        histories = list(sampled_game(solution, rng))
        for turn, history in enumerate(histories):
            state = history.state
            for seat, options in decision(history).options.items():
                if len(options) > 1 and (game.key(state), seat) not in seen:
                    seen.add((game.key(state), seat))
                    yield OpenSpot(game, history, seat), turn / len(histories)


def sampled_game(solution: AnySolution, rng: Random) -> Iterator[AnyHistory]:
    """The positions of a game of imperfect players in which somebody decides."""
    game = solution.game
    errors = {seat: rng.choice(ERROR_RATES) for seat in nd.Seat}
    greedy = {seat: rng.random() < GREEDY_SHARE for seat in nd.Seat}
    history = History(game, game.start(rng))
    while not isinstance(turn := history.turn, nd.Outcome):
        if isinstance(turn, nd.Chance):
            history = history.sampled(sample(turn.odds, rng))
            continue
        yield history
        moves = {}
        for seat, options in turn.options.items():
            if rng.random() < errors[seat]:
                moves[seat] = rng.choice(options)
            elif greedy[seat]:
                moves[seat] = rng.choice(greedy_moves(game, history.state, seat))
            else:
                mix = solution.strategy(history.state, seat)
                moves[seat] = rng.choices(list(mix), list(mix.values()))[0]
        history = history.resolved(moves)


def decision(history: AnyHistory) -> nd.Decision[Hashable]:
    turn = history.turn
    assert isinstance(turn, nd.Decision)
    return turn


# ---- what is a puzzle ----------------------------------------------------------


def candidate(exercise: Exercise, played: float) -> Candidate | None:
    """The puzzle in a position; None where it asks too little."""
    about = themes(exercise) if exercise.gap >= LEAST_GAP - TOLERANCE else ()
    asks_for_move, asks_for_mistake = is_puzzle(exercise, about), "only-mistake" in about
    if not asks_for_move and not asks_for_mistake:
        return None
    spot, tempting = exercise.spot, trap(exercise) or ""
    moves = list(map(str, spot.options))
    puzzle = Puzzle(
        f"{spot.game.name}-{spot.id}",
        replace(spot.spot, settings={}),
        about,
        GRADES[0],
        tuple(move for move in moves if move in exercise.best),
        "" if asks_for_move else next(move for move in moves if move not in exercise.best),
        round(exercise.gap, DIGITS),
        tempting,
        round(exercise.cost(tempting), DIGITS) if tempting else 0.0,
    )
    return Candidate(puzzle, difficulty(exercise, puzzle, played), tags(exercise, puzzle, played))


def is_puzzle(exercise: Exercise, about: tuple[str, ...]) -> bool:
    """Whether few moves are right, for an interesting reason."""
    right = len(exercise.best)
    few = right == 1 or 3 * right <= len(exercise.options)
    return few and not {"only-move", "trap", "must-mix"}.isdisjoint(about)


def difficulty(exercise: Exercise, puzzle: Puzzle, played: float) -> float:
    """What makes it hard: small gaps, temptation, many choices and, half as much, a long way."""
    guessed = len(puzzle.answers) / len(exercise.options)
    return fsum((exercise.difficulty, exercise.temptation, 1 - guessed, (1 - played) / 2))


def tags(exercise: Exercise, puzzle: Puzzle, played: float) -> tuple[str, ...]:
    """All in which puzzles should differ."""
    return (
        *puzzle.themes,
        "mistake" if puzzle.mistake else "move",
        PHASES[int(played * len(PHASES))],
        str(exercise.spot.seat),
        f"{len(exercise.options)} options",
        f"answer {puzzle.answers[0]}",
    )


# ---- which are chosen ----------------------------------------------------------


def chosen(candidates: list[Candidate]) -> list[Candidate]:
    """As varied a set as possible: each adds what there is least of so far."""
    taken, left, count = list[Candidate](), dict(enumerate(candidates)), Counter[str]()
    while left and len(taken) < COUNT:
        place = max(left, key=lambda place: news(left[place], count))
        taken.append(left.pop(place))
        count.update(taken[-1].tags)
        if count[OBVIOUS] == MOST_OBVIOUS:
            left = {place: one for place, one in left.items() if OBVIOUS not in one.tags}
    return taken


def news(one: Candidate, count: Counter[str]) -> float:
    """How little there is of what a candidate has, on the average."""
    return fsum(1 / (1 + count[tag]) for tag in one.tags) / len(one.tags)


def graded(candidates: list[Candidate]) -> list[Puzzle]:
    """Every grade has its share; easy puzzles first."""
    ordered = sorted(candidates, key=lambda one: (round(one.difficulty, DIGITS), one.puzzle.id))
    puzzles = [
        replace(one.puzzle, grade=GRADES[place * len(GRADES) // len(ordered)])
        for place, one in enumerate(ordered)
    ]
    return sorted(puzzles, key=lambda puzzle: (puzzle.grade, puzzle.id))


def found(game: AnyGame) -> list[Puzzle]:
    """The puzzles of a game."""
    solution = nd.solve(game)
    solution.open_arrays()
    candidates: list[Candidate] = []
    for spot, played in sampled_spots(solution, Random(f"puzzles of {game.name}")):
        one = candidate(Exercise(spot, solution), played)
        if one:
            candidates.append(one)
            if len(candidates) == ENOUGH:
                break
    return graded(chosen(candidates))


def written(puzzles: list[Puzzle]) -> str:
    return "".join(f"{json.dumps(line_of(puzzle))}\n" for puzzle in puzzles)


def line_of(puzzle: Puzzle) -> dict[str, object]:
    """The line of a puzzle, without what is as usual; the inverse of `read_puzzle`."""
    spot = puzzle.spot
    line: dict[str, object] = {"id": puzzle.id}
    if spot.settings:
        line["settings"] = dict(spot.settings)
    if spot.deal is not None:
        line["deal"] = spot.deal
    line |= {
        "moves": spot.moves,
        "seat": spot.seat + 1,
        "best": list(puzzle.best),
        "themes": list(puzzle.themes),
        "grade": puzzle.grade,
        "gap": puzzle.gap,
    }
    if puzzle.mistake:
        line["mistake"] = puzzle.mistake
    if puzzle.trap:
        line |= {"trap": puzzle.trap, "loss": puzzle.loss}
    return {**line, "edition": puzzle.edition}


def main() -> None:
    """Make the puzzles of the games that are named, or of all."""
    for name in sys.argv[1:] or nd.games():
        puzzles = found(nd.load(name))
        path: Path = DATA / f"{name}.jsonl"
        path.write_text(written(puzzles), encoding="utf-8")
        about = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
        print(f"{name}: {len(puzzles)} puzzles, {path.stat().st_size} bytes,", dict(about))


if __name__ == "__main__":
    main()
