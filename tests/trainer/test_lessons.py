"""Every lesson: its shape, its claims against the solution, and what it replies to answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

import pytest

import number_duels as nd
from number_duels.core.board import Part
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXED, MOVE, Answer, Exercise, read_answer
from number_duels.trainer.feedback import judge
from number_duels.trainer.lessons import ASK, MIX, SAY, TEST, Lesson, LessonStep, lesson
from tests.documented import DOCUMENTED
from tests.sixth_game.toys.take_away import TakeAway
from tests.trainer.claims import (
    ANSWERS,
    PLAY,
    RULES,
    Claim,
    Said,
    claimed,
    figures,
    history_of,
)

#: Figures that are chances, as texts write them: `21 games of 100`, `28%`.
CHANCES = re.compile(r"(\d+)%|(\d+) (?:more )?games? of 100")
OF_CHANCES = ("share", "cost", "often", "sure", "taken")


@pytest.fixture(scope="module", params=DOCUMENTED)
def taught(request: pytest.FixtureRequest) -> tuple[Lesson, AnySolution]:
    game = nd.load(request.param)
    return lesson(game), nd.solve(game)


def words(step: LessonStep) -> Iterator[str]:
    yield from (step.text, step.praise, *reasons(step), step.answer)


def reasons(step: LessonStep) -> Iterator[str]:
    """Return the reasons that wrong answers get before the second try."""
    yield from (step.otherwise, *step.replies.values())


def test_a_reply_names_the_number_that_the_shown_line_ends_with() -> None:
    name: str = "number-knot"
    game = nd.load(name)
    solution = nd.solve(game)
    checked = 0
    for step in lesson(game).steps:
        for move, said in step.replies.items():
            if step.spot and "finishes you" in said:
                spot = step.spot.open()
                line = judge(Exercise(spot, solution), read_answer(spot, move, MOVE)).line
                assert line
                assert f"the {line[-1]} " in said or "any number" in said
                checked += 1
    assert checked


# ---- the shape -----------------------------------------------------------------


def test_a_lesson_goes_from_rules_to_principles_to_a_test(
    taught: tuple[Lesson, AnySolution],
) -> None:
    found, _ = taught
    parts = [part_of(step) for step in found.steps]
    assert parts == sorted(parts, key=["rules", "principles", "test"].index)
    assert found.principles
    assert set(parts) == {"rules", "principles", "test"}
    for step in found.steps:
        assert bool(step.principle) == (part_of(step) == "principles"), step.text
    assert {SAY, ASK, TEST} <= {step.kind for step in found.steps}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_is_asked_can_be_answered_and_is_replied_to(name: str) -> None:
    steps = lesson(name).steps
    assert {step.kind for step in steps} <= {SAY, ASK, MIX, TEST}
    for step in steps:
        if step.asks:
            assert step.spot, step.text
            assert step.spot.open().options
            assert step.praise, step.text
            assert step.otherwise, step.text
            assert step.answer, step.text
            assert step.form == MOVE or step.kind in (MIX, TEST)
        else:
            said = (step.accepts, step.praise, step.replies, step.otherwise, step.answer)
            assert not any(said), step.text


def part_of(step: LessonStep) -> str:
    return "rules" if step.rules else "test" if step.kind == TEST else "principles"


def test_steps_about_the_rules_claim_nothing_else(taught: tuple[Lesson, AnySolution]) -> None:
    for step, claims in claimed(taught[0]):
        assert claims, step.text
        plays = [claim for claim in claims if not claim.of_rules]
        if step.kind == SAY:
            assert bool(plays) != step.rules, step.text
        elif step.rules:  # what wins at once is right by the rules and by the solution
            assert all(claim.kind == "best" for claim in plays), step.text
        else:
            assert plays, step.text


# ---- the claims ----------------------------------------------------------------


def test_every_claim_about_a_position_holds(taught: tuple[Lesson, AnySolution]) -> None:
    found, solution = taught
    wrong = [
        (step.text, claim, claim.found(solution))
        for step, claims in claimed(found)
        for claim in claims
        if not claim.of_whole_game and not claim.holds(solution)
    ]
    assert not wrong


def test_every_chance_in_a_text_is_claimed() -> None:
    checked = 0
    for step, claims in chain.from_iterable(claimed(lesson(name)) for name in DOCUMENTED):
        chances = {claim.said for claim in claims if claim.kind in OF_CHANCES}
        for text in words(step):
            for one, other in CHANCES.findall(text):
                assert int(one or other) in chances, text
                checked += 1
    assert checked >= 20


def test_every_number_in_a_text_is_of_its_position_or_claimed(
    taught: tuple[Lesson, AnySolution],
) -> None:
    found, solution = taught
    settings = str(solution.game.settings)
    for step, claims in claimed(found):
        known = set(map(int, re.findall(r"\d+", " ".join((settings, *known_words(step, claims))))))
        for text in words(step):
            told = set(map(int, re.findall(r"\d+", re.sub(r"of 100|Test, \d of \d", "", text))))
            assert told <= known, text


def known_words(step: LessonStep, claims: Iterable[Claim]) -> Iterator[str]:
    """All that a number in a text may come from."""
    for claim in claims:
        yield f"{claim.said} {claim.about} {claim.against} {claim.spot.moves}"
    if step.spot:
        yield step.spot.moves
        yield from map(shown, step.board)


def shown(part: Part) -> str:
    return str(figures(part))


#: How texts say what the learner has, what the opponent has, and who moved last.
NUMBERS = r"((?:\d+(?:, | and )?)+)"
YOURS = re.compile(rf"(?:[Yy]ou|[Bb]oth of you|You both) (?:have|hold) {NUMBERS}")
THEIRS = re.compile(
    rf"(?:[Tt]hey|[Bb]oth of you|You both) have {NUMBERS}|opponent[^.:]* has {NUMBERS}"
)
YOU_MOVED = re.compile(r"After you |Your \d+ (?:beat|has|- \d+ has)|[Yy]ou bid \d+, they bid")
THEY_MOVED = re.compile(r"They took|Your opponent (?:then )?(?:added|drew)")


def test_the_board_of_a_step_shows_what_its_text_says_you_and_they_have() -> None:
    checked = 0
    for step in chain.from_iterable(lesson(name).steps for name in DOCUMENTED):
        assert step.spot, step.text
        seat = step.spot.seat
        for pattern, owner in ((YOURS, seat), (THEIRS, seat.other)):
            seen = {n for part in step.board if part.owner is owner for n in numbers(shown(part))}
            for found in pattern.finditer(step.text):
                assert numbers(" ".join(filter(None, found.groups()))) <= seen, step.text
                checked += 1
        steps = [one for one in history_of(step.spot).steps if one.moves]
        for pattern, owner in ((YOU_MOVED, seat), (THEY_MOVED, seat.other)):
            if pattern.search(step.text):
                assert owner in steps[-1].moves, step.text
                checked += 1
    assert checked >= 50


def numbers(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d+", text)))


BID: str = "number-bid"
FALSE: dict[str, Said] = {
    "tells": "Player 2 wins the round",
    "shows": 12,
    "ends": "1-0",
    "legal": ("7",),
    "refuses": "5",
    "does": ("7", "8"),
    "never": ("9", "10"),
    "drawn": "4/40",
    "result": "loss",
    "share": 50,
    "best": ("9",),
    "good": "2 of 8",
    "cost": 49,
    "mixes": ("9", "10"),
    "often": 99,
    "sure": 0,
    "surest": ("9",),
    "fewest": ("9",),
    "taken": 1,
}


@pytest.mark.parametrize("kind", [kind for kind in (*RULES, *PLAY) if kind != "fewest"])
def test_a_false_claim_of_any_kind_is_seen(kind: str) -> None:
    about = {"shows": "Score", "does": "Player 1 wins the round", "taken": "10:1"}.get(kind, "9")
    spot = lesson(BID).steps[2].spot  # after 7/6
    assert spot
    claim = Claim(kind, FALSE[kind], spot, "10" if kind in ("often", "sure") else about, "8")
    solution = nd.solve(nd.load(BID))
    assert not claim.holds(solution)
    if kind not in ("tells", "drawn", "refuses"):  # these tell what is there instead, in words
        assert replace(claim, said=claim.found(solution)).holds(solution)


def test_a_false_claim_about_the_fewest_answers_is_seen() -> None:
    name: str = "number-knot"
    spot = lesson(name).steps[0].spot
    assert spot
    claim, solution = Claim("fewest", ("S9",), spot), nd.solve(nd.load(name))
    assert not claim.holds(solution)
    assert claim.found(solution) == ("S8", "S9")


# ---- the replies ---------------------------------------------------------------


def test_right_answers_are_praised_and_wrong_ones_get_a_reason(
    taught: tuple[Lesson, AnySolution],
) -> None:
    found, solution = taught
    for step in found.steps:
        if step.asks and step.form != MIXED:
            exercise = step.exercise(solution)
            right = step.accepts or exercise.best
            wrong = {option.move for option in exercise.options} - set(right)
            assert wrong, step.text
            assert set(step.replies) <= wrong, step.text
            for move in right:
                assert step.reply(exercise, Answer({move: 1.0})) == (True, step.praise)
            for move in wrong:
                reply = step.reply(exercise, Answer({move: 1.0}))
                assert reply == (False, step.replies.get(move, step.otherwise))


def test_stated_answers_are_claimed(taught: tuple[Lesson, AnySolution]) -> None:
    for step, claims in claimed(taught[0]):
        if step.accepts:
            answers = [claim.said for claim in claims if claim.kind in ANSWERS]
            assert step.accepts in answers, step.text


def test_mixed_strategies_are_read_and_perfect_ones_are_right() -> None:
    name: str = "high-low-battle"
    solution = nd.solve(nd.load(name))
    steps = [step for step in lesson(name).steps if step.form == MIXED]
    assert {step.kind for step in steps} == {MIX, TEST}
    for step in steps:
        exercise = step.exercise(solution)
        perfect = {option.move: option.probability for option in exercise.options}
        assert exercise.mixes
        assert step.reply(exercise, Answer(perfect)) == (True, step.praise)
        always = step.reply(exercise, read_answer(exercise.spot, "5", MIXED))
        assert always == (False, step.replies.get("5", step.otherwise))


def test_a_reason_does_not_give_the_answer_away(taught: tuple[Lesson, AnySolution]) -> None:
    found, solution = taught
    for step in found.steps:
        if step.asks and step.form != MIXED:
            exercise = step.exercise(solution)
            for move in step.accepts or exercise.best:
                (words,) = (one.words for one in exercise.options if one.move == move)
                told = {move, words, words.partition(" = ")[0]}
                for reason in reasons(step):
                    given = [text for text in told if re.search(rf"\b{re.escape(text)}\b", reason)]
                    assert not given, reason


# ---- other games ---------------------------------------------------------------


def test_a_game_without_a_lesson_is_taught_by_its_rules() -> None:
    found = lesson(TakeAway())
    assert found.title == "Take Away"
    assert [step.kind for step in found.steps][-1] == TEST
    assert all(step.rules for step in found.steps[:-1])


def test_a_name_without_a_lesson_is_refused_with_those_that_have_one() -> None:
    with pytest.raises(ValueError, match="There is no lesson for chess; choose high-low-battle,"):
        lesson("chess")


def test_nothing_is_asked_where_something_is_said() -> None:
    with pytest.raises(ValueError, match="This step has no question"):
        lesson(BID).steps[0].exercise(nd.solve(nd.load(BID)))
