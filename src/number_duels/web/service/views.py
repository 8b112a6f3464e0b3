"""What a viewer gets: only what the match shows that viewer, in the players' names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias

from number_duels.core.board import Part
from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.notation import Step
from number_duels.core.player import AnyMatch
from number_duels.core.record import with_names
from number_duels.core.text import kind_of
from number_duels.web.db.stored_game import HUMAN, StoredGame, series_after
from number_duels.web.service.question_views import asked
from number_duels.web.service.strength import strength
from number_duels.web.service.view_models import (
    LastView,
    LogView,
    PartView,
    PlayerView,
    SeriesView,
    View,
)

AnyStep = Step[Hashable, Hashable, Hashable]
#: The turns that viewers were told, each with the names and the steps that it was told of.
ToldTurns: TypeAlias = dict[tuple[Seat | None, int], tuple[tuple[str, str], list[AnyStep], LogView]]


def make_view(
    stored: StoredGame,
    match: AnyMatch,
    viewer: Seat | None,
    present: frozenset[Seat],
    removed_at: float,
    *,
    watching: int = 0,
    claim_s: int | None = None,
    told_turns: ToldTurns | None = None,
) -> View:
    """The view of one seat, or of a spectator (None); turns that were told before are kept."""
    outcome, game, names = match.outcome, match.game, stored.names
    steps = match.steps(viewer)
    begun = by_turn(steps)
    to_move = [] if outcome else waiting_for(match)
    options = () if viewer is None else match.options(viewer)
    first, *later = log(stored, match, begun, viewer, {} if told_turns is None else told_turns)
    lines = latest(stored, match, steps, viewer) if steps or match.conceded else first["lines"]
    return {
        "id": stored.id,
        "version": stored.version,
        "game": game.name,
        "title": game.title,
        "settings": game.settings,
        "players": [player_view(stored, seat, viewer, present) for seat in Seat],
        "turn": match.turn_number,
        "to_move": [seat + 1 for seat in to_move],
        "chosen": [seat + 1 for seat in sorted(match.seats_ready)],
        "you": None if viewer is None else viewer + 1,
        "options": [str(move) for move in options],
        "question": asked(match, viewer, names) if options and viewer is not None else None,
        "choice": None if viewer is None else own_choice(match, viewer),
        "last": last_turn(begun),
        "draw": viewer in to_move and isinstance(match.turn, Chance),
        "draw_label": game.draw_label,
        "board": board(game, match.view(viewer)),
        "lines": lines,
        "kinds": kinds(lines),
        "announce": [] if outcome else named(names, announcement(match, begun, viewer)),
        "log": [entry for entry in (first, *later) if entry["lines"]],
        "moves": match.moves(viewer),
        "result": outcome.result if outcome else "*",
        "reason": with_names(outcome.reason, names) if outcome else "",
        "over": outcome is not None,
        "conceded": match.conceded,
        "hints": not outcome and viewer is not None and stored.seats[viewer.other].who != HUMAN,
        "expires": None if outcome else iso_time(removed_at),
        "kept_until": iso_time(removed_at) if outcome else None,
        "rematch": stored.rematch,
        "watching": watching,
        "series": series_view(stored, match),
        "claim": None if claim_s is None else {"after_s": claim_s},
    }


def own_choice(match: AnyMatch, seat: Seat) -> str | None:
    """What a seat has chosen and the other may not know yet."""
    choice = match.choice(seat)
    return None if choice is None else str(choice)


def last_turn(begun: list[list[AnyStep]]) -> LastView | None:
    """What was done in the last turn that has begun."""
    if not begun:
        return None
    steps = begun[-1]
    drawn = [str(step.event) for step in steps if not step.moves]
    moves = {str(seat + 1): str(move) for seat, move in steps[-1].moves.items()}
    return {"turn": len(begun), "moves": moves, "drawn": drawn[-1] if drawn else None}


def waiting_for(match: AnyMatch) -> list[Seat]:
    """Who decides in this turn, or draws the next card."""
    turn = match.turn
    if isinstance(turn, Decision):
        return sorted(turn.options)
    return [] if match.drawer is None else [match.drawer]


def player_view(
    stored: StoredGame, seat: Seat, viewer: Seat | None, present: frozenset[Seat]
) -> PlayerView:
    """Who sits in a seat, and whether they are there."""
    holder = stored.seats[seat]
    return {
        "name": holder.name,
        "who": holder.who,
        "seated": holder.seated,
        "present": holder.who != HUMAN or seat in present,
        "you": seat is viewer,
        "strength": strength(holder.who, stored.game),
    }


def series_view(stored: StoredGame, match: AnyMatch) -> SeriesView:
    """The score of a series, with this game if it is over."""
    wins, draws = series_after(stored, match.outcome)
    return {"wins": list(wins), "draws": draws}


def iso_time(seconds: float) -> str:
    """A time in ISO 8601."""
    return iso_second(int(seconds))


@lru_cache(maxsize=256)
def iso_second(second: int) -> str:
    """Both viewers of a change, and all changes of a second, ask for the same."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# ---- words ---------------------------------------------------------------------


