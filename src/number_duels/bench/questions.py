"""Questions that ask a player for a move or a mixed strategy in one position."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import fsum

from number_duels.bench.answers import PositionAnswer, question_id, usage_of
from number_duels.bench.suite import Suite, positions_of, statements_of
from number_duels.core.game import AnyGame, IllegalMove, unavailable
from number_duels.core.input_files import parse_json
from number_duels.core.player import Forfeit, Player, Situation
from number_duels.core.randomness import stream
from number_duels.core.text import printable
from number_duels.players.external import ILLEGAL, UNREADABLE, ExternalPlayer, Fault, Refused
from number_duels.players.llm import ModelPlayer
from number_duels.players.llm.client import run_in_loop
from number_duels.players.llm.prompt import Message, opening
from number_duels.players.llm.replies import ENDINGS, Reply, spoken
from number_duels.players.registry import as_policy, has_policy, is_model
from number_duels.review.position import AnySolution
from number_duels.solvers.policies import probabilities
from number_duels.trainer.exercise import MIXED, MOVE
from number_duels.trainer.spot import Spot


@dataclass(frozen=True)
class Question:
    """A position, the form of the answer, and a seed for the player's random choices."""

    spot: Spot
    form: str
    seed: int

    @property
    def id(self) -> str:
        return question_id(self.spot, self.form)


def asked_of(
    suite: Suite, who: str, solution: AnySolution, salt: str
) -> Iterator[tuple[Spot, str]]:
    """Yield every question about one game that the player can answer."""
    yield from ((spot, MOVE) for spot in positions_of(suite, solution, salt))
    if has_policy(who) or is_model(who):
        yield from ((spot, MIXED) for spot in statements_of(suite, solution, salt))


def ask(question: Question, player: Player, *, is_policy: bool = False) -> PositionAnswer:
    """Ask a player and return the ungraded answer. Raise Outage if the player cannot be reached."""
    now = situation_of(question)
    if isinstance(player, ExternalPlayer):
        player.begin(now.game, now.seat, question.seed)
    weights: dict[str, float] = {}
    end: tuple[Fault, ...] = ()
    try:
        if is_policy:
            weights = told_by(player, now)
        elif question.form == MOVE:
            move = player.choose(now)
            if str(move) not in map(str, now.options):
                raise IllegalMove(unavailable(move, now.options))
            weights = {str(move): 1.0}
        else:
            assert isinstance(player, ModelPlayer)
            weights = ask_for_mix(player, now)
    except Forfeit as forfeit:
        # A late or crashed player has no refused answer, so record the forfeit itself.
        end = () if last_kind(player) == forfeit.kind else (Fault(forfeit.kind, forfeit.reason),)
    found = PositionAnswer(question.spot, question.form, weights)
    if not isinstance(player, ExternalPlayer):
        return found
    calls = tuple(player.kept())
    return replace(found, faults=(*player.faults, *end), usage=usage_of(calls), calls=calls)


def last_kind(player: Player) -> str:
    faults = player.faults if isinstance(player, ExternalPlayer) else []
    return faults[-1].kind if faults else ""


def situation_of(question: Question) -> Situation:
    """Return the situation of the seat that decides, with only what this seat may know."""
    spot = question.spot.open()
    game: AnyGame = spot.game
    rng = stream(question.seed, "question")
    return Situation(game, spot.seat, spot.view, spot.options, spot.history.seen(spot.seat), rng)


def told_by(player: Player, now: Situation) -> dict[str, float]:
    policy = as_policy(player, now.game)
    odds: dict[Hashable, float] = probabilities(now.game, policy, now.view, now.seat, now.options)
    return {str(move): share for move, share in odds.items() if share}


OBJECT = re.compile(r"\{[^{}]*\}")
#: Probabilities must add up to 1 or 100, within a relative tolerance for rounding.
WHOLES, ROUNDING = (1.0, 100.0), 0.02
MIXED_FORM = (
    "Do not answer with one move. Say how often you would choose each move here, so that an"
    " opponent who knows your answer gains as little as possible. Answer with a JSON object such as"
    ' {"x": 0.25, "y": 0.75} and nothing else. In place of x and y, write the moves above, exactly'
    " as they are written before their colons, each with its probability. Moves that you leave out"
    " are never chosen. The probabilities must add up to 1."
)


def ask_for_mix(player: ModelPlayer, now: Situation) -> dict[str, float]:
    talk = opening(now, player.limits.model, MIXED_FORM)
    return run_in_loop(player.settle(talk, (), partial(read_mix, now), again))


def again(answer: str, reason: str) -> tuple[Message, Message]:
    return (
        {"role": "assistant", "content": answer or "(nothing)"},
        {"role": "user", "content": f"That answer cannot be used: {reason}\n{MIXED_FORM}"},
    )


def read_mix(now: Situation, reply: Reply) -> dict[str, float]:
    """Return the probabilities in a reply. Raise Refused if it is not a valid mixed strategy."""
    if reply.ending in ENDINGS:
        raise Refused(UNREADABLE, f"The answer could not be read: {ENDINGS[reply.ending]}.")
    shares = stated(spoken(reply.text))
    found: dict[str, float] = {}
    for text, share in shares.items():
        try:
            move = now.game.parse(text)
        except ValueError as error:
            raise Refused(ILLEGAL, f"{printable(text)} is not a move. {error}") from None
        if move not in now.options:
            raise Refused(ILLEGAL, unavailable(printable(str(move)), now.options))
        if str(move) in found:
            raise Refused(UNREADABLE, f"{move} is named twice; name each move once.")
        found[str(move)] = share
    total = fsum(found.values())
    if not any(abs(total - whole) <= ROUNDING * whole for whole in WHOLES):
        raise Refused(UNREADABLE, f"The probabilities add up to {total:g}; they must add up to 1.")
    return {str(move): found[str(move)] / total for move in now.options if found.get(str(move))}


def stated(text: str) -> dict[str, float]:
    """Return the last JSON object of numbers in a text. Raise Refused without one."""
    for piece in [text, *reversed(OBJECT.findall(text))]:
        try:
            value = parse_json(piece)
        except ValueError:
            continue
        if isinstance(value, dict) and value and all(map(is_share, value.values())):
            return {str(move): float(share) for move, share in value.items()}
    raise Refused(UNREADABLE, "The answer has no JSON object with moves and probabilities.")


def is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
