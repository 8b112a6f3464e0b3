"""OpenSpiel versions of the games. Call `register()`, then load them with `pyspiel.load_game`.

>>> import pyspiel
>>> names = register()
>>> game = pyspiel.load_game("python_number_knot(numbers=5)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("S5"))
>>> state.information_state_string(1)
'Player 2: S5'
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import ClassVar, cast
from warnings import warn

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "OpenSpiel", "learn"):
    import numpy as np
    import numpy.typing as npt
    import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types

from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import HIDDEN, Chance, Decision, Outcome, Seat
from number_duels.core.history import History
from number_duels.core.notation import Step, write
from number_duels.games import load, names

__all__ = ["register"]

RETURNS = {None: (0.0, 0.0), Seat.ONE: (1.0, -1.0), Seat.TWO: (-1.0, 1.0)}
Tensor = npt.NDArray[np.float32]


def register() -> tuple[str, ...]:
    """Register every game with OpenSpiel, and return the names. You may call it more than once."""
    known = set(pyspiel.registered_names())
    registered = []
    for name in names():
        try:
            kind = describe(Encoding(load(name)))
        except ValueError as refusal:  # too many positions to search for chance events
            warn(f"{name} is not registered with OpenSpiel: {refusal}", stacklevel=2)
            continue
        if kind.short_name not in known:
            # OpenSpiel releases this object after Python has ended. Freeing a function then would
            # abort the process, but a class is never freed.
            pyspiel.register_game(kind, type(kind.short_name, (DuelGame,), {"name": name}))
        registered.append(kind.short_name)
    return tuple(registered)


def load_registered(text: str) -> DuelGame:
    # A pickled game may be loaded in a process that has not registered the games.
    register()
    return cast("DuelGame", pyspiel.load_game(text))


def restore(text: str) -> DuelState:
    register()
    return cast("DuelState", pyspiel.deserialize_game_and_state(text)[1])


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    name: ClassVar[str]

    def __init__(self, settings: Mapping[str, int | str]) -> None:
        self.rules = load(self.name, **settings)
        self.encoding = Encoding(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.action_count,
            max_chance_outcomes=self.encoding.event_count,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.most_turns,
        )
        super().__init__(describe(self.encoding), info, dict(settings))

    def new_initial_state(self) -> DuelState:
        # Grids are not shuffled, because their order does not matter.
        return DuelState(self, History(self.rules, self.rules.start()))

    def max_chance_nodes_in_history(self) -> int:
        return (self.rules.most_turns + 1) * self.encoding.draws_in_a_row

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Observer | None:
        """Return an observer, or None if it would have to show all players' secrets."""
        if params:
            raise ValueError(f"Observations take no parameters; omit {', '.join(params)}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(
            self.encoding,
            recall=kind.perfect_recall,
            public=kind.public_info,
            private=kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER,
        )

    def __reduce__(self) -> tuple[Callable[[str], DuelGame], tuple[str]]:
        return load_registered, (str(self),)


def describe(encoding: Encoding) -> pyspiel.GameType:
    # A game that hides something, even for a short time, has imperfect information.
    game = encoding.game
    dynamics, chance = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        # OpenSpiel expects this prefix for games written in Python.
        short_name=f"python_{game.name.replace('-', '_')}",
        long_name=game.title,
        dynamics=dynamics.SIMULTANEOUS if encoding.choosers == 2 else dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if encoding.event_count else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION
            if encoding.hides_something
            else information.PERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={
            name: setting.default for name, setting in game.describe_settings().items()
        },
    )


