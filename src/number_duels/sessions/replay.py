"""Replay a game, or a line of moves that was not played, turn by turn."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from number_duels.core.game import HIDDEN, AnyGame, Seat
from number_duels.core.history import AnyHistory, History
from number_duels.core.names import SEAT_NAMES, Names
from number_duels.core.notation import write
from number_duels.core.player import AnyMatch
from number_duels.core.questions import labels
from number_duels.core.record import with_names
from number_duels.core.scene import OVER, TOLD, Frame, Scene, Told
from number_duels.core.text import counted
from number_duels.sessions.narration import AnyStep, by_turn, concession, readable, turn_word


class ReplaySession:
    def __init__(
        self,
        title: str,
        frames: Sequence[Frame],
        about: str = "replay",
        word: str = "turn",
    ) -> None:
        self.title, self.frames, self.about = title, tuple(frames), about
        self.word = word
        self.place = 0

    @classmethod
    def of(
        cls,
        match: AnyMatch,
        viewer: Seat | None = None,
        names: Names = SEAT_NAMES,
        more: Iterable[str] = (),
    ) -> ReplaySession:
        """Return a replay of a match as `viewer` sees it, with `more` lines in the first frame."""
        frames = game_frames(match, viewer, names, more)
        return cls(match.game.title, frames, word=turn_word(match.game))

    @classmethod
    def of_line(cls, game: AnyGame, frames: Sequence[Frame], about: str) -> ReplaySession:
        """Return a replay of moves that were not played, opened after the first of them."""
        # A number of a turn would read as one of the game's own.
        session = cls(game.title, frames, about, "step")
        session.act("next")
        return session

    def act(self, key: str, text: str = "") -> None:
        last = len(self.frames) - 1
        places = {"first": 0, "back": self.place - 1, "next": self.place + 1, "last": last}
        if key == "go":
            if not (text.isascii() and text.isdecimal()):
                raise ValueError(f"Type the number of a {self.word}, from 0 to {last}.")
            places[key] = int(text)
        if key not in places:
            raise ValueError("That is not possible now; choose another action.")
        self.place = max(0, min(places[key], last))

    def scene(self) -> Scene:
        frame, last = self.frames[self.place], len(self.frames) - 1
        is_game = self.frames[-1].turn == last  # otherwise, the moves are numbered from 1
        place = f"start of {counted(last, self.word)}"
        if self.place:
            place = f"{self.word} {self.place} of {last}"
        return Scene(
            OVER if self.place == last else TOLD,
            self.title,
            (place, self.about),
            lines=(frame.said,),
            log=tuple(
                Told(one.turn if is_game else number, lines, one.said)
                for number, one in enumerate(self.frames[: self.place + 1])
                if (lines := readable(one.lines))
            ),
            board=frame.board,
            changed=frame.changed,
            drawn=frame.drawn,
            at=frame.at,
            prompt=f"Type a number to go to that {self.word}.",
            frames=self.frames,
        )


def game_frames(
    match: AnyMatch, viewer: Seat | None, names: Names, more: Iterable[str]
) -> list[Frame]:
    game, steps = match.game, match.steps(viewer)
    start = steps[0].before if steps else match.view(viewer)
    lines = with_all_names((*game.opening(start), *more), names)
    frames = [Frame("The start.", tuple(game.board(start)), lines=lines)]
    frames += turn_frames(game, by_turn(steps), viewer, names)
    end = concession(match)
    if not match.outcome:
        end = [f"The game stops here, at {turn_word(game)} {match.turn_number}."]
    frames[-1] = replace(frames[-1], lines=frames[-1].lines + with_all_names(end, names))
    return frames


def line_frames(
    history: AnyHistory, moves: str, names: Names = SEAT_NAMES, end: str = ""
) -> tuple[Frame, ...]:
    """Return frames for the moves after `history`. `end` is a sentence for the last frame."""
    game = history.game
    said = f"Before {turn_word(game)} {history.turn_number}."
    board = tuple(game.board(history.state))
    left = History.read(game, history.start, moves).steps[len(history) :]
    start = Frame(said, board, at=str(history))
    *frames, last = (start, *turn_frames(game, by_turn(left), None, names, history.steps))
    return (*frames, replace(last, said=f"{last.said} {with_names(end, names)}".rstrip()))


def turn_frames(
    game: AnyGame,
    turns: Iterable[Sequence[AnyStep]],
    viewer: Seat | None,
    names: Names,
    done: Sequence[AnyStep] = (),
) -> Iterator[Frame]:
    for number, steps in enumerate(turns, 1 + sum(bool(step.moves) for step in done)):
        first, last = steps[0].before, steps[-1]
        begins = not done or bool(done[-1].moves)  # otherwise, `done` ends with a card of this turn
        announced = with_all_names(game.announce(first, viewer) if begins else (), names)
        tells = (game.tell(step.before, step.moves, step.after, viewer) for step in steps)
        told = with_all_names(chain.from_iterable(tells), names)
        short = game.sum_up(last.before, last.moves, last.after)
        done = (*done, *steps)
        board = tuple(game.board(last.after))
        yield Frame(
            with_names(short, names),
            board,
            tuple(game.board(first)),
            moves={seat: str(move) for seat, move in last.moves.items()},
            words={
                seat: with_names(words_of(game, last.before, seat, move), names)
                for seat, move in last.moves.items()
            },
            turn=number,
            drawn=" ".join(step.text for step in steps if not step.moves),
            lines=announced + told,
            announced=len(announced),
            at=write(step for step in done if step.event is not HIDDEN),
        )


def with_all_names(lines: Iterable[str], names: Names) -> tuple[str, ...]:
    return tuple(with_names(line, names) for line in lines)


def words_of(game: AnyGame, state: Hashable, seat: Seat, move: Hashable) -> str:
    return labels(game.question(state, seat)).get(move, str(move))
