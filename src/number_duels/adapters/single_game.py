"""A game in progress with numbered actions, for environments that play a single game."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from operator import index
from typing import TYPE_CHECKING

from number_duels.adapters.encoding import Encoding, Mask, Observation
from number_duels.adapters.game_setup import start_match, start_options
from number_duels.core.board import Part, in_words
from number_duels.core.game import Decision, Outcome, Seat
from number_duels.core.runner import draw_all

if TYPE_CHECKING:
    from number_duels.adapters.picture import Picture

#: `human` prints the board after each turn. The other modes return it as text or a picture.
RENDER_MODES = ("human", "ansi", "rgb_array")


class SingleGame:
    """A match in which seats choose actions by number.

    Cards are drawn automatically. An illegal action loses the game.

    >>> from number_duels import load
    >>> single = SingleGame(Encoding(load("number-bid", numbers=2)), seed=7)
    >>> single.act(Seat.ONE, 1)          # held back until both are in
    >>> single.waiting, single.mask(Seat.TWO)
    ((Seat.TWO,), array([1, 1], dtype=int8))
    >>> single.act(Seat.TWO, 0)
    >>> print(single.text())
    Available Numbers: None
    Player 1 Score: 3
    Player 2 Score: 0
    Player 1 has the higher total score.
    """

    def __init__(
        self, encoding: Encoding, seed: int, options: Mapping[str, object] | None = None
    ) -> None:
        self.encoding = encoding
        self.match = start_match(encoding.game, seed, **start_options(options))
        self.illegal: dict[Seat, str] = {}
        self.waiting: tuple[Seat, ...] = ()
        # Cached, because it is read often.
        self._turn: Decision[Hashable] | Outcome
        self._go_on()

    def act(self, seat: Seat, action: object) -> None:
        """Submit a waiting seat's action. It takes effect once all waiting seats have acted."""
        number = whole_number(action)
        try:
            self.match.submit(seat, self.encoding.move(number))
        except ValueError as refusal:
            self.illegal[seat] = f"Action {number} is illegal: {refusal}"
        # Like a legal action, an illegal one takes effect only after both have acted.
        self.waiting = tuple(other for other in self.waiting if other is not seat)
        if not self.waiting and not self.illegal:
            self._go_on()

    def _go_on(self) -> None:
        self._turn = turn = draw_all(self.match)
        self.waiting = tuple(turn.options) if isinstance(turn, Decision) else ()

    @property
    def holds_choice(self) -> bool:
        return isinstance(self._turn, Decision) and 0 < len(self.waiting) < len(self._turn.options)

    @property
    def over(self) -> bool:
        return not self.waiting

    def reward(self, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss or an illegal action, and 0 otherwise."""
        if not self.over:
            return 0.0
        if self.illegal:
            return -1.0 if seat in self.illegal else 1.0
        assert isinstance(self._turn, Outcome)
        winner = self._turn.winner
        return 0.0 if winner is None else 1.0 if winner is seat else -1.0

    def observation(self, seat: Seat) -> Observation:
        return self.encoding.observation(self.match.view(seat), seat)

    def mask(self, seat: Seat) -> Mask:
        if seat not in self.waiting or not isinstance(self._turn, Decision):
            return self.encoding.mask(())
        return self.encoding.mask(self._turn.options[seat])

    @property
    def _board(self) -> tuple[Part, ...]:
        return self.encoding.game.board(self.match.view(None))

    @property
    def _ending(self) -> list[str]:
        if isinstance(self._turn, Outcome):
            return [self._turn.reason]
        return [f"{seat} has made an illegal move." for seat in self.illegal] if self.over else []

    def text(self) -> str:
        return "\n".join([*in_words(self._board), *self._ending])

    def picture(self) -> Picture:
        from number_duels.adapters.picture import draw_board

        caption = " ".join(self._ending)
        if isinstance(self._turn, Decision) and not caption:
            # Name all deciding seats, so that nobody sees who has already chosen.
            seats = tuple(self._turn.options)
            caption = "Both choose at once." if len(seats) == 2 else f"{seats[0]} to move."
        return draw_board(self.encoding.game.title, self._board, caption)

    def show(self, mode: str | None) -> None:
        if mode == "human":
            sys.stdout.write(self.text() + "\n\n")

    def render(self, mode: str | None) -> str | Picture | None:
        self.show(mode)
        if mode == "rgb_array":
            return self.picture()
        return self.text() if mode == "ansi" else None


def whole_number(action: object) -> int:
    try:
        return index(action)  # type: ignore[arg-type]  # index() raises TypeError for the rest
    except TypeError:
        raise ValueError(f"An action must be a whole number, not {action!r}.") from None


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        modes = ", ".join(RENDER_MODES)
        raise ValueError(f"There is no render mode {mode!r}; choose {modes} or None.")
