"""Best answers: nothing gained on perfect play, and on others what few lines say by another way."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.games.number_knot import NumberKnot, State
from number_duels.solvers import TooLarge, best_response, solve
from number_duels.solvers.best_response import expected, expected_with_errors
from number_duels.solvers.cache import solutions_folder
from number_duels.solvers.induction import induce_response
from number_duels.solvers.policies import Policy, UniformPolicy, probabilities
from tests.solvers.helpers import LAYERED, Settings, lopsided, wrapped

STACK: Settings = {"target": 8, "highest": 3, "copies": 2}
SMALL = [*LAYERED, ("number-stack-showdown", STACK)]
#: Small enough for the tree of all games, which has far more branches than there are keys.
TINY: list[tuple[str, Settings]] = [
    ("high-low-battle", {"cards": 3, "rounds": 2}),
    ("number-bid", {"numbers": 4}),
    ("number-drop", {"side": 2}),
    ("number-knot", {"numbers": 3, "life": 4}),
    ("number-stack-showdown", {"target": 5, "highest": 3, "copies": 1}),
]
RESULTS = {nd.Seat.ONE: 1, None: 0, nd.Seat.TWO: -1}


def play_tree(game: AnyGame, state: Hashable, seat: nd.Seat) -> Fraction:
    """What a seat can get of an opponent who plays anything: every game played, in fractions."""
    turn = game.turn(state)
    if isinstance(turn, nd.Outcome):
        return Fraction(RESULTS[turn.winner] * (1 - 2 * seat))
    if isinstance(turn, nd.Chance):
        return sum(
            (odds * play_tree(game, game.play(state, {None: event}), seat))
            for event, odds in turn.odds.items()
        ) + Fraction(0)
    others = turn.options.get(seat.other, (None,))
    totals = []
    for own in turn.options.get(seat, (None,)):
        played = [{seat: own, seat.other: reply} for reply in others]
        after = [game.play(state, {s: m for s, m in p.items() if m is not None}) for p in played]
        totals.append(sum((play_tree(game, then, seat) for then in after), Fraction(0)))
    return max(totals) / len(others)


@pytest.mark.parametrize("name", nd.games())
def test_nothing_is_gained_on_perfect_play(name: str) -> None:
    # At their defaults these two take long; the slow tests have them.
    smaller: dict[str, Settings] = {
        "high-low-battle": {"cards": 6, "rounds": 4},
        "number-stack-showdown": STACK,
    }
    game = nd.load(name, **smaller.get(name, {}))
    solution = solve(game, cache=False)
    found = nd.best_response(game, solution.strategy)
    value = solution.value(game.start())
    assert found.values == pytest.approx({nd.Seat.ONE: value, nd.Seat.TWO: -value}, abs=1e-9)
    assert 0 <= found.exploitability <= 1e-9


@pytest.mark.parametrize(("name", "settings"), TINY)
def test_the_answer_to_random_is_what_the_tree_of_all_games_says(
    name: str, settings: Settings
) -> None:
    game = nd.load(name, **settings)
    found = nd.best_response(game, UniformPolicy(game), cache=False)
    value = solve(game, cache=False).value(game.start())
    for seat in nd.Seat:
        exact = float(play_tree(game, game.start(), seat))
        assert found.values[seat] == pytest.approx(exact, abs=1e-12)
        assert found.gains[seat] == pytest.approx(exact - value * (1 - 2 * seat), abs=1e-12)
    assert found.exploitability == pytest.approx(sum(found.gains.values()) / 2)


@pytest.mark.slow
def test_nothing_is_gained_on_perfect_play_of_the_largest_layers() -> None:
    game = nd.load("high-low-battle")
    found = nd.best_response(game, solve(game, cache=False).strategy)
    assert 0 <= found.exploitability <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["high-low-battle", "number-bid", "number-drop", "number-knot"])
def test_the_answer_to_random_is_what_plain_induction_over_the_rules_says(name: str) -> None:
    game = nd.load(name)
    policy = UniformPolicy(game)
    found = nd.best_response(game, policy, cache=False)
    for seat in nd.Seat:
        plain = induce_response(game, seat, policy, lambda _: None)[game.key(game.start())]
        assert found.values[seat] * (1 - 2 * seat) == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize(("name", "settings"), SMALL)
@pytest.mark.parametrize("kind", ["uniform", "slipping", "perfect", "lopsided"])
def test_the_answer_brings_what_it_is_said_to(name: str, settings: Settings, kind: str) -> None:
    game = nd.load(name, **settings)
    perfect = solve(game, cache=False).strategy
    policies: dict[str, Policy[Hashable, Hashable]] = {
        "uniform": UniformPolicy(game),
        "slipping": perfect.with_errors(0.3),
        "perfect": perfect,
        "lopsided": lopsided(game),
    }
    policy = policies[kind]
    found = nd.best_response(game, policy, cache=False)

    def whole(state: Hashable, seat: nd.Seat) -> dict[Hashable, float]:
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        return probabilities(game, policy, state, seat, turn.options[seat])

    as_one = expected(game, found.strategy, whole)
    as_two = expected(game, whole, found.strategy)
    assert found.values[nd.Seat.ONE] == pytest.approx(as_one, abs=1e-9)
    assert found.values[nd.Seat.TWO] == pytest.approx(-as_two, abs=1e-9)
    moves = found.strategy(start_of_decisions(game), deciding(game))
    assert sorted(moves.values())[-1] == sum(moves.values()) == 1


def start_of_decisions(game: AnyGame) -> Hashable:
    state = game.start()
    while isinstance(turn := game.turn(state), nd.Chance):
        state = game.drawn(state, next(iter(turn.odds)))
    return state


def deciding(game: AnyGame) -> nd.Seat:
    turn = game.turn(start_of_decisions(game))
    assert isinstance(turn, nd.Decision)
    return min(turn.options)


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_a_function_around_perfect_play_is_answered_as_perfect_play_is(
    name: str, settings: Settings
) -> None:
    game = nd.load(name, **settings)
    perfect = solve(game, cache=False).strategy
    found = nd.best_response(game, wrapped(perfect), cache=False)
    assert found.values == pytest.approx(nd.best_response(game, perfect).values, abs=1e-9)


def test_moves_may_be_given_as_they_are_written() -> None:
    game = NumberKnot(numbers=3, life=4)

    def policy(view: State, _: nd.Seat) -> dict[str, float]:
        return {f"S{view.line[-1]}": 1}

    by_text = nd.best_response(game, policy, cache=False)
    by_move = nd.best_response(
        game, lambda view, _: {game.parse(f"S{view.line[-1]}"): 1.0}, cache=False
    )
    assert by_text == by_move


def test_a_solved_game_that_is_too_large_for_a_function_is_not_called_unsolvable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(best_response, "MAX_STATES", 100)
    game = nd.load("number-stack-showdown", target=10, highest=4, copies=2)
    solution = solve(game, cache=False)
    with pytest.raises(
        TooLarge, match=r"too many to call a function for each of them \(the limit is 100\)"
    ) as refused:
        nd.best_response(game, wrapped(solution.strategy), cache=False)
    assert f"has {solution.states:,} states" in str(refused.value)
    assert "cannot be solved" not in str(refused.value)


def test_an_answer_tells_what_it_is_and_what_it_cannot_do() -> None:
    game = nd.load("number-knot", numbers=2, life=2)
    found = nd.best_response(game, UniformPolicy(game), cache=False)
    assert repr(found) == "Response(values={Seat.ONE: 1, Seat.TWO: 0}, exploitability=0.5)"
    with pytest.raises(ValueError, match="Player 2 has no decision to make here"):
        found.strategy(game.start(), nd.Seat.TWO)


def test_progress_is_told_to_the_end() -> None:
    game, told = nd.load("number-bid", numbers=5), list[float]()
    nd.best_response(game, lopsided(game), progress=told.append, cache=False)
    assert told[-1] == 1.0


@pytest.mark.usefixtures("own_cache")
def test_kept_tables_are_checked_before_they_are_played_out() -> None:
    game = nd.load("number-bid", numbers=5)
    exact = nd.best_response(game, solve(game).strategy, cache=False)
    (file,) = (path for path in solutions_folder().iterdir() if path.is_file())
    sound = file.read_bytes()
    file.write_bytes(sound[:-64] + bytes(byte ^ 0x55 for byte in sound[-64:]))
    opened = solve(game)
    assert opened.cached
    assert expected_with_errors(opened, [(0.0, 1.0)]) == expected_with_errors(
        solve(game, cache=False), [(0.0, 1.0)]
    )
    assert nd.best_response(game, opened.strategy) == exact
    assert file.read_bytes() == sound
