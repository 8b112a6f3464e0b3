"""The law of secrecy: no scene tells its viewer what another seat chose or drew in secret.

A new session is one line in `SESSIONS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import TypeAlias, cast

import pytest

from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person
from number_duels.core.scene import Scene, scene_json
from number_duels.games import load, names
from number_duels.sessions.narration import told_so_far
from number_duels.sessions.play import Company, PlaySession, make_scene, shared_viewer
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.review import ReviewSession
from number_duels.solvers import solve
from tests.conftest import SLOW
from tests.review.positions import SMALL
from tests.sixth_game.toys.take_away import TakeAway
from tests.sixth_game.toys.two_prizes import TwoPrizes
from tests.solvers.toys import Blind, CoinFlip, RockPaperScissors

VIEWERS = (*Seat, None)
NAMES = ("Ann", "Bo")
#: What somebody looks at in a match.
Look: TypeAlias = Callable[[AnyMatch, Seat | None], Scene]


def on_a_page(match: AnyMatch, viewer: Seat | None) -> Scene:
    return make_scene(match, Company(viewer, NAMES, hints=True), told_so_far(match, viewer, NAMES))


def at_one_device(match: AnyMatch, _: Seat | None) -> Scene:
    """Look at a page that two people share, before anybody has confirmed."""
    company = Company(shared_viewer(match), NAMES, shared=True)
    return make_scene(match, company, told_so_far(match, None, NAMES))


def at_a_keyboard(*who: str) -> Look:
    """Look at a game that people play at one keyboard, or one of them against the computer."""

    def look(match: AnyMatch, viewer: Seat | None) -> Scene:
        one, two = map(Person, NAMES, who)
        seated = match.copy()
        seated.players, seated.hints = (one, two), True
        return PlaySession(seated, (None, None), None).scene(viewer)

    return look


def watched_again(match: AnyMatch, viewer: Seat | None) -> Scene:
    session = ReplaySession.of(match, viewer, NAMES)
    session.act("last")
    return session.scene()


def looked_through(match: AnyMatch, viewer: Seat | None) -> Scene:
    session = ReviewSession(match, NAMES, () if viewer is None else (viewer,))
    while work := session.work():
        work.run(solved(work.game))
    return session.scene()


solved = cache(solve)


#: Every session that can show a game which is not over.
SESSIONS: Mapping[str, Look] = {
    "play, on a page": on_a_page,
    "play, two people at a page": at_one_device,
    "play, two people": at_a_keyboard("human", "human"),
    "play, against the computer": at_a_keyboard("human", "random"),
    "play, the computer first": at_a_keyboard("random", "human"),
    "replay": watched_again,
    "review": looked_through,
}
TOYS = (TakeAway(), TwoPrizes(), RockPaperScissors(), CoinFlip(), Blind())
GAMES = [*map(load, names()), *(cast("AnyGame", toy) for toy in TOYS)]
#: Small enough to be reviewed at every turn. Without the long run all sessions show these.
SMALL_GAMES = {name: load(name, **SMALL.get(name, {})) for name in names()}
SEEDS = (1, 2)
#: How many scenes are compared for a game: one for each choice or card that is secret.
COMPARED: Mapping[type, int] = {
    type(load("number-bid")): 512,
    type(load("high-low-battle")): 592,
    type(load("number-stack-showdown")): 1372,
    TwoPrizes: 80,
    RockPaperScissors: 48,
    Blind: 16,
}
COMPARED_SMALL: Mapping[type, int] = {
    **COMPARED,
    type(load("number-bid")): 216,
    type(load("high-low-battle")): 152,
    type(load("number-stack-showdown")): 192,
}


def everything(scene: Scene) -> str:
    """All that a scene holds, as it is sent, and what it asks."""
    return json.dumps(scene_json(scene)) + repr(scene.question)


def worlds(match: AnyMatch) -> Iterator[list[AnyMatch]]:
    """What may happen next in secret: the matches after each choice of a seat, or each card."""
    turn = match.turn
    if isinstance(turn, Chance):
        yield [drawn(match, event) for event in turn.odds]
    elif isinstance(turn, Decision) and len(turn.options) == 2:
        for seat, options in turn.options.items():
            yield [chosen(match, seat, move) for move in options]


def drawn(match: AnyMatch, event: Hashable) -> AnyMatch:
    record = replace(match.record, moves=f"{match.record.moves} {event}".strip())
    return Match.from_record(match.game, record)


def chosen(match: AnyMatch, seat: Seat, move: Hashable) -> AnyMatch:
    ahead = match.copy()
    ahead.submit(seat, move)
    return ahead


def may_know(match: AnyMatch, viewer: Seat | None) -> bool:
    """Whether a viewer may know what happened last."""
    return match.seats_ready <= {viewer} and match.hides_nothing_from(viewer)


def play_on(match: AnyMatch, rng: Random) -> None:
    if isinstance(match.turn, Chance):
        match.draw()
    elif isinstance(match.turn, Decision):
        for seat, options in match.turn.options.items():
            match.submit(seat, rng.choice(options))


def given_up(match: AnyMatch) -> AnyMatch:
    """The match after Player 1 has resigned."""
    ended = match.copy()
    ended.concede(Seat.ONE, "resigned.")
    return ended


def compared(look: Look, match: AnyMatch) -> Iterator[tuple[int, int]]:
    """For every secret and viewer: how many scenes there are, and how many different ones.

    What was secret stays secret if somebody gives up.
    """
    for after in worlds(match):
        for viewer in VIEWERS:
            secret = [one for one in after if not may_know(one, viewer)]
            for group in (secret, list(map(given_up, secret))) if secret else ():
                yield len(group), len({everything(look(one, viewer)) for one in group})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("session", SESSIONS)
def test_no_scene_tells_what_is_secret_from_its_viewer(session: str, game: AnyGame) -> None:
    total, compare_with = 0, COMPARED
    if session == "review" and isinstance(game, Blind):
        pytest.skip("what it hides is not solved")
    if session == "review" or not SLOW:
        game, compare_with = SMALL_GAMES.get(game.name, game), COMPARED_SMALL
    for seed in SEEDS:
        rng, match = Random(seed), Match(game, seed)
        while not match.outcome:
            for scenes, different in compared(SESSIONS[session], match):
                assert different == 1
                total += scenes
            play_on(match, rng)
    assert total == compare_with.get(type(game), 0)


def test_whoever_chose_or_drew_sees_it() -> None:
    """The scenes that are compared differ for a viewer who may see the difference."""
    for game in GAMES:
        for after in worlds(Match(game, 7)):
            for viewer in VIEWERS:
                if all(may_know(one, viewer) for one in after):
                    assert len({everything(on_a_page(one, viewer)) for one in after}) == len(after)


@pytest.mark.parametrize("name", ["number-bid", "number-stack-showdown"])
def test_a_scene_of_another_seat_is_found_out(name: str) -> None:
    leaks = compared(lambda match, _: on_a_page(match, Seat.ONE), Match(load(name), 7))
    assert any(different > 1 for _, different in leaks)
