"""A game and its states, as OpenSpiel's algorithms walk through them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import ClassVar, TypeAlias

import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types

from number_duels.adapters.encoding import Encoding
from number_duels.adapters.open_spiel.observer import Observer
from number_duels.core.game import Chance, Decision, Outcome, Seat
from number_duels.core.history import History
from number_duels.games import load

AnyHistory: TypeAlias = History[Hashable, Hashable, Hashable]

#: What each seat gets, by the winner; None for a draw and before the end.
RETURNS = {None: (0.0, 0.0), Seat.ONE: (1.0, -1.0), Seat.TWO: (-1.0, 1.0)}


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """A game of ours with its settings, as `pyspiel.load_game` makes it."""

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
        """The start of a game; the grids of a deal lie in order, as where they lie is no matter."""
        return DuelState(self, History(self.rules, self.rules.start()))

    def max_chance_nodes_in_history(self) -> int:
        """As many draws in every turn, and after the last, as one game has in a row."""
        return (self.rules.most_turns + 1) * self.encoding.draws_in_a_row

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
            self.encoding,
            recall=kind.perfect_recall,
            public=kind.public_info,
            private=kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER,
        )

    def __reduce__(self) -> tuple[Callable[[str], DuelGame], tuple[str]]:
        from number_duels.adapters.open_spiel import load_registered

        return load_registered, (str(self),)


def describe(encoding: Encoding) -> pyspiel.GameType:
    """A game in OpenSpiel's terms; a card that is hidden for a while makes it imperfect."""
    game = encoding.game
    dynamics, chance = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        # OpenSpiel marks games that are written in Python by how their names begin.
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
    """A game in progress; `progress` is ours, and `history()` is OpenSpiel's list of actions."""

    def __init__(self, game: DuelGame, progress: AnyHistory) -> None:
        super().__init__(game)
        self.encoding = game.encoding
        self.progress = progress

    def current_player(self) -> int:
        """Who moves: a seat, both at once, nature, or nobody any more."""
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
        """The numbers of what nature may do, each with its odds."""
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
        """All that the future depends on: solvers that go by this meet equal states once."""
        return repr(self.encoding.game.key(self.progress.state))

    def __reduce__(self) -> tuple[Callable[[str], DuelState], tuple[str]]:
        from number_duels.adapters.open_spiel import restore

        return restore, (pyspiel.serialize_game_and_state(self.get_game(), self),)
