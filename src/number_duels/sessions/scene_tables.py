"""Tables and hints, as parts of a scene and as lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from number_duels.core.game import Seat
from number_duels.core.history import AnyHistory
from number_duels.core.names import OPPONENT, SEAT_NAMES, YOU, Names
from number_duels.core.record import with_names
from number_duels.core.scene import TOLD, Action, Row, Scene, Table
from number_duels.review.mistakes import is_mistake
from number_duels.review.position import (
    CERTAINTY,
    TOLERANCE,
    AnySolution,
    Option,
    Position,
    examine_with_chances,
)
from number_duels.review.reasons import reasons
from number_duels.review.words import (
    BAR_WIDTH,
    HALF,
    RESULTS,
    advice,
    bar,
    brings,
    capital,
    certain,
    chance,
    is_mixed,
    named,
    percent,
    percents,
    safe_options,
    shared_word,
    short_advice,
    verdict,
)
from number_duels.trainer.feedback import Feedback, Series, series_sentences


def option_shares(options: Sequence[Option]) -> list[str]:
    """Return how often perfect play chooses each option, in percent, or "-" for never."""
    shares = [option.probability if option.probability > TOLERANCE else 0.0 for option in options]
    return [text if share else "-" for share, text in zip(shares, percents(shares), strict=True)]


FIGURES: Mapping[str, Callable[[Sequence[Option]], list[str]]] = {
    "chance": lambda options: [chance(option.value) for option in options],
    "often": option_shares,
    "at worst": lambda options: [chance(option.guarantee) for option in options],
}
MEANINGS = {
    "chance": f"chance: the winning chance; {HALF}.",
    "often": "often: how often perfect play chooses this move.",
    "at worst": "at worst: the winning chance if the opponent guesses this move.",
}


SMALLEST_SHARE = 0.01
#: The headings of tables that hold only some of the moves.
BEST, WORSE = "Best", "Worse"
NEARLY_EQUAL = "Both are nearly equal."
BETTER = "One of your 2 moves is better than the other."


def hint_of(
    solution: AnySolution, history: AnyHistory, seat: Seat | None, names: Names = SEAT_NAMES
) -> tuple[Position, Scene]:
    position, told = examine_with_chances(solution, history.view(seat)), list[str]()
    if seat is not None and seat in position.options:
        other = opponent_of(seat, names)
        called = (YOU, other) if seat is Seat.ONE else (other, YOU)
        why = reasons(solution, history, seat, position)
        told += (capital(with_names(line, called)) for line in why)
    return position, replace(hint_scene(position, seat, names), lines=tuple(told))


def hint_scene(position: Position, seat: Seat | None, names: Names = SEAT_NAMES) -> Scene:
    """Return a hint as a scene: how many moves are good, advice, the winning chance, and tables."""
    tables: tuple[Table, ...] = ()
    prompt = answer = ""
    said = verdict(position.value, seat, position.chances, opponent_of(seat, names))
    detail = headline = with_names(said, names)
    if seat is not None and seat in position.options:
        tables = tuple(option_tables(position, seat, names, viewer=seat))
        headline = short_advice(position, seat)
        prompt = nudge(position.options[seat], opponent_of(seat, names))
        answer = best_moves(position.options[seat])
    return Scene(
        TOLD,
        "Hint",
        headline=headline,
        detail=detail,
        you=seat,
        prompt=prompt,
        answer=answer,
        tables=tables,
        notes=column_notes(tables),
    )


def opponent_of(viewer: Seat | None, names: Names) -> str:
    return OPPONENT if viewer is None or names == SEAT_NAMES else names[viewer.other]


def best_moves(options: Sequence[Option]) -> str:
    """Return the good moves to mark on a board, in notation, or "" if all moves are equal.

    If all moves are equally good, mark those that are hardest to reply to.

    >>> wins, loses = Option("1", 1.0, 1.0, 1.0), Option("2", -1.0, 0.0, -1.0)
    >>> best_moves([wins, loses, loses]), best_moves([loses])
    ('1', '')
    >>> best_moves([loses, replace(loses, move="3", hardest=True)])
    '3'
    """
    best = safe_options(options) or [o for o in options if o.probability >= SMALLEST_SHARE]
    if len(best) == len(options):
        best = [option for option in options if option.hardest]
    return " ".join(option.move for option in best) if len(best) < len(options) else ""


def nudge(options: Sequence[Option], other: str = OPPONENT) -> str:
    """Say how many moves are good without naming one. Return "" if there is only one move.

    >>> wins, loses = Option("1", 1.0, 1.0, 1.0), Option("2", -1.0, 0.0, -1.0)
    >>> nudge([wins, loses, loses])
    'Only one of your 3 moves wins.'
    >>> nudge([wins, loses])
    'Only one of your 2 moves wins. Compare what your opponent can do after each.'
    """
    good, count = safe_options(options), len(options)
    if not good:
        return f"No move is safe if {other} guesses it, so don't be predictable."
    sure = certain(good[0].value, good[0].chances)
    if count == 1:
        return ""
    if len(good) == count:
        perfect = "" if sure == "win" else " against perfect play"
        chances = f"Whatever you play, your winning chance is {chance(good[0].value)}."
        return f"Every move {RESULTS[sure]}{perfect}." if sure else chances
    if len(good) == 1:
        return nudge_to_one(options, other)
    return f"{len(good)} of your {count} moves {sure or 'are best'}."


def nudge_to_one(options: Sequence[Option], other: str) -> str:
    best, *others = options
    sure, count = certain(best.value, best.chances), len(options)
    if count > 2:
        return f"Only one of your {count} moves {RESULTS[sure] if sure else 'is best'}."
    if not is_mistake(best.value - others[0].value):
        return NEARLY_EQUAL
    better = f"Only one of your 2 moves {RESULTS[sure]}." if sure else BETTER
    return f"{better} Compare what {other} can do after each."


def hint_steps(hint: Scene) -> tuple[Scene, ...]:
    """Split a hint into up to three steps: how many moves are good, the move, and the reason."""
    bare = Scene(TOLD, hint.title, you=hint.you)
    why = replace(bare, lines=hint.lines)
    rows = [(table.kind, row.good) for table in hint.tables for row in table.rows]
    if any(kind == "mixed" or good is not None for kind, good in rows):
        figures = tuple(map(plain_table, hint.tables))
        # The heading of the table already says "winning chance".
        notes = tuple(note for note in column_notes(figures) if note != MEANINGS["chance"])
        why = replace(bare, lines=(hint.detail, *hint.lines), tables=figures, notes=notes)
    move = replace(bare, detail=hint.headline, answer=hint.answer)
    possible = (replace(bare, detail=hint.prompt), move, why)
    steps = [step for step in possible if step.detail or step.lines]
    for place, after in enumerate(steps[1:]):
        label = "Show the move" if after is move else "Show why"
        steps[place] = replace(steps[place], actions=(Action("hint", label),))
    return tuple(steps)


def plain_table(table: Table) -> Table:
    """Return a hint's table without sentences, repeated figures and columns that say nothing new.

    Moves with equal chances share a row. A separate table says how often each is played.
    """
    if table.kind != "options":
        return replace(table, sentences=())
    worst = table.columns.index("at worst") if "at worst" in table.columns else 0
    differs = any(row.cells[worst] != row.cells[0] for row in table.rows)
    shown = [0, *([worst] if differs and "often" not in table.columns else [])]
    rows = list[Row]()
    for row in table.rows:
        one = replace(row, cells=tuple(row.cells[place] for place in shown))
        alike = bool(rows) and alike_in(rows[-1]) == alike_in(one)
        rows.append(replace(one, same=alike))
    columns = tuple(table.columns[place] for place in shown)
    return replace(table, rows=tuple(rows), columns=columns, sentences=())


def alike_in(row: Row) -> tuple[bool | None, tuple[str, ...], str]:
    return row.good, row.cells, row.said


def mix_line(table: Table) -> str:
    """Return a table of a mixed strategy as a sentence."""
    return f"{table.title}: {', '.join(f'{row.short} ({row.cells[0]})' for row in table.rows)}."


def option_tables(
    position: Position,
    seat: Seat,
    names: Names = SEAT_NAMES,
    *,
    viewer: Seat | None = None,
    key: Callable[[str], str] = lambda _: "",
    picked: str = "",
) -> Iterator[Table]:
    """Yield a table of the mixed strategy, if there is one, and a table of all options.

    Texts address `viewer` as "you". `key` maps a move to the text that a front end sends back.
    `picked` is the move to mark.
    """
    options, columns = position.options[seat], ["chance"]
    if is_mixed(options):
        columns.append("often")
        yield mix_table([o for o in options if o.probability >= SMALLEST_SHARE], seat)
    if len(position.options) == 2:
        columns.append("at worst")
    rows = tuple(
        replace(row, key=key(row.key), seat=seat, here=row.key == picked)
        for row in option_rows(options, columns)
    )
    title = names[seat] if len(position.options) == 2 and viewer is None else ""
    told = advice(position, seat, viewer, opponent_of(viewer, names))
    sentences = tuple(with_names(line, names) for line in told)
    head = capital(shared_word(options).strip()) or "Move"
    yield Table(rows, tuple(columns), title, sentences, head=head)


def option_rows(options: Sequence[Option], columns: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each option, with its move as the key. Equal rows are adjacent."""
    top, first = max(option.value for option in options), shared_word(options)
    groups: dict[tuple[bool, tuple[str, ...], str], list[Option]] = {}
    figures = zip(*(FIGURES[column](options) for column in columns), strict=True)
    for option, cells in zip(options, figures, strict=True):
        reads = option.value > top - TOLERANCE, cells, more_than_chance(option)
        groups.setdefault(reads, []).append(option)
    for (good, cells, said), equal in groups.items():
        for option in equal:
            yield Row(
                option.words,
                cells,
                share_of(option.value),
                good,
                key=option.move,
                short=capital(option.words[len(first) :]),
                said=said,
                same=option is not equal[0],
            )


