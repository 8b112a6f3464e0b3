"""Watching a game again: as a spectator saw it, and no more than that."""

from __future__ import annotations

import pytest

import number_duels as nd
from tests.terminal.app.samples import habitual_records
from tests.terminal.desk import Desk, bare, hear_out
from tests.terminal.script import again, finished


def spectator(record: nd.Record) -> list[str]:
    """What a spectator is told after each step."""
    match = again(record)
    steps = match.steps(None)
    told = (match.game.tell(step.before, step.moves, step.after, None) for step in steps)
    return ["".join(f"{line}\n" for line in lines) for lines in told]


@pytest.mark.parametrize("at_a_terminal", [False, True])
def test_a_card_that_is_drawn_and_not_placed_is_not_shown(at_a_terminal: bool, desk: Desk) -> None:
    desk.run("play", "stack", "--deal", "7 10", "--save", "game.json", typed=["", "k", ""])
    assert nd.Record.from_json((desk.folder / "game.json").read_text()).moves == "7k 10"
    if at_a_terminal:
        with desk.sit("replay", "game.json", "--delay", "0") as session:
            out = bare(hear_out(session))
    else:
        out = desk.run("replay", "game.json").out
    assert "Player 2 drew a card." in out
    assert "7" in out
    assert "10" not in out


def test_a_card_in_hand_is_told_only_to_the_one_who_drew_it(desk: Desk) -> None:
    typed = ["", "k", "", "board"]
    desk.run("play", "stack", "--deal", "7 10", "--save", "game.json", typed=typed)
    mine = desk.run("resume", "game.json", typed=["quit"])
    assert "You drew a 10." in mine.out
    theirs = desk.run("resume", "game.json", "--two", "random", typed=["quit"])
    assert "You drew" not in theirs.out.partition("Turn ends.")[0]


def test_a_file_of_many_games_shows_them_all_in_order(desk: Desk) -> None:
    records = [finished(name) for name in nd.games()] * 2
    path = desk.folder / "many.jsonl"
    path.write_text("\n\n".join(record.to_json() for record in records) + "\n")
    before = path.read_bytes()
    done = desk.run("replay", path.name)
    assert (done.status, done.err) == (0, "")
    assert path.read_bytes() == before
    place = 0
    for record in records:
        for words in spectator(record):
            place = done.out.index(words, place) + len(words)


def test_a_file_of_many_games_with_a_bad_one_names_its_line(desk: Desk) -> None:
    good = finished("number-bid").to_json()
    for bad in ("{}", good.replace('"moves": "', '"moves": "99/99 ')):
        (desk.folder / "many.jsonl").write_text(f"{good}\n{good}\n{bad}\n")
        done = desk.run("replay", "many.jsonl")
        assert (done.status, done.out) == (1, "")
        assert "line 3" in done.sentence


@pytest.mark.parametrize("command", ["replay", "review"])
def test_without_a_file_the_latest_game_is_meant(desk: Desk, command: str) -> None:
    done = desk.run(command)
    assert (done.status, "game is saved yet" in done.sentence) == (1, True)
    desk.run("play", "knot", typed=["S5", "A3", "S9"])
    assert "subtract 9" in desk.run("review").out
    assert "subtracts 9" in desk.run("replay").out


def test_a_review_without_a_file_takes_the_last_finished_game(desk: Desk) -> None:
    desk.run("play", "knot", typed=["S5", "quit"])
    assert "No finished game is saved yet" in desk.run("review").sentence
    desk.run("play", "knot", typed=["S5", "A3", "S9"])
    desk.run("play", "bid", typed=["3", "4", "quit"])
    assert "Number Bid" in desk.run("replay").out
    assert "Number Knot" in desk.run("review").out


def test_a_review_looks_at_ones_last_games_for_habits(desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    for day, record in enumerate(habitual_records(), 1):
        text = record.to_json().replace("2026-03-01", f"2026-03-0{day}")
        (desk.games / f"{day}.json").write_text(text)
    last = str(desk.games / "3.json")
    assert "in every round of 3 games." in " ".join(desk.run("review", last).out.split())
