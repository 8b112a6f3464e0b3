"""Format chances, advice and reviews as text for people who do not know game theory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from number_duels.core.game import Seat
from number_duels.core.history import CONCEDED
from number_duels.core.names import OPPONENT
from number_duels.core.record import shown_names
from number_duels.core.text import counted
from number_duels.review.game import Review
from number_duels.review.habits import Habit
from number_duels.review.mistakes import (
    INACCURACY,
    LEAST_MISTAKE,
    ExpectedResult,
    Grade,
    Mistake,
    is_blunder,
    is_mistake,
)
from number_duels.review.position import CERTAINTY, TOLERANCE, Chances, Option, Position
from number_duels.review.tally import Carelessness

HALF = "a draw counts half"
RESULTS = {"win": "wins", "draw": "draws", "loss": "loses"}
SCALE = "a win is 100%, a draw 50%, a loss 0%"
#: A move with a smaller share of a mixed strategy reads "<1%" and is not named.
SELDOM = 0.005
#: The most decimals of a winning chance. More would show rounding errors.
MAX_DIGITS = 6


def percent(share: float) -> str:
    """Format a share as a percentage. Rounding never gives 0% or 100%.

    >>> percent(0.613), percent(0.001), percent(0.9999), percent(1.0)
    ('61%', '<1%', '>99%', '100%')
    """
    if CERTAINTY < share < SELDOM:
        return "<1%"
    return ">99%" if 0.995 < share < 1 - CERTAINTY else f"{int(100 * share + 0.5 + CERTAINTY)}%"


def percents(shares: Sequence[float], *, must_add_up: bool = False) -> list[str]:
    """Format shares of a whole as percentages that add up to 100%, if possible.

    Equal shares get equal percentages. With `must_add_up`, all get a decimal place if their
    sum is not 100% without it, or if one is below 1%.

    >>> percents([0.335, 0.335, 0.255, 0.075]), percents([0.6, 0.398, 0.002])
    (['34%', '34%', '25%', '7%'], ['60%', '40%', '<1%'])
    >>> percents([0.496, 0.008, 0.496]), percents([0.496, 0.008, 0.496], must_add_up=True)
    (['49%', '1%', '49%'], ['49.6%', '0.8%', '49.6%'])
    """
    points, unit = largest_remainder(shares), 1
    small = any(CERTAINTY < share < 0.01 for share in shares)
    if must_add_up and (small or sum(points) != 100):
        points, unit = largest_remainder(shares, 10), 10
    return [shown(share, one, unit) for share, one in zip(shares, points, strict=True)]


def largest_remainder(shares: Sequence[float], unit: int = 1) -> list[int]:
    """Round shares to whole percentages, or to tenths if `unit` is 10. Equal shares stay equal."""
    # Shares that differ only in their last digits become equal.
    points = [round(100 * unit * share, 6) for share in shares]
    # In a share below 1%, an extra tenth would be misleading.
    tiny = {one for one in points if one < unit > 1}
    whole = {one: round(one) if one in tiny else int(one) for one in points}
    short = round(sum(points)) - sum(whole[one] for one in points)
    for one in sorted({*whole} - tiny, key=lambda one: -(one % 1)):
        if one % 1 and points.count(one) <= short:
            whole[one] += 1
            short -= points.count(one)
    alone = min(points, key=points.count)
    if unit > 1 and points.count(alone) == 1 and alone not in tiny:
        whole[alone] += short
    return [whole[one] for one in points]


def shown(share: float, points: int, unit: int) -> str:
    if not CERTAINTY < share < 1 - CERTAINTY:
        return percent(share)
    if points <= 0:
        return f"<{1 / unit:g}%"
    return f">{100 - 1 / unit:g}%" if points >= 100 * unit else f"{points / unit:g}%"


def chance(value: float) -> str:
    """Format a value from -1 to 1 as a winning chance in percent.

    >>> chance(1.0), chance(0.22), chance(0.0), chance(-0.998), chance(-1.0)
    ('100%', '61%', '50%', '<1%', '0%')
    """
    return percent((1 + value) / 2)


def fall(before: float, after: float) -> str:
    """Format two values as winning chances, with enough digits to tell them apart.

    >>> fall(0.6, -0.4), fall(0.008, 0.002)
    ('from 80% to 30%', 'from 50.4% to 50.1%')
    """
    told, digits = [chance(before), chance(after)], 0
    while told[0] == told[1] and digits < MAX_DIGITS:
        digits += 1
        told = [f"{50 * (1 + value):.{digits}f}%" for value in (before, after)]
    return f"from {told[0]} to {told[1]}"


def lowers(before: float, loss: float, whose: str = "your") -> str:
    """Say what a loss does to a winning chance.

    >>> lowers(1.0, 1.0)
    'lowers your winning chance from 100% to 50%'
    """
    return f"lowers {whose} winning chance {fall(before, before - loss)}"


def cost(loss: float) -> str:
    """Format a loss as a percentage, with more digits for small losses.

    >>> cost(2.0), cost(1.0), cost(0.028), cost(0.0062), cost(0.00104), cost(0.00001), cost(0.0)
    ('100%', '50%', '1.4%', '0.31%', '0.05%', '<0.01%', '0%')
    """
    share = 50 * loss
    if CERTAINTY < share < 0.01:
        return "<0.01%"
    digits = 2 if share >= 0.1 else 1
    return f"{share:.{digits}g}%" if CERTAINTY < share < 9.95 else percent(loss / 2)


def certain(value: float, chances: Chances | None) -> str | None:
    """Return `win`, `draw` or `loss` if that result is certain, otherwise None.

    >>> certain(1.0, None), certain(0.0, None), certain(0.0, Chances(0.0, 1.0, 0.0))
    ('win', None, 'draw')
    """
    if abs(value) > 1 - CERTAINTY:
        return "win" if value > 0 else "loss"
    return "draw" if chances and chances.draw > 1 - CERTAINTY else None


def parts(chances: Chances, names: tuple[str, str, str]) -> str:
    """Format all chances above zero, each with its template from `names`.

    >>> parts(Chances(0.5, 0.0, 0.5), ("{} wins", "{} draws", "{} losses"))
    '50% wins, 50% losses'
    >>> parts(Chances(0.4973, 0.0054, 0.4973), ("{} wins", "{} draws", "{} losses"))
    '49.7% wins, 0.5% draws, 49.7% losses'
    """
    shares = (chances.win, chances.draw, chances.loss)
    told = zip(names, percents(shares, must_add_up=True), shares, strict=True)
    return ", ".join(name.format(text) for name, text, share in told if share > CERTAINTY)


def kept(value: float, chances: Chances | None) -> str:
    """Return the result that a move keeps, as a noun phrase.

    >>> kept(-1.0, None), kept(0.0, Chances(0.25, 0.5, 0.25))
    ('the loss', 'a winning chance of 50%')
    """
    sure = certain(value, chances)
    return f"the {sure}" if sure else f"a winning chance of {chance(value)}"


def brings(value: float, chances: Chances | None) -> str:
    """Return the result of a move, as a phrase that begins with a verb.

    >>> brings(1.0, None), brings(0.0, Chances(0.25, 0.5, 0.25))
    ('wins', 'wins 25%, draws 50%, loses 25%')
    """
    sure = certain(value, chances)
    if sure:
        return RESULTS[sure]
    if chances is None:
        return f"leaves a winning chance of {chance(value)} ({HALF})"
    return parts(chances, ("wins {}", "draws {}", "loses {}"))


def verdict(
    value: float,
    seat: Seat | None = None,
    chances: Chances | None = None,
    other: str = OPPONENT,
) -> str:
    """Return a sentence that says how good a position is.

    `value` and `chances` are Player 1's. If given, `seat` is called "you" and its opponent `other`.

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
    you, other = ("You", capital(other)) if seat is not None else (str(Seat.ONE), str(Seat.TWO))
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
    """Join names with "or". A long list ends with "another" after the first `most` names.

    >>> either(["bid 1"]), either(["bid 1", "bid 2", "bid 10"])
    ('bid 1', 'bid 1, bid 2 or bid 10')
    >>> either(["8 - 3 = 5"]), either(["8 - 3 = 5", "9 - 4 = 5"])
    ('8 - 3 = 5', '8 - 3 or 9 - 4')
    """
    names = without_results(names)
    shown = [*names[:most], "another"] if len(names) > most + 1 else list(names)
    return " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


