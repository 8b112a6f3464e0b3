"""Analyze any position of a game, with the value of each option.

A position is written as its moves in notation. If only one of two simultaneous moves is picked, the
last turn has a "?" for the other, such as `7/?`.

>>> from number_duels import load, solve
>>> session = AnalyzeSession(load("number-bid", numbers=3))
>>> session.work().run(solve(session.game, cache=False))
>>> path, balance, one, two = session.scene().tables
>>> one.sentences[0]
"Player 1's best move is to bid 3: it keeps the draw, whatever Player 2 does."
>>> [row.key for row in two.rows]
['?/3', '?/1', '?/2']
>>> session.act("go", "3/?")
>>> session.act("type", "3")
>>> session.at, session.scene().path
('3/3', 'after 3/3')
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from number_duels.core.game import AnyGame, Chance, Decision, Outcome, Seat, unavailable
from number_duels.core.history import AnyHistory, History
from number_duels.core.names import SEAT_NAMES, Names
from number_duels.core.notation import read_event
from number_duels.core.record import with_names
from number_duels.core.scene import ASKED, OVER, WORKING, Action, Row, Scene, Side, Table
from number_duels.core.text import printable
from number_duels.review.position import AnySolution, Position, examine_with_chances, position_of
from number_duels.review.words import certain, chance, percent, verdict
from number_duels.sessions import Work
from number_duels.sessions.scene_tables import (
    column_notes,
    option_tables,
    share_of,
)

if TYPE_CHECKING:
    from number_duels.trainer.spot import OpenSpot

Picked = Mapping[Seat, Hashable]
START = "start"
OPEN = "?"
STEPS = {"back": -1, "forward": 1}


class AnalyzeSession:
    """A position of a game, and a line of moves to step through.

    The constructor raises ValueError if `deal`, `at` or `line` is not valid.
    """

    def __init__(
        self,
        game: AnyGame,
        deal: str | None = None,
        at: str = "",
        names: Names = SEAT_NAMES,
        line: str = "",
    ) -> None:
        self.game, self.names = game, names
        self.start = game.start(deal=deal)
        self.history, self.picked = self._read(at)
        if deal is not None:
            position_of(game, deal, str(self.history))
        self.line = self._read(line)[0] if line else self.history
        self._known: dict[str, Position] = {}
        self._keep_on_line()

    @property
    def at(self) -> str:
        return self._at(self.history, self.picked)

    @property
    def position(self) -> Position | None:
        return self._known.get(str(self.history))

    @property
    def asked(self) -> tuple[Seat, ...]:
        turn = self.history.turn
        seats = sorted(turn.options) if isinstance(turn, Decision) else ()
        return tuple(seat for seat in seats if seat not in self.picked)

    @property
    def spot(self) -> OpenSpot | None:
        from number_duels.trainer.spot import OpenSpot  # this loads the trainer

        return OpenSpot(self.game, self.history, self.asked[0]) if self.asked else None

    def work(self) -> Work | None:
        if self.position:
            return None
        label = "Working out the winning chance of each move"
        return Work(self.game, label, partial(self._examine, self.history))

    def _examine(self, history: AnyHistory, solution: AnySolution) -> None:
        self._known[str(history)] = examine_with_chances(solution, history.state)

    def act(self, key: str, text: str = "") -> None:
        """Do one of the actions `back`, `forward`, `go` and `type`.

        `go` opens the position in `text`, and `type` plays the move in `text`. Raise ValueError if
        the action is not possible.
        """
        match key:
            case "go":
                self.history, self.picked = self._read(text)
            case "type":
                self.history, self.picked = self._typed(text)
            case "back" | "forward" if near := self._near(key):
                self.history, self.picked = self._read(near)
            case _:
                raise ValueError("That is not possible now; choose another action.")
        self._keep_on_line()

    def _typed(self, text: str) -> tuple[AnyHistory, Picked]:
        """Return the position after `text`, which is a move of the next seat or whole turns."""
        turn = self.history.turn
        if isinstance(turn, Decision) and self.asked:
            seat = self.asked[0]
            with suppress(ValueError):
                move = self.game.parse(text)
                if move in turn.options[seat]:
                    return self._read(self._at(self.history, {**self.picked, seat: move}))
        return self._read(joined(self.history, text))

    def _keep_on_line(self) -> None:
        if self.line.steps[: len(self.history)] != self.history.steps:
            self.line = self.history

    def _at(self, history: AnyHistory, picked: Picked) -> str:
        turn = history.turn
        if not picked or not isinstance(turn, Decision):
            return str(history) or START
        return joined(history, "/".join(str(picked.get(one, OPEN)) for one in sorted(turn.options)))

    def _read(self, at: str) -> tuple[AnyHistory, Picked]:
        turns = at.split()
        if turns == [START]:
            turns = []
        if not turns or OPEN not in turns[-1]:
            return History.read(self.game, self.start, " ".join(turns)), {}
        *before, last = turns
        history = History.read(self.game, self.start, " ".join(before))
        try:
            return self._read_half(history, last)
        except ValueError as error:
            raise ValueError(f"turn {len(turns)} ({printable(last)}): {error}") from None

    def _read_half(self, history: AnyHistory, text: str) -> tuple[AnyHistory, Picked]:
        """Parse a turn such as `7/?`, in which one of the two moves is missing."""
        while isinstance(turn := history.turn, Chance):
            event = read_event(turn, text)
            history, text = history.drawn(event), text[len(str(event)) :]
        if isinstance(turn, Outcome):
            raise ValueError("the game was already over.")
        parts = text.split("/")
        if len(turn.options) != 2 or len(parts) != 2 or parts.count(OPEN) != 1:
            raise ValueError(
                f"If both choose at once, write {OPEN} for a missing move, as in 7/{OPEN}."
            )
        seats = zip(sorted(turn.options), parts, strict=True)
        picked = {seat: self.game.parse(part) for seat, part in seats if part != OPEN}
        for seat, move in picked.items():
            if move not in turn.options[seat]:
                raise ValueError(unavailable(move, turn.options[seat]))
        return history, picked

    def scene(self) -> Scene:
        turn, position, work = self.history.turn, self.position, self.work()
        tables = [self._path(), *(self._figures(position) if position else ())]
        detail = f"{work.label}…" if work else ""
        if position:
            detail = verdict(position.value, None, position.chances)
        if isinstance(turn, Outcome):
            detail = turn.reason
        stage = OVER if isinstance(turn, Outcome) else ASKED
        return Scene(
            WORKING if work else stage,
            self.game.title,
            headline=self._said(self._headline()),
            detail=self._said(detail),
            sides=tuple(Side(self.names[seat], self._doing(seat)) for seat in Seat),
            board=self.game.board(self.history.state),
            to_move=self.asked,
            path=self._said(self._way()),
            prompt=self._said(self._prompt()),
            tables=tuple(tables),
            notes=column_notes(tables),
            actions=tuple(Action(key, key.capitalize()) for key in STEPS if self._near(key)),
        )

    def _headline(self) -> str:
        turn = self.history.turn
        if isinstance(turn, Outcome):
            return f"Over: {turn.result}"
        if isinstance(turn, Chance):
            return self.game.draw_label
        return "Both choose at once" if len(turn.options) == 2 else f"{self.asked[0]}'s turn"

    def _prompt(self) -> str:
        if self.picked:
            return f"Now pick a move for {self.asked[0]}."
        return "Pick a move for each player." if len(self.asked) == 2 else ""

    def _said(self, text: str) -> str:
        return with_names(text, self.names)

    def _way(self) -> str:
        moves = str(self.history)
        way = f"after {moves}" if moves else "at the start"
        return ", ".join([way, *(f"{seat} plays {move}" for seat, move in self.picked.items())])

    def _doing(self, seat: Seat) -> str:
        if self.history.outcome and self.history.outcome.winner is seat:
            return "winner"
        return "to move" if seat in self.asked else "chosen" if seat in self.picked else ""

    def _near(self, key: str) -> str:
        keys = [row.key for row in self._path().rows]
        place = keys.index(self.at) + STEPS[key]
        return keys[place] if 0 <= place < len(keys) else ""

    def _path(self) -> Table:
        rows, here = [], len(self.history)
        for count in range(len(self.line) + 1):
            steps = self.line.steps[:count]
            text = steps[-1].text if steps else "Start"
            at = self._at(History(self.game, self.start, steps), {})
            rows.append(Row(text, (), 0.0, key=at, here=count == here and not self.picked))
        if self.picked:
            rows.insert(here + 1, Row(self.at.split()[-1], (), 0.0, key=self.at, here=True))
        return Table(tuple(rows), title="Moves", kind="path")

    def _figures(self, position: Position) -> Iterator[Table]:
        turn, value = self.history.turn, position.value
        sure = certain(value, position.chances)
        told = "50%, a sure draw" if sure == "draw" else chance(value)
        row = Row(self._said(f"{Seat.ONE}'s winning chance"), (told,), share_of(value))
        yield Table((row,), kind="balance")
        if isinstance(turn, Chance):
            yield Table(
                tuple(self._draws(turn)), ("odds",), kind="draws", head=self.game.draw_label
            )
        for seat in position.options:
            yield from option_tables(
                position,
                seat,
                self.names,
                key=partial(self.at_with, seat),
                picked=str(self.picked.get(seat, "")),
            )

    def _draws(self, turn: Chance[Hashable]) -> Iterator[Row]:
        for event, odds in turn.odds.items():
            words, share = f"{self.game.draw_label}: {event}", float(odds)
            key = joined(self.history, str(event))
            yield Row(words, (percent(share),), share, key=key, short=str(event))

    def at_with(self, seat: Seat, move: str) -> str:
        return self._at(self.history, {**self.picked, seat: move})


def joined(history: AnyHistory, text: str) -> str:
    """Append `text` to the moves of `history`, without a space after a drawn card."""
    drawn = history.steps and not history.steps[-1].moves
    return f"{history}{'' if drawn else ' '}{text}".strip()
