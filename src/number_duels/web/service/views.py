"""Views of a game. A view contains only what its viewer may see."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, is_dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import pairwise

from number_duels.core.board import Part, Places, gainer
from number_duels.core.clock import utc_text
from number_duels.core.game import AnyGame, Chance, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.names import SEAT_NAMES, YOU, without_address
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Answer, Question, beyond, forced, positions
from number_duels.core.record import with_names
from number_duels.core.runner import play_match
from number_duels.core.scene import Action, kinds, part_json, table_json, turn_label
from number_duels.games import load
from number_duels.players.registry import BUILT_IN, KINDS, described, full_name, player
from number_duels.sessions.narration import (
    ToldTurn,
    ToldTurns,
    by_turn,
    concession,
    named,
    told_so_far,
    turn_so_far,
)
from number_duels.sessions.play import SEATS, Company, final_score, shared_viewer, words_of
from number_duels.web.config import MIB
from number_duels.web.db.stored_game import HUMAN, StoredGame, series_after
from number_duels.web.service.solve_limits import is_solved
from number_duels.web.service.view_models import (
    AnswerView,
    ClaimWords,
    LastView,
    LogView,
    PartView,
    PlayerView,
    QuestionView,
    View,
)

try:
    import orjson
except ModuleNotFoundError:  # in a browser
    orjson = None  # type: ignore[assignment] # then the standard library does it


def seen_from(
    stored: StoredGame, match: AnyMatch, seat: Seat | None, ready: Seat | None = None
) -> Seat | None:
    """Return the seat whose view a player may see. At a shared device, it changes with the turn."""
    return shared_viewer(match, ready) if stored.shared and seat is not None else seat


def make_view(
    stored: StoredGame,
    match: AnyMatch,
    seat: Seat | None,
    present: frozenset[Seat],
    removed_at: float,
    *,
    watching: int = 0,
    claim_s: int | None = None,
    solve_limit: int,
    told_turns: ToldTurns | None = None,
    ready: Seat | None = None,
) -> View:
    here = stored.shared and seat is not None
    viewer = seen_from(stored, match, seat, ready)
    # If both players see the texts, nobody is "you".
    reader = None if here else viewer
    outcome, game, names = match.outcome, match.game, stored.names_for(reader)
    told = told_so_far(match, reader, names, told_turns, first_lines(stored))
    last = told_so_far(match, viewer, names)[-1] if here else told[-1]
    players = [player_view(stored, each, reader, present) for each in SEATS]
    company = company_of(stored, viewer, names, players)._replace(
        shared=here, device="device", ready=ready
    )
    words, (wins, draws) = words_of(match, company), series_after(stored, outcome)
    to_move = sorted({*words.waiting.seats, *match.seats_ready})
    options = () if viewer is None else match.options(viewer)
    choice = None if viewer is None else match.choice(viewer)
    lines = named(names, concession(match)) if match.conceded else told[-1].latest
    parts = game.board(match.view(viewer))
    announced = () if outcome else game.announce(turn_so_far(match, reader)[0], reader)
    return {
        "id": stored.id,
        "version": stored.version,
        "game": game.name,
        "title": game.title,
        "settings": game.settings,
        "players": players,
        "turn": match.turn_number,
        "to_move": [seat + 1 for seat in to_move],
        "chosen": [seat + 1 for seat in sorted(match.seats_ready)],
        "you": None if viewer is None else viewer + 1,
        "here": here,
        "options": [str(move) for move in options],
        "question": asked(game, match.view(viewer), viewer, parts, names)
        if options and viewer is not None
        else None,
        "choice": None if choice is None else str(choice),
        "last": last_turn(game, last),
        "draw": viewer in to_move and isinstance(match.turn, Chance),
        "draw_label": game.draw_label,
        "board": [part_json(part) for part in parts],
        "lines": lines,
        "kinds": kinds(lines),
        "announce": named(names, announced),
        "log": log(match, told, lines),
        "moves": match.moves(viewer),
        "result": outcome.result if outcome else "*",
        "reason": words.detail if outcome else "",
        "over": outcome is not None,
        "conceded": match.conceded,
        "hints": not outcome and viewer is not None and stored.seats[viewer.other].who != HUMAN,
        "expires": None if outcome else iso_time(removed_at),
        "kept_until": iso_time(removed_at) if outcome else None,
        "rematch": stored.rematch,
        "watching": watching,
        "series": {"wins": list(wins), "draws": draws},
        "claim": None if claim_s is None else {"after_s": claim_s},
        "scene": {
            "stage": words.stage,
            "headline": words.headline,
            "detail": words.detail,
            "rules": game.short_rules,
            "summary": game.summary,
            # A person who opens an invitation may not know the game.
            "lines": [game.summary] if company.free and viewer is None else [],
            "sides": words.sides,
            "tables": [table_json(table) for table in final_score(match, parts, company)],
            "notes": [
                *(series_words(wins, draws, company) if stored.previous else ()),
                # A lone spectator knows it.
                *(watching_words(watching) if seat is not None or watching > 1 else ()),
            ],
            "claim": None
            if claim_s is None or viewer is None
            else claim_words(names[viewer.other]),
            "remark": "" if outcome else remark(stored, company),
            "actions": [
                {"key": one.key, "label": one.label}
                for one in (*words.actions, *harder(stored, outcome, viewer, solve_limit))
            ],
        },
    }


def harder(
    stored: StoredGame, outcome: Outcome | None, viewer: Seat | None, solve_limit: int
) -> Iterator[Action]:
    if outcome is None or viewer is None or outcome.winner is not viewer:
        return
    for who, stronger in pairwise(BUILT_IN):
        # For large settings, a random player is the only one that the server has.
        if stored.seats[viewer.other].who == who and is_solved(stored.game, solve_limit * MIB):
            play = " play" if stronger == "perfect" else ""
            yield Action(f"harder {stronger}", f"Try {full_name(stronger).lower()}{play}")


def claim_words(name: str) -> ClaimWords:
    return {
        "waiting": f"{name} is away. You can claim the game in {{time}}.",
        "ready": f"{name} has been away for too long.",
        "label": "Claim the game",
    }


def remark(stored: StoredGame, company: Company) -> str:
    if company.free:
        kept = stored.previous is not None and company.viewer is not None
        return "Waiting for your opponent to join the rematch." if kept else ""
    watches = company.viewer is None and not company.shared
    return "You are watching this game." if watches else ""


def company_of(
    stored: StoredGame, viewer: Seat | None, names: tuple[str, str], players: list[PlayerView]
) -> Company:
    one, two = players
    return Company(
        viewer,
        names,
        free=frozenset([seat for seat in SEATS if not players[seat]["seated"]]),
        # The viewer has the page open, even if the stream is not open yet.
        absent=frozenset([s for s in SEATS if s is not viewer and not players[s]["present"]]),
        rematch=stored.rematch is not None,
        about=(about(one, names[0]), about(two, names[1])),
    )


def about(player: PlayerView, name: str) -> str:
    if not player["you"]:
        return player["strength"] or ""
    if name != YOU:
        return "you"
    return "" if player["name"] in (YOU, *SEAT_NAMES) else player["name"]


def series_words(wins: tuple[int, int], draws: int, company: Company) -> Iterator[str]:
    if any(wins) or draws:
        near, far = (1, 0) if company.viewer is Seat.TWO else (0, 1)
        # Names come before the score, because a name may end in a digit.
        score = f"{company.names[near]} \N{EN DASH} {company.names[far]} {wins[near]} : {wins[far]}"
        yield f"{score}, {draws} drawn" if draws else score


def watching_words(watching: int) -> Iterator[str]:
    if watching:
        yield f"{watching} people are watching" if watching > 1 else "1 person is watching"


def last_turn(game: AnyGame, told: ToldTurn) -> LastView | None:
    if not told.turn:
        return None
    moves = {str(seat + 1): move for seat, move in told.moves.items()}
    step, when = told.steps[-1], turn_label(told.turn, len(moves))
    won = gainer(game.board(step.before), game.board(step.after)) if len(moves) == 2 else None
    drawn = told.drawn or None
    return {"turn": told.turn, "when": when, "moves": moves, "drawn": drawn, "won": won}


def player_view(
    stored: StoredGame, seat: Seat, viewer: Seat | None, present: frozenset[Seat]
) -> PlayerView:
    holder = stored.seats[seat]
    return {
        "name": holder.name,
        "who": holder.who,
        "seated": holder.seated,
        "present": holder.who != HUMAN or stored.shared or seat in present,
        "you": seat is viewer,
        "strength": None if holder.who == HUMAN else strength(holder.who, stored.game),
    }


@lru_cache(maxsize=256)  # views of the same second share one text
def iso_time(seconds: float) -> str:
    return utc_text(datetime.fromtimestamp(seconds, UTC))


def encode(value: object) -> bytes:
    if orjson is None:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=plain).encode()
    return orjson.dumps(value, default=list)  # named tuples become lists


def plain(value: object) -> object:
    return vars(value) if is_dataclass(value) else list(value)  # type: ignore[call-overload] # TypeError otherwise


def first_lines(stored: StoredGame) -> list[str]:
    # The player who started the game may know which cards come next.
    if not stored.has_known_cards:
        return []
    return ["The player who started this game chose its cards, its seed or its first moves."]


def log(match: AnyMatch, told: Iterable[ToldTurn], latest: list[str]) -> list[LogView]:
    found: list[LogView] = [
        {"turn": each.turn, "lines": each.lines, "kinds": each.kinds, "short": each.short}
        for each in told
        if each.lines
    ]
    if match.conceded:
        turn, short = match.turn_number, latest[0]
        found.append({"turn": turn, "lines": latest, "kinds": kinds(latest), "short": short})
    return found


def board(game: AnyGame, view: Hashable) -> list[PartView]:
    return [part_json(part) for part in game.board(view)]


def asked(
    game: AnyGame,
    view: Hashable,
    seat: Seat,
    board: tuple[Part, ...],
    names: tuple[str, str],
    *,
    question: Question[Hashable] | None = None,
    effects: bool = True,
) -> QuestionView:
    """Describe a question to a player, with the places of its answers on the board.

    By default, it is the question that the game asks the player now, with the effect of each move.
    """
    writer = QuestionWriter(game, view, seat, names, Places(board, seat), effects)
    return writer.question(question or game.question(view, seat))


@dataclass(frozen=True)
class QuestionWriter:
    game: AnyGame
    view: Hashable
    seat: Seat
    names: tuple[str, str]
    places: Places
    effects: bool = True
    known: dict[int, QuestionView] = field(default_factory=dict)

    def question(self, question: Question[Hashable]) -> QuestionView:
        # `text` does not address the player by name. `prompt` leaves out the terminal's `>`.
        text = with_names(without_address(question.prompt), self.names)
        typed = question.typed_prompt.strip().removesuffix(">").strip()
        prompt = with_names(typed, self.names)
        self.known[id(question)] = found = QuestionView(
            prompt=without_address(prompt) if self.names[self.seat] == YOU else prompt,
            text=text,
            secret=question.secret,
            answers=[self.answer(answer) for answer in question.answers],
            forced=with_names(forced(question), self.names),
        )
        return found

    def answer(self, answer: Answer[Hashable]) -> AnswerView:
        label, target = with_names(answer.label, self.names), answer.leads_to
        found: AnswerView = {
            "text": answer.text,
            "label": label,
            "at": [{"part": part, "place": at} for part, at in positions(answer, self.places)],
            "note": "",
        }
        if isinstance(target, Question):
            found["next"] = self.known.get(id(target)) or self.question(target)
        else:
            found["move"] = str(target)
        if self.effects and not isinstance(target, Question):
            does = self.game.consequence(self.view, self.seat, target)
            found["note"] = with_names(beyond(answer.label, does), self.names)
        return found


@lru_cache(maxsize=256)
def strength(who: str, game: AnyGame) -> str | None:
    """Describe the strength of a computer, or return None for a person.

    >>> from number_duels import load
    >>> strength("level:2", load("number-knot"))
    'Level 2: plays a random move on about every other turn'
    """
    if who == HUMAN or who not in KINDS:
        return None
    return f"{full_name(who)}: {described(who, game.name)}"


#: How many random games to choose from. The one closest to the wanted length is shown.
SAMPLES = 20
WANTED_TURNS = 6
MAX_TURNS = 8


@cache
def preview(name: str) -> list[list[PartView]]:
    games = [by_turn(sample_match(name, seed).steps(None)) for seed in range(SAMPLES)]
    shown = min(games, key=lambda found: abs(len(found) - WANTED_TURNS))[:MAX_TURNS]
    states = [shown[0][0].before, *(steps[-1].after for steps in shown)]
    return [board(load(name), state) for state in states]


def sample_match(name: str, seed: int) -> AnyMatch:
    match: AnyMatch = Match(load(name), seed)
    play_match(match, {seat: player("random", match.game) for seat in Seat})
    return match
