"""Public functions of `number_duels`, such as `player` and `play_match`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from number_duels.core import reachable_states
from number_duels.core.game import E, Game, M, Outcome, S, Seat, SomeGame, check_seat
from number_duels.core.match import Match
from number_duels.core.player import Forfeit, Player
from number_duels.core.progress_bar import progress_bar
from number_duels.core.runner import play_match as play_with
from number_duels.games import as_game
from number_duels.players import registry
from number_duels.players.registry import PlayerLike, as_player

if TYPE_CHECKING:
    from number_duels.solvers.best_response import Response


def states(game: Game[S, M, E] | str, **settings: int | str) -> Iterator[tuple[Hashable, S]]:
    """Yield every reachable state with its key, in breadth-first order, one state per key.

    >>> import number_duels as nd
    >>> len(list(nd.states("number-knot", numbers=2, life=1)))
    9
    """
    return reachable_states.states(as_game(game, **settings))


def player(
    who: str,
    game: SomeGame | str,
    *,
    progress: Callable[[float], None] | None = None,
    **settings: int | str,
) -> Player:
    """Return a player for a game.

    `who` is a word such as `random`, `level:3`, `perfect` or `bot:COMMAND`. While the player
    prepares, `progress` is called with the fraction done.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid")
    >>> match = nd.Match(game, seed=7)
    >>> nd.play_match(match, {seat: nd.player("random", game) for seat in nd.Seat})
    Outcome(winner=Seat.TWO, reason='Player 2 has the higher total score.')
    """
    registry.check_who(who)  # first, because the two are easily swapped
    return registry.player(who, as_game(game, **settings), progress)


def play_match(
    match: Match[S, M, E],
    players: Mapping[Seat, PlayerLike] | Sequence[PlayerLike],
    on_forfeit: Callable[[Seat, Forfeit], None] | None = None,
    own_seeds: Sequence[int] | None = None,
) -> Outcome:
    """Play a match to its end. A player that raises Forfeit loses.

    Pass the players in order, or by seat. After a forfeit, `on_forfeit` is called with the seat and
    the error. `own_seeds` has a seed for each player. By default, both come from the match's seed.

    >>> import number_duels as nd
    >>> nd.play_match(nd.Match("number-knot", seed=7), ["random", "perfect"])
    Outcome(winner=None, reason='No numbers are left and both players are alive.')
    """
    if not isinstance(match, Match):
        raise ValueError(f"play_match needs a match; pass nd.Match({match!r:.60}).")
    if not isinstance(players, Mapping):
        if isinstance(players, str) or len(players) != len(Seat):
            raise ValueError("A match has two players: pass [one, two], or a mapping by seat.")
        players = dict(zip(Seat, players, strict=True))
    for seat in players:
        check_seat(seat)
    found = {seat: as_player(one, match.game) for seat, one in players.items()}
    return play_with(match, found, on_forfeit, own_seeds)


def best_response(
    game: Game[S, M, E] | str,
    policy: PlayerLike,
    *,
    progress: Callable[[float], None] | None = None,
    cache: bool = True,
    **settings: int | str,
) -> Response[S, M, E]:
    """Return the exact best response to a policy, for both seats.

    `policy` is a word, an NPZ file, an array, a player whose probabilities are known, or a function
    `policy(view, seat)` that returns the probability of every option. The probabilities may depend
    only on the state's key. Raise ValueError if `policy` is anything else or is not valid.

    >>> import number_duels as nd
    >>> nd.best_response("number-knot", "random", numbers=2, life=2)
    Response(values={Seat.ONE: 1, Seat.TWO: 0}, exploitability=0.5)
    """
    from number_duels.solvers import best_response as responses

    found = as_game(game, **settings)
    label = f"Finding the best counter-strategy in {found.title}"
    with nullcontext(progress) if progress else progress_bar(label) as report:
        known = registry.as_policy(policy, found, report)
        return responses.best_response(found, known, progress=report, cache=cache)


def exploitability(game: SomeGame | str, policy: PlayerLike, **settings: int | str) -> float:
    """Return what the best response to a policy gains per game, on average over both seats.

    >>> import number_duels as nd
    >>> nd.exploitability("number-knot", "random", numbers=2, life=2)
    0.5
    """
    return best_response(as_game(game, **settings), policy).exploitability
