"""A person's own record: which games count, for whom, and what their figures are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import number_duels as nd
from number_duels.review import player_stats as stats_module
from number_duels.review.json import stats_json
from number_duels.review.player_stats import (
    DRAWN,
    LOST,
    NO_PEOPLE,
    TAKEN_BACK,
    TWO_PEOPLE,
    UNFINISHED,
    WON,
    OwnGame,
    PlayerStats,
    Score,
    cut_in_three,
    grade_decisions,
    kept_figures,
    player_stats,
)
from number_duels.review.position import AnySolution
from tests.review.positions import SMALL, random_match

ANN, BO = nd.Person("Ann"), nd.Person("Bo")
WEAK, PERFECT = nd.Person("Computer", "level:1"), nd.Person("Computer", "perfect")


def played(name: str = "number-knot", seed: int = 1, players: object = (ANN, WEAK)) -> nd.Record:
    """A whole game at a small setting; the later its seed, the later it was played."""
    record = random_match(nd.load(name, **SMALL.get(name, {})), seed).record
    assert isinstance(players, tuple)
    return replace(record, players=players, started=f"2026-01-01T00:00:{seed:02}Z")


# ---- which games count ---------------------------------------------------------


def test_a_game_counts_for_the_seat_in_which_the_person_sat() -> None:
    first = next(game for seed in range(9) if (game := played(seed=seed)).result == "1-0")
    second = replace(first, players=(WEAK, ANN))
    one, two = player_stats([first]), player_stats([second])
    assert (one.score, two.score) == (Score(won=1), Score(lost=1))
    review = nd.review(first)
    assert one.tally == review.players[nd.Seat.ONE]
    assert two.tally == review.players[nd.Seat.TWO]


def test_games_that_do_not_count_are_counted_as_such() -> None:
    game = played()
    stats = player_stats(
        [
            game,
            replace(game, takebacks=2),
            replace(game, moves=game.moves.split()[0], result="*"),
            replace(game, players=(ANN, BO)),
            replace(game, players=(ANN, BO), result="*", moves=""),
            replace(game, players=(WEAK, PERFECT)),
        ]
    )
    assert len(stats.games) == stats.tally.games == 1
    assert stats.left_out == {TAKEN_BACK: 1, UNFINISHED: 1, TWO_PEOPLE: 2, NO_PEOPLE: 1}


def test_games_are_told_from_the_oldest_to_the_newest_by_opponent() -> None:
    records = [played(seed=n, players=(ANN, PERFECT if n % 3 else WEAK)) for n in range(1, 8)]
    stats = player_stats(reversed(records))
    assert [game.started for game in stats.games] == [record.started for record in records]
    assert list(stats.opponents) == ["perfect", "level:1"]
    assert [len(games) for games in stats.opponents.values()] == [5, 2]
    assert stats.score == Score.of(game.result for game in stats.games)
    assert stats.score.played == 7


@pytest.mark.parametrize(
    ("results", "now", "longest"),
    [
        ([], 0, 0),
        ([WON, WON, WON], 3, 3),
        ([WON, WON, LOST, WON], 1, 2),
        ([WON, LOST, LOST], -2, 1),
        ([LOST, DRAWN], 0, 0),
        ([WON, DRAWN, WON], 1, 1),
    ],
)
def test_streaks(results: list[int], now: int, longest: int) -> None:
    stats = PlayerStats(tuple(OwnGame("", "", "perfect", result) for result in results))
    assert (stats.streak, stats.longest_streak) == (now, longest)


# ---- their figures -------------------------------------------------------------


def test_the_figures_are_those_of_the_review(solution: AnySolution) -> None:
    for seed in range(3):
        match = random_match(solution.game, seed)
        figures, review = grade_decisions(match, solution), nd.review(match, solution=solution)
        for seat, tally in review.players.items():
            found = figures.tally(seat)
            assert replace(found, luck=0.0) == replace(tally, luck=0.0)
            assert found.luck == pytest.approx(tally.luck, abs=1e-9)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2)), max_size=12).map(tuple))
def test_every_decision_is_in_one_of_three_parts_as_even_as_can_be(
    losses: tuple[tuple[float, float], ...],
) -> None:
    parts = cut_in_three(losses)
    assert sum(parts, ()) == losses
    sizes = [len(part) for part in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1


def test_what_the_parts_of_games_lose_is_all_that_was_lost() -> None:
    stats = player_stats([played("number-bid", seed) for seed in range(6)])
    assert stats.tally.loss > 0
    assert sum(tally.loss for tally in stats.phases.values()) == pytest.approx(stats.tally.loss)
    assert sum(stats.over_time) == pytest.approx(stats.tally.loss / 2)
    assert {tally.games for tally in stats.phases.values()} == {6}


def test_an_interval_is_given_from_ten_games_on() -> None:
    records = [played(seed=seed) for seed in range(10)]
    few, enough = (player_stats(some).tally.carelessness for some in (records[1:], records))
    assert few is not None
    assert enough is not None
    assert few.interval is None
    assert enough.interval is not None
    assert enough.interval[0] <= enough.mean <= enough.interval[1]


def test_the_json_has_every_figure() -> None:
    stats = player_stats([played(seed=seed) for seed in range(3)])
    found = stats_json(stats)
    assert found["games"] == 3
    assert found["won"] == stats.score.won
    assert found["thrown_away_a_game"] == pytest.approx(sum(stats.over_time) / 3)
    assert found["opponents"] == {"level:1": {k: found[k] for k in list(found)[:5]}}
    over_time = found["over_time"]
    assert isinstance(over_time, list)
    assert [one["thrown_away"] for one in over_time] == list(stats.over_time)


def test_without_games_there_are_no_figures_and_nothing_fails() -> None:
    stats = player_stats([])
    assert stats_json(stats)["thrown_away_a_game"] is None


# ---- kept on disk --------------------------------------------------------------


@pytest.mark.usefixtures("own_cache")
def test_a_game_is_graded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [played(seed=seed) for seed in range(3)]
    first = player_stats(records)
    assert len(list(kept_figures())) == 3

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(stats_module, "grade_decisions", refuse)
    assert player_stats(records) == first
    with pytest.raises(AssertionError):
        player_stats([played(seed=9)])


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("text", ["", "{", "[]", '{"losses": [[]]}', '{"losses": [[[1]], []]}'])
def test_a_damaged_file_is_made_again(text: str) -> None:
    record = played()
    first = player_stats([record])
    (path,) = kept_figures()
    whole = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert player_stats([record]) == first
    assert path.read_text(encoding="utf-8") == whole


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("change", ["version", "rules"])
def test_another_version_or_other_rules_grade_again(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player_stats([played()])
    if change == "version":
        monkeypatch.setattr(stats_module, "__version__", "99")
    else:
        monkeypatch.setattr(stats_module, "fingerprint", lambda _: "other")
    player_stats([played()])
    assert len(list(kept_figures())) == 2


def test_a_cache_that_cannot_be_written_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert player_stats([played()]).tally.games == 1
    assert list(kept_figures()) == []


@pytest.mark.usefixtures("own_cache")
def test_a_large_solution_is_not_made_unasked() -> None:
    records = [played(), played("number-bid")]
    stats = player_stats(records, max_bytes=10)
    assert stats.score.played == 2
    assert stats.tally.games == 0
    assert sum(stats.ungraded.values()) == 2
    assert any("Number Knot would add" in reason for reason in stats.ungraded)
    assert player_stats(records, max_bytes=None).tally.games == 2
    # What is there costs nothing more.
    assert player_stats([played(seed=2)], max_bytes=10).tally.games == 1


def test_progress_goes_from_nothing_to_all() -> None:
    heard: list[float] = []
    player_stats([played(seed=seed) for seed in range(3)], progress=heard.append)
    assert heard == sorted(heard)
    assert (heard[0], heard[-1]) == (0.0, 1.0)