RESULT = re.compile(r" = \d+$")


def without_results(names: Sequence[str]) -> Sequence[str]:
    """Return several sums without their results, because a list of equations reads as one."""
    return names if len(names) == 1 else [RESULT.sub("", name) for name in names]


def are(what: str, names: Sequence[str], most: int = 6) -> str:
    """Say which moves are meant. A long list ends with "others" after the first `most` names.

    >>> are("best move", ["bid 1"]), are("best move", ["bid 1", "bid 2", "bid 10"])
    ('best move is to bid 1', 'best moves are bid 1, bid 2 and bid 10')
    """
    if len(names) == 1:
        return f"{what} is {as_subject(names[0])}"
    names = without_results(names)
    shown = [*names[:most], "others"] if len(names) > most + 1 else names
    return f"{what}s are {', '.join(shown[:-1])} and {shown[-1]}"


def as_subject(move: str) -> str:
    """Return a move's words as part of a sentence.

    >>> as_subject("bid 1"), as_subject("6 - 1 = 5")
    ('to bid 1', '6 - 1 = 5')
    """
    return f"to {move}" if move[:1].isalpha() else move


def strategy_text(options: Sequence[Option]) -> str:
    played = most_frequent(options)
    often = percents([option.probability for option in played])
    return ", ".join(f"{o.words} ({share})" for o, share in zip(played, often, strict=True))


