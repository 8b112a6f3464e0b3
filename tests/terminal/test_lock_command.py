"""`duels analyze --lock`: what is said, as words and as JSON, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.terminal.desk import Duels

HIGH = ("analyze", "high", "--set", "cards=4", "--set", "rounds=2")


def test_a_lock_is_told_in_words(duels: Duels) -> None:
    plain = duels(*HIGH).out
    found = duels(*HIGH, "--lock", "2 never 1").out
    assert found.startswith(plain.rstrip())
    lines = found.removeprefix(plain.rstrip()).strip().splitlines()
    lock, reply, adjusted = lines[:3]
    assert lock == "Locked: Player 2 never plays 1."
    assert reply.startswith("If Player 2 changes nothing else, Player 1's best reply,")
    assert reply.endswith("gives a winning chance of 67% instead of 50%, a gain of 17%.")
    assert adjusted == (
        "If both play as well as the locks allow, Player 2 has a winning chance of 42% instead of"
        " 50%, a cost of 8.3%."
    )
    assert "Player 1's moves with the locks" in lines
    assert any(line.endswith("play 1 (locked)") for line in lines)


def test_a_lock_that_changes_nothing_says_so(duels: Duels) -> None:
    found = duels("analyze", "knot", "--lock", "2 never S9").out
    assert "gives a winning chance of 50%, which is no gain." in found
    assert "Player 2 has a winning chance of 50%, so the locks cost nothing." in found


def test_json_has_one_more_key(duels: Duels) -> None:
    plain = json.loads(duels(*HIGH, "--json").out)
    found = json.loads(duels(*HIGH, "--lock", "2 never 1", "--json").out)
    locks = found.pop("locks")
    assert found == plain
    assert locks.keys() == {"locks", "replies", "adjusted", "options"}
    assert locks["locks"] == ["2 never 1"]
    reply = locks["replies"]["1"]
    assert reply == {"value": pytest.approx(1 / 3), "gain": pytest.approx(1 / 3)}
    assert locks["adjusted"]["value"] == pytest.approx(1 / 6)
    assert locks["adjusted"]["costs"] == {"2": pytest.approx(1 / 6)}
    best = locks["options"]["1"][0]
    assert best["reply"] == max(o["reply"] for o in locks["options"]["1"]) == reply["value"]
    assert best["played"] is None
    forbidden = next(o for o in locks["options"]["2"] if o["locked"])
    assert (forbidden["move"], forbidden["played"], forbidden["probability"]) == ("1", 0.0, 0.0)
    assert forbidden["reply"] is None


def test_here_is_the_analysed_position_and_several_locks_combine(duels: Duels) -> None:
    spot = (*HIGH, "--moves", "2/3", "--json")
    here = json.loads(duels(*spot, "--lock", "2 always 1 here").out)
    at = json.loads(duels(*spot, "--lock", "2 always 1 at 2/3").out)
    assert here == at
    both = json.loads(duels(*spot, "--lock", "2 never 1", "--lock", "1 always 4 here").out)
    assert both["locks"]["locks"] == ["2 never 1", "1 always 4 at 2/3"]
    assert both["locks"]["replies"].keys() == {"1", "2"}


def test_a_card_in_hand_and_one_to_be_drawn(duels: Duels) -> None:
    small = ("analyze", "stack", "--set", "target=8", "--set", "highest=3", "--set", "copies=2")
    card = duels(*small, "--moves", "3k 3", "--lock", "2 never k here").out
    assert "  give\n" in card
    assert "  keep (locked)\n" in card
    draw = duels(*small, "--moves", "3k", "--lock", "2 never k here").out
    assert "Player 1's best reply gives" in draw
    assert "with the locks" not in draw  # nobody decides before the card is drawn


@pytest.mark.slow
def test_the_largest_game_answers_for_one_spot_at_once(duels: Duels) -> None:
    card = duels("analyze", "stack", "--moves", "7k 3", "--lock", "2 never k here").out
    assert "Player 2 has a winning chance of 46% instead of 48%, a cost of 2.1%." in card
    draw = duels("analyze", "stack", "--moves", "7k", "--lock", "2 never k here").out
    assert "a cost of 4.1%." in draw


def test_a_finished_game_has_nothing_to_lock(duels: Duels) -> None:
    done = duels("analyze", "knot", "--moves", "S5 A3 S9", "--lock", "2 never S9", "--json")
    assert json.loads(done.out)["locks"]["options"] == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bid", "--lock", "2 often 10"], "is not a lock; write it like '2 never 10'"),
        (["bid", "--lock", "2 never 11"], "not a move in Number Bid with these settings"),
        (["knot", "--lock", "2 never S5 here"], "a position where Player 2 does not move"),
    ],
)
def test_what_is_wrong_is_answered_with_what_would_be_right(
    duels: Duels, arguments: list[str], said: str
) -> None:
    done = duels("analyze", *arguments)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""
