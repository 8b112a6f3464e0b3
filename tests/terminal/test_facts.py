"""`solve`, `analyze`, `review` and hints: facts, in words and as JSON, and how they fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.record import Person, Record
from tests.terminal.desk import Desk, Duels

SAMPLE = Record(
    "number-knot", nd.load("number-knot").settings, None, 7, moves="S5 A3 S9", result="1-0"
)

FEW = ("--set", "life=3", "--set", "numbers=3")


def kept(*records: Record) -> str:
    """Records as a file."""
    path = Path("games.jsonl")
    path.write_text("".join(f"{record.to_json()}\n" for record in records), encoding="utf-8")
    return str(path)


@pytest.mark.usefixtures("own_cache")
def test_solve_says_the_value_of_a_game(desk: Desk) -> None:
    done = desk.run("solve", "knot", "--json")
    (row,) = json.loads(done.out)
    assert row.keys() == {"game", "settings", "value", "states", "seconds", "cached"}
    assert (row["game"], row["value"], row["states"], row["cached"]) == (
        "number-knot",
        0.0,
        68317,
        False,
    )
    (again,) = json.loads(desk.run("solve", "knot", "--json").out)
    assert again["cached"]


def test_settings_have_solutions_of_their_own(duels: Duels) -> None:
    done = duels("solve", "knot", "--set", "life=3", "--set", "numbers=3", "--first", "2", "--json")
    (row,) = json.loads(done.out)
    assert row["settings"]["first"] == 2
    assert row["value"] == -1.0
    assert "Player 1's winning chance: 0%, " in duels("solve", "knot", *FEW, "--first", "2").out


def test_analyze_follows_the_contract(duels: Duels) -> None:
    found = json.loads(duels("analyze", "knot", "--moves", "S5", "--json").out)
    assert found["moves"] == "S5"
    assert found["to_move"] == [2]
    assert found["options"].keys() == {"2"}
    first = found["options"]["2"][0]
    assert first.keys() == {"move", "value", "guarantee", "probability"}
    assert first["value"] == first["guarantee"] == -found["value"]
    assert found["chances"] == {"win": 0.0, "draw": 1.0, "loss": 0.0}
    assert "result" not in found


@pytest.mark.parametrize(
    ("game", "moves", "kept"),
    [
        ("bid", "7/6", {1: "1 2 10", 0: "3", -1: "4 5 8 9"}),
        ("high", "6/9 9/8 8/2", {1: "2", -1: "1 3 4 5 7"}),
    ],
)
def test_analyze_says_what_keeps_a_win(
    duels: Duels, game: str, moves: str, kept: dict[int, str]
) -> None:
    options = json.loads(duels("analyze", game, "--moves", moves, "--json").out)["options"]["1"]
    for result, named in kept.items():
        found = {option["move"] for option in options if option["guarantee"] == result}
        assert found == set(named.split())
    best = {option["move"] for option in options if option["value"] == 1}
    assert best == set(kept[1].split())


def test_analyze_shows_both_seats_where_both_choose(duels: Duels) -> None:
    done = duels("analyze", "high", "--set", "cards=4", "--set", "rounds=3", "--json")
    found = json.loads(done.out)
    assert found["to_move"] == [1, 2]
    for options in found["options"].values():
        assert sum(option["probability"] for option in options) == pytest.approx(1)


def test_analyze_knows_when_a_card_is_to_be_drawn(duels: Duels) -> None:
    small = ("--set", "target=10", "--set", "highest=4", "--set", "copies=2")
    found = json.loads(duels("analyze", "stack", *small, "--json").out)
    assert (found["to_move"], found["options"]) == ([], {})
    held = json.loads(duels("analyze", "stack", *small, "--moves", "4", "--json").out)
    assert held["to_move"] == [1]
    assert {option["move"] for option in held["options"]["1"]} == {"k", "g"}


def test_analyze_gives_the_result_of_a_finished_game(duels: Duels) -> None:
    found = json.loads(duels("analyze", "knot", "--moves", "S5 A3 S9", "--json").out)
    assert (found["result"], found["to_move"], found["options"]) == ("1-0", [], {})


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["analyze", "knot", "--moves", "S5 S5"], "turn 2 (S5): S5 is not available"),
        (["analyze", "knot", "--moves", "hello"], "turn 1 (hello)"),
        (["analyze", "drop", "--deal", "123 456"], "two grids"),
        (["analyze", "stack", "--deal", "7 7 7 7 7"], "The deck has 4 of card 7"),
        (["analyze", "stack", "--deal", "7", "--moves", "8k"], "the deal has 7"),
        (["analyze", "bid", "--deal", "7"], "shuffles nothing"),
        (["analyze", "bid", "--set", "numbers=99"], "2 to 20"),
        (["solve", "bid", "--first", "2"], "both players choose at once"),
        (["analyze", "knot", "S5", "A3"], "Write --moves before 'S5'. See: duels analyze --help"),
        (["arena", "random", "perfect"], "Write --players before 'random'. See: duels arena"),
    ],
)
def test_what_is_impossible_is_answered_in_a_sentence(
    duels: Duels, arguments: list[str], reason: str
) -> None:
    done = duels(*arguments)
    assert reason in done.sentence
    assert (done.status, done.out) == (2, "")


def test_what_is_too_large_is_refused_before_it_eats_the_memory(duels: Duels) -> None:
    done = duels("solve", "drop(side=5)")
    assert "too large" in done.sentence or "states" in done.sentence
    assert done.status == 1


def test_review_follows_the_contract(duels: Duels) -> None:
    found = json.loads(duels("review", kept(SAMPLE), "--json").out)
    assert (found["game"], found["result"]) == ("number-knot", "1-0")
    assert [turn["move"] for turn in found["turns"]] == ["S5", "A3", "S9"]
    assert found["turns"][1]["seat"] == 2
    assert found["turns"][1]["loss"] == 1.0
    assert "A9" in found["turns"][1]["best"]
    assert found["players"].keys() == {"1", "2"}
    figures = found["players"]["1"]
    assert (figures["loss"], figures["accuracy"], figures["luck"]) == (0.0, 100.0, 0.0)
    assert found["turns"][1]["line"] == {"moves": "S5 A3 S8", "value": -1.0}
    assert found["turns"][1]["why"].startswith("Adding 3 turns Player 2's draw into a loss.")


def test_review_in_words_says_why(duels: Duels) -> None:
    done = duels("review", kept(SAMPLE))
    assert "Turn 2: Adding 3 turns Player 2's draw into a loss. Player 1 can now win" in done.out
    assert "The only mistake was Player 2's: adding 3 in turn 2." in done.out
    assert "Player 1: no mistakes in 2 moves." in done.out


def test_a_game_given_up_at_its_start_has_no_accuracy(duels: Duels) -> None:
    reason = "Player 2 resigned."
    path = kept(Record("number-knot", SAMPLE.settings, None, 7, result="1-0", reason=reason))
    assert json.loads(duels("review", path, "--json").out)["players"]["2"]["accuracy"] is None
    assert "Player 2: no moves." in duels("review", path).out


def test_many_games_end_with_totals_by_name(duels: Duels) -> None:
    path = kept(*[SAMPLE] * 12)
    found = json.loads(duels("review", path, "--json").out)
    assert len(found["games"]) == 12
    assert found["players"]["Player 2"]["games"] == 12
    told = duels("review", path).out
    assert "Totals of 12 games" in told
    assert "12 mistakes in 12 moves over 12 games. One of the biggest lowered Player 2's" in told
    assert "A move lowers the winning chance by 50% on average (95% interval " in told


def test_games_against_the_computer_are_reviewed_for_you_whatever_the_seats(duels: Duels) -> None:
    seats = (Person("Player 1", "random"), Person("Player 2"))
    games = replace(SAMPLE, players=seats), replace(SAMPLE, players=seats[::-1])
    path = kept(*games)
    told = duels("review", path).out
    assert "Turn 2: Adding 3 turns your draw into a loss." in told
    assert "Your only mistake was adding 3 in turn 2." in told
    assert "your winning chance" in told
    assert "You: 1 mistake in 3 moves over 2 games." in told
    assert "Player " not in told
    assert "Player 2" in duels("review", path, "--json").out
    assert duels("replay", kept(games[0])).out.endswith("Computer wins the game!\n")


def test_a_picture_shows_how_the_chances_moved(duels: Duels) -> None:
    for name, start in (("review.svg", b"<?xml"), ("review.png", b"\x89PNG")):
        done = duels("review", kept(SAMPLE), "--plot", name)
        assert (done.status, done.err) == (0, f"The picture is in {name}.\n")
        assert Path(name).read_bytes().startswith(start)


def test_a_picture_in_another_format_is_refused(duels: Duels) -> None:
    done = duels("review", kept(SAMPLE), "--plot", "review.bmp")
    assert (done.status, ".svg or .png" in done.sentence) == (2, True)


def test_a_record_with_an_illegal_move_is_not_reviewed(duels: Duels) -> None:
    wrong = Record("number-knot", SAMPLE.settings, None, 7, moves="S5 S5")
    done = duels("review", kept(wrong))
    assert "turn 2 (S5)" in done.sentence
    assert done.status == 1


def test_a_full_disk_is_told_and_the_answer_given_all_the_same(
    duels: Duels, own_cache: Path
) -> None:
    own_cache.write_text("in the way", encoding="utf-8")
    done = duels("solve", "knot", "--json")
    assert done.status == 0
    assert json.loads(done.out)[0]["value"] == 0.0
    assert len(done.err.splitlines()) == 1


def test_a_hint_is_given_to_who_may_have_it(desk: Desk) -> None:
    asked = ["hint", "hint", "hint", "quit"]
    done = desk.run("play", "knot", "--hints", "--one", "perfect", typed=[*asked[:3], *asked])
    in_order = [
        "Only one of your 16 moves draws.",
        "Show the move: type hint again.",
        "Add 9: it draws.",
        "Show why: type hint again.",
        "It is a draw if both play perfectly.",
        "chance",
        "Only one of your 16 moves draws.",
    ]
    places = [0]
    for said in in_order:
        places.append(done.out.index(said, places[-1] + 1))
    free = desk.run("play", "knot", "--hints", "--two", "perfect", typed=asked)
    in_order = ["Every move draws against perfect play.", "Hardest to reply to: ", "After "]
    assert [free.out.count(said) for said in in_order] == [1, 1, 1]
    without = desk.run("play", "knot", typed=["hint", "quit"])
    assert "Hints are off" in without.out


def test_a_hint_about_a_secret_choice_shows_how_to_mix(desk: Desk) -> None:
    few = ("--set", "cards=4", "--set", "rounds=3")
    done = desk.run("play", "high", *few, "--hints", typed=["hint", "hint", "hint", "quit"])
    assert "Mix your choices: " in done.out
    assert done.out.index("Mix your choices: ") < done.out.index("If your opponent guesses ")
