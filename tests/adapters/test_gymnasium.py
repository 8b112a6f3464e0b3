"""One seat of a game as a Gymnasium environment: its own checker, and the same games as ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import DuelEnv, env_id, register
from tests.adapters.tables import (
    every_small_table,
    every_table,
    every_table_with_closed_actions,
    plain,
)
from tests.core.playing import Table

SEATS = (1, 2, "random")


def make(table: Table, **options: Any) -> DuelEnv:
    settings: dict[str, Any] = {**table.game.settings, **options}
    room = gymnasium.make(env_id(table.game.name), **settings).unwrapped
    assert isinstance(room, DuelEnv)
    return room


def legal(info: dict[str, Any], rng: np.random.Generator) -> int:
    """An open action; any number serves where the game is over before this seat's first turn."""
    return int(rng.choice(np.flatnonzero(info["action_mask"]))) if info["action_mask"].any() else 0


def play(room: DuelEnv, seed: int) -> list[object]:
    """All that is shown in one game of legal actions."""
    rng, ended = np.random.default_rng(seed), False
    observation, info = room.reset(seed=seed)
    shown = [plain((observation, info))]
    while not ended:
        observation, reward, ended, cut, info = room.step(legal(info, rng))
        shown.append(plain((observation, reward, ended, cut, info)))
    return shown


# ---- Gymnasium's own checker ---------------------------------------------------


@every_table
@pytest.mark.parametrize("seat", SEATS)
def test_gymnasium_has_nothing_to_say_against_it(table: Table, seat: int | str) -> None:
    check_env(make(table, seat=seat))


@pytest.mark.parametrize("opponent", ["perfect", "level:3"])
@every_small_table
def test_nor_with_a_solved_opponent(table: Table, opponent: str) -> None:
    check_env(make(table, opponent=opponent))


@pytest.mark.parametrize("name", nd.games())
def test_every_game_is_registered_under_its_own_name(name: str) -> None:
    spec = gymnasium.spec(env_id(name))
    assert spec.kwargs == {"game": name}
    assert spec.vector_entry_point == "number_duels.adapters.gymnasium_vector:VectorDuel"
    register()  # once more: Gymnasium would warn of a second environment of the same name


def test_the_ids_on_the_page_are_registered() -> None:
    page = (Path(__file__).parents[2] / "docs" / "gymnasium.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| ids |"))
    listed = re.findall(r"`(\w+-v0)`", row)
    assert "NumberKnot-v0" in listed
    assert {f"number_duels/{one}" for one in listed} <= gymnasium.registry.keys()


# ---- the same games as ours ----------------------------------------------------


class Scribe:
    """Plays at random, and remembers the match it was in."""

    def __init__(self) -> None:
        self.told: list[nd.Situation] = []

    def choose(self, situation: nd.Situation) -> object:
        self.told.append(situation)
        return situation.rng.choice(situation.options)


@every_table
@pytest.mark.parametrize("seat", nd.Seat)
def test_an_environment_plays_by_the_rules(table: Table, seat: nd.Seat) -> None:
    """Every shown position, mask and reward is that of a match with the same moves."""
    encoding, rng = Encoding(table.game), np.random.default_rng(1)
    for seed in range(4):
        room = make(table, seat=seat + 1)
        _, info = room.reset(seed=seed)
        ended, reward = False, 0.0
        while not ended:
            seen, reward, ended, cut, info = room.step(legal(info, rng))
            assert cut is False
            assert info["seat"] == seat + 1
            match = nd.Match.from_record(table.game, room._single_game.match.record)
            assert (seen == encoding.observation(match.view(seat), seat)).all()
            assert (info["action_mask"] == encoding.mask(match.options(seat))).all()
            assert ended == isinstance(match.turn, nd.Outcome)
        results = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}
        assert reward == results[room._single_game.match.result][seat]


@every_small_table
@pytest.mark.parametrize("seat", SEATS)
def test_a_seed_determines_the_whole_game(table: Table, seat: int | str) -> None:
    one, two = make(table, seat=seat), make(table, seat=seat)
    assert [play(one, seed) for seed in range(5)] == [play(two, seed) for seed in range(5)]


