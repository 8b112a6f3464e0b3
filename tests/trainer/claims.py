"""What lessons claim in their files: facts of the rules, of one position, or of a whole game."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from number_duels.core.board import Cards, Fact, Grid, Meter, Part
from number_duels.core.game import Chance, Decision, IllegalMove, Seat
from number_duels.core.history import AnyHistory
from number_duels.core.record import Record
from number_duels.review.position import TOLERANCE, AnySolution, Option, examine
from number_duels.trainer.exercise import MIXED, Exercise, read_answer
from number_duels.trainer.feedback import best_reply_to
from number_duels.trainer.lessons import (
    FOLDER,
    SUFFIX,
    Lesson,
    LessonStep,
    Table,
    read_spot,
)
from number_duels.trainer.spot import Spot

#: What a claim says: a text, a figure, or a list of moves or numbers.
Said: TypeAlias = str | int | tuple[str, ...] | tuple[int, ...]

RESULTS = {1.0: "win", 0.0: "draw", -1.0: "loss"}
WINNERS = {Seat.ONE: "1-0", Seat.TWO: "0-1", None: "1/2-1/2"}


@dataclass(frozen=True)
class Claim:
    """A claim about the position after some moves, for one of the seats.

    >>> spot = Spot("number-knot", {}, None, "S9", Seat.TWO)
    >>> Claim("legal", ("A1", "S1"), spot).found()
    ('A1', 'S1', 'A2', 'S2', 'A3', 'S3', 'A4', 'S4', 'A5', 'S5', 'A6', 'S6', 'A7', 'S7', 'A8', 'S8')
    """

    kind: str
    said: Said
    spot: Spot
    #: The move, the card or the part of the board that it is about.
    about: str = ""
    #: What the other seat chooses at the same time.
    against: str = ""

    @property
    def of_rules(self) -> bool:
        """Whether the rules alone decide it."""
        return self.kind in RULES

    @property
    def of_whole_game(self) -> bool:
        """Whether it is a law, which every state has to confirm."""
        return self.kind == LAW

    def found(self, solution: AnySolution | None = None) -> Said:
        """What is true instead of what is said: the same, where the claim holds."""
        history = history_of(self.spot)
        if self.kind in RULES:
            return RULES[self.kind](self, history)
        if self.kind not in PLAY or solution is None:
            raise ValueError(f"A claim of the kind {self.kind!r} is not about one position.")
        return PLAY[self.kind](self, history, solution)

    def holds(self, solution: AnySolution | None = None) -> bool:
        found = self.found(solution)
        if isinstance(self.said, tuple):
            return isinstance(found, tuple) and sorted(map(str, found)) == sorted(
                map(str, self.said)
            )
        return found == self.said


# ---- in a file -------------------------------------------------------------------


def claimed(lesson: Lesson) -> Iterator[tuple[LessonStep, tuple[Claim, ...]]]:
    """The steps of a lesson that ships with the package, each with its claims."""
    text = (FOLDER / f"{lesson.game}{SUFFIX}").read_text(encoding="utf-8")
    return zip(lesson.steps, read_claims(lesson.game, text), strict=True)


def read_claims(game: str, text: str) -> Iterator[tuple[Claim, ...]]:
    """The claims of each step in the file of a lesson."""
    found = tomllib.loads(text)
    start = Spot(game, {}, found.get("deal"), "", Seat.ONE)
    for step in found["steps"]:
        spot = read_spot(step, start) or start
        yield tuple(read_claim(table, spot) for table in step.get("claims", []))


def read_claim(table: Table, spot: Spot) -> Claim:
    (kind,) = set(table) - CLAIM_KEYS
    assert kind in KINDS, table
    said, about, against = (table.get(key, "") for key in (kind, "about", "against"))
    if isinstance(said, list):
        said = tuple(said)
    assert isinstance(said, str | int | tuple), table
    return Claim(kind, said, read_spot(table, spot) or spot, str(about), str(against))


def history_of(spot: Spot) -> AnyHistory:
    """The game of a spot, also where nobody decides any more."""
    return Record(spot.game, spot.settings, spot.deal, 0, moves=spot.moves).match().history


# ---- the rules -------------------------------------------------------------------


def told(claim: Claim, history: AnyHistory) -> Said:
    """The line that the seat was told last and that has these words; else all of the lines."""
    lines = list(told_lines(history, claim.spot.seat))
    assert isinstance(claim.said, str)
    return claim.said if any(claim.said in line for line in lines) else " / ".join(lines)


def told_lines(history: AnyHistory, seat: Seat) -> Iterator[str]:
    step = history.seen(seat)[-1]
    yield from map(str, history.game.tell(step.before, step.moves, step.after, seat))


def shown(claim: Claim, history: AnyHistory) -> Said:
    """What a part of the board shows: a figure, or the numbers that are left."""
    parts = history.game.board(history.view(claim.spot.seat))
    owned = [part for part in parts if part.label == claim.about]
    mine = [part for part in owned if part.owner in (None, claim.spot.seat)]
    return figures(mine[0]) if mine else f"There is no {claim.about} on the board."


def figures(part: Part) -> Said:
    if isinstance(part, Meter):
        return part.value
    if isinstance(part, Fact):
        return part.text
    if isinstance(part, Grid):
        return tuple(cell for row in part.rows for cell in row if cell is not None)
    return part.cards if isinstance(part, Cards) else part.left


def ending(_: Claim, history: AnyHistory) -> Said:
    return WINNERS[history.outcome.winner] if history.outcome else "*"


def options(history: AnyHistory, seat: Seat) -> Mapping[str, Hashable]:
    turn = history.turn
    found = turn.options.get(seat, ()) if isinstance(turn, Decision) else ()
    return {str(move): move for move in found}


def legal(claim: Claim, history: AnyHistory) -> Said:
    return tuple(options(history, claim.spot.seat))


def refused(claim: Claim, history: AnyHistory) -> Said:
    """The move that is said to be refused; else a word that it is not."""
    assert isinstance(claim.said, str)
    try:
        move = history.game.parse(claim.said)
    except ValueError:
        return claim.said
    return "allowed" if str(move) in options(history, claim.spot.seat) else claim.said


def doing(claim: Claim, history: AnyHistory) -> tuple[str, ...]:
    """The options after which the seat is told certain words."""
    return tuple(
        text
        for text, move in options(history, claim.spot.seat).items()
        if any(claim.about in line for line in lines_after(claim, history, move))
    )


def lines_after(claim: Claim, history: AnyHistory, move: Hashable) -> Iterator[str]:
    seat = claim.spot.seat
    moves = {seat: move}
    if claim.against:
        moves[seat.other] = history.game.parse(claim.against)
    try:
        return told_lines(history.decided(moves), seat)
    except IllegalMove as error:
        raise ValueError(f"{claim.against} cannot be chosen there: {error}") from error


def never(claim: Claim, history: AnyHistory) -> Said:
    """The options after which certain words are never told, whatever the other seat chooses."""
    replies = options(history, claim.spot.seat.other)
    told_sometimes = {
        text for reply in replies for text in doing(replace(claim, against=reply), history)
    }
    return tuple(text for text in options(history, claim.spot.seat) if text not in told_sometimes)


def drawn(claim: Claim, history: AnyHistory) -> Said:
    """How likely a card is drawn next: `3/28`, not in lowest terms but in cards."""
    turn = history.turn
    if not isinstance(turn, Chance):
        return "Nothing is drawn there."
    odds = next((odds for card, odds in turn.odds.items() if str(card) == claim.about), Fraction(0))
    assert isinstance(claim.said, str)
    _, _, deck = claim.said.partition("/")
    return f"{odds * int(deck)}/{deck}"


# ---- one position ----------------------------------------------------------------


def share(value: float) -> int:
    """A value as a winning chance, in percent."""
    return round(50 * (1 + value))


def value_for(claim: Claim, history: AnyHistory, solution: AnySolution) -> float:
    value = solution.value(history.state)
    return value if claim.spot.seat is Seat.ONE else -value


def result(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    value = value_for(claim, history, solution)
    return RESULTS.get(round(value, 9) + 0.0, f"{share(value)} percent")


def chance(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    return share(value_for(claim, history, solution))


def best(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    return examine(solution, history.state).costs[claim.spot.seat].best


def good_count(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    """How many of how many options cost nothing."""
    costs = examine(solution, history.state).costs[claim.spot.seat]
    return f"{len(costs.best)} of {len(costs.moves)}"


def cost(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    costs = examine(solution, history.state).costs[claim.spot.seat]
    return round(50 * costs.moves[claim.about][0])


def mixed(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    """The options that perfect play chooses with some probability."""
    found = examine(solution, history.state).options[claim.spot.seat]
    return tuple(option.move for option in found if option.probability)


def often(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    return round(100 * option(claim, history, solution).probability)


def sure(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    """The winning chance that an option brings at least."""
    return share(option(claim, history, solution).guarantee)


def surest(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    """The options that bring most in the worst case."""
    found = examine(solution, history.state).options[claim.spot.seat]
    most = max(option.guarantee for option in found)
    return tuple(option.move for option in found if option.guarantee > most - TOLERANCE)


def fewest(claim: Claim, history: AnyHistory, solution: AnySolution) -> Said:
    """The options after which the other seat has the fewest good answers."""
    seat, counts = claim.spot.seat, {}
    for text, move in options(history, claim.spot.seat).items():
        after = examine(solution, history.decided({seat: move}).state)
        if seat.other in after.options:
            counts[text] = len(after.costs[seat.other].best)
    return tuple(text for text, count in counts.items() if count == min(counts.values()))


def option(claim: Claim, history: AnyHistory, solution: AnySolution) -> Option:
    found = examine(solution, history.state).options[claim.spot.seat]
    return next(option for option in found if option.move == claim.about)


def taken(claim: Claim, _: AnyHistory, solution: AnySolution) -> Said:
    """The winning chance that somebody who knows a mixed strategy takes, in percent."""
    spot = claim.spot.open()
    weights = read_answer(spot, claim.about, MIXED).weights
    return round(50 * best_reply_to(Exercise(spot, solution, MIXED), weights).taken)


#: Claims that the rules alone decide.
RULES: Mapping[str, Callable[[Claim, AnyHistory], Said]] = {
    "tells": told,
    "shows": shown,
    "ends": ending,
    "legal": legal,
    "refuses": refused,
    "does": doing,
    "never": never,
    "drawn": drawn,
}
#: Claims that the solution decides, about one position.
PLAY: Mapping[str, Callable[[Claim, AnyHistory, AnySolution], Said]] = {
    "result": result,
    "share": chance,
    "best": best,
    "good": good_count,
    "cost": cost,
    "mixes": mixed,
    "often": often,
    "sure": sure,
    "surest": surest,
    "fewest": fewest,
    "taken": taken,
}
#: Claims whose lists may be the stated answers of a question.
ANSWERS = ("does", "never", "best", "surest", "fewest")
#: Claims about a whole game, named by the words of a law that the tests know.
LAW = "law"
KINDS = (*RULES, *PLAY, LAW)
#: What a claim in a file says besides its kind.
CLAIM_KEYS = {"about", "against", "moves", "seat"}
