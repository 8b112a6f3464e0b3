"""Names: seats are Player 1 and Player 2, and people can be called otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from number_duels.core.names import PLAYER
from number_duels.core.record import Person, Record, check_names, shown_names, with_names


@pytest.mark.parametrize(
    ("one", "two"), [("A", "B"), ("Ann", "ann"), ("x" * 20, "Zo\u00eb M."), ("1", "2")]
)
def test_names_of_one_to_twenty_printable_characters_are_taken(one: str, two: str) -> None:
    check_names(one, two)


@pytest.mark.parametrize(
    "name",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, its letters not joined
        "\u0915\u094d\u200d\u0937",  # Hindi, after the sign that takes the vowel
        "\u0d05\u0d35\u0d28\u0d4d\u200d",  # Malayalam, at the end of a word
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a colour of skin
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
    ],
)
def test_joiners_that_are_seen_are_taken(name: str) -> None:
    check_names(name, "Bo")
    record = Record("number-knot", {}, None, 7, (Person(name), Person("Bo")), started="")
    assert Record.from_json(record.to_json()).players[0].name == name


@pytest.mark.parametrize(
    "name",
    [
        "A\u200dnn",
        "A\u200cnn",
        "\u200dAnn",
        "Ann\u200d",
        "\u200d",
        "\U0001f525\u200d",
        "\U0001f525\u200c\U0001f525",
        "\U0001f525\u200d\u200d\U0001f525",
        "\u0645\u200c\u200c\u0645",
    ],
)
def test_joiners_that_nobody_sees_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        check_names(name, "Bo")


@pytest.mark.parametrize(
    "name", ["", "x" * 21, "a\nb", "a\tb", "\x1b[31m", "\u200b", "\ud800", "\x00"]
)
def test_other_names_are_refused(name: str) -> None:
    for names in ((name, "B"), ("B", name)):
        with pytest.raises(ValueError, match="1 to 20 printable characters"):
            check_names(*names)


def test_equal_names_are_refused() -> None:
    with pytest.raises(ValueError, match="different"):
        check_names("Ann", "Ann")


def test_names_stand_wherever_the_words_name_a_seat() -> None:
    names = ("Ann", "Bo")
    assert with_names("Player 1's Turn", names) == "Ann's Turn"
    assert with_names("Player 2 gave 10 to Player 1.", names) == "Bo gave 10 to Ann."
    assert with_names("Player 1, enter your bid: ", names) == "Ann, enter your bid: "
    assert with_names("Player 12 Players 1 Player", names) == "Player 12 Players 1 Player"


def test_names_can_be_those_of_the_other_seat() -> None:
    assert (
        with_names("Player 1 beats Player 2", ("Player 2", "Player 1")) == "Player 2 beats Player 1"
    )


@given(one=st.text(min_size=1, max_size=20), two=st.text(min_size=1, max_size=20))
def test_any_name_is_put_in_as_it_is(one: str, two: str) -> None:
    assert with_names("Player 1/Player 2", (one, two)) == f"{one}/{two}"


@pytest.mark.parametrize(
    ("one", "two", "shown"),
    [
        (Person("Player 1"), Person("Player 2", "random"), ("You", "Computer")),
        (Person("Player 1", "level:3"), Person("Player 2"), ("Computer", "You")),
        (Person("Computer", "perfect"), Person("Player 1"), ("Computer", "You")),  # after a rematch
        (Person("Ann"), Person("Player 2", "bot:./mine"), ("Ann", "Computer")),
        (Person("Ann"), Person("Bo", "perfect"), ("Ann", "Bo")),
        (Person("Player 1"), Person("Hal", "llm:tiny"), ("You", "Hal")),
        (Person("Computer"), Person("Player 2", "random"), ("Computer", "Player 2")),
        (Person("Player 1"), Person("Player 2"), ("Player 1", "Player 2")),
        (Person("Player 1", "random"), Person("Player 2", "perfect"), ("Player 1", "Player 2")),
    ],
)
def test_where_one_person_plays_nobody_is_called_by_the_seat(
    one: Person, two: Person, shown: tuple[str, str]
) -> None:
    assert shown_names((one, two)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Player 1's Turn", "Your Turn"),
        ("Player 1 Score: 7", "Your Score: 7"),
        ("Player 1 played: 5", "You played: 5"),
        ("Current Score - Player 1: 1 | Player 2: 0", "Current Score - You: 1 | Computer: 0"),
        ("Player 1 wins the round and earns 1 point.", "You win the round and earn 1 point."),
        (
            "Player 1 played the lower card and wins the tie.",
            "You played the lower card and win the tie.",
        ),
        (
            "Player 1 adds 3 to their own life total.",
            "You add 3 to your own life total.",
        ),
        (
            "Player 2 adds 3 to their own life total.",
            "Computer adds 3 to their own life total.",
        ),
        ("Player 2 subtracts 5 from Player 1.", "Computer subtracts 5 from you."),
        ("Player 1 gives 5 to Player 2 and loses.", "You give 5 to Computer and lose."),
        ("Player 2 gives 5 to Player 1 and loses.", "Computer gives 5 to you and loses."),
        ("Both are empty, and it was Player 1's turn.", "Both are empty, and it was your turn."),
        ("None are left and Player 1 has more.", "None are left and you have more."),
        ("Player 1's life total has ended.", "Your life total has ended."),
        (
            "Player 1 wins 25%, draws 50% and loses 25% of the time.",
            "You win 25%, draw 50% and lose 25% of the time.",
        ),
        ("Player 2 wins. Player 1 resigned.", "Computer wins. You resigned."),
        ("Best is 7, whatever Player 1 does.", "Best is 7, whatever you do."),
        ("Player 1 never plays 9 or 10", "You never play 9 or 10"),
        ("That leaves Player 1 with a loss.", "That leaves you with a loss."),
        ("Player 1 juggles.", "You juggles."),  # a word that is not in the table is left alone
    ],
)
def test_a_player_who_is_you_is_spoken_to_in_good_english(text: str, shown: str) -> None:
    assert with_names(text, ("You", "Computer")) == shown
    swapped = PLAYER.sub(lambda seat: f"Player {3 - int(seat[1])}", text)
    assert with_names(swapped, ("Computer", "You")) == shown
