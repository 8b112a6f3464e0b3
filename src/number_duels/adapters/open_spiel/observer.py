"""What OpenSpiel's players see, as tensors and as text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import HIDDEN, Seat
from number_duels.core.history import History
from number_duels.core.notation import Step, write

Tensor = npt.NDArray[np.float32]


class HasProgress(Protocol):
    """A state of ours, as OpenSpiel passes it around."""

    progress: History[Hashable, Hashable, Hashable]


class Observer:
    """One kind of observation, in the shape that OpenSpiel asks for.

    With `recall` it has the whole game so far; `public` and `private` say whose
    knowledge it shows. The public part alone is the same for both: it is seen
    from Player 1's side.
    """

    def __init__(self, encoding: Encoding, *, recall: bool, public: bool, private: bool) -> None:
        self._encoding = encoding
        self._recall = recall and public
        self._public = public
        self._private = private
        shapes = self._shapes()
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: Tensor = np.zeros(sum(sizes), np.float32)
        pieces = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict: Mapping[str, Tensor] = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """The name and shape of every piece of the tensor, in order."""
        encoding = self._encoding
        shapes: dict[str, tuple[int, ...]] = {"player": (2,)} if self._private else {}
        shapes |= {label: (place.stop - place.start,) for label, place in encoding.labels}
        if self._recall:
            turns = encoding.game.most_turns
            shapes["moves"] = (turns, encoding.choosers, encoding.action_count)
            if encoding.event_count:
                shapes["events"] = (turns, encoding.event_count)
        return shapes

    # ---- OpenSpiel's interface -------------------------------------------------------

    def set_from(self, state: HasProgress, player: int) -> None:
        """Write what a player sees into `tensor`, of which `dict` shows the pieces."""
        seat = self._seat(player)
        self.tensor.fill(0)
        if self._private:
            self.dict["player"][player] = 1
        values = self._values(state, seat)
        for label, place in self._encoding.labels:
            self.dict[label][:] = values[place]
        if self._recall:
            self._write_steps(state.progress.seen(self._viewer(seat)), seat)

    def string_from(self, state: HasProgress, player: int) -> str:
        """What a player sees, as text; with recall, the game so far in notation."""
        seat = self._seat(player)
        whose = f"{seat}: " if self._private else ""
        if self._recall:
            return f"{whose}{write(state.progress.seen(self._viewer(seat)))}"
        values = self._values(state, seat)
        if not self._public and not values.any():
            return ""
        pieces = (
            f"{label} {' '.join(map(str, values[place]))}" for label, place in self._encoding.labels
        )
        return whose + ", ".join(pieces)

    # ---- the pieces --------------------------------------------------------------------

    def _seat(self, player: int) -> Seat:
        return Seat(player) if self._private else Seat.ONE

    def _viewer(self, seat: Seat) -> Seat | None:
        return seat if self._private else None

    def _values(self, state: HasProgress, seat: Seat) -> Observation:
        """The numbers of the view; without the public part, those that only the seat knows."""
        values = self._encoding.observation(state.progress.view(self._viewer(seat)), seat)
        if self._public:
            return values
        known_to_all = self._encoding.observation(state.progress.view(None), seat)
        return np.where(values == known_to_all, 0, values)

    def _write_steps(self, steps: Iterable[Step[Hashable, Hashable, Hashable]], seat: Seat) -> None:
        """A row for each turn; where both choose at once, the seat's own choice comes first.

        Events of one turn share its row, and those after the last turn have its row.
        """
        encoding, turn = self._encoding, 0
        for step in steps:
            if not step.moves:
                if step.event is not HIDDEN:
                    row = min(turn, len(self.dict["events"]) - 1)
                    self.dict["events"][row, encoding.event_number(step.event)] += 1
                continue
            for mover, move in step.moves.items():
                row = int(mover is not seat) if encoding.choosers == 2 else 0
                self.dict["moves"][turn, row, encoding.action(move)] = 1
            turn += 1
