"""High-Low Battle, rule by rule."""

from __future__ import annotations

from itertools import product

import pytest

from number_duels import Decision, Outcome, Seat, load
from number_duels.core.board import Fact
from number_duels.games.high_low_battle import Card, HighLowBattle, State
from tests.games.table import IllegalMove, outcome, played, told

GAME = HighLowBattle()
EXAMPLE = "6/6 9/8 5/5 7/9 8/7"


def scores(moves: str) -> tuple[int, int]:
    return played(GAME, moves).view(None).scores


def test_each_player_has_the_cards_one_to_nine() -> None:
    assert GAME.start().hands == ((1, 2, 3, 4, 5, 6, 7, 8, 9),) * 2
    assert GAME.start().scores == (0, 0)


def test_a_played_card_is_gone_from_its_own_hand_alone() -> None:
    match = played(GAME, "9/8")
    assert match.view(None).hands == ((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 9))
    with pytest.raises(IllegalMove, match="9 is not available"):
        match.submit(Seat.ONE, Card(9))
    match.submit(Seat.TWO, Card(9))


@pytest.mark.parametrize(("cards", "expected"), [("9/8", (1, 0)), ("1/9", (0, 1))])
def test_the_higher_card_earns_one_point(cards: str, expected: tuple[int, int]) -> None:
    assert scores(cards) == expected


def test_a_tie_in_the_first_round_earns_nothing() -> None:
    assert scores("6/6") == (0, 0)
    assert told(played(GAME, "6/6"))[3:] == [
        "It's a tie! No previous round to determine tie-breaker. No points awarded.",
        "Current Score - Player 1: 0 points | Player 2: 0 points",
    ]


def test_a_tie_earns_two_points_for_who_was_lower_in_the_round_before() -> None:
    assert scores("9/8 5/5") == (1, 2)
    assert scores("8/9 5/5") == (2, 1)
    assert told(played(GAME, "9/8 5/5"))[3:] == [
        "It's a tie!",
        "Previous round cards:",
        "  Player 1 played: 9",
        "  Player 2 played: 8",
        "Player 2 played the lower card in the previous round and wins the tie.",
        "Player 2 earns 2 points!",
        "Current Score - Player 1: 1 point | Player 2: 2 points",
    ]


def test_the_tie_breaker_looks_back_over_ties_to_the_last_difference() -> None:
    assert scores("9/8 5/5 4/4") == (1, 4)
    assert scores("9/8 1/2 5/5 4/4 3/3") == (1 + 6, 1)
    lines = told(played(GAME, "1/2 9/8 5/5 4/4"))
    assert "  Player 1 played: 9" in lines
    assert "  Player 2 played: 8" in lines
    assert any("round 2" in line and line.startswith("Player 2") for line in lines)


def test_ties_since_the_beginning_earn_nothing() -> None:
    assert scores("6/6 5/5 4/4") == (0, 0)
    assert "No points awarded." in told(played(GAME, "6/6 5/5"))[3]


def test_the_example_of_the_document() -> None:
    match = played(GAME, EXAMPLE)
    assert [s.after.scores for s in match.steps(None)] == [(0, 0), (1, 0), (1, 2), (1, 3), (2, 3)]
    assert match.turn == Outcome(Seat.TWO, "Player 2 has the higher total score.")
    assert told(match)[-2:] == ["Game Over!", "Player 2 wins the game with 3 points!"]


def test_all_rounds_are_played_when_the_lead_cannot_be_caught() -> None:
    assert isinstance(played(GAME, "9/1 8/2 7/3 6/4").turn, Decision)
    assert outcome(GAME, "9/1 8/2 7/3 6/4 5/6") == "1-0"


def test_a_level_score_goes_to_sudden_death() -> None:
    match = played(GAME, "1/1 2/2 3/3 4/4 5/5")
    turn = match.turn
    assert isinstance(turn, Decision)
    assert turn.options[Seat.ONE] == tuple(map(Card, (6, 7, 8, 9)))
    assert any("level" in line for line in told(match))
    assert any("sudden death" in line.casefold() for line in told(match))
    assert outcome(GAME, "1/1 2/2 3/3 4/4 5/5 6/7") == "0-1"


