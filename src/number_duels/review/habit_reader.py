"""What somebody who knows a player's habits wins in a game: the best answer, looking to the end.

The answer is learned from every other game, where the player is taken to play by its habits and
perfectly elsewhere. It is judged on the rest, and the other way round, by working out what it
brings against what the player did there: no game is judged by anything learned from it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TypeAlias

from number_duels.core.game import Chance, Decision, Outcome, Seat
from number_duels.review.position import AnySolution
from number_duels.solvers.sampled_response import ObservedPolicy, best_response_to_samples

#: What a player decided in a game, in order: the key of each position, and the move.
Path: TypeAlias = Sequence[tuple[Hashable, Hashable]]
MoveCounts = dict[tuple[Hashable, Seat], Counter[Hashable]]

#: The least times that a position is met in the games read to be a habit, and in those judged
#: to count: what was met once does not tell how much choices differ.
MIN_READ = 5
MIN_JUDGED = 2


def reader_gains(solution: AnySolution, seat: Seat, games: Sequence[Path]) -> list[float]:
    """What a reader of one seat's habits wins, in shares of the points: a figure for each game.

    Their mean is the estimate, and how they differ says how sure it is.
    """
    gains = [0.0] * len(games)
    for half in (0, 1):
        read, judged = games[1 - half :: 2], games[half::2]
        seen = read_habits(read, seat)
        trial = Trial(solution, seat, seen, choices_in(judged, seat, seen))
        gains[half::2] = [
            (trial.gain + len(judged) * fsum(trial.influence(*choice) for choice in path)) / 2
            for path in judged
        ]
    return gains


def read_habits(games: Iterable[Path], seat: Seat) -> MoveCounts:
    """How often what was chosen by habit; positions on the way to a habit are there without."""
    met = Counter(key for path in games for key, _ in path)
    found: MoveCounts = {}
    for path in games:
        often = [met[key] >= MIN_READ for key, _ in path]
        while often and not often[-1]:
            often.pop()
        for is_habit, (key, move) in zip(often, path, strict=False):
            counts = found.setdefault((key, seat), Counter())
            if is_habit:
                counts[move] += 1
    return found


def choices_in(games: Iterable[Path], seat: Seat, seen: MoveCounts) -> MoveCounts:
    """How often what was chosen where a habit was seen."""
    found: MoveCounts = {place: Counter() for place in seen}
    for path in games:
        for key, move in path:
            if seen.get((key, seat)):
                found[key, seat][move] += 1
    return {p: c if c.total() >= MIN_JUDGED else Counter() for p, c in found.items()}


@dataclass(frozen=True)
class Branch:
    """What may follow a position: after which move of the player, how likely, what it is worth."""

    move: Hashable | None
    odds: float
    key: Hashable
    worth: float


class Trial:
    """A reader of some games against what the player did in others."""

    def __init__(
        self, solution: AnySolution, seat: Seat, read: MoveCounts, judged: MoveCounts
    ) -> None:
        self.solution, self.seat, self.judged = solution, seat, judged
        self.sign = -1 if seat is Seat.ONE else 1
        self.reader = best_response_to_samples(solution, read)
        self.player = ObservedPolicy(solution, judged, prior=0.0)
        #: What follows each position that can come up, the last positions first.
        self.branches: dict[Hashable, list[Branch]] = {}
        start = solution.game.start()
        #: What the reader wins more than perfect play would: 2 is from a loss to a win.
        self.gain = self.worth(start) - self.sign * solution.value(start)
        self.reach = self.reached(solution.game.key(start))

    def worth(self, state: Hashable) -> float:
        """What the reader can expect; after the habits both are perfect."""
        game = self.solution.game
        key, turn = game.key(state), game.turn(state)
        if isinstance(turn, Outcome) or not self.player.known(state, self.seat):
            return self.sign * self.solution.value(state)
        if key not in self.branches:
            self.branches[key] = [
                Branch(move, odds, game.key(then), self.worth(then))
                for move, odds, then in self.following(state, turn)
            ]
        return expected(self.branches[key])

    def following(
        self, state: Hashable, turn: Decision[Hashable] | Chance[Hashable]
    ) -> Iterator[tuple[Hashable | None, float, Hashable]]:
        """What may follow: after which move of the player, how likely, which state."""
        game, other = self.solution.game, self.seat.other
        if isinstance(turn, Chance):
            for event, share in turn.odds.items():
                yield None, float(share), game.drawn(state, event)
            return
        made: dict[Seat, Hashable] = {}
        if other in turn.options:
            answer = self.reader.strategy(state, other)
            made[other] = max(answer, key=lambda move: answer[move])
        if self.seat not in turn.options:
            yield None, 1.0, game.resolve(state, made)
            return
        for move, odds in self.player(state, self.seat).items():
            if odds:
                yield move, odds, game.resolve(state, {**made, self.seat: move})

    def reached(self, start: Hashable) -> Mapping[Hashable, float]:
        """How likely each position comes up."""
        found: dict[Hashable, float] = defaultdict(float, {start: 1.0})
        for key in reversed(self.branches):
            for branch in self.branches[key]:
                found[branch.key] += found[key] * branch.odds
        return found

    def influence(self, key: Hashable, move: Hashable) -> float:
        """What one choice in the judged games adds to the gain, against the mean of its kind."""
        times = self.judged.get((key, self.seat), Counter()).total()
        branches = self.branches.get(key, [])
        own = [branch.worth for branch in branches if branch.move == move]
        if not times or not own:
            return 0.0
        # The mean was taken from the same choices, and two halves that judge each other err alike.
        weight = self.reach[key] * sqrt(2 / (times * (times - 1)))
        return weight * (own[0] - expected(branches))


def expected(branches: Iterable[Branch]) -> float:
    return fsum(branch.odds * branch.worth for branch in branches)
