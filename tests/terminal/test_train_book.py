"""The mistake book, puzzles and lessons at the command line."""

from __future__ import annotations

import json
import shlex
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.record import Person, Record
from number_duels.games import names
from number_duels.terminal.commands import train
from number_duels.terminal.errors import DONE, INTERRUPTED, WRONG_USAGE
from number_duels.terminal.main import run
from number_duels.terminal.parser import build_parser
from number_duels.terminal.train.puzzles import DailyTasks, PuzzleTasks, best_run
from number_duels.terminal.train.tasks import spot_of
from number_duels.terminal.train.words import again_command
from number_duels.trainer.book import Book
from number_duels.trainer.book_file import BookFile
from number_duels.trainer.daily import daily
from number_duels.trainer.events import AddCard, AnswerGiven
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import puzzles
from number_duels.trainer.run import start_run
from number_duels.trainer.spot import Spot
from tests.terminal.desk import Desk
from tests.terminal.training import KNOT, book_of, drills, loaded, mistake

ANN = (Person("Ann"), Person("Computer", "level:2"))
GAME = Record("number-knot", KNOT.settings, None, 7, ANN, "A2 S8 S9 S4", "0-1", "x", "2026-03-01")
#: Where Ann went wrong in it.
WRONG = "A2 S8"


def records(folder: Path, *records: Record) -> str:
    path = folder / "games.jsonl"
    path.write_text("".join(f"{one.match().record.to_json()}\n" for one in records))
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == DONE
    return capsys.readouterr().out


def test_games_are_added_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = records(tmp_path, GAME, GAME)
    assert said(capsys, "train", "--add", path) == "1 new position in your book, from 2 games.\n"
    assert said(capsys, "train", "--add", path) == "0 new positions in your book, from 2 games.\n"
    (card,) = BookFile().read().cards
    assert (card.spot.moves, card.source) == (WRONG, "game")


def test_somebody_else_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = records(tmp_path, GAME)
    assert "Not counted: without Bo (1)." in said(capsys, "train", "--add", path, "--name", "Bo")
    said(capsys, "train", "--add", path, "--name", "Computer")
    assert all(card.spot.seat is nd.Seat.TWO for card in BookFile().read().cards)


def test_a_book_goes_to_another_machine_and_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(capsys, "train", "--add", records(tmp_path, GAME))
    copy = tmp_path / "book.jsonl"
    said(capsys, "train", "--export", str(copy))
    assert run(["train", "--export", str(copy)]) == WRONG_USAGE
    assert "exists; name another file." in capsys.readouterr().err
    mine = BookFile().read()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    assert said(capsys, "train", "--merge", str(copy)) == "1 new event taken in.\n"
    assert said(capsys, "train", "--merge", str(copy)) == "0 new events taken in.\n"
    assert BookFile().read() == mine


