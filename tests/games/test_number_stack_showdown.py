"""Number Stack Showdown, rule by rule."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import pytest

from number_duels import HIDDEN, Chance, Decision, Match, Outcome, Seat, load, states
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from tests.games.table import IllegalMove, outcome, played, told

GAME = NumberStackShowdown()
ALLOWED = NumberStackShowdown(overflow="allowed")
EXAMPLE = "7k 10g 5k 9k 8g 10g 9k 6g 3k"
BOTH = (Choice.KEEP, Choice.GIVE)


def holding(one: int, two: int, card: int) -> State:
    """Player 1 has drawn a card; the totals are made of cards that do not matter."""
    return State(((one,), (two,)), Seat.ONE, Card(card))


def choices(game: NumberStackShowdown, one: int, two: int, card: int) -> tuple[Choice, ...]:
    turn = game.turn(holding(one, two, card))
    assert isinstance(turn, Decision)
    return turn.options[Seat.ONE]


def test_the_deck_has_four_of_each_card_from_one_to_ten() -> None:
    turn = GAME.turn(GAME.start())
    assert isinstance(turn, Chance)
    assert turn.odds == {Card(n): Fraction(4, 40) for n in range(1, 11)}
    assert GAME.remaining(GAME.start()) == 40


def test_a_drawn_card_is_not_in_the_deck_any_more() -> None:
    match = played(GAME, "7k")
    assert isinstance(match.turn, Chance)
    assert match.turn.odds[Card(7)] == Fraction(3, 39)
    assert match.turn.odds[Card(8)] == Fraction(4, 39)
    turn = played(GAME, "7k 7k 7k 7k").turn
    assert isinstance(turn, Chance)
    assert Card(7) not in turn.odds


@pytest.mark.parametrize(("highest", "copies"), [(3, 2), (2, 1), (4, 1)])
@pytest.mark.parametrize("target", range(2, 9))
def test_a_draw_may_come_if_the_whole_deck_fits_below_the_target(
    highest: int, copies: int, target: int
) -> None:
    game = NumberStackShowdown(target=target, highest=highest, copies=copies)
    ends = [game.turn(state) for _, state in states(game)]
    drawn = any(isinstance(end, Outcome) and end.winner is None for end in ends)
    assert game.may_draw(game.start()) == drawn


def test_a_card_is_drawn_before_it_is_placed() -> None:
    match = played(GAME)
    with pytest.raises(IllegalMove, match="A card must be drawn before"):
        match.submit(Seat.ONE, Choice.KEEP)
    match.draw()
    with pytest.raises(IllegalMove, match="no card to draw"):
        match.draw()
    assert match.options(Seat.ONE) == BOTH
    assert match.options(Seat.TWO) == ()


def test_a_card_is_kept_or_given_and_the_turn_passes() -> None:
    assert played(GAME, "7k").view(None) == State(((7,), ()), Seat.TWO)
    assert played(GAME, "7g").view(None) == State(((), (7,)), Seat.TWO)
    assert played(GAME, "7k 10g").view(None) == State(((7, 10), ()), Seat.ONE)


def test_where_a_card_goes_is_said_by_the_choice_and_the_total_by_its_consequence() -> None:
    said = [GAME.consequence(holding(6, 0, 9), Seat.ONE, choice) for choice in BOTH]
    assert said == ["your total 6 + 9 = 15", "their total 0 + 9 = 9"]


def test_the_example_of_the_document() -> None:
    match = played(GAME, EXAMPLE, "7 10 5 9 8 10 9 6 3")
    totals = [
        (s.after.total(Seat.ONE), s.after.total(Seat.TWO)) for s in match.steps(None) if s.moves
    ]
    assert totals == [
        (7, 0), (17, 0), (22, 0), (22, 9), (22, 17), (32, 17), (41, 17), (47, 17), (50, 17),
    ]  # fmt: skip
    assert match.turn == Outcome(Seat.ONE, "Player 1's stack total is 50.")
    assert told(match)[-1] == "Player 1 wins the game!"


def test_the_words_of_the_documents_first_two_turns() -> None:
    assert told(played(GAME, "7"), Seat.ONE) == ["You drew a 7."]
    assert told(played(GAME, "7k"), Seat.ONE) == [
        "You added 7 to your own stack.",
        "Your new Stack Total: 7",
        "Turn ends. Passing to Player 2.",
        "--------------------------------------",
    ]
    assert told(played(GAME, "7k 10g"), Seat.TWO)[:2] == [
        "You gave 10 to Player 1.",
        "Player 1's new Stack Total: 17",
    ]


def test_exactly_fifty_by_a_gift_wins_for_the_owner() -> None:
    match = played(GAME, "10k 10g 10k 10g 9k 1g")
    assert match.view(None).total(Seat.ONE) == 50
    assert match.turn == Outcome(Seat.ONE, "Player 1's stack total is 50.")
    assert told(match)[-1] == "Player 1 wins the game!"


def test_over_fifty_loses_for_the_owner() -> None:
    assert outcome(ALLOWED, "10k 10g 10k 10g 9k 2g") == "0-1"
    assert outcome(ALLOWED, "10k 10g 10k 10g 9k 1k 9k") == "0-1"
    match = played(ALLOWED, "10k 10g 10k 10g 9k 2g")
    assert "Player 1's stack total exceeds 50." in told(match)


@pytest.mark.parametrize(
    ("one", "two", "card", "open_"),
    [
        (41, 41, 9, BOTH),
        (42, 41, 9, (Choice.GIVE,)),
        (41, 42, 9, (Choice.KEEP,)),
        (42, 42, 9, (Choice.KEEP,)),
        (49, 49, 2, (Choice.KEEP,)),
        (49, 49, 1, BOTH),
    ],
)
def test_a_choice_that_goes_over_is_forbidden_while_the_other_does_not(
    one: int, two: int, card: int, open_: tuple[Choice, ...]
) -> None:
    assert choices(GAME, one, two, card) == open_


@pytest.mark.parametrize(
    ("one", "two", "card", "open_"),
    [
        (42, 41, 9, BOTH),
        (41, 42, 9, BOTH),
        (42, 42, 9, (Choice.KEEP,)),
    ],
)
def test_with_overflow_allowed_only_a_card_that_fits_nowhere_is_forced(
    one: int, two: int, card: int, open_: tuple[Choice, ...]
) -> None:
    assert choices(ALLOWED, one, two, card) == open_


@pytest.mark.parametrize("game", [GAME, ALLOWED])
def test_a_card_that_fits_nowhere_is_kept_and_loses(game: NumberStackShowdown) -> None:
    after = game.play(holding(42, 42, 9), {Seat.ONE: Choice.KEEP})
    assert game.turn(after) == Outcome(Seat.TWO, "Player 1's stack total exceeds 50.")


@pytest.mark.parametrize(
    ("totals", "must", "right", "wrong", "move"),
    [
        ((42, 42), "keep this card", "yes", ["no", "N", "give", " g "], Choice.KEEP),
        ((10, 42), "keep this card", "y", ["no"], Choice.KEEP),
        ((42, 10), "give this card away", "no", ["yes", "Y", "keep", "k"], Choice.GIVE),
    ],
)
def test_a_forced_player_is_told_so_and_still_asked(
    totals: tuple[int, int], must: str, right: str, wrong: list[str], move: Choice
) -> None:
    state = holding(*totals, 9)
    before = State(state.stacks, state.mover)
    lines = list(GAME.tell(before, {}, state, Seat.ONE))
    assert lines[0] == "You drew a 9."
    assert lines[1].startswith(f"You must {must}: ")
    conversation = GAME.ask(state, Seat.ONE)
    assert next(conversation).text == "Do you want to keep this card? (yes/no): "
    for reply in wrong:
        reason = conversation.send(reply).reason
        assert reason is not None
        assert must in reason
    with pytest.raises(StopIteration) as end:
        conversation.send(right)
    assert end.value.value is move


def test_the_drawn_card_is_its_drawers_secret_until_it_is_placed() -> None:
    match = played(GAME, "7k 10")
    assert match.view(Seat.TWO).card == Card(10)
    for viewer in (None, Seat.ONE):
        assert match.view(viewer).card is HIDDEN
        assert told(match, viewer) == ["Player 2 drew a card."]
        assert match.moves(viewer).split()[0] == "7k"
        assert "10" not in match.moves(viewer)
        assert GAME.remaining(match.view(viewer)) == 38
        assert "10" not in repr(GAME.board(match.view(viewer)))
    assert match.moves(Seat.TWO) == "7k 10"
    match.submit(Seat.TWO, Choice.GIVE)
    assert match.moves(Seat.ONE) == match.moves(None) == "7k 10g"


def test_what_is_open_to_the_drawer_is_hidden_from_others() -> None:
    views = {GAME.view(holding(42, 42, card), Seat.TWO) for card in range(1, 11)}
    (view,) = views
    assert GAME.turn(view) == Decision({Seat.ONE: BOTH})


def test_at_most_26_cards_lie_on_two_unfinished_stacks() -> None:
    deck = sorted(list(range(1, 11)) * 4)
    assert sum(deck[:26]) <= 49 + 49 < sum(deck[:27])


@pytest.mark.parametrize("overflow", ["forbidden", "allowed"])
def test_the_27th_draw_at_the_latest_ends_the_game(overflow: str) -> None:
    game = NumberStackShowdown(overflow=overflow)
    deal = " ".join(map(str, sorted(list(range(1, 11)) * 4)))
    for pattern in ((Choice.KEEP,), (Choice.GIVE,), (Choice.KEEP, Choice.GIVE, Choice.GIVE)):
        match, draws = Match(game, seed=0, deal=deal), 0
        while isinstance(match.turn, Chance):
            seat = match.view(None).mover
            match.draw()
            wish = pattern[draws % len(pattern)]
            options = match.options(seat)
            match.submit(seat, wish if wish in options else options[0])
            draws += 1
        assert draws <= 27


def test_an_empty_deck_is_a_draw_at_once_and_announced() -> None:
    match = played(NumberStackShowdown(target=100, highest=2, copies=1), "2k 1g")
    assert match.turn == Outcome(None, "The deck is empty and no stack is finished.")
    assert told(match)[-2:] == [
        "The deck is empty and no stack is finished.",
        "The game is a draw.",
    ]


@pytest.mark.parametrize(("copies", "draws"), [(4, True), (5, False)])
def test_a_draw_is_possible_while_the_whole_deck_fits_below_two_targets(
    copies: int, draws: bool
) -> None:
    game = NumberStackShowdown(target=3, highest=1, copies=copies)
    ends = {
        turn.winner for _, state in states(game) if isinstance(turn := game.turn(state), Outcome)
    }
    assert game.may_draw(game.start()) is draws is (None in ends)


def test_a_last_card_that_makes_the_target_wins_and_does_not_draw() -> None:
    assert outcome(NumberStackShowdown(target=3, highest=2, copies=1), "2k 1g") == "1-0"


@pytest.mark.parametrize(("card", "line"), [(1, "a 1"), (8, "an 8"), (10, "a 10"), (11, "an 11")])
def test_the_card_is_told_in_good_english(card: int, line: str) -> None:
    assert told(played(NumberStackShowdown(highest=13), str(card)), Seat.ONE) == [
        f"You drew {line}."
    ]


def test_equal_moves_do_the_same() -> None:
    """A move is a value: one that equals an option is refused or does what the option does."""
    move = cast("Choice", "k")
    if move == Choice.KEEP:
        assert GAME.play(holding(1, 1, 5), {Seat.ONE: move}).total(Seat.ONE) == 6


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ({"target": 0}, "1 to 100"),
        ({"target": 101}, "1 to 100"),
        ({"highest": 0}, "1 to 13"),
        ({"highest": 14}, "1 to 13"),
        ({"copies": 0}, "1 to 8"),
        ({"copies": 9}, "1 to 8"),
        ({"overflow": "maybe"}, "forbidden or allowed"),
        ({"first": "random"}, "1 or 2"),
    ],
)
def test_settings_have_their_ranges(settings: dict[str, int | str], allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        load("number-stack-showdown", **settings)


def test_a_choice_that_ends_the_freedom_to_keep_every_card_says_so() -> None:
    def said(card: int, move: Choice, game: NumberStackShowdown = GAME) -> str:
        state = State(((10, 10, 10, 6), ()), Seat.ONE, Card(card))
        return game.consequence(state, Seat.ONE, move)

    assert said(9, Choice.KEEP) == "your total 36 + 9 = 45; then you can't keep a card above 5"
    assert said(4, Choice.KEEP) == "your total 36 + 4 = 40"
    assert said(9, Choice.KEEP, ALLOWED) == "your total 36 + 9 = 45"
    assert said(9, Choice.GIVE) == "their total 0 + 9 = 9"