class DuelState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A game in progress. `progress` is its history."""

    def __init__(self, game: DuelGame, progress: History[Hashable, Hashable, Hashable]) -> None:
        super().__init__(game)
        self.encoding = game.encoding
        self.progress = progress

    def current_player(self) -> int:
        turn = self.progress.turn
        if isinstance(turn, Outcome):
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(turn, Chance):
            return int(pyspiel.PlayerId.CHANCE)
        if len(turn.options) == 2:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        (seat,) = turn.options
        return int(seat)

    def is_terminal(self) -> bool:
        return self.progress.outcome is not None

    def returns(self) -> Sequence[float]:
        outcome = self.progress.outcome
        return RETURNS[outcome.winner if outcome else None]

    def _legal_actions(self, player: int) -> list[int]:
        turn = self.progress.turn
        options = turn.options.get(Seat(player), ()) if isinstance(turn, Decision) else ()
        return sorted(map(self.encoding.action, options))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        turn = self.progress.turn
        odds = turn.odds if isinstance(turn, Chance) else {}
        return sorted((self.encoding.event_number(event), float(p)) for event, p in odds.items())

    def _apply_action(self, action: int) -> None:
        turn = self.progress.turn
        if isinstance(turn, Decision):
            self._decide(dict.fromkeys(turn.options, action))
        else:
            self.progress = self.progress.drawn(self.encoding.event(action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._decide(dict(zip(Seat, actions, strict=True)))

    def _decide(self, actions: Mapping[Seat, int]) -> None:
        moves = {seat: self.encoding.move(action) for seat, action in actions.items()}
        self.progress = self.progress.decided(moves)

    def _action_to_string(self, player: int, action: int) -> str:
        nature = player == pyspiel.PlayerId.CHANCE
        return str(self.encoding.event(action) if nature else self.encoding.move(action))

    def __str__(self) -> str:
        """Return a text that identifies the position. OpenSpiel's solvers use it as a key."""
        return repr(self.encoding.game.key(self.progress.state))

    def __reduce__(self) -> tuple[Callable[[str], DuelState], tuple[str]]:
        return restore, (pyspiel.serialize_game_and_state(self.get_game(), self),)


class Observer:
    """One kind of observation, in the form that OpenSpiel expects.

    `recall` adds the whole game so far. `public` and `private` say which information is shown.
    Without `private`, both players get the same observation, Player 1's side first.
    """

    def __init__(self, encoding: Encoding, *, recall: bool, public: bool, private: bool) -> None:
        self._encoding = encoding
        self._recall = recall and public
        self._public = public
        self._private = private
        shapes = self._shapes()
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: Tensor = np.zeros(sum(sizes), np.float32)
        pieces = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict: Mapping[str, Tensor] = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        encoding = self._encoding
        shapes: dict[str, tuple[int, ...]] = {"player": (2,)} if self._private else {}
        shapes |= {label: (place.stop - place.start,) for label, place in encoding.labels}
        if self._recall:
            turns = encoding.game.most_turns
            shapes["moves"] = (turns, encoding.choosers, encoding.action_count)
            if encoding.event_count:
                shapes["events"] = (turns, encoding.event_count)
        return shapes

    def set_from(self, state: DuelState, player: int) -> None:
        """Write a player's observation into `tensor`. The arrays in `dict` share its memory."""
        seat = self._seat(player)
        self.tensor.fill(0)
        if self._private:
            self.dict["player"][player] = 1
        values = self._values(state, seat)
        for label, place in self._encoding.labels:
            self.dict[label][:] = values[place]
        if self._recall:
            self._write_steps(state.progress.seen(self._viewer(seat)), seat)

    def string_from(self, state: DuelState, player: int) -> str:
        """Return a player's observation as text. With `recall`, this is the game so far."""
        seat = self._seat(player)
        whose = f"{seat}: " if self._private else ""
        if self._recall:
            return f"{whose}{write(state.progress.seen(self._viewer(seat)))}"
        values = self._values(state, seat)
        if not self._public and not values.any():
            return ""
        pieces = (
            f"{label} {' '.join(map(str, values[place]))}" for label, place in self._encoding.labels
        )
        return whose + ", ".join(pieces)

    def _seat(self, player: int) -> Seat:
        return Seat(player) if self._private else Seat.ONE

    def _viewer(self, seat: Seat) -> Seat | None:
        return seat if self._private else None

    def _values(self, state: DuelState, seat: Seat) -> Observation:
        """Return the observation as numbers. If `public` is false, all public information is 0."""
        values = self._encoding.observation(state.progress.view(self._viewer(seat)), seat)
        if self._public:
            return values
        known_to_all = self._encoding.observation(state.progress.view(None), seat)
        return np.where(values == known_to_all, 0, values)

    def _write_steps(self, steps: Iterable[Step[Hashable, Hashable, Hashable]], seat: Seat) -> None:
        """Write one row per turn. In a simultaneous turn, the seat's own choice comes first.

        A chance event goes into the row of the next turn, or into the last row.
        """
        encoding, turn = self._encoding, 0
        for step in steps:
            if not step.moves:
                if step.event is not HIDDEN:
                    row = min(turn, len(self.dict["events"]) - 1)
                    self.dict["events"][row, encoding.event_number(step.event)] += 1
                continue
            for mover, move in step.moves.items():
                row = int(mover is not seat) if encoding.choosers == 2 else 0
                self.dict["moves"][turn, row, encoding.action(move)] = 1
            turn += 1
