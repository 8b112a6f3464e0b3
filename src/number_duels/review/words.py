"""Chances, advice and reviews in plain words, without game theory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from statistics import fmean

from number_duels.core.game import Seat
from number_duels.core.history import CONCEDED
from number_duels.core.record import shown_names
from number_duels.core.text import counted
from number_duels.review.game import Review
from number_duels.review.habits import Habit
from number_duels.review.mistakes import INACCURACY, LEAST_MISTAKE, Grade, Mistake, Turn, Worth
from number_duels.review.position import CERTAINTY, TOLERANCE, Chances, Option, Position
from number_duels.review.tally import Carelessness

HALF = "a draw counts half"
#: A certain result as a verb.
RESULTS = {"win": "wins", "draw": "draws", "loss": "loses"}
#: The meaning of the percentages in a table of options.
SCALE = "a win is 100%, a draw 50%, a loss 0%"


def percent(share: float) -> str:
    """Format a share in percent. Only a certain one reads 0% or 100%.

    >>> percent(0.613), percent(0.001), percent(0.9999), percent(1.0)
    ('61%', '<1%', '>99%', '100%')
    """
    if CERTAINTY < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 < share < 1 - CERTAINTY else f"{int(100 * share + 0.5 + CERTAINTY)}%"


def percents(shares: Sequence[float]) -> list[str]:
    """Format the shares of a whole in percent, so that they add up as the shares do.

    The largest fractions are rounded up. Equal shares read the same, so thirds are 33% each. Only a
    certain share reads 0% or 100%.

    >>> percents([0.335, 0.335, 0.255, 0.075]), percents([0.6, 0.398, 0.002])
    (['34%', '34%', '25%', '7%'], ['60%', '40%', '<1%'])
    """
    points = [round(100 * share, 6) for share in shares]  # equal shares differ in their last digits
    whole = {one: int(one) for one in points}
    short = round(sum(points)) - sum(whole[one] for one in points)
    for one in sorted(whole, key=lambda one: -(one % 1)):
        if one % 1 and points.count(one) <= short:
            whole[one] += 1
            short -= points.count(one)
    return [shown(share, whole[one]) for share, one in zip(shares, points, strict=True)]


def shown(share: float, points: int) -> str:
    """Format a share that was rounded to a whole percentage."""
    if CERTAINTY < share < 1 - CERTAINTY:
        return "<1%" if points <= 0 else ">99%" if points >= 100 else f"{points}%"
    return percent(share)


def chance(value: float) -> str:
    """Format a value from -1 to 1 as a winning chance. A draw counts half.

    >>> chance(1.0), chance(0.22), chance(0.0), chance(-0.998), chance(-1.0)
    ('100%', '61%', '50%', '<1%', '0%')
    """
    return percent((1 + value) / 2)


def cost(loss: float) -> str:
    """Format a difference of values as winning chance, with more digits if it is small.

    >>> cost(2.0), cost(1.0), cost(0.028), cost(0.0062), cost(0.00104), cost(0.00001), cost(0.0)
    ('100%', '50%', '1.4%', '0.31%', '0.05%', '<0.01%', '0%')
    """
    share = 50 * loss
    if CERTAINTY < share < 0.01:
        return "<0.01%"
    digits = 2 if share >= 0.1 else 1
    return f"{share:.{digits}g}%" if CERTAINTY < share < 9.95 else percent(loss / 2)


def certain(value: float, chances: Chances | None) -> str | None:
    """Return `win`, `draw` or `loss` if that is certain, or None.

    >>> certain(1.0, None), certain(0.0, None), certain(0.0, Chances(0.0, 1.0, 0.0))
    ('win', None, 'draw')
    """
    if abs(value) > 1 - CERTAINTY:
        return "win" if value > 0 else "loss"
    return "draw" if chances and chances.draw > 1 - CERTAINTY else None


def parts(chances: Chances, names: tuple[str, str, str]) -> str:
    """Format the chances above zero. They add up to 100%: draws are what wins and losses leave.

    >>> parts(Chances(0.5, 0.0, 0.5), ("{} wins", "{} draws", "{} losses"))
    '50% wins, 50% losses'
    >>> parts(Chances(0.4973, 0.0054, 0.4973), ("{} wins", "{} draws", "{} losses"))
    '50% wins, <1% draws, 50% losses'
    """
    shares = (chances.win, chances.draw, chances.loss)
    win, loss = (int(100 * share + 0.5 + CERTAINTY) for share in (chances.win, chances.loss))
    if chances.draw <= CERTAINTY or win + loss > 100:
        loss = 100 - win
    points = (win, 100 - win - loss, loss)
    found = [
        name.format(shown(share, whole))
        for name, whole, share in zip(names, points, shares, strict=True)
        if share > CERTAINTY
    ]
    return ", ".join(found)


def kept(value: float, chances: Chances | None) -> str:
    """Return a noun phrase for a result that is kept.

    >>> kept(-1.0, None), kept(0.0, Chances(0.25, 0.5, 0.25)), kept(0.22, None)
    ('the loss', '25% wins, 50% draws, 25% losses', 'a winning chance of 61% (a draw counts half)')
    """
    sure = certain(value, chances)
    if sure:
        return f"the {sure}"
    if chances is None:
        return f"a winning chance of {chance(value)} ({HALF})"
    return parts(chances, ("{} wins", "{} draws", "{} losses"))


def brings(value: float, chances: Chances | None) -> str:
    """Return a verb phrase for the result of a move.

    >>> brings(1.0, None), brings(0.0, Chances(0.25, 0.5, 0.25))
    ('wins', 'wins 25%, draws 50%, loses 25%')
    """
    sure = certain(value, chances)
    if sure:
        return RESULTS[sure]
    if chances is None:
        return f"leaves a winning chance of {chance(value)} ({HALF})"
    return parts(chances, ("wins {}", "draws {}", "loses {}"))


def verdict(value: float, seat: Seat | None = None, chances: Chances | None = None) -> str:
    """Say in a sentence how good a position is. A seat is addressed as "you".

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
    """Join names with "or". If several names are left after `most`, "another" stands for them.

    >>> either(["bid 1"]), either(["bid 1", "bid 2", "bid 10"])
    ('bid 1', 'bid 1, bid 2 or bid 10')
    """
    shown = [*names[:most], "another"] if len(names) > most + 1 else list(names)
    return " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def mixture(options: Sequence[Option]) -> str:
    """List the moves of a mixed strategy with their frequencies, most frequent first."""
    played = most_frequent(options)
    often = percents([option.probability for option in played])
    return ", ".join(f"{o.words} ({share})" for o, share in zip(played, often, strict=True))


