"""Files that are written: whole or not there, and only where they are meant to be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from number_duels.core.storage import (
    BY_UMASK,
    append_file,
    append_whole,
    check_replaceable,
    replace_file,
)


def test_a_draft_follows_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)  # so that its name is known
    precious = tmp_path / "precious"
    precious.write_text("mine")
    for target in (precious, tmp_path / "nowhere"):
        draft = tmp_path / f".duels-{bytes(8).hex()}.part"
        draft.symlink_to(target)
        with pytest.raises(FileExistsError), replace_file(tmp_path / "game.json") as file:
            file.write(b"yours")
        draft.unlink()
    assert precious.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / "link"
    precious.write_text("mine")
    link.symlink_to(precious)
    with pytest.raises(OSError), append_file(link):  # noqa: PT011  # its message is the system's
        pass
    with replace_file(link) as file:
        file.write(b"yours")
    assert (precious.read_text(), link.read_text()) == ("mine", "yours")


def test_who_may_read_a_file_is_said(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replace_file(tmp_path / "secret"), replace_file(tmp_path / "page", mode=BY_UMASK):
            pass
    finally:
        os.umask(before)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("secret", "page")]
    assert modes == [0o600, 0o640]


def test_only_a_file_with_our_mark_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page"
    check_replaceable(path, b"mark", "ours")
    for content, ours in ((b"", True), (b"our mark is here", True), (b"a letter", False)):
        path.write_bytes(content)
        if ours:
            check_replaceable(path, b"mark", "ours")
        else:
            with pytest.raises(
                ValueError, match=r"page already exists and is not ours; choose another"
            ):
                check_replaceable(path, b"mark", "ours")
    with pytest.raises(ValueError, match="is not ours"):
        check_replaceable(tmp_path, b"mark", "ours")


def test_what_cannot_be_added_whole_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError("No space left on device")

    with append_file(tmp_path / "games") as file:
        append_whole(file, b"one\n")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            append_whole(file, b"two\n")
    assert (tmp_path / "games").read_bytes() == b"one\n"
