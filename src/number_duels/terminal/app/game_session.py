"""A game being played, without a screen: who is to act, what each may see, what is on disk."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from number_duels.core.board import Part, changed
from number_duels.core.game import AnyGame, Chance, IllegalMove, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Player, situation
from number_duels.core.questions import Question
from number_duels.core.record import Person, check_names
from number_duels.players.registry import seat_player
from number_duels.terminal.app.opponents import full_name
from number_duels.terminal.errors import CommandError
from number_duels.terminal.saves import SaveFile, new_path

#: A solution is worked out once, also where two screens ask for it at the same time.
PREPARING = Lock()


class Action(Enum):
    """What a game waits for."""

    DRAW = "a card is drawn"
    CHOOSE = "somebody chooses"
    OVER = "nothing: it is over"


class Next(NamedTuple):
    """What a game waits for, and from whom."""

    action: Action
    seat: Seat | None = None
    by_person: bool = False


class GameSession:
    """One match, the players in its chairs (None: a person), and where it is saved."""

    def __init__(
        self,
        match: AnyMatch,
        players: tuple[Player | None, Player | None],
        save: SaveFile | None,
    ) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.players = players
        self.save_file = save
        #: What the one person chose while the computer still chooses.
        self.own_choice = ""

    # ---- who is to act, and who may see what -----------------------------------

    @property
    def names(self) -> tuple[str, str]:
        one, two = self.match.players
        return one.name, two.name

    @property
    def people(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in Seat if self.match.players[seat].who == "human")

    @property
    def viewer(self) -> Seat | None:
        """Who looks at the screen: the one person, or with two people nobody in particular."""
        return self.people[0] if len(self.people) == 1 else None

    def next(self) -> Next:
        """What the game waits for: people choose before the computer does."""
        turn = self.match.turn
        if isinstance(turn, Outcome):
            return Next(Action.OVER)
        if isinstance(turn, Chance):
            drawer = self.match.drawer
            return Next(Action.DRAW, drawer, drawer in self.people)
        waiting = [seat for seat in turn.options if seat not in self.match.seats_ready]
        seat = min(waiting, key=lambda seat: (seat not in self.people, seat))
        return Next(Action.CHOOSE, seat, seat in self.people)

    def needs_curtain(self, seat: Seat) -> bool:
        """Whether what a person is about to see or choose is secret from another person."""
        if len(self.people) < 2:
            return False
        return self.question(seat).secret or not self.match.hides_nothing_from(seat.other)

    def question(self, seat: Seat) -> Question[Hashable]:
        return self.game.question(self.match.view(seat), seat)

    def consequence(self, seat: Seat, move: Hashable) -> str:
        return self.game.consequence(self.match.view(seat), seat, move)

    def board(self, viewer: Seat | None) -> tuple[tuple[Part, ...], dict[Part, frozenset[int]]]:
        """How the game stands for a viewer, and what has changed since before the last move."""
        parts = self.game.board(self.match.view(viewer))
        moves = [step for step in self.match.steps(viewer) if step.moves]
        before = self.game.board(moves[-1].before) if moves else parts
        return parts, changed(before, parts)

    def facts(self) -> list[str]:
        """What stands above the board: the game, the turn, who plays, what was taken back."""
        match, taken = self.match, self.match.takebacks
        turn = "over" if match.outcome else f"turn {match.turn_number}"
        computers = [full_name(person.who) for person in match.players if person.who != "human"]
        moves = "1 move" if taken == 1 else f"{taken} moves"
        return [self.game.title, turn, *computers, *([f"{moves} taken back"] if taken else [])]

    # ---- what happens ----------------------------------------------------------

    def computer_move(self, seat: Seat) -> Callable[[], Hashable]:
        """What works out a computer's move; it may run beside everything else."""
        player, now = self.players[seat], situation(self.match, seat)
        assert player is not None
        return lambda: player.choose(now)

    def submit(self, seat: Seat, move: Hashable) -> None:
        """Take a choice; it is played once everybody has chosen."""
        self.own_choice = str(move) if seat is self.viewer else ""
        self.match.submit(seat, move)
        if not self.match.seats_ready:
            self.own_choice = ""

    def take_back(self) -> str:
        """Take a move back, and say so; an IllegalMove says why there is none."""
        if not self.people:
            raise IllegalMove("Nobody here has a move to take back: the computer plays alone.")
        if len(self.people) == 2:
            self.match.undo()
            return "The last turn is taken back."
        self.match.take_back(self.people[0])
        return "Your move is taken back; the record counts it."

    def resign(self) -> None:
        """Give the game up: the one person, or whose turn it is where two play."""
        seat = self.viewer if self.viewer is not None else self.next().seat
        assert seat is not None
        self.match.concede(seat, "resigned.")

    # ---- the disk --------------------------------------------------------------

    def save(self) -> None:
        """Write the match down, before anybody is shown anything new."""
        if self.save_file:
            self.save_file.write(self.match)

    def save_elsewhere(self, path: Path | None) -> None:
        """Keep the game in another file from now on; None: nowhere."""
        if path is None:
            self.save_file = None
            return
        if path.exists():
            raise CommandError(f"{path} exists; name another file.")
        other = SaveFile(path)
        other.write(self.match)
        if self.save_file:
            self.save_file.release()
        self.save_file = other

    def close(self) -> Path | None:
        """Let go of the file, and say which it is; a game in which nothing happened has none."""
        if self.save_file is None:
            return None
        if not self.match.record.moves:
            self.save_file.discard()
            return None
        self.save_file.release()
        return self.save_file.path


def new_match(
    game: AnyGame, names: tuple[str, str], who: tuple[str, str], *, hints: bool
) -> AnyMatch:
    """A match that nobody has moved in; a CommandError says what cannot be played."""
    try:
        check_names(*names)
        one, two = (Person(name, kind) for name, kind in zip(names, who, strict=True))
        return Match(game, players=(one, two), hints=hints)
    except ValueError as error:
        raise CommandError(str(error)) from None


def new_save(match: AnyMatch) -> SaveFile:
    """A file for a new game, written and locked."""
    save = SaveFile(new_path(match.game.name))
    save.write(match)
    return save


def reopened(path: Path) -> tuple[AnyMatch, SaveFile]:
    """An unfinished game from disk, locked; a CommandError says why it cannot be gone on with."""
    from number_duels.terminal.commands.play import load_unfinished

    save = SaveFile(path)
    save.lock()
    try:
        match = load_unfinished(path)
        save.write(match)
    except CommandError:
        save.release()
        raise
    return match, save


def seated(
    match: AnyMatch, progress: Callable[[float], None]
) -> tuple[Player | None, Player | None]:
    """The players of a match, ready to play; takes as long as solving the game takes."""
    with PREPARING:
        one, two = (seat_player(person.who, match.game, progress) for person in match.players)
    return one, two


def megabytes_to_solve(match: AnyMatch) -> int:
    """How much the computer players of a match will put into the cache; 0: next to nothing."""
    if {person.who for person in match.players} <= {"human", "random"}:
        return 0
    from number_duels.solvers.solver import bytes_to_cache

    return round(bytes_to_cache(match.game) / 1_000_000)


def hint_lines(game: AnyGame, view: Hashable, seat: Seat) -> list[str]:
    """What a position is worth to a seat and what to do, in words first."""
    from number_duels.review.position import examine_with_chances
    from number_duels.review.text import column_notes, position_lines
    from number_duels.solvers import solve

    with PREPARING:
        solution = solve(game)
    position = examine_with_chances(solution, view)
    return [*position_lines(position, seat), *column_notes(position, seat)]