def most_frequent(options: Sequence[Option]) -> list[Option]:
    """Return the options that perfect play chooses, most frequent first."""
    return sorted((o for o in options if o.probability > TOLERANCE), key=lambda o: -o.probability)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- advice ------------------------------------------------------------------


BAR_WIDTH = 12
#: The most fixed choices that are named to explain why to mix.
MAX_FIXED = 3
#: The most moves that a short sentence names.
MAX_ADVISED = 3
#: A first word that names a kind of move, and a space.
FIRST_WORD = re.compile(r"[^\W\d_]+ ")
#: The most moves that are named in one row.
MAX_NAMED = 12
EIGHTHS = " ▏▎▍▌▋▊▉█"


def short_advice(position: Position, seat: Seat) -> str:
    """Return what a seat should do, in one short sentence."""
    options = position.options[seat]
    best, safe = options[0], safe_options(options)
    sure = certain(best.value, best.chances)
    chances = f"your winning chance is {chance(best.value)}"
    if len(options) == 1:
        return f"Your only move is {best.words}."
    if len(safe) == len(options):
        every = f"Every move {RESULTS[sure]}" if sure else f"Whatever you play, {chances}"
        hardest = either(words_of([option for option in options if option.hardest]), MAX_ADVISED)
        return f"{every}." + (f" Hardest for your opponent: {hardest}." if hardest else "")
    if safe:
        each = "it" if len(safe) == 1 else "each"
        names = either(words_of(safe), MAX_ADVISED)
        return f"{capital(names)}: {f'{each} {RESULTS[sure]}' if sure else chances}."
    return f"Mix your choices: {frequent_first(options)}."


def frequent_first(options: Sequence[Option]) -> str:
    """Name the moves of a mixed strategy without figures.

    >>> mixed = {"play 6": 0.6, "play 8": 0.2, "play 9": 0.2}
    >>> frequent_first([Option("", 0.0, share, words=words) for words, share in mixed.items()])
    'mostly 6, sometimes 8 or 9'
    """
    played = most_frequent(options)
    first = len(shared_word(played))
    names = [option.words[first:] for option in played]
    most, least = played[0].probability, played[-1].probability
    if percent(most) == percent(least):
        return f"{either(names)}, equally often"
    often = "mostly" if most >= 0.5 else "most often"
    return f"{often} {names[0]}, sometimes {either(names[1:], MAX_ADVISED)}"


