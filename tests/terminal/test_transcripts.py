"""Every transcript is replayed through a real terminal, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import number_duels as nd
from tests.terminal.desk import hear_out
from tests.terminal.session import Session
from tests.terminal.transcript import FOLDER, Transcript

PATHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_session_comes_out_byte_for_byte(path: Path, tmp_path: Path) -> None:
    transcript = Transcript.read(path)
    first, *rest = transcript.chunks
    with Session(transcript.arguments, tmp_path) as session:
        assert session.hear(first) == first
        for line, expected in zip(transcript.typed, rest, strict=True):
            session.type(line)
            assert session.hear(expected) == expected
        assert hear_out(session) == ""
        assert session.status() == transcript.status


@pytest.mark.parametrize("name", nd.games())
def test_every_game_has_its_sample_as_a_transcript(name: str) -> None:
    assert any(path.stem == f"{name}-sample" for path in PATHS)
