"""An arena from its first game to its last, or as far as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from number_duels.arena.results_file import Book, Entry, check_belongs
from number_duels.arena.schedule import Fixture, Plan, event_name
from number_duels.arena.stats.pairs import unit_of
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.workers import Engine, Task


@dataclass
class Question:
    """One pairing on its way to an answer: the results of its pairs, in the plan's order."""

    pairs: list[tuple[Fixture, Fixture]]
    units: list[float] = field(default_factory=list)
    verdict: str | None = None

    @property
    def needed(self) -> int:
        """How many pairs count: all of them, or those up to the answer."""
        return len(self.pairs) if self.verdict is None else len(self.units)

    def take_in(self, entries: dict[str, Entry], sprt: Sprt) -> None:
        """Look at the pairs that are there, one after the other, up to the answer."""
        for first, second in self.pairs[len(self.units) :]:
            a, b = entries.get(first.id), entries.get(second.id)
            if self.verdict is not None or a is None or b is None:
                return
            self.units.append(unit_of(a, b).result)
            self.verdict = sprt.verdict(self.units)


class Arena:
    """A plan, the book it is written into, and when a pairing is decided early."""

    def __init__(self, plan: Plan, book: Book, sprt: Sprt | None = None) -> None:
        self.plan = plan
        self.book = book
        self.sprt = sprt
        self.questions = [Question(list(plan.pairs_of(p))) for p in plan.pairings()]
        planned = {f.id: f for q in self.questions for pair in q.pairs for f in pair}
        check_belongs(book, planned)
        self.total = len(planned)

    def run(self, engine: Engine, watch: Callable[[Entry], None]) -> None:
        """Play what is not in the book yet; every game is in the book before it is watched."""
        for task, games in engine.run(self.tasks()):
            for fixture, played in zip(task, games, strict=True):
                watch(self.book.add(fixture, played))
        self.book.finish(self.in_order())

    def tasks(self) -> Iterator[Task]:
        """What is still to be played: every pairing's first pair, then its second, and so on."""
        for number in range(self.plan.pairs):
            for question in self.questions:
                self.look(question)
                missing = tuple(f for f in question.pairs[number] if f.id not in self.book.entries)
                if missing and number < question.needed:
                    yield missing

    @property
    def verdicts(self) -> dict[tuple[str, str, str], str]:
        """What was found early, by event and players."""
        found = {}
        for question in self.questions:
            pairing = question.pairs[0][0].pairing
            if question.verdict is not None:
                place = event_name(pairing.game), pairing.one.name, pairing.two.name
                found[place] = self.sentence(question)
        return found

    def sentence(self, question: Question) -> str:
        """What was found, in words."""
        assert self.sprt is not None
        ends = sorted((self.sprt.elo0, self.sprt.elo1), reverse=question.verdict == "elo1")
        return f"nearer {ends[0]:+g} than {ends[1]:+g} Elo"

    def counting(self) -> list[Entry]:
        """The games that count, as far as they are played."""
        return [self.book.entries[name] for name in self.in_order() if name in self.book.entries]

    def look(self, question: Question) -> None:
        """See whether a pairing is decided by now."""
        if self.sprt is not None:
            question.take_in(self.book.entries, self.sprt)

    def in_order(self) -> Iterator[str]:
        """The games that count, in the order of the plan."""
        for question in self.questions:
            self.look(question)
            for pair in question.pairs[: question.needed]:
                yield from (fixture.id for fixture in pair)
