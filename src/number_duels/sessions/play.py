"""A game with people in it: what it waits for, what is told, and what can be done.

`make_scene` describes a match to one viewer. A `PlaySession` adds who sits at one keyboard: whether
a curtain is needed, what can be done, and what the computer does next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import NamedTuple, Protocol

from number_duels.core.board import Part, changed, score
from number_duels.core.game import AnyGame, Chance, Decision, IllegalMove, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.names import SEAT_NAMES
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.record import shown_names, with_names
from number_duels.core.scene import (
    ASKED,
    OVER,
    SAID,
    TOLD,
    WORKING,
    Action,
    Marks,
    Row,
    Scene,
    Side,
    Table,
    Told,
)
from number_duels.players.external import ExternalPlayer
from number_duels.players.registry import HUMAN, full_name
from number_duels.sessions.narration import (
    AnyStep,
    ToldTurn,
    concession,
    named,
    readable,
    tell,
    told_so_far,
    turn_so_far,
)

#: A player for each chair; None: a person.
Players = tuple[Player | None, Player | None]
NOBODY = frozenset[Seat]()
#: To go through an enum takes longer, and a server makes scenes all the time.
SEATS = tuple(Seat)
NO_HINT = "There is a hint when you choose, and nothing is hidden from you."


class Awaited(Enum):
    """What a game waits for."""

    DRAW = "a card is drawn"
    CHOOSE = "somebody chooses"
    OVER = "nothing: it is over"


class Next(NamedTuple):
    """What a game waits for, and from whom."""

    action: Awaited
    #: Who has yet to act, in the order in which they are asked; empty where nature acts alone.
    seats: tuple[Seat, ...] = ()

    @property
    def seat(self) -> Seat | None:
        return self.seats[0] if self.seats else None


def waits_for(match: AnyMatch, first: Collection[Seat] = ()) -> Next:
    """Return what a match waits for; of two seats that choose, those in `first` come first."""
    turn = match.turn
    if isinstance(turn, Outcome):
        return Next(Awaited.OVER)
    if isinstance(turn, Chance):
        return Next(Awaited.DRAW, () if match.drawer is None else (match.drawer,))
    ready = match.seats_ready
    waiting = sorted([seat for seat in turn.options if seat not in ready])
    if len(waiting) == 2 and waiting[0] not in first and waiting[1] in first:
        waiting.reverse()
    return Next(Awaited.CHOOSE, tuple(waiting))


# ---- as one viewer sees it -----------------------------------------------------


class Company(NamedTuple):
    """Who is at a table, and who looks at it."""

    #: None is a spectator.
    viewer: Seat | None
    #: What words call the players.
    names: tuple[str, str] = SEAT_NAMES
    #: The seats that nobody has taken yet.
    free: frozenset[Seat] = NOBODY
    #: The seats whose people are away.
    absent: frozenset[Seat] = NOBODY
    #: Whether two people look at one screen, where nobody is "you".
    shared: bool = False
    #: Whether the viewer can ask for hints in this game.
    hints: bool = False
    #: Whether there is a rematch already.
    rematch: bool = False
    #: Who each player is, in a few words.
    about: tuple[str, str] = ("", "")


class Words(NamedTuple):
    """What is said of a match to one viewer, besides its log: all that a server adds to a view."""

    #: What goes on.
    stage: str
    waiting: Next
    headline: str
    detail: str
    sides: tuple[Side, ...]
    actions: tuple[Action, ...]


def words_of(match: AnyMatch, company: Company) -> Words:
    """Return what is said of a match to one viewer."""
    viewer, names, people = company.viewer, company.names, people_of(match)
    waiting = waits_for(match, people)
    asked = not company.free and viewer is not None and viewer in waiting.seats
    waits = company.free or not set(people).isdisjoint(waiting.seats)
    headline, detail = standing(match, company, waiting)
    return Words(
        OVER if match.outcome else ASKED if asked else TOLD if waits else WORKING,
        waiting,
        with_names(headline, names),
        with_names(detail, names),
        tuple([side(match, company, waiting, seat) for seat in SEATS]),
        tuple(possible_actions(match, company, asked=asked)),
    )


def make_scene(match: AnyMatch, company: Company, told: Sequence[ToldTurn]) -> Scene:
    """Return a match as a viewer sees it; `told` is what `told_so_far` returns for this viewer."""
    game, viewer, words = match.game, company.viewer, words_of(match, company)
    view, question = match.view(viewer), None
    if words.stage == ASKED and words.waiting.action is Awaited.CHOOSE:
        assert viewer is not None
        question = game.question(view, viewer)
    board = game.board(view)
    choice = None if viewer is None else match.choice(viewer)
    steps = match.steps(viewer)
    return Scene(
        words.stage,
        game.title,
        status=tuple(facts(match)),
        headline=words.headline,
        detail=words.detail,
        log=log_of(match, told, company.names),
        sides=words.sides,
        board=board,
        changed=last_change(game, steps, board),
        drawn=str(steps[-1].event) if steps and not steps[-1].moves else "",
        you=viewer,
        to_move=words.waiting.seats,
        prompt=with_names(question.prompt, company.names) if question else "",
        question=question,
        answer="" if choice is None else str(choice),
        tables=tuple(final_score(match, board, company)),
        actions=words.actions,
    )


def people_of(match: AnyMatch) -> tuple[Seat, ...]:
    """The seats in which people sit."""
    return tuple([seat for seat in SEATS if match.players[seat].who == HUMAN])


def facts(match: AnyMatch) -> Iterator[str]:
    """Where in a game one is: the turn, which computer plays, what was taken back."""
    yield "over" if match.outcome else f"turn {match.turn_number}"
    yield from (full_name(person.who) for person in match.players if person.who != HUMAN)
    if match.takebacks:
        yield f"{match.takebacks} move{'s' if match.takebacks > 1 else ''} taken back"


def standing(match: AnyMatch, company: Company, waiting: Next) -> tuple[str, str]:
    """The one thing to know now, and a little more."""
    viewer, outcome = company.viewer, match.outcome
    if outcome:
        return verdict(outcome, viewer), outcome.reason
    if company.free:
        if viewer is not None:
            return "Waiting for your friend", ""
        host = next((seat for seat in Seat if seat not in company.free), None)
        return "A seat is free", f"{host} invites you to play." if host is not None else ""
    if viewer in match.seats_ready:
        return f"You chose {match.choice(viewer)}", f"Waiting for {waiting.seat}."
    chosen = "".join(f"{seat} has chosen." for seat in match.seats_ready)
    if viewer in waiting.seats:
        return f"{viewer}'s turn" if company.shared else "Your turn", chosen
    return others_act(waiting, people_of(match)), chosen


def verdict(outcome: Outcome, viewer: Seat | None) -> str:
    """Who won."""
    if outcome.winner is None:
        return "A draw"
    return "You win" if outcome.winner is viewer else f"{outcome.winner} wins"


def others_act(waiting: Next, people: Collection[Seat]) -> str:
    """What a viewer who has nothing to do waits for."""
    if not waiting.seats:
        return "A card is drawn…"
    if len(waiting.seats) == 2:
        return f"{Seat.ONE} and {Seat.TWO} are choosing"
    if waiting.seat in people:
        return f"{waiting.seat} is to move"
    does = "draws" if waiting.action is Awaited.DRAW else "is thinking"
    return f"{waiting.seat} {does}…"


def side(match: AnyMatch, company: Company, waiting: Next, seat: Seat) -> Side:
    """Who sits in a seat, and what they are doing."""
    away = seat in company.free or seat in company.absent
    what = doing(match, company, waiting, seat)
    return Side(company.names[seat], what, company.about[seat], away)


def doing(match: AnyMatch, company: Company, waiting: Next, seat: Seat) -> str:
    """What a player is doing, in a word or two."""
    if seat in company.free:
        return "not here yet"
    outcome = match.outcome
    if outcome or company.free:
        return "winner" if outcome and outcome.winner is seat else ""
    left = "left" if seat in company.absent and seat is not company.viewer else ""
    if seat in match.seats_ready:
        return "chosen, left" if left else "chosen"
    if left or seat not in waiting.seats:
        return left
    return "to move" if seat is company.viewer else "thinking…"


def final_score(match: AnyMatch, board: tuple[Part, ...], company: Company) -> Iterator[Table]:
    """What both players have in the end, the viewer first; nothing if somebody gave up."""
    found = score(board) if match.outcome and not match.conceded else None
    if found is None:
        return
    label, points = found
    seats = (Seat.TWO, Seat.ONE) if company.viewer is Seat.TWO else (Seat.ONE, Seat.TWO)
    most = max(1, *points)
    rows = (
        Row(company.names[seat], (str(points[seat]),), max(0, points[seat]) / most, seat=seat)
        for seat in seats
    )
    yield Table(tuple(rows), title=label)


def log_of(
    match: AnyMatch, told: Sequence[ToldTurn], names: tuple[str, str] = SEAT_NAMES
) -> tuple[Told, ...]:
    """What was told so far, and last that somebody gave up, if somebody did."""
    found = tuple(entry for each in told if (entry := each.told).lines)
    given_up = readable(named(names, concession(match)))
    return (*found, Told(match.turn_number, given_up, given_up[0])) if given_up else found


def last_change(game: AnyGame, steps: Sequence[AnyStep], board: tuple[Part, ...]) -> Marks:
    """What the last move, and cards that were drawn since, changed in a board."""
    moves = [step for step in steps if step.moves]
    return changed(game.board(moves[-1].before), board) if moves else {}


def possible_actions(match: AnyMatch, company: Company, *, asked: bool) -> Iterator[Action]:
    """What a viewer can do, besides answering a question."""
    seat = company.viewer
    if match.outcome:
        if seat is not None:
            label = "Go to the rematch" if company.rematch else "Rematch"
            yield Action("rematch", label, "seats swapped")
        elif company.rematch:
            yield Action("rematch", "Watch the rematch")
    elif company.free:
        yield Action("join", "Join the game") if seat is None else Action("close", "Close")
    else:
        choosing = isinstance(match.turn, Decision)
        if asked and not choosing:
            yield Action("draw", match.game.draw_label)
        if company.hints:
            known = asked and choosing and match.hides_nothing_from(seat)
            yield Action("hint", "Hint", why_not="" if known else NO_HINT)
        if seat is not None:
            yield Action("resign", "Resign")


# ---- at one keyboard -----------------------------------------------------------


class PlayWork(NamedTuple):
    """What the game waits for and no person does: a player's move, a card, a player's beginning."""

    #: Whose it is; None where nature draws alone.
    seat: Seat | None
    call: Callable[[], Hashable]
    #: Takes the result, unless the player cannot go on.
    then: Callable[[Hashable], None]

    def run(self) -> Hashable:
        """Do it, in any thread; return the move, or the Forfeit of a player that cannot go on."""
        try:
            return self.call()
        except Forfeit as forfeit:
            return forfeit


class Speech(NamedTuple):
    """Lines of a game's document for one moment of a game."""

    lines: tuple[str, ...] = ()
    #: The board at the beginning of a turn; it may be drawn before the lines.
    board: tuple[Part, ...] | None = None
    #: Whether the board has changed since the last speech.
    changed: bool = False
    #: The prompt at which a person presses Enter before the lines are said.
    pause: str = ""


