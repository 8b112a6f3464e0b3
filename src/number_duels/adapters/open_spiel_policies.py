"""Convert policies of this package to OpenSpiel policies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "OpenSpiel", "learn"):
    import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types
    from open_spiel.python.policy import Policy  # type: ignore[import-untyped]  # idem

from number_duels.adapters.open_spiel import DuelState
from number_duels.core.game import Seat
from number_duels.solvers import solve

__all__ = ["DuelPolicy", "perfect_policy"]

Chooser: TypeAlias = Callable[[Hashable, Seat], Mapping[Hashable, float]]


class DuelPolicy(Policy):  # type: ignore[misc]  # OpenSpiel ships no types
    """A policy for both players of an OpenSpiel game, or of its turn-based version.

    >>> from number_duels.adapters.open_spiel import register
    >>> names = register()
    >>> game = pyspiel.load_game("python_number_knot(numbers=3,life=3)")
    >>> perfect_policy(game).action_probabilities(game.new_initial_state())
    {0: 0.0, 1: 0.0, 2: 0.0, 3: 0.0, 4: 0.0, 5: 1.0}
    """

    def __init__(self, game: pyspiel.Game, choose: Chooser) -> None:
        """Create a policy. `choose(view, seat)` returns the probability of every option."""
        super().__init__(game, [0, 1])
        self._choose = choose

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """Return the probability of every legal action."""
        seat = Seat(state.current_player() if player_id is None else player_id)
        ours = own_state(state)
        odds = self._choose(ours.progress.view(seat), seat)
        return {ours.encoding.action(move): p for move, p in odds.items()}


def perfect_policy(game: pyspiel.Game) -> DuelPolicy:
    """Return perfect play as an OpenSpiel policy. Solve the game, or open its cached solution.

    >>> from number_duels.adapters.open_spiel import register
    >>> names = register()
    >>> game = pyspiel.load_game("python_number_bid(numbers=3)")
    >>> perfect_policy(game).action_probabilities(game.new_initial_state(), player_id=0)
    {0: 0.0, 1: 0.0, 2: 1.0}
    """
    solution = solve(own_state(game.new_initial_state()).encoding.game)
    solution.open_arrays()
    return DuelPolicy(game, solution.strategy)


def own_state(state: pyspiel.State) -> DuelState:
    """Return the `DuelState`, even if OpenSpiel wraps it to make the game turn-based."""
    if isinstance(state, pyspiel.TurnBasedSimultaneousState):
        state = state.simultaneous_game_state()
    if not isinstance(state, DuelState):
        raise ValueError(
            "This is not a state of a Number Duels game; "
            "if OpenSpiel has cached the game as a tree, use the uncached game."
        )
    return state
