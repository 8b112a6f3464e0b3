"""The games in OpenSpiel pass OpenSpiel's own tests, and show nobody what is hidden."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types
import pytest
from absl import flags
from open_spiel.python.observation import make_observation  # type: ignore[import-untyped]

import number_duels as nd
from number_duels.adapters.open_spiel import register
from tests.adapters.spiel import GAMES, NAMES, SMALL, settings_of, some
from tests.lazy import Lazy

api_test = Lazy("open_spiel.integration_tests.api_test")
games_sim_test = Lazy("open_spiel.python.tests.games_sim_test")
generate_playthrough = Lazy("open_spiel.python.algorithms.generate_playthrough")

#: These compare with figures that OpenSpiel keeps about its own games.
ABOUT_ITS_OWN_GAMES = {"test_number_of_nodes", "test_game_is_perfect_recall"}


# ---- OpenSpiel's own tests -------------------------------------------------------


@pytest.mark.parametrize("text", some(GAMES))
def test_random_simulation(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("text", some(GAMES))
def test_python_simulation_with_clones_serialisation_and_pickles(text: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        for _ in range(2):
            games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))
            games_sim_test.GamesSimTest().sim_game(pyspiel.load_game_as_turn_based(text))


@pytest.mark.parametrize("text", some(GAMES))
def test_a_playthrough_replays_to_the_letter(text: str, tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(text, None, seed=7), encoding="utf-8")
    before, after = generate_playthrough.replay(str(file))
    assert before == after
    assert "Returns() = " in after


def run_all(base: type[unittest.TestCase], game: pyspiel.Game, name: str) -> None:
    """Run the tests of one of OpenSpiel's classes, which it fills with a game like this."""
    kind = type(base.__name__, (base,), {"game": game, "game_name": name})
    suite = unittest.TestSuite(
        kind(method)
        for method in unittest.defaultTestLoader.getTestCaseNames(kind)
        if method not in ABOUT_ITS_OWN_GAMES
    )
    result = unittest.TestResult()
    with contextlib.redirect_stdout(io.StringIO()):
        suite.run(result)
    assert result.testsRun >= 5
    assert [*result.errors, *result.failures] == []


@pytest.mark.parametrize("text", some(NAMES))
def test_the_interface_on_a_part_of_the_tree(text: str) -> None:
    # As such, a game in which both choose at once would be looked at no further than its start.
    run_all(api_test.EnforceAPIOnPartialTreeBase, pyspiel.load_game_as_turn_based(text), text)


@pytest.mark.parametrize("text", some(SMALL))
def test_the_interface_on_the_whole_tree(text: str) -> None:
    run_all(api_test.EnforceAPIOnFullTreeBase, pyspiel.load_game_as_turn_based(text), text)


@pytest.mark.parametrize("text", some(SMALL))
def test_information_states_have_perfect_recall(text: str) -> None:
    assert api_test._assert_is_perfect_recall(pyspiel.load_game_as_turn_based(text))


# ---- what is registered ------------------------------------------------------------


def test_every_game_is_registered_once_under_its_own_name() -> None:
    assert {f"python_{name.replace('-', '_')}" for name in nd.games()} == set(NAMES)
    assert register() == NAMES
    assert sorted(pyspiel.registered_names()).count(NAMES[0]) == 1


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_the_settings(name: str) -> None:
    assert pyspiel.load_game(name).get_parameters() == settings_of(name)


def test_a_wrong_setting_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="numbers must be 2 to 20, not 99"):
        pyspiel.load_game("python_number_bid(numbers=99)")


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = pyspiel.load_game("python_number_knot(numbers=3)").new_initial_state()
    state.apply_action(0)
    with pytest.raises(nd.IllegalMove, match="A1 is not available; choose one of A2"):
        state.apply_action(0)
    with pytest.raises(ValueError, match="There is no action 6; actions range from 0 to 5"):
        state.apply_action(6)
    assert state.history() == [0]
    assert state.current_player() == 1


def test_both_choose_at_once_where_the_rules_say_so() -> None:
    state = pyspiel.load_game("python_number_bid(numbers=3)").new_initial_state()
    assert state.is_simultaneous_node()
    state.apply_actions([2, 0])
    assert state.information_state_string(1) == "Player 2: 3/1"
    with pytest.raises(nd.IllegalMove, match="3 is not available"):
        state.apply_actions([2, 1])


