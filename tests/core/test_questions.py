"""Anything can be typed at any question of any game: a reason each time, and no turn is lost."""

from __future__ import annotations

import re
from collections.abc import Generator, Hashable, Iterable
from functools import cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import number_duels as nd
from number_duels.core.questions import Prompt, Question
from tests.conftest import SLOW
from tests.core.playing import TABLES, Table, at_once, converse, decisions

NASTY = [
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[2J\x1b[31m",
    "\x03\x04\x1a\x7f",
    "\u0663",  # an Arabic three
    "\uff13",  # a wide three
    "\u00b3",  # a raised three
    "\u2462",  # a three in a circle
    "\u0be9",  # a Tamil three
    "\U0001d7d1",  # a bold three
    "9" * 10_000,
    "-1",
    "0",
    "1.0",
    "1e1",
    "0x1",
    "1_0",
    "10 - 3 - 1",
    "S" * 5000,
    "{seat}",
    "%s%n",
    "None",
    "\u202e321",
    "\ud800",
    "yes no",
    "k g",
    "4/4",
]
words = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=40),
    st.text(st.characters(categories=["Cc", "Cf", "Zs", "Zl", "Zp", "Cs"]), max_size=10),
    st.text(st.characters(categories=["Nd", "No", "Nl"]), max_size=6),
    st.integers().map(str),
    st.integers(10**20, 10**400).map(str),
    st.text("0123456789ASas+-kg /", max_size=8),
    st.text(min_size=1, max_size=3).map(lambda text: text * 3000),
)
HAS_DIGIT = re.compile("[0-9]").search


def over(tables: Iterable[Table]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", list(tables), ids=lambda table: table.label)


every_table = over(TABLES)
tables_with_digits = over(t for t in TABLES if HAS_DIGIT(str(t.game.all_moves()[0])))
tables_with_secrets = over(filter(at_once, TABLES))


@cache
def asked(table: Table) -> list[tuple[Hashable, nd.Seat, tuple[Hashable, ...]]]:
    """Views of three random games with the seat that is asked there, and its options."""
    return [
        (table.game.view(state, seat), seat, options)
        for state, turn in decisions(table)
        for seat, options in turn.options.items()
    ]


def right_answers(question: Question[Hashable], rng: Random) -> tuple[list[str], Hashable]:
    """One way through a question, and the move it makes."""
    answer = rng.choice(question.answers)
    if not isinstance(answer.leads_to, Question):
        return [answer.text], answer.leads_to
    rest, move = right_answers(answer.leads_to, rng)
    return [answer.text, *rest], move


def send(conversation: Generator[Prompt, str, Hashable], reply: str) -> Prompt | Hashable:
    """What a reply leads to: the next prompt, or the move."""
    try:
        return conversation.send(reply)
    except StopIteration as end:
        move: Hashable = end.value
        return move


def check_reason(prompt: Prompt) -> None:
    """A refusal is one sentence that a terminal can show."""
    assert prompt.reason is not None
    assert prompt.reason.endswith(".")
    assert ". " not in prompt.reason
    assert prompt.reason.isprintable()
    assert len(prompt.reason) < 250


@every_table
@given(typed=st.lists(words, min_size=1, max_size=4), place=st.integers(0, 10**6))
@example(typed=NASTY, place=0)
@example(typed=NASTY, place=7)
def test_whatever_is_typed_is_refused_with_a_reason_or_is_a_move(
    table: Table, typed: list[str], place: int
) -> None:
    positions = asked(table)
    view, seat, options = positions[place % len(positions)]
    before = repr(view)
    answers, move = right_answers(table.game.question(view, seat), Random(place))
    for depth in range(len(answers)):
        so_far = answers[:depth]
        conversation = table.game.ask(view, seat)
        prompt = next(conversation)
        for reply in so_far:
            prompt = conversation.send(reply)
        asked_for = prompt.text
        for reply in typed:
            answer = send(conversation, reply)
            if not isinstance(answer, Prompt) or answer.text != asked_for:
                assert answer in options or (isinstance(answer, Prompt) and not answer.reason)
                assert reply.strip().casefold().isascii()
                break
            check_reason(answer)
        else:
            # Refusals cost nothing: the right answers still make the move.
            made = [send(conversation, reply) for reply in answers[depth:]]
            assert all(isinstance(prompt, Prompt) and not prompt.reason for prompt in made[:-1])
            assert made[-1] == move
    assert repr(view) == before


@tables_with_digits
def test_no_digits_but_the_plain_ones_are_taken(table: Table) -> None:
    wide = str.maketrans(
        "0123456789", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19"
    )
    most = 30 if SLOW else 4
    for view, seat, options in asked(table)[:10]:
        answers = [answer.text for answer in table.game.question(view, seat).answers[:most]]
        typed = [text for text in (*answers, *map(str, options[:most])) if HAS_DIGIT(text)]
        assert typed
        for text in typed:
            reply = converse(table.game.ask(view, seat), [text.translate(wide)])
            assert isinstance(reply, Prompt)
            check_reason(reply)


@tables_with_secrets
@given(typed=st.lists(words, min_size=1, max_size=8), place=st.integers(0, 10**6))
@example(typed=NASTY, place=0)
def test_a_refusal_at_a_secret_question_does_not_repeat_the_secret(
    table: Table, typed: list[str], place: int
) -> None:
    """Whatever was typed, the reason is one of three sentences that were there before."""
    positions = asked(table)
    view, seat, _ = positions[place % len(positions)]
    assert table.game.question(view, seat).secret
    reasons = set()
    for reply in ("", "hello", "9999"):
        fixed = converse(table.game.ask(view, seat), [reply])
        assert isinstance(fixed, Prompt)
        reasons.add(fixed.reason)
    for reply in typed:
        prompt = converse(table.game.ask(view, seat), [reply])
        if isinstance(prompt, Prompt):
            assert prompt.secret
            assert prompt.reason in reasons


@every_table
def test_the_first_prompt_of_a_conversation_has_no_reason(table: Table) -> None:
    for view, seat, _ in asked(table):
        prompt = next(table.game.ask(view, seat))
        assert prompt.reason is None
        assert prompt.text
