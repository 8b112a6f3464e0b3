"""Whatever is typed at any question of any game: a reason, no lost turn, and the game goes on."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import number_duels as nd
from number_duels.core.questions import by_notation, find, labels
from number_duels.terminal.line.console import command_in
from tests.conftest import SLOW
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk, bare, hear_out, hear_until
from tests.terminal.script import Line, lines, new_match

some_games = pytest.mark.parametrize("name", SOME_GAMES)
SECRET_MARK = "[Input Hidden]"
#: Lines that are wrong at every question of every game.
ODD_LINES = [
    "0",
    "-1",
    "1.0",
    "1e0",
    "0x1",
    "9" * 5000,
    "-" + "9" * 400,
    "99999999999999999999",
    "\N{FULLWIDTH DIGIT ONE}",
    "\N{ARABIC-INDIC DIGIT THREE}",
    "\N{SUPERSCRIPT TWO}",
    "\N{ROMAN NUMERAL FIVE}",
    "\N{CIRCLED DIGIT SEVEN}",
    "1\0",
    "\0",
    "\x1b[2J",
    "\x07\x08\x7f",
    "1\N{ZERO WIDTH SPACE}",
    "\N{RIGHT-TO-LEFT OVERRIDE}1",
    "\N{LINE SEPARATOR}?",
    "\N{COMBINING ACUTE ACCENT}" * 50,
    "1 1",
    "1/1",
    "Player 1",
    "{0}",
    "%s%n",
    "__import__('os')",
    "x" * 100_000,
]
NOT_UTF_8 = [b"\xff", b"\xc3", b"1\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xfe\xff\x001"]


def refused(line: Line, said: str, game: nd.AnyGame) -> bool:
    """Whether a text is no answer to a question, by the words that the question takes."""
    if command_in(said):
        return False
    if line.question is None:
        return bool(said.strip())
    if find(line.question, said) is not None:
        return False
    return not (line.first and by_notation(said, game.parse) in labels(line.question))


def check(desk: Desk, name: str, bad: list[bytes], at_each: int) -> None:
    """Play a whole game from a pipe, with bad lines before every right one."""
    match = new_match(name, seed=5)
    following = cycle(bad)
    sent: list[tuple[Line, bytes, bool]] = []
    for line in lines(match, by_steps=True):
        some = islice(following, at_each)
        wrong = [b for b in some if refused(line, b.decode(errors="replace"), match.game)]
        sent += [(line, one, False) for one in wrong]
        sent.append((line, line.text.encode(), True))
    given = b"".join(text + b"\n" for _, text, _ in sent)
    done = desk.run("play", name, "--seed", "5", "--save", "game.json", typed=given)
    assert done.err == ""
    assert done.status == 0
    kept = nd.Record.from_json((desk.folder / "game.json").read_text(encoding="utf-8"))
    assert replace(kept, started="") == replace(match.record, started="")
    check_reasons(done.out, sent)


def check_reasons(out: str, sent: list[tuple[Line, bytes, bool]]) -> None:
    """Every question is put, and after every wrong answer there is a reason, once more."""
    for line, text, right in sent:
        start = out.find(line.prompt.lstrip("\n"))
        assert start >= 0, f"{line.prompt!r} was not asked again"
        out = out[start + len(line.prompt.lstrip("\n")) :]
        if right:
            continue
        reply = out.partition(line.prompt.lstrip("\n"))[0]
        reason = reply.removeprefix(SECRET_MARK).strip()
        assert re.fullmatch(r"[A-Z].*\.", reason), f"no reason, but {reason!r}, after {text[:50]!r}"
        assert len(reason) < 200
        if line.secret and len(text) > 3:
            assert text.decode(errors="replace") not in reply


@some_games
def test_odd_lines_are_refused_with_a_reason_at_every_question(name: str, desk: Desk) -> None:
    check(desk, name, [line.encode() for line in ODD_LINES] + NOT_UTF_8, at_each=7)


printable = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))
digits = st.text(st.characters(categories=["Nd", "No", "Nl"]), min_size=1)
nearly_right = st.text(st.sampled_from(string.digits + "+-/ asdkgyneo\t"), max_size=8)
anything = st.one_of(
    printable.map(str.encode),
    digits.map(str.encode),
    nearly_right.map(str.encode),
    st.integers().map(lambda n: str(n).encode()),
    st.binary().map(lambda raw: raw.translate(None, b"\r\n")),
    st.builds(lambda text, n: (text * n).encode(), printable, st.integers(1, 3000)),
)


@some_games
@settings(max_examples=60 if SLOW else 5)
@given(bad=st.lists(anything, min_size=40, max_size=60))
def test_anything_at_all_is_refused_with_a_reason(name: str, bad: list[bytes]) -> None:
    with TemporaryDirectory() as folder:
        check(Desk(Path(folder)), name, bad, at_each=5)


@some_games
def test_a_line_that_is_right_only_at_its_beginning_is_refused(name: str, desk: Desk) -> None:
    match = new_match(name, seed=5)
    line = next(iter(lines(match)))
    long = line.text + " " * 200_000 + "?"
    done = desk.run("play", name, "--seed", "5", "--save", "game.json", typed=[long])
    assert done.status == 130
    assert done.out.count(line.prompt) == 2


@some_games
def test_lines_may_end_as_another_system_ends_them(name: str, desk: Desk) -> None:
    match = new_match(name, seed=5)
    given = "".join(f"{line.text}\r\n" for line in lines(match)).encode()
    done = desk.run("play", name, "--seed", "5", typed=given)
    assert (done.status, done.err) == (0, "")


@some_games
def test_a_last_line_needs_no_end(name: str, desk: Desk) -> None:
    match = new_match(name, seed=5)
    given = "\n".join(line.text for line in lines(match)).encode()
    done = desk.run("play", name, "--seed", "5", typed=given)
    assert (done.status, done.err) == (0, "")


#: What a terminal passes on as it is; longer lines it cuts itself.
TYPED = [
    "",
    " ",
    "\x1b[A\x1b[B",
    "\0",
    "\t",
    "0",
    "9" * 500,
    "\N{FULLWIDTH DIGIT ONE}",
    "é",
    "\x01",
]


# Where a line can be edited, keys edit it.
@pytest.mark.parametrize(
    ("options", "wrong_lines"),
    [(["--plain"], TYPED), ([], [text for text in TYPED if text.isprintable()])],
    ids=["--plain", "edited"],
)
@some_games
def test_a_terminal_is_no_different(
    name: str, options: list[str], wrong_lines: list[str], desk: Desk
) -> None:
    match = new_match(name, seed=5)
    wrong = cycle(wrong_lines)
    heard, count = "", 0
    with desk.sit("play", name, "--seed", "5", "--save", "game.json", *options) as session:
        for line in lines(match, by_steps=True):
            ending = line.prompt[-20:]
            heard += hear_until(session, ending)
            for text in islice(wrong, 1):
                if not refused(line, text, match.game):
                    continue
                session.type(text)
                reply = hear_until(session, ending)
                assert re.search(r"(type|choose|alone|must) .*\.\n", bare(reply), re.DOTALL)
                count += 1
            session.type(line.text)
        heard += hear_out(session)
        assert session.status() == 0
    assert count
    assert "Traceback" not in heard
    kept = nd.Record.from_json((desk.folder / "game.json").read_text(encoding="utf-8"))
    assert kept.moves == match.record.moves
