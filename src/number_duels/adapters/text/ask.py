"""What a seat is asked, as a conversation: the prompt, and answers that were refused."""

from __future__ import annotations

from dataclasses import dataclass, replace

from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch, situation
from number_duels.players.external import THINKING, legal
from number_duels.players.llm.prompt import Message, again, question
from number_duels.players.llm.replies import Reply, read_answer, spoken


@dataclass(frozen=True)
class Ask:
    """What a seat is to answer now: rules, view, history and open moves, and nothing else.

    >>> from number_duels.adapters.text import TextEnv
    >>> asked = TextEnv("number-bid", numbers=3).reset(seed=7)[Seat.ONE]
    >>> asked.moves, asked.text[:31]
    (('1', '2', '3'), 'You play Number Bid, a game for')
    """

    #: Who is asked.
    seat: Seat
    #: The conversation so far: the prompt, then each refused answer with its reason.
    messages: tuple[Message, ...]
    #: The moves that are open, in notation.
    moves: tuple[str, ...]
    #: Which game of a batch it belongs to.
    game: int = 0
    #: The room to think that the form of the answer leaves.
    think: str = THINKING[0]

    @property
    def text(self) -> str:
        """The same as one text, for what takes no conversation."""
        return "\n\n".join(message["content"] for message in self.messages)

    def refused(self, answer: str, reason: str) -> Ask:
        """The same question after an answer that could not be taken."""
        more = again(spoken(answer), reason, self.think)
        return replace(self, messages=(*self.messages, *more))


def ask(match: AnyMatch, seat: Seat, game: int = 0, think: str = THINKING[0]) -> Ask:
    """What a seat is asked in a match, now."""
    now = situation(match, seat)
    return Ask(seat, (question(now, think),), tuple(map(str, now.options)), game, think)


def move_of(match: AnyMatch, seat: Seat, answer: str) -> object:
    """The open move that an answer names; Refused says why it names none."""
    now = situation(match, seat)
    return legal(now, read_answer(Reply(answer), now))