def most_frequent(options: Sequence[Option]) -> list[Option]:
    """Return the moves that perfect play chooses at least 0.5% of the time, most frequent first."""
    found = sorted((o for o in options if o.probability > TOLERANCE), key=lambda o: -o.probability)
    return [option for option in found if option.probability >= SELDOM] or found


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


BAR_WIDTH = 12
MAX_ADVISED = 3
#: Shares of the most frequent move's share: those named together with it, and those called rare if
#: they are also below `RARE`.
NEARLY_AS_OFTEN, FAR_LESS_OFTEN = 2 / 3, 0.33
RARE = 0.15
FIRST_WORD = re.compile(r"[^\W\d_]+ ")
MAX_NAMED = 12
EIGHTHS = " ▏▎▍▌▋▊▉█"


def short_advice(position: Position, seat: Seat) -> str:
    """Name the good moves, or return "" if every move is equally good."""
    options = position.options[seat]
    best, safe = options[0], safe_options(options)
    sure = certain(best.value, best.chances)
    chances = f"your winning chance is {chance(best.value)}"
    if len(options) == 1:
        return f"Your only move is {best.words}."
    if len(safe) == len(options):
        return "".join(preferred(position, options))
    if safe:
        each = "it" if len(safe) == 1 else "each"
        names = either(words_of(safe), MAX_ADVISED)
        return f"{capital(names)}: {f'{each} {RESULTS[sure]}' if sure else chances}."
    return f"Mix your choices: {frequent_first(options)}."


def frequent_first(options: Sequence[Option]) -> str:
    """Name the moves of a mixed strategy, most frequent first, without percentages.

    >>> mixed = {"play 6": 0.6, "play 8": 0.2, "play 9": 0.2}
    >>> frequent_first([Option("", 0.0, share, words=words) for words, share in mixed.items()])
    'mostly 6, sometimes 8 or 9'
    >>> frequent_first([Option("", 0.0, 0.3, words="bid 1"), *[
    ...     Option("", 0.0, 0.1, words=f"bid {number}") for number in range(2, 9)
    ... ]])
    'most often 1, sometimes 2, 3, 4 and others'
    >>> mixed = {"play 9": 0.47, "play 7": 0.4, "play 8": 0.13}
    >>> frequent_first([Option("", 0.0, share, words=words) for words, share in mixed.items()])
    'mostly 9 or 7, rarely 8'
    """
    played = most_frequent(options)
    first, most = len(shared_word(played)), played[0].probability
    names = [option.words[first:] for option in played]
    if percent(most) == percent(played[-1].probability):
        return f"{either(names)}, equally often"
    tiers = [list[str](), list[str](), list[str]()]
    for option, name in zip(played, names, strict=True):
        share = option.probability
        rare = share < min(RARE, most * FAR_LESS_OFTEN)
        tiers[0 if share >= most * NEARLY_AS_OFTEN else 2 if rare else 1].append(name)
    if len(tiers[0]) == len(names):
        return f"{either(names)}, about equally often"
    often = sum(option.probability for option in played[: len(tiers[0])])
    words = ("mostly" if often >= 0.5 else "most often", "sometimes", "rarely")
    return ", ".join(
        f"{word} {some(tier)}" for word, tier in zip(words, tiers, strict=True) if tier
    )


def some(names: Sequence[str]) -> str:
    """Join names with "or". A long list ends with "others".

    >>> some(["1", "2"]), some(["1", "2", "3", "4", "5"])
    ('1 or 2', '1, 2, 3 and others')
    """
    many = len(names) > MAX_ADVISED + 1
    return f"{', '.join(names[:MAX_ADVISED])} and others" if many else either(names)


def shared_word(options: Sequence[Option]) -> str:
    """Return the first word of all options and a space, or "" if their first words differ."""
    found = FIRST_WORD.match(options[0].words)
    first = found[0] if found else ""
    return first if all(option.words.startswith(first) for option in options) else ""


def advice(
    position: Position, seat: Seat, viewer: Seat | None = None, opponent: str = OPPONENT
) -> Iterator[str]:
    """Yield one or two sentences that say how `seat` should play. `viewer` is called "you"."""
    options = position.options[seat]
    whose = "your" if viewer is seat else f"{seat}'s"
    other = opponent if viewer is seat else str(seat.other)
    best = options[0]
    keeps = kept(best.value, best.chances)
    if len(options) == 1:
        yield f"{capital(whose)} only move is {best.words}."
    elif len(safe := safe_options(options)) == len(options):
        said = "loses" if keeps == "the loss" else f"keeps {keeps}"
        yield f"{capital(whose)} moves are all equally good: every move {said}."
        yield from preferred(position, options)
    elif safe:
        sure = certain(best.value, best.chances)
        verb = RESULTS[sure] if sure else f"keeps {keeps}"
        if len(position.options) == 2:
            verb = f"keeps {keeps}, whatever {other} does"
        if len(safe) == 1:
            yield f"{capital(whose)} best move is {as_subject(safe[0].words)}: it {verb}."
        else:
            yield f"{capital(whose)} {are('best move', words_of(safe))}: each {verb}."
            yield from preferred(position, safe)
    else:
        yield f"{capital(whose)} best play is to mix: {strategy_text(options)}."
        yield why_mix(options, whose, other)


