"""Scenes and actions for games that people play, at one keyboard or on a server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import NamedTuple, Protocol

from number_duels.core.board import Part, changed, score
from number_duels.core.game import AnyGame, Chance, Decision, IllegalMove, Outcome, Seat
from number_duels.core.match import Match
from number_duels.core.names import SEAT_NAMES, YOU
from number_duels.core.player import AnyMatch, Forfeit, Player, own_seed, situation
from number_duels.core.record import COMPUTER_NAME, Person, shown_names, with_names
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
    turn_word,
)

Players = tuple[Player | None, Player | None]
NOBODY = frozenset[Seat]()
# Iterating over the enum is slower, and a server makes many scenes.
SEATS = tuple(Seat)
NOT_READY = "The computer is getting ready. Try again in a moment."
NO_TURN = "There is no turn to take back yet."


class Awaited(Enum):
    DRAW = "a card is drawn"
    CHOOSE = "somebody chooses"
    OVER = "nothing, because the game is over"


NOT_COUNTED = "A game in which you took a move back does not count in your statistics."


class Next(NamedTuple):
    """The action that a match waits for, and the seats that must act."""

    action: Awaited
    #: The seats that must still act, in order. Empty if a card is drawn automatically.
    seats: tuple[Seat, ...] = ()

    @property
    def seat(self) -> Seat | None:
        return self.seats[0] if self.seats else None


def waits_for(match: AnyMatch, first: Collection[Seat] = ()) -> Next:
    """Return the action that a match waits for. Seats in `first` come before the others."""
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


def curtain_for(match: AnyMatch, ready: Seat | None = None) -> Seat | None:
    """Return the seat that acts next at a shared screen, if the other must look away first.

    `ready` is the seat whose player has confirmed that only they look at the screen.
    """
    waiting = waits_for(match)
    seat = waiting.seat
    if waiting.action is not Awaited.CHOOSE or seat is None or seat is ready:
        return None
    secret = match.game.question(match.view(seat), seat).secret
    return seat if secret or not match.hides_nothing_from(seat.other) else None


def shared_viewer(match: AnyMatch, ready: Seat | None = None) -> Seat | None:
    """Return the seat that may see a shared screen now, or None if both may see it."""
    return waits_for(match).seat if curtain_for(match, ready) is None else None


def draws_in_secret(match: AnyMatch) -> bool:
    drawer = match.drawer
    if drawer is None or waits_for(match).action is not Awaited.DRAW:
        return False
    after = match.copy()
    after.draw()
    return not after.hides_nothing_from(drawer.other)


class Company(NamedTuple):
    """The viewer, the names, and other facts that are not part of the match."""

    viewer: Seat | None
    names: tuple[str, str] = SEAT_NAMES
    free: frozenset[Seat] = NOBODY
    absent: frozenset[Seat] = NOBODY
    #: Whether two people share the screen. If so, nobody is called "you".
    shared: bool = False
    #: What two people who share a screen pass to each other.
    device: str = "keyboard"
    #: The seat that has confirmed that only it looks at a shared screen.
    ready: Seat | None = None
    hints: bool = False
    rematch: bool = False
    about: tuple[str, str] = ("", "")


class Words(NamedTuple):
    stage: str
    waiting: Next
    headline: str
    detail: str
    sides: tuple[Side, ...]
    actions: tuple[Action, ...]


def words_of(match: AnyMatch, company: Company) -> Words:
    viewer, names, people = company.viewer, company.names, people_of(match)
    waiting = waits_for(match, people)
    asked = not company.free and viewer is not None and viewer in waiting.seats
    waits = company.free or not set(people).isdisjoint(waiting.seats)
    hidden = curtain_for(match, company.ready) if company.shared and viewer is None else None
    headline, detail = standing(match, company, waiting)
    stage = OVER if match.outcome else ASKED if asked else TOLD if waits else WORKING
    if hidden is not None:
        stage, headline = SAID, f"Pass the {company.device} to {hidden}"
        detail = f"The next screen is for {hidden} only. {hidden.other}, please look away."
    elif company.shared and viewer is not None and draws_in_secret(match):
        detail = f"Only {viewer} may see the card. {viewer.other}, please look away."
    return Words(
        stage,
        waiting,
        with_names(headline, names),
        with_names(detail, names),
        tuple([side(match, company, waiting, seat) for seat in SEATS]),
        tuple(possible_actions(match, company, asked=asked)),
    )


def make_scene(match: AnyMatch, company: Company, told: Sequence[ToldTurn]) -> Scene:
    """Return the scene of a match for one viewer. `told` is the result of `told_so_far`."""
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
        rules=game.short_rules,
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
    return tuple([seat for seat in SEATS if match.players[seat].who == HUMAN])


def facts(match: AnyMatch) -> Iterator[str]:
    yield "over" if match.outcome else f"{turn_word(match.game)} {match.turn_number}"
    for name, person in zip(shown_names(match.players), match.players, strict=True):
        if person.who != HUMAN:
            how = full_name(person.who)
            yield how if name in how else f"{name}: {how}"
    if match.takebacks:
        yield f"{match.takebacks} move{'s' if match.takebacks > 1 else ''} taken back"


def standing(match: AnyMatch, company: Company, waiting: Next) -> tuple[str, str]:
    viewer, outcome = company.viewer, match.outcome
    if outcome:
        points = score(match.game.board(match.view(viewer))) if not match.conceded else None
        return verdict(outcome, viewer, points[1] if points else (0, 0)), outcome.reason
    if company.free:
        if viewer is not None:
            return "Waiting for your friend", ""
        host = next((seat for seat in Seat if seat not in company.free), None)
        challenged = f"{host} challenges you to {match.game.title}"
        return "A place is free" if host is None else challenged, ""
    if viewer in match.seats_ready:
        return f"You chose {match.choice(viewer)}", f"Waiting for {waiting.seat}."
    chosen = "".join(f"{seat} has chosen." for seat in match.seats_ready)
    if viewer in waiting.seats:
        return f"{viewer}'s turn" if company.shared else "Your turn", chosen
    return others_act(waiting, people_of(match)), chosen


def verdict(outcome: Outcome, viewer: Seat | None, points: tuple[int, int] = (0, 0)) -> str:
    """Say who won. If the game counts points, also say by how many.

    >>> verdict(Outcome(Seat.TWO, ""), Seat.ONE, (4, 9)), verdict(Outcome(Seat.TWO, ""), None)
    ('You lose by 5', 'Player 2 wins')
    """
    winner, lead = outcome.winner, abs(points[0] - points[1])
    if winner is None:
        return "A draw"
    says = f"{winner} wins" if viewer is None else "You win" if winner is viewer else "You lose"
    return f"{says} by {lead}" if lead else says


def others_act(waiting: Next, people: Collection[Seat]) -> str:
    if not waiting.seats:
        return "Drawing a card…"
    if len(waiting.seats) == 2:
        return f"{Seat.ONE} and {Seat.TWO} are choosing"
    if waiting.seat in people:
        return f"{waiting.seat}'s turn"
    does = "draws" if waiting.action is Awaited.DRAW else "is thinking"
    return f"{waiting.seat} {does}…"


def side(match: AnyMatch, company: Company, waiting: Next, seat: Seat) -> Side:
    away = seat in company.free or seat in company.absent
    name, what = company.names[seat], doing(match, company, waiting, seat)
    if seat in company.free and name == SEAT_NAMES[seat]:
        name = "Your seat" if company.viewer is None else "Your friend"
    return Side(name, what, company.about[seat], away)


def doing(match: AnyMatch, company: Company, waiting: Next, seat: Seat) -> str:
    if seat in company.free:
        return "free" if company.viewer is None else "not here yet"
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
    found = tuple(entry for each in told if (entry := each.told).lines)
    given_up = readable(named(names, concession(match)))
    return (*found, Told(match.turn_number, given_up, given_up[0])) if given_up else found


def last_change(game: AnyGame, steps: Sequence[AnyStep], board: tuple[Part, ...]) -> Marks:
    moves = [step for step in steps if step.moves]
    return changed(game.board(moves[-1].before), board) if moves else {}


def possible_actions(match: AnyMatch, company: Company, *, asked: bool) -> Iterator[Action]:
    seat = company.viewer
    if match.outcome:
        if seat is not None or company.shared:
            label = "Go to the rematch" if company.rematch else "Rematch"
            yield Action("rematch", label, rematch_note(match.game))
        elif company.rematch:
            yield Action("rematch", "Watch the rematch")
        yield Action("review", "Review", "what each move cost")
        yield Action("again", "New game")
    elif company.free:
        yield (
            Action("join", "Join the game")
            if seat is None
            else Action("close", "Cancel invitation")
        )
    else:
        if company.shared and seat is None and curtain_for(match, company.ready) is not None:
            yield Action("ready", "Ready")
        choosing = isinstance(match.turn, Decision)
        if asked and not choosing:
            yield Action("draw", match.game.draw_label)
        if company.hints:
            yield Action("hint", "Hint", why_not=no_hint(match, seat, asked=asked))
        if seat is not None:
            yield Action("resign", "Resign")


def rematch_note(game: AnyGame) -> str:
    return "the other player goes first" if turn_word(game) == "turn" else ""


def no_hint(match: AnyMatch, seat: Seat | None, *, asked: bool) -> str:
    if not asked:
        return "You can ask for a hint when it is your turn."
    if not isinstance(match.turn, Decision):
        return f"{match.game.draw_label} first, then ask for a hint."
    hidden = not match.hides_nothing_from(seat)
    return "You can't get a hint while something is hidden from you." if hidden else ""


class PlayWork(NamedTuple):
    seat: Seat | None
    call: Callable[[], Hashable]
    #: Takes the result, unless the player forfeits.
    then: Callable[[Hashable], None]

    def run(self) -> Hashable:
        # Any thread may call this.
        try:
            return self.call()
        except Forfeit as forfeit:
            return forfeit


class Speech(NamedTuple):
    """Text to print during a game, with the board at the start of a turn."""

    lines: tuple[str, ...] = ()
    #: The board at the start of a turn. It may be drawn before the lines.
    board: tuple[Part, ...] | None = None
    changed: bool = False
    pause: str = ""


def draw_prompt(game: AnyGame) -> str:
    return f"Press Enter to {game.draw_label[0].lower()}{game.draw_label[1:]}..."


class Store(Protocol):
    def write(self, match: AnyMatch) -> None: ...


class PlaySession:
    """A match, its players, and the store that saves it.

    Each finished turn, card, takeback and resignation is saved at once. If saving raises an error,
    the match keeps the change.
    """

    def __init__(self, match: AnyMatch, players: Players, store: Store | None) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.players = players
        self.store = store
        #: The seats of external players that know that the game has begun.
        self._begun = set[Seat]()
        #: Whether work is running whose result `finish` has not received yet.
        self._at_work = False
        self._ready: Seat | None = None
        #: How many steps `speak` has told (None at first), the last turn it announced, and to whom.
        self._told: int | None = None
        self._announced = 0
        self._listener: Seat | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Return the names to show. A person who plays alone is called "You"."""
        one, two = shown_names(self.match.players)
        if len(self.people) == 1:
            return (YOU, two) if self.people[0] is Seat.ONE else (one, YOU)
        return one, two

    @property
    def people(self) -> tuple[Seat, ...]:
        return people_of(self.match)

    @property
    def shared(self) -> bool:
        return len(self.people) == 2

    @property
    def viewer(self) -> Seat | None:
        """Return the seat of the person who may see the screen now, or None.

        If two people play, it is None before a secret choice, because both may see the screen.
        """
        if not self.shared:
            return self.people[0] if self.people else None
        return shared_viewer(self.match, self._ready)

    @property
    def addressed(self) -> Seat | None:
        """Return the seat to address as "you", or None if no person acts alone now."""
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

    def _lacks_players(self) -> bool:
        return any(self.players[seat] is None for seat in SEATS if seat not in self.people)

    def _to_begin(self) -> list[tuple[Seat, ExternalPlayer]]:
        return [one for one in self.external_players if one[0] not in self._begun]

    def next(self) -> Next:
        """Return the action that the match waits for. People choose before the computer does."""
        return waits_for(self.match, self.people)

    def cover(self) -> None:
        """Hide the screen until the next person confirms again."""
        self._ready = None

    def needs_curtain(self) -> bool:
        """Return whether the next person's view or choice must be hidden from the other person."""
        return self.shared and curtain_for(self.match, self._ready) is not None

    def scene(self, viewer: Seat | None) -> Scene:
        """Return the scene for a viewer. Its texts say "Player 1" and "Player 2"."""
        told = told_so_far(self.match, None if self.shared else viewer)
        hints = self.match.hints and bool(self.people)
        company = Company(viewer, shared=self.shared, ready=self._ready, hints=hints)
        scene = make_scene(self.match, company, told)
        sides = zip(self.names, scene.sides, strict=True)
        question = scene.question
        return replace(
            scene,
            sides=tuple(replace(side, name=name) for name, side in sides),
            # Against the computer, nobody has to be kept from seeing a choice.
            question=question and replace(question, secret=question.secret and self.shared),
            actions=tuple(self._actions(scene)),
            notes=(NOT_COUNTED,) if self.match.takebacks else (),
        )

    def _actions(self, scene: Scene) -> Iterator[Action]:
        if scene.stage == OVER:
            yield Action("review", "Review", "what each move cost")
            yield Action("replay", "Watch again", "forward and back")
            yield Action("rematch", "Rematch", rematch_note(self.game))
            yield Action("again", "New game", "opponent, settings")
            yield Action("leave", "Back")
        steps, not_ready = self.match.history.steps, NOT_READY if self._lacks_players() else ""
        for one in scene.actions:
            if one.key == "hint":
                yield replace(one, why_not=not_ready or one.why_not)
            elif one.key in ("ready", "draw"):
                yield one
        begun = bool(steps or self.match.seats_ready or self.match.outcome)
        if self.shared and not begun:
            yield Action("computer", "Play the computer", "Two people play at this screen.")
        if self.people:
            moved = begun if self.shared else self._has_acted(self.people[0])
            busy = "The computer is thinking." if self._at_work else "" if moved else NO_TURN
            yield Action("take_back", "Take back", why_not=not_ready or busy)
            if scene.stage != OVER:
                resigns = "" if scene.stage == ASKED else "You can resign when it is your turn."
                yield Action("resign", "Resign", why_not=resigns)

    def _has_acted(self, seat: Seat) -> bool:
        outcome = self.match.outcome if self.match.conceded else None
        gave_up = outcome is not None and outcome.winner is not seat
        return gave_up or any(seat in step.moves for step in self.match.history.steps)

    def speak(self) -> Iterator[Speech]:
        """Yield the text since the last call. The first call begins with the current turn."""
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

    def work(self) -> PlayWork | None:
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
        """Apply the result of `work.run()` to the match. A player that forfeits loses the game."""
        self._at_work = False
        if isinstance(result, Forfeit) and work.seat is not None:
            self.concede(work.seat, f"forfeits: {result.reason}")
        else:
            work.then(result)

    def act(self, key: str, text: str = "", viewer: Seat | None = None) -> str:
        """Do an action, and return a message for the user. Raise ValueError if it is impossible."""
        for action in self.scene(viewer).actions:
            if action.key == key and action.why_not:
                raise ValueError(action.why_not)
        match key:
            case "choose" if viewer is not None:
                self.choose(viewer, text)
            case "draw" if viewer is self.match.drawer:
                self.draw()
                self._ready = viewer  # the other person was asked to look away
            case "ready" if self.needs_curtain():
                self._ready = self.next().seat
            case "take_back":
                return self.take_back()
            case "resign" if not self.match.outcome:
                self.resign()
            case _:
                raise ValueError("That is not possible now; choose another action.")
        return ""

    def choose(self, seat: Seat, move: Hashable) -> None:
        self.match.submit(seat, move)
        self._ready = None
        if not self.match.seats_ready:
            self.save()

    def draw(self) -> None:
        self.match.draw()
        self.save()

    def take_back(self) -> str:
        """Take back the last turn or, against the computer, the person's last move.

        After a resignation, take back the resignation alone.
        """
        if not self.people:
            raise IllegalMove("You have no move to take back: the computer plays both sides.")
        turn, resigned = self.match.turn_number, self.match.conceded
        try:
            if self.shared:
                self.match.undo()
            else:
                self.match.take_back(self.people[0])
        except IllegalMove:
            raise IllegalMove(NO_TURN) from None
        self._ready = None
        self.save()
        kept = resigned and self.match.turn_number == turn
        told = f"The {'resignation' if kept else 'last turn'} is taken back."
        if self.shared:
            return told
        count = self.match.takebacks
        moves = f"{count} move{'s' if count > 1 else ''}"
        return f"{told} You have taken back {moves} in this game."

    def resign(self) -> None:
        seat = self.next().seat if self.shared else self.viewer
        assert seat is not None
        self.concede(seat, "resigned.")

    def concede(self, seat: Seat, how: str) -> None:
        self.match.concede(seat, how)
        self.save()

    def rematch(self) -> AnyMatch:
        one, two = self.match.players
        return Match(self.game, players=(two, one), hints=self.match.hints)

    def against(self, who: str) -> AnyMatch:
        players = (self.match.players[0], Person(COMPUTER_NAME, who))
        return Match(self.game, players=players, hints=self.match.hints)

    def save(self) -> None:
        if self.store:
            self.store.write(self.match)

    def end(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        for seat, player in self.external_players:
            player.end(self.match.view(seat), outcome.result, outcome.reason)
