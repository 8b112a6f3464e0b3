"""Every game as text: who is asked what, and the value of each answer."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from number_duels.adapters.text import REWARDS, TextEnv
from number_duels.arena.grading import Grader
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit, situation
from number_duels.players.external import THINKING
from number_duels.players.llm.prompt import FORMS, question
from number_duels.players.registry import policy_of
from tests.adapters.tables import every_small_table, every_small_table_at_once
from tests.adapters.text_games import asks, play, said
from tests.core.playing import Table
from tests.solvers.toys import Blind

ONE, TWO = nd.Seat


@every_small_table
def test_rewards_are_the_exact_losses_of_a_review(table: Table) -> None:
    env = TextEnv(table.game)
    for seed in range(4):
        env.reset(seed)
        steps = list(play(env, table.rng))
        found = nd.review(env.match)
        for seat in nd.Seat:
            exact = found.players[seat]
            assert sum(step.rewards[seat] for step in steps) == pytest.approx(-exact.loss)
            assert sum(step.losses[seat] for step in steps) == pytest.approx(exact.loss)
            score = env.score(seat)
            assert score.loss == pytest.approx(exact.loss)
            assert score.decisions == exact.decisions
            assert score.accuracy == pytest.approx(exact.accuracy)
            assert score.loss_per_decision * exact.decisions == pytest.approx(exact.loss)


def test_what_each_answer_cost_is_told_at_once() -> None:
    env = TextEnv("knot")
    env.reset(seed=7)
    steps = [env.step({seat: said(move)}) for seat, move in ((ONE, "S5"), (TWO, "A3"), (ONE, "S9"))]
    assert [step.losses[TWO] for step in steps] == [0.0, 1.0, 0.0]
    assert [step.rewards[TWO] for step in steps] == [0.0, -1.0, 0.0]
    assert [step.done for step in steps] == [False, False, True]


@every_small_table
@pytest.mark.parametrize("seat", [ONE, TWO])
def test_a_result_may_be_given_with_or_without_luck(table: Table, seat: nd.Seat) -> None:
    plain, fair = (
        TextEnv(table.game, opponent="level:1", seat=seat + 1, reward=reward)
        for reward in ("result", "corrected")
    )
    policy = policy_of("level:1", table.game)
    known = (policy, None) if seat is TWO else (None, policy)
    for seed in range(4):
        plain.reset(seed)
        fair.reset(seed)
        results = [step.rewards[seat] for step in play(plain, Random(seed))]
        without_luck = [step.rewards[seat] for step in play(fair, Random(seed))]
        figures = Grader(nd.solve(table.game)).grade(plain.match.record, known)
        luck = (figures.cards + figures.mixing) * (1, -1)[seat]
        result = {ONE: 1.0, None: 0.0, TWO: -1.0}[plain.match.outcome.winner] * (1, -1)[seat]  # type: ignore[union-attr]  # it is over
        assert plain.match.record == fair.match.record
        if results:
            assert sum(results) == results[-1] == result == plain.score(seat).result
            assert sum(without_luck) == without_luck[-1] == pytest.approx(result - luck)
            assert fair.score(seat).corrected == without_luck[-1]


@every_small_table
def test_a_seat_reads_the_prompt_of_language_models(table: Table) -> None:
    for env in asks(table, games=1):
        for seat, ask in env.asked.items():
            assert ask.messages == (question(situation(env.match, seat)),)
            below = ask.text.partition("\nYOUR LEGAL MOVES\n")[2].partition("\n\n")[0]
            assert [line.split(": ")[0] for line in below.splitlines()] == list(ask.moves)


@every_small_table
def test_who_is_asked_has_a_choice(table: Table) -> None:
    assert all(len(ask.moves) > 1 for env in asks(table) for ask in env.asked.values())
    env = TextEnv(table.game, ask_forced=True)
    env.reset(seed=1)
    decisions = 0
    while not env.done:
        decisions += len(env.asked)
        env.step({seat: said(ask.moves[0]) for seat, ask in env.asked.items()})
    assert decisions == sum(env.score(seat).decisions for seat in nd.Seat)


@every_small_table
def test_a_seed_is_the_game_of_a_match_and_of_those_that_follow(table: Table) -> None:
    env, again = TextEnv(table.game), TextEnv(table.game)
    for seed in (7, None, None):
        texts = [{seat: ask.text for seat, ask in one.reset(seed).items()} for one in (env, again)]
        assert texts[0] == texts[1]
        list(play(env, Random(1)))
        list(play(again, Random(1)))
        assert env.match.record == again.match.record
    env.reset(7)
    match = nd.Match(table.game, 7)
    assert env.match.history.start == match.history.start


@every_small_table
@pytest.mark.parametrize("who", ["random", "perfect"])
def test_one_seat_may_be_played_by_a_player_of_ours(table: Table, who: str) -> None:
    for seat in nd.Seat:
        env = TextEnv(table.game, opponent=who, seat=seat + 1)
        env.reset(seed=3)
        assert env.agents == (seat,)
        for step in play(env, table.rng):
            assert set(step.asked) <= {seat}
        if who == "perfect":
            assert env.score(seat.other).loss == 0.0


@pytest.mark.parametrize("seat", nd.Seat)
def test_nobody_is_asked_once_the_other_player_gave_up(seat: nd.Seat) -> None:
    env = TextEnv("number-bid", opponent=Quitter(), seat=seat + 1)
    assert not env.reset(seed=3)
    assert env.match.result == ("1-0", "0-1")[seat]


class Quitter:
    """A player that cannot go on."""

    def choose(self, situation: object) -> object:
        raise Forfeit("crash", "It broke down.")


def test_a_seat_may_be_drawn() -> None:
    env = TextEnv("knot", opponent="random", seat="random")
    drawn: list[nd.Seat] = []
    for seed in range(20):
        env.reset(seed)
        drawn += env.agents
    assert set(drawn) == set(nd.Seat)


def test_an_answer_that_is_refused_is_asked_for_again() -> None:
    env = TextEnv("knot")
    first = env.reset(seed=1)[ONE]
    step = env.step({ONE: '<think>S5?</think>{"move": "S10"}'})
    assert "S10 is not available" in step.refused[ONE]
    assert not step.done
    assert set(step.rewards.values()) == {0.0}
    again = step.asked[ONE]
    assert [message["role"] for message in again.messages] == ["user", "assistant", "user"]
    assert again.messages[0] == first.messages[0]
    assert again.messages[1]["content"] == '{"move": "S10"}'
    assert again.text.startswith(first.text)
    assert "S10 is not available" in again.text
    assert env.step({ONE: said("S5")}).asked.keys() == {TWO}


@pytest.mark.parametrize("think", THINKING)
def test_a_model_has_the_room_to_think_that_it_is_given(think: str) -> None:
    env = TextEnv("knot", think=think)
    ask = env.reset(seed=1)[ONE]
    assert ask.messages == (question(situation(env.match, ONE), think),)
    again = env.step({ONE: "I am not sure."}).asked[ONE]
    assert again.messages[2]["content"].endswith(FORMS[think])
    said_so = {"no": said("S5"), "field": '{"reasoning": "…", "move": "S5"}', "text": "…\nMOVE: S5"}
    assert not env.step({ONE: said_so[think]}).refused
    with pytest.raises(ValueError, match="think must be one of no, field, text, not 'much'"):
        TextEnv("knot", think="much")


def test_no_answer_at_all_costs_as_much_as_losing_the_game() -> None:
    env = TextEnv("knot")
    env.reset(seed=1, moves="S5 A3")  # now Player 1 wins
    steps = [env.step({ONE: "I pass"}) for _ in range(3)]
    assert [step.done for step in steps] == [False, False, True]
    assert [step.rewards[ONE] for step in steps] == [0.0, 0.0, -2.0]
    assert [step.rewards[TWO] for step in steps] == [0.0, 0.0, 0.0]
    assert steps[-1].asked == {}
    assert env.match.record.reason.startswith("Player 1 forfeits: no legal move in 3 answers; ")
    score = env.score(ONE)
    assert (score.result, score.loss, score.accuracy, score.forfeited) == (-1.0, 2.0, 0.0, True)
    assert score.decisions == 1
    assert not env.score(TWO).forfeited
    with pytest.raises(ValueError, match=r"Player 1 has no question to answer now\."):
        env.step({ONE: said("S5")})


def test_the_only_seat_that_is_asked_need_not_be_named_and_a_number_names_none() -> None:
    env = TextEnv("number-knot", opponent="perfect", seat=2)
    env.reset(seed=7, moves="S5")
    with pytest.raises(ValueError, match=r"Seat\.ONE or Seat\.TWO"):
        env.step({1: said("A3")})  # type: ignore[dict-item]  # what people write
    assert env.step(said("A3")).done
    bid = TextEnv("number-bid", numbers=3)
    bid.reset(seed=7)
    with pytest.raises(ValueError, match="pass answers by seat"):
        bid.step(said("3"))


@pytest.mark.parametrize("reward", ["loss", "result"])
def test_of_two_bad_answers_at_once_each_costs_its_seat(reward: str) -> None:
    env = TextEnv("number-bid", numbers=3, retries=0, reward=reward)
    env.reset(seed=7)
    step = env.step({ONE: "castle", TWO: "castle"})
    assert step.done
    assert set(step.refused) == {ONE, TWO}
    assert step.losses == {ONE: 1.0, TWO: 1.0}
    assert step.rewards == {ONE: -1.0, TWO: -1.0}
    for seat in (ONE, TWO):
        score = env.score(seat)
        assert (score.result, score.loss, score.forfeited) == (-1.0, 1.0, True)
    record = env.match.record
    assert (record.result, record.reason.count("forfeits: ")) == ("1/2-1/2", 2)
    assert record.match().record == record


@every_small_table_at_once
def test_answers_to_one_question_may_come_apart(table: Table) -> None:
    together, apart = TextEnv(table.game), TextEnv(table.game)
    together.reset(seed=1)
    asked = apart.reset(seed=1)
    moves = {seat: said(ask.moves[0]) for seat, ask in asked.items()}
    step = together.step(moves)
    held = apart.step({TWO: moves[TWO]})
    assert held.asked.keys() == {ONE}
    assert set(held.losses.values()) == {0.0}
    last = apart.step({ONE: moves[ONE]})
    assert (last.losses, last.asked) == (step.losses, step.asked)
    assert asked.keys() == {ONE, TWO}  # what was given is not changed afterwards


def test_a_game_may_begin_in_the_middle() -> None:
    env = TextEnv("knot")
    asked = env.reset(seed=1, moves="S5 A3")
    assert "\nS5 A3\n" in asked[ONE].text
    assert env.score(TWO).decisions == 0  # what was played before is not this game's
    with pytest.raises(ValueError, match="These moves cannot be played"):
        env.reset(seed=1, moves="S5 S5")


def test_a_game_that_cannot_be_solved_has_a_result_and_nothing_else() -> None:
    game: AnyGame = Blind()  # type: ignore[assignment]  # its states and moves are texts
    env = TextEnv(game, reward="result")
    (asked,) = env.reset(seed=1).values()
    assert (asked.seat, asked.moves) == (TWO, ("H", "T"))
    step = env.step(said("H"))
    won = (-1.0, 1.0) if env.match.result == "0-1" else (1.0, -1.0)
    assert (step.done, step.losses) == (True, {})
    assert (step.rewards[ONE], step.rewards[TWO]) == won
    env.reset(seed=1)
    for _ in range(3):
        step = env.step("nothing")
    assert (step.done, step.rewards[TWO]) == (True, -1.0)
    with pytest.raises(ValueError, match="Player 2 decides without"):
        env.score(TWO)
    for reward in ("loss", "corrected"):
        with pytest.raises(ValueError, match="Player 2 decides without"):
            TextEnv(game, reward=reward)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"There is no reward 'win'; choose loss, result, corr"):
        TextEnv("knot", reward="win")
    with pytest.raises(ValueError, match='seat must be 1, 2 or "random", not 3'):
        TextEnv("knot", seat=3)
    with pytest.raises(ValueError, match="A human player cannot be used here"):
        TextEnv("knot", opponent="human")
    with pytest.raises(ValueError, match="No game has begun"):
        TextEnv("knot").match.submit(ONE, "S5")
    env = TextEnv("knot")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="answers is empty"):
        env.step({})
    assert set(REWARDS) == {"loss", "result", "corrected"}


def test_a_forfeit_in_a_lost_position_is_not_accurate() -> None:
    env = TextEnv("number-drop", side=2, opponent="perfect", retries=0)
    env.reset(seed=1)  # Player 1 has lost with these settings
    env.step({ONE: "nothing"})
    found = env.score(ONE)
    assert (found.result, found.loss, found.accuracy) == (-1.0, 0.0, 0.0)