def test_the_seat_is_told_and_may_be_left_to_chance() -> None:
    room = DuelEnv("number-knot", seat="random")
    seats = [room.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert set(seats) == {1, 2}
    assert [DuelEnv("number-knot", seat=2).reset(seed=s)[1]["seat"] for s in range(3)] == [2, 2, 2]
    # The seat changes nothing else: the same seed deals the same grids.
    for seed, seat in enumerate(seats):
        grids = []
        for choice in ("random", seat):
            drop = DuelEnv("number-drop", seat=choice)
            drop.reset(seed=seed)
            grids.append(drop._single_game.match.record.deal)
        assert grids[0] == grids[1]


@pytest.mark.parametrize(("opponent", "worst"), [("perfect", 1.0), ("level:5", 0.8)])
def test_the_opponent_is_who_was_asked_for(opponent: str, worst: float) -> None:
    game = nd.load("number-knot", numbers=3, life=3)
    assert nd.solve(game, cache=False).value(game.start()) == 1  # Player 1 can force a win
    room = DuelEnv("number-knot", opponent=opponent, seat=2, numbers=3, life=3)
    rng, lost = np.random.default_rng(1), 0
    for seed in range(30):
        _, info = room.reset(seed=seed)
        ended, reward = False, 0.0
        while not ended:
            _, reward, ended, _, info = room.step(legal(info, rng))
        lost += reward == -1
    assert lost >= 30 * worst


@every_table
def test_a_player_of_ones_own_may_be_the_opponent(table: Table) -> None:
    scribe = Scribe()
    room = make(table, opponent=scribe, seat=2)
    for seed in range(8):  # it plays just as `random` does
        assert play(room, seed) == play(make(table, seat=2), seed)
    assert scribe.told
    assert {one.seat for one in scribe.told} == {nd.Seat.ONE}


def test_a_game_that_ends_before_the_first_turn_is_told_by_the_first_step() -> None:
    room = DuelEnv("number-knot", opponent="perfect", seat=2, life=1, numbers=3)
    _, info = room.reset(seed=1)
    assert not info["action_mask"].any()
    _, reward, ended, _, info = room.step(0)
    assert (reward, ended) == (-1, True)
    assert "illegal" not in info


# ---- illegal actions, order, words ---------------------------------------------


@every_table_with_closed_actions
@pytest.mark.parametrize("seat", [1, 2])
def test_an_illegal_action_loses(table: Table, seat: int) -> None:
    room, rng, tried = make(table, seat=seat), np.random.default_rng(2), 0
    for seed in range(100):
        if tried == 5:
            break
        _, info = room.reset(seed=seed)
        ended, patience = not info["action_mask"].any(), seed % 4
        while not ended:
            closed = np.flatnonzero(info["action_mask"] == 0)
            if patience == 0 and len(closed):
                tried += 1
                _, reward, ended, cut, info = room.step(closed[0])
                assert (reward, ended, cut) == (-1, True, False)
                assert info["illegal"].startswith(f"Action {closed[0]} is illegal: ")
                assert "is not available; choose one of " in info["illegal"]
                assert not info["action_mask"].any()
            else:
                patience = max(0, patience - 1)
                _, _, ended, _, info = room.step(legal(info, rng))
                assert "illegal" not in info
    assert tried


@every_table
@pytest.mark.parametrize("action", [-1, 10**6])
def test_an_action_that_does_not_exist_is_illegal_too(table: Table, action: int) -> None:
    room = make(table, seat=table.game.settings.get("first", 1))
    room.reset(seed=1)
    _, reward, ended, _, info = room.step(action)
    assert (reward, ended) == (-1, True)
    assert f"There is no action {action}; actions range from 0 to " in info["illegal"]


def test_wrong_calls_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^There is no game named 'chess'; the games are "):
        DuelEnv("chess")
    with pytest.raises(ValueError, match=r"^Number Bid: numbers must be 2 to 20, not 99\.$"):
        DuelEnv("number-bid", numbers=99)
    with pytest.raises(ValueError, match=r"^There is no player 'me'; choose random, "):
        DuelEnv("number-bid", opponent="me")
    with pytest.raises(ValueError, match=r"^A human player cannot be used here; "):
        DuelEnv("number-bid", opponent="human")
    with pytest.raises(ValueError, match=r'^seat must be 1, 2 or "random", not 3\.$'):
        DuelEnv("number-bid", seat=3)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(ValueError, match=r"^There is no render mode 'depth_array'; choose human"):
        DuelEnv("number-bid", render_mode="depth_array")


def test_the_order_of_calls_is_kept() -> None:
    room = gymnasium.make("number_duels/NumberBid-v0", numbers=2)
    with pytest.raises(ResetNeeded, match=r"^No game has begun; call reset\(\) first\.$"):
        room.step(0)
    room.reset(seed=1)
    with pytest.raises(ValueError, match=r"^An action must be a whole number, not 'two'\.$"):
        room.step("two")
    ended = False
    while not ended:
        ended = room.step(-1)[2]
    with pytest.raises(ResetNeeded, match=r"^The game is over; call reset\(\)"):
        room.step(0)
    room.reset()
    room.step(0)


@every_table
def test_boards_are_shown_in_words(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    silent = make(table)
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="create the environment with a render_mode"):
        assert silent.render() is None
    printed, asked, texts = make(table, render_mode="human"), make(table, render_mode="ansi"), []
    printed.reset(seed=2)
    _, info = asked.reset(seed=2)
    texts.append(asked.render())
    rng, ended = np.random.default_rng(3), not info["action_mask"].any()
    while not ended:
        action = legal(info, rng)
        printed.step(action)
        _, _, ended, _, info = asked.step(action)
        texts.append(asked.render())
    assert capsys.readouterr().out == "".join(f"{text}\n\n" for text in texts)
    assert asked._single_game.match.record.reason in str(texts[-1])
