"""A session that reviews a game: its mistakes, and the cost of each move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise

from number_duels.core.board import Places, changed
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import Seat
from number_duels.core.history import AnyHistory
from number_duels.core.names import SEAT_NAMES, Names
from number_duels.core.player import AnyMatch
from number_duels.core.questions import path_to, positions
from number_duels.core.record import Record, shown_names, with_names
from number_duels.core.scene import (
    TOLD,
    WORKING,
    Action,
    Chart,
    Curve,
    Finding,
    Frame,
    Group,
    Mark,
    Row,
    Scene,
    Side,
    Table,
    Verdict,
)
from number_duels.core.text import counted
from number_duels.players.registry import HUMAN
from number_duels.review.game import Review, review
from number_duels.review.mistakes import (
    INACCURACY,
    LEAST_MISTAKE,
    MISTAKE,
    RARE_CHOICE,
    RIGHT,
    Grade,
    Mistake,
)
from number_duels.review.position import TOLERANCE, AnySolution, examine, words_of_moves
from number_duels.review.reasons import risk_of
from number_duels.review.words import (
    COST,
    LUCK,
    ON_AVERAGE,
    RESULTS,
    at_start,
    biggest_mistake,
    both_choose,
    capital,
    certain,
    chance,
    cost,
    doing,
    fall,
    figures_lines,
    has_luck,
    headline,
    how_often,
    line_end,
    luck_words,
    mistake_groups,
    move_of,
    move_words,
    often_sentence,
    review_lines,
    right_sentence,
    turn_word,
    what_happened,
)
from number_duels.sessions import Work
from number_duels.sessions.replay import ReplaySession, line_frames
from number_duels.sessions.scene_tables import share_of
from number_duels.sessions.train import Plan
from number_duels.trainer.book import AddCard
from number_duels.trainer.drills import Scope
from number_duels.trainer.own_mistakes import mistake_card
from number_duels.trainer.spot import OpenSpot

NEXT_MISTAKE, WATCH = Action("mistake", "Next mistake"), Action("replay", "Watch again")
ANALYZE = Action("analyze", "Analyze")
#: The right move is hidden first, so that the viewer can try to find it.
SOLVE = Action("solve", "Show the answer")
HEADLINES = {
    MISTAKE: "A mistake.",
    INACCURACY: "An inaccuracy.",
    RARE_CHOICE: "Right, but unusual.",
    RIGHT: "Right.",
}
MAX_OTHERS = 3
NOT_ALONE = "The gap between a dot and the line is luck."
AXIS = tuple((height, chance(2 * height - 1)) for height in (1.0, 0.5, 0.0))


class ReviewSession:
    """The review of a game, as a whole or one decision at a time.

    Without `names`, texts say "Player 1" and "Player 2". `own` has the seats of the viewers
    (default: all people in the game). `earlier` games are searched for habits.
    """

    def __init__(
        self,
        match: AnyMatch,
        names: Names | None = None,
        own: tuple[Seat, ...] | None = None,
        earlier: Iterable[Record] = (),
    ) -> None:
        self.match, self.names, self.earlier = match, names, earlier
        people = tuple(seat for seat in Seat if match.players[seat].who == HUMAN)
        self.own = people if own is None else own
        #: The viewer's seat, or None if there may be several viewers.
        self.viewer = own[0] if own and len(own) == 1 else None
        #: The seat whose winning chance is shown: the only viewer's, otherwise Player 1's.
        self.seat = self.own[0] if len(self.own) == 1 else Seat.ONE
        self.review: Review | None = None
        self.turn_word = "turn"
        #: The number of the decision shown, from 1, or 0 for the whole game.
        self.place = 0
        #: The keys of the viewer's own mistakes for which the right move is shown.
        self.solved: set[str] = set()
        ends = {"1-0": f"{Seat.ONE} won", "0-1": f"{Seat.TWO} won", "*": "unfinished"}
        who, how = f"{Seat.ONE} and {Seat.TWO}", ends.get(match.result, "a draw")
        self._whole = Scene(
            WORKING,
            match.game.title,
            (self._named(who), self._named(how)),
            sides=tuple(map(Side, names or shown_names(match.players))),
        )

    def work(self) -> Work | None:
        label = "Working out what each move cost"
        return None if self.review else Work(self.match.game, label, self._work_out)

    def _work_out(self, solution: AnySolution) -> None:
        found = self.review = review(self.match, solution=solution, earlier=self.earlier)
        self.turn_word = turn_word(found)
        steps, board = self.match.steps(None), tuple(self.match.game.board(self.match.view(None)))
        earlier = tuple(self.match.game.board(steps[-1].before)) if steps else board
        made = {(one.turn, one.seat): one for one in found.mistakes}
        biggest = biggest_mistake(found, self.own)
        findings = tuple(
            self._finding(one, made.get((one.turn, one.seat)), solution) for one in found.grades
        )
        turn = unlucky_round(found, self.own)
        decided = [Action(f"go {turn}.{self.seat + 1}", f"Show round {turn}")] if turn else []
        self._whole = replace(
            self._whole,
            stage=TOLD,
            headline=self._named(headline_for(found, self.own)),
            detail=self._named(at_start(found)),
            lines=tuple(
                self._named(line) for line in review_lines(found, self.names, self.seat, self.own)
            ),
            board=board,
            changed=changed(earlier, board),
            path="The end" if self.match.outcome else "So far",
            at=str(self._until(biggest.turn)) if biggest else "",
            tables=(self._figures(found),),
            findings=findings,
            groups=tuple(
                Group(self._named(title), tuple(map(key_of, wrong)), folded)
                for title, wrong, folded in mistake_groups(found, self.own)
            ),
            chart=self._chart(found),
            notes=tuple(self._notes(found)),
            prompt=what_now(found, self.own)
            or self._named(what_met(found, turn, self.seat) if turn else ""),
            actions=(*([NEXT_MISTAKE] if found.mistakes else decided), ANALYZE, WATCH),
        )

    def act(self, key: str, text: str = "") -> None:
        keys = [finding.key for finding in self._whole.findings]
        if key == "go" and text in ("", *keys):
            self.place = 1 + keys.index(text) if text else 0
        elif key == "mistake":
            self.place = self._next_mistake()
        elif key == "solve" and self.here:
            self.solved.add(self.here.key)
        else:
            raise ValueError("That is not possible now; choose another action.")

    def _next_mistake(self) -> int:
        found = list(enumerate(self._whole.findings, 1))
        wrong = [place for place, one in found if not one.verdict.right]
        if not wrong:
            raise ValueError("Nobody made a mistake in this game.")
        # A viewer without mistakes goes to the opponent's.
        visited = [place for place, one in found if SOLVE in one.actions] or wrong
        return next((place for place in visited if place > self.place), visited[0])

    @property
    def here(self) -> Finding | None:
        return self._whole.findings[self.place - 1] if self.place else None

    @property
    def has_own_mistakes(self) -> bool:
        return any(SOLVE in finding.actions for finding in self._whole.findings)

    def card(self, clock: Clock = SYSTEM_CLOCK) -> AddCard | None:
        if not self.scene().offers("card"):
            return None
        return mistake_card(self.match.record, self._spot(), self._grade().loss, clock)

    def retry(self) -> Plan | None:
        if not self.scene().offers("retry"):
            return None
        game, spot = self.match.game, self._spot().spot
        plan = Plan("retry", game.name, game.settings, Scope(spot=spot))
        return replace(plan, opponent=self.names[spot.seat.other]) if self.names else plan

    def _grade(self) -> Grade:
        assert self.review
        assert self.place
        return self.review.grades[self.place - 1]

    def _spot(self) -> OpenSpot:
        grade = self._grade()
        return OpenSpot(self.match.game, self._until(grade.turn), grade.seat)

    def punishment(self) -> ReplaySession | None:
        here, game = self.here, self.match.game
        return ReplaySession.of_line(game, here.frames, here.line) if here and here.frames else None

    def scene(self) -> Scene:
        here = self.here
        if here is None:
            return self._whole
        told, actions = here.verdict, here.actions
        if here.key in self.solved or SOLVE not in actions:
            told = replace(told, sentences=tuple(filter(None, (*told.sentences, here.right))))
            actions = tuple(action for action in actions if action is not SOLVE)
        return replace(
            self._whole,
            board=here.before.board,
            changed=here.before.changed,
            drawn=here.before.drawn,
            path=here.before.said,
            at=here.before.at,
            to_move=(here.seat,),
            verdict=told,
            frames=here.frames,
            actions=tuple(dict.fromkeys((*self._whole.actions, *actions))),
        )

    def _named(self, text: str) -> str:
        return with_names(text, self.names) if self.names else text

    def _until(self, turn: int, *, drawn: bool = True) -> AnyHistory:
        """Return the history before a turn. With `drawn`, include the cards drawn in the turn."""
        history = self.match.history
        ends = [0, *(n for n, step in enumerate(history.steps, 1) if step.moves)]
        last = ends[turn] - 1 if drawn else ends[turn - 1]
        return replace(history, steps=history.steps[:last], concession=None)

    def _finding(self, grade: Grade, made: Mistake | None, solution: AnySolution) -> Finding:
        frames: tuple[Frame, ...] = ()
        if made:
            history = self._until(grade.turn, drawn=False)
            frames = line_frames(history, made.line.moves, self.names or SEAT_NAMES, line_end(made))
        return Finding(
            key_of(grade),
            grade.turn,
            grade.seat,
            move_of(grade),
            self._named(f"{self.turn_word.capitalize()} {grade.turn}, {grade.seat}"),
            self._verdict(grade, made, solution),
            self._before(grade),
            self._named(right_sentence(made)) if made else "",
            self._better(made) if made else (),
            cost(grade.loss) if grade.loss else "",
            grade.loss,
            grade.kind,
            how_often(grade),
            blunder=grade.is_blunder,
            forced=grade.count == 1,
            frames=frames,
            line=f"How {doing([move_words(grade.words, grade.drawn)], 1)} is punished"
            if made
            else "",
            actions=tuple(self._actions(grade)),
        )

    def _better(self, made: Mistake) -> tuple[tuple[int, int | None], ...]:
        game, state = self.match.game, self._until(made.turn).state
        asked, places = game.question(state, made.seat), Places(game.board(state), made.seat)
        # If several moves are safe, naming the first is enough.
        safe = made.right[0].guarantee >= made.before.value - TOLERANCE
        moves = [game.parse(option.move) for option in made.right[: 1 if safe else None]]
        answers = chain.from_iterable(path_to(asked, move) for move in moves)
        return tuple(dict.fromkeys(at for answer in answers for at in positions(answer, places)))

    def _before(self, grade: Grade) -> Frame:
        history, board = self._until(grade.turn), self.match.game.board
        parts = tuple(board(history.state))
        earlier = tuple(board(history.steps[-1].before)) if history.steps else ()
        said = f"Before {self.turn_word} {grade.turn}"
        return Frame(said, parts, earlier, drawn=grade.drawn, at=str(history))

    def _verdict(self, grade: Grade, made: Mistake | None, solution: AnySolution) -> Verdict:
        told = what_happened(made) if made else self._comments(grade, solution)
        said = tuple(map(self._named, filter(None, told)))
        headline = "A blunder." if grade.is_blunder else HEADLINES[grade.kind]
        if grade.count == 1:
            headline = "Forced."
        elif is_only_good(grade):
            headline = f"The only good move out of {grade.count}."
        return Verdict(not grade.is_mistake, headline, said)

    def _comments(self, grade: Grade, solution: AnySolution) -> Iterator[str]:
        words = words_of_moves(self.match.game, self._until(grade.turn).state, grade.seat)
        others = [said for move, said in words.items() if str(move) in grade.best]
        others = [move_words(said, grade.drawn) for said in others if said != grade.words]
        too = capital(doing(others, MAX_OTHERS)) if others else ""
        move = doing([move_words(grade.words, grade.drawn)], 1)
        if grade.kind == INACCURACY:
            before = grade.value_before * (1, -1)[grade.seat]
            lower = fall(before, before - grade.loss)
            average = "on average, " if self.turn_word == "round" else ""
            yield capital(f"{average}{move} lowers {grade.seat}'s winning chance {lower}.")
            yield f"A move that costs less than {cost(LEAST_MISTAKE)} is not called a mistake."
            yield f"{too} would have cost nothing."
        elif not grade.worst and not grade.mixed:
            sure = certain(grade.value_before * (1, -1)[grade.seat], None)
            same = f"Every move {RESULTS[sure]}." if sure else "Every move was equally good."
            yield same if others else capital(f"{move} was the only move.")
        elif not is_only_good(grade):
            yield capital(f"{move} costs nothing.")
        if grade.mixed:
            yield often_sentence(grade)
            if grade.kind == RARE_CHOICE:
                history = self._until(grade.turn)
                position = examine(solution, history.state)
                yield risk_of(solution, history, grade.seat, position, grade.move)
        elif others and grade.kind == RIGHT and grade.worst:
            yield f"{too} would also have cost nothing."

    def _actions(self, grade: Grade) -> Iterator[Action]:
        own = grade.seat in self.own
        if grade.is_mistake and own:
            yield Action("retry", "Try again")
            yield SOLVE
        if grade.is_mistake:
            yield Action("punished", "See it punished")
        if grade.is_mistake and own:
            yield Action("again", "Play on from here")
        yield ANALYZE
        if own:
            yield Action("card", "Add to my book")

    def _figures(self, found: Review) -> Table:
        lucky = has_luck(found)
        rows = []
        for seat in (self.seat, self.seat.other):
            own = [grade for grade in found.grades if grade.seat is seat]
            wrong = [one for one in found.mistakes if one.seat is seat]
            most = max(wrong, key=lambda one: one.loss, default=None)
            lower = fall(most.before.value, most.after.value) if most else "none"
            fell = lower.removeprefix("from ")
            cells = (f"{len(wrong)} in {counted(len(own), 'move')}", fell)
            luck = (luck_words(found.players[seat].luck),) if lucky else ()
            share = 1 - len(wrong) / len(own) if own else 0.0
            rows.append(Row(self._whole.sides[seat].name, (*cells, *luck), share, seat=seat))
        return Table(
            tuple(rows),
            ("Mistakes", "Biggest mistake", *(["Luck"] if lucky else [])),
            "Both players' figures",
            tuple(map(self._named, figures_lines(found))),
        )

    def _notes(self, found: Review) -> Iterator[str]:
        if any(grade.loss for grade in found.grades):
            yield COST
        if both_choose(found):
            yield ON_AVERAGE
        if has_luck(found):
            yield LUCK

    def _chart(self, found: Review) -> Chart:
        seat, sign = self.seat, (1, -1)[self.seat]
        heights = [share_of(sign * value) for value in found.course]
        wrong = [one for one in found.grades if one.is_mistake]
        decided = Counter(one.turn for one in found.grades)
        marks = []
        for one in wrong:
            mark = Mark(one.turn, heights[one.turn], one.seat, move_of(one), own=one.seat is seat)
            if decided[one.turn] == 2:
                before = sign * one.value_before
                alone = before + (-one.loss if mark.own else one.loss)
                lower = fall(before, alone).removeprefix("from ")
                later = chance(sign * found.course[one.turn])
                change = f"{lower} by this choice, {later} after both"
                mark = replace(mark, height=share_of(alone), change=change)
            marks.append(mark)
        whose = {mark.sign: f"{mark.sign} {mark.seat}'s mistake" for mark in marks}
        legend = [whose[sign] for sign in sorted(whose, reverse=True)]
        made = [f"{self.turn_word} {one.turn}, {one.seat}, {move_of(one)}" for one in wrong]
        said = ", ".join(chance(sign * value) for value in found.course)
        title = "Your winning chance" if self.viewer is seat else f"{seat}'s winning chance"
        whole = (
            f"{title} after each {self.turn_word}: {said}. Mistakes: {'; '.join(made) or 'none'}."
        )
        return Chart(
            (Curve("winning chance", tuple(enumerate(heights))),),
            tuple(marks),
            AXIS,
            self._named(title),
            self._named(whole),
            seat,
            tuple(map(self._named, legend)),
            self.turn_word.capitalize(),
            NOT_ALONE if both_choose(found) and marks else "",
        )


def what_decided(match: AnyMatch, solution: AnySolution, names: Names) -> str:
    """Say what decided a game that is over: the biggest mistake, luck, or a habit."""
    people = tuple(seat for seat in Seat if match.players[seat].who == HUMAN)
    return with_names(headline_for(review(match, solution=solution), people), names)


def headline_for(found: Review, own: tuple[Seat, ...]) -> str:
    """Return the headline. A winner hears about their own moves before the loser's."""
    said, winner = headline(found, own), {"1-0": Seat.ONE, "0-1": Seat.TWO}.get(found.record.result)
    if winner is not None and tuple(own) == (winner,) and said.startswith(f"{winner.other} could "):
        return f"{winner} made no mistake. {said}"
    return said


