"""Sentences that explain why a move is right or wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from statistics import fmean

from number_duels.core.game import Decision, Outcome, Seat
from number_duels.core.history import AnyHistory
from number_duels.core.notation import Step
from number_duels.review.mistakes import (
    Mistake,
    grade_step,
    hardest_reply,
    is_mistake,
    mistake,
)
from number_duels.review.position import (
    TOLERANCE,
    AnySolution,
    Option,
    Position,
    words_of_moves,
)
from number_duels.review.words import (
    MAX_ADVISED,
    RESULTS,
    capital,
    certain,
    cost_sentence,
    doing,
    either,
    fall,
    kept,
    line_sentence,
    most_frequent,
    safe_options,
    sure_result,
    third_person,
    without_verb,
    words_of,
)

#: A line explains a mistake if it loses at least this many times the cost of the mistake.
TELLING = 2


def reasons(
    solution: AnySolution, history: AnyHistory, seat: Seat, position: Position
) -> Iterator[str]:
    """Yield sentences that explain why a seat's best moves are best, or why to mix them.

    The sentences call the players "Player 1" and "Player 2".
    """
    options = position.options[seat]
    safe = safe_options(options)
    if not safe:
        yield why_secret(solution, history, seat, most_frequent(options)[0])
    elif len(safe) < len(options):
        both, move = len(position.options) == 2, move_of(history, seat, safe[0].move)
        yield from leads_to(solution, history, seat, safe[0], both=both)
        if merit := solution.game.merit(history.view(seat), seat, move):
            yield merit
        yield from why_not(solution, history, seat, position)
    elif len(options) > 1:
        yield from why_equal(solution, history, seat, position)


def why_equal(
    solution: AnySolution, history: AnyHistory, seat: Seat, position: Position
) -> Iterator[str]:
    """Name the opponent's only good replies to moves that are all equally good."""
    game, other, options = solution.game, seat.other, position.options[seat]
    sure = certain(-options[0].value, options[0].chances)
    replies = position.options.get(other, ())
    good = safe_options(replies) if replies else []
    hardest = next((option for option in options if option.hardest), None)
    if sure and 0 < len(good) < len(replies):
        how = capital(doing(words_of(good), MAX_ADVISED))
        yield f"{how} {RESULTS[sure]} for {other}, whatever {seat} does."
    elif sure and hardest and not replies:
        after = game.resolve(history.view(seat), {seat: move_of(history, seat, hardest.move)})
        turn = game.turn(after)
        if isinstance(turn, Decision) and list(turn.options) == [other]:
            values, words = solution.values(after, other), words_of_moves(game, after, other)
            best = [words[one] for one in values if values[one] > max(values.values()) - TOLERANCE]
            many = f"{'only ' if 2 * len(best) <= len(values) else ''}{len(best)} of {len(values)}"
            does = f"replies {RESULTS[sure] if len(best) == 1 else sure}"
            yield f"After {hardest.words}, {many} {does}: {either(best, MAX_ADVISED)}."


def risk_of(
    solution: AnySolution, history: AnyHistory, seat: Seat, position: Position, move: str
) -> str:
    """Say how an opponent who guesses a choice punishes it, or return "" if that costs nothing."""
    option = next(one for one in position.options[seat] if one.move == move)
    is_safe = option.guarantee >= option.value - TOLERANCE
    return "" if is_safe else why_secret(solution, history, seat, option)


def merit_of(solution: AnySolution, history: AnyHistory, seat: Seat, option: Option) -> str:
    """Say why a safe move is good: that it ends the game, or what it is good for in the game."""
    game, move = solution.game, move_of(history, seat, option.move)
    state = history.view(seat)
    turn = game.turn(state)
    ends = isinstance(turn, Decision) and seat.other not in turn.options
    if ends and isinstance(game.turn(game.resolve(state, {seat: move})), Outcome):
        return next(leads_to(solution, history, seat, option, both=False), "")
    return game.merit(state, seat, move)


def why_secret(solution: AnySolution, history: AnyHistory, seat: Seat, option: Option) -> str:
    state = history.view(seat)
    reply = hardest_reply(solution, state, seat, move_of(history, seat, option.move))
    words = words_of_moves(solution.game, state, seat.other)[reply]
    guessed = f"{seat.other} guesses {without_verb(option.words, words)}"
    lower = fall(option.value, option.guarantee)
    return f"If {guessed} and {third_person(words)}, {seat}'s winning chance falls {lower}."


