"""A game with people in it: what it waits for, what is told, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from enum import Enum
from functools import partial
from typing import NamedTuple, Protocol

from number_duels.core.board import Part, changed
from number_duels.core.game import AnyGame, Chance, Decision, IllegalMove, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.questions import Question
from number_duels.core.record import shown_names
from number_duels.players.external import ExternalPlayer
from number_duels.players.registry import HUMAN

AnyStep = Step[Hashable, Hashable, Hashable]
#: A player for each chair; None: a person.
Players = tuple[Player | None, Player | None]


class Action(Enum):
    """What a game waits for."""

    DRAW = "a card is drawn"
    CHOOSE = "somebody chooses"
    OVER = "nothing: it is over"


class Next(NamedTuple):
    """What a game waits for, and from whom."""

    action: Action
    #: Who has yet to act, in the order in which they are asked; empty where nature acts alone.
    seats: tuple[Seat, ...] = ()

    @property
    def seat(self) -> Seat | None:
        return self.seats[0] if self.seats else None


def waits_for(match: AnyMatch, first: Collection[Seat] = ()) -> Next:
    """Return what a match waits for; of two seats that choose, those in `first` come first."""
    turn = match.turn
    if isinstance(turn, Outcome):
        return Next(Action.OVER)
    if isinstance(turn, Chance):
        return Next(Action.DRAW, () if match.drawer is None else (match.drawer,))
    waiting = set(turn.options) - match.seats_ready
    return Next(Action.CHOOSE, tuple(sorted(waiting, key=lambda seat: (seat not in first, seat))))


class Work(NamedTuple):
    """Something slow that a game waits for: a player's move, or that it hears of the beginning."""

    seat: Seat
    call: Callable[[], Hashable]
    #: Whether a move is wanted.
    chooses: bool

    def run(self) -> Hashable:
        """Do it, in any thread; return the move, or the Forfeit of a player that cannot go on."""
        try:
            return self.call()
        except Forfeit as forfeit:
            return forfeit


class Store(Protocol):
    """Where a match is saved."""

    def write(self, match: AnyMatch) -> None:
        """Write the whole match down."""