def what_now(found: Review, own: tuple[Seat, ...]) -> str:
    mistakes = [one.turn for one in found.mistakes if one.seat in own]
    if len(mistakes) == 1:
        return f"What now? Try {turn_word(found)} {mistakes[0]} again and find a better move."
    if mistakes:
        return "What now? Go through your mistakes, and try each of them again."
    if any(habit.seat in own for habit in found.habits):
        return "What now? Vary your choices, so that nobody can predict the next one."
    return ""


def unlucky_round(found: Review, own: tuple[Seat, ...]) -> int:
    """Return the losing viewer's unluckiest round, or 0 if luck did not decide the game."""
    lost = {"1-0": Seat.TWO, "0-1": Seat.ONE}.get(found.record.result)
    if found.mistakes or own != (lost,) or not both_choose(found):
        return 0
    falls = [before - after for before, after in pairwise(found.course)]
    if lost is Seat.TWO:
        falls = [-fallen for fallen in falls]
    most = max(falls, default=0.0)
    return falls.index(most) + 1 if most >= LEAST_MISTAKE else 0


def what_met(found: Review, turn: int, seat: Seat) -> str:
    """Say what both seats chose in a round, and how the winning chance of `seat` fell."""
    made = {grade.seat: grade.move for grade in found.grades if grade.turn == turn}
    before, after = (value * (1, -1)[seat] + 0.0 for value in found.course[turn - 1 : turn + 1])
    met = f"{seat} chose {made[seat]} and {seat.other} chose {made[seat.other]}"
    return f"In round {turn}, {met}: {seat}'s winning chance fell {fall(before, after)}."


def is_only_good(grade: Grade) -> bool:
    return not grade.loss and not grade.mixed and grade.good == 1 < grade.count


def key_of(decision: Grade | Mistake) -> str:
    return f"{decision.turn}.{decision.seat + 1}"