def test_sudden_death_is_announced_once() -> None:
    lines = told(played(GAME, "1/1 2/2 3/3 4/4 5/5 6/6"))
    assert not any("sudden death" in line.casefold() for line in lines)


def test_nine_ties_in_a_row_are_a_draw() -> None:
    ties = [f"{n}/{n}" for n in range(1, 10)]
    assert isinstance(played(GAME, " ".join(ties[:-1])).turn, Decision)
    assert outcome(GAME, " ".join(ties)) == "1/2-1/2"


def test_level_draw_stops_after_the_last_round() -> None:
    game = HighLowBattle(level="draw")
    match = played(game, "1/1 2/2 3/3 4/4 5/5")
    assert match.turn == Outcome(None, "Both players have the same total score.")
    assert told(match)[-2:] == ["Game Over!", "The game is a draw with 0 points each."]
    assert outcome(game, EXAMPLE) == "0-1"


def after_pattern(pattern: tuple[str, ...]) -> State:
    """Five rounds that Player 1 wins (W), loses (L) or ties (T), with any cards that do so."""

    def fits(one: Card, two: Card, round_: str) -> bool:
        return round_ == "LTW"[(one.number > two.number) - (one.number < two.number) + 1]

    def search(state: State, rest: tuple[str, ...]) -> State | None:
        if not rest:
            return state
        for one, two in product(map(Card, state.hands[0]), map(Card, state.hands[1])):
            if fits(one, two, rest[0]):
                found = search(GAME.play(state, {Seat.ONE: one, Seat.TWO: two}), rest[1:])
                if found is not None:
                    return found
        return None

    found = search(GAME.start(), pattern)
    assert found is not None
    return found


LEVEL = [
    (pattern, state)
    for pattern in product("WLT", repeat=5)
    if (state := after_pattern(pattern)).scores[0] == state.scores[1]
]


def test_a_level_score_after_five_rounds_is_one_of_four() -> None:
    assert {state.scores[0] for _, state in LEVEL} == {0, 1, 2, 3}


def test_once_cards_have_differed_one_more_round_decides() -> None:
    for pattern, state in LEVEL:
        if set(pattern) != {"T"}:
            for one, two in product(map(Card, state.hands[0]), map(Card, state.hands[1])):
                turn = GAME.turn(GAME.play(state, {Seat.ONE: one, Seat.TWO: two}))
                assert isinstance(turn, Outcome)
                assert turn.winner is not None


def test_cards_are_played_in_secret() -> None:
    for seat in Seat:
        question = GAME.question(GAME.start(), seat)
        assert question.secret
        assert question.typed_prompt == f"{seat}, enter the number of the card you wish to play: "


def test_each_round_is_announced_by_its_number() -> None:
    assert list(GAME.announce(GAME.start(), None)) == ["[Round 1]"]
    assert list(GAME.announce(played(GAME, "6/6 9/8").view(None), Seat.ONE)) == ["[Round 3]"]


def test_the_future_depends_on_who_was_lower_and_not_on_the_whole_history() -> None:
    one, two = played(GAME, "1/9 9/1"), played(GAME, "9/1 1/9 ")
    assert one.view(None) != two.view(None)
    assert GAME.key(one.view(None)) != GAME.key(two.view(None))
    one, two = played(GAME, "1/2 3/4 9/8"), played(GAME, "3/4 1/2 9/8")
    assert one.view(None) != two.view(None)
    assert GAME.key(one.view(None)) == GAME.key(two.view(None))


