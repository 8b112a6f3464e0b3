"""The games as text for language models, with the exact cost of every answer.

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

from number_duels.adapters.game_setup import agent_number, opponent_of, start_match
from number_duels.arena.grading import AnyStep, Figures, Grader, place
from number_duels.core.game import AnyGame, Outcome, Seat, check_seat
from number_duels.core.player import AnyMatch, Forfeit, Player, situation
from number_duels.core.randomness import fresh_seed, stream
from number_duels.core.runner import draw_all
from number_duels.games import as_game
from number_duels.players.external import THINKING, Refused, legal
from number_duels.players.llm.prompt import Message, again, question
from number_duels.players.llm.replies import Reply, read_answer, spoken
from number_duels.players.registry import PlayerLike
from number_duels.review.position import FORFEITED, drop_rounding_error, forfeit_cost
from number_duels.review.tally import Tally
from number_duels.solvers import Unsolvable, solve
from number_duels.solvers.induction import RESULTS

__all__ = ["REWARDS", "Ask", "Score", "Seat", "TextEnv", "TextStep"]

LOSS: Final = "loss"
RESULT: Final = "result"
CORRECTED: Final = "corrected"
REWARDS = {
    LOSS: "the exact cost of each decision as a negative number, right after the decision",
    RESULT: "1 for a win, 0 for a draw or -1 for a loss, at the end of the game",
    CORRECTED: "the result, corrected for luck: the cards and a known opponent's random choices",
}
#: How often a seat may try again after a rejected answer.
RETRIES = 2


@dataclass(frozen=True)
class Ask:
    """A question to one seat: the rules, the seat's view, the history and the legal moves.

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
        """Return the whole conversation as one string."""
        return "\n\n".join(message["content"] for message in self.messages)

    def refused(self, answer: str, reason: str) -> Ask:
        """Return this question with a rejected answer and the reason added to it."""
        more = again(spoken(answer), reason, self.think)
        return replace(self, messages=(*self.messages, *more))


