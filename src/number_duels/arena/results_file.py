"""The book of an arena: a file of records, one game a line, each written as soon as it is over.

Beside what every record has, a line holds under `arena` what the report needs. What
was said to language models lies in a second file beside it.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from number_duels.arena.game_runner import Played
from number_duels.arena.grading import RESULTS, Blunder, Cost
from number_duels.arena.schedule import Fixture, event_name
from number_duels.core.record import Record

#: What a reader of the file finds each game under.
MARK = "arena"


@dataclass(frozen=True)
class Side:
    """One seat of a game in the book."""

    name: str
    who: str
    forfeit: str
    faults: tuple[str, ...]
    cost: Cost


@dataclass(frozen=True)
class Entry:
    """A game in the book, as far as the report needs it."""

    fixture: str
    game: str
    settings: Mapping[str, int | str]
    event: str
    pairing: tuple[str, str]
    pair: int
    seed: int
    deal: str | None
    moves: str
    #: Player 1's result, and how much cards and known mixing brought; None: nobody can tell.
    result: float
    luck: tuple[float, float] | None
    sides: tuple[Side, Side]


def line_of(fixture: Fixture, played: Played) -> str:
    """A played game as a line of the book."""
    figures, forfeit = played.figures, played.forfeit
    extra: dict[str, object] = {
        "fixture": fixture.id,
        "event": event_name(fixture.pairing.game),
        "pairing": [fixture.pairing.one.name, fixture.pairing.two.name],
        "pair": fixture.pair,
        "forfeit": None if forfeit is None else {"seat": forfeit[0] + 1, "kind": forfeit[1]},
        "faults": [[asdict(fault) for fault in own] for own in played.faults],
    }
    if figures is not None:
        extra["luck"] = {"cards": round(figures.cards, 12), "mixing": round(figures.mixing, 12)}
        extra["sides"] = [rounded(asdict(cost)) for cost in figures.costs]
    return json.dumps({**played.record.as_object(), MARK: extra}, ensure_ascii=False)


def rounded(figures: dict[str, object]) -> dict[str, object]:
    """Figures without the last digits, in which machines may differ."""
    return {n: round(f, 12) if isinstance(f, float) else f for n, f in figures.items()}


def entered(fixture: Fixture, played: Played) -> Entry:
    """A played game as the book will have it."""
    return entry_of(line_of(fixture, played))


def entry_of(line: str) -> Entry:
    """A line of the book; a ValueError for anything else."""
    try:
        data = json.loads(line)
        extra = data[MARK]
        sides, luck = extra.get("sides", [{}, {}]), extra.get("luck")
        record = Record.from_json(line)
        return Entry(
            fixture=shown_name(extra["fixture"]),
            game=record.game,
            settings=record.settings,
            event=shown_name(extra["event"]),
            pairing=(shown_name(extra["pairing"][0]), shown_name(extra["pairing"][1])),
            pair=int(extra["pair"]),
            seed=int(data["seed"]),
            deal=record.deal,
            moves=record.moves,
            result=RESULTS[record.result],
            luck=(float(luck["cards"]), float(luck["mixing"])) if luck else None,
            sides=(side_of(data, sides[0], 0), side_of(data, sides[1], 1)),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ValueError("it is not a line of an arena.") from None


def side_of(data: dict, figures: dict, seat: int) -> Side:  # type: ignore[type-arg]  # JSON
    """One seat of a line."""
    player, extra = data["players"][seat], data[MARK]
    forfeit = extra["forfeit"] or {}
    return Side(
        name=shown_name(player["name"]),
        who=shown_name(player["who"]),
        forfeit=shown_name(forfeit["kind"]) if forfeit.get("seat") == seat + 1 else "",
        faults=tuple(shown_name(fault["kind"]) for fault in extra["faults"][seat]),
        cost=Cost(
            loss=float(figures.get("loss", 0.0)),
            worst=float(figures.get("worst", 0.0)),
            decisions=int(figures.get("decisions", 0)),
            blunders=tuple(
                Blunder(
                    int(one["turn"]),
                    shown_name(one["move"]),
                    float(one["loss"]),
                    tuple(map(shown_name, one["best"])),
                )
                for one in figures.get("blunders", ())
            ),
        ),
    )


def shown_name(text: object) -> str:
    """A word that can be shown on a terminal; a ValueError for anything else."""
    if not isinstance(text, str) or not text.isprintable():
        raise ValueError("no word")
    return text


class Book:
    """The open book: what is in it is never played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: dict[str, Entry] = {}
        #: The games that were there when the book was opened; they are never taken out.
        self.before: frozenset[str] = frozenset()
        self._lines: dict[str, str] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            self._lock()
            for line, entry in self._whole_lines():
                self._take(line, entry)
            self.before = frozenset(self.entries)
        except ValueError:
            self.close()
            raise

    def add(self, fixture: Fixture, played: Played) -> Entry:
        """Write down a game; it is in the file when this returns."""
        line = line_of(fixture, played)
        if played.calls:
            with self.calls_path.open("a", encoding="utf-8") as calls:
                calls.writelines(json.dumps(c, ensure_ascii=False) + "\n" for c in played.calls)
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        return self._take(line, entry_of(line))

    def finish(self, order: Iterable[str]) -> None:
        """Put the games into the order of the plan, so that equal seeds give equal files."""
        planned = dict.fromkeys(name for name in order if name in self._lines)
        wanted = [*planned, *(n for n in self._lines if n in self.before and n not in planned)]
        text = "".join(self._lines[name] + "\n" for name in wanted)
        draft = self.path.with_name(self.path.name + ".new")
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)
        self.entries = {name: self.entries[name] for name in wanted}
        self.close()

    def close(self) -> None:
        """Let others write to the file."""
        self._file.close()

    @property
    def calls_path(self) -> Path:
        """Where the conversations with language models are kept."""
        return self.path.with_suffix(".calls.jsonl")

    def _take(self, line: str, entry: Entry) -> Entry:
        self.entries[entry.fixture] = entry
        self._lines[entry.fixture] = line
        return entry

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"{self.path} is being written by another arena; name another file."
            ) from None

    def _whole_lines(self) -> list[tuple[str, Entry]]:
        """The lines so far; one that was cut off in its middle is taken off the file."""
        self._file.seek(0)
        *whole, rest = self._file.read().split(b"\n")
        found = read_lines(self.path, whole)
        if rest:
            self._file.truncate(sum(len(line) + 1 for line in whole))
        self._file.seek(0, os.SEEK_END)
        return found