@pytest.mark.parametrize("text", ["", "six", "-6", "6.", "\u0666", "99999"])
def test_what_is_no_card_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="A card is a number"):
        GAME.parse(text)


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ({"cards": 0}, "1 to 13"),
        ({"cards": 14}, "1 to 13"),
        ({"rounds": 0}, "1 to cards"),
        ({"rounds": 10}, "1 to cards"),
        ({"cards": 4, "rounds": 5}, "1 to cards"),
        ({"level": "coin"}, "sudden-death or draw"),
    ],
)
def test_settings_have_their_ranges(settings: dict[str, int | str], allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        load("high-low-battle", **settings)


def test_the_ends_of_the_ranges_are_open() -> None:
    assert outcome(HighLowBattle(cards=1, rounds=1), "1/1") == "1/2-1/2"
    assert isinstance(HighLowBattle(cards=13, rounds=13).turn(HighLowBattle().start()), Decision)


def test_it_has_no_first_player_and_takes_no_deal() -> None:
    with pytest.raises(ValueError, match="no first player: both players choose at once"):
        load("high-low-battle", first=1)
    with pytest.raises(ValueError, match="takes no deal"):
        GAME.start(deal="")


def may_end_level(game: HighLowBattle, state: State) -> bool:
    turn = game.turn(state)
    if isinstance(turn, Outcome):
        return turn.winner is None
    pairs = product(*(turn.options[seat] for seat in Seat))
    return any(
        may_end_level(game, game.resolve(state, dict(zip(Seat, p, strict=True)))) for p in pairs
    )


@pytest.mark.parametrize("level", ["sudden-death", "draw"])
@pytest.mark.parametrize(("cards", "rounds"), [(3, 3), (3, 2), (2, 1)])
def test_where_a_draw_is_ruled_out_none_is_possible(cards: int, rounds: int, level: str) -> None:
    game = HighLowBattle(cards=cards, rounds=rounds, level=level)
    waiting, level_ends = [game.start()], 0
    for state in waiting:
        assert game.may_draw(state) or not may_end_level(game, state)
        level_ends += may_end_level(game, state)
        turn = game.turn(state)
        if isinstance(turn, Decision):
            pairs = product(*(turn.options[seat] for seat in Seat))
            waiting += [game.resolve(state, dict(zip(Seat, p, strict=True))) for p in pairs]
    assert level_ends


# ---- the board -----------------------------------------------------------------


def facts(moves: str, game: HighLowBattle = GAME) -> list[str]:
    """The round, and what the next tie would earn each player."""
    parts = game.board(played(game, moves).state)
    return [part.text for part in parts if isinstance(part, Fact)]


def test_the_board_shows_the_round_and_who_wins_the_next_tie() -> None:
    assert facts("") == ["1 of 5", "nothing", "nothing"]
    assert facts("6/6") == ["2 of 5", "nothing", "nothing"]
    assert facts("6/6 9/8") == ["3 of 5", "nothing", "2 points"]
    assert facts("6/6 9/8 5/5") == ["4 of 5", "nothing", "2 points"]
    assert facts("7/8") == ["2 of 5", "2 points", "nothing"]


def test_the_board_announces_sudden_death_and_knows_the_end() -> None:
    level = "1/1 2/2 3/3 4/4 5/5"
    assert facts(level) == ["6: sudden death (next lead wins)", "nothing", "nothing"]
    assert facts(f"{level} 6/7") == ["6: sudden death"]
    assert facts(level, HighLowBattle(level="draw")) == ["5 of 5"]
    assert facts(EXAMPLE) == ["5 of 5"]


def test_a_card_says_what_a_tie_would_score() -> None:
    def said(moves: str, number: int) -> str:
        state = played(GAME, moves).state
        return GAME.consequence(state, Seat.ONE, Card(number))

    assert said("", 1) == "ties with 1: nobody scores"
    assert said("", 5) == "beats 4 of 9 cards"
    assert said("7/8", 1) == "ties with 1: +2 for you"
    assert said("8/7", 2) == "beats 1 of 8; tie +2 for them"
    assert said("8/7", 7) == "beats 6 of 8 cards"
    assert said("2/1", 1) == "beats none"


@pytest.mark.parametrize(
    ("moves", "tie"),
    [
        ("", ""),
        ("5/5", ""),
        ("9/3", " (tie: 2 points for Player 2)"),
        ("2/3 4/4", " (tie: 2 points for Player 1)"),
    ],
)
def test_the_question_says_who_wins_a_tie(moves: str, tie: str) -> None:
    state = played(GAME, moves).state
    assert GAME.question(state, Seat.ONE).prompt == f"Player 1, choose a card{tie}"
