"""A file of results is believed when all of it can be worked out again, and not otherwise."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.bench.compare import COST, conclusion, differences
from number_duels.bench.page import page
from number_duels.bench.report import report_of
from number_duels.bench.results import Results, lines_of, read_bench
from number_duels.bench.suite import Suite
from number_duels.bench.verify import Files, Verifier
from tests.bench.benches import GAMES, by_name, run, small


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run(small(), "level:1", tmp_path_factory.mktemp("bench") / "a.jsonl")


@pytest.fixture
def known_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program take the small suite for its own."""

    def known(*_: object, **__: object) -> Suite:
        return small()

    monkeypatch.setattr("number_duels.bench.results.find_suite", known)


@pytest.fixture
def results(played: Results, known_suite: None) -> Results:  # noqa: ARG001  # a fixture's effect
    """Results of a suite that this program knows, for a test to change."""
    return replace(played, games=dict(played.games), answers=dict(played.answers))


def wrong(results: Results, kept: object = None) -> list[str]:
    files = Files(kept)  # type: ignore[arg-type]  # JSON
    return list(Verifier(results, by_name()).differences(files))


def changed(results: Results, old: str, new: str, tmp_path: Path) -> Results:
    """The results with a line of their file changed."""
    text = "\n".join(lines_of(results))
    assert old in text
    path = tmp_path / "changed.jsonl"
    path.write_text(text.replace(old, new, 1) + "\n")
    return read_bench(path)


def test_what_was_played_is_right(results: Results) -> None:
    kept = json.loads(json.dumps(report_of(results, by_name()).as_object()))
    assert wrong(results, kept) == []


def even(view: Hashable, seat: nd.Seat) -> dict[Hashable, float]:
    """A policy that plays every option of the small games equally often."""
    game = next(game for game in GAMES if type(game.start()) is type(view))
    turn = game.turn(view)
    assert isinstance(turn, nd.Decision)
    return dict.fromkeys(turn.options[seat], 1 / len(turn.options[seat]))


@pytest.mark.usefixtures("known_suite")
def test_a_policy_is_verified_in_both_seats(tmp_path: Path) -> None:
    results = run(small(), f"policy:{__name__}:even", tmp_path / "policy.jsonl")
    assert {side.who for game in results.games.values() for side in game.sides[:1]} > {"random"}
    assert wrong(results) == []


def test_a_figure_that_was_made_up_is_found(results: Results) -> None:
    kept = json.loads(json.dumps(report_of(results, by_name()).as_object()))
    kept["figures"][0]["loss"]["mean"] /= 2
    (said,) = wrong(results, kept)
    assert "figures[0].loss.mean" in said


def test_a_page_that_was_made_up_is_found(results: Results) -> None:
    verifier = Verifier(results, by_name())
    written = page(report_of(results, by_name()))
    assert list(verifier.differences(Files(page=written))) == []
    forged = written.replace("Cost of a move", "Cost of any move", 1)
    assert list(verifier.differences(Files(page=forged))) == ["The page does not match the games."]


def test_a_result_that_was_made_up_is_found(results: Results) -> None:
    name, game = next((n, g) for n, g in results.games.items() if g.record.result == "0-1")
    results.games[name] = replace(game, record=replace(game.record, result="1-0"))
    assert any(name in said and "1-0" in said for said in wrong(results))


def test_whoever_gives_a_game_up_has_lost_it(results: Results) -> None:
    verifier, game = Verifier(results, by_name()), next(iter(results.games.values()))
    begun = game.record.moves.rpartition(" ")[0]
    for forfeits, lost in ((("late", ""), "0-1"), (("", "late"), "1-0")):
        for result in ("0-1", "1-0"):
            record = replace(game.record, moves=begun, result=result)
            said = list(verifier.game(replace(game, record=record, forfeits=forfeits)))
            assert ("the player who forfeited the game did not lose it." in said) == (
                result != lost
            )


def test_a_cost_that_was_made_up_is_found(results: Results) -> None:
    name, game = next((n, g) for n, g in results.games.items() if g.sides[0].cost.loss)
    assert game.figures is not None
    costs = replace(game.figures.costs[0], loss=0.0), game.figures.costs[1]
    results.games[name] = replace(game, figures=replace(game.figures, costs=costs))
    assert wrong(results) == [f"{name}: the recorded costs of its moves are wrong."]


def test_moves_of_the_ladder_follow_from_the_seed(results: Results) -> None:
    """Who wins by letting the opponent play badly is found."""
    games = list(results.games.items())
    (name, game), (_, other) = next(
        (a, b)
        for a in games
        for b in games
        if a[1].event == b[1].event and a[1].record.players == b[1].record.players
        if a[1].record.moves != b[1].record.moves
    )
    made_up = replace(game.record, moves=other.record.moves, result=other.record.result)
    results.games[name] = replace(game, record=made_up, figures=other.figures)
    assert any(name in said and "with this seed" in said for said in wrong(results))


def test_games_and_answers_that_were_left_out_are_found(results: Results) -> None:
    results.games.popitem()
    results.answers.popitem()
    missing = [said for said in wrong(results) if "missing" in said]
    assert len(missing) == 2


def test_an_answer_that_was_graded_too_well_is_found(results: Results) -> None:
    name, answer = next((n, a) for n, a in results.answers.items() if a.grade.cost)
    better = replace(answer.grade, cost=0.0)
    results.answers[name] = replace(answer, grade=better)
    assert any(name in said for said in wrong(results))


# ---- compared --------------------------------------------------------------------


def test_of_two_players_the_better_one_is_named(tmp_path: Path) -> None:
    suite = small(pairs=25, positions=40)
    weak = run(suite, "random", tmp_path / "weak.jsonl")
    strong = run(suite, "level:4", tmp_path / "strong.jsonl")
    found = differences(weak, strong)
    assert "level:4 plays better than random" in conclusion(
        found, ("random", weak), ("level:4", strong)
    )
    last = next(one for one in reversed(found) if one.figure == COST)
    assert last.paired > 0
    assert last.estimate.mean == pytest.approx(last.one - last.two)
    back = next(one for one in reversed(differences(strong, weak)) if one.figure == COST)
    assert back.estimate.low == pytest.approx(-last.estimate.high)


def test_a_player_differs_from_itself_by_chance_alone(tmp_path: Path) -> None:
    one = run(small(pairs=25, positions=40), "level:1", tmp_path / "one.jsonl")
    same = differences(one, one)
    assert all(part.estimate.mean == 0 for part in same)
    assert all(part.estimate.low < 0 < part.estimate.high for part in same)
    other = run(small(pairs=25, positions=40, seed=6), "level:1", tmp_path / "other.jsonl")
    found = differences(one, other)
    assert "no clear difference" in conclusion(found, ("one", one), ("other", other))
    for paired, apart in zip(same, found, strict=True):
        if paired.figure == COST:
            assert apart.paired == 0 < paired.paired
            assert paired.error < apart.error  # the same cards tell more


@pytest.mark.parametrize("left_out", ["games", "answers"])
def test_a_game_without_results_is_not_compared(left_out: str, results: Results) -> None:
    whole = replace(results, games=dict(results.games), answers=dict(results.answers))
    for name in list(getattr(results, left_out)):
        if name.startswith("high-low-battle"):
            del getattr(results, left_out)[name]
    for pair in ((results, whole), (whole, results)):
        with pytest.raises(ValueError, match="level:1 has too few answers or games in high-low"):
            differences(*pair)
