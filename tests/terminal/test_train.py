"""`duels train` a line at a time: drills from a pipe and at a keyboard, and what the book keeps."""

from __future__ import annotations

import json

import pytest

from number_duels.sessions.train import MIN_SERIES, path_of
from number_duels.terminal.errors import DONE, FAILED, INTERRUPTED, WRONG_USAGE
from number_duels.trainer.book import AddCard
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import MIXED
from tests.sessions.training import mistake, told_mistake
from tests.terminal.desk import Desk, bare, hear_out, hear_until, read_until
from tests.terminal.training import CARDS, KNOT, TickingClock, book_of, drills

TRAIN = ("train", "knot", "--seed", "3")
TRAIN_CARDS = ("train", "high-low", "--set", "cards=5", "--set", "rounds=3", "--seed", "3")
ASKED = "Select a number from the available numbers: "


def test_drills_are_judged_at_once_and_kept(desk: Desk) -> None:
    right, wrong, _ = drills(KNOT, 3, 3)
    typed = [right.exercise.best[0], mistake(wrong)]
    done = desk.run(*TRAIN, "--count", "2", typed=typed, clock=TickingClock())
    assert (done.status, done.err) == (DONE, "")
    assert path_of(right.spot) in done.out
    assert "Right" in done.out
    assert "Wrong: it lowers" in done.out
    assert "Saved in your mistake book: the position comes back for practice today." in done.out
    assert "1 of 2 right so far." in done.out
    assert done.out.count(KNOT.short_rules) == 1
    assert f"\nNumber Knot, exercise 2 of 2, {wrong.exercise.phase} of a game\n" in done.out
    (added,) = (event for event in book_of(desk).events if isinstance(event, AddCard))
    first, second = book_of(desk).answers
    assert (first.card, first.answer, first.right) == (right.spot.id, typed[0], True)
    assert added.card == second.card == wrong.spot.id
    assert (second.right, second.cost) == (False, wrong.exercise.cost(typed[1]))


def test_without_a_word_a_menu_asks_what_is_trained(desk: Desk) -> None:
    left = desk.run("train", "knot", typed=["q"])
    assert (left.status, left.err) == (DONE, "")
    first = " ".join(left.out.splitlines()[0].split())
    assert first.startswith("n Lesson learn Number Knot in a few minutes")
    assert "1 of 10" in desk.run("train", "knot", typed=["d", "quit"]).out
    asked = desk.run("train", typed=["d", "Number Knot", "quit"]).out
    assert "1 of 10" in asked.rpartition("Which game? ")[2]


