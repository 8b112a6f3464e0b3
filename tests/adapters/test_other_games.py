"""Games of rules alone, from a package of their own, are in every library with no other edit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module

import gymnasium
import numpy as np
import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types
import pytest
from gymnasium.utils.env_checker import check_env

import number_duels as nd
from number_duels.adapters.batch import Batch, playouts
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import env_id
from number_duels.adapters.gymnasium import register as register_with_gymnasium
from number_duels.adapters.open_spiel import register
from number_duels.adapters.open_spiel_policies import perfect_policy
from number_duels.adapters.pettingzoo import env, parallel_env
from number_duels.adapters.text import TextEnv
from tests.adapters.pettingzoo_envs import api_test, dictionaries, zeros
from tests.adapters.test_batch import some_actions
from tests.adapters.test_open_spiel import run_all
from tests.lazy import Lazy

spiel_api_test = Lazy("open_spiel.integration_tests.api_test")
exploitability = Lazy("open_spiel.python.algorithms.exploitability")

#: `take-away` has rules alone. In `blind-bet` a card is drawn, both bet in secret, Player 2 draws
#: a second card that Player 1 does not see, and moves alone; a last card may decide.
PACKAGE = '''
from dataclasses import dataclass
from fractions import Fraction
from number_duels import Chance, Decision, Game, HIDDEN, Outcome, Seat

@dataclass(frozen=True)
class TakeAway(Game):
    name, title, summary = "take-away", "Take Away", "Who takes the last of four wins."

    def start(self, rng=None, deal=None):
        return 4, Seat.ONE

    def turn(self, state):
        left, mover = state
        if not left:
            return Outcome(mover.other, "the last one was taken.")
        return Decision({mover: tuple(range(1, min(left, 2) + 1))})

    def resolve(self, state, moves):
        left, mover = state
        return left - moves[mover], mover.other

    def key(self, state):
        return state

    def parse(self, text):
        return int(text)

@dataclass(frozen=True)
class NumberKnot(Game):
    """Its class is named as one of the package's own is."""
    name, title, summary = "blind-bet", "Blind Bet", "Guess the card."

    def start(self, rng=None, deal=None):
        return ()

    def turn(self, state):
        if len(state) in (0, 2, 4):
            return Chance({1: Fraction(1, 3), 2: Fraction(2, 3)})
        if len(state) == 1:
            return Decision({seat: ("low", "high") for seat in Seat})
        if len(state) == 3:
            return Decision({Seat.TWO: ("stay", "go")})
        one, two = ((2 if bet == "high" else 1) == state[0] for bet in state[1])
        if one == two or state[3] == "go":
            winner = None if state[4] == state[2] else Seat.ONE
        else:
            winner = Seat.ONE if one else Seat.TWO
        return Outcome(winner, "the cards decided.")

    def resolve(self, state, moves):
        if len(state) == 1:
            return *state, (moves[Seat.ONE], moves[Seat.TWO])
        return *state, moves[Seat.TWO]

    def drawn(self, state, event):
        return *state, event

    def key(self, state):
        return state

    def view(self, state, viewer):
        hidden = len(state) == 3 and viewer is not Seat.TWO
        return (*state[:2], HIDDEN) if hidden else state

    def parse(self, text):
        return text
