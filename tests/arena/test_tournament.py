"""An arena on worker processes: the same games whatever happens to it on the way."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from number_duels.arena.game_runner import Played
from number_duels.arena.results_file import Book, Entry, read_book
from number_duels.arena.stats.sprt import Sprt
from number_duels.arena.tournament import Arena
from number_duels.arena.workers import Pool, Task
from tests.arena.matches import GAMES, TERMS, plan, run


def games(path: Path) -> list[dict[str, object]]:
    """The lines of a book, apart from when the games were played."""
    return [{**json.loads(line), "started": ""} for line in path.read_text().splitlines()]


def test_the_same_seed_gives_the_same_file_whatever_the_number_of_workers(tmp_path: Path) -> None:
    what = plan("random", "level:1", "perfect")
    for workers in (1, 2):
        run(what, tmp_path / f"{workers}.jsonl", workers)
    one, two = (games(tmp_path / f"{workers}.jsonl") for workers in (1, 2))
    assert one == two
    assert len(one) == len(GAMES) * 3 * 3 * 2


def test_every_line_is_a_record_that_can_be_read_again(tmp_path: Path) -> None:
    import number_duels as nd

    run(plan("random", "perfect", pairs=1), tmp_path / "book.jsonl")
    for line in (tmp_path / "book.jsonl").read_text().splitlines():
        record = nd.Record.from_json(line)
        match = nd.Match.from_record(nd.load(record.game, **record.settings), record)
        assert match.result == record.result


class Stopped(Exception):
    """Somebody pulls the plug."""


def stopped_after(number: int, what: Arena) -> int:
    """Play until some games are in the book; how many there are."""
    seen = 0

    def watch(_: Entry) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            raise Stopped

    with pytest.raises(Stopped):
        what.run(Pool(2, TERMS), watch)
    what.book.close()
    return seen


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    what = plan("random", "level:1", "perfect", games=GAMES[:2])
    run(what, tmp_path / "whole.jsonl", 2)
    path = tmp_path / "cut.jsonl"
    first = Arena(what, Book(path))
    stopped_after(5, first)
    kept = path.read_text().splitlines()
    assert len(kept) == 5
    again: list[str] = []
    second = Arena(what, Book(path))
    second.run(Pool(2, TERMS), lambda entry: again.append(entry.fixture))
    assert len(again) == second.total - 5
    assert set(kept) <= set(path.read_text().splitlines())
    assert games(path) == games(tmp_path / "whole.jsonl")


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    what = plan("random", "perfect", games=GAMES[:1])
    path = tmp_path / "book.jsonl"
    run(what, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-25])
    run(what, path)
    assert games(path) == [{**json.loads(line), "started": ""} for line in whole.splitlines()]


def test_a_finished_run_plays_nothing_again(tmp_path: Path) -> None:
    what = plan("random", "perfect", games=GAMES[:1])
    run(what, tmp_path / "book.jsonl")
    before = (tmp_path / "book.jsonl").read_bytes()
    run(what, tmp_path / "book.jsonl")
    assert (tmp_path / "book.jsonl").read_bytes() == before


def test_more_pairs_keep_those_that_were_played(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    run(plan("random", "perfect", games=GAMES[:1], pairs=2), path)
    kept = path.read_text().splitlines()
    run(plan("random", "perfect", games=GAMES[:1], pairs=4), path)
    assert path.read_text().splitlines()[:4] == kept
    assert len(read_book(path)) == 8


def test_a_question_asked_later_takes_no_game_out_of_the_book(tmp_path: Path) -> None:
    what = plan("perfect", "random", games=GAMES[3:4], pairs=60)
    path = tmp_path / "book.jsonl"
    run(what, path)
    before = path.read_text().splitlines()
    arena = run(what, path, sprt=Sprt(0, 100))
    assert sorted(path.read_text().splitlines()) == sorted(before)
    assert len(arena.counting()) == 2 * arena.questions[0].needed < len(before)


def test_another_player_by_the_same_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    run(plan("me=random", "perfect", games=GAMES[:1]), path)
    with closing(Book(path)) as book, pytest.raises(ValueError, match="by the same name"):
        Arena(plan("me=level:1", "perfect", games=GAMES[:1]), book)


def test_fewer_pairs_than_there_are_is_said(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    run(plan("random", "perfect", games=GAMES[:1], pairs=3), path)
    with closing(Book(path)) as book, pytest.raises(ValueError, match="holds more pairs"):
        Arena(plan("random", "perfect", games=GAMES[:1], pairs=2), book)


@pytest.mark.parametrize("other", [{"seed": 2}, {"games": GAMES[1:2]}])
def test_the_games_of_two_plans_are_never_mixed(tmp_path: Path, other: dict[str, int]) -> None:
    path = tmp_path / "book.jsonl"
    run(plan("random", "perfect", games=GAMES[:1], pairs=2), path)
    changed = {"games": GAMES[:1], "pairs": 2, **other}
    with closing(Book(path)) as book, pytest.raises(ValueError, match="another arena"):
        Arena(plan("random", "perfect", **changed), book)  # type: ignore[arg-type]  # a table


def test_a_file_that_is_no_book_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"dear": "diary"}\n')
    with pytest.raises(ValueError, match="line 1"):
        Book(path)
    assert path.read_text() == '{"dear": "diary"}\n'


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"loss": ', '"loss": "x", "was": '),
        ('"name": "random"', '"name": "\\u001b[2J"'),
        ('"event": "', '"event": ["'),
        ('"result": "', '"result": "?'),
        ('"pair": 1', '"pair": null'),
    ],
)
def test_a_damaged_line_is_refused_with_its_number(tmp_path: Path, good: str, bad: str) -> None:
    path = tmp_path / "book.jsonl"
    run(plan("random", "perfect", games=GAMES[:1], pairs=1), path)
    text = path.read_text()
    assert good in text
    path.write_text(text.replace(good, bad, 1))
    with pytest.raises(ValueError, match="line 1"):
        read_book(path)


def test_two_arenas_cannot_write_one_book(tmp_path: Path) -> None:
    book = Book(tmp_path / "book.jsonl")
    with pytest.raises(ValueError, match="another arena"):
        Book(tmp_path / "book.jsonl")
    book.close()
    Book(tmp_path / "book.jsonl").close()


class Killer(Pool):
    """A pool of which a worker is killed in the middle."""

    def run(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, list[Played]]]:
        """Kill a worker after the third result."""
        for number, done in enumerate(super().run(tasks)):
            if number == 2:
                victim = multiprocessing.active_children()[0]
                assert victim.pid is not None
                os.kill(victim.pid, signal.SIGKILL)
            yield done


def test_the_games_of_a_lost_worker_are_played_again(tmp_path: Path) -> None:
    what = plan("random", "level:1", games=GAMES, pairs=4)
    run(what, tmp_path / "whole.jsonl")
    run(what, tmp_path / "hurt.jsonl", engine=Killer(2, TERMS))
    assert games(tmp_path / "hurt.jsonl") == games(tmp_path / "whole.jsonl")


def test_no_worker_is_left_behind(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    what = Arena(plan("random", "perfect", games=GAMES[:2]), Book(tmp_path / "book.jsonl"))
    stopped_after(2, what)
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("workers", [1, 2])
def test_a_pairing_ends_when_its_question_is_answered(tmp_path: Path, workers: int) -> None:
    what = plan("perfect", "random", games=GAMES[3:4], pairs=60)
    path = tmp_path / "book.jsonl"
    arena = run(what, path, workers, Sprt(0, 100))
    (needed,) = (question.needed for question in arena.questions)
    assert list(arena.verdicts.values()) == ["nearer +100 than +0 Elo"]
    assert needed < 60
    assert [entry.pair for entry in read_book(path)] == [
        n for n in range(1, needed + 1) for _ in "ab"
    ]


def test_what_is_known_is_not_played_for(tmp_path: Path) -> None:
    what = plan("perfect", "random", games=GAMES[3:4], pairs=60)
    arena, played = Arena(what, Book(tmp_path / "book.jsonl"), Sprt(0, 100)), list[str]()
    arena.run(Pool(1, TERMS), lambda entry: played.append(entry.fixture))
    # A few pairs are on their way when the answer comes.
    assert len(played) <= 2 * (arena.questions[0].needed + 2) < arena.total


def test_the_number_of_workers_does_not_change_where_a_pairing_ends(tmp_path: Path) -> None:
    what = plan("perfect", "random", games=GAMES[3:4], pairs=60)
    for workers in (1, 2):
        run(what, tmp_path / f"{workers}.jsonl", workers, Sprt(0, 100))
    assert games(tmp_path / "1.jsonl") == games(tmp_path / "2.jsonl")
