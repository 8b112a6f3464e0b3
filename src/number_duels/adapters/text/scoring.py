"""What the answers of a game cost, exactly, and what a seat is rewarded with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from number_duels.arena.grading import AnyStep, Figures, Grader, Policies, place
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import AnyMatch, Player
from number_duels.review.position import drop_rounding_error
from number_duels.review.tally import Tally
from number_duels.solvers import solve
from number_duels.solvers.induction import RESULTS

LOSS: Final = "loss"
RESULT: Final = "result"
CORRECTED: Final = "corrected"
#: What a step may be rewarded with, each with what it is.
REWARDS = {
    LOSS: "minus what the decision cost, exactly, at once",
    RESULT: "1 for a win, 0 for a draw, -1 for a loss, at the end",
    CORRECTED: "the result less luck: cards, and the mixing of an opponent whose odds are known",
}
#: The result of a game that was given up, to who gave it up.
GIVEN_UP = -1.0
Losses: TypeAlias = dict[Seat, float]


@dataclass(frozen=True)
class Score:
    """One seat's figures in one game.

    >>> Score(result=1.0, corrected=0.5, loss=0.25, decisions=5, accuracy=90.0).loss_per_decision
    0.05
    """

    #: 1 for a win, 0 for a draw, -1 for a loss.
    result: float
    #: The result less luck.
    corrected: float
    #: What its moves lost together, as a review has it; and what was lost by giving up.
    loss: float
    #: How many there were; giving up counts as one.
    decisions: int
    #: In percent, as a review has it; None if nothing was decided.
    accuracy: float | None
    #: Whether it had no legal move to give.
    forfeited: bool = False

    @property
    def loss_per_decision(self) -> float:
        """The mean loss of a decision; 0 if nothing was decided."""
        return self.loss / self.decisions if self.decisions else 0.0


@lru_cache(maxsize=32)
def shared_grader(game: AnyGame) -> Grader:
    """The grader of a game, shared by all environments: what it keeps is true for all of them."""
    return Grader(solve(game))


def check_reward(reward: str) -> None:
    """Raise a ValueError, in a sentence, for a reward that there is not."""
    if reward not in REWARDS:
        raise ValueError(f"There is no reward {reward!r}; choose {', '.join(REWARDS)}.")


def losses(grader: Grader, steps: tuple[AnyStep, ...]) -> Losses:
    """What the decisions of some steps cost each seat."""
    found = dict.fromkeys(Seat, 0.0)
    for step in steps:
        node = grader.node(step.before)
        for seat, move in step.moves.items():
            values = node.values[seat]
            worth = values[place(move, node.options[seat])]
            found[seat] += drop_rounding_error(max(values) - worth)
    return found


def loss_of_giving_up(grader: Grader, match: AnyMatch, seat: Seat) -> float | None:
    """What a seat lost that gave up: all that the position was worth to it; None: it did not."""
    if not match.conceded or result(match, seat) > GIVEN_UP:
        return None
    return max(grader.node(match.state).values[seat]) - GIVEN_UP


def result(match: AnyMatch, seat: Seat) -> float:
    """1 for a win, -1 for a loss; 0 for a draw or before the end."""
    if match.outcome is None:
        return 0.0
    return 0.0 + RESULTS[match.outcome.winner] * (1, -1)[seat]


def corrected(match: AnyMatch, seat: Seat, figures: Figures) -> float:
    """The result of a seat less luck; what stays has the same mean, whoever plays."""
    return result(match, seat) - (figures.cards + figures.mixing) * (1, -1)[seat]


def score(match: AnyMatch, seat: Seat, figures: Figures, given_up: float | None) -> Score:
    cost, lost = figures.costs[seat], given_up or 0.0
    decisions = cost.decisions + (given_up is not None)
    tally = Tally(loss=cost.loss + lost, worst=cost.worst + lost, decisions=decisions)
    return Score(
        result=result(match, seat),
        corrected=corrected(match, seat, figures),
        loss=tally.loss,
        decisions=decisions,
        accuracy=tally.accuracy,
        forfeited=given_up is not None,
    )


def policies_of(players: dict[Seat, Player]) -> Policies:
    """The policies of the players who have one; None for the rest."""
    one, two = (getattr(players.get(seat), "policy", None) for seat in Seat)
    return one, two
