"""Where tasks come from: drills of a game, one spot again and again, the cards of today."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from random import Random

from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.history import History
from number_duels.core.randomness import stream
from number_duels.review.position import AnySolution, position_of
from number_duels.terminal.train.sitting import Task, Tasks
from number_duels.trainer.answers import MIXTURE, MOVE
from number_duels.trainer.book import Book, Card
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.learner import Learner
from number_duels.trainer.spot import OpenSpot

#: How many tasks a sitting has, and how often one spot is asked: frequencies need more.
USUAL_COUNT, SPOT_COUNT = 10, 20


class DrillTasks(Tasks):
    """Drills of a game; the same seed brings the same ones to who missed the same."""

    def __init__(
        self, game: AnyGame, scope: Scope, learner: Learner, seed: int, count: int | None = None
    ) -> None:
        self._game, self._scope, self._learner = game, scope, learner
        self.one_spot = scope.spot is not None
        self.can_repeat = not self.one_spot
        self.count = count or (SPOT_COUNT if self.one_spot else USUAL_COUNT)
        self._rng: Random = stream(seed, "drills")
        self._drills: Drills | None = None
        #: What was asked does not come again in this sitting: what was missed is in the book.
        self._asked: list[str] = []

    @property
    def game(self) -> AnyGame | None:
        return self._game if len(self._asked) < self.count else None

    def draw(self, solution: AnySolution) -> Task:
        self._drills = self._drills or Drills(solution)
        exercise = self._drills.draw(self._scope, self._learner, self._rng, self._asked)
        self._asked.append(exercise.spot.id)
        facts = (exercise.phase, exercise.level)
        return Task(exercise, "drill", exercise.prompt, tuple(filter(None, facts)))


class CardTasks(Tasks):
    """The cards of today, longest overdue first."""

    can_repeat = True

    def __init__(self, book: Book, now: datetime, game: str = "", count: int | None = None) -> None:
        found = []
        for card in book.due(now):
            if game not in ("", card.spot.game):
                continue
            with suppress(ValueError):  # a book from elsewhere may have games that are not here
                found.append((card, card.spot.open()))
        self._waiting = found[:count]
        #: What was last answered by a mixture is asked for so again.
        self._forms = {answer.card: answer.form for answer in book.answers}
        self.count = len(self._waiting)

    @property
    def game(self) -> AnyGame | None:
        return self._waiting[0][1].game if self._waiting else None

    def draw(self, solution: AnySolution) -> Task:
        card, spot = self._waiting.pop(0)
        form = MIXTURE if self._forms.get(card.id) == MIXTURE else MOVE
        exercise = Exercise(spot, solution, form)
        return Task(exercise, "book", exercise.prompt, card_facts(card))


def card_facts(card: Card) -> tuple[str, ...]:
    """Where a card comes from, and how it went so far."""
    where = {
        "game": f"from your game of {card.played}" if card.played else "from a game of yours",
        "drill": "from a drill",
        "analysis": "from an analysis",
        "puzzle": "from a puzzle",
    }[card.source]
    missed = f"missed {card.misses} of {card.tries} times" if card.tries else "new"
    return where, missed


def spot_of(game: AnyGame, deal: str | None, moves: str, seat: int | None) -> OpenSpot:
    """The spot after some moves; a ValueError says why nobody decides there."""
    position_of(game, deal, moves)
    history = History.read(game, game.start(deal=deal), moves)
    turn = history.turn
    if not isinstance(turn, Decision):
        raise ValueError(f"nobody decides after {moves or 'nothing'}.")
    chosen = min(turn.options) if seat is None else Seat(seat - 1)
    if chosen not in turn.options:
        raise ValueError(f"{chosen} has nothing to decide after {moves or 'nothing'}.")
    return OpenSpot(game, history, chosen)
