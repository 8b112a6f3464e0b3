"""Who can sit on the other side, in people's words, with what to expect."""

from __future__ import annotations

from number_duels.core.game import AnyGame, Seat
from number_duels.players.registry import HUMAN, KINDS, full_name, known_scores
from number_duels.review.words import chance
from number_duels.terminal.app.form import Choice


def opponents(game: AnyGame, seat: Seat) -> list[Choice]:
    """Everybody whom a player in a seat can meet."""
    return [
        Choice(who, short_name(who), expectation(who, game, seat), alone_name(who)) for who in KINDS
    ]


def short_name(who: str) -> str:
    """A player's word, short enough for all of them to stand in one line.

    >>> [short_name(who) for who in ("human", "level:1", "level:4", "perfect")]
    ['Two people', 'Level 1', '4', 'Perfect']
    """
    kind, _, level = who.partition(":")
    if who == HUMAN:
        return "Two people"
    return (f"Level {level}" if level == "1" else level) if level else kind.capitalize()


def alone_name(who: str) -> str:
    """A player's word where the others do not stand beside it."""
    return short_name(who) if who == HUMAN else full_name(who)


def expectation(who: str, game: AnyGame, seat: Seat) -> str:
    """What a player does, and what two others score against it, where that is known."""
    if who == HUMAN:
        return "You take turns at this keyboard; secret choices are made behind a curtain."
    said = f"{full_name(who)} {KINDS[who]}."
    known = scores_against(who, game, seat)
    if known is None:
        return said
    least, most = known
    chances = f"{chance(least)} with random play, {chance(most)} with perfect play"
    return f"{said} Winning chance against it: {chances}."


def scores_against(who: str, game: AnyGame, seat: Seat) -> tuple[float, float] | None:
    """What random and perfect play in a seat bring against a player; None: not known at once."""
    scores = known_scores(game)
    if scores is None:
        return None
    if seat is Seat.ONE:
        return scores["random"][who], scores["perfect"][who]
    return -scores[who]["random"], -scores[who]["perfect"]