def preferred(position: Position, options: Sequence[Option]) -> Iterator[str]:
    hardest = [option for option in options if option.hardest]
    names = either(words_of(hardest), MAX_ADVISED)
    if hardest and len(position.options) == 2:
        yield f"Best against a random choice: {names}."
    elif hardest:
        lost = certain(hardest[0].value, hardest[0].chances) == "loss"
        yield f"Hardest to {'punish' if lost else 'reply to'}: {names}."


def words_of(options: Sequence[Option]) -> list[str]:
    return [option.words for option in options]


def safe_options(options: Sequence[Option]) -> list[Option]:
    """Return the options that keep the value against every reply, most frequent first."""
    top = max(option.value for option in options)
    safe = [option for option in options if option.guarantee >= top - TOLERANCE]
    return sorted(safe, key=lambda option: -option.probability)


def why_mix(options: Sequence[Option], whose: str, other: str) -> str:
    most = max(option.guarantee for option in options)
    left = f"{whose} winning chance is at most {chance(most)}"
    if most < TOLERANCE - 1:
        left = "every move loses"
    return f"If {other} guesses {whose} choice, {left}."


def is_mixed(options: Sequence[Option]) -> bool:
    return any(TOLERANCE < option.probability < 1 - TOLERANCE for option in options)


def named(words: Sequence[str]) -> str:
    """Join moves. Name a verb once, and shorten a long list of other moves.

    >>> named(["add 6", "subtract 1", "add 7"]), named(["add 6", "keep"])
    ('add 6 or 7, subtract 1', 'add 6, keep')
    """
    by_verb: dict[str, list[str]] = {}
    for word in without_results(words):
        found = FIRST_WORD.match(word)
        by_verb.setdefault(found[0] if found else "", []).append(
            word[found.end() if found else 0 :]
        )
    without = by_verb.pop("", [])
    more = len(without) - MAX_NAMED
    joined = [f"{verb}{either(rest, len(rest))}" for verb, rest in by_verb.items()]
    told = ", ".join([*joined, *without[:MAX_NAMED]])
    return told + (f" and {more} more" if more > 0 else "")


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """Draw a share from 0 to 1 as a bar of blocks. Only a share of 1 fills the bar."""
    most = width * 8 - (share < 1 - TOLERANCE)
    eighths = min(most, round(max(0.0, min(1.0, share)) * width * 8))
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(width, "·")


LUCK_SHOWN = 0.0005
LUCK = "Luck: how much the cards raised or lowered the winning chance in total."
ON_AVERAGE = (
    "Both choose at once, so a choice is judged by its average result. A mistake may still pay off."
)
COST = (
    f"Cost: how much a move lowers the winning chance ({SCALE})."
    " A fall from 80% to 30% is a cost of 50%."
)


def review_lines(
    review: Review,
    names: tuple[str, str] | None = None,
    seat: Seat = Seat.ONE,
    own: Sequence[Seat] = (),
) -> Iterator[str]:
    """Yield a review as lines of text.

    The table shows `names` and the winning chance of `seat`. `own` has the viewers' seats.
    """
    yield headline(review, own)
    yield from figures_lines(review)
    yield at_start(review)
    yield ""
    yield from turn_lines(review, names or shown_names(review.record.players), seat)
    if CONCEDED.match(review.record.reason):
        yield review.record.reason
    for group in mistake_groups(review, own):
        yield from ("", f"{group.title}:")
        for mistake in group.mistakes:
            said = " ".join(sentences(mistake))
            yield f"  {turn_word(review).capitalize()} {mistake.turn}: {said}"
    if has_luck(review):
        yield from ("", LUCK)


def at_start(review: Review) -> str:
    said = verdict(review.course[0], None, review.chances)
    return f"At the start: {said.replace('It is', 'it is', 1)}"


class MistakeGroup(NamedTuple):
    title: str
    mistakes: tuple[Mistake, ...]
    folded: bool


