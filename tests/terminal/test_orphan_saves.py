"""A game that never began leaves nothing behind, and is never taken for one to go on with."""

from __future__ import annotations

import pytest

from number_duels.core.player import AnyMatch
from number_duels.terminal import saves
from tests.terminal.desk import Desk
from tests.terminal.script import new_match

#: Ways to be refused after the command line has been understood.
REFUSED = [
    ("--two", "py:no_such_module:f"),
    ("--two", "random", "--seconds", "0"),
    ("--two", "random", "--players-file", "no-such.toml"),
    ("--two", "llm:tiny", "--url", "not an address"),
]


@pytest.mark.parametrize("options", REFUSED, ids=" ".join)
def test_a_refused_game_is_not_kept(desk: Desk, options: tuple[str, ...]) -> None:
    done = desk.run("play", "knot", *options)
    assert done.status in (1, 2)
    assert desk.saved == []


@pytest.mark.parametrize("options", REFUSED[:2], ids=" ".join)
def test_resume_goes_on_with_the_real_game(desk: Desk, options: tuple[str, ...]) -> None:
    desk.run("play", "bid", typed=["7", "6"])
    (kept,) = desk.saved
    desk.run("play", "knot", *options)
    resumed = desk.run("resume")
    assert resumed.err.startswith("Resuming Number Bid, round 2.")
    assert desk.saved == [kept]


def test_a_game_with_no_moves_is_not_resumed(desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    empty = desk.games / "killed.json"  # as a program that was killed before a move leaves it
    empty.write_text(new_match("number-knot", 3).record.to_json())
    assert desk.run("resume").sentence.startswith("There is no interrupted game")
    assert empty.is_file()


def test_the_first_record_is_written_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = saves.SaveFile.write

    def counted(self: saves.SaveFile, match: AnyMatch) -> None:
        written.append(match.record.moves)
        write(self, match)

    monkeypatch.setattr(saves.SaveFile, "write", counted)
    assert desk.run("play", "knot", typed=["5", "S", "quit"]).status == 0
    assert written == ["", "S5"]
