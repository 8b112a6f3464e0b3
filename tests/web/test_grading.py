"""Games are graded for everybody, however much there is to solve for one of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.review.player_stats import Ungraded
from number_duels.solvers import Unsolvable
from number_duels.web.config import Config
from number_duels.web.db.stored_game import Event, EventKind
from number_duels.web.errors import AnswerTimeout
from number_duels.web.service.games import GameService
from number_duels.web.service.new_game import GameRequest, new_game
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.results import results_of
from number_duels.web.service.training import TrainingService
from tests.web.conftest import WithService
from tests.web.test_repository import chosen
from tests.web.test_worker import BID

SOLVED = 3


async def play_a_turn(service: GameService, profile: Profile, numbers: int, age: int) -> None:
    """A game that somebody resigned after one turn, some seconds ago."""
    wish = GameRequest(BID, {"numbers": numbers}, opponent="random", profile=profile.id)
    before = replace(
        new_game(wish, "digest"), updated_at=service.repository.clock.now() - age, version=1
    )
    await service.repository.create(before)
    played = chosen(chosen(before), nd.Seat.TWO)
    after = replace(
        played.with_event(Event(EventKind.RESIGNATION, nd.Seat.ONE)), over=True, version=2
    )
    await service.repository.advance(before, after, None, results_of(after, after.match()))


@pytest.mark.usefixtures("own_cache")
def test_what_is_solved_is_graded_first_and_the_rest_for_one_profile_after_the_other(
    with_service: WithService,
) -> None:
    nd.solve(nd.load(BID, numbers=SOLVED))

    async def test(service: GameService) -> None:
        profiles = ProfileService(service)
        ann, bo, cy = [(await profiles.create(name))[0] for name in ("Ann", "Bo", "Cy")]
        for age, numbers in enumerate((4, 5, 6)):
            await play_a_turn(service, ann, numbers, age)
        await play_a_turn(service, bo, 7, age=100)
        await play_a_turn(service, cy, SOLVED, age=200)

        async def graded() -> list[list[object]]:
            assert await service.grader.grade_some()
            lists = [await service.grader.results.newest(one.id, 9) for one in (ann, bo, cy)]
            return [[one.settings["numbers"] for one in each if one.figures] for each in lists]

        assert await graded() == [[4], [], [SOLVED]]
        assert await graded() == [[4], [7], [SOLVED]], "however many games of another are newer"
        assert await graded() == [[4, 5], [7], [SOLVED]]
        assert await graded() == [[4, 5, 6], [7], [SOLVED]]
        assert not await service.grader.grade_some()

    with_service(Config(), test)


@pytest.mark.usefixtures("own_cache")
def test_a_game_that_cannot_be_read_now_waits_and_holds_no_other_up(
    with_service: WithService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems: dict[object, ValueError] = {
        4: AnswerTimeout("too long"),
        5: Unsolvable("no memory"),
        6: Ungraded("never"),
    }

    async def test(service: GameService) -> None:
        profiles = ProfileService(service)
        training = TrainingService(service, profiles)
        ann, _ = await profiles.create("Ann")
        for age, numbers in enumerate((4, 4, 5, 6, SOLVED)):
            await play_a_turn(service, ann, numbers, age)
        while await service.grader.grade_some():
            pass
        asked: list[object] = []

        async def answer(_client: str, game: AnyGame, *_: object, **__: object) -> list[object]:
            asked.append(game.settings["numbers"])
            if asked[-1] in problems:
                raise problems[asked[-1]]
            return []

        monkeypatch.setattr(service.worker, "ask", answer)
        assert (await training.read_games(ann, "ann"))["read"] == 2
        assert asked == [4, 5, 6, SOLVED], "what is not there is asked for once"
        asked.clear()
        problems.clear()
        found = await training.read_games(ann, "ann")
        assert (found["read"], asked) == (3, [4, 4, 5])

    with_service(Config(), test)
