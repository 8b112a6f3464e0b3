"""Every transcript is replayed through a real terminal, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import number_duels as nd
from tests.terminal.desk import PROGRAM, hear_out
from tests.terminal.session import Session
from tests.terminal.transcript import FOLDER, Transcript

#: Too low for the full screen.
LOW = 19
PATHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_session_comes_out_byte_for_byte(path: Path, tmp_path: Path) -> None:
    check(Transcript.read(path), tmp_path, ())


@pytest.mark.system
@pytest.mark.parametrize("name", nd.games())
def test_the_sample_of_every_document_comes_out_of_a_new_python(name: str, tmp_path: Path) -> None:
    check(Transcript.read(FOLDER / f"{name}-sample.txt"), tmp_path, PROGRAM)


def check(transcript: Transcript, folder: Path, program: Sequence[str]) -> None:
    """Type what was typed, and hear what was heard."""
    first, *rest = transcript.chunks
    with Session(transcript.arguments, folder, program=program, rows=LOW) as session:
        assert session.hear(first) == first
        for line, expected in zip(transcript.typed, rest, strict=True):
            session.type(line)
            assert session.hear(expected) == expected
        assert hear_out(session) == ""
        assert session.status() == transcript.status


def test_every_game_has_its_sample_as_a_transcript() -> None:
    assert {path.stem for path in PATHS} >= {f"{name}-sample" for name in nd.games()}
