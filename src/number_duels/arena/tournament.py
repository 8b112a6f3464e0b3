"""Tournaments that can be interrupted and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from number_duels.arena.engines import Engine, Task
from number_duels.arena.results import GameResult, ResultsFile, check_belongs
from number_duels.arena.schedule import Fixture, Schedule, event_name, has_outsiders
from number_duels.arena.stats.scores import unit_of
from number_duels.arena.stats.sprt import RunningTest, Sprt, Verdict


@dataclass
class PairingProgress:
    """One pairing, with its pairs of games in schedule order and an optional test."""

    pairs: list[tuple[Fixture, Fixture]]
    #: The test that can stop the pairing early, or None to play all pairs.
    test: RunningTest | None = None

    @property
    def verdict(self) -> Verdict | None:
        return None if self.test is None else self.test.verdict

    @property
    def needed(self) -> int:
        """Return how many pairs count: all of them, or those up to the verdict."""
        return self.test.count if self.test and self.test.verdict else len(self.pairs)

    def update(self, results: Mapping[str, GameResult]) -> None:
        if self.test is None:
            return
        for first, second in self.pairs[self.test.count :]:
            one, two = results.get(first.id), results.get(second.id)
            if self.test.verdict is not None or one is None or two is None:
                return
            self.test.add(unit_of(one, two))


def salted(schedule: Schedule, file: ResultsFile, wanted: str | None = None) -> Schedule:
    """Add the salt of the results file to a schedule, if external players take part."""
    if not has_outsiders(schedule.players):
        return schedule
    return replace(schedule, salt=file.settle_salt(wanted))


class Tournament:
    """A schedule, its results file, and an optional test that stops decided pairings early."""

    def __init__(self, schedule: Schedule, file: ResultsFile, sprt: Sprt | None = None) -> None:
        self.schedule = schedule
        self.file = file
        self.sprt = sprt
        self.pairings = [
            PairingProgress(list(schedule.pairs_of(pairing)), RunningTest(sprt) if sprt else None)
            for pairing in schedule.pairings()
        ]
        planned = {f.id: f for pairing in self.pairings for pair in pairing.pairs for f in pair}
        check_belongs(file, planned)
        self.total = len(planned)

    def run(self, engine: Engine, on_result: Callable[[GameResult], None]) -> None:
        """Play the games missing from the file. Write each one, then call `on_result`."""
        for results in engine.run(self.tasks()):
            for result in results:
                self.file.add(result)
                on_result(result)
        self.file.finish(self.in_order(), self.schedule.origin)

    def tasks(self) -> Iterator[Task]:
        """Yield the missing games: the first pair of every pairing, then the second, and so on."""
        for number in range(self.schedule.pairs):
            for pairing in self.pairings:
                pairing.update(self.file.results)
                missing = tuple(f for f in pairing.pairs[number] if f.id not in self.file.results)
                if missing and number < pairing.needed:
                    yield missing

    @property
    def verdicts(self) -> dict[tuple[str, str, str], str]:
        found = {}
        for progress in self.pairings:
            pairing = progress.pairs[0][0].pairing
            if progress.verdict is not None:
                place = event_name(pairing.game), pairing.one.name, pairing.two.name
                found[place] = self.sentence(progress)
        return found

    def sentence(self, pairing: PairingProgress) -> str:
        assert self.sprt is not None
        ends = sorted((self.sprt.elo0, self.sprt.elo1), reverse=pairing.verdict == "elo1")
        return f"closer to {ends[0]:+g} than to {ends[1]:+g} Elo"

    def counting(self) -> list[GameResult]:
        return [self.file.results[name] for name in self.in_order() if name in self.file.results]

    def in_order(self) -> Iterator[str]:
        for pairing in self.pairings:
            pairing.update(self.file.results)
            for pair in pairing.pairs[: pairing.needed]:
                yield from (fixture.id for fixture in pair)