def mistake_groups(review: Review, own: Sequence[Seat]) -> list[MistakeGroup]:
    """Return groups of mistakes: the viewer's own first, blunders before smaller mistakes."""
    groups: list[MistakeGroup] = []
    for seat in sorted(Seat, key=lambda seat: seat not in own):
        made = [one for one in review.mistakes if one.seat is seat]
        made.sort(key=lambda one: -round(one.loss, 9))
        big = [one for one in made if is_blunder(one.loss)]
        alike = len(own) != 1 or seat in own
        parts = [("blunder", big), ("smaller mistake", made[len(big) :])]
        if not alike or not all(part for _, part in parts):
            parts = [("mistake", made)]
        for what, part in parts:
            if part:
                many = f"{len(part)} {what}s" if len(part) > 1 else what
                folded = bool(groups) and (not alike or what == "smaller mistake")
                groups.append(MistakeGroup(f"{seat}'s {many}", tuple(part), folded))
    return groups


def biggest_mistake(review: Review, own: Sequence[Seat]) -> Mistake | None:
    mine = [one for one in review.mistakes if [one.seat] == list(own)]
    return max(mine or review.mistakes, key=lambda one: one.loss, default=None)


def headline(review: Review, own: Sequence[Seat] = ()) -> str:
    biggest, ended = biggest_mistake(review, own), gave_up(review)
    said = [nobody_wrong(review) if review.grades else "Nobody made a move."]
    if biggest:
        seat, one_reader = biggest.seat, len(own) == 1
        made = [one.loss for one in review.mistakes if one.seat is seat or not one_reader]
        whose, by = (f"{seat}'s", "") if one_reader else ("the", f"{seat}'s: ")
        which = f"{whose} {'biggest' if len(made) > 1 else 'only'} mistake"
        tied = tied_for_most(made)
        if tied:
            which = f"one of {whose} costliest mistakes"
        clean = one_reader and seat not in own and not any(str(own[0]) in one for one in ended)
        said = [no_mistake(review, own[0]), *bad_luck(review, own[0])] if clean else []
        move = doing([move_words(biggest.words, biggest.drawn)], 1)
        if tied == len(made) > 1:
            said.append(f"{capital(whose)} {tied} mistakes cost the same: {cost(max(made))} each.")
        else:
            said.append(f"{capital(which)} was {by}{move} in {turn_word(review)} {biggest.turn}.")
    elif review.grades and (review.habits or ended):
        said = ["No single move was a mistake."]
    return " ".join([*map(habit_sentence, review.habits), *said, *ended])


def no_mistake(review: Review, seat: Seat) -> str:
    # Beside a habit that costs games, the short form would read as a contradiction.
    if any(habit.seat is seat for habit in review.habits):
        return f"None of {seat}'s moves was a mistake by itself."
    return f"{seat} made no mistake."


def bad_luck(review: Review, seat: Seat) -> Iterator[str]:
    """Say what luck cost a seat that lost the game."""
    luck = review.players[seat].luck
    lost = {"1-0": Seat.TWO, "0-1": Seat.ONE}.get(review.record.result)
    if seat is lost and has_luck(review) and luck <= -LUCK_SHOWN:
        yield f"Luck {luck_words(luck)}."


def tied_for_most(losses: Sequence[float]) -> int:
    """Return how many losses read as the largest one does, or 0 if it is alone."""
    alike = sum(cost(loss) == cost(max(losses)) for loss in losses)
    return alike if alike > 1 else 0


def gave_up(review: Review) -> list[str]:
    return [
        f"{ended.seat} {'forfeited' if ended.is_forfeit else 'resigned with'} a winning chance of"
        f" {chance(ended.cost - 1)}."
        for ended in review.concessions
        if is_mistake(ended.cost)
    ]


def nobody_wrong(review: Review) -> str:
    """Say that nobody made a mistake, or what decided the game: the start, the cards or rounds."""
    sign = {"1-0": 1, "0-1": -1}.get(review.record.result, 0)
    brought = [sign * (after - before) for before, after in pairwise(review.luck)]
    most = max(brought, default=0.0)
    conceded = CONCEDED.match(review.record.reason)  # nothing was decided on the board
    start = sign * review.course[0]
    flawless = sign and all(grade.loss < TOLERANCE for grade in review.grades)
    lost = Seat.TWO if sign > 0 else Seat.ONE
    best = f"{lost} could not have done better"
    if flawless and start > 1 - CERTAINTY:
        return f"{best}: {verdict(review.course[0])}"
    if conceded or most < LUCK_SHOWN:
        return "Nobody made a mistake."
    if not both_choose(review):
        lowered = f"the cards lowered {lost}'s winning chance {fall(-start, -1.0)}"
        return f"{best}: {lowered}." if flawless else "Nobody made a mistake."
    rounds = [str(turn) for turn, luck in enumerate(brought, 1) if luck >= most / 2]
    which = (
        f"rounds {', '.join(rounds[:-1])} and {rounds[-1]}" if rounds[1:] else f"round {rounds[0]}"
    )
    return f"Nobody made a mistake: the choices in {which} decided the game."


