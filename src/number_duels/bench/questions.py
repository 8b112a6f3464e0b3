"""How a position is put to a player: for its best move, and for a mixture."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from number_duels.bench.answers import PositionAnswer, question_id
from number_duels.bench.model_questions import ask_for_mixture
from number_duels.bench.usage import usage_of
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit, Player, Situation
from number_duels.core.randomness import stream
from number_duels.players.external import ExternalPlayer, Fault
from number_duels.players.llm import ModelPlayer
from number_duels.players.registry import has_policy, is_model, policy_of
from number_duels.solvers.policies import probabilities
from number_duels.trainer.exercise import MIXTURE, MOVE
from number_duels.trainer.spot import Spot


@dataclass(frozen=True)
class Question:
    """A position, the form in which its answer is wanted, and what the player's dice follow from.

    The seed is the player's own: nothing of any game follows from it.
    """

    spot: Spot
    form: str
    seed: int

    @property
    def id(self) -> str:
        return question_id(self.spot, self.form)


def forms_for(who: str) -> tuple[str, ...]:
    """What a player can be asked for: a program or a function knows no mixture to tell."""
    return (MOVE, MIXTURE) if has_policy(who) or is_model(who) else (MOVE,)


def ask(question: Question, who: str, player: Player) -> PositionAnswer:
    """Put a question to a player; Outage where it cannot be reached. The caller grades it."""
    now = situation_of(question)
    if isinstance(player, ExternalPlayer):
        player.begin(now.game, now.seat, question.seed)
    weights: dict[str, float] = {}
    end: tuple[Fault, ...] = ()
    try:
        if question.form == MOVE:
            weights = {str(player.choose(now)): 1.0}
        elif isinstance(player, ModelPlayer):
            weights = ask_for_mixture(player, now)
        else:
            weights = told_by(who, now)
    except Forfeit as forfeit:
        # Who is late or gone has given no answer that could be refused.
        end = () if last_kind(player) == forfeit.kind else (Fault(forfeit.kind, forfeit.reason),)
    found = PositionAnswer(question.spot, question.form, weights)
    if not isinstance(player, ExternalPlayer):
        return found
    return replace(found, faults=(*player.faults, *end), usage=usage_of(player.kept()))


def last_kind(player: Player) -> str:
    faults = player.faults if isinstance(player, ExternalPlayer) else []
    return faults[-1].kind if faults else ""


def situation_of(question: Question) -> Situation:
    """What the seat that decides knows, as it would in a game."""
    spot = question.spot.open()
    game: AnyGame = spot.game
    rng = stream(question.seed, "question")
    return Situation(game, spot.seat, spot.view, spot.options, spot.history.moves(spot.seat), rng)


def told_by(who: str, now: Situation) -> dict[str, float]:
    """The mixture of a player whose probabilities are known."""
    policy = policy_of(who, now.game)
    odds: dict[Hashable, float] = probabilities(now.game, policy, now.view, now.seat, now.options)
    return {str(move): share for move, share in odds.items() if share}