def test_a_move_is_typed_in_steps_too(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    action, number = task.exercise.best[0][:1], task.exercise.best[0][1:]
    done = desk.run(*TRAIN, "--count", "1", typed=[number, action])
    assert done.status == DONE
    (answer,) = book_of(desk).answers
    assert (answer.answer, answer.right) == (task.exercise.best[0], True)


@pytest.mark.parametrize(
    ("options", "life"), [((), "Life Total"), (("--plain",), "Your Life Total")]
)
def test_the_learner_is_you_in_either_seat(options: tuple[str, ...], life: str, desk: Desk) -> None:
    words = ("train", "drill", "knot", "--moves", "S5", "--seat", "2", *options)
    with desk.sit(*words) as session:
        shown = bare(hear_until(session, ASKED))
    assert life in shown
    assert "Opponent" in shown
    assert "Player " not in shown


def test_a_mixed_strategy_is_typed_and_read(desk: Desk) -> None:
    (task,) = drills(CARDS, 3, 1, Scope(form=MIXED))
    perfect = {o.move: o.probability for o in task.exercise.options if o.probability}
    mix = " ".join(f"{move}:{100 * share:.3f}" for move, share in perfect.items())
    typed = ["5:much", mix]
    done = desk.run(*TRAIN_CARDS, "--as", "mixed", "--count", "1", typed=typed)
    assert "'5:much' is not a choice with a percentage; type CHOICE:PERCENT" in done.out
    assert "Suppose your opponent knows your answer" in done.out
    (answer,) = book_of(desk).answers
    assert (answer.form, answer.right) == (MIXED, True)


def test_a_right_answer_that_costs_a_little_is_no_mistake(desk: Desk) -> None:
    (task,) = drills(CARDS, 3, 1, Scope(form=MIXED))
    shares = {o.move: 100 * o.probability for o in task.exercise.options}
    likely, *_, unused = sorted(shares, key=lambda move: -shares[move])
    shares[likely] -= 0.5
    shares[unused] += 0.5
    mix = " ".join(f"{move}:{share:.3f}" for move, share in shares.items() if share)
    desk.run(*TRAIN_CARDS, "--as", "mixed", "--count", "1", typed=[mix])
    (answer,) = book_of(desk).answers
    assert (answer.right, answer.cost > 0) == (True, True)
    assert book_of(desk).cards == ()


def test_one_spot_again_and_again_tells_the_frequencies(desk: Desk) -> None:
    spot = ("--moves", "", "--seat", "2", "--count", str(MIN_SERIES))
    done = desk.run(*TRAIN_CARDS, *spot, typed=["5"] * MIN_SERIES)
    assert done.out.count("You both choose at once.") == MIN_SERIES
    assert f"of your {MIN_SERIES} answers differ from perfect play" in done.out
    assert len(book_of(desk).answers) == MIN_SERIES


def test_words_that_are_no_answers(desk: Desk) -> None:
    _, wrong, third = drills(KNOT, 3, 3)
    line = ["help", "back", "skip", mistake(wrong), "why", "add", "rules", "board", "quit"]
    done = desk.run(*TRAIN, typed=line, clock=TickingClock())
    assert done.status == DONE
    assert "how your last mistake is punished" in done.out
    assert "This move has no earlier step" in done.out
    assert "Skipped." in done.out
    assert f"\n{told_mistake(wrong)}\n" in done.out
    assert "In your mistake book. It comes back today." in done.out
    assert "RULINGS" in done.out
    assert "KEYBOARD" not in done.out  # its example could be the answer
    assert {card.id for card in book_of(desk).cards} == {wrong.spot.id, third.spot.id}


def test_an_answer_that_is_none_is_asked_again(desk: Desk) -> None:
    done = desk.run(*TRAIN, "--count", "1", typed=["", "eleven", "quit"])
    assert done.out.count(ASKED) == 3
    assert "Nothing was typed" in done.out
    assert book_of(desk).events == ()


def test_closed_input_loses_nothing(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    done = desk.run(*TRAIN, typed=[task.exercise.best[0]])
    assert done.status == INTERRUPTED
    assert "1 of 1 right" in done.out
    assert len(book_of(desk).answers) == 1


@pytest.mark.system
def test_a_kill_in_the_middle_loses_nothing(desk: Desk) -> None:
    tasks = drills(KNOT, 3, 3)
    with desk.start(*TRAIN) as process:
        for task in tasks:
            read_until(process, ASKED)
            process.stdin.write(f"{mistake(task)}\n".encode())
        read_until(process, "so far.\n\n")
        process.kill()
    answers = book_of(desk).answers
    assert [answer.card for answer in answers] == [task.spot.id for task in tasks]
    assert len(book_of(desk).cards) == 3


def test_at_a_keyboard_there_is_time_to_read(desk: Desk) -> None:
    right, wrong = drills(KNOT, 3, 2)
    with desk.sit(*TRAIN, "--count", "2") as session:
        assert "╭─ Number Knot" in bare(hear_until(session, ASKED))
        session.type(mistake(right))
        hear_until(session, "quit: ")
        session.type("why")
        assert told_mistake(right) in bare(hear_until(session, "quit: "))
        session.type("")
        hear_until(session, ASKED)
        session.type(wrong.exercise.best[0])
        assert "1 of 2 right" in bare(hear_out(session))
        assert session.status() == DONE


def test_ctrl_c_ends_with_the_summary(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    with desk.sit(*TRAIN) as session:
        hear_until(session, ASKED)
        session.type(task.exercise.best[0])
        hear_until(session, "quit: ")
        session.press(b"\x03")
        assert "1 of 1 right" in bare(hear_out(session))
        assert session.status() == INTERRUPTED


@pytest.mark.parametrize(
    ("line", "sentence", "status"),
    [
        ("train chess", "There is no game", WRONG_USAGE),
        ("train knot --count 0", "--count must be from 1 to 1000.", WRONG_USAGE),
        ("train knot --phase late", "Argument --phase", WRONG_USAGE),
        ("train knot --seat 1", "--seat works only with --moves.", WRONG_USAGE),
        ("train knot --grade 3", "--grade works only with train puzzles.", WRONG_USAGE),
        ("train knot --json", "--json works only with train daily or train puzzles.", WRONG_USAGE),
        ("train daily --as mixed", "--as works only with train drill.", WRONG_USAGE),
        (
            "train chess knot",
            "There is no kind of training called 'chess'; choose daily, puzzles",
            WRONG_USAGE,
        ),
        ("train knot --moves S99", "Number Knot: ", WRONG_USAGE),
        ("train knot --moves S9 --seat 1", "Number Knot: Player 1 has no decision", WRONG_USAGE),
        ("train knot --set lives=3", "no setting lives", WRONG_USAGE),
        ("train knot --as mixed", "No more positions in Number Knot", FAILED),
        ("book merge nowhere.jsonl", "nowhere.jsonl cannot be read", FAILED),
        ("book add nowhere.json", "nowhere.json cannot be read", FAILED),
        ("book add", "`duels book add` takes one or more files", WRONG_USAGE),
        ("book merge a b", "`duels book merge` takes the name of one book file.", WRONG_USAGE),
        (
            "book remove 0123",
            "There is no mistake '0123' in your book; see: duels book",
            WRONG_USAGE,
        ),
        ("book --name Ann", "--name works only with book add.", WRONG_USAGE),
        ("book add a --json", "--json works only with book list or book find.", WRONG_USAGE),
        ("book find", "`duels book find` takes one or more words.", WRONG_USAGE),
    ],
)
def test_what_cannot_be_is_answered_in_a_sentence(
    line: str, sentence: str, status: int, desk: Desk
) -> None:
    done = desk.run(*line.split())
    assert (done.status, done.out) == (status, "")
    assert sentence in done.sentence


def test_a_book_that_cannot_be_written_is_said_before_the_verdict(desk: Desk) -> None:
    folder = desk.folder / "data" / "number-duels"
    folder.mkdir(parents=True)
    (folder / "training.jsonl").mkdir()
    done = desk.run(*TRAIN, typed=[drills(KNOT, 3, 1)[0].exercise.best[0]])
    assert "training.jsonl cannot be" in done.sentence
    assert "Right" not in done.out


def test_json_is_one_value(desk: Desk) -> None:
    (task,) = drills(KNOT, 3, 1)
    clock = TickingClock()
    desk.run(*TRAIN, "--count", "1", typed=[mistake(task)], clock=clock)
    found = json.loads(desk.run("book", "--json", clock=clock).out)
    assert (found["today"], found["answers"], found["right"]) == (1, 1, 0)
    (card,) = found["cards"]
    assert (card["card"], card["moves"]) == (task.spot.id, task.spot.spot.moves)