def more_than_chance(option: Option) -> str:
    """Say what a move brings, or return "" if its winning chance already says that."""
    chances = option.chances
    told = certain(option.value, chances) or (chances and chances.draw > CERTAINTY)
    return brings(option.value, chances) if told else ""


def mix_table(
    played: Sequence[Option], seat: Seat, title: str = "How often perfect play makes each choice"
) -> Table:
    first = len(shared_word(played))
    often = dict(zip(played, option_shares(played), strict=True))
    rows = tuple(
        Row(o.words, (often[o],), o.probability, seat=seat, short=o.words[first:])
        for o in sorted(played, key=lambda option: natural_order(option.words))
    )
    return Table(rows, ("often",), title, kind="mixed")


def answer_tables(
    options: Sequence[Option], weights: Mapping[str, float], seat: Seat
) -> Iterator[Table]:
    given = [replace(option, probability=weights.get(option.move, 0.0)) for option in options]
    for title, strategy in (("Your mix", given), ("Perfect mix", options)):
        played = [option for option in strategy if option.probability > TOLERANCE]
        yield mix_table(played, seat, title)


def share_of(value: float) -> float:
    return min(1.0, max(0.0, (1 + value) / 2))


def natural_order(words: str) -> list[tuple[int, str]]:
    return [(len(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", words)]


def column_notes(tables: Sequence[Table]) -> tuple[str, ...]:
    shown = {column for table in tables if table.kind == "options" for column in table.columns}
    return tuple(text for column, text in MEANINGS.items() if column in shown)


def feedback_tables(feedback: Feedback) -> Iterator[Table]:
    columns = ("chance", "often") if is_mixed(feedback.good) else ("chance",)
    for title, head, options, good in (
        ("good", BEST, feedback.good, True),
        ("bad", WORSE, feedback.bad, False),
    ):
        if options:
            rows = option_rows(options, columns)
            # The heading does not say the verb: the first of equal moves does.
            read = (
                replace(row, good=good, key="", short=row.short if row.same else capital(row.words))
                for row in rows
            )
            yield Table(tuple(read), columns, title, head=head)


def series_table(found: Series) -> Table:
    rows = tuple(
        Row(
            one.words,
            (
                percent(one.share),
                f"{percent(one.low)} to {percent(one.high)}",
                percent(one.perfect),
            ),
            one.share,
            range=(one.low, one.high),
            mark=one.perfect,
        )
        for one in found.moves
        if one.count or one.perfect
    )
    return Table(
        rows,
        ("you", "(range)", "perfect"),
        f"{found.count} answers",
        (*series_sentences(found),),
        kind="series",
        head="move",
    )


def scene_lines(scene: Scene) -> Iterator[str]:
    options = [table for table in scene.tables if table.kind == "options"]
    is_told = any(table.sentences for table in options)
    mixes = [mix_line(one) for one in scene.tables if one.kind == "mixed" and not is_told]
    blocks = (
        [scene.detail] if scene.detail else [],
        [*scene.lines, *mixes],
        *([*table_lines(table)] for table in options),
        [f"  {note}" for note in scene.notes],
    )
    for number, block in enumerate(filter(None, blocks)):
        yield from ("", *block) if number else block


def table_lines(table: Table) -> Iterator[str]:
    yield from table.sentences
    if table.kind == "series":
        you, between, perfect = table.columns
        yield f"   {you}  {between:14}  {perfect}"
        for row in table.rows:
            you, between, perfect = row.cells
            yield f"  {you:>4}  {between:14}  {perfect:>7}  {row.words}"
        return
    title = "" if table.sentences else table.title
    yield "  " + "  ".join([f"{title:{BAR_WIDTH}}", *table.columns])
    for rows, words in worded(table):
        figures = zip(rows[0].cells, table.columns, strict=True)
        cells = (f"{cell:>{len(column)}}" for cell, column in figures)
        yield "  " + "  ".join([bar(rows[0].share), *cells, words])


def worded(table: Table) -> Iterator[tuple[tuple[Row, ...], str]]:
    """Yield the rows of equal moves, and their words. If all moves are equal, name none of them."""
    groups = [*table.folded()]
    is_every = len(groups) == 1 < len(table.rows) and table.head not in (BEST, WORSE)
    for rows in groups:
        yield rows, f"every move {rows[0].said}" if is_every and rows[0].said else words_of(rows)


def words_of(rows: tuple[Row, ...]) -> str:
    said = named(sorted((row.words for row in rows), key=natural_order))
    each = "each " if len(rows) > 1 else ""
    return f"{said}: {each}{rows[0].said}" if rows[0].said else said
