"""Policies against each other on whole layers of a game at once, for kernels that number states.

Where the seats move in turn, a code is the mover's and each has two nodes: one
for either seat to move. Results belong to the seat that moves; where both choose
at once, to Player 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeAlias

import numpy as np

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.solvers.cache_file import checked_numbers
from number_duels.solvers.layered import DRAWN, ENDS, Codes, LayeredKernel, Table, chunks, explore
from number_duels.solvers.layered_proper import Chunk, Floats, ProperMixtures, RandomPlay
from number_duels.solvers.policies import Policy, probabilities
from number_duels.solvers.protocols import Progress, ResponseValue, Section, Tables, silent
from number_duels.solvers.tie_break import tie_break_key

if TYPE_CHECKING:
    from number_duels.solvers.lock_rules import LockRules
    from number_duels.solvers.strategy_arrays import StrategyArrays

#: The probabilities of a seat's options in the states of a chunk, a row for each state.
MixtureSource: TypeAlias = Callable[[Chunk, Seat], Floats]


class PolicyKernel(LayeredKernel[S]):
    """A kernel whose layers can also be played out by policies."""

    @cached_property
    def graph(self) -> ReachedGraph[S]:
        """What can be reached: found once, for all policies that are played out."""
        return ReachedGraph(self)

    def random_play(self, sections: Sequence[Section]) -> RandomPlay[S]:
        return RandomPlay(self, np.frombuffer(checked_numbers(sections[0]), np.float64))

    def tabulate(self, sections: Sequence[Section], progress: Progress = silent) -> Tables:
        from number_duels.solvers.strategy_arrays import build

        progress(0.0)  # whoever will not wait can say so before anything is begun
        return build(self, sections, progress)

    def arrays(self, sections: Sequence[Section]) -> StrategyArrays[S]:
        from number_duels.solvers.strategy_arrays import unpack

        return unpack(self, sections)

    def expected_results(
        self,
        error_rates: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float]:
        graph = self.graph
        perfect = PerfectMixtures(self, sections)
        results = np.stack([graph.blank() for _ in error_rates])
        for chunk in graph.backwards(progress):
            both = {seat: perfect(chunk, seat) for seat in Seat}
            for pair, result in zip(error_rates, results, strict=True):
                graph.play(chunk, [with_errors(both[seat], pair[seat]) for seat in Seat], result)
        return [graph.at(result, self.start, self.first) or 0.0 for result in results]

    def respond_to_errors(
        self, error_rate: float, sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S]:
        perfect = PerfectMixtures(self, sections)

        def mixtures(chunk: Chunk, seat: Seat) -> Floats:
            return with_errors(perfect(chunk, seat), error_rate)

        return self.answer(self.graph, mixtures, progress)

    def respond(
        self, game: Game[S, M, E], policy: Policy[S, M], progress: Progress = silent
    ) -> ResponseValue[S]:
        from number_duels.solvers.strategy_arrays import ArrayPolicy

        if isinstance(policy, ArrayPolicy) and policy.game == game:
            return self.answer(self.graph, policy.mixtures, progress)
        return self.answer(self.graph, QueriedPolicy(self.graph, game, policy), progress)

    def respond_to_locks(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S]:
        from number_duels.solvers.layered_locks import respond_to_locks

        return respond_to_locks(self, rules, sections, progress)

    def solve_locked(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> Callable[[S], float | None]:
        from number_duels.solvers.layered_locks import solve_locked

        return solve_locked(self, rules, progress)

    def play_out(self, pairs: Sequence[tuple[MixtureSource, MixtureSource]]) -> list[float]:
        """Player 1's result for each pair of mixtures."""
        graph = self.graph
        results = np.stack([graph.blank() for _ in pairs])
        for chunk in graph.backwards(silent):
            for pair, result in zip(pairs, results, strict=True):
                graph.play(chunk, [pair[seat](chunk, seat) for seat in Seat], result)
        return [graph.at(result, self.start, self.first) or 0.0 for result in results]

    def answer(
        self, graph: ReachedGraph[S], mixtures: MixtureSource, progress: Progress
    ) -> ResponseValue[S]:
        """The best answer of either seat to the other's mixtures."""
        results = {seat: graph.blank() for seat in Seat}
        for chunk in graph.backwards(progress):
            for seat in Seat:
                graph.respond(chunk, seat, mixtures(chunk, seat.other), results[seat])

        def worth(state: S, seat: Seat) -> float | None:
            return graph.at(results[seat], self.code(state), self.mover(state))

        return worth


