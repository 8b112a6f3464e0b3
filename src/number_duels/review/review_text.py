"""A review, as lines of text: every decision, why mistakes were mistakes, both players' figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from number_duels.core.game import Seat
from number_duels.core.history import CONCEDED
from number_duels.core.record import shown_names
from number_duels.review.game import Review
from number_duels.review.grades import DECISIVE
from number_duels.review.mistakes import Line, Mistake, Turn, Worth
from number_duels.review.tally import Carelessness, Tally
from number_duels.review.text import bar
from number_duels.review.words import (
    SCALE,
    capital,
    chance,
    cost,
    either,
    kept,
    mixture,
    verdict,
    worth,
)

#: The least luck that does not read as nothing.
LUCK_SHOWN = 0.0005
LUCK = (
    "Luck is what no mistake explains: which cards came, and how choices made at the same time"
    " happened to meet."
)


def review_lines(review: Review, names: tuple[str, str] | None = None) -> Iterator[str]:
    """A review in words: every decision, every mistake, both players' figures.

    Names that are given stand in the table, instead of those that `shown_names` gives.
    """
    yield verdict(review.course[0], None, review.chances)
    yield ""
    yield from turn_lines(review, names or shown_names(review.record.players))
    if CONCEDED.match(review.record.reason):
        yield review.record.reason
    if review.mistakes:
        yield ""
        for turn, made in groupby(review.mistakes, key=lambda mistake: mistake.turn):
            yield from mistake_lines(turn, list(made))
    yield ""
    yield decisive_line(review)
    for seat, tally in review.players.items():
        yield f"{seat}: {figures(tally)}"
    if abs(review.luck[-1]) >= LUCK_SHOWN:
        yield LUCK


def turn_lines(review: Review, names: tuple[str, str]) -> Iterator[str]:
    """Every decision in a line: its cost, and how the game stood after it."""
    moves = [(f"{grade.drawn}: " if grade.drawn else "") + grade.words for grade in review.grades]
    wide, long = max(len("player"), *map(len, names)), max([len("move"), *map(len, moves)])
    if not moves:
        yield "Nothing was decided."
        return
    yield f"turn  {'player':{wide}}  {'move':{long}}    cost   Player 1's winning chance"
    for grade, move in zip(review.grades, moves, strict=True):
        after = review.course[min(grade.turn, len(review.course) - 1)]
        lost = cost(grade.loss) if grade.loss else "-"
        line = f"{grade.turn:4}  {names[grade.seat]:{wide}}  {move:{long}}  {lost:>6}"
        yield f"{line}   {bar((1 + after) / 2)} {chance(after):>4}"
    yield f"Cost: the winning chance thrown away ({SCALE}); - costs nothing."


# ---- why -----------------------------------------------------------------------


def mistake_lines(turn: int, made: Sequence[Mistake]) -> Iterator[str]:
    """The mistakes of one turn; those of both players are told together."""
    both = len(made) > 1
    if both:
        yield f"Turn {turn}: both went wrong."
    for mistake in made:
        said = sentences(mistake)
        yield ("  " if both else f"Turn {turn}: ") + " ".join(said)


def sentences(mistake: Mistake) -> Iterator[str]:
    """What a mistake cost, how it is punished, and what would have been right."""
    yield cost_sentence(mistake)
    yield line_sentence(mistake)
    if mistake.answer is not None:
        yield answer_sentence(mistake)
    yield right_sentence(mistake)


def cost_sentence(mistake: Mistake) -> str:
    move = f"{mistake.seat}'s {mistake.words}"
    if mistake.drawn:
        move += f" after drawing {mistake.drawn}"
    before, after = noun(mistake.before), noun(mistake.after)
    if before == after:
        return f"{move} throws away {cost(mistake.loss)} of the winning chance."
    return f"{move} turns {before} into {after}."


def line_sentence(mistake: Mistake) -> str:
    """The reply that punishes a mistake, the line that follows, and what it leaves."""
    line = mistake.line
    if not line.turns:
        end = ending(line) if line.outcome else leaves(mistake)
        return f"That ends the game: {end}." if line.outcome else f"{capital(end)}."
    first, *rest = line.turns
    reply = " against ".join(play.words for play in first.plays)
    if first.drawn:
        told = f"If {first.drawn} is drawn next"
        told += f" and {first.plays[0].seat} plays {reply}" if reply else ""
    elif mistake.answer is None:
        told = f"The answer is {reply}"
    else:
        told = f"It is punished by {reply} in the same turn"
    if rest:
        told += "; then " + ", ".join(turn_words(turn, n == 0) for n, turn in enumerate(rest))
    return f"{told}: {ending(line) if line.outcome else leaves(mistake)}."


def turn_words(turn: Turn, is_first: bool) -> str:
    """What is played in a turn of a line; where both choose, the first of them says who is who."""
    if is_first and len(turn.plays) > 1:
        return " against ".join(f"{play.seat}'s {play.words}" for play in turn.plays)
    return " against ".join(play.words for play in turn.plays)


def ending(line: Line) -> str:
    assert line.outcome is not None
    return "the game is drawn" if line.outcome.winner is None else f"{line.outcome.winner} wins"


def leaves(mistake: Mistake) -> str:
    return f"that leaves {mistake.seat} with {noun(mistake.line.left)}"


def answer_sentence(mistake: Mistake) -> str:
    """What the other player did in the same turn."""
    found = mistake.answer == mistake.line.turns[0].plays[0].words
    said = "found it" if found else f"chose {mistake.answer} instead"
    return f"{mistake.seat.other} {said}."


def right_sentence(mistake: Mistake) -> str:
    options = mistake.right
    keeps = kept(mistake.before.value, mistake.before.chances)
    if all(option.guarantee >= mistake.before.value - 1e-7 for option in options):
        return f"Right was {either([option.words for option in options], 3)}: that holds {keeps}."
    return f"Right was to choose by chance, {mixture(options)}; that holds {keeps}."


def noun(what: Worth) -> str:
    return worth(what.value, what.chances)


# ---- figures -------------------------------------------------------------------


def decisive_line(review: Review) -> str:
    """The first decisive mistake of each player, and from what cost on a mistake is one."""
    first = {
        seat: next((g for g in review.grades if g.seat is seat and g.is_decisive), None)
        for seat in Seat
    }
    least = f"cost {cost(DECISIVE)}"
    found = sorted((g for g in first.values() if g), key=lambda grade: grade.turn)
    if not found:
        return f"Nobody made a decisive mistake ({least} or more)."
    listed = "; ".join(f"{grade.seat}, turn {grade.turn}, {grade.words}" for grade in found)
    many, were = ("s", "were") if len(found) > 1 else ("", "was")
    return f"The first decisive mistake{many} ({least} or more) {were}: {listed}."


def figures(tally: Tally) -> str:
    """One player's figures, in a line; those of several games are means."""
    if tally.accuracy is None:
        return "no decisions, so no accuracy"
    each = " a game" if tally.games > 1 else ""
    lost = f"mistakes cost {cost(tally.loss / tally.games)}{each}" if tally.loss else "no mistakes"
    said = f"accuracy {tally.accuracy:.0f}%, {lost}"
    luck = tally.luck / tally.games
    return said if abs(luck) < LUCK_SHOWN else f"{said}, luck {luck_words(luck)}{each}"


def luck_words(luck: float) -> str:
    """What luck did to a player's winning chance."""
    if abs(luck) < LUCK_SHOWN:
        return "none"
    return f"{'brought' if luck > 0 else 'cost'} {cost(abs(luck))}"


def carelessness(measure: Carelessness | None) -> str:
    """The measure of a player over many games."""
    if measure is None:
        return "every decision was obvious"
    said = (
        f"throws away {cost(2 * measure.mean)} of the winning chance at each decision that matters"
    )
    if measure.interval is None:
        return f"{said} (too few games for an interval)"
    low, high = measure.interval
    return f"{said} (95% interval {cost(2 * low)} to {cost(2 * high)})"