@pytest.mark.system
def test_a_pickled_state_is_opened_by_a_process_that_has_registered_nothing() -> None:
    state = pyspiel.load_game("python_number_stack_showdown(target=20)").new_initial_state()
    state.apply_action(6)
    script = (
        "import pickle, sys; state = pickle.load(sys.stdin.buffer)\n"
        "print(state.get_game(), state.information_state_string(0), sep='; ')"
    )
    # It ends well, too: OpenSpiel lets go of registered games after Python has ended.
    run = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert run.stdout.decode().strip() == f"{state.get_game()}; Player 1: 7"


@pytest.mark.parametrize("text", some(GAMES))
def test_copies_in_mid_game_are_equal_and_independent(text: str) -> None:
    state = pyspiel.load_game_as_turn_based(text).new_initial_state()
    # A card is in hand now, or a choice waits for the other's.
    state.apply_action(state.legal_actions()[0])
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        before = str(state)
        assert (str(twin), twin.history()) == (before, state.history())
        twin.apply_action(twin.legal_actions()[0])
        assert str(state) == before
        assert len(twin.history()) == len(state.history()) + 1


def test_copies_share_the_history() -> None:
    # OpenSpiel's algorithms copy states all the time.
    state = card_in_hand(3)
    assert state.clone().progress is state.progress


# ---- what is seen ----------------------------------------------------------------------


SIGHTS = (
    pyspiel.State.information_state_string,
    pyspiel.State.information_state_tensor,
    pyspiel.State.observation_string,
    pyspiel.State.observation_tensor,
)


def card_in_hand(card: int) -> pyspiel.State:
    """A game of cards in which Player 1 has just drawn one."""
    state = pyspiel.load_game("python_number_stack_showdown(target=20)").new_initial_state()
    state.apply_action(card - 1)
    return state


def test_a_card_in_hand_shows_to_its_drawer_alone() -> None:
    three, nine = card_in_hand(3), card_in_hand(9)
    assert three.information_state_string(0) == "Player 1: 3"
    assert three.information_state_string(1) == "Player 2: ?"
    for what in SIGHTS:
        assert what(three, 0) != what(nine, 0)
        assert what(three, 1) == what(nine, 1)


@pytest.mark.parametrize("text", [text for text in SMALL if "battle" in text or "bid" in text])
def test_a_choice_that_waits_does_not_show_to_the_other(text: str) -> None:
    start = pyspiel.load_game_as_turn_based(text).new_initial_state()
    low, high = start.child(0), start.child(2)
    assert low.current_player() == 1
    for what in SIGHTS:
        assert what(low, 1) == what(high, 1)


def test_public_and_private_parts_of_an_observation() -> None:
    three, nine = card_in_hand(3), card_in_hand(9)
    kind, whose = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    public = make_observation(three.get_game(), kind(perfect_recall=False, private_info=whose.NONE))
    private = make_observation(three.get_game(), kind(perfect_recall=False, public_info=False))
    assert public.string_from(three, 0) == public.string_from(nine, 1)
    assert private.string_from(three, 0) != private.string_from(nine, 0) != ""
    assert private.string_from(three, 1) == ""
    private.set_from(nine, 0)
    assert private.dict["card in hand"].tolist() == [0] * 8 + [1, 0]


@pytest.mark.parametrize("text", some(GAMES))
def test_the_tensor_is_the_encoding_of_every_adapter(text: str) -> None:
    state = pyspiel.load_game(text).new_initial_state()
    for seat in nd.Seat:
        expected = state.encoding.observation(state.progress.view(seat), seat)
        who, seen = np.split(np.array(state.observation_tensor(int(seat))), [2])
        assert who.tolist() == [seat == 0, seat == 1]
        assert seen.tolist() == expected.tolist()


def test_the_history_in_the_tensor_has_ones_own_choice_first() -> None:
    game = pyspiel.load_game("python_number_bid(numbers=3)")
    state = game.new_initial_state()
    state.apply_actions([2, 0])
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    recall.set_from(state, 1)
    assert recall.dict["moves"][0].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert not recall.dict["moves"][1:].any()


def test_states_with_the_same_future_have_the_same_text() -> None:
    game = pyspiel.load_game("python_number_bid(numbers=4)")
    one, two = game.new_initial_state(), game.new_initial_state()
    one.apply_actions([0, 0])
    one.apply_actions([1, 1])
    two.apply_actions([1, 1])
    two.apply_actions([0, 0])
    assert str(one) == str(two)
    assert one.information_state_string(0) != two.information_state_string(0)
