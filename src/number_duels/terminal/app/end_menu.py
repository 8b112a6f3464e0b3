"""What is offered at a table: the moves of a question, or actions such as those after a game."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from number_duels.core.questions import Answer, Question
from number_duels.core.scene import Scene
from number_duels.sessions.play import PlaySession
from number_duels.terminal.app.choice_lines import Offer, example_of

if TYPE_CHECKING:
    from number_duels.terminal.app.new_game import NewGame
    from number_duels.terminal.app.table import TableScreen

#: The keys of actions that stand below the board; the others are keys of the table.
KEYS = {"draw": "", "review": "v", "replay": "w", "rematch": "m", "again": "l", "leave": "q"}


def offer_of(session: PlaySession, scene: Scene) -> Offer:
    """Return what a scene asks, or what can be done in it."""
    question, seat = scene.question, scene.you
    if question and seat is not None:
        does = partial(session.game.consequence, session.match.view(seat), seat)
        example = example_of(question)
        return Offer(question, session.game.parse, does, session.names, example, question.secret)
    offered = [action for action in scene.actions if action.key in KEYS]
    answers = (Answer[Hashable](KEYS[one.key], one.label, one.key) for one in offered)
    notes = {action.key: action.note for action in offered}
    prompt = ". ".join(filter(None, (scene.headline, scene.detail)))
    asked = Question(prompt, tuple(answers))
    return Offer(asked, no_notation, lambda key: notes[str(key)], session.names)


def no_notation(text: str) -> NoReturn:
    raise ValueError(f"No move is asked for, and {text!r} is none.")


def perform(table: TableScreen, key: str) -> None:
    """Do what was chosen after a game; a page that opens comes back to the table."""
    from number_duels.terminal.app.new_game import NewGameScreen
    from number_duels.terminal.app.replay import ReplayScreen
    from number_duels.terminal.app.review_page import ReviewScreen
    from number_duels.terminal.app.table import open_table

    app, record = table.duels, table.match.record
    match key:
        case "review" | "replay":
            table.advance()
            app.push_screen((ReviewScreen if key == "review" else ReplayScreen)(record))
        case "rematch":
            table.action_leave()
            app.call_later(open_table, app, table.session.rematch())
        case "again":
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
