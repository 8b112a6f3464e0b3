"""What a seat is asked, as data: where each answer is on its board, and what it would do."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from number_duels.core.board import Part, Places
from number_duels.core.game import AnyGame, Seat
from number_duels.core.questions import Answer, Question, beyond, forced
from number_duels.core.record import with_names
from number_duels.web.service.view_models import AnswerView, PlaceView, QuestionView


def asked(
    game: AnyGame, view: Hashable, seat: Seat, board: tuple[Part, ...], names: tuple[str, str]
) -> QuestionView:
    """What a seat is asked, over the board that it sees."""
    writer = QuestionWriter(game, view, seat, names, Places(board, seat))
    return writer.question(game.question(view, seat))


@dataclass(frozen=True)
class QuestionWriter:
    """Puts the questions of one turn into a view.

    Two functions within a function that call each other would be garbage that only a search finds.
    """

    game: AnyGame
    view: Hashable
    seat: Seat
    names: tuple[str, str]
    places: Places
    #: A question that several answers lead to is described once.
    known: dict[int, QuestionView] = field(default_factory=dict)

    def question(self, question: Question[Hashable]) -> QuestionView:
        """A question with its answers, and the questions that they lead to."""
        text, typed = with_names(question.prompt, self.names), question.at_keyboard
        # As a terminal prints it, but for the last character, which is where one types.
        prompt = with_names(typed.strip().removesuffix(">").strip(), self.names)
        self.known[id(question)] = found = QuestionView(
            prompt=prompt or f"{text}:",
            text=text,
            secret=question.secret,
            answers=[self.answer(answer) for answer in question.answers],
            forced=with_names(forced(question), self.names),
        )
        return found

    def answer(self, answer: Answer[Hashable]) -> AnswerView:
        """One answer."""
        label, target = with_names(answer.label, self.names), answer.leads_to
        found: AnswerView = {
            "text": answer.text,
            "label": label,
            "at": places_of(answer, self.places),
            "note": "",
        }
        if isinstance(target, Question):
            found["next"] = self.known.get(id(target)) or self.question(target)
        else:
            found["move"] = str(target)
            does = self.game.consequence(self.view, self.seat, target)
            found["note"] = with_names(beyond(answer.label, does), self.names)
        return found


def places_of(answer: Answer[Hashable], places: Places) -> list[PlaceView]:
    """Where an answer is: where its game says, else on the number that it names."""
    if not answer.at:
        found = places.of_number(answer.text)
        return [{"part": found[0], "place": found[1]}] if found else []
    at = map(places.of, answer.at)
    return [{"part": each[0], "place": each[1]} for each in at if each is not None]
