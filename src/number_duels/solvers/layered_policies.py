"""Policies against each other on whole levels of a game at once, for kernels that number states.

Where the seats move in turn, a code is the mover's and each has two nodes: one
for either seat to move. Results belong to who moves; where both choose at once,
to Player 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.solvers import batch_simplex
from number_duels.solvers.cache_file import whole
from number_duels.solvers.layered import ENDS, Codes, Level, Levelled, Table, explore, pieces
from number_duels.solvers.policies import Policy, checked
from number_duels.solvers.protocols import Progress, Section, Worth, silent

Floats: TypeAlias = NDArray[np.float64]

#: Some states of one level, and what may follow them.
Piece: TypeAlias = tuple[Level, Codes, Codes]
#: The probabilities of a seat's options in the states of a piece, a row for each state.
Mixer: TypeAlias = Callable[[Piece, Seat], Floats]


class Played(Levelled[S]):
    """A kernel whose levels can also be played out by policies."""

    def with_slips(
        self,
        slips: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float]:
        """Player 1's expected result for each pair of slips."""
        book = Book(self)
        perfect = Perfect(self, sections)
        results = np.stack([book.blank() for _ in slips])
        for piece in book.backwards(progress):
            both = {seat: perfect(piece, seat) for seat in Seat}
            for pair, result in zip(slips, results, strict=True):
                book.play(piece, [slipped(both[seat], pair[seat]) for seat in Seat], result)
        return [book.at(result, self.start, self.first) or 0.0 for result in results]

    def against_slip(
        self, slip: float, sections: Sequence[Section], progress: Progress = silent
    ) -> Worth[S]:
        """The best answer to perfect play that slips that often."""
        perfect = Perfect(self, sections)
        return self.answer(Book(self), lambda p, seat: slipped(perfect(p, seat), slip), progress)

    def against(
        self, game: Game[S, M, E], policy: Policy[S, M], progress: Progress = silent
    ) -> Worth[S]:
        """The best answer to a policy, given as probabilities."""
        book = Book(self)
        return self.answer(book, Asked(book, game, policy), progress)

    def answer(self, book: Book[S], mixer: Mixer, progress: Progress) -> Worth[S]:
        """The best answer of either seat to the other's mixtures."""
        results = {seat: book.blank() for seat in Seat}
        for piece in book.backwards(progress):
            for seat in Seat:
                book.respond(piece, seat, mixer(piece, seat.other), results[seat])

        def worth(state: S, seat: Seat) -> float | None:
            return book.at(results[seat], self.code(state), self.mover(state))

        return worth


class Book(Generic[S]):
    """The nodes of a game that can be reached, and how results pass from node to node."""

    def __init__(self, kernel: Levelled[S]) -> None:
        self.kernel = kernel
        self.reached, _ = explore(kernel, silent)
        #: Where the results of a code lie: the ends first, then what can be reached.
        self.places = np.zeros(kernel.size, np.int64)
        self.places[:ENDS] = range(ENDS)
        codes = ENDS + np.flatnonzero(self.reached[ENDS:])
        self.places[codes] = ENDS + np.arange(len(codes))
        self.count = ENDS + len(codes)

    def blank(self) -> Floats:
        """Results of which only the ends are known: for either seat to move."""
        results = np.zeros((2 if self.kernel.in_turn else 1, self.count))
        results[:, :ENDS] = -1, 0, 1
        return results

    def at(self, results: Floats, code: int, mover: Seat) -> float | None:
        """Player 1's result at a code that can be reached."""
        if not (0 <= code < len(self.places) and self.places[code]):
            return None
        if not self.kernel.in_turn:
            return float(results[0, self.places[code]])
        found = float(results[mover, self.places[code]])
        return found if mover is Seat.ONE else 0.0 - found

    def backwards(self, progress: Progress) -> Iterator[Piece]:
        """All that can be reached, from the ends to the start."""
        levels = self.kernel.levels()
        for number, level in enumerate(reversed(levels)):
            for codes in pieces(level, self.reached):
                yield level, codes, self.kernel.follow(level, codes)
            progress((number + 1) / len(levels))

    def play(self, piece: Piece, mixtures: Sequence[Floats], results: Floats) -> None:
        """Fill in what both seats' mixtures bring."""
        _, codes, after = piece
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            for seat in Seat:
                after_seat = results[seat.other, there]
                results[seat, here] = -np.einsum("ni,ni->n", mixtures[seat], after_seat)
        else:
            rows, columns = mixtures
            by_row = np.einsum("nij,nj->ni", results[0, there], columns)
            results[0, here] = np.einsum("ni,ni->n", rows, by_row)

    def respond(self, piece: Piece, seat: Seat, mixture: Floats, results: Floats) -> None:
        """Fill in what the best answer of a seat to the other's mixture brings."""
        _, codes, after = piece
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            results[seat, here] = -results[seat.other, there].min(axis=1)
            results[seat.other, here] = -np.einsum("ni,ni->n", mixture, results[seat, there])
        elif seat is Seat.ONE:
            results[0, here] = np.einsum("nij,nj->ni", results[0, there], mixture).max(axis=1)
        else:
            results[0, here] = np.einsum("nij,ni->nj", results[0, there], mixture).min(axis=1)