def leads_to(
    solution: AnySolution, history: AnyHistory, seat: Seat, option: Option, *, both: bool
) -> Iterator[str]:
    """Say what a safe move leads to, with an example of a reply if possible."""
    game, move = solution.game, capital(doing([option.words], 1))
    if both:
        keeps = kept(option.value, option.chances)
        yield f"{move} keeps {keeps}, whatever {seat.other} does."
        return
    after = game.resolve(history.view(seat), {seat: move_of(history, seat, option.move)})
    turn, sure = game.turn(after), certain(option.value, option.chances)
    if sure and isinstance(turn, Outcome):
        yield f"{move} {RESULTS[sure]} at once."
    elif sure and isinstance(turn, Decision) and list(turn.options) == [seat.other]:
        yield f"{move} {RESULTS[sure]} against every reply."
        reply = most_likely(solution, after, seat.other)
        met = game.resolve(after, {seat.other: reply})
        following = game.turn(met)
        if isinstance(following, Decision) and list(following.options) == [seat]:
            answer = most_likely(solution, met, seat)
            end = game.turn(game.resolve(met, {seat: answer}))
            wins = isinstance(end, Outcome) and end.winner is seat
            replied = words_of_moves(game, after, seat.other)[reply]
            answered = words_of_moves(game, met, seat)[answer]
            met_with = f"After {seat.other} {third_person(replied)}"
            yield f"{met_with}, {seat} can {'win' if wins else 'answer'} with {answered}."


def why_not(
    solution: AnySolution, history: AnyHistory, seat: Seat, position: Position
) -> Iterator[str]:
    """Yield sentences that say how the opponent can punish the mistake that looks best."""
    best = position.best(seat)
    wrong = [option for option in position.options[seat] if is_mistake(best - option.value)]
    if not wrong:
        options = position.options[seat]
        is_one = len(options) - len(safe_options(options)) == 1
        yield f"The other {'move costs' if is_one else 'moves cost'} less than 2%."
        return

    def against_random_play(option: Option) -> float:
        return round(mean_value(solution, history, seat, option.move), 9)

    made = mistake_if(solution, history, seat, max(wrong, key=against_random_play).move, position)
    yield cost_sentence(made)
    if is_telling(made) if made.line.turns else made.line.outcome:
        yield line_sentence(made, "then")


def mean_value(solution: AnySolution, history: AnyHistory, seat: Seat, move: str) -> float:
    game, state, moves = solution.game, history.view(seat), {seat: move_of(history, seat, move)}
    turn = game.turn(state)
    if isinstance(turn, Decision) and seat.other not in turn.options:
        state, moves = game.resolve(state, moves), {}
        turn = game.turn(state)
    replies = turn.options.get(seat.other, ()) if isinstance(turn, Decision) else ()
    after = [game.resolve(state, {**moves, seat.other: reply}) for reply in replies] or [state]
    return fmean(map(solution.value, after)) * (1, -1)[seat]


def mistake_if(
    solution: AnySolution, history: AnyHistory, seat: Seat, move: str, position: Position
) -> Mistake:
    """Return an explanation of why `move` would be a mistake."""
    state, moves = history.view(seat), {seat: move_of(history, seat, move)}
    if seat.other in position.options:
        moves[seat.other] = hardest_reply(solution, state, seat, moves[seat])
    steps = (*history.steps, Step.decided(solution.game, state, moves))
    drawn = ""
    for step in history.steps:
        drawn = "" if step.moves else drawn + step.text
    made = grade_step(steps[-1], history.turn_number, position, drawn)
    grade = next(one for one in made if one.seat is seat)
    return replace(mistake(solution, steps, grade, position), answered=None)


def is_telling(made: Mistake) -> bool:
    """Return whether the moves after a mistake show why it was one."""
    left, lost = made.line.left, made.before.value - made.line.left.value
    return bool(sure_result(left)) or lost >= TELLING * made.loss - TOLERANCE


def move_of(history: AnyHistory, seat: Seat, text: str) -> Hashable:
    turn = history.turn
    assert isinstance(turn, Decision)
    return next(move for move in turn.options[seat] if str(move) == text)


def most_likely(solution: AnySolution, state: Hashable, seat: Seat) -> Hashable:
    odds = solution.strategy(state, seat)
    return max(odds, key=odds.__getitem__)
