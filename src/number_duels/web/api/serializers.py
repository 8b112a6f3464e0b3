"""What a viewer is sent: only what the match shows that viewer, in the players' names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from number_duels.core.board import Part
from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Question
from number_duels.core.record import with_names
from number_duels.web.api.view_models import (
    AnswerView,
    LogView,
    PartView,
    PlayerView,
    QuestionView,
    StepView,
    View,
)
from number_duels.web.db.stored_game import HUMAN, Ledger

AnyStep = Step[Hashable, Hashable, Hashable]


def make_view(
    ledger: Ledger,
    match: AnyMatch,
    viewer: Seat | None,
    present: frozenset[Seat],
    keep: float,
) -> View:
    """The view of one seat, or of a spectator (None)."""
    outcome = ledger.outcome(match)
    to_move = [] if outcome else waiting_for(match)
    options = () if outcome or viewer is None else match.options(viewer)
    game, told = ledger.game, log(ledger, match, viewer)
    return {
        "id": ledger.id,
        "version": ledger.version,
        "game": game.name,
        "title": game.title,
        "settings": game.settings,
        "players": [player_view(ledger, seat, viewer, present) for seat in Seat],
        "turn": match.turn_number,
        "to_move": [seat + 1 for seat in to_move],
        "chosen": [] if outcome else [seat + 1 for seat in sorted(match.seats_ready)],
        "you": None if viewer is None else viewer + 1,
        "options": [str(move) for move in options],
        "question": asked(ledger, match, viewer) if options and viewer is not None else None,
        "draw": viewer in to_move and isinstance(match.turn, Chance),
        "draw_label": draw_label(game),
        "board": board(game, match.view(viewer)),
        "lines": latest(ledger, match, viewer),
        "announce": [] if outcome else named(ledger, announcement(match, viewer)),
        "log": told,
        "moves": match.moves(viewer),
        "result": outcome.result if outcome else "*",
        "reason": with_names(outcome.reason, ledger.names) if outcome else "",
        "over": outcome is not None,
        "hints": not outcome and viewer is not None and ledger.chairs[viewer.other].who != HUMAN,
        "expires": None if outcome else moment(ledger.touched + keep),
        "rematch": ledger.rematch,
    }


def waiting_for(match: AnyMatch) -> list[Seat]:
    """Who decides in this turn, or draws the next card."""
    turn = match.turn
    if isinstance(turn, Decision):
        return sorted(turn.options)
    return [] if match.drawer is None else [match.drawer]


def player_view(
    ledger: Ledger, seat: Seat, viewer: Seat | None, present: frozenset[Seat]
) -> PlayerView:
    """Who sits in a seat, and whether they are there."""
    chair = ledger.chairs[seat]
    return {
        "name": chair.name,
        "who": chair.who,
        "seated": chair.seated,
        "present": chair.who != HUMAN or seat in present,
        "you": seat is viewer,
    }


def moment(seconds: float) -> str:
    """A time as the world writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# ---- words ---------------------------------------------------------------------


def named(ledger: Ledger, lines: Iterable[str]) -> list[str]:
    """Lines with the players' names, without blank ones at the ends."""
    found = [with_names(line, ledger.names) for line in lines]
    while found and not found[0]:
        found.pop(0)
    while found and not found[-1]:
        found.pop()
    return found


def turns(match: AnyMatch, viewer: Seat | None) -> list[list[AnyStep]]:
    """The steps of each turn that has begun, as a viewer may see them."""
    found: list[list[AnyStep]] = [[]]
    for step in match.steps(viewer):
        found[-1].append(step)
        if step.moves:
            found.append([])
    return found if found[-1] else found[:-1]


def told(game: AnyGame, steps: Iterable[AnyStep], viewer: Seat | None) -> Iterator[str]:
    """What steps did, in words."""
    for step in steps:
        yield from game.tell(step.before, step.moves, step.after, viewer)