def named(names: tuple[str, str], lines: Iterable[str]) -> list[str]:
    """Lines with the players' names, without blank ones at the ends."""
    found = [with_names(line, names) for line in lines]
    while found and not found[0]:
        found.pop(0)
    while found and not found[-1]:
        found.pop()
    return found


def turns(match: AnyMatch, viewer: Seat | None) -> list[list[AnyStep]]:
    """The steps of each turn that has begun, as a viewer may see them."""
    return by_turn(match.steps(viewer))


def by_turn(steps: Iterable[AnyStep]) -> list[list[AnyStep]]:
    """Steps turn by turn; the last may have begun only."""
    found: list[list[AnyStep]] = [[]]
    for step in steps:
        found[-1].append(step)
        if step.moves:
            found.append([])
    return found if found[-1] else found[:-1]


def told(game: AnyGame, steps: Iterable[AnyStep], viewer: Seat | None) -> Iterator[str]:
    """What steps did, in words."""
    for step in steps:
        yield from game.tell(step.before, step.moves, step.after, viewer)


def opening(stored: StoredGame, match: AnyMatch, viewer: Seat | None) -> list[str]:
    """The lines before the first turn."""
    steps = match.steps(viewer)
    lines = named(
        stored.names, match.game.opening(steps[0].before if steps else match.view(viewer))
    )
    if stored.has_known_cards:
        lines.append("Whoever started this game chose its cards, its seed or its first moves.")
    return lines


def announcement(match: AnyMatch, begun: list[list[AnyStep]], viewer: Seat | None) -> Iterator[str]:
    """The lines that open the turn that is being played."""
    half = begun[-1] if begun and not begun[-1][-1].moves else []
    return match.game.announce(half[0].before if half else match.view(viewer), viewer)


def latest(
    stored: StoredGame, match: AnyMatch, steps: Sequence[AnyStep], viewer: Seat | None
) -> list[str]:
    """What was told last, after the opening."""
    if match.conceded:
        return concession(stored, match)
    return named(stored.names, told(match.game, steps[-1:], viewer))


def concession(stored: StoredGame, match: AnyMatch) -> list[str]:
    """The lines after somebody gave up."""
    assert match.outcome is not None
    return named(stored.names, [match.outcome.reason, f"{match.outcome.winner} wins the game!"])


def log_entry(turn: int, lines: list[str]) -> LogView:
    return {"turn": turn, "lines": lines, "kinds": kinds(lines)}


def kinds(lines: Iterable[str]) -> list[str]:
    """What each line is: said, a heading, a rule, or how the board stands."""
    return [kind_of(line) for line in lines]


def log(
    stored: StoredGame,
    match: AnyMatch,
    begun: list[list[AnyStep]],
    viewer: Seat | None,
    told_turns: ToldTurns,
) -> list[LogView]:
    """Everything told so far, turn by turn, from the opening on; some may have no lines."""
    names = stored.names
    found = []
    for number, steps in enumerate(([], *begun)):
        kept = told_turns.get((viewer, number))
        # More of an earlier turn may be seen later, and a name may change.
        if kept is None or kept[0] != names or kept[1] != steps:
            kept = names, steps, tell_turn(stored, match, number, steps, viewer)
            told_turns[viewer, number] = kept
        found.append(kept[2])
    if match.conceded:
        found.append(log_entry(match.turn_number, concession(stored, match)))
    return found


def tell_turn(
    stored: StoredGame, match: AnyMatch, number: int, steps: list[AnyStep], viewer: Seat | None
) -> LogView:
    """What is told of one turn; the opening has no steps."""
    if not steps:
        return log_entry(number, opening(stored, match, viewer))
    lines = [*match.game.announce(steps[0].before, viewer), *told(match.game, steps, viewer)]
    return log_entry(number, named(stored.names, lines))


# ---- boards --------------------------------------------------------------------


def board(game: AnyGame, view: Hashable) -> list[PartView]:
    """The parts of a board, each with its kind."""
    return [part_view(part) for part in game.board(view)]


def part_view(part: Part) -> PartView:
    """One part; seats are numbered as people number them."""
    owner = None if part.owner is None else part.owner + 1
    # Its own fields: a copy of all that is in them would take as long as all the words.
    return {"kind": type(part).__name__.lower(), **vars(part), "owner": owner}