def habit_sentence(habit: Habit) -> str:
    """Describe a player's habit, and the result against an opponent who knows it.

    >>> habit = Habit(Seat.ONE, "lowest", "bids the lowest number", 12, 3, value=-0.5, free=0.0)
    >>> habit_sentence(habit)[:73]
    'Predictable: Player 1 bids the lowest number in every round of 3 games. A'
    """
    where = f" of {habit.games} games" if habit.games > 1 else ""
    left = f"can hold {habit.seat} to {chance(habit.value)}"
    if habit.value < TOLERANCE - 1:
        left = "can win every game"
    told = f"Predictable: {habit.seat} {habit.words} in every round{where}."
    return f"{told} An opponent who knows this {left}."


def turn_lines(review: Review, names: tuple[str, str], seat: Seat) -> Iterator[str]:
    moves = list(map(move_of, review.grades))
    wide, long = max(len("player"), *map(len, names)), max([len("move"), *map(len, moves)])
    if not moves:
        return
    mixed = any(grade.mixed for grade in review.grades)
    often = f"  {PERFECT}" if mixed else ""
    head = f"{turn_word(review):5} {'player':{wide}}  {'move':{long}}    cost{often}"
    yield f"{head}   {seat}'s winning chance"
    for grade, move in zip(review.grades, moves, strict=True):
        after = review.course[min(grade.turn, len(review.course) - 1)] * (1, -1)[seat] + 0.0
        lost = cost_cell(grade) or "-"
        often = f"  {how_often(grade) or '-':>{len(PERFECT)}}" if mixed else ""
        line = f"{grade.turn:4}  {names[grade.seat]:{wide}}  {move:{long}}  {lost:>6}{often}"
        yield f"{line}   {bar((1 + after) / 2)} {chance(after):>4}"
    yield f"{COST} A dash (-) means no cost."
    if both_choose(review):
        yield ON_AVERAGE
    if mixed:
        yield f"{OFTEN} A dash (-) means that it does not mix."
    if any(grade.loss and not grade.is_mistake for grade in review.grades):
        yield (
            f"A move that costs less than {cost(LEAST_MISTAKE)} is called an inaccuracy,"
            " not a mistake."
        )


def move_of(grade: Grade) -> str:
    return f"{grade.drawn}: {grade.words}" if grade.drawn else grade.words


def cost_cell(grade: Grade) -> str:
    return cost(grade.loss) if grade.loss else "forced" if grade.count == 1 else ""


PERFECT = "perfect play"
OFTEN = "Perfect play: in how many games it makes this choice."
MAX_DENOMINATOR = 10
#: A fraction may differ by this much from the share that it stands for.
ROUNDED = 0.01


def how_often(grade: Grade) -> str:
    return frequency(grade.probability) if grade.mixed else ""


def frequency(share: float) -> str:
    """Format a probability as a number of games, such as `1 of 14`.

    >>> [frequency(share) for share in (0.0, 0.0049, 0.07, 0.31, 0.47, 0.97, 1.0)]
    ['never', '1 of 200', '1 of 14', '3 of 10', '47 of 100', '32 of 33', 'always']
    """
    if share < TOLERANCE or share > 1 - TOLERANCE:
        return "never" if share < 0.5 else "always"
    if MAX_DENOMINATOR * min(share, 1 - share) >= 1:
        near = Fraction(share).limit_denominator(MAX_DENOMINATOR)
        if round(abs(near - share), 6) > ROUNDED:
            return f"{round(100 * share)} of 100"
        return f"{near.numerator} of {near.denominator}"
    games = 1 / min(share, 1 - share)
    rounding = 10 ** (len(str(int(games))) - 2)  # two digits are enough
    games = rounding * round(games / rounding)
    return f"{1 if share < 0.5 else games - 1} of {games}"


def often_sentence(grade: Grade) -> str:
    often = how_often(grade)
    if often in ("never", "always"):
        return f"Here, perfect play {often} makes this choice."
    return f"Here, perfect play makes this choice in {often} games."


def sentences(mistake: Mistake) -> Iterator[str]:
    yield from what_happened(mistake)
    yield right_sentence(mistake)


def what_happened(mistake: Mistake) -> Iterator[str]:
    yield cost_sentence(mistake)
    if mistake.answered is None:
        yield line_sentence(mistake)
    else:
        yield from this_time(mistake, mistake.answered)


def cost_sentence(mistake: Mistake) -> str:
    move, both = doing([move_words(mistake.words, mistake.drawn)], 1), mistake.answer is not None
    before, after = sure_result(mistake.before), sure_result(mistake.after)
    if before and after:
        against = "against perfect play, " if both else ""
        return capital(f"{against}{move} turns {mistake.seat}'s {before} into a {after}.")
    lower = fall(mistake.before.value, mistake.after.value)
    average = "on average, " if both else ""
    return capital(f"{average}{move} lowers {mistake.seat}'s winning chance {lower}.")