@dataclass(frozen=True)
class TextStep:
    """The result of one step, for both seats.

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
    #: The exact cost of each seat's decisions in this step, for every kind of reward. Empty if the
    #: game cannot be solved.
    losses: Mapping[Seat, float]
    #: The reason for each rejected answer.
    refused: Mapping[Seat, str]
    #: True when the game is over.
    done: bool


@dataclass(frozen=True)
class Score:
    """One seat's result, losses and accuracy in one game.

    >>> Score(result=1.0, corrected=0.5, loss=0.25, decisions=5, accuracy=90.0).loss_per_decision
    0.05
    """

    #: 1 for a win, 0 for a draw, -1 for a loss.
    result: float
    #: The result without luck.
    corrected: float
    #: The total loss of the seat's moves, as in a review, plus the cost of a forfeit.
    loss: float
    #: The number of decisions. A forfeit counts as one.
    decisions: int
    #: Accuracy in percent, as in a review, or None if the seat made no decisions.
    accuracy: float | None
    #: True if the seat forfeited, for example after too many illegal answers.
    forfeited: bool = False

    @property
    def loss_per_decision(self) -> float:
        """Return the mean loss per decision, or 0 if the seat made no decisions."""
        return self.loss / self.decisions if self.decisions else 0.0


class TextEnv:
    """An environment that asks the seats for their moves in text.

    If both seats choose at once, both are asked. After an answer without a legal move, the seat is
    asked again, up to `retries` times. Then it forfeits the game, which costs the position's value
    for the seat, plus 1. Forced moves are played without a question, unless `ask_forced` is true.

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
        opponent: PlayerLike | None = None,
        seat: int | Literal["random"] = 1,
        reward: str = LOSS,
        retries: int = RETRIES,
        think: str = THINKING[0],
        ask_forced: bool = False,
        **settings: int | str,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"There is no reward {reward!r}; choose {', '.join(REWARDS)}.")
        if think not in THINKING:
            raise ValueError(f"think must be one of {', '.join(THINKING)}, not {think!r}.")
        self.game: AnyGame = as_game(game, **settings)
        self.opponent = None if opponent is None else opponent_of(opponent, self.game)
        self.seat = agent_number(seat)
        self.reward = reward
        self.retries = retries
        self.think = think
        self.ask_forced = ask_forced
        self.asked: Mapping[Seat, Ask] = {}
        self._grader = self._find_grader()
        self._seeds = stream(fresh_seed(), "games")
        self._match: AnyMatch | None = None
        self._players: dict[Seat, Player] = {}
        self._refusals = dict.fromkeys(Seat, 0)
        #: The index of the first step after the given `moves`, and of the first step without a
        #: reward.
        self._first_step = self._told_steps = 0

    def reset(
        self, seed: int | None = None, *, moves: str | None = None, deal: str | None = None
    ) -> Mapping[Seat, Ask]:
        """Start a game, and return a question for each seat that must answer.

        A `seed` determines this game and all games until the next seed. To start from another
        position, pass `moves` or `deal` in notation.
        """
        if seed is not None:
            self._seeds = stream(seed, "games")
        else:
            seed = self._seeds.getrandbits(48)
        match = start_match(self.game, seed, moves=moves, deal=deal)
        chosen = stream(seed, "agent").randint(1, 2) if self.seat == "random" else self.seat
        self._players = {Seat(2 - chosen): self.opponent} if self.opponent else {}
        self._match, self._first_step = match, len(match.history)
        self._refusals = dict.fromkeys(Seat, 0)
        self.asked = {}
        self._go_on()
        self._told_steps = len(match.history)
        return self.asked

    @property
    def match(self) -> AnyMatch:
        """Return the match, including all secrets.

        You may save it, but do not show it to a player.
        """
        if self._match is None:
            raise ValueError("No game has begun; call reset() first.")
        return self._match

    @property
    def agents(self) -> tuple[Seat, ...]:
        """Return the seats that must answer. If there is an opponent, it plays the other seat."""
        return tuple(seat for seat in Seat if seat not in self._players)

    @property
    def done(self) -> bool:
        """Return whether the game is over."""
        return self.match.outcome is not None

    def step(self, answers: Mapping[Seat, str] | str) -> TextStep:
        """Play the seats' answers. If only one seat is asked, you may pass just its answer.

        If both choose at once, you may pass the answers in two calls. They take effect together.
        """
        if isinstance(answers, str):
            if len(self.asked) != 1:
                raise ValueError(
                    "A single answer is allowed only if one seat is asked; pass answers by seat."
                )
            answers = dict.fromkeys(self.asked, answers)
        if not answers:
            raise ValueError("answers is empty; pass the answer of at least one seat.")
        for seat in answers:
            check_seat(seat)
            if seat not in self.asked:
                raise ValueError(f"{Seat(seat)} has no question to answer now.")
        refused = self._take(answers)
        self._go_on()
        losses = self._losses(self.match.history.steps[self._told_steps :])
        self._told_steps = len(self.match.history)
        return TextStep(
            asked=self.asked,
            rewards={seat: self._reward(seat, losses.get(seat, 0.0)) for seat in Seat},
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
        """Return a seat's result, losses and accuracy in the game so far.

        Raise ValueError if the game cannot be solved.
        """
        cost, forfeited = self._figures().costs[seat], seat in self._forfeits()
        accuracy = Tally(loss=cost.loss, worst=cost.worst, decisions=cost.decisions).accuracy
        return Score(
            result=self._result(seat),
            corrected=self._corrected(seat),
            loss=cost.loss,
            decisions=cost.decisions,
            # A forfeit in a lost position costs nothing, but must not count as accurate.
            accuracy=0.0 if forfeited and not cost.worst else accuracy,
            forfeited=forfeited,
        )

    def _find_grader(self) -> Grader | None:
        """Return the grader, or None for a game without a solution if the reward needs none."""
        try:
            return shared_grader(self.game)
        except Unsolvable:
            if self.reward != RESULT:
                raise
            return None

    def _reward(self, seat: Seat, loss: float) -> float:
        if self.reward == LOSS:
            return 0.0 - loss
        if not self.done:
            return 0.0
        return self._result(seat) if self.reward == RESULT else self._corrected(seat)

    def _losses(self, steps: tuple[AnyStep, ...]) -> dict[Seat, float]:
        if self._grader is None:
            return {}
        found = dict.fromkeys(Seat, 0.0)
        for step in steps:
            node = self._grader.node(step.before)
            for seat, move in step.moves.items():
                values = node.values[seat]
                value = values[place(move, node.options[seat])]
                found[seat] += drop_rounding_error(max(values) - value)
        for seat, state in self._forfeits().items():
            found[seat] += forfeit_cost(self._grader.solution, state, seat)
        return found

    def _forfeits(self) -> dict[Seat, Hashable]:
        match, outcome = self.match, self.match.outcome
        if outcome is None or not match.conceded:
            return {}
        return {seat: match.state for seat in Seat if outcome.winner is not seat}

    def _result(self, seat: Seat) -> float:
        """Return 1 for a win, -1 for a loss or a forfeit, and 0 for a draw or before the end."""
        if seat in self._forfeits():
            return FORFEITED
        outcome = self.match.outcome
        return 0.0 if outcome is None else 0.0 + RESULTS[outcome.winner] * (1, -1)[seat]

    def _corrected(self, seat: Seat) -> float:
        figures = self._figures()
        return self._result(seat) - (figures.cards + figures.mixing) * (1, -1)[seat]

    def _figures(self) -> Figures:
        played = self.match.history.steps[self._first_step :]
        # The luck of random choices is known only for players that have a policy.
        one, two = (getattr(self._players.get(seat), "policy", None) for seat in Seat)
        grader = self._grader or shared_grader(self.game)  # which says why there is no solution
        return grader.grade_steps(played, (one, two), self._forfeits())

    def _take(self, answers: Mapping[Seat, str]) -> dict[Seat, str]:
        """Play the moves named in the answers. Return the reason for each rejected answer."""
        # Callers may still be reading the last dict.
        asked, refused, moves = dict(self.asked), dict[Seat, str](), dict[Seat, Hashable]()
        for seat in sorted(answers):
            now = situation(self.match, seat)
            try:
                moves[seat] = legal(now, read_answer(Reply(answers[seat]), now))
                self._refusals[seat] = 0
                del asked[seat]
            except Refused as refusal:
                refused[seat] = refusal.fault.reason
                self._refusals[seat] += 1
                asked[seat] = asked[seat].refused(answers[seat], refused[seat])
        silent = {
            seat: f"forfeits: no legal move in {self._refusals[seat]} answers; {refused[seat]}"
            for seat in refused
            if self._refusals[seat] > self.retries
        }
        if len(silent) == 2:
            self.match.concede_both(silent[Seat.ONE], silent[Seat.TWO])
        elif silent:
            (seat,) = silent
            self.match.concede(seat, silent[seat])
        else:
            for seat, move in moves.items():
                self.match.submit(seat, move)
        self.asked = asked
        return refused

    def _go_on(self) -> None:
        """Draw cards and play the opponent's moves and forced moves until a seat must be asked."""
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
        """Play for a seat that need not be asked. Return False if the seat must be asked."""
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
    solution = solve(game)
    solution.open_arrays()
    return Grader(solution)
