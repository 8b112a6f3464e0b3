"""A language model is asked for a mixture: the prompt of a game, with another form of answer."""

from __future__ import annotations

import re
from dataclasses import replace
from math import fsum

from number_duels.core.game import unavailable
from number_duels.core.input_files import parse_json
from number_duels.core.player import Forfeit, Situation
from number_duels.core.text import printable
from number_duels.players.external import ILLEGAL, UNREADABLE, Refused
from number_duels.players.llm import ModelPlayer, event_loop
from number_duels.players.llm.parsing import ENDINGS, Reply, spoken
from number_duels.players.llm.prompt import Message, opening

#: After it, one move a line; an empty line ends them.
MOVES_HEADING = "YOUR LEGAL MOVES\n"
OBJECT = re.compile(r"\{[^{}]*\}")
#: What shares may add up to: probabilities or percent, rounded by who wrote them.
WHOLES, ROUNDING = (1.0, 100.0), 0.02
MIXTURE_FORM = (
    "Do not answer with one move, but with how often you would choose each move here, so that"
    " somebody who knows your answer can take as little as possible from you. Answer with a JSON"
    ' object such as {"x": 0.25, "y": 0.75} and nothing else: in place of x and y the moves above,'
    " exactly as they are written before their colons, each with its probability. Moves that you"
    " leave out are never chosen; the probabilities add up to 1."
)


def ask_for_mixture(player: ModelPlayer, now: Situation) -> dict[str, float]:
    """The mixture that a model states; Forfeit when there is none to be had."""
    *system, asked = opening(now, player.limits.model)
    talk: tuple[Message, ...] = (*system, mixture_question(asked))
    refusal = Refused(UNREADABLE, "")
    for _ in range(player.limits.retries + 1):
        reply = reply_to(player, talk)
        try:
            return read_mixture(now, reply)
        except Refused as error:
            refusal = error
            player.faults.append(error.fault)
            talk = (*talk, *again(spoken(reply.text), error.fault.reason))
    raise Forfeit(refusal.fault.kind, refusal.fault.reason)


def reply_to(player: ModelPlayer, talk: tuple[Message, ...]) -> Reply:
    """What a model says to a conversation; its answer may have any form."""
    before = player.chat.options
    # A schema that names the moves would ask for one of them.
    player.talk, player.chat.options = talk, replace(before, form="text")
    try:
        return event_loop.run(player.ask(()))
    finally:
        player.chat.options = before


def mixture_question(asked: Message) -> Message:
    """The question of a game up to its legal moves, then the form of a mixture."""
    before, heading, after = asked["content"].partition(MOVES_HEADING)
    moves, _, _ = after.partition("\n\n")
    return {**asked, "content": f"{before}{heading}{moves}\n\n{MIXTURE_FORM}"}


def again(answer: str, reason: str) -> tuple[Message, Message]:
    return (
        {"role": "assistant", "content": answer or "(nothing)"},
        {"role": "user", "content": f"That cannot be taken: {reason}\n{MIXTURE_FORM}"},
    )


def read_mixture(now: Situation, reply: Reply) -> dict[str, float]:
    """The shares that a reply states, in the order of the options; Refused says what is wrong."""
    if reply.ending in ENDINGS:
        raise Refused(UNREADABLE, f"The answer could not be read: {ENDINGS[reply.ending]}.")
    shares = stated(spoken(reply.text))
    found: dict[str, float] = {}
    for text, share in shares.items():
        try:
            move = now.game.parse(text)
        except ValueError as error:
            raise Refused(ILLEGAL, f"{printable(text)} is no move. {error}") from None
        if move not in now.options:
            raise Refused(ILLEGAL, unavailable(printable(str(move)), now.options))
        if str(move) in found:
            raise Refused(UNREADABLE, f"{move} is there twice; name each move once.")
        found[str(move)] = share
    total = fsum(found.values())
    if not any(abs(total - whole) <= ROUNDING * whole for whole in WHOLES):
        raise Refused(UNREADABLE, f"The probabilities add up to {total:g}; they must add up to 1.")
    return {str(move): found[str(move)] / total for move in now.options if found.get(str(move))}


def stated(text: str) -> dict[str, float]:
    """The numbers of the last JSON object of a text; Refused where it has none."""
    for piece in [text, *reversed(OBJECT.findall(text))]:
        try:
            value = parse_json(piece)
        except ValueError:
            continue
        if isinstance(value, dict) and value and all(map(is_share, value.values())):
            return {str(move): float(share) for move, share in value.items()}
    raise Refused(UNREADABLE, "The answer had no JSON object of moves and probabilities.")


def is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