def move_words(words: str, drawn: str) -> str:
    """Return a move with the card that was drawn for it.

    >>> move_words("give", "10"), move_words("add 3", "10"), move_words("give", "")
    ('give the 10', 'add 3 after drawing 10', 'give')
    """
    if not drawn:
        return words
    return f"{words} the {drawn}" if words.isalpha() else f"{words} after drawing {drawn}"


def sure_result(what: ExpectedResult) -> str | None:
    return certain(what.value, what.chances)


def line_sentence(mistake: Mistake, when: str = "now") -> str:
    """Describe the reply that punishes a mistake, and the result after it."""
    line, end = mistake.line, f"that leaves {mistake.seat} {with_what(mistake.line.left)}"
    if not line.turns:
        winner = line.outcome and line.outcome.winner
        over = f"{winner} wins" if winner is not None else "the game is drawn"
        return f"That ends the game: {over}." if line.outcome else f"{capital(end)}."
    first = line.turns[0]
    card = f"If {first.drawn} is drawn next, " if first.drawn else ""
    if not first.plays:
        return f"{card}{end}."
    who, reply = first.plays[0].seat, " against ".join(play.words for play in first.plays)
    if mistake.answer is not None:
        as_expected = sure_result(mistake.after) == sure_result(mistake.line.left) is not None
        when = "For example" if as_expected else "At worst"
        return f"{when}, {who} {third_person(reply)}, and {left_with(mistake)}."
    can = f"{card}{who} can" if card else f"{who} can {when}"
    how = f"by {doing([reply], 1)}" if VERB.fullmatch(reply) else f"with {reply}"
    how += " it" if reply.isalpha() else ""
    if len(line.turns) == 1 and line.outcome and line.outcome.winner in (who, None):
        return f"{can} {'draw' if line.outcome.winner is None else 'win'} {how}."
    return f"{can} reply {how}: {end}."


def third_person(move: str) -> str:
    """Return a move in words as the end of a sentence about a player.

    >>> third_person("play 6"), third_person("8 + 3 = 11")
    ('plays 6', 'chooses 8 + 3 = 11')
    """
    found = VERB.fullmatch(move)
    return f"{found[1]}s{found[2] or ''}" if found else f"chooses {move}"


def left_with(mistake: Mistake) -> str:
    left, seat = mistake.line.left, mistake.seat
    sure = sure_result(left)
    return f"{seat} {RESULTS[sure]}" if sure else f"{seat}'s winning chance is {chance(left.value)}"


def with_what(left: ExpectedResult) -> str:
    sure = sure_result(left)
    return f"with a {sure}" if sure else f"with a winning chance of {chance(left.value)}"


def line_end(mistake: Mistake) -> str:
    left = f"That leaves {mistake.seat} {with_what(mistake.line.left)}."
    return "" if mistake.line.outcome else left


def this_time(mistake: Mistake, answered: ExpectedResult) -> Iterator[str]:
    """Say what the other player chose in the same round, and how the round turned out."""
    seat, left = mistake.seat, mistake.line.left
    chose = f"{seat.other} chose {without_verb(mistake.answer or '', mistake.words)}"
    gain = answered.value - mistake.before.value
    to = f"to {chance(answered.value)}"
    if abs(gain) < TOLERANCE:
        stayed = f"{seat}'s winning chance stayed at {chance(answered.value)}"
        yield f"This time {chose}, and {stayed}."
    elif gain > 0:
        yield f"It happened to work: {chose}, and {seat}'s winning chance rose {to}."
    else:
        yield f"This time {chose}, and {seat}'s winning chance fell {to}."
    sure = sure_result(left)
    if sure and answered.value > left.value + TOLERANCE:
        reply = without_verb(mistake.line.turns[0].plays[0].words, mistake.words)
        yield f"Against {reply}, {seat} {RESULTS[sure]}."


def without_verb(words: str, other: str) -> str:
    """Return a move without its first word if the other move begins with the same word.

    >>> without_verb("play 6", "play 2"), without_verb("add 6", "subtract 2")
    ('6', 'add 6')
    """
    found = FIRST_WORD.match(words)
    return words[found.end() :] if found and other.startswith(found[0]) else words


def right_sentence(mistake: Mistake) -> str:
    options, before = mistake.right, sure_result(mistake.before)
    keeps = f"the {before}" if before else f"{mistake.seat}'s winning chance"
    if all(option.guarantee >= mistake.before.value - TOLERANCE for option in options):
        moves = [move_words(option.words, mistake.drawn) for option in options]
        return f"{capital(doing(moves, MAX_ADVISED))} would have kept {keeps}."
    return f"Mixing these choices would have kept {keeps}: {strategy_text(options)}."


VERB = re.compile(r"([a-z]+)( .*)?")