def shared_word(options: Sequence[Option]) -> str:
    """Return the first word and space that all options share, or empty if there is none."""
    found = FIRST_WORD.match(options[0].words)
    first = found[0] if found else ""
    return first if all(option.words.startswith(first) for option in options) else ""


def advice(position: Position, seat: Seat, viewer: Seat | None = None) -> Iterator[str]:
    """Yield a sentence or two about what a seat should do."""
    options = position.options[seat]
    whose = "Your" if viewer is seat else f"{seat}'s"
    other = "your opponent" if viewer is seat else str(seat.other)
    best = options[0]
    keeps = kept(best.value, best.chances)
    if len(options) == 1:
        yield f"{whose} only move is {best.words}."
    elif len(safe_options(options)) == len(options):
        said = "loses" if keeps == "the loss" else f"keeps {keeps}"
        yield f"{whose} moves are all equally good: every move {said}."
        yield from preferred(position, options, other)
    elif safe := safe_options(options):
        verb = brings(best.value, best.chances)
        if len(position.options) == 2:
            verb = f"keeps {keeps}, whatever {other} does"
        if len(safe) == 1:
            yield f"{whose} best move is {safe[0].words}: it {verb}."
        else:
            yield f"{whose} best moves are equally good, {either(words_of(safe))}: each {verb}."
            yield from preferred(position, safe, other)
    else:
        yield f"{whose} best is a mixed strategy: {mixture(options)}."
        yield why_mix(options, draws="draw" in keeps)


def preferred(position: Position, options: Sequence[Option], other: str) -> Iterator[str]:
    """Yield which of several equally good options make a mistake of the other seat most likely."""
    hardest = [option for option in options if option.hardest]
    if not hardest:
        return
    names = either(words_of(hardest), MAX_ADVISED)
    if len(position.options) == 2:
        gain = "gains" if len(hardest) == 1 else "gain"
        yield f"{capital(names)} {gain} most if {other} goes wrong."
    else:
        yield f"{capital(other)} goes wrong most easily after {names}."


def words_of(options: Sequence[Option]) -> list[str]:
    return [option.words for option in options]


def safe_options(options: Sequence[Option]) -> list[Option]:
    """Return the options that keep the value whatever the other seat does, most frequent first."""
    top = max(option.value for option in options)
    safe = [option for option in options if option.guarantee >= top - TOLERANCE]
    return sorted(safe, key=lambda option: -option.probability)


def why_mix(options: Sequence[Option], *, draws: bool) -> str:
    """Say how little a fixed choice leaves against an opponent who expects it."""
    played = [option for option in options if option.probability > 0]
    fixed = sorted(played, key=lambda option: -option.guarantee)
    listed = ", ".join(f"always {o.words}: {chance(o.guarantee)}" for o in fixed[:MAX_FIXED])
    half = f"; {HALF}" if draws else ""
    does = f"holds you to {chance(fixed[0].guarantee)} ({listed}{half})"
    if fixed[0].guarantee < TOLERANCE - 1:
        does = "always wins"
    return (
        f"If you always choose the same, a prepared opponent {does}."
        " A random choice can't be predicted."
    )


# ---- tables of options ---------------------------------------------------------


def is_mixed(options: Sequence[Option]) -> bool:
    """Return whether perfect play is a mixed strategy."""
    return any(TOLERANCE < option.probability < 1 - TOLERANCE for option in options)


