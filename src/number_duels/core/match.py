"""A match: a game in progress, with its secret choices and its record."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from typing import Generic

from number_duels.core.clock import SYSTEM_CLOCK, utc_text
from number_duels.core.game import (
    Chance,
    Decision,
    E,
    Game,
    IllegalMove,
    M,
    Outcome,
    S,
    Seat,
    check_seat,
    unavailable,
    wrong_mover,
)
from number_duels.core.history import BOTH_FORFEITED, CONCEDED, History
from number_duels.core.notation import Step, read
from number_duels.core.randomness import fresh_seed, sample, stream
from number_duels.core.record import DEFAULT_PLAYERS, Person, Record


class Match(Generic[S, M, E]):
    """A game in progress. It is mutable, unlike games, states and histories.

    Pass a game, or the name of a game and its settings.

    >>> from number_duels import Seat, load
    >>> match = Match(load("number-bid"), seed=7)
    >>> match.submit(Seat.ONE, "7")   # held back until both are in
    >>> match.record.moves
    ''
    >>> match.submit(Seat.TWO, "6")
    >>> match
    <Match of NumberBid(numbers=10), seed 7, turn 2: 7/6>
    """

    def __init__(
        self,
        game: Game[S, M, E] | str,
        seed: int | None = None,
        deal: str | None = None,
        players: tuple[Person, Person] = DEFAULT_PLAYERS,
        started: str | None = None,
        *,
        hints: bool = False,
        **settings: int | str,
    ) -> None:
        if settings or not isinstance(game, Game):
            # Imported here to avoid import cycles.
            from number_duels.games import as_game

            game = as_game(game, **settings)
        self.game = game  #: The game being played.
        self.seed = fresh_seed() if seed is None else seed  #: The seed of all cards.
        self.players = players  #: Both players, Player 1 first.
        self.started = started or utc_text(SYSTEM_CLOCK.now())
        start = game.start(stream(self.seed, "deal"), deal)
        self._deal = game.deal_text(start) if deal is None else deal
        self._fixed_events = () if deal is None else game.fixed_events(deal)
        self._history = History(game, start)
        self.hints = hints  #: Whether players may ask for hints.
        self._takebacks = 0
        #: Choices that wait for the other seat. Copies share this dict, so it is never mutated.
        self._pending: dict[Seat, M] = {}

    @classmethod
    def from_record(cls, game: Game[S, M, E], record: Record) -> Match[S, M, E]:
        """Rebuild a match from a record. Raise ValueError if the record is not valid."""
        match = cls(
            game, record.seed, record.deal, record.players, record.started, hints=record.hints
        )
        match._takebacks = record.takebacks
        if record.deal is None and match._deal is not None:
            raise ValueError("its deal is missing.")
        match._replay(read(game, match._history.start, record.moves))
        conceded = CONCEDED.match(record.reason)
        both = BOTH_FORFEITED.match(record.reason) if record.result == "1/2-1/2" else None
        if match.result == "*" and record.result != "*" and conceded:
            if both:
                match.concede_both(both[1], both[2])
            else:
                match.concede(Seat(int(conceded[1]) - 1), conceded[2])
        if record.result not in ("*", match.result):
            raise ValueError(
                f"its moves lead to {match.result}, but its result is {record.result}."
            )
        return match

    def _replay(self, steps: Iterable[Step[S, M, E]]) -> None:
        for step in steps:
            draws = self._history.draws
            dealt = self._fixed_events[draws : draws + 1]
            if step.event is not None and dealt and step.event != dealt[0]:
                raise ValueError(
                    f"turn {self.turn_number}: {step.event} was drawn, but the deal has {dealt[0]}."
                )
            self._history = replace(self._history, steps=(*self._history.steps, step))

    def copy(self) -> Match[S, M, E]:
        """Return an independent copy of the match. It will draw the same cards.

        >>> from number_duels import Seat, load
        >>> match = Match(load("number-knot"), seed=7)
        >>> ahead = match.copy()
        >>> ahead.submit(Seat.ONE, "S5")
        >>> str(ahead.history), str(match.history)
        ('S5', '')
        """
        return copy(self)

    @property
    def history(self) -> History[S, M, E]:
        """Return the history: every step so far, with nothing hidden."""
        return self._history

    @property
    def state(self) -> S:
        """Return the state with nothing hidden. For the state that a seat may see, use `view`."""
        return self._history.state

    @property
    def turn(self) -> Decision[M] | Chance[E] | Outcome:
        """Return the next decision, the next chance event, or the outcome."""
        return self._history.turn

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome, including a concession, or None while the game goes on."""
        return self._history.outcome

    @property
    def result(self) -> str:
        """Return `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        return self.outcome.result if self.outcome else "*"

    @property
    def conceded(self) -> bool:
        """Return whether the game ended with a concession."""
        return self._history.concession is not None

    @property
    def turn_number(self) -> int:
        """Return the number of the current turn, counted from 1."""
        return self._history.turn_number

    @property
    def takebacks(self) -> int:
        """Return how often the players took back a move."""
        return self._takebacks

    @property
    def seats_ready(self) -> frozenset[Seat]:
        """Return the seats that have already chosen in this turn."""
        return frozenset(self._pending)

    def choice(self, seat: Seat) -> M | None:
        """Return a seat's secret choice in this turn, or None if it has not chosen."""
        check_seat(seat)
        return self._pending.get(seat)

    @property
    def drawer(self) -> Seat | None:
        """Return the seat that draws the next card, or None if cards are drawn automatically."""
        return self.game.drawer(self.state)

    def options(self, seat: Seat) -> tuple[M, ...]:
        """Return the moves that a seat may still choose in this turn."""
        check_seat(seat)
        turn = self.turn
        if not isinstance(turn, Decision) or seat in self._pending:
            return ()
        return turn.options.get(seat, ())

    def view(self, viewer: Seat | None) -> S:
        """Return the state as a seat may see it. For a spectator, `viewer` is None."""
        return self._history.view(viewer)

    def hides_nothing_from(self, viewer: Seat | None) -> bool:
        """Return whether a viewer sees the whole state."""
        return self._history.hides_nothing_from(viewer)

    def steps(self, viewer: Seat | None) -> tuple[Step[S, M, E], ...]:
        """Return the steps as a viewer may see them, with `HIDDEN` in place of hidden cards."""
        return self._history.seen(viewer)

    def moves(self, viewer: Seat | None) -> str:
        """Return the game so far in notation, without the cards that are hidden from the viewer."""
        return self._history.moves(viewer)

    @property
    def record(self) -> Record:
        """Return the complete record, including secrets. For viewers, use `record_for`."""
        return Record(
            game=self.game.name,
            settings=self.game.settings,
            deal=self._deal,
            seed=self.seed,
            players=self.players,
            moves=str(self._history),
            result=self.result,
            reason=self.outcome.reason if self.outcome else "",
            started=self.started,
            takebacks=self._takebacks,
            hints=self.hints,
        )

    def record_for(self, viewer: Seat | None) -> Record:
        """Return the record that a viewer may see. Until the game is over, it has no secrets."""
        record = replace(self.record, moves=self.moves(viewer))
        told = None if self._fixed_events else self._deal
        return record if self.outcome else replace(record, seed=None, deal=told)

    def __repr__(self) -> str:
        how = self.result if self.outcome else f"turn {self.turn_number}"
        return f"<Match of {self.game!r}, seed {self.seed}, {how}: {self._history}>"

    def submit(self, seat: Seat, move: M | str) -> None:
        """Submit a seat's choice, as a move or as text.

        The moves are played as soon as every seat that decides in this turn has chosen. Raise
        IllegalMove if the seat may not choose this move now.

        >>> from number_duels import Seat, load
        >>> match = Match(load("number-knot"), seed=7)
        >>> match.submit(Seat.ONE, "S5")
        """
        check_seat(seat)
        if seat in self._pending:
            raise IllegalMove(f"{seat} has already chosen and cannot choose again.")
        turn = self.turn
        if isinstance(turn, Outcome):
            raise IllegalMove("The game is over.")
        deciding = turn.options if isinstance(turn, Decision) else {}
        if seat not in deciding:
            raise wrong_mover(turn)
        chosen = {**self._pending, seat: self._option(deciding[seat], move)}
        if len(chosen) < len(deciding):
            self._pending = chosen
        else:
            self._history = self._history.resolved(chosen)
            self._pending = {}

    def _option(self, options: tuple[M, ...], move: M | str) -> M:
        for option in options:  # players usually return the same object
            if option is move:
                return option
        if isinstance(move, str) and move not in options:
            try:
                move = self.game.parse(move)
            except ValueError as error:
                raise IllegalMove(str(error)) from None
        for option in options:
            if option == move:
                return option
        raise IllegalMove(unavailable(move, options))

    def draw(self) -> None:
        """Draw the next card of the deal. If the deal has no more cards, use the match's seed."""
        turn, draws = self.turn, self._history.draws
        if not isinstance(turn, Chance):
            raise IllegalMove("There is no card to draw now.")
        if draws < len(self._fixed_events):
            self._history = self._history.drawn(self._fixed_events[draws])
        else:
            event = sample(turn.odds, stream(self.seed, "draw", draws))
            self._history = self._history.sampled(event)

    def concede(self, seat: Seat, how: str) -> None:
        """End the game with a loss for a seat. `how` is "resigned." or "forfeits: REASON"."""
        check_seat(seat)
        self._history, self._pending = self._history.conceded(seat, how), {}

    def concede_both(self, one: str, two: str) -> None:
        """End the game because both seats forfeited in the same turn. The result is a draw.

        `one` and `two` are "forfeits: REASON". Reviews count both forfeits.

        >>> from number_duels import load
        >>> match = Match(load("number-bid"), seed=7)
        >>> match.concede_both("forfeits: no answer.", "forfeits: too late.")
        >>> match.result, match.outcome.reason
        ('1/2-1/2', 'Player 1 forfeits: no answer. Player 2 forfeits: too late.')
        """
        self._history, self._pending = self._history.both_conceded(one, two), {}

    def undo(self) -> None:
        """Take back the last complete turn. A concession counts as a turn."""
        if not self._history.steps and not self._pending and not self.conceded:
            raise IllegalMove("There is no turn to take back yet.")
        self._history = self._history.undone()
        self._pending = {}

    def take_back(self, seat: Seat) -> None:
        """Take back a seat's last move and everything after it. Increase `takebacks` by 1.

        If the seat has conceded, take back only the concession.

        When play continues, players make new random choices, but the same cards are drawn.

        >>> from number_duels import Seat, load
        >>> match = Match(load("number-knot"), seed=7)
        >>> match.submit(Seat.ONE, "S5")
        >>> match.submit(Seat.TWO, "A3")
        >>> match.take_back(Seat.ONE)
        >>> str(match.history), match.takebacks
        ('', 1)
        """
        check_seat(seat)
        conceded = self._history.concession
        kept = self._history.undone() if conceded else self._history
        moved = conceded is not None and conceded.winner is not seat
        while kept.steps and not moved:
            moved = seat in kept.last_moves
            kept = kept.undone()
        if not moved:
            raise IllegalMove(f"{seat} has no move to take back yet.")
        self._history, self._pending = kept, {}
        self._takebacks += 1
