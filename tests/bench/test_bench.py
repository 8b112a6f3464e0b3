"""A bench measures what it says: exact grades, the same file however it was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.arena.engines import Task
from number_duels.arena.results import GameResult
from number_duels.bench.answers import grade
from number_duels.bench.compare import conclusion, differences
from number_duels.bench.report import figures_of, report_of
from number_duels.bench.words import headline
from number_duels.core.game import Decision, Seat
from number_duels.trainer.exercise import MIXED
from number_duels.trainer.spot import Spot
from tests.arena.matches import in_process
from tests.bench.benches import GAMES, by_name, opened, run, small, solutions

BATTLE = GAMES[1]


ASKED: list[object] = []


def choose(_: object, options: tuple[object, ...], __: str) -> object:
    """A function to be measured: it takes the last option."""
    ASKED.append(options)
    return options[-1]


ME = f"py:{__name__}:choose"


class Interrupted:
    """An engine that is stopped after some pairs."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, tasks: Iterator[Task]) -> Iterator[list[GameResult]]:
        for number, results in enumerate(in_process().run(tasks)):
            if number == self.after:
                raise KeyboardInterrupt
            yield results


def test_a_stated_mixed_strategy_costs_what_the_best_reader_takes() -> None:
    solution = solutions()[BATTLE]
    state = BATTLE.start()
    turn = BATTLE.turn(state)
    assert isinstance(turn, Decision)
    mine, theirs = turn.options[Seat.ONE], turn.options[Seat.TWO]
    mix = {str(mine[0]): 0.25, str(mine[-1]): 0.75}

    def left(reply: object) -> float:
        low, high = (
            solution.value(BATTLE.resolve(state, {Seat.ONE: move, Seat.TWO: reply}))
            for move in (mine[0], mine[-1])
        )
        return 0.25 * low + 0.75 * high

    spot = Spot(BATTLE.name, BATTLE.settings, None, "", Seat.ONE)
    found = grade(solution, spot, MIXED, mix)
    assert found.cost == pytest.approx(solution.value(state) - min(map(left, theirs)))
    assert left(BATTLE.parse(found.reader)) == pytest.approx(min(map(left, theirs)))
    assert 0 < found.cost <= found.worst
    strategy = {str(m): p for m, p in solution.strategy(state, Seat.ONE).items()}
    assert grade(solution, spot, MIXED, strategy).cost == pytest.approx(0, abs=1e-9)


def test_no_answer_costs_as_much_as_a_forfeit() -> None:
    spot = Spot(BATTLE.name, BATTLE.settings, None, "", Seat.ONE)
    solution = solutions()[BATTLE]
    for form in ("move", MIXED):
        found = grade(solution, spot, form, {})
        assert found.cost == found.worst == pytest.approx(solution.value(BATTLE.start()) + 1)


def answers_if_nothing_is_at_stake(view: object, options: tuple[object, ...], _: str) -> object:
    """A player that answers only where every move is as good as any other."""
    game = next(game for game in GAMES if type(game.start()) is type(view))
    turn = game.turn(view)
    assert isinstance(turn, Decision)
    seats = [seat for seat, own in turn.options.items() if own == options]
    values = [solutions()[game].option_values(view, seat) for seat in seats]
    return options[0] if all(max(own) - min(own) < 1e-9 for own in values) else None


def nothing(*_: object) -> None:
    """A player that never answers."""


