"""Players that fail: the game ends, the right one is blamed, and all of it is counted."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count

import pytest

import number_duels as nd
from number_duels.arena.game_runner import play_fixture
from number_duels.arena.report import report
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import Schedule, named
from number_duels.core.game import AnyGame
from tests.arena.matches import GAMES, ROSTER, SOME_SMALL_GAMES, results_of

some_games = pytest.mark.parametrize("game", SOME_SMALL_GAMES)


def first(_: Hashable, options: tuple[Hashable, ...], __: str) -> Hashable:
    """A player that is always there."""
    return options[0]


def nonsense(*_: object) -> str:
    """A player that does not know the rules."""
    return "castle"


TRIES = count()


def stumbling(_: Hashable, options: tuple[Hashable, ...], __: str) -> Hashable:
    """A player that is right at the second try."""
    return options[-1] if next(TRIES) % 2 else "99"


def breaking(*_: object) -> str:
    """A player that does not finish its thought."""
    raise RuntimeError("out of ideas")


def met(game: AnyGame, who: str) -> list[GameResult]:
    """Two games of a player against one that is always there."""
    good = "good=py:tests.arena.test_forfeits:first"
    bad = f"bad=py:tests.arena.test_forfeits:{who}"
    return results_of(Schedule(named([bad, good]), (game,), 1, 1))


@some_games
@pytest.mark.parametrize(
    ("who", "kind", "refused"),
    [("nonsense", "illegal", ("illegal",) * 3), ("breaking", "crashed", ())],
)
def test_who_cannot_move_loses_in_either_seat(
    game: AnyGame, who: str, kind: str, refused: tuple[str, ...]
) -> None:
    for result in met(game, who):
        bad = next(n for n, side in enumerate(result.sides) if side.name == "bad")
        assert result.score == (-1, 1)[bad]
        assert result.sides[bad].forfeit == kind
        assert tuple(fault.kind for fault in result.sides[bad].faults) == refused
        assert result.sides[1 - bad].forfeit == ""
        assert result.sides[1 - bad].faults == ()


@some_games
def test_a_refused_answer_can_be_mended(game: AnyGame) -> None:
    for result in met(game, "stumbling"):
        bad = next(side for side in result.sides if side.name == "bad")
        assert bad.forfeit == ""
        assert {fault.kind for fault in bad.faults} == {"illegal"}
        assert len(bad.faults) == bad.cost.decisions


def test_the_record_of_a_forfeit_can_be_read_and_says_why() -> None:
    who = "py:tests.arena.test_forfeits:nonsense"
    what = Schedule(named(["random", who]), GAMES[3:4], 1, 1)
    fixture = next(what.pairs_of(what.pairings()[0]))[0]
    played = play_fixture(fixture, ROSTER)
    match = nd.Match.from_record(fixture.pairing.game, played.record)
    assert match.conceded
    assert played.record.reason.startswith("Player 2 forfeits: no legal move in 3 answers; castle")
    assert GameResult.from_json(played.to_json()) == played
    assert played.sides[1].forfeit == "illegal"


def test_forfeits_are_counted_apart_from_losses() -> None:
    found = report(met(GAMES[3], "nonsense"), {})
    rows = {row.name: row for row in found.rows}
    assert rows["bad"].forfeits == {"illegal": 2}
    assert rows["bad"].refused == {"illegal": 6}
    assert rows["good"].forfeits == {}
    # It never came to a move: its forfeits are its decisions, and cost all that it had.
    value = nd.solve(GAMES[3]).value(GAMES[3].start())
    assert rows["bad"].loss_per_game == pytest.approx(((1 + value) + (1 - value)) / 2)
    assert rows["bad"].accuracy == 0


def test_an_opponent_who_allows_no_decision_is_not_left_out() -> None:
    game = nd.load("number-bid", numbers=4)
    words = ["good=py:tests.arena.test_forfeits:first", "random"]
    broken = "bad=py:tests.arena.test_forfeits:nonsense"
    for people in (words, [*words, broken]):
        games = results_of(Schedule(named(people), (game,), 20, 1))
        row = next(row for row in report(games, {}).rows if row.name == "good")
        assert row.loss_per_decision is not None
        assert row.loss_per_decision_interval is not None
        width = row.loss_per_decision_interval[1] - row.loss_per_decision
        if people is words:
            mean = row.loss_per_decision
            assert width < 0.2
    # Nothing is known of half of its opponents: there it could have lost everything.
    assert row.loss_per_decision == mean
    assert width >= (2 - mean) / 2


def test_two_players_that_fail_at_once_both_pay_for_it() -> None:
    game = nd.load("number-bid", numbers=4)
    people = named([f"{name}=py:tests.arena.test_forfeits:nonsense" for name in ("one", "two")])
    games = results_of(Schedule(people, (game,), 2, 1))
    for played in games:
        assert played.forfeits == ("illegal", "illegal")
        assert played.score == 0
        assert [side.cost.loss for side in played.sides] == [1.0, 1.0]
        assert GameResult.from_json(played.to_json()) == played
    for row in report(games, {}).rows:
        assert row.forfeits == {"illegal": 4}
        assert row.loss_per_game == 1.0
