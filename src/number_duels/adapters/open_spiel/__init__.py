"""The games in OpenSpiel: after `register()`, `pyspiel.load_game` knows every one of them.

>>> import pyspiel
>>> names = register()
>>> game = pyspiel.load_game("python_number_knot(numbers=5)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("S5"))
>>> state.information_state_string(1)
'Player 2: S5'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, cast

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "OpenSpiel", "open-spiel"):
    import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types

from number_duels import games, load
from number_duels.adapters.open_spiel.observer import Observer
from number_duels.adapters.open_spiel.position import Position, begin
from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat

#: OpenSpiel marks games that are written in Python by how their names begin.
PREFIX = "python_"


def register() -> tuple[str, ...]:
    """Make every game known to OpenSpiel and give their names there; again changes nothing."""
    known = set(pyspiel.registered_names())
    types = {name: describe(load(name)) for name in games()}
    for name, kind in types.items():
        if kind.short_name not in known:
            # A class, not a function: OpenSpiel lets go of it after Python has ended, and only
            # a class is never freed there, which would abort the process.
            pyspiel.register_game(kind, type(kind.short_name, (DuelGame,), {"name": name}))
    return tuple(kind.short_name for kind in types.values())


def describe(game: AnyGame) -> pyspiel.GameType:
    """A game in OpenSpiel's terms; a card that is hidden for a while makes it imperfect."""
    position = begin(game)
    encoding = position.encoding
    dynamics, chance = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=PREFIX + game.name.replace("-", "_"),
        long_name=game.title,
        dynamics=dynamics.SIMULTANEOUS if encoding.simultaneous else dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if encoding.event_count else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION
            if hides_something(position)
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


def hides_something(position: Position) -> bool:
    """Whether an event of nature is hidden from anybody, which the first one tells."""
    if isinstance(position.turn, Chance):
        position = position.drawn(position.outcomes()[0][0])
    return any(position.view(seat) != position.state for seat in Seat)


def load_registered(text: str) -> DuelGame:
    """The game that OpenSpiel's own text means, also in a process that has not registered it."""
    register()
    return cast("DuelGame", pyspiel.load_game(text))


def restore(text: str) -> DuelState:
    """The state that OpenSpiel's own serialisation means, in any process."""
    register()
    return cast("DuelState", pyspiel.deserialize_game_and_state(text)[1])


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """A game of ours with its settings, as `pyspiel.load_game` makes it."""

    name: ClassVar[str]

    def __init__(self, settings: Mapping[str, int | str]) -> None:
        self.rules = load(self.name, **settings)
        self._start = begin(self.rules)
        encoding = self._start.encoding
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.action_count,
            max_chance_outcomes=encoding.event_count,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.most_turns,
        )
        super().__init__(describe(self.rules), info, dict(settings))

    def new_initial_state(self) -> DuelState:
        """The start of a game; the grids of a deal lie in order, as where they lie is no matter."""
        return DuelState(self, self._start)

    def max_chance_nodes_in_history(self) -> int:
        """At most one card is drawn in a turn."""
        return self.rules.most_turns if self._start.encoding.event_count else 0

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Observer | None:
        """An observer of the kind that is asked for; None: all players' secrets at once."""
        if params:
            raise ValueError(f"Observations take no parameters; leave {', '.join(params)} out.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return None
        return Observer(
            self._start.encoding,
            recall=kind.perfect_recall,
            public=kind.public_info,
            private=kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER,
        )

    def __reduce__(self) -> tuple[Callable[[str], DuelGame], tuple[str]]:
        return load_registered, (str(self),)


class DuelState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel ships no types
    """A state of a game, as OpenSpiel's algorithms walk through it."""

    def __init__(self, game: DuelGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Who moves: a seat, both at once, nature, or nobody any more."""
        turn = self.position.turn
        if isinstance(turn, Outcome):
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(turn, Chance):
            return int(pyspiel.PlayerId.CHANCE)
        if len(turn.options) == 2:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        (seat,) = turn.options
        return int(seat)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.position.turn, Outcome)

    def returns(self) -> Sequence[float]:
        """What each player has won."""
        return self.position.returns

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal(Seat(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What nature may do, and the odds."""
        return self.position.outcomes()

    def _apply_action(self, action: int) -> None:
        turn = self.position.turn
        if isinstance(turn, Decision):
            self.position = self.position.decided(dict.fromkeys(turn.options, action))
        else:
            self.position = self.position.drawn(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.position = self.position.decided(dict(zip(Seat, actions, strict=True)))

    def _action_to_string(self, player: int, action: int) -> str:
        encoding = self.position.encoding
        nature = player == pyspiel.PlayerId.CHANCE
        return str(encoding.event(action) if nature else encoding.move(action))

    def __str__(self) -> str:
        """All that the future depends on: solvers that go by this meet equal states once."""
        return repr(self.position.encoding.game.key(self.position.state))

    def __reduce__(self) -> tuple[Callable[[str], DuelState], tuple[str]]:
        return restore, (pyspiel.serialize_game_and_state(self.get_game(), self),)