@pytest.mark.parametrize("player", [answers_if_nothing_is_at_stake, nothing])
def test_silence_costs_more_than_random_play(player: object, tmp_path: Path) -> None:
    who = f"py:{__name__}:{player.__name__}"  # type: ignore[attr-defined]  # a function
    suite = small(positions=40)
    silent, chance = run(suite, who, tmp_path / "a"), run(suite, "random", tmp_path / "b")
    for own, other in zip(figures_of(silent), figures_of(chance), strict=True):
        assert sum(own.forfeits.values()) > own.games / 2
        assert own.moves.unanswered > 0
        for mine, theirs in ((own.moves.cost, other.moves.cost), (own.loss, other.loss)):
            assert mine is not None
            assert theirs is not None
            assert mine.mean > theirs.mean
            assert mine.low < mine.high
        assert own.accuracy is not None
        assert own.accuracy.mean < 50
        first = headline(own, who).partition(". ")[0]
        assert f"with {sum(own.forfeits.values())} of {own.games} games forfeited" in first
    said = conclusion(differences(silent, chance), ("silence", silent), ("random", chance))
    assert said.startswith("random plays better than silence: ")
    count = sum(figures_of(silent)[0].forfeits.values())
    assert said.endswith(
        f", with {count} of 24 games forfeited by silence and 0 of 24 games forfeited by random."
    )


def test_perfect_play_loses_nothing_and_states_what_cannot_be_exploited(tmp_path: Path) -> None:
    total, *games = figures_of(run(small(), "perfect", tmp_path / "a.jsonl"))
    assert len(games) == len(GAMES)
    assert total.loss is not None
    assert total.loss.mean == total.blunders == 0
    assert total.accuracy is not None
    assert total.accuracy.mean == 100
    for asked, questions in ((total.moves, 8), (total.mixed, 2)):
        assert asked.right == asked.questions == questions
        assert asked.cost is not None
        assert asked.cost.mean == pytest.approx(0, abs=1e-9)


def test_baselines_are_what_the_built_in_players_cost(tmp_path: Path) -> None:
    suite = small(pairs=2, positions=30)
    own = figures_of(run(suite, "random", tmp_path / "random"))
    for who in ("random", "level:2", "perfect"):
        for one, other in zip(figures_of(run(suite, who, tmp_path / who)), own, strict=True):
            assert one.moves.cost is not None
            assert one.moves.cost.mean == pytest.approx(other.moves.baselines[who], abs=1e-9)


def test_a_bench_that_was_interrupted_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    whole = run(small(), ME, tmp_path / "whole.jsonl")
    path = tmp_path / "cut.jsonl"
    for _ in range(2):
        bench = opened(small(), ME, path)
        with pytest.raises(KeyboardInterrupt):
            bench.run(Interrupted(after=4), solutions())
        bench.file.close()
        path.write_bytes(path.read_bytes()[:-30])  # and killed in the middle of a line
    again = run(small(), ME, path)
    assert list(again.games) == list(whole.games)
    assert [g.record.moves for g in again.games.values()] == [
        g.record.moves for g in whole.games.values()
    ]
    assert again.answers == whole.answers
    assert figures_of(again) == figures_of(whole)


def test_a_bench_that_is_finished_asks_nothing_again(tmp_path: Path) -> None:
    run(small(), ME, tmp_path / "a.jsonl")
    before = len(ASKED)
    run(small(), ME, tmp_path / "a.jsonl")
    assert len(ASKED) == before > 0


def test_a_file_of_another_bench_is_not_mixed_in(tmp_path: Path) -> None:
    run(small(), ME, tmp_path / "a.jsonl")
    with pytest.raises(ValueError, match="another bench"):
        opened(small(seed=6), ME, tmp_path / "a.jsonl")


def test_a_function_is_asked_for_moves_alone(tmp_path: Path) -> None:
    total = figures_of(run(small(), ME, tmp_path / "a.jsonl"))[0]
    assert (total.moves.questions, total.mixed.questions) == (8, 0)
    assert total.mixed.cost is None


def test_what_is_stated_stands_beside_what_was_played(tmp_path: Path) -> None:
    results = run(small(pairs=8), "random", tmp_path / "a.jsonl")
    first = report_of(results, by_name()).stated[0]
    start = nd.load(first.answer.spot.game, **first.answer.spot.settings)
    assert not first.answer.spot.moves, start
    played = sum(first.played.values())
    assert played >= 8
    assert set(first.stated.values()) == {1 / len(first.stated)}
    assert first.distance is not None
    assert 0 <= first.distance < 0.6
