"""One game as text: who is asked what, and what each answer was worth."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Literal

from number_duels.adapters.opponents import opponent_of
from number_duels.adapters.start_options import StartOptions
from number_duels.adapters.text import scoring
from number_duels.adapters.text.ask import Ask, ask, move_of
from number_duels.adapters.text.scoring import Score
from number_duels.arena.grading import Figures
from number_duels.core.game import AnyGame, Outcome, Seat
from number_duels.core.player import AnyMatch, Forfeit, Player, situation
from number_duels.core.randomness import fresh_seed, stream
from number_duels.core.runner import draw_all
from number_duels.games import load
from number_duels.players.external import THINKING, Refused

#: How many more answers are taken after one that was refused.
RETRIES = 2


@dataclass(frozen=True)
class TextStep:
    """What became of some answers, for both seats.

    >>> env = TextEnv("number-knot")
    >>> asked = env.reset(seed=7)
    >>> step = env.step({Seat.ONE: '{"move": "S5"}'})
    >>> list(step.asked), step.losses[Seat.ONE], step.done
    ([Seat.TWO], 0.0, False)
    """

    #: Who is asked next, and what; nobody when the game is over.
    asked: Mapping[Seat, Ask]
    #: What each seat is rewarded with.
    rewards: Mapping[Seat, float]
    #: What was decided in this step cost, whatever the rewards are.
    losses: Mapping[Seat, float]
    #: Why answers were not taken.
    refused: Mapping[Seat, str]
    #: Whether the game is over.
    done: bool
    #: Which game of a batch it belongs to.
    game: int = 0


class TextEnv:
    """A game that asks its seats in text, both at once where both choose at once.

    An answer that names no open move is refused and asked for again, `retries` times; then the
    game is forfeited, which costs all that the position was worth. Cards are drawn, forced moves
    played and the opponent answered for without asking anybody.

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
        reward: str = scoring.LOSS,
        retries: int = RETRIES,
        think: str = THINKING[0],
        ask_forced: bool = False,
        **settings: int | str,
    ) -> None:
        if seat not in (1, 2, "random"):
            raise ValueError(f'A seat is 1, 2 or "random", not {seat!r}.')
        scoring.check_reward(reward)
        if think not in THINKING:
            raise ValueError(f"There is no room to think {think!r}; choose {', '.join(THINKING)}.")
        self.game: AnyGame = load(game, **settings) if isinstance(game, str) else game
        self.opponent = None if opponent is None else opponent_of(opponent, self.game)
        self.seat = seat
        self.reward = reward
        self.retries = retries
        self.think = think
        self.ask_forced = ask_forced
        #: Which game of a batch this is.
        self.number = 0
        #: Who is asked now, and what.
        self.asked: Mapping[Seat, Ask] = {}
        self._grader = scoring.shared_grader(self.game)
        self._seeds = stream(fresh_seed(), "games")
        self._match: AnyMatch | None = None
        self._players: dict[Seat, Player] = {}
        self._refusals = dict.fromkeys(Seat, 0)
        #: Where this game began, and up to where its losses have been told.
        self._first_step = self._told_steps = 0

    def reset(
        self, seed: int | None = None, *, moves: str | None = None, deal: str | None = None
    ) -> Mapping[Seat, Ask]:
        """Begin a game; a seed determines it, and all that follow it without a new seed.

        It is the game of `Match(game, seed)`. `moves` and `deal`, in notation, say from where.
        """
        if seed is not None:
            self._seeds = stream(seed, "games")
        else:
            seed = self._seeds.getrandbits(48)
        match = StartOptions(moves, deal).match(self.game, seed)
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
        """The game itself, with nothing hidden: for keeping, not for a seat."""
        if self._match is None:
            raise ValueError("No game has begun; call reset() first.")
        return self._match

    @property
    def agents(self) -> tuple[Seat, ...]:
        """The seats that are asked, as nobody else plays for them."""
        return tuple(seat for seat in Seat if seat not in self._players)

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self.match.outcome is not None

    def step(self, answers: Mapping[Seat, str]) -> TextStep:
        """Take answers of seats that are asked; one that comes before the other's is held back."""
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
        losses = scoring.losses(self._grader, self.match.history.steps[self._told_steps :])
        self._told_steps = len(self.match.history)
        return TextStep(
            asked=self.asked,
            rewards={seat: self._reward(seat, losses[seat]) for seat in Seat},
            losses=losses,
            refused=refused,
            done=self.done,
            game=self.number,
        )

    def copy(self) -> TextEnv:
        """The same game, which goes its own way from here, with the same cards to come."""
        twin = copy(self)
        twin._match = None if self._match is None else self._match.copy()
        twin._refusals = dict(self._refusals)
        twin._seeds = deepcopy(self._seeds)
        return twin

    def score(self, seat: Seat) -> Score:
        """A seat's figures in the game as far as it went."""
        return scoring.score(self.match, seat, self._figures(), self._given_up(seat))

    def _figures(self) -> Figures:
        played = self.match.history.steps[self._first_step :]
        return self._grader.grade_steps(played, scoring.policies_of(self._players))

    def _given_up(self, seat: Seat) -> float | None:
        return scoring.loss_of_giving_up(self._grader, self.match, seat)

    def _reward(self, seat: Seat, loss: float) -> float:
        if self.reward == scoring.LOSS:
            return 0.0 - loss - (self._given_up(seat) or 0.0)
        if not self.done:
            return 0.0
        if self.reward == scoring.RESULT:
            return scoring.result(self.match, seat)
        return scoring.corrected(self.match, seat, self._figures())

    def _take(self, seat: Seat, answer: str) -> str:
        """Play the move that an answer names; why it was refused, where it names none."""
        reason = ""
        try:
            self.match.submit(seat, move_of(self.match, seat, answer))
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
        # A new one, as whoever was given the last may still be reading it.
        self.asked = asked
        return reason

    def _go_on(self) -> None:
        """Let cards, the opponent and forced moves have their turn, until somebody is asked."""
        match, asked = self.match, dict[Seat, Ask]()
        while not asked and not isinstance(turn := draw_all(match), Outcome):
            for seat in sorted(set(turn.options) - match.seats_ready):
                if not match.outcome and not self._answered_for(seat, turn.options[seat]):
                    asked[seat] = self.asked.get(seat) or self._ask(seat)
        self.asked = {} if match.outcome else asked

    def _ask(self, seat: Seat) -> Ask:
        return ask(self.match, seat, self.number, self.think)

    def _answered_for(self, seat: Seat, options: tuple[Hashable, ...]) -> bool:
        """Whether a seat need not be asked: its move is made here."""
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