def draw_prompt(game: AnyGame) -> str:
    """Return what a person who draws a card is asked."""
    return f"Press Enter to {game.draw_label[0].lower()}{game.draw_label[1:]}..."


class Store(Protocol):
    """Where a match is saved."""

    def write(self, match: AnyMatch) -> None:
        """Write the whole match down."""


class PlaySession:
    """One match, the players in its chairs, and where it is saved.

    Every change is saved before the call that makes it returns. If the store raises, the change
    has been made and is not saved.
    """

    def __init__(self, match: AnyMatch, players: Players, store: Store | None) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.players = players
        self.store = store
        #: The external players that know that the game has begun.
        self._begun = set[Seat]()
        #: Whether something runs that `finish` has not heard of.
        self._at_work = False
        #: Of two people, the one who has sat down at the keyboard alone.
        self._ready: Seat | None = None
        #: What `speak` has said: how many steps (None: nothing yet), which turn, and to whom.
        self._told: int | None = None
        self._announced = 0
        self._listener: Seat | None = None

    # ---- who is to act, and who may see what -----------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """Return what the players are called on the screen."""
        return shown_names(self.match.players)

    @property
    def people(self) -> tuple[Seat, ...]:
        return people_of(self.match)

    @property
    def shared(self) -> bool:
        """Whether two people share the keyboard."""
        return len(self.people) == 2

    @property
    def viewer(self) -> Seat | None:
        """Return who looks at the screen: the one person, or of two people the one to act.

        None while both may look, where one of them has to choose in secret.
        """
        if not self.shared:
            return self.people[0] if self.people else None
        return None if self.needs_curtain() else self.next().seat

    @property
    def addressed(self) -> Seat | None:
        """Return the person who is spoken to as "you": the one whose turn it is, if any."""
        turn = self.match.turn
        if isinstance(turn, Decision):
            seat = next(iter(turn.options)) if len(turn.options) == 1 else None
        else:
            seat = self.match.drawer
        return seat if seat in self.people else None

    @property
    def external_players(self) -> Iterator[tuple[Seat, ExternalPlayer]]:
        for seat, player in zip(Seat, self.players, strict=True):
            if isinstance(player, ExternalPlayer):
                yield seat, player

    def _to_begin(self) -> list[tuple[Seat, ExternalPlayer]]:
        """Return the external players that don't know yet that the game has begun."""
        return [one for one in self.external_players if one[0] not in self._begun]

    def next(self) -> Next:
        """Return what the game waits for; people choose before the computer does."""
        return waits_for(self.match, self.people)

    def needs_curtain(self) -> bool:
        """Whether what a person is about to see or choose is secret from another person."""
        action, seats = self.next()
        if not self.shared or action is not Awaited.CHOOSE or seats[0] is self._ready:
            return False
        seat = seats[0]
        question = self.game.question(self.match.view(seat), seat)
        return question.secret or not self.match.hides_nothing_from(seat.other)

    # ---- what is shown and told ------------------------------------------------

    def scene(self, viewer: Seat | None) -> Scene:
        """Return what a viewer sees; words name the seats, and the sides have the names."""
        told = told_so_far(self.match, None if self.shared else viewer)
        company = Company(viewer, shared=self.shared, hints=self.match.hints and bool(self.people))
        scene = make_scene(self.match, company, told)
        if viewer is None and self.needs_curtain():
            seat = self.next().seats[0]
            scene = replace(
                scene,
                stage=SAID,
                headline=f"Pass the keyboard to {seat}",
                detail=f"What follows is for {seat} alone; {seat.other} looks away.",
            )
        sides = zip(self.names, scene.sides, strict=True)
        question = scene.question
        return replace(
            scene,
            sides=tuple(replace(side, name=name) for name, side in sides),
            # Alone with the computer nobody else looks.
            question=question and replace(question, secret=question.secret and self.shared),
            actions=tuple(self._actions(scene)),
        )

    def _actions(self, scene: Scene) -> Iterator[Action]:
        if scene.stage == SAID:
            yield Action("ready", "Ready")
        if scene.stage == OVER:
            yield Action("review", "Review", "what each move cost")
            yield Action("replay", "Watch again", "forward and back")
            yield Action("rematch", "Rematch", "seats swapped")
            yield Action("again", "Another level", "or opponent, or settings")
            yield Action("leave", "Home")
        yield from (one for one in scene.actions if one.key in ("draw", "hint"))
        if self.people:
            busy = "The computer is at work." if self._at_work else ""
            yield Action("take_back", "Take back", why_not=busy)
            if scene.stage != OVER:
                resigns = "" if scene.stage == ASKED else "You can resign when it is your turn."
                yield Action("resign", "Resign", why_not=resigns)

    def speak(self) -> Iterator[Speech]:
        """Yield what the document says since the last call, up to the next thing that is done.

        A turn that was cut off in its middle is repeated that far.
        """
        match, listener = self.match, self._listener
        if self._told is None and match.turn_number == 1:
            yield Speech(tuple(self.game.opening(match.view(None))))
        steps = match.steps(listener)
        news = steps[len(steps) if self._told is None else self._told :]
        self._told = len(steps)
        if match.conceded:
            yield Speech(("", *concession(match)))
            return
        if news:
            yield Speech(tuple(tell(self.game, news, listener)), changed=True)
            turn_ended = match.turn_number > self._announced and not match.outcome
            if listener is not None and turn_ended and self.game.end_prompt:
                yield Speech(pause=self.game.end_prompt)
        if not match.outcome and not self._to_begin():
            yield from self._announce()

    def _announce(self) -> Iterator[Speech]:
        """Yield what the document says at the beginning of a turn, once."""
        self._listener = listener = self.addressed
        if self._announced == self.match.turn_number:
            return
        self._announced = self.match.turn_number
        view, begun = turn_so_far(self.match, listener)
        yield Speech(tuple(self.game.announce(view, listener)), self.game.board(view))
        for step in begun:
            # Somebody else may look at the screen now.
            pause = "" if listener is None else draw_prompt(self.game)
            yield Speech(tuple(tell(self.game, [step], listener)), changed=True, pause=pause)

    # ---- what no person does ---------------------------------------------------

    def work(self) -> PlayWork | None:
        """Return what has to be run next; None if a person is waited for."""
        found = self._work()
        self._at_work = found is not None
        return found

    def _work(self) -> PlayWork | None:
        action, seats = self.next()
        if action is Awaited.OVER:
            return None
        if waiting := self._to_begin():
            seat, player = waiting[0]
            begin = partial(player.begin, self.game, seat, own_seed(self.match, seat))
            return PlayWork(seat, begin, lambda _: self._begun.add(seat))
        if seats and seats[0] in self.people:
            return None
        if action is Awaited.DRAW:
            return PlayWork(self.match.drawer, lambda: None, lambda _: self.draw())
        chooser = self.players[seats[0]]
        assert chooser
        choose = partial(chooser.choose, situation(self.match, seats[0]))
        return PlayWork(seats[0], choose, partial(self.choose, seats[0]))

    def finish(self, work: PlayWork, result: Hashable) -> None:
        """Take what `work.run()` returned; a player that cannot go on loses."""
        self._at_work = False
        if isinstance(result, Forfeit) and work.seat is not None:
            self.concede(work.seat, f"forfeits: {result.reason}")
        else:
            work.then(result)

    # ---- what can be done ------------------------------------------------------

    def act(self, key: str, text: str = "", viewer: Seat | None = None) -> str:
        """Carry out an action and return a sentence about it; a ValueError says why not."""
        for action in self.scene(viewer).actions:
            if action.key == key and action.why_not:
                raise ValueError(action.why_not)
        match key:
            case "choose" if viewer is not None:
                self.choose(viewer, text)
            case "draw" if viewer is self.match.drawer:
                self.draw()
            case "ready" if self.needs_curtain():
                self._ready = self.next().seat
            case "take_back":
                return self.take_back()
            case "resign" if not self.match.outcome:
                self.resign()
            case _:
                raise ValueError("That is not possible now.")
        return ""

    def choose(self, seat: Seat, move: Hashable) -> None:
        """Take a choice; it is played, and saved, once everybody has chosen."""
        self.match.submit(seat, move)
        self._ready = None
        if not self.match.seats_ready:
            self.save()

    def draw(self) -> None:
        self.match.draw()
        self.save()

    def take_back(self) -> str:
        """Take back a turn among people, or a person's last move against the computer; say so.

        An IllegalMove says why there is none.
        """
        if not self.people:
            raise IllegalMove("Nobody here has a move to take back: the computer plays alone.")
        try:
            if self.shared:
                self.match.undo()
            else:
                self.match.take_back(self.people[0])
        except IllegalMove:
            raise IllegalMove("There is no turn to take back yet.") from None
        self._ready = None
        self.save()
        count = "" if self.shared else f" The record counts it: {self.match.takebacks}."
        return f"The last turn is taken back.{count}"

    def resign(self) -> None:
        """Give the game up: the one person, or whose turn it is where two play."""
        seat = self.next().seat if self.shared else self.viewer
        assert seat is not None
        self.concede(seat, "resigned.")

    def concede(self, seat: Seat, how: str) -> None:
        self.match.concede(seat, how)
        self.save()

    def rematch(self) -> AnyMatch:
        """Return a new match of the same game with the seats swapped."""
        one, two = self.match.players
        return Match(self.game, players=(two, one), hints=self.match.hints)

    def save(self) -> None:
        if self.store:
            self.store.write(self.match)

    def end(self) -> None:
        """Tell the external players how the game ended."""
        outcome = self.match.outcome
        assert outcome is not None
        for seat, player in self.external_players:
            player.end(self.match.view(seat), outcome.result, outcome.reason)
