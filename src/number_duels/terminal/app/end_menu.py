"""Choices that are no moves: to draw a card, and what can be done after a game."""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

from number_duels.core.questions import Answer, Question
from number_duels.sessions.play import PlaySession
from number_duels.terminal.app.choice_lines import Offer
from number_duels.terminal.app.confirm import Confirm

if TYPE_CHECKING:
    from number_duels.terminal.app.new_game import NewGame
    from number_duels.terminal.app.table import TableScreen


class After(Enum):
    """What can be done after a game."""

    REVIEW = "v", "Review", "what each move cost"
    REPLAY = "w", "Watch again", "forward and back"
    REMATCH = "m", "Rematch", "seats swapped"
    OTHER_LEVEL = "l", "Another level", "or opponent, or settings"
    HOME = "q", "Home", ""


def offer(session: PlaySession) -> Offer:
    """How it ended, and what now."""
    outcome = session.match.outcome
    assert outcome is not None
    how = "It is a draw." if outcome.winner is None else f"{outcome.winner} wins!"
    answers = tuple(Answer[Hashable](one.value[0], one.value[1], one) for one in After)
    question = Question(f"{how} {outcome.reason}", answers)
    return Offer(question, no_notation, meaning, session.names)


def draw_offer(session: PlaySession) -> Offer:
    """A card waits to be drawn."""
    seat = session.match.drawer
    draw = Answer[Hashable]("", session.game.draw_label, "draw")
    return Offer(Question(f"{seat}'s turn", (draw,)), no_notation, lambda _: "", session.names)


def ask_to_resign(table: TableScreen) -> None:
    """Give the game up, if that is meant."""

    def answered(yes: bool | None) -> None:
        if yes:
            table.change(table.session.resign)

    table.app.push_screen(Confirm("Give this game up?", "Resign", "Play on"), answered)


def meaning(choice: Hashable) -> str:
    return str(choice.value[2]) if isinstance(choice, After) else ""


def no_notation(text: str) -> NoReturn:
    raise ValueError(f"No move is asked for, and {text!r} is none.")


def perform(table: TableScreen, choice: Hashable) -> None:
    """Do what was chosen after a game; a page that opens comes back to the table."""
    from number_duels.terminal.app.new_game import NewGameScreen
    from number_duels.terminal.app.replay import ReplayScreen
    from number_duels.terminal.app.review_page import ReviewScreen
    from number_duels.terminal.app.table import open_table

    app, record = table.duels, table.match.record
    match choice:
        case After.REVIEW | After.REPLAY:
            table.advance()
            screen = ReviewScreen if choice is After.REVIEW else ReplayScreen
            app.push_screen(screen(record))
        case After.REMATCH:
            table.action_leave()
            app.call_later(open_table, app, table.session.rematch())
        case After.OTHER_LEVEL:
            table.action_leave()
            again = played(table.session)
            app.call_later(app.push_screen, NewGameScreen(record.game, again))
        case _:
            table.action_leave()


def played(session: PlaySession) -> NewGame:
    """The game as it was played, to begin it again."""
    from number_duels.terminal.app.new_game import NewGame

    one, two = session.match.players
    return NewGame(session.game, (one.name, two.name), (one.who, two.who), session.match.hints)
