"""The mistake book, puzzles and lessons at the command line."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import number_duels as nd
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import Person, Record
from number_duels.games import names
from number_duels.sessions.train import Plan, TrainSession, spot_after
from number_duels.terminal.commands import train
from number_duels.terminal.errors import DONE, INTERRUPTED, WRONG_USAGE
from number_duels.terminal.line.trainer import again_command
from number_duels.terminal.parser import build_parser
from number_duels.trainer.book import AddCard, BookFile, TrainingEvent
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import daily, find_puzzle, puzzles
from number_duels.trainer.spot import Spot
from tests.clock import ManualClock
from tests.sessions.training import MemoryBook, mistake
from tests.terminal.desk import Desk, hear_out
from tests.terminal.training import KNOT, TickingClock, book_file, book_of, drills, loaded

ANN = (Person("Ann"), Person("Computer", "level:2"))
GAME = Record("number-knot", KNOT.settings, None, 7, ANN, "A2 S8 S9 S4", "0-1", "x", "2026-03-01")
#: Where Ann went wrong in it.
WRONG = "A2 S8"


def records(desk: Desk, *records: Record) -> str:
    path = desk.folder / "games.jsonl"
    path.write_text("".join(f"{one.match().record.to_json()}\n" for one in records))
    return str(path)


def said(desk: Desk, *words: str, clock: Clock = SYSTEM_CLOCK, **environment: str) -> str:
    done = desk.run(*words, clock=clock, more=environment)
    assert (done.status, done.err) == (DONE, "")
    return done.out


def test_games_are_added_once(desk: Desk) -> None:
    path = records(desk, GAME, GAME)
    assert said(desk, "book", "add", path) == "1 new mistake in your book, from 2 games.\n"
    assert said(desk, "book", "add", path) == "0 new mistakes in your book, from 2 games.\n"
    (card,) = book_of(desk).cards
    assert (card.spot.moves, card.source) == (WRONG, "game")


def test_somebody_else_is_named(desk: Desk) -> None:
    path = records(desk, replace(GAME, players=(Person("Cy"), Person("Di"))))
    assert "Not counted: without Bo (1)." in said(desk, "book", "add", path, "--name", "Bo")
    assert said(desk, "book", "add", path, "--name", "Di").startswith("0 new mistakes")
    assert said(desk, "book", "add", path, "--name", "Cy").startswith("1 new mistake ")
    assert [card.spot.seat for card in book_of(desk).cards] == [nd.Seat.ONE]


def test_a_book_goes_to_another_machine_and_comes_back(desk: Desk) -> None:
    said(desk, "book", "add", records(desk, GAME))
    said(desk, "book", "export", "book.jsonl")
    again = desk.run("book", "export", "book.jsonl")
    assert (again.status, again.sentence) == (
        WRONG_USAGE,
        "book.jsonl exists already; name another file.",
    )
    elsewhere = desk.folder / "elsewhere"
    for new in ("1 new event merged into your book.\n", "0 new events merged into your book.\n"):
        assert said(desk, "book", "merge", "book.jsonl", XDG_DATA_HOME=str(elsewhere)) == new
    assert BookFile(elsewhere / "number-duels" / "training.jsonl").read() == book_of(desk)


def fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: BookFile, *events: TrainingEvent) -> None:
        if events:
            raise ValueError(f"The mistake book cannot be saved to {file.path}: full.")

    monkeypatch.setattr(BookFile, "append", refuse)


def test_on_a_full_disk_training_goes_on_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = drills(KNOT, 3, 1)
    fill_the_disk(monkeypatch)
    words = ("train", "knot", "--seed", "3", "--count", "1")
    done = desk.run(*words, typed=[mistake(task)])
    assert (done.status, done.err) == (DONE, "")
    assert "Wrong: it lowers" in done.out
    assert done.out.count("full. Your answers are not saved.") == 2  # at once, and at the end


def test_on_a_full_disk_the_book_is_still_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    spot = puzzles(KNOT.name)[0].spot.open()
    book_file(desk).append(AddCard.of(spot, datetime.now(UTC), source="puzzle", cost=0.5))
    desk.games.mkdir(parents=True)
    (desk.games / "game.json").write_text(GAME.match().record.to_json())
    fill_the_disk(monkeypatch)
    for words in (("book",), ("train", "today")):
        done = desk.run(*words, typed=["quit"])
        assert done.status == DONE
        assert "The mistake book cannot be saved to" in done.err
    assert spot.id in desk.run("book").out


def test_an_empty_book_says_how_cards_are_made(desk: Desk) -> None:
    empty = (
        "Your book is empty. It collects the mistakes you make in drills, puzzles and saved"
        " games.\n"
    )
    assert said(desk, "book") == empty
    said(desk, "book", "add", records(desk, GAME))
    assert empty not in said(desk, "book")


def test_a_card_is_listed_and_removed(desk: Desk) -> None:
    said(desk, "book", "add", records(desk, GAME))
    (card,) = book_of(desk).cards
    about = "Number Knot, turn 3, from your game on 2026-03-01, new, cost 50%"
    assert said(desk, "book").endswith(f"  {card.id}  today        {about}\n")
    assert card.id not in said(desk, "book", "list", "bid")
    assert said(desk, "book", "remove", card.id) == "1 mistake removed.\n"
    assert book_of(desk).cards == ()


def test_cards_are_found_by_their_words(desk: Desk) -> None:
    said(desk, "book", "add", records(desk, GAME))
    (card,) = book_of(desk).cards
    for text in ("knot", "GAME on 2026-03", "today s8", card.id[:6]):
        assert card.id in said(desk, "book", "find", *text.split())
    none = said(desk, "book", "find", "knot", "tomorrow")
    assert none == "No mistake matches that. Search for a game, moves, a source or a day.\n"
    assert json.loads(said(desk, "book", "find", "drill", "--json"))["cards"] == []


def test_all_cards_of_a_game_are_removed_and_others_stay(desk: Desk) -> None:
    clock = TickingClock()
    bids = [puzzle.spot.open() for puzzle in puzzles("number-bid")[:3]]
    knot = puzzles(KNOT.name)[0].spot.open()
    cards = [AddCard.of(one, clock.now(), source="puzzle", cost=0.5) for one in (*bids, knot)]
    book_file(desk).append(*cards)
    assert said(desk, "book", "remove", "bid", clock=clock) == "3 mistakes removed.\n"
    assert [card.id for card in book_of(desk).cards] == [knot.id]


def test_what_is_missed_comes_back_when_its_time_has_come(desk: Desk) -> None:
    clock, (task,) = ManualClock(), drills(KNOT, 3, 1)
    book_file(desk).append(AddCard.of(task.spot, clock.now(), source="analysis", cost=0.5))
    clock.advance(60)
    done = desk.run("train", "today", typed=[mistake(task)], clock=clock)
    assert done.status == DONE
    assert "Number Knot, mistake 1 of 1, new" in done.out
    assert "In your mistake book. It comes back tomorrow." in done.out
    assert f"Try it again: {again_command(task.spot.spot)}\n" in done.out
    (answer,) = book_of(desk).answers
    assert (answer.kind, answer.time.date()) == ("book", clock.now().date())
    waits = "Nothing to practice; the next comes back tomorrow.\n"
    assert said(desk, "train", "today", clock=clock) == waits
    clock.advance(24 * 3600)
    asked = desk.run("train", "today", typed=["quit"], clock=clock)
    assert "Number Knot, mistake 1 of 1, missed 1 of 1" in asked.out


def test_the_command_that_asks_a_spot_again_leads_to_it() -> None:
    unusual = loaded("number-knot", life=9, first=2)
    own = Spot(unusual.name, unusual.settings, None, "S2", nd.Seat.ONE)
    for spot in (own, *(one.spot for name in names() for one in puzzles(name)[:5])):
        args = build_parser().parse_args(shlex.split(again_command(spot))[1:])
        train.check(args)
        found = spot_after(train.chosen_game(args), args.deal, args.moves, int(args.seat))
        assert found.id == spot.open().id


def test_when_nothing_is_due_the_next_position_can_be_tried(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    book_file(desk).append(AddCard.of(task.spot, tomorrow, source="drill", cost=0.5))
    with desk.sit("train", "today", columns=400) as session:
        assert f"Try it now: {again_command(task.spot.spot)}\n" in hear_out(session)


def test_an_empty_book_says_what_fills_it(desk: Desk) -> None:
    assert said(desk, "train", "today") == "Your mistakes will come back here.\n"


# ---- puzzles -------------------------------------------------------------------


def test_puzzles_are_json_lines(desk: Desk) -> None:
    out = said(desk, "train", "puzzles", "knot", "--grade", "5", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines
    assert all(line["grade"] == 5 for line in lines)
    assert all(line["game"] == "number-knot" and line["answers"] for line in lines)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("train puzzles knot --set life=9", "--set works only with train drill."),
        ("train lesson knot --moves S5", "--moves works only with train drill."),
    ],
)
def test_puzzles_that_are_not_there(line: str, sentence: str, desk: Desk) -> None:
    done = desk.run(*line.split())
    assert done.status == WRONG_USAGE
    assert sentence in done.sentence


def test_puzzles_are_asked_and_what_was_solved_comes_last(desk: Desk) -> None:
    words = ("train", "puzzles", "knot", "--seed", "3", "--count", "1", "--grade", "2")
    plan = Plan("puzzle", KNOT.name, grade=2, count=100, seed=3)
    first, *others = TrainSession(plan, MemoryBook()).state.items
    puzzle = find_puzzle(first)
    done = desk.run(*words, typed=[puzzle.answers[0]])
    assert "Find the only move that wins." in done.out
    assert " would have lowered your winning chance from 100% to 50%." in done.out
    assert "1 of 1 right" in done.out
    (answer,) = book_of(desk).answers
    assert (answer.kind, answer.note, answer.cost) == ("puzzle", puzzle.id, 0.0)
    again = TrainSession(plan, MemoryBook(*book_of(desk).events))
    assert again.state.items == (*others, puzzle.id)


def test_stars_are_printed_in_every_encoding(desk: Desk) -> None:
    words = ("train", "puzzles", "knot", "--count", "1", "--grade", "2")
    for encoding, stars in (("utf-8", "★★☆☆☆"), ("iso-8859-1", "**..."), ("ascii", "**...")):
        done = desk.run(*words, typed=["quit"], PYTHONIOENCODING=encoding)
        assert done.out.splitlines()[0] == f"Number Knot, puzzle 1 of 1, difficulty {stars}"


def test_the_puzzle_of_the_day_is_solved_once_a_day_and_can_be_shared(desk: Desk) -> None:
    quick = {"number-bid", "number-knot"}  # the largest game takes long to solve
    clock = TickingClock()
    while {daily(clock.start.date() + timedelta(n)).spot.game for n in (0, 1)} - quick:
        clock.start += timedelta(days=1)
    for streak in (1, 2):
        day = clock.now().date()
        puzzle = daily(day)
        spot = puzzle.spot.open()
        wrong = next(str(m) for m in spot.options if not puzzle.is_right(str(m)))
        typed = [wrong, puzzle.answers[0]]
        shared = f"Number Duels {day} · {spot.game.title} {puzzle.stars} ⬛🟩 · streak {streak}\n"
        done = desk.run("train", "daily", typed=typed, clock=clock)
        assert (done.status, shared in done.out) == (DONE, True)
        again = said(desk, "train", "daily", clock=clock)
        assert again == f"{shared}A new puzzle comes tomorrow.\n"
        assert json.loads(said(desk, "train", "daily", "--json", clock=clock))["id"] == puzzle.id
        book = json.loads(said(desk, "book", "list", "--json", clock=clock))
        assert book["daily_streak"] == streak
        clock.advance(24 * 3600)


# ---- lessons -------------------------------------------------------------------


def test_a_lesson_is_taken_to_its_end_and_goes_on_where_it_was_left(desk: Desk) -> None:
    steps = [step for step in lesson("number-bid").steps if step.asks]
    solution = nd.solve(loaded("number-bid"))
    typed = [step.accepts[0] if step.accepts else step.exercise(solution).best[0] for step in steps]
    stopped = desk.run("train", "lesson", "bid", typed=typed[:1])
    assert stopped.status == INTERRUPTED
    place = int(book_of(desk).lesson_place("number-bid"))
    done = desk.run("train", "lesson", "bid", typed=typed[1:])
    assert done.status == DONE
    assert f"You have already done {place} steps." in done.err
    tests = sum(step.kind == "test" for step in steps)
    assert done.out.count(f"{tests} of {tests} right") == 1
    assert f"The test: {tests} of {tests} right on the first try." in done.out
    assert all(answer.right for answer in book_of(desk).answers)
    assert book_of(desk).cards == ()