class ReachedGraph(Generic[S]):
    """The nodes of a game that can be reached, and how results pass from node to node."""

    def __init__(self, kernel: LayeredKernel[S]) -> None:
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

    def backwards(self, progress: Progress) -> Iterator[Chunk]:
        """All that can be reached, from the ends to the start."""
        layers = self.kernel.layers()
        for number, layer in enumerate(reversed(layers)):
            for codes in chunks(layer, self.reached):
                yield Chunk(codes, self.kernel.follow(layer, codes))
            progress((number + 1) / len(layers))

    def play(self, chunk: Chunk, mixtures: Sequence[Floats], results: Floats) -> None:
        """Fill in what both seats' mixtures bring."""
        codes, after = chunk
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            for seat in Seat:
                after_seat = results[seat.other, there]
                results[seat, here] = -np.einsum("ni,ni->n", mixtures[seat], after_seat)
        else:
            rows, columns = mixtures
            by_row = np.einsum("nij,nj->ni", results[0, there], columns)
            results[0, here] = np.einsum("ni,ni->n", rows, by_row)

    def respond(self, chunk: Chunk, seat: Seat, mixture: Floats, results: Floats) -> None:
        """Fill in what the best answer of a seat to the other's mixture brings."""
        codes, after = chunk
        here, there = self.places[codes], self.places[after]
        if self.kernel.in_turn:
            results[seat, here] = -results[seat.other, there].min(axis=1)
            results[seat.other, here] = -np.einsum("ni,ni->n", mixture, results[seat, there])
        elif seat is Seat.ONE:
            results[0, here] = np.einsum("nij,nj->ni", results[0, there], mixture).max(axis=1)
        else:
            results[0, here] = np.einsum("nij,ni->nj", results[0, there], mixture).min(axis=1)


def with_errors(perfect: Floats, error_rate: float) -> Floats:
    """Mixtures, mixed with a little of every option."""
    mixed: Floats = (1 - error_rate) * perfect + error_rate / perfect.shape[1]
    return mixed


class PerfectMixtures:
    """The mixtures of `Solution.strategy`; to be called from the ends to the start."""

    def __init__(self, kernel: LayeredKernel[S], sections: Sequence[Section]) -> None:
        numbers = checked_numbers(sections[0])
        self.table: Table = np.frombuffer(numbers, np.int8 if kernel.in_turn else np.float64)
        self.proper = None if kernel.in_turn else ProperMixtures(np.frombuffer(numbers))
        #: The share of the options at a code that lose value.
        self.losing_shares = np.zeros(kernel.size if kernel.in_turn else 0)
        self.latest: tuple[Codes, tuple[Floats, Floats]] | None = None

    def __call__(self, chunk: Chunk, seat: Seat) -> Floats:
        """What a seat plays; the latest chunk is remembered, as the other seat comes next."""
        codes, after = chunk
        if self.latest is None or self.latest[0] is not codes:
            if self.proper:
                self.latest = codes, self.proper(chunk)
            else:
                best = self.best(codes, after, self.table[after])
                self.latest = codes, (best, best)
        return self.latest[1][seat]

    def best(self, codes: Codes, after: Codes, values: Table) -> Floats:
        """One best move: among equals the one with the largest tie-break key, then the first."""
        top = values.min(axis=1, keepdims=True)
        self.losing_shares[codes] = (values > top).mean(axis=1)
        # What is lost to the seat that would be next is won.
        results = np.where(after < ENDS, DRAWN - after, 0.0)
        keys = np.where(values == top, tie_break_key(self.losing_shares[after], results), -1.0)
        best = np.zeros(after.shape)
        best[np.arange(len(codes)), keys.argmax(axis=1)] = 1.0
        return best


class QueriedPolicy(Generic[S, M, E]):
    """The mixtures of any policy, which is called with one state for each node."""

    def __init__(self, graph: ReachedGraph[S], game: Game[S, M, E], policy: Policy[S, M]) -> None:
        self.graph, self.game, self.policy = graph, game, policy
        self.in_turn = graph.kernel.in_turn
        #: A state for every code, by the seat that moves.
        self.states: dict[Seat, dict[int, S]] = {seat: {} for seat in Seat}
        self.find_states()

    def __call__(self, chunk: Chunk, seat: Seat) -> Floats:
        """What the policy says for a seat; where the seat never moves, nothing."""
        codes, after = chunk
        width = after.shape[1 if self.in_turn or seat is Seat.ONE else 2]
        found = np.zeros((len(codes), width))
        states = self.states[seat if self.in_turn else Seat.ONE]
        for row, code in enumerate(codes.tolist()):
            if code in states:
                found[row] = list(self.ask(states[code], seat).values())
        return found

    def ask(self, state: S, seat: Seat) -> dict[M, float]:
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        view, options = self.game.view(state, seat), turn.options[seat]
        return probabilities(self.game, self.policy, view, seat, options)

    def find_states(self) -> None:
        """Walk from the start and keep the first state of each node."""
        kernel, start = self.graph.kernel, self.game.start()
        self.states[kernel.mover(start)][kernel.start] = start
        for layer in kernel.layers():
            for codes in chunks(layer, self.graph.reached):
                after = kernel.follow(layer, codes)
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