'''


@pytest.fixture(scope="module", params=["take-away", "blind-bet"])
def name(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a game that a package of its own brings."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "other_games.py").write_text(PACKAGE, encoding="utf-8")
    info = folder / "other_games-1.dist-info"
    info.mkdir()
    points = "take-away = other_games:TakeAway\nblind-bet = other_games:NumberKnot\n"
    (info / "entry_points.txt").write_text(f"[number_duels.games]\n{points}", encoding="utf-8")
    sys.path.append(str(folder))
    forget_games()
    yield request.param
    sys.path.remove(str(folder))
    sys.modules.pop("other_games", None)
    for known in ("take-away", "blind-bet"):
        gymnasium.registry.pop(env_id(known), None)
    forget_games()


def forget_games() -> None:
    """Let the games be looked for again."""
    games = import_module("number_duels.games")
    games.names.cache_clear()
    games._places.cache_clear()


def test_their_numbers_are_made_from_the_rules(name: str) -> None:
    encoding = Encoding(nd.load(name))
    assert [*map(str, encoding.moves)] == {
        "take-away": ["1", "2"],
        "blind-bet": ["low", "high", "stay", "go"],
    }[name]
    assert encoding.event_count == (2 if name == "blind-bet" else 0)
    assert encoding.choosers == 1 + (name == "blind-bet")
    assert encoding.hides_something == (name == "blind-bet")
    assert not encoding.simultaneous


@dictionaries
@zeros
def test_pettingzoo(name: str) -> None:
    api_test(env(name), num_cycles=100)

    with pytest.raises(ValueError, match=r"^(Take Away|Blind Bet) is played (partly )?in turns; "):
        parallel_env(name)


def test_they_are_drawn_as_all_others_are(name: str) -> None:
    room = env(name, render_mode="rgb_array")
    room.reset(seed=1)
    first = room.render()
    seen = room.last()[0]
    room.step(seen["action_mask"].argmax())
    assert first.shape == room.render().shape == (400, 640, 3)


def test_gymnasium_knows_them_by_their_names(name: str) -> None:
    register_with_gymnasium()
    for seat in (1, 2):
        for opponent in ("random", "perfect"):
            check_env(gymnasium.make(env_id(name), seat=seat, opponent=opponent).unwrapped)
    assert gymnasium.spec("number_duels/NumberKnot-v0").kwargs == {"game": "number-knot"}


@pytest.mark.parametrize("rival", [None, *nd.Seat])
def test_the_batch_plays_them_by_their_rules(name: str, rival: nd.Seat | None) -> None:
    batch, rng = Batch(nd.load(name), 8, 3, rival=rival), np.random.default_rng(1)
    ends = 0
    for _ in range(30):
        if rival is None:  # somebody decides everywhere
            assert batch.masks.any(axis=(1, 2)).all()
        batch.step(some_actions(batch, rng))
        ends += int(batch.done.sum())
    assert ends > 30
    assert sum(playouts(nd.load(name), 50)[:3]) == 50


def test_a_vector_environment_is_one_seat_of_them(name: str) -> None:
    register_with_gymnasium()
    for seat in (1, 2):
        envs = gymnasium.make_vec(
            env_id(name), num_envs=4, vectorization_mode="vector_entry_point", seat=seat
        )
        _, infos = envs.reset(seed=1)
        ends = 0
        for _ in range(20):
            masks = infos["action_mask"]
            observations, _, ended, _, infos = envs.step(masks.argmax(axis=1))
            assert observations in envs.observation_space
            assert "illegal" not in infos
            ends += int(ended.sum())
        assert ends > 20


def test_they_are_played_in_words(name: str) -> None:
    env = TextEnv(name, opponent="perfect", seat="random")
    for seed in range(4):
        asked = env.reset(seed)
        while asked:
            answers = {seat: f'{{"move": "{ask.moves[0]}"}}' for seat, ask in asked.items()}
            asked = env.step(answers).asked
        assert all(env.score(seat).decisions for seat in env.agents)


def test_openspiel_plays_them_and_agrees_on_their_values(name: str) -> None:
    short_name = f"python_{name.replace('-', '_')}"
    assert short_name in register()
    game = pyspiel.load_game(short_name)
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    turns = pyspiel.load_game_as_turn_based(short_name)
    run_all(spiel_api_test.EnforceAPIOnFullTreeBase, turns, short_name)
    assert spiel_api_test._assert_is_perfect_recall(turns)
    assert exploitability.exploitability(turns, perfect_policy(turns)) == pytest.approx(0, abs=1e-9)


def test_a_game_too_large_to_search_keeps_no_other_out_of_openspiel(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise ValueError("There are too many positions.")

    monkeypatch.setattr(type(nd.load(name)), "all_events", refuse)
    with pytest.warns(
        UserWarning, match=rf"^{name} is not registered with OpenSpiel: There are too many"
    ):
        assert "python_number_knot" in register()
