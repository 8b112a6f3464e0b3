"""What lessons say of whole games, asked of every state, or of sampled games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

import pytest

import number_duels as nd
from number_duels import Chance, Decision, Seat
from number_duels.games import number_stack_showdown as stack
from number_duels.review.position import AnySolution
from number_duels.trainer.lessons import lesson
from tests.documented import DOCUMENTED
from tests.trainer.claims import claimed
from tests.trainer.game_laws import LAWS
from tests.trainer.laws import SHARES, decisions, sampled_decisions


def stated(game: str) -> set[str]:
    return {
        str(claim.said)
        for _, claims in claimed(lesson(game))
        for claim in claims
        if claim.of_whole_game
    }


@pytest.mark.parametrize("game", DOCUMENTED)
def test_lessons_state_the_laws_that_are_checked_and_no_others(game: str) -> None:
    assert stated(game) == set(LAWS[game])


def check(game: str, found: Iterator[tuple[Hashable, Seat]], solution: AnySolution) -> Counter[str]:
    """How often each law applied; it must have held as often as it promises."""
    applied, held = Counter[str](), Counter[str]()
    for state, seat in found:
        for words, law in LAWS[game].items():
            holds = law(solution, state, seat)
            if holds is not None:
                applied[words] += 1
                held[words] += holds
    for words, law in LAWS[game].items():
        assert held[words] >= SHARES[law] * applied[words], words
    return applied


@pytest.mark.parametrize("game", DOCUMENTED)
def test_laws_hold_in_sampled_games(game: str) -> None:
    solution = nd.solve(nd.load(game))
    assert check(game, sampled_decisions(solution, 2), solution)


@pytest.mark.slow
@pytest.mark.parametrize("game", DOCUMENTED)
def test_laws_hold_everywhere(game: str) -> None:
    solution = nd.solve(nd.load(game))
    solution.open_arrays()
    applied = check(game, decisions(solution, 1000), solution)
    assert set(applied) == set(LAWS[game])


def early_decisions(
    game: nd.Game[stack.State, stack.Choice, stack.Card], most: int
) -> Iterator[stack.State]:
    """Every state with a card in hand while neither stack is above a total, each key once."""
    waiting, seen = [game.start()], set()
    while waiting:
        state = waiting.pop()
        turn = game.turn(state)
        if max(map(sum, state.stacks)) > most or game.key(state) in seen:
            continue
        seen.add(game.key(state))
        if isinstance(turn, Decision):
            yield state
            waiting += [game.resolve(state, {state.mover: move}) for move in stack.BOTH]
        elif isinstance(turn, Chance):
            waiting += [game.drawn(state, card) for card in turn.odds]


@pytest.mark.slow
def test_giving_a_card_never_helps_while_neither_stack_is_above_11() -> None:
    game = stack.NumberStackShowdown()
    solution = nd.solve(nd.load(game.name))
    law = LAWS[game.name]["neither above 11: keep every card"]
    found = list(early_decisions(game, 11))
    assert len(found) == 90_087
    assert all(law(solution, state, state.mover) for state in found)