def test_what_is_due_is_asked(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    file = BookFile(desk.folder / "data" / "number-duels" / "training.jsonl")
    file.append(AddCard.of(task.spot, yesterday, source="analysis", cost=0.5))
    done = desk.run("train", "--book", typed=[mistake(task)])
    assert done.status == DONE
    assert "Number Knot, 1 of 1, from an analysis, new" in done.out
    assert "In your book; it comes back tomorrow." in done.out
    assert f"Try it again: {again_command(task.spot.spot)}\n" in done.out
    assert book_of(desk).answers[0].kind == "book"
    assert desk.run("train", "--book").out == "Nothing is due; the next position: tomorrow.\n"


def test_the_command_that_asks_a_spot_again_leads_to_it() -> None:
    unusual = loaded("number-knot", life=9, first=2)
    own = Spot(unusual.name, unusual.settings, None, "S2", nd.Seat.ONE)
    for spot in (own, *(one.spot for name in names() for one in puzzles(name)[:5])):
        args = build_parser().parse_args(shlex.split(again_command(spot))[1:])
        train.check(args)
        found = spot_of(train.chosen_game(args), args.deal, args.moves, int(args.seat))
        assert found.id == spot.open().id


def test_when_nothing_is_due_the_next_position_can_be_tried(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = drills(KNOT, 3, 1)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    BookFile().append(AddCard.of(task.spot, tomorrow, source="drill", cost=0.5))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert run(["train", "--book"]) == DONE
    assert f"Try it now: {again_command(task.spot.spot)}\n" in capsys.readouterr().err


def test_an_empty_book_says_what_fills_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "train", "--book") == "What you miss in drills and games comes back here.\n"


# ---- puzzles -------------------------------------------------------------------


def test_puzzles_are_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "train", "knot", "--puzzles", "--grade", "5", "--theme", "trap", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines
    assert all(line["grade"] == 5 and "trap" in line["themes"] for line in lines)
    assert all(line["game"] == "number-knot" and line["answers"] for line in lines)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("train knot --puzzles --theme sunset", "There is no theme 'sunset'; there are only-move"),
        ("train knot --puzzles --set life=9", "the usual settings"),
        ("train knot --lesson --moves S5", "the usual settings"),
    ],
)
def test_puzzles_that_are_not_there(
    line: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == WRONG_USAGE
    assert sentence in capsys.readouterr().err


def test_puzzles_are_asked_and_what_was_solved_comes_last(desk: Desk) -> None:
    words = ("train", "knot", "--puzzles", "--seed", "3", "--count", "1", "--grade", "2")
    found = [one for one in puzzles("number-knot") if one.grade == 2]
    first = PuzzleTasks(found, Book(), 3, 1).draw(nd.solve(KNOT))
    puzzle = next(one for one in found if one.id == first.note)
    done = desk.run(*words, typed=[puzzle.answers[0]])
    assert puzzle.prompt in done.out
    assert puzzle.note in done.out
    assert "1 of 1 right" in done.out
    (answer,) = book_of(desk).answers
    assert (answer.kind, answer.note, answer.cost) == ("puzzle", puzzle.id, 0.0)
    again = PuzzleTasks(found, book_of(desk), 3, len(found))
    order = [again.draw(nd.solve(KNOT)).note for _ in found]
    assert order[-1] == puzzle.id


def test_the_puzzle_of_the_day_can_be_shared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    day = date(2026, 11, 18)
    monkeypatch.setattr(train, "local_day", lambda: day)
    tasks = DailyTasks(day, Book())
    spot, noon = tasks.puzzle.spot.open(), datetime(2026, 11, 18, 12, tzinfo=UTC)
    for n, right in enumerate((False, True)):
        BookFile().append(
            AnswerGiven.of(
                *(spot, noon + timedelta(minutes=n)),
                kind="daily",
                form="move",
                answer="x",
                note=str(day),
                cost=0.0,
                right=right,
            )
        )
    out = said(capsys, "train", "--daily")
    assert out.startswith(f"Number Duels 2026-11-18 · {spot.game.title} {daily(day).stars} ⬛🟩 · ")
    assert out.endswith("streak 1\nThere is another one tomorrow.\n")
    assert json.loads(said(capsys, "train", "--daily", "--json"))["id"] == daily(day).id


def test_a_run_is_played_from_a_pipe(desk: Desk) -> None:
    first, second = start_run("number-knot", 4, 0.0).puzzles[:2]
    wrong = next(str(m) for m in second.spot.open().options if not second.is_right(str(m)))
    done = desk.run("train", "knot", "--run", "--seed", "4", typed=[first.answers[0], wrong])
    assert done.status == INTERRUPTED
    assert "left, 1 right, 0 of 3 wrong" in done.out
    assert "The run: 1 right. That is your best." in done.out
    assert best_run(book_of(desk)) == 1
    desk.run("train", "knot", "--run", "--seed", "4", typed=[first.answers[0]])
    assert best_run(book_of(desk)) == 1  # the same puzzles again are another run


# ---- lessons -------------------------------------------------------------------


def test_a_lesson_is_taken_to_its_end_and_goes_on_where_it_was_left(desk: Desk) -> None:
    steps = [step for step in lesson("number-bid").steps if step.asks]
    solution = nd.solve(loaded("number-bid"))
    typed = [step.accepts[0] if step.accepts else step.exercise(solution).best[0] for step in steps]
    stopped = desk.run("train", "bid", "--lesson", typed=typed[:1])
    assert stopped.status == INTERRUPTED
    place = int(book_of(desk).lesson_place("number-bid"))
    done = desk.run("train", "bid", "--lesson", typed=typed[1:])
    assert done.status == DONE
    assert f"Going on at step {place + 1}." in done.err
    tests = sum(step.kind == "test" for step in steps)
    assert f"The test: {tests} of {tests} right." in done.out
    assert all(answer.right for answer in book_of(desk).answers)
    assert book_of(desk).cards == ()
