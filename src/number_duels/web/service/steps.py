"""A game turn by turn: for watching it again, and how a mistake would have been punished."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from number_duels.core.board import changed
from number_duels.core.game import AnyGame, Seat
from number_duels.core.history import History
from number_duels.core.player import AnyMatch
from number_duels.core.questions import labels
from number_duels.core.record import with_names
from number_duels.core.scene import changed_places, kinds, part_json
from number_duels.sessions.game_log import AnyStep, by_turn, concession, named, tell, told_so_far
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.service.view_models import StepView
from number_duels.web.service.views import board, first_lines


def steps_view(stored: StoredGame, match: AnyMatch, viewer: Seat | None) -> list[StepView]:
    """A finished game as a viewer may see it."""
    names = stored.names_for(viewer)
    opening, *begun = told_so_far(match, viewer, names, opening=first_lines(stored))
    start = begun[0].steps[0].before if begun else match.view(viewer)
    found = [start_view(match.game, start, opening.lines)]
    found += [
        turn_view(match.game, names, n, turn.steps, viewer) for n, turn in enumerate(begun, 1)
    ]
    if match.conceded:
        lines = found[-1]["lines"] + named(names, concession(match))
        found[-1] = {**found[-1], "lines": lines, "kinds": kinds(lines)}
    return found


def line_view(match: AnyMatch, names: tuple[str, str], moves: str, turn: int) -> list[StepView]:
    """What might have been played, from the position before a turn; nothing is hidden in it."""
    history = History.read(match.game, match.history.start, moves)
    played = by_turn(history.steps)[turn - 1 :]
    return [
        start_view(match.game, played[0][0].before, []),
        *(turn_view(match.game, names, n, steps, None) for n, steps in enumerate(played, turn)),
    ]


def start_view(game: AnyGame, state: Hashable, lines: list[str]) -> StepView:
    """The position that the first turn begins with."""
    return {
        "turn": 0,
        "move": "",
        "lines": lines,
        "kinds": kinds(lines),
        "board": board(game, state),
        "moves": {},
        "words": {},
        "drawn": "",
        "changed": [],
    }


def turn_view(
    game: AnyGame,
    names: tuple[str, str],
    number: int,
    steps: Sequence[AnyStep],
    viewer: Seat | None,
) -> StepView:
    """One turn: what was drawn and played in it, and what it made of the board."""
    first, last = steps[0].before, steps[-1]
    after = tuple(game.board(last.after))
    marks = changed(tuple(game.board(first)), after)
    lines = named(names, [*game.announce(first, viewer), *tell(game, steps, viewer)])
    return {
        "turn": number,
        "move": "".join(step.text for step in steps),
        "lines": lines,
        "kinds": kinds(lines),
        "board": [part_json(part) for part in after],
        "moves": {str(seat + 1): str(move) for seat, move in last.moves.items()},
        "words": {
            str(seat + 1): with_names(words_of(game, last.before, seat, move), names)
            for seat, move in last.moves.items()
        },
        "drawn": " ".join(step.text for step in steps if not step.moves),
        "changed": [{"part": part, "place": place} for part, place in changed_places(after, marks)],
    }


def words_of(game: AnyGame, state: Hashable, seat: Seat, move: Hashable) -> str:
    """A move in the words of its question."""
    return labels(game.question(state, seat)).get(move, str(move))