def named(words: Sequence[str]) -> str:
    """List moves, and count those after the first `MAX_NAMED`."""
    more = len(words) - MAX_NAMED
    return ", ".join(words[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """Draw a share from 0 to 1 as a bar of blocks. Only a share of 1 fills it."""
    most = width * 8 - (share < 1 - TOLERANCE)
    eighths = min(most, round(max(0.0, min(1.0, share)) * width * 8))
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(width, "·")


# ---- reviews -----------------------------------------------------------------


#: Smaller luck is not shown.
LUCK_SHOWN = 0.0005
LUCK = (
    "Luck is what no mistake explains: which cards came, and how choices made at the same time"
    " happened to meet."
)


def review_lines(
    review: Review, names: tuple[str, str] | None = None, seat: Seat = Seat.ONE
) -> Iterator[str]:
    """Yield a review in words: how both played, every decision, and every mistake.

    In the table, `names` replace those from `shown_names`, and the winning chance is that of
    `seat`.
    """
    yield headline(review)
    yield from figures_lines(review)
    yield at_start(review)
    yield ""
    yield from turn_lines(review, names or shown_names(review.record.players), seat)
    if CONCEDED.match(review.record.reason):
        yield review.record.reason
    if review.mistakes:
        yield ""
        for turn, made in groupby(review.mistakes, key=lambda mistake: mistake.turn):
            yield from mistake_lines(turn, list(made))
    if has_luck(review):
        yield from ("", LUCK)


def at_start(review: Review) -> str:
    """Say who wins if both play perfectly from the start."""
    said = verdict(review.course[0], None, review.chances)
    return f"At the start: {said.replace('It is', 'it is', 1)}"


def turning_point(review: Review) -> Grade | None:
    """Return the last big mistake or, if there is none, the costliest mistake."""
    wrong = [grade for grade in review.grades if grade.is_mistake]
    big = [grade for grade in wrong if grade.is_decisive]
    return big[-1] if big else max(wrong, key=lambda grade: grade.loss, default=None)


def headline(review: Review) -> str:
    """Say who can be predicted, and where the game turned."""
    turned = turning_point(review)
    said = "Nobody made a mistake." if review.grades else "Nothing was decided."
    if turned:
        how = f"The {'costliest' if len(review.mistakes) > 1 else 'only'} mistake was made"
        how = "The game turned" if turned.is_decisive else how
        said = f"{how} in turn {turned.turn}: {turned.seat}'s {turned.words}."
    elif review.habits:
        said = "No single move was a mistake."
    return " ".join([*map(habit_sentence, review.habits), said])


def habit_sentence(habit: Habit) -> str:
    """Say how a player can be predicted, and what that leaves against somebody who knows it.

    >>> habit = Habit(Seat.ONE, "lowest", "bids the lowest number", 12, 3, value=-0.5, free=0.0)
    >>> habit_sentence(habit)[:73]
    'Predictable: Player 1 bids the lowest number in every round of 3 games. A'
    """
    where = f" of {habit.games} games" if habit.games > 1 else ""
    left = f"holds {habit.seat} to {chance(habit.value)}"
    if habit.value < TOLERANCE - 1:
        left = "wins every game"
    told = f"Predictable: {habit.seat} {habit.words} in every round{where}."
    return f"{told} An opponent who knows that {left}."


def turn_lines(review: Review, names: tuple[str, str], seat: Seat) -> Iterator[str]:
    """Yield a row per decision: its cost, how often perfect play makes it, and the chance after."""
    moves = [(f"{grade.drawn}: " if grade.drawn else "") + grade.words for grade in review.grades]
    wide, long = max(len("player"), *map(len, names)), max([len("move"), *map(len, moves)])
    if not moves:
        yield "Nothing was decided."
        return
    mixed = any(grade.mixed for grade in review.grades)
    often = f"  {PERFECT}" if mixed else ""
    yield f"turn  {'player':{wide}}  {'move':{long}}    cost{often}   {seat}'s winning chance"
    for grade, move in zip(review.grades, moves, strict=True):
        after = review.course[min(grade.turn, len(review.course) - 1)] * (1, -1)[seat] + 0.0
        lost = cost(grade.loss) if grade.loss else "-"
        often = f"  {how_often(grade) or '-':>{len(PERFECT)}}" if mixed else ""
        line = f"{grade.turn:4}  {names[grade.seat]:{wide}}  {move:{long}}  {lost:>6}{often}"
        yield f"{line}   {bar((1 + after) / 2)} {chance(after):>4}"
    yield f"Cost: the winning chance that a move loses ({SCALE}); - costs nothing."
    if mixed:
        yield "Perfect play: in how many games it makes this choice; - where it does not mix."
    if any(grade.loss and not grade.is_mistake for grade in review.grades):
        yield f"A cost below {cost(LEAST_MISTAKE)} is an inaccuracy and not called a mistake."


# ---- mixed strategies ----------------------------------------------------------


#: The title of the column that says how often perfect play makes a choice.
PERFECT = "perfect play"
#: The largest denominator of a frequency that is not rare.
MAX_DENOMINATOR = 10


def how_often(grade: Grade) -> str:
    """Return in how many games perfect play makes a choice, or empty if it does not mix."""
    return frequency(grade.probability) if grade.mixed else ""


def frequency(share: float) -> str:
    """Format a probability as a number of games.

    >>> [frequency(share) for share in (0.0, 0.0049, 0.07, 0.31, 0.5, 0.97, 1.0)]
    ['never', '1 of 200', '1 of 14', '3 of 10', '1 of 2', '32 of 33', 'always']
    """
    if share < TOLERANCE or share > 1 - TOLERANCE:
        return "never" if share < 0.5 else "always"
    if MAX_DENOMINATOR * min(share, 1 - share) >= 1:
        near = Fraction(share).limit_denominator(MAX_DENOMINATOR)
        return f"{near.numerator} of {near.denominator}"
    games = 1 / min(share, 1 - share)
    rounding = 10 ** (len(str(int(games))) - 2)  # two digits are enough
    games = rounding * round(games / rounding)
    return f"{1 if share < 0.5 else games - 1} of {games}"


def often_sentence(grade: Grade) -> str:
    """Say how often perfect play makes a choice."""
    often = how_often(grade)
    if often in ("never", "always"):
        return f"Perfect play {often} does this here."
    return f"Perfect play does this in {often} games."


# ---- mistakes ------------------------------------------------------------------


def mistake_lines(turn: int, made: Sequence[Mistake]) -> Iterator[str]:
    both = len(made) > 1
    if both:
        yield f"Turn {turn}: both went wrong."
    for mistake in made:
        yield ("  " if both else f"Turn {turn}: ") + " ".join(sentences(mistake))


def sentences(mistake: Mistake) -> Iterator[str]:
    """Yield the cost of a mistake, its punishment, and the right move."""
    yield from what_happened(mistake)
    yield right_sentence(mistake)


def what_happened(mistake: Mistake) -> Iterator[str]:
    """Yield the cost of a mistake and its punishment, but not the right move."""
    yield cost_sentence(mistake)
    yield line_sentence(mistake)
    if mistake.answer is not None:
        yield answer_sentence(mistake)


def cost_sentence(mistake: Mistake) -> str:
    move = f"{mistake.seat}'s {mistake.words}"
    if mistake.drawn:
        move += f" after drawing {mistake.drawn}"
    before, after = sure_result(mistake.before), sure_result(mistake.after)
    if before and after:
        return f"{move} turns a {before} into a {after}."
    fall = chance(mistake.before.value), chance(mistake.after.value)
    if fall[0] == fall[1]:
        return f"{move} costs {cost(mistake.loss)} of the winning chance."
    return f"{move} lowers {mistake.seat}'s winning chance from {fall[0]} to {fall[1]}."


def sure_result(what: Worth) -> str | None:
    return certain(what.value, what.chances)


def line_sentence(mistake: Mistake, when: str = "now") -> str:
    """Describe the reply that punishes a mistake, the line after it, and its result.

    `when` is `now` after a move that was made, and `then` after one that was not.
    """
    line, end = mistake.line, ending(mistake)
    if not line.turns:
        return f"That ends the game: {end}." if line.outcome else f"{capital(end)}."
    first, *rest = line.turns
    card = f"If {first.drawn} is drawn next, " if first.drawn else ""
    if not first.plays:
        return f"{card}{end}."
    who, reply = first.plays[0].seat, " against ".join(play.words for play in first.plays)
    can, then = f"{card}{who} can" if card else f"{who} can {when}", ""
    if mistake.answer is not None:
        can, reply = f"{who} could", f"{reply} in the same turn"
    if rest:
        then = ", then " + ", ".join(turn_words(turn, n == 0) for n, turn in enumerate(rest))
    elif line.outcome and line.outcome.winner in (who, None):
        return f"{can} {'draw' if line.outcome.winner is None else 'win'} with {reply}."
    return f"{can} reply with {reply}{then}: {end}."


def turn_words(turn: Turn, is_first: bool) -> str:
    """Describe a turn of a line, with the seats if it is the first one and both choose."""
    if is_first and len(turn.plays) > 1:
        return " against ".join(f"{play.seat}'s {play.words}" for play in turn.plays)
    return " against ".join(play.words for play in turn.plays)


def ending(mistake: Mistake) -> str:
    """Return the result of the line that punishes a mistake, or what it leaves."""
    line = mistake.line
    if line.outcome:
        winner = line.outcome.winner
        return "the game is drawn" if winner is None else f"{winner} wins"
    sure = sure_result(line.left)
    left = f"a {sure}" if sure else f"a winning chance of {chance(line.left.value)}"
    return f"that leaves {mistake.seat} with {left}"


def answer_sentence(mistake: Mistake) -> str:
    """Say whether the other player found the punishing reply in the same turn."""
    found = mistake.answer == mistake.line.turns[0].plays[0].words
    said = "found it" if found else f"chose {mistake.answer} instead"
    return f"{mistake.seat.other} {said}."


def right_sentence(mistake: Mistake) -> str:
    options, before = mistake.right, sure_result(mistake.before)
    keeps = f"the {before}" if before else f"{mistake.seat}'s winning chance"
    if all(option.guarantee >= mistake.before.value - TOLERANCE for option in options):
        return f"{capital(doing(words_of(options), MAX_ADVISED))} would have kept {keeps}."
    return f"A mixed strategy would have kept {keeps}: {mixture(options)}."


#: A move that begins with a verb, such as "add 7" or "keep".
VERB = re.compile(r"([a-z]+)( .*)?")


def doing(moves: Sequence[str], most: int) -> str:
    """Join moves with "or" as the subject of a sentence.

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
    """Return the form of a verb that ends in -ing.

    >>> [gerund(verb) for verb in ("add", "give", "bid", "keep", "play", "subtract")]
    ['adding', 'giving', 'bidding', 'keeping', 'playing', 'subtracting']
    """
    if re.fullmatch(r".*[^e]e", verb):
        return f"{verb[:-1]}ing"
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)  # one vowel, one consonant
    return f"{verb}{verb[-1] if short else ''}ing"


# ---- figures -------------------------------------------------------------------


def figures_lines(review: Review) -> Iterator[str]:
    """Yield a line per player: the number of mistakes, their cost, and the luck."""
    for seat, tally in review.players.items():
        own = [grade for grade in review.grades if grade.seat is seat]
        yield f"{seat}: {' '.join(figures(own, tally.luck))}"


def figures(grades: Sequence[Grade], luck: float, games: int = 1) -> Iterator[str]:
    """Yield how many mistakes a player made, their cost, and the luck per game.

    >>> grades = [Grade(1, Seat.ONE, "A3", 0.0, loss, 1.0, ("S4",)) for loss in (1.0, 0.5, 0.0)]
    >>> list(figures(grades, 0.0))[1]
    'They cost 38% of the winning chance on average, the worst 50%.'
    """
    wrong = [grade.loss for grade in grades if grade.is_mistake]
    small = sum(grade.kind == INACCURACY for grade in grades)
    many = counted(len(wrong), "mistake") if wrong else "no mistake"
    where = f" of {games} games" if games > 1 else ""
    yield f"{many} in {counted(len(grades), 'move')}{where}." if grades else "no moves."
    if wrong:
        mean, most = cost(fmean(wrong)), cost(max(wrong))
        same = f"{'It' if len(wrong) == 1 else 'Each'} cost {most} of the winning chance."
        worst = f"They cost {mean} of the winning chance on average, the worst {most}."
        yield same if mean == most else worst
    if small:
        yield f"{small} more cost less than {cost(LEAST_MISTAKE)}."
    if abs(luck) >= LUCK_SHOWN:
        yield f"Luck {luck_words(luck / games)}{' per game' if games > 1 else ''}."


def has_luck(review: Review) -> bool:
    return any(abs(luck) >= LUCK_SHOWN for luck in review.luck)


def luck_words(luck: float) -> str:
    """Say what luck brought. Luck adds up, but never to more than 100%.

    >>> luck_words(0.0), luck_words(-0.5), luck_words(2.5)
    ('none', 'cost 25%', 'brought 100% or more')
    """
    if abs(luck) < LUCK_SHOWN:
        return "none"
    much = cost(abs(luck)) if abs(luck) < 2 else "100% or more"
    return f"{'brought' if luck > 0 else 'cost'} {much}"


#: The moves that `carelessness` counts.
COUNTED_MOVES = "Moves that can't go wrong are not in this average."


def carelessness(measure: Carelessness | None) -> str:
    """Say what a player's moves cost on average.

    >>> carelessness(Carelessness(0.02, (0.01, 0.03)))
    'A move costs 2% of the winning chance on average (95% interval 1% to 3%).'
    """
    if measure is None:
        return "No move could go wrong."
    said = f"A move costs {cost(2 * measure.mean)} of the winning chance on average"
    if measure.interval is None:
        return f"{said}."
    low, high = measure.interval
    return f"{said} (95% interval {cost(2 * low)} to {cost(2 * high)})."
