"""The games as text for language models: questions to the seats, and the cost of answers.

>>> env = TextEnv("number-knot", opponent="perfect", seat=2)
>>> asked = env.reset(seed=7, moves="S5")
>>> asked[Seat.TWO].moves[:3]
('A1', 'S1', 'A2')
>>> list(env.step({Seat.TWO: '{"move": "S10"}'}).refused)  # asked again, and told why
[Seat.TWO]
>>> step = env.step({Seat.TWO: '{"move": "A3"}'})
>>> step.rewards[Seat.TWO], env.match.result
(-1.0, '1-0')
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from number_duels.adapters.game_setup import opponent_of, start_match
from number_duels.arena.grading import AnyStep, Figures, Grader, place
from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.player import AnyMatch, Forfeit, Player, situation
from number_duels.core.randomness import fresh_seed, stream
from number_duels.core.runner import draw_all
from number_duels.games import load
from number_duels.players.external import THINKING, Refused, legal
from number_duels.players.llm.prompt import Message, again, question
from number_duels.players.llm.replies import Reply, read_answer, spoken
from number_duels.review.position import drop_rounding_error
from number_duels.review.tally import Tally
from number_duels.solvers import solve
from number_duels.solvers.induction import RESULTS

__all__ = ["REWARDS", "Ask", "Score", "Seat", "TextEnv", "TextStep"]

LOSS: Final = "loss"
RESULT: Final = "result"
CORRECTED: Final = "corrected"
#: The kinds of reward for a step, each with its description.
REWARDS = {
    LOSS: "minus what the decision cost, exactly, at once",
    RESULT: "1 for a win, 0 for a draw, -1 for a loss, at the end",
    CORRECTED: "the result less luck: cards, and the mixing of an opponent whose odds are known",
}
#: The result for the seat that gave up.
GIVEN_UP = -1.0
#: Number of further answers accepted after a rejected one.
RETRIES = 2


@dataclass(frozen=True)
class Ask:
    """A question to one seat: the rules, its view, the history and the legal moves.

    >>> asked = TextEnv("number-bid", numbers=3).reset(seed=7)[Seat.ONE]
    >>> asked.moves, asked.text[:31]
    (('1', '2', '3'), 'You play Number Bid, a game for')
    """

    #: The seat that is asked.
    seat: Seat
    #: The conversation so far: the prompt, then each rejected answer with the reason.
    messages: tuple[Message, ...]
    #: The legal moves, in notation.
    moves: tuple[str, ...]
    #: Where the answer may contain thinking: `no`, `field` or `text`.
    think: str = THINKING[0]

    @property
    def text(self) -> str:
        """The whole conversation as one string."""
        return "\n\n".join(message["content"] for message in self.messages)

    def refused(self, answer: str, reason: str) -> Ask:
        """Return this question extended by a rejected answer and the reason."""
        more = again(spoken(answer), reason, self.think)
        return replace(self, messages=(*self.messages, *more))


@dataclass(frozen=True)
class TextStep:
    """The effect of some answers, for both seats.

    >>> env = TextEnv("number-knot")
    >>> asked = env.reset(seed=7)
    >>> step = env.step({Seat.ONE: '{"move": "S5"}'})
    >>> list(step.asked), step.losses[Seat.ONE], step.done
    ([Seat.TWO], 0.0, False)
    """

    #: The next question to each seat that is asked. Empty when the game is over.
    asked: Mapping[Seat, Ask]
    #: Each seat's reward for this step.
    rewards: Mapping[Seat, float]
    #: Exact cost of each seat's decisions in this step, whatever the kind of reward.
    losses: Mapping[Seat, float]
    #: Why each rejected answer was rejected.
    refused: Mapping[Seat, str]
    #: True when the game is over.
    done: bool


@dataclass(frozen=True)
class Score:
    """One seat's figures in one game.

    >>> Score(result=1.0, corrected=0.5, loss=0.25, decisions=5, accuracy=90.0).loss_per_decision
    0.05
    """

    #: 1 for a win, 0 for a draw, -1 for a loss.
    result: float
    #: The result with the effect of luck removed.
    corrected: float
    #: Total loss of the seat's moves, as in a review, plus the cost of giving up.
    loss: float
    #: Number of decisions. Giving up counts as one.
    decisions: int
    #: In percent, as in a review, or None if the seat decided nothing.
    accuracy: float | None
    #: True if the seat gave up, for example after too many illegal answers.
    forfeited: bool = False

    @property
    def loss_per_decision(self) -> float:
        """Mean loss per decision, or 0 if the seat decided nothing."""
        return self.loss / self.decisions if self.decisions else 0.0


class TextEnv:
    """A game that asks its seats in text. Seats that choose at once are asked at once.

    An answer that names no legal move is rejected and asked for again, up to `retries` times.
    Then the seat forfeits the game, which costs all that the position was worth to it. Card
    draws, the opponent's moves and, unless `ask_forced`, forced moves happen without a question.

    >>> env = TextEnv("number-bid", numbers=3)
    >>> sorted(env.reset(seed=7))
    [Seat.ONE, Seat.TWO]
    >>> step = env.step({Seat.ONE: '{"move": "3"}', Seat.TWO: '{"move": "1"}'})
    >>> step.losses, step.done
    ({Seat.ONE: 0.0, Seat.TWO: 1.0}, True)
    """

    def __init__(
        self,
        game: str | AnyGame,
        *,
        opponent: str | Player | None = None,
        seat: int | Literal["random"] = 1,
        reward: str = LOSS,
        retries: int = RETRIES,
        think: str = THINKING[0],
        ask_forced: bool = False,
        **settings: int | str,
    ) -> None:
        if seat not in (1, 2, "random"):
            raise ValueError(f'A seat is 1, 2 or "random", not {seat!r}.')
        if reward not in REWARDS:
            raise ValueError(f"There is no reward {reward!r}; choose {', '.join(REWARDS)}.")
        if think not in THINKING:
            raise ValueError(f"There is no room to think {think!r}; choose {', '.join(THINKING)}.")
        self.game: AnyGame = load(game, **settings) if isinstance(game, str) else game
        self.opponent = None if opponent is None else opponent_of(opponent, self.game)
        self.seat = seat
        self.reward = reward
        self.retries = retries
        self.think = think
        self.ask_forced = ask_forced
        #: The current question to each seat that is asked.
        self.asked: Mapping[Seat, Ask] = {}
        self._grader = shared_grader(self.game)
        self._seeds = stream(fresh_seed(), "games")
        self._match: AnyMatch | None = None
        self._players: dict[Seat, Player] = {}
        self._refusals = dict.fromkeys(Seat, 0)
        #: Index of the first step of this game, and of the first step not yet rewarded.
        self._first_step = self._told_steps = 0

    def reset(
        self, seed: int | None = None, *, moves: str | None = None, deal: str | None = None
    ) -> Mapping[Seat, Ask]:
        """Start a game and return the questions to the seats.

        A seed determines this game, which is `Match(game, seed)`, and all later ones until the next
        seed. `moves` and `deal`, in notation, set the position to start from.
        """
        if seed is not None:
            self._seeds = stream(seed, "games")
        else:
            seed = self._seeds.getrandbits(48)
        match = start_match(self.game, seed, moves=moves, deal=deal)
        chosen = self.seat if isinstance(self.seat, int) else stream(seed, "agent").randint(1, 2)
        self._players = {Seat(2 - chosen): self.opponent} if self.opponent else {}
        self._match, self._first_step = match, len(match.history)
        self._refusals = dict.fromkeys(Seat, 0)
        self.asked = {}
        self._go_on()
        self._told_steps = len(match.history)
        return self.asked

    @property
    def match(self) -> AnyMatch:
        """The match with nothing hidden: save it, but do not show it to a seat."""
        if self._match is None:
            raise ValueError("No game has begun; call reset() first.")
        return self._match

    @property
    def agents(self) -> tuple[Seat, ...]:
        """The seats that are asked, because no player is set for them."""
        return tuple(seat for seat in Seat if seat not in self._players)

    @property
    def done(self) -> bool:
        """True when the game is over."""
        return self.match.outcome is not None

    def step(self, answers: Mapping[Seat, str]) -> TextStep:
        """Take answers of seats that are asked. A simultaneous choice waits for the other one."""
        if not answers:
            raise ValueError("There is no answer; give one of a seat that is asked.")
        for seat in answers:
            if seat not in self.asked:
                raise ValueError(f"{Seat(seat)} is not asked now.")
        refused: dict[Seat, str] = {}
        for seat in sorted(answers):
            reason = "" if self.done else self._take(seat, answers[seat])
            if reason:
                refused[seat] = reason
        self._go_on()
        losses = self._losses(self.match.history.steps[self._told_steps :])
        self._told_steps = len(self.match.history)
        return TextStep(
            asked=self.asked,
            rewards={seat: self._reward(seat, losses[seat]) for seat in Seat},
            losses=losses,
            refused=refused,
            done=self.done,
        )

    def copy(self) -> TextEnv:
        """Return an independent copy of the game, with the same cards to come."""
        twin = copy(self)
        twin._match = None if self._match is None else self._match.copy()
        twin._refusals = dict(self._refusals)
        twin._seeds = deepcopy(self._seeds)
        return twin

    def score(self, seat: Seat) -> Score:
        """Return a seat's figures for the game so far."""
        cost, given_up = self._figures().costs[seat], self._given_up(seat)
        lost, decisions = given_up or 0.0, cost.decisions + (given_up is not None)
        tally = Tally(loss=cost.loss + lost, worst=cost.worst + lost, decisions=decisions)
        return Score(
            result=self._result(seat),
            corrected=self._corrected(seat),
            loss=tally.loss,
            decisions=decisions,
            accuracy=tally.accuracy,
            forfeited=given_up is not None,
        )

    # ---- rewards and losses ----------------------------------------------------------

    def _reward(self, seat: Seat, loss: float) -> float:
        if self.reward == LOSS:
            return 0.0 - loss - (self._given_up(seat) or 0.0)
        if not self.done:
            return 0.0
        return self._result(seat) if self.reward == RESULT else self._corrected(seat)

    def _losses(self, steps: tuple[AnyStep, ...]) -> dict[Seat, float]:
        """Return the total loss of each seat's decisions in some steps."""
        found = dict.fromkeys(Seat, 0.0)
        for step in steps:
            node = self._grader.node(step.before)
            for seat, move in step.moves.items():
                values = node.values[seat]
                worth = values[place(move, node.options[seat])]
                found[seat] += drop_rounding_error(max(values) - worth)
        return found

    def _given_up(self, seat: Seat) -> float | None:
        """Return the seat's loss by giving up, or None if it did not give up."""
        if not self.match.conceded or self._result(seat) > GIVEN_UP:
            return None
        return max(self._grader.node(self.match.state).values[seat]) - GIVEN_UP

    def _result(self, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss, and 0 for a draw or before the end."""
        outcome = self.match.outcome
        return 0.0 if outcome is None else 0.0 + RESULTS[outcome.winner] * (1, -1)[seat]

    def _corrected(self, seat: Seat) -> float:
        """Return a seat's result less luck. The mean stays the same, whoever plays."""
        figures = self._figures()
        return self._result(seat) - (figures.cards + figures.mixing) * (1, -1)[seat]

    def _figures(self) -> Figures:
        played = self.match.history.steps[self._first_step :]
        # The luck of mixed choices is known only for players that have a policy.
        one, two = (getattr(self._players.get(seat), "policy", None) for seat in Seat)
        return self._grader.grade_steps(played, (one, two))

    # ---- the course of the game ------------------------------------------------------

    def _take(self, seat: Seat, answer: str) -> str:
        """Play the move that an answer names. Return why it was rejected, or an empty text."""
        reason, now = "", situation(self.match, seat)
        try:
            self.match.submit(seat, legal(now, read_answer(Reply(answer), now)))
        except Refused as refusal:
            reason = refusal.fault.reason
        asked = {other: one for other, one in self.asked.items() if other is not seat}
        if reason:
            asked[seat] = self.asked[seat].refused(answer, reason)
            self._refusals[seat] += 1
            if self._refusals[seat] > self.retries:
                why = f"no legal move in {self._refusals[seat]} answers; {reason}"
                self.match.concede(seat, f"forfeits: {why}")
        else:
            self._refusals[seat] = 0
        # A new dict, because callers may still be reading the last one.
        self.asked = asked
        return reason

    def _go_on(self) -> None:
        """Draw cards, and play the opponent's and forced moves, until a seat must be asked."""
        match, asked = self.match, dict[Seat, Ask]()
        while not asked and not isinstance(turn := draw_all(match), Outcome):
            for seat in sorted(set(turn.options) - match.seats_ready):
                if not match.outcome and not self._answered_for(seat, turn.options[seat]):
                    asked[seat] = self.asked.get(seat) or self._ask(seat)
        self.asked = {} if match.outcome else asked

    def _ask(self, seat: Seat) -> Ask:
        now = situation(self.match, seat)
        moves = tuple(map(str, now.options))
        return Ask(seat, (question(now, self.think),), moves, self.think)

    def _answered_for(self, seat: Seat, options: tuple[Hashable, ...]) -> bool:
        """Play for a seat that need not be asked. Return False if it must be asked."""
        try:
            if seat in self._players:
                self.match.submit(seat, self._players[seat].choose(situation(self.match, seat)))
                return True
        except Forfeit as forfeit:
            self.match.concede(seat, f"forfeits: {forfeit.reason}")
            return True
        if len(options) == 1 and not self.ask_forced:
            self.match.submit(seat, options[0])
            return True
        return False


@lru_cache(maxsize=32)
def shared_grader(game: AnyGame) -> Grader:
    """Return the grader of a game. Environments share it because its results hold for all."""
    return Grader(solve(game))
