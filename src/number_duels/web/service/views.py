"""What a viewer gets: only what the match shows that viewer, in the players' names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from number_duels.core.game import AnyGame, Chance, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.record import with_names
from number_duels.core.scene import part_json
from number_duels.core.text import kind_of
from number_duels.sessions.play import AnyStep, concession, turn_so_far, waits_for
from number_duels.sessions.replay import by_turn
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


class ToldTurn(NamedTuple):
    """What a viewer was told of a turn; the opening is turn 0, and has no steps."""

    #: What it was told of: a name may change, and more of a turn may be seen later.
    names: tuple[str, str]
    steps: list[AnyStep]
    entry: LogView
    #: What was told of its last step alone.
    latest: list[str]


#: The turns that viewers were told.
ToldTurns: TypeAlias = dict[tuple[Seat | None, int], ToldTurn]


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
    outcome, game, names = match.outcome, match.game, stored.names_for(viewer)
    begun = turns(match, viewer)
    to_move = sorted({*waits_for(match).seats, *match.seats_ready})
    options = () if viewer is None else match.options(viewer)
    turns_told = told_so_far(stored, match, begun, viewer, {} if told_turns is None else told_turns)
    lines = named(names, concession(match)) if match.conceded else turns_told[-1].latest
    parts = game.board(match.view(viewer))
    announced = () if outcome else game.announce(turn_so_far(match, viewer)[0], viewer)
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
        "question": asked(match.game, match.view(viewer), viewer, parts, names)
        if options and viewer is not None
        else None,
        "choice": None if viewer is None else own_choice(match, viewer),
        "last": last_turn(begun),
        "draw": viewer in to_move and isinstance(match.turn, Chance),
        "draw_label": game.draw_label,
        "board": [part_json(part) for part in parts],
        "lines": lines,
        "kinds": kinds(lines),
        "announce": named(names, announced),
        "log": log(match, turns_told, lines),
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
    return trimmed([with_names(line, names) for line in lines])


def trimmed(lines: Sequence[str]) -> list[str]:
    """Lines without blank ones at the ends."""
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return list(lines[first:last])


def turns(match: AnyMatch, viewer: Seat | None) -> list[list[AnyStep]]:
    """The steps of each turn that has begun, as a viewer may see them."""
    return by_turn(match.steps(viewer))


def told(game: AnyGame, steps: Iterable[AnyStep], viewer: Seat | None) -> Iterator[str]:
    """What steps did, in words."""
    for step in steps:
        yield from game.tell(step.before, step.moves, step.after, viewer)


def opening(stored: StoredGame, match: AnyMatch, viewer: Seat | None) -> list[str]:
    """The lines before the first turn."""
    steps = match.steps(viewer)
    start = steps[0].before if steps else match.view(viewer)
    lines = named(stored.names_for(viewer), match.game.opening(start))
    if stored.has_known_cards:
        lines.append("Whoever started this game chose its cards, its seed or its first moves.")
    return lines


def log_entry(turn: int, lines: list[str]) -> LogView:
    return {"turn": turn, "lines": lines, "kinds": kinds(lines)}


def kinds(lines: Iterable[str]) -> list[str]:
    """What each line is: said, a heading, a rule, or how the board stands."""
    return [kind_of(line) for line in lines]


def log(match: AnyMatch, turns_told: Iterable[ToldTurn], latest: list[str]) -> list[LogView]:
    """Everything told so far, turn by turn, and last that somebody gave up, if somebody did."""
    found = [each.entry for each in turns_told if each.entry["lines"]]
    return [*found, log_entry(match.turn_number, latest)] if match.conceded else found


def told_so_far(
    stored: StoredGame,
    match: AnyMatch,
    begun: list[list[AnyStep]],
    viewer: Seat | None,
    told_turns: ToldTurns,
) -> list[ToldTurn]:
    """What a viewer is told of the opening and of each turn that has begun."""
    names = stored.names_for(viewer)
    found = []
    for number, steps in enumerate(([], *begun)):
        kept = told_turns.get((viewer, number))
        if kept is None or kept.names != names or kept.steps != steps:
            kept = told_turns[viewer, number] = tell_turn(stored, match, number, steps, viewer)
        found.append(kept)
    return found


def tell_turn(
    stored: StoredGame, match: AnyMatch, number: int, steps: list[AnyStep], viewer: Seat | None
) -> ToldTurn:
    """What a viewer is told of one turn."""
    names, game = stored.names_for(viewer), match.game
    if not steps:
        lines = latest = opening(stored, match, viewer)
    else:
        before = [*game.announce(steps[0].before, viewer), *told(game, steps[:-1], viewer)]
        latest = [with_names(line, names) for line in told(game, steps[-1:], viewer)]
        lines = trimmed([with_names(line, names) for line in before] + latest)
    return ToldTurn(names, steps, log_entry(number, lines), trimmed(latest))


# ---- boards --------------------------------------------------------------------


def board(game: AnyGame, view: Hashable) -> list[PartView]:
    """The parts of a board, each with its kind."""
    return [part_json(part) for part in game.board(view)]
