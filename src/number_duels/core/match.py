"""A match: the only mutable object. It checks, holds secret choices, draws and records."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Generic

from number_duels.core.game import (
    HIDDEN,
    Chance,
    Decision,
    E,
    Game,
    IllegalMove,
    M,
    Outcome,
    S,
    Seat,
)
from number_duels.core.notation import Step, decide, read, reveal, write
from number_duels.core.randomness import fresh_seed, sample, stream
from number_duels.core.record import CONCEDED, DEFAULT_PLAYERS, Person, Record


class Match(Generic[S, M, E]):
    """One game being played.

    >>> from number_duels import Seat, load
    >>> game = load("number-bid")
    >>> match = Match(game, seed=7)
    >>> match.submit(Seat.ONE, game.parse("7"))   # held back until both are in
    >>> match.record.moves
    ''
    >>> match.submit(Seat.TWO, game.parse("6"))
    >>> match.record.moves
    '7/6'
    """

    def __init__(
        self,
        game: Game[S, M, E],
        seed: int | None = None,
        deal: str | None = None,
        players: tuple[Person, Person] = DEFAULT_PLAYERS,
        started: str | None = None,
    ) -> None:
        self.game = game
        self.seed = fresh_seed() if seed is None else seed
        self.players = players
        self.started = started or datetime.now(UTC).isoformat(timespec="seconds")[:-6] + "Z"
        self._start = game.start(stream(self.seed, "deal"), deal)
        self._deal = game.deal_text(self._start) if deal is None else deal
        self._script = () if deal is None else game.fixed_events(deal)
        self._steps: list[Step[S, M, E]] = []
        self._pending: dict[Seat, M] = {}
        self._conceded: Outcome | None = None

    @classmethod
    def from_record(cls, game: Game[S, M, E], record: Record) -> Match[S, M, E]:
        """A match as far as it was written down; a ValueError names a turn that is wrong."""
        match = cls(game, record.seed, record.deal, record.players, record.started)
        if record.deal is None and match._deal is not None:
            raise ValueError("its deal is missing.")
        match._replay(read(game, match._start, record.moves))
        conceded = CONCEDED.match(record.reason)
        if match.result == "*" and record.result != "*" and conceded:
            match.concede(Seat(int(conceded[1]) - 1), conceded[2])
        if record.result not in ("*", match.result):
            raise ValueError(
                f"its moves end in {match.result}, but its result says {record.result}."
            )
        return match

    def _replay(self, steps: Iterable[Step[S, M, E]]) -> None:
        """Play the steps that were written down; each card must be the one that was dealt."""
        for step in steps:
            draws = self._draws
            dealt = self._script[draws : draws + 1]
            if step.event is not None and dealt and step.event != dealt[0]:
                raise ValueError(
                    f"turn {self.turn_number}: {step.event} was drawn, but the deal has {dealt[0]}."
                )
            self._steps.append(step)

    # ---- what there is to see --------------------------------------------------

    @property
    def turn(self) -> Decision[M] | Chance[E] | Outcome:
        """Who decides, or that a card is to be drawn, or how it ended."""
        return self._conceded or self.game.turn(self._state)

    @property
    def turn_number(self) -> int:
        """The turn that is being played, counted from 1."""
        return 1 + sum(1 for step in self._steps if step.moves)

    @property
    def seats_ready(self) -> frozenset[Seat]:
        """The seats that have chosen in this turn, and nothing of what."""
        return frozenset(self._pending)

    @property
    def drawer(self) -> Seat | None:
        """Whose hand turns the next card."""
        return self.game.drawer(self._state)

    @property
    def result(self) -> str:
        """The result as a record writes it; `*` before the end."""
        turn = self.turn
        return turn.result if isinstance(turn, Outcome) else "*"

    @property
    def conceded(self) -> bool:
        """Whether the game was given up rather than played to its end."""
        return self._conceded is not None

    def options(self, seat: Seat) -> tuple[M, ...]:
        """What a seat may still choose in this turn."""
        turn = self.turn
        if not isinstance(turn, Decision) or seat in self._pending:
            return ()
        return turn.options.get(seat, ())

    def view(self, viewer: Seat | None) -> S:
        """What a seat, or a spectator (None), may see."""
        return self.game.view(self._state, viewer)

    def hides_nothing_from(self, viewer: Seat | None) -> bool:
        """Whether nothing is hidden from a viewer now."""
        return self.view(viewer) == self._state

    def steps(self, viewer: Seat | None) -> list[Step[S, M, E]]:
        """The game so far as a viewer may see it: in views, with hidden events marked."""
        view = self.game.view
        secret_from = len(self._steps) if self.hides_nothing_from(viewer) else self._whole_turns
        return [
            Step(
                view(step.before, viewer),
                step.moves,
                HIDDEN if not step.moves and n >= secret_from else step.event,
                view(step.after, viewer),
            )
            for n, step in enumerate(self._steps)
        ]

    def moves(self, viewer: Seat | None) -> str:
        """The game so far in notation, without what is hidden from the viewer."""
        return write(step for step in self.steps(viewer) if step.event is not HIDDEN)

    @property
    def record(self) -> Record:
        """The whole game on paper: for the table's own keeping, not for a viewer."""
        turn = self.turn
        return Record(
            game=self.game.name,
            settings=self.game.settings,
            deal=self._deal,
            seed=self.seed,
            players=self.players,
            moves=write(self._steps),
            result=self.result,
            reason=turn.reason if isinstance(turn, Outcome) else "",
            started=self.started,
        )

    # ---- what can be done ------------------------------------------------------

    def submit(self, seat: Seat, move: M) -> None:
        """Take a seat's choice; it is played once everybody who decides has chosen."""
        if seat in self._pending:
            raise IllegalMove(f"{seat} has chosen already; a choice cannot be changed.")
        turn = self.turn
        if isinstance(turn, Outcome):
            raise IllegalMove("The game is over.")
        deciding = turn.options if isinstance(turn, Decision) else {}
        chosen = {**self._pending, seat: move}
        # A choice that waits for others is checked beside any choice of theirs.
        others = {s: options[0] for s, options in deciding.items() if s not in chosen}
        step = decide(self.game, self._state, {**others, **chosen})
        if others:
            self._pending = chosen
        else:
            self._steps.append(step)
            self._pending = {}

    def draw(self) -> None:
        """Let nature move: the n-th draw depends on the seed and n alone."""
        turn = self.turn
        if not isinstance(turn, Chance):
            raise IllegalMove("There is no card to draw now.")
        draws = self._draws
        if draws < len(self._script):
            event = self._script[draws]
        else:
            event = sample(turn.odds, stream(self.seed, "draw", draws))
        self._steps.append(reveal(self.game, self._state, event))

    def concede(self, seat: Seat, how: str) -> None:
        """End the game for the other seat: `resigned.`, or `forfeits: ` and why."""
        reason = f"{seat} {how}"
        if isinstance(self.turn, Outcome):
            raise IllegalMove("The game is over.")
        if not CONCEDED.match(reason):
            raise ValueError("A seat either `resigned.` or `forfeits: ` for a reason.")
        self._pending = {}
        self._conceded = Outcome(seat.other, reason)

    def undo(self) -> None:
        """Take back one whole turn, and with it whatever has begun of the next."""
        self._conceded = None
        if not self._steps and not self._pending:
            raise IllegalMove("There is no turn to take back yet.")
        self._pending = {}
        del self._steps[self._whole_turns :]
        if self._steps:
            self._steps.pop()
            del self._steps[self._whole_turns :]

    @property
    def _state(self) -> S:
        return self._steps[-1].after if self._steps else self._start

    @property
    def _draws(self) -> int:
        return sum(1 for step in self._steps if not step.moves)

    @property
    def _whole_turns(self) -> int:
        """How many steps belong to turns that are complete."""
        return max((n for n, step in enumerate(self._steps, 1) if step.moves), default=0)
