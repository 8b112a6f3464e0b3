"""The vector environment shows the games that it says it plays, to its own seat alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import deepcopy

import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils import seeding

from number_duels import AnyGame, Decision, Outcome, Seat
from number_duels.adapters.batch import Batch
from number_duels.adapters.batch.python_engine import ReadableRules
from number_duels.adapters.batch.splitmix64 import mix, next_stream, stream_start
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium_vector import VectorDuel
from number_duels.players.registry import HasPolicy as Policy
from tests.adapters.tables import every_small_table, every_small_table_at_once, plain
from tests.core.playing import Table

pytestmark = pytest.mark.usefixtures("compiled_kernels")
GAMES, STEPS = 6, 40
every_seat = pytest.mark.parametrize("seat", Seat)
Numbers = npt.NDArray[np.int64]


def vector(table: Table, seat: Seat, opponent: str | Policy = "random") -> VectorDuel:
    number = 1 if seat is Seat.ONE else 2
    settings = table.game.settings
    return VectorDuel(GAMES, table.game.name, opponent=opponent, seat=number, **settings)  # type: ignore[arg-type]


def batch_seed(seed: int) -> int:
    """What seeds the games of an environment that is seeded."""
    return int(seeding.np_random(seed)[0].integers(2**48))


def legal(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> Numbers:
    found: Numbers = (masks * (1 + rng.random(masks.shape))).argmax(axis=1)
    return found


@every_seat
@every_small_table
def test_it_is_one_seat_of_a_batch(table: Table, seat: Seat) -> None:
    """Observation, mask, reward, end and last observation are those of the seat, in every game."""
    envs = vector(table, seat)
    batch = Batch(table.game, GAMES, batch_seed(5), rival=seat.other, compiled=False)
    place = int(seat) if batch.seats == 2 else 0
    observations, infos = envs.reset(seed=5)
    rng, ends = np.random.default_rng(2), 0
    for _ in range(STEPS):
        assert (observations == batch.observations[:, place]).all()
        assert (infos["action_mask"] == batch.masks[:, place]).all()
        actions = legal(infos["action_mask"], rng)
        actions[rng.random(GAMES) < 0.02] = -1
        given = np.zeros((GAMES, batch.seats), np.int64)
        given[:, place] = actions
        batch.step(given)
        observations, rewards, ended, _, infos = envs.step(actions)
        assert (rewards == batch.rewards[:, seat]).all()
        assert (ended == batch.done).all()
        if ended.any():
            assert (infos["final_obs"][ended] == batch.final_observations[ended, seat]).all()
        ends += int(ended.sum())
    assert ends > GAMES


# ---- the same games by the plain rules ---------------------------------------------


class Last:
    """Always makes the last move that is open, and remembers what it was shown."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.told: list[tuple[Hashable, Seat]] = []

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        self.told.append((state, seat))
        turn = self.game.turn(state)
        assert isinstance(turn, Decision)
        return {turn.options[seat][-1]: 1.0}


class Replay:
    """One game after the other by the plain rules, against who always makes the last move."""

    def __init__(self, game: AnyGame, seat: Seat, seed: int, index: int) -> None:
        self.game, self.seat, self.encoding = game, seat, Encoding(game)
        self.nature = ReadableRules(game)
        self.seed, self.index, self.played = seed, index, 0
        self.begin()

    def begin(self) -> None:
        self.stream = stream_start(self.seed, self.index, self.played)
        self.state = self.nature.begin(self.stream)
        self.await_turn()

    def await_turn(self) -> None:
        """Make the other's moves until this seat is to move, or the game is over."""
        while isinstance(turn := self.game.turn(self.state), Decision):
            if self.seat in turn.options:
                return
            self.resolve({self.seat.other: turn.options[self.seat.other][-1]})

    def resolve(self, moves: Mapping[Seat, Hashable]) -> None:
        self.state = self.game.resolve(self.state, moves)
        if not isinstance(self.game.turn(self.state), Outcome):
            self.stream = next_stream(self.stream)
            self.state = self.nature.deal(self.state, mix(self.stream))

    def seen(self) -> list[int]:
        view = self.game.view(self.state, self.seat)
        return [int(n) for feature in self.game.features(view, self.seat) for n in feature.values]

    def open(self) -> list[int]:
        turn = self.game.turn(self.state)
        options = turn.options[self.seat] if isinstance(turn, Decision) else ()
        return [int(move in options) for move in self.game.all_moves()]

    def step(self, action: int) -> tuple[float, bool, list[int] | None]:
        """Reward, whether the game has ended, and what was seen at its end."""
        turn = self.game.turn(self.state)
        if isinstance(turn, Decision):
            moves = {seat: options[-1] for seat, options in turn.options.items()}
            self.resolve({**moves, self.seat: self.game.all_moves()[action]})
            self.await_turn()
        end = self.game.turn(self.state)
        if not isinstance(end, Outcome):
            return 0.0, False, None
        final = self.seen()
        self.played += 1
        self.begin()
        won = 0.0 if end.winner is None else 1.0 if end.winner is self.seat else -1.0
        return won, True, final


