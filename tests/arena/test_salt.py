"""The salt of an arena with players from outside: secret until its end, then in its file."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from number_duels.arena.results import GameResult, ResultsFile, read_results
from number_duels.arena.schedule import Fixture, Origin, Schedule, read_salt
from number_duels.arena.tournament import Tournament, salted
from tests.arena.matches import GAMES, in_process, lines, results_of, run, schedule

KNOT = GAMES[3:4]
FUNCTION = "me=py:tests.arena.test_forfeits:first"
SALT = "0123456789abcdef" * 2


def fixtures(what: Schedule) -> list[Fixture]:
    return [f for pairing in what.pairings() for pair in what.pairs_of(pairing) for f in pair]


def test_the_salt_is_in_every_seed_of_an_arena() -> None:
    plain = schedule(FUNCTION, "random", "perfect")
    one, two = (fixtures(replace(plain, salt=salt)) for salt in (SALT, SALT[::-1]))
    for first, second, without in zip(one, two, fixtures(plain), strict=True):
        assert len({first.seed, second.seed, without.seed}) == 3
        assert first.own_seeds
        assert second.own_seeds
        assert not set(first.own_seeds) & set(second.own_seeds)
        assert without.own_seeds is None


def test_the_games_of_a_pair_share_their_cards_among_built_in_players_alone() -> None:
    words = (FUNCTION, "random", "a=level:1", "b=level:1")
    for one, two in zip(*[iter(fixtures(schedule(*words)))] * 2, strict=True):
        names = {one.pairing.one.name, one.pairing.two.name}
        assert (one.seed != two.seed) is ("me" in names or names == {"a", "b"})


def test_arenas_of_built_in_players_are_what_they_always_were() -> None:
    """Seeds, moves and results as version 0.1.0 had them."""
    what = schedule("random", "perfect", games=KNOT, pairs=5)
    told = [(r.fixture, r.record.seed, r.record.moves, r.record.result) for r in results_of(what)]
    found = hashlib.sha256(json.dumps(told).encode()).hexdigest()
    assert found == "d9f2c103cbf9099c405e2de4abf9ce4f42668df08317544734436cc80442ab1c"


def test_a_player_against_itself_wins_and_loses() -> None:
    played = results_of(schedule("a=random", "b=random", games=GAMES[1:2], pairs=20))
    pairs = zip(*[iter(played)] * 2, strict=True)
    assert {one.score - two.score for one, two in pairs} >= {-1.0, 1.0}


def begin(path: Path, wanted: str | None = None) -> Tournament:
    file = ResultsFile(path)
    what = schedule(FUNCTION, "random", games=KNOT, pairs=4)
    return Tournament(salted(what, file, wanted), file)


class Stopped(Exception):
    """Somebody pulls the plug."""


def stop(_: GameResult) -> None:
    raise Stopped


def test_a_salt_is_secret_until_the_arena_is_complete(tmp_path: Path) -> None:
    path, secret = tmp_path / "a.jsonl", tmp_path / "a.jsonl.salt"
    first = begin(path)
    with pytest.raises(Stopped):
        first.run(in_process(), stop)
    first.file.close()
    salt = secret.read_text().strip()
    assert secret.stat().st_mode & 0o777 == 0o600
    assert salt not in path.read_text()
    kept = path.read_text().splitlines()

    again = begin(path)  # the same salt, so its games are gone on with
    assert again.schedule.salt == salt
    again.run(in_process(), lambda _: None)
    assert not secret.exists()
    assert path.read_text().splitlines()[: len(kept)] == kept
    assert read_results(path)[-1].origin == Origin(1, salt)
    assert read_results(path) == again.counting()

    other = begin(tmp_path / "b.jsonl", salt)  # a complete file says how to play it again
    other.run(in_process(), lambda _: None)
    assert lines(tmp_path / "b.jsonl") == lines(path)
    with closing(ResultsFile(path)) as file:
        assert file.settle_salt() == salt
    assert not secret.exists()


def test_without_its_salt_no_arena_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = begin(path, SALT)
    with pytest.raises(Stopped):
        first.run(in_process(), stop)
    first.file.close()
    with closing(ResultsFile(path)) as file:
        what = schedule(FUNCTION, "random", games=KNOT)
        with pytest.raises(ValueError, match="another salt"):
            salted(what, file, SALT[::-1])
        file.salt_path.unlink()
        with pytest.raises(ValueError, match="is missing"):
            salted(what, file)
        assert salted(what, file, SALT).salt == SALT


def test_built_in_players_need_no_salt(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with closing(ResultsFile(path)) as file:
        assert salted(schedule("random", "perfect"), file).salt == ""
    run(schedule("random", "perfect", games=KNOT), path)
    assert "salt" not in path.read_text()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "1", SALT + "0", "x" * 32])
def test_what_is_no_salt_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="32 hexadecimal digits"):
        read_salt(text)