def read_book(path: Path) -> list[Entry]:
    """All games of a finished or interrupted arena; a half-written last line is left out."""
    whole = path.read_bytes().split(b"\n")[:-1]
    return [entry for _, entry in read_lines(path, whole)]


def read_lines(path: Path, lines: Iterable[bytes]) -> list[tuple[str, Entry]]:
    """Lines of a book with what they say; a ValueError names the one that is wrong."""
    found = []
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode()
            found.append((text, entry_of(text)))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error} Name another file.") from None
    return found


def check_belongs(book: Book, planned: Mapping[str, Fixture]) -> None:
    """Refuse to mix the games of two plans in one file, or of two players under one name."""
    for name, entry in book.entries.items():
        fixture = planned.get(name)
        if fixture is None and f"{name[: name.rindex(' ')]} 1a" in planned:
            raise ValueError(f"{book.path} holds more pairs; ask for {entry.pair} at least.")
        who = tuple(side.who for side in entry.sides)
        if fixture is None or fixture.seed != entry.seed:
            raise ValueError(
                f"{book.path} holds games of another arena ({name}); name another file with --out."
            )
        if who != tuple(person.who for person in fixture.seats):
            raise ValueError(
                f"{book.path} holds games of another player by the same name"
                f" ({name}: {' - '.join(who)}); name another file with --out."
            )