def doing(moves: Sequence[str], most: int) -> str:
    """Join moves with "or" as the subject of a sentence, such as "adding 7 or 8".

    >>> doing(["add 7", "add 8"], 3), doing(["bid 9", "keep"], 3), doing(["8 + 3 = 11"], 3)
    ('adding 7 or 8', 'bidding 9 or keeping', '8 + 3 = 11')
    """
    found = [VERB.fullmatch(move) for move in moves]
    parts = [(gerund(one[1]), one[2] or "") for one in found if one]
    if len(parts) < len(moves):
        return either(moves, most)
    if len({verb for verb, _ in parts}) == 1:
        return f"{parts[0][0]} {either([rest.strip() for _, rest in parts], most)}".strip()
    return either([verb + rest for verb, rest in parts], most)


def gerund(verb: str) -> str:
    """Return the -ing form of a verb.

    >>> [gerund(verb) for verb in ("add", "give", "bid", "keep", "play", "subtract")]
    ['adding', 'giving', 'bidding', 'keeping', 'playing', 'subtracting']
    """
    if re.fullmatch(r".*[^e]e", verb):
        return f"{verb[:-1]}ing"
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)  # one vowel, then one consonant
    return f"{verb}{verb[-1] if short else ''}ing"


def figures_lines(review: Review) -> Iterator[str]:
    lucky = has_luck(review)
    for seat, tally in review.players.items():
        own = [grade for grade in review.grades if grade.seat is seat]
        said = list(figures(own, str(seat), tally.luck if lucky else 0.0))
        said += [
            f"The forfeit cost {cost(ended.cost)}."
            for ended in review.concessions
            if ended.is_forfeit and ended.seat is seat
        ]
        yield f"{seat}: {' '.join(said)}"


def figures(grades: Sequence[Grade], name: str, luck: float, games: int = 1) -> Iterator[str]:
    """Yield sentences about a player's mistakes and luck.

    >>> grades = [Grade(1, Seat.ONE, "A3", 0.6, loss, 1.0, ("S4",)) for loss in (1.0, 0.5, 0.0)]
    >>> list(figures(grades, "Player 1", 0.0))
    ['2 mistakes in 3 moves.', "The biggest lowered Player 1's winning chance from 80% to 30%."]
    """
    wrong = [grade for grade in grades if grade.is_mistake]
    small = sum(grade.kind == INACCURACY for grade in grades)
    many = counted(len(wrong), "mistake") if wrong else "no mistakes"
    where = f" over {games} games" if games > 1 else ""
    yield f"{many} in {counted(len(grades), 'move')}{where}." if grades else "no moves."
    if wrong:
        most = max(wrong, key=lambda grade: grade.loss)
        before = most.value_before * (1, -1)[most.seat]
        tied = tied_for_most([grade.loss for grade in wrong])
        it = "It" if len(wrong) == 1 else "One of the biggest" if tied else "The biggest"
        yield f"{it} lowered {name}'s winning chance {fall(before, before - most.loss)}."
    if small:
        move = "other move" if wrong else "move"
        yield f"{counted(small, move)} cost less than {cost(LEAST_MISTAKE)}."
    if abs(luck / games) >= LUCK_SHOWN:
        yield f"Luck {luck_words(luck / games)}{' per game' if games > 1 else ''}."


def has_luck(review: Review) -> bool:
    # If both choose at once, the headline names the rounds that decided the game instead.
    return not both_choose(review) and any(abs(luck) >= LUCK_SHOWN for luck in review.luck)


def both_choose(review: Review) -> bool:
    turns = [grade.turn for grade in review.grades]
    return len(set(turns)) < len(turns)


def turn_word(review: Review) -> str:
    return "round" if both_choose(review) else "turn"


def luck_words(luck: float) -> str:
    """Say how much winning chance luck added or cost, up to "100% or more".

    >>> luck_words(0.0), luck_words(-0.5), luck_words(2.5)
    ('none', 'cost 25%', 'added 100% or more')
    """
    if abs(luck) < LUCK_SHOWN:
        return "none"
    much = cost(abs(luck)) if abs(luck) < 2 else "100% or more"
    return f"{'added' if luck > 0 else 'cost'} {much}"


COUNTED_MOVES = "This average leaves out turns in which all moves are equally good."


def carelessness(measure: Carelessness | None) -> str:
    """Say what a player's moves cost on average.

    >>> carelessness(Carelessness(0.02, (0.01, 0.03)))
    'A move lowers the winning chance by 2% on average (95% interval 1% to 3%).'
    """
    if measure is None:
        return "No move could have been a mistake."
    said = f"A move lowers the winning chance by {cost(2 * measure.mean)} on average"
    if measure.interval is None:
        return f"{said}."
    low, high = measure.interval
    return f"{said} (95% interval {cost(2 * low)} to {cost(2 * high)})."