class PlaySession:
    """One match, the players in its chairs, and where it is saved.

    Every change is saved before the call that makes it returns. If the store raises, the change
    has been made and is not saved.
    """

    def __init__(self, match: AnyMatch, players: Players, store: Store | None) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.players = players
        self.store = store
        #: The external players that know that the game has begun.
        self._begun = set[Seat]()

    # ---- who is to act, and who may see what -----------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """Return what the players are called on the screen."""
        return shown_names(self.match.players)

    @property
    def people(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in Seat if self.match.players[seat].who == HUMAN)

    @property
    def viewer(self) -> Seat | None:
        """Return the one person who looks at the screen, or None if there are two or none."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def addressed(self) -> Seat | None:
        """Return the person who is spoken to as "you": the one whose turn it is, if any."""
        turn = self.match.turn
        if isinstance(turn, Decision):
            seat = next(iter(turn.options)) if len(turn.options) == 1 else None
        else:
            seat = self.match.drawer
        return seat if seat in self.people else None

    @property
    def external_players(self) -> Iterator[tuple[Seat, ExternalPlayer]]:
        for seat, player in zip(Seat, self.players, strict=True):
            if isinstance(player, ExternalPlayer):
                yield seat, player

    def next(self) -> Next:
        """Return what the game waits for; people choose before the computer does."""
        return waits_for(self.match, self.people)

    def question(self, seat: Seat) -> Question[Hashable]:
        return self.game.question(self.match.view(seat), seat)

    def needs_curtain(self, seat: Seat) -> bool:
        """Whether what a person is about to see or choose is secret from another person."""
        if len(self.people) < 2:
            return False
        return self.question(seat).secret or not self.match.hides_nothing_from(seat.other)

    # ---- what is shown and told ------------------------------------------------

    def board(self, viewer: Seat | None) -> tuple[tuple[Part, ...], dict[Part, frozenset[int]]]:
        """Return the board for a viewer, and what the last move changed in it."""
        parts = self.game.board(self.match.view(viewer))
        moves = [step for step in self.match.steps(viewer) if step.moves]
        before = self.game.board(moves[-1].before) if moves else parts
        return parts, changed(before, parts)

    def tell(self, viewer: Seat | None, step: AnyStep | None = None) -> Iterable[str]:
        """Return the words for a step; without one for the last."""
        told = step or self.match.steps(viewer)[-1]
        return self.game.tell(told.before, told.moves, told.after, viewer)

    # ---- what is slow ----------------------------------------------------------

    def work(self) -> Work | None:
        """Return what has to be run next; None if a person or a card is waited for."""
        if self.match.outcome:
            return None
        for seat, player in self.external_players:
            if seat not in self._begun:
                begin = partial(player.begin, self.game, seat, own_seed(self.match, seat))
                return Work(seat, begin, chooses=False)
        action, seats = self.next()
        chooser = self.players[seats[0]] if action is Action.CHOOSE else None
        if chooser is None:
            return None
        choose = partial(chooser.choose, situation(self.match, seats[0]))
        return Work(seats[0], choose, chooses=True)

    def finish(self, work: Work, result: Hashable) -> None:
        """Take what `work.run()` returned; a player that cannot go on loses."""
        if isinstance(result, Forfeit):
            self.concede(work.seat, f"forfeits: {result.reason}")
        elif work.chooses:
            self.choose(work.seat, result)
        else:
            self._begun.add(work.seat)

    # ---- what can be done ------------------------------------------------------

    def choose(self, seat: Seat, move: Hashable) -> None:
        """Take a choice; it is played, and saved, once everybody has chosen."""
        self.match.submit(seat, move)
        if not self.match.seats_ready:
            self.save()

    def draw(self) -> None:
        self.match.draw()
        self.save()

    def take_back(self) -> str:
        """Take back a turn among people, or a person's last move against the computer; say so.

        An IllegalMove says why there is none.
        """
        if not self.people:
            raise IllegalMove("Nobody here has a move to take back: the computer plays alone.")
        try:
            if self.viewer is None:
                self.match.undo()
            else:
                self.match.take_back(self.viewer)
        except IllegalMove:
            raise IllegalMove("There is no turn to take back yet.") from None
        self.save()
        count = "" if self.viewer is None else f" The record counts it: {self.match.takebacks}."
        return f"The last turn is taken back.{count}"

    def resign(self) -> None:
        """Give the game up: the one person, or whose turn it is where two play."""
        seat = self.next().seat if self.viewer is None else self.viewer
        assert seat is not None
        self.concede(seat, "resigned.")

    def concede(self, seat: Seat, how: str) -> None:
        self.match.concede(seat, how)
        self.save()

    def rematch(self) -> AnyMatch:
        """Return a new match of the same game with the seats swapped."""
        one, two = self.match.players
        return Match(self.game, players=(two, one), hints=self.match.hints)

    def save(self) -> None:
        if self.store:
            self.store.write(self.match)

    def end(self) -> None:
        """Tell the external players how the game ended."""
        outcome = self.match.outcome
        assert outcome is not None
        for seat, player in self.external_players:
            player.end(self.match.view(seat), outcome.result, outcome.reason)


def turn_so_far(match: AnyMatch, viewer: Seat | None) -> tuple[Hashable, tuple[AnyStep, ...]]:
    """Return the view at the beginning of this turn, and the cards drawn in it so far."""
    steps = match.steps(viewer)
    begun = steps[max((n for n, step in enumerate(steps, 1) if step.moves), default=0) :]
    return (begun[0].before if begun else match.view(viewer)), begun


def concession(match: AnyMatch) -> list[str]:
    """Return the lines that tell that a game was given up; none if it was not."""
    outcome = match.outcome
    if outcome is None or not match.conceded:
        return []
    return [outcome.reason, f"{outcome.winner} wins the game!"]
