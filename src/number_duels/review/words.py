"""Chances, values and options in words that need no game theory."""

from __future__ import annotations

from collections.abc import Sequence

from number_duels.core.game import Seat
from number_duels.review.chances import TOLERANCE, Chances
from number_duels.review.position import Option

HALF = "a draw counts half"
#: What the percentages of a table of options mean.
SCALE = "a win is 100%, a draw 50%, a loss 0%"


def percent(share: float) -> str:
    """Return a share in percent; an uncertain one never reads 0% or 100%.

    >>> percent(0.613), percent(0.001), percent(0.9999), percent(1.0)
    ('61%', '<1%', '>99%', '100%')
    """
    if TOLERANCE < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 < share < 1 - TOLERANCE else f"{share:.0%}"


def chance(value: float) -> str:
    """Return a value from -1 to 1 as the winning chance that people read; a draw counts half.

    >>> chance(1.0), chance(0.22), chance(0.0), chance(-0.998), chance(-1.0)
    ('100%', '61%', '50%', '<1%', '0%')
    """
    return percent((1 + value) / 2)


def cost(loss: float) -> str:
    """Return a difference of values as percent of the winning chance; small ones can be seen.

    >>> cost(2.0), cost(1.0), cost(0.028), cost(0.0062), cost(0.00104), cost(0.00001), cost(0.0)
    ('100%', '50%', '1.4%', '0.31%', '0.05%', '<0.01%', '0%')
    """
    share = 50 * loss
    if TOLERANCE < share < 0.01:
        return "<0.01%"
    digits = 2 if share >= 0.1 else 1
    return f"{share:.{digits}g}%" if TOLERANCE < share < 9.95 else percent(loss / 2)


def certain(value: float, chances: Chances | None) -> str | None:
    """`win`, `draw` or `loss` where that is certain.

    >>> certain(1.0, None), certain(0.0, None), certain(0.0, Chances(0.0, 1.0, 0.0))
    ('win', None, 'draw')
    """
    if abs(value) > 1 - TOLERANCE:
        return "win" if value > 0 else "loss"
    return "draw" if chances and chances.draw > 1 - TOLERANCE else None


def parts(chances: Chances, names: tuple[str, str, str]) -> str:
    """The chances that are not nothing, each after or before its name; they add up to 100.

    >>> parts(Chances(0.5, 0.0, 0.5), ("{} wins", "{} draws", "{} losses"))
    '50% wins, 50% losses'
    >>> parts(Chances(0.4973, 0.0054, 0.4973), ("{} wins", "{} draws", "{} losses"))
    '49.7% wins, 0.6% draws, 49.7% losses'
    """
    shares = (chances.win, chances.draw, chances.loss)
    shown = [percent(share) for share in shares]
    if all(text[0].isdigit() for text in shown) and sum(int(text[:-1]) for text in shown) != 100:
        win, loss = round(chances.win, 3), round(chances.loss, 3)
        shown = [f"{share:.1%}" for share in (win, 1 - win - loss, loss)]
    found = [
        name.format(text)
        for name, text, share in zip(names, shown, shares, strict=True)
        if share > TOLERANCE
    ]
    return ", ".join(found)


def worth(value: float, chances: Chances | None) -> str:
    """What somebody has, as a noun.

    >>> worth(-1.0, None), worth(0.0, Chances(0.25, 0.5, 0.25)), worth(0.22, None)
    ('a loss', '25% wins, 50% draws, 25% losses', 'a winning chance of 61% (a draw counts half)')
    """
    sure = certain(value, chances)
    if sure:
        return f"a {sure}"
    if chances is None:
        return f"a winning chance of {chance(value)} ({HALF})"
    return parts(chances, ("{} wins", "{} draws", "{} losses"))


def kept(value: float, chances: Chances | None) -> str:
    """What is kept, as a noun: `the draw`."""
    sure = certain(value, chances)
    return f"the {sure}" if sure else worth(value, chances)


def brings(value: float, chances: Chances | None) -> str:
    """What a move does, as a verb.

    >>> brings(1.0, None), brings(0.0, Chances(0.25, 0.5, 0.25))
    ('wins', 'wins 25%, draws 50%, loses 25%')
    """
    sure = certain(value, chances)
    if sure:
        return {"win": "wins", "draw": "draws", "loss": "loses"}[sure]
    if chances is None:
        return f"leaves a winning chance of {chance(value)} ({HALF})"
    return parts(chances, ("wins {}", "draws {}", "loses {}"))


def verdict(value: float, seat: Seat | None = None, chances: Chances | None = None) -> str:
    """Say how good a position is, in a sentence; a seat is spoken to as "you".

    The value and the chances are Player 1's.

    >>> verdict(0.22, Seat.ONE, Chances(0.61, 0.0, 0.39))
    'You win 61% and lose 39% of the time if both play perfectly.'
    >>> verdict(-1.0)
    'Player 2 wins if both play perfectly.'
    >>> verdict(0.22)
    'Player 1 has a winning chance of 61% if both play perfectly; a draw counts half.'
    """
    viewer = Seat.ONE if seat is None else seat
    mine = value if viewer is Seat.ONE else -value
    own = chances and chances.seen_by(viewer)
    you, other = ("You", "Your opponent") if seat is not None else (str(Seat.ONE), str(Seat.TWO))
    ending = "" if seat is not None else "s"
    sure = certain(mine, own)
    if sure == "draw":
        return "It is a draw if both play perfectly."
    if sure:
        return (
            f"{f'{you} win{ending}' if sure == 'win' else f'{other} wins'} if both play perfectly."
        )
    if own:
        lose = "lose" + ending
        said = parts(own, (f"win{ending} {{}}", f"draw{ending} {{}}", f"{lose} {{}}"))
        return f"{you} {last_comma_as_and(said)} of the time if both play perfectly."
    if mine == 0.0:
        return "It is even if both play perfectly."
    have = "has" if ending else "have"
    return f"{you} {have} a winning chance of {chance(mine)} if both play perfectly; {HALF}."


def last_comma_as_and(text: str) -> str:
    before, _, after = text.rpartition(", ")
    return f"{before} and {after}" if before else after


def either(names: Sequence[str], most: int = 6) -> str:
    """Some names as a choice.

    >>> either(["bid 1"]), either(["bid 1", "bid 2", "bid 10"])
    ('bid 1', 'bid 1, bid 2 or bid 10')
    """
    shown = [*names[:most], "another"] if len(names) > most else list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def mixture(options: Sequence[Option]) -> str:
    """How often to choose what, the most frequent first."""
    played = sorted((o for o in options if o.probability > 0), key=lambda o: -o.probability)
    return ", ".join(f"{option.words} ({percent(option.probability)})" for option in played)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
