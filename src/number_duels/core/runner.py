"""The loop that plays a match to its end, with a player in each seat."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias, cast

from number_duels.core.game import AnyGame, Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.match import Match
from number_duels.core.player import Forfeit, Player, Situation, own_seed, situation


class GameListener(Protocol):
    """A player that is told when a game begins and ends."""

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """Handle the start of a game, or raise Forfeit. `seed` is for this player only."""

    def end(self, view: Hashable, result: str, reason: str) -> None: ...


class PlayerCall(NamedTuple):
    """A call to a player. The match continues with its result."""

    player: Player
    #: Makes the call and returns the move, if any. It may raise Forfeit.
    call: Callable[[], object]
    asked: Situation | None = None


#: A match being played. Send it the result of each call, or throw the Forfeit that was raised.
PlayerCalls: TypeAlias = Generator[PlayerCall, object, Outcome]


def play_match(
    match: Match[S, M, E],
    players: Mapping[Seat, Player],
    on_forfeit: Callable[[Seat, Forfeit], None] | None = None,
    own_seeds: Sequence[int] | None = None,
) -> Outcome:
    """Play a match to its end. A player that raises Forfeit loses.

    After a forfeit, `on_forfeit` is called with the seat and the error. If both players fail at
    once, the game is a draw, and `on_forfeit` is called for both. `own_seeds` has a seed for each
    player. By default, both are derived from the match's seed.

    >>> import number_duels as nd
    >>> game = nd.load("number-knot")
    >>> match = nd.Match(game, seed=7)
    >>> nd.play_match(match, {seat: nd.player("random", game) for seat in nd.Seat})
    Outcome(winner=Seat.ONE, reason="Player 2's life total has reached zero or below.")
    """
    steps = match_steps(match, players, on_forfeit, own_seeds)
    answer: object = None
    while not isinstance(step := next_step(steps, answer), Outcome):
        try:
            answer = step.call()
        except Forfeit as forfeit:
            answer = forfeit
    return step


def match_steps(
    match: Match[S, M, E],
    players: Mapping[Seat, Player],
    on_forfeit: Callable[[Seat, Forfeit], None] | None = None,
    own_seeds: Sequence[int] | None = None,
) -> PlayerCalls:
    """Generator form of `play_match`, for callers that run the players themselves."""
    for seat in Seat:
        if seat not in players:
            raise ValueError(f"{seat} has no player; pass a player for each seat.")
    # A check against the whole protocol would take longer than a short game.
    found = [(s, players[s]) for s in Seat if hasattr(players[s], "begin")]
    listeners = cast("list[tuple[Seat, GameListener]]", found)
    try:
        for seat, listener in listeners:
            own = own_seeds[seat] if own_seeds else own_seed(match, seat)
            begin = partial(listener.begin, cast("AnyGame", match.game), seat, own)
            yield PlayerCall(players[seat], begin)
        failed = yield from turn_steps(match, players)
    except Forfeit as forfeit:  # raised by `begin`
        failed = {seat: forfeit}
    how = {seat: f"forfeits: {error.reason}" for seat, error in failed.items()}
    if len(how) == 2:
        match.concede_both(how[Seat.ONE], how[Seat.TWO])
    else:
        for seat, why in how.items():
            match.concede(seat, why)
    if on_forfeit:
        for seat, error in failed.items():
            on_forfeit(seat, error)
    outcome = match.outcome
    assert outcome is not None
    for seat, listener in listeners:
        end = partial(listener.end, match.view(seat), outcome.result, outcome.reason)
        yield PlayerCall(players[seat], end)
    return outcome


def turn_steps(
    match: Match[S, M, E], players: Mapping[Seat, Player]
) -> Generator[PlayerCall, object, dict[Seat, Forfeit]]:
    """Play until the game is over or a player fails. Return the error of each seat that failed."""
    failed: dict[Seat, Forfeit] = {}
    while not failed and not isinstance(turn := draw_all(match), Outcome):
        for seat in sorted(turn.options):
            player, asked = players[seat], situation(match, seat)
            try:
                move = yield PlayerCall(player, partial(player.choose, asked), asked)
            except Forfeit as forfeit:
                failed[seat] = forfeit  # a seat that chooses at the same time is still asked
            else:
                if not failed:
                    match.submit(seat, cast("M", move))
    return failed


def draw_all(match: Match[S, M, E]) -> Decision[M] | Outcome:
    while isinstance(turn := match.turn, Chance):
        match.draw()
    return turn


def next_step(steps: PlayerCalls, answer: object) -> PlayerCall | Outcome:
    """Send a player's answer or Forfeit to a match. Return the next call or the outcome."""
    try:
        return steps.throw(answer) if isinstance(answer, Forfeit) else steps.send(answer)
    except StopIteration as over:
        outcome: Outcome = over.value
        return outcome
