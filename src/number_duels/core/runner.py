"""Playing a match to its end with players in both chairs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol, cast

from number_duels.core.game import AnyGame, Chance, E, M, Outcome, S, Seat
from number_duels.core.match import Match
from number_duels.core.player import Forfeit, Player, own_seed, situation


class GameListener(Protocol):
    """A player that wants to know when a game begins and ends."""

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """A game begins; the seed is this player's own. It may raise Forfeit."""

    def end(self, view: Hashable, result: str, reason: str) -> None:
        """The game is over."""


def play_match(
    match: Match[S, M, E],
    players: Mapping[Seat, Player],
    on_forfeit: Callable[[Seat, Forfeit], None] | None = None,
    own_seeds: Sequence[int] | None = None,
) -> Outcome:
    """Play a match to its end; a player that cannot go on forfeits it.

    What players from outside get for their own dice follows from the match's seed, unless
    `own_seeds` says otherwise, by seat.

    >>> import number_duels as nd
    >>> game = nd.load("number-knot")
    >>> match = nd.Match(game, seed=7)
    >>> nd.play_match(match, {seat: nd.player("random", game) for seat in nd.Seat})
    Outcome(winner=Seat.ONE, reason="Player 2's life total has reached zero or below.")
    """
    for seat in Seat:
        if seat not in players:
            raise ValueError(f"Nobody plays for {seat}; give a player for each seat.")
    # By the method's name: to compare with a whole protocol takes longer than a short game.
    listeners = [(s, players[s]) for s in Seat if hasattr(players[s], "begin")]
    try:
        for seat, listener in cast("list[tuple[Seat, GameListener]]", listeners):
            own = own_seeds[seat] if own_seeds else own_seed(match, seat)
            listener.begin(cast("AnyGame", match.game), seat, own)
        while not isinstance(turn := match.turn, Outcome):
            if isinstance(turn, Chance):
                match.draw()
                continue
            for seat in sorted(turn.options):
                match.submit(seat, cast("M", players[seat].choose(situation(match, seat))))
    except Forfeit as forfeit:
        match.concede(seat, f"forfeits: {forfeit.reason}")
        if on_forfeit:
            on_forfeit(seat, forfeit)
    outcome = match.outcome
    assert outcome is not None
    for seat, listener in cast("list[tuple[Seat, GameListener]]", listeners):
        listener.end(match.view(seat), outcome.result, outcome.reason)
    return outcome
