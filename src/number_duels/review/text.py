"""A value in words, and figures as small bars."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from number_duels.core.game import Seat
from number_duels.core.history import CONCEDED
from number_duels.review.game import Review
from number_duels.review.position import Option, Position

BAR_WIDTH = 12
#: More options than this are listed by value, those of equal value in one line.
MAX_OPTION_LINES = 20
EIGHTHS = " ▏▎▍▌▋▊▉█"


def verdict(value: float, seat: Seat | None = None) -> str:
    """What a position is worth, in a sentence; a seat is spoken to as "you".

    >>> verdict(0.22, Seat.ONE)
    'You win 61% of the time if both play perfectly, counting a draw as half.'
    >>> verdict(-1.0)
    'Player 2 wins if both play perfectly.'
    """
    mine = value if seat is not Seat.TWO else -value
    who, wins = ("You", "win") if seat is not None else ("Player 1", "wins")
    if mine in (1.0, -1.0):
        loser = "Your opponent" if seat is not None else "Player 2"
        return (
            f"{who} {wins} if both play perfectly."
            if mine > 0
            else (f"{loser} wins if both play perfectly.")
        )
    if mine == 0.0:
        return "It is even if both play perfectly."
    share = f"{(1 + mine) / 2:.0%}"
    return f"{who} {wins} {share} of the time if both play perfectly, counting a draw as half."


def option_lines(options: tuple[Option, ...]) -> Iterator[str]:
    """Every option in a line: its move, its value as a bar, and how often to play it."""
    wide = max(len(option.move) for option in options)
    mixes = any(0 < option.probability < 1 for option in options)
    if len(options) > MAX_OPTION_LINES and not mixes:
        yield from grouped_lines(options)
        return
    top = max(option.value for option in options)
    for option in options:
        line = f"  {option.move:{wide}}  {bar((1 + option.value) / 2)}  {option.value:+.3f}"
        if mixes:
            line += f"  {percent(option.probability):>4}"
        if not mixes and option.value >= top - 1e-7:
            line += "  best" if option.probability else "  as good"
        yield line.rstrip()


def grouped_lines(options: tuple[Option, ...]) -> Iterator[str]:
    """Many options, those of equal value together: perfect play's choice first."""
    first = max(options, key=lambda option: option.probability)
    yield f"  {bar((1 + first.value) / 2)}  {first.value:+.3f}  best: {first.move}"
    rest = [option for option in options if option is not first]
    for value, equal in groupby(rest, key=lambda option: round(option.value, 7)):
        moves = " ".join(option.move for option in equal)
        said = "as good: " if value >= first.value - 1e-7 else ""
        yield f"  {bar((1 + value) / 2)}  {value:+.3f}  {said}{moves}"


def percent(probability: float) -> str:
    """A probability in percent; blank if it is 0."""
    return "" if not probability else "<1%" if probability < 0.005 else f"{probability:.0%}"


def position_lines(position: Position, viewer: Seat | None = None) -> Iterator[str]:
    """A position in words; a viewer sees its own options alone."""
    if position.outcome is not None:
        yield position.outcome.reason
        return
    yield verdict(position.value, viewer)
    for seat, options in position.options.items():
        if viewer in (None, seat):
            yield ""
            whose = "Your" if viewer is seat else f"{seat}'s"
            mixes = any(0 < option.probability < 1 for option in options)
            yield f"{whose} options, with the expected result" + (
                " and how often perfect play chooses each:" if mixes else ":"
            )
            yield from option_lines(options)


def review_lines(review: Review) -> Iterator[str]:
    """A review in words: every decision, the decisive mistake, both players' figures."""
    yield verdict(review.course[0])
    yield ""
    names = [person.name for person in review.record.players]
    wide = max(len("player"), *map(len, names))
    yield f"turn  {'player':{wide}}  move    cost   Player 1's chances"
    for grade in review.grades:
        after = review.course[min(grade.turn, len(review.course) - 1)]
        cost = f"{grade.loss:6.3f}" if grade.loss else "     -"
        better = f"  better: {', '.join(grade.best[:3])}" if grade.loss else ""
        move = grade.drawn + grade.move
        line = f"{grade.turn:4}  {names[grade.seat]:{wide}}  {move:6} {cost}"
        yield f"{line}   {bar((1 + after) / 2)}{better}"
    yield ""
    yield "A cost of 1 turns a win into a draw, 2 into a loss; bars are chances to win."
    if CONCEDED.match(review.record.reason):
        yield review.record.reason
    if review.decisive is None:
        yield "Nobody made a decisive mistake."
    else:
        wrong = review.decisive
        yield f"The first decisive mistake: {wrong.seat}, turn {wrong.turn}, {wrong.move}."
    for seat, tally in review.players.items():
        yield (
            f"{seat}: accuracy {tally.accuracy:.0f}%, lost {tally.loss:.3f} by mistakes,"
            f" luck {tally.luck:+.3f}"
        )


def bar(share: float) -> str:
    """A share between 0 and 1 as a bar of blocks."""
    eighths = round(max(0.0, min(1.0, share)) * BAR_WIDTH * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(BAR_WIDTH, "·")