def opening(ledger: Ledger, match: AnyMatch, viewer: Seat | None) -> list[str]:
    """The lines before the first turn."""
    steps = match.steps(viewer)
    lines = named(ledger, match.game.opening(steps[0].before if steps else match.view(viewer)))
    if ledger.arranged:
        lines.append("Whoever started this game chose its cards or its seed.")
    return lines


def announcement(match: AnyMatch, viewer: Seat | None) -> Iterator[str]:
    """The lines that open the turn that is being played."""
    begun = turns(match, viewer)
    half = begun[-1] if begun and not begun[-1][-1].moves else []
    return match.game.announce(half[0].before if half else match.view(viewer), viewer)


def latest(ledger: Ledger, match: AnyMatch, viewer: Seat | None) -> list[str]:
    """What was told last."""
    if ledger.resigned is not None:
        return farewell(ledger)
    steps = match.steps(viewer)
    if not steps:
        return opening(ledger, match, viewer)
    return named(ledger, told(match.game, steps[-1:], viewer))


def farewell(ledger: Ledger) -> list[str]:
    """What is told when somebody has resigned."""
    assert ledger.resigned is not None
    return named(
        ledger, [f"{ledger.resigned} resigned.", f"{ledger.resigned.other} wins the game!"]
    )


def log(ledger: Ledger, match: AnyMatch, viewer: Seat | None) -> list[LogView]:
    """Everything told so far, turn by turn."""
    found: list[LogView] = [{"turn": 0, "lines": opening(ledger, match, viewer)}]
    for number, steps in enumerate(turns(match, viewer), 1):
        lines = [
            *match.game.announce(steps[0].before, viewer),
            *told(match.game, steps, viewer),
        ]
        found.append({"turn": number, "lines": named(ledger, lines)})
    if ledger.resigned is not None:
        found.append({"turn": match.turn_number, "lines": farewell(ledger)})
    return [entry for entry in found if entry["lines"]]


def asked(ledger: Ledger, match: AnyMatch, seat: Seat) -> QuestionView:
    """What a seat is asked."""
    return question_view(match.game.question(match.view(seat), seat), ledger.names)


def question_view(question: Question[Hashable], names: tuple[str, str]) -> QuestionView:
    """A question and all that it leads to."""
    answers: list[AnswerView] = []
    for answer in question.answers:
        view: AnswerView = {"text": answer.text, "label": with_names(answer.label, names)}
        if isinstance(answer.leads_to, Question):
            view["next"] = question_view(answer.leads_to, names)
        else:
            view["move"] = str(answer.leads_to)
        answers.append(view)
    # The last character of a prompt in a terminal is where one types.
    prompt = with_names(question.typed_prompt.strip().removesuffix(">").strip(), names)
    return {"prompt": prompt, "secret": question.secret, "answers": answers}


def draw_label(game: AnyGame) -> str:
    """What the button that draws a card says."""
    return game.draw_label


# ---- boards --------------------------------------------------------------------


def board(game: AnyGame, view: Hashable) -> list[PartView]:
    """The parts of a board, each with its kind."""
    return [part_view(part) for part in game.board(view)]


def part_view(part: Part) -> PartView:
    """One part; seats are numbered as people number them."""
    owner = None if part.owner is None else part.owner + 1
    return {"kind": type(part).__name__.lower(), **asdict(part), "owner": owner}


def steps_view(ledger: Ledger, match: AnyMatch, viewer: Seat | None) -> list[StepView]:
    """A game turn by turn, for watching it again."""
    game, begun = match.game, turns(match, viewer)
    start = begun[0][0].before if begun else match.view(viewer)
    found: list[StepView] = [
        {
            "turn": 0,
            "move": "",
            "lines": opening(ledger, match, viewer),
            "board": board(game, start),
        }
    ]
    for number, steps in enumerate(begun, 1):
        lines = [*game.announce(steps[0].before, viewer), *told(game, steps, viewer)]
        found.append(
            {
                "turn": number,
                "move": "".join(step.text for step in steps),
                "lines": named(ledger, lines),
                "board": board(game, steps[-1].after),
            }
        )
    if ledger.resigned is not None:
        found[-1]["lines"] += farewell(ledger)
    return found