@every_seat
@every_small_table
def test_it_plays_by_the_plain_rules_against_a_policy(table: Table, seat: Seat) -> None:
    envs = vector(table, seat, Last(table.game))
    replays = [Replay(table.game, seat, batch_seed(8), index) for index in range(GAMES)]
    observations, infos = envs.reset(seed=8)
    rng, ends = np.random.default_rng(4), 0
    for _ in range(STEPS):
        assert observations.tolist() == [one.seen() for one in replays]
        assert infos["action_mask"].tolist() == [one.open() for one in replays]
        actions = legal(infos["action_mask"], rng)
        observations, rewards, ended, _, infos = envs.step(actions)
        for index, one in enumerate(replays):
            reward, over, final = one.step(int(actions[index]))
            assert (rewards[index], ended[index]) == (reward, over)
            if over:
                assert infos["final_obs"][index].tolist() == final
                ends += 1
    assert ends > GAMES


# ---- secrets -------------------------------------------------------------------------


@every_seat
@every_small_table
def test_nothing_shown_depends_on_what_is_still_to_come(table: Table, seat: Seat) -> None:
    """The rival's choice and the next cards hang on the stream alone: an end before them."""
    envs, rng = vector(table, seat), np.random.default_rng(3)
    observations, infos = envs.reset(seed=6)
    compared = 0
    for _ in range(8):
        waiting = infos["action_mask"].any(axis=1)  # the others ended before a first turn
        ends = []
        for future in (None, 1, 2**63):
            other = deepcopy(envs)
            if future is not None:
                other._batch._arrays.streams[:] = future
            assert plain((other._seen(), other._infos())) == plain((envs._seen(), envs._infos()))
            ends.append(plain(list(other.step(np.full(GAMES, -1)))))
        assert ends[0] == ends[1] == ends[2]
        last = other._batch.final_observations[:, seat]
        assert (last[waiting] == observations[waiting]).all()
        compared += int(waiting.sum())
        observations, _, _, _, infos = envs.step(legal(infos["action_mask"], rng))
    assert compared or table.game.most_turns == 1


@every_seat
@every_small_table_at_once
def test_the_opponent_is_not_told_what_was_chosen_against_it(table: Table, seat: Seat) -> None:
    told = []
    for action in range(-1, Encoding(table.game).action_count):
        last = Last(table.game)
        envs = vector(table, seat, last)
        envs.reset(seed=1)
        assert last.told == []
        envs.step(np.full(GAMES, action))
        told.append(last.told[:1])
    assert all(one == told[0] for one in told)
    assert [who for _, who in told[0]] == [seat.other]


@every_seat
@every_small_table
def test_the_opponent_is_shown_what_its_seat_may_see(table: Table, seat: Seat) -> None:
    last, rng = Last(table.game), np.random.default_rng(1)
    envs = vector(table, seat, last)
    _, infos = envs.reset(seed=2)
    for _ in range(10):
        infos = envs.step(legal(infos["action_mask"], rng))[-1]
    assert last.told
    assert {who for _, who in last.told} == {seat.other}
    assert all(table.game.view(state, who) == state for state, who in last.told)
