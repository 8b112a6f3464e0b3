"""The prompt for a language model: rules, history, position and moves, without player names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from number_duels.core.board import in_words
from number_duels.core.game import AnyGame, Decision
from number_duels.core.player import Situation
from number_duels.core.questions import labels
from number_duels.core.text import in_force, rules_text
from number_duels.players.external import THINKING, ModelOptions

Message: TypeAlias = Mapping[str, str]

FORMS = {
    "no": 'Answer with a JSON object {"move": "..."} and nothing else. Put one of the moves above'
    " in place of the dots, exactly as it is written before its colon.",
    "field": 'Answer with a JSON object {"reasoning": "...", "move": "..."} and nothing else. Think'
    " in the first field, as long as you need; then put one of the moves above in the second,"
    " exactly as it is written before its colon.",
    "text": "Think first, as long as you need. Then end your answer with a line of its own: MOVE:"
    " and one of the moves above, exactly as it is written before its colon.",
}
MAX_REPEATED_CHARS = 2000


def opening(situation: Situation, wanted: ModelOptions, form: str = "") -> tuple[Message, ...]:
    asked = question(situation, wanted.think, form)
    return ({"role": "system", "content": wanted.system}, asked) if wanted.system else (asked,)


def question(situation: Situation, think: str = THINKING[0], form: str = "") -> Message:
    """Return the whole prompt as one message, because some models reject system messages."""
    return {"role": "user", "content": "\n".join((*lines(situation), "", form or FORMS[think]))}


def again(answer: str, reason: str, think: str = THINKING[0]) -> tuple[Message, Message]:
    said = answer if len(answer) <= MAX_REPEATED_CHARS else f"{answer[:MAX_REPEATED_CHARS]}…"
    return (
        {"role": "assistant", "content": said or "(nothing)"},
        {"role": "user", "content": f"That cannot be played: {reason}\n{FORMS[think]}"},
    )


def lines(situation: Situation) -> Iterator[str]:
    # Text that stays the same during a game comes first, for endpoints that cache prefixes.
    game = situation.game
    yield f"You play {game.title}, a game for two. You are {situation.seat};"
    yield f"your opponent is {situation.seat.other}. Play to win."
    yield from ("", "RULES", rules(game), "", *settings(game))
    yield from ("", "THE GAME SO FAR", *notation(situation))
    yield situation.history or "Nothing has been played yet."
    yield from ("", "THE POSITION", *in_words(game.board(situation.view)))
    yield from ("", "YOUR LEGAL MOVES", *moves(situation))


def rules(game: AnyGame) -> str:
    told = [in_force(part) for part in game.rule_sections() if not part.for_keyboard]
    return rules_text(told).strip()


def settings(game: AnyGame) -> Iterator[str]:
    yield "SETTINGS"
    known = game.describe_settings()
    changed = {n: value for n, value in game.settings.items() if value != known[n].default}
    if not changed:
        yield "All settings are the usual ones, which the rules describe."
        return
    yield "The rules above already use this game's settings. These differ from the usual ones:"
    for name, value in changed.items():
        yield f"  {name} = {value} (usually {known[name].default}): {known[name].meaning}"


def notation(situation: Situation) -> Iterator[str]:
    game = situation.game
    turn = game.turn(situation.view)
    assert isinstance(turn, Decision)
    yield "Turns are separated by spaces."
    if len(turn.options) == 2:
        yield "Both players choose at once: a turn is Player 1's move, a slash, Player 2's move."
        return
    yield f"The players take turns; Player {game.settings.get('first', 1)} began."
    if game.all_events():
        yield "Each turn is written as the card drawn, then the move. If the record ends with a"
        yield "card alone, that card has just been drawn and you decide what to do with it."


def moves(situation: Situation) -> Iterator[str]:
    said = labels(situation.game.question(situation.view, situation.seat))
    for move in situation.options:
        yield f"{move}: {said[move]}"