def slipped(perfect: Floats, slip: float) -> Floats:
    """Mixtures, mixed with a little of every option."""
    mixed: Floats = (1 - slip) * perfect + slip / perfect.shape[1]
    return mixed


class Perfect:
    """The mixtures of `Solution.strategy`; asked from the ends to the start, like a Mixer."""

    def __init__(self, kernel: Levelled[S], sections: Sequence[Section]) -> None:
        self.in_turn = kernel.in_turn
        kind = np.int8 if kernel.in_turn else np.float64
        self.table: Table = np.frombuffer(whole(sections[0]), kind)
        #: The share of the options at a code that lose value.
        self.pitfalls = np.zeros(kernel.size if kernel.in_turn else 0)
        self.latest: tuple[Codes, tuple[Floats, Floats]] | None = None

    def __call__(self, piece: Piece, seat: Seat) -> Floats:
        """What a seat plays; the latest piece is kept, as the other seat is asked next."""
        _, codes, after = piece
        if self.latest is None or self.latest[0] is not codes:
            values = self.table[after]
            if self.in_turn:
                best = self.best(codes, after, values)
                self.latest = codes, (best, best)
            else:
                self.latest = codes, batch_simplex.mixtures(values.astype(np.float64, copy=False))
        return self.latest[1][seat]

    def best(self, codes: Codes, after: Codes, values: Table) -> Floats:
        """One best move: after it the most ways to go wrong, then a win at once, then the first."""
        top = values.min(axis=1, keepdims=True)
        self.pitfalls[codes] = (values > top).mean(axis=1)
        # An end counts less than any difference in pitfalls; what is lost to the next is won.
        ended = np.where(after < ENDS, 1 - after, 0) / 1e9
        promise = np.where(values == top, self.pitfalls[after] + ended, -1.0)
        best = np.zeros(after.shape)
        best[np.arange(len(codes)), promise.argmax(axis=1)] = 1.0
        return best


class Asked(Generic[S, M, E]):
    """The mixtures of any policy, which is asked about one state for each node."""

    def __init__(self, book: Book[S], game: Game[S, M, E], policy: Policy[S, M]) -> None:
        self.book, self.game, self.policy = book, game, policy
        self.in_turn = book.kernel.in_turn
        #: A state for every code, by who moves.
        self.states: dict[Seat, dict[int, S]] = {seat: {} for seat in Seat}
        self.find_states()

    def __call__(self, piece: Piece, seat: Seat) -> Floats:
        """What the policy says for a seat; where the seat never moves, nothing."""
        _, codes, after = piece
        width = after.shape[1 if self.in_turn or seat is Seat.ONE else 2]
        found = np.zeros((len(codes), width))
        states = self.states[seat if self.in_turn else Seat.ONE]
        for row, code in enumerate(codes.tolist()):
            if code in states:
                found[row] = self.ask(states[code], seat)
        return found

    def ask(self, state: S, seat: Seat) -> tuple[float, ...]:
        """What the policy says in a state."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        return checked(self.policy, self.game.view(state, seat), seat, turn.options[seat])

    def find_states(self) -> None:
        """Walk from the start and keep the first state of each node."""
        kernel, start = self.book.kernel, self.game.start()
        self.states[kernel.mover(start)][kernel.start] = start
        for level in kernel.levels():
            for codes in pieces(level, self.book.reached):
                after = kernel.follow(level, codes)
                for mover in Seat if self.in_turn else (Seat.ONE,):
                    self.walk(codes, after.reshape(len(codes), -1), mover)

    def walk(self, codes: Codes, after: Codes, mover: Seat) -> None:
        """Keep a state for every node that follows some, and has none yet."""
        here = self.states[mover]
        there = self.states[mover.other if self.in_turn else mover]
        known = np.array([code in here for code in codes.tolist()])
        codes, after = codes[known], after[known]
        following, firsts = np.unique(after, return_index=True)
        for code, first in zip(following.tolist(), firsts.tolist(), strict=True):
            if code >= ENDS and code not in there:
                row, option = divmod(first, after.shape[1])
                there[code] = self.step(here[int(codes[row])], option)

    def step(self, state: S, option: int) -> S:
        """The state after an option, or after a pair of them, counted row after row."""
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        moves: dict[Seat, M] = {}
        for seat, options in sorted(turn.options.items(), reverse=True):
            option, place = divmod(option, len(options))
            moves[seat] = options[place]
        return self.game.resolve(state, moves)
