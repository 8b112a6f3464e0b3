"""Drills on the full screen: the same as at the line mode, answered by keys, clicks and sliders."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from textual.widgets import Static
from textual.widgets._footer import FooterKey

from number_duels.core.board import Part
from number_duels.core.game import Seat
from number_duels.core.scene import ASKED, OVER, SAID, TOLD, WORKING
from number_duels.sessions.train import MIN_SERIES, LessonTask, Plan, Task, spot_after
from number_duels.terminal.app.board_view import (
    BoardView,
    Ending,
    Notice,
    WordsPanel,
    on_other_side,
)
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.dialogs import Confirm, KeyHelp
from number_duels.terminal.app.drill import PUNISHED, DrillScreen, Sliders, effect
from number_duels.terminal.app.home import HomeScreen
from number_duels.terminal.app.page import UNSEEN_SECONDS
from number_duels.terminal.app.rules_page import RulesText
from number_duels.terminal.app.table import ReplayScreen
from number_duels.trainer.book import AddCard, Book, BookFile
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import MIXED, MIXED_FORM, MOVE, read_answer
from number_duels.trainer.lessons import lesson
from tests.clock import ManualClock
from tests.conftest import SLOW
from tests.sessions.training import mistake, told_mistake
from tests.terminal.app.drill_driver import drilling, sitting_at
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import press, settle
from tests.terminal.app.test_table_typing import every_delay
from tests.terminal.training import CARDS, KNOT, drills


def book() -> Book:
    return BookFile().read()


def board_of(task: Task) -> tuple[Part, ...]:
    """The board of a task as the screen shows it: the learner on the left."""
    board = task.spot.board
    return board if task.spot.seat is Seat.ONE else tuple(map(on_other_side, board))


@awaited
async def test_the_same_seed_brings_the_drills_of_the_line_mode() -> None:
    tasks = drills(KNOT, 3, 3)
    async with drilling(KNOT) as (screen, pilot):
        for task in tasks:
            assert screen.session.asked_task().spot.spot == task.spot.spot
            assert screen.scene.prompt == task.prompt
            await press(pilot, *mistake(task), "enter", "@", "enter", "@")
        assert screen.scene.stage == OVER
        assert "0 of 3 right" in str(screen.query_one(Notice).content)
    assert [answer.answer for answer in book().answers] == list(map(mistake, tasks))
    assert {card.id for card in book().cards} == {task.spot.id for task in tasks}


@awaited
async def test_the_verdict_is_told_and_kept_before_anything_else() -> None:
    (task,) = drills(KNOT, 3, 1)
    async with drilling(KNOT, count=1) as (screen, pilot):
        await press(pilot, *task.exercise.best[0], "enter", "@")
        assert screen.scene.stage == TOLD
        assert "Right" in str(screen.query_one(Notice).content)
        (best, *_) = task.exercise.options
        assert best.words in " ".join(words(screen).split())
        (answer,) = book().answers
        assert (answer.card, answer.right) == (task.spot.id, True)


@awaited
async def test_the_words_begin_beside_the_board() -> None:
    async with drilling(KNOT, count=1) as (screen, pilot):
        for size in ((160, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            said, board = screen.query_one("#drill-said"), screen.query_one(BoardView)
            assert said.region.y == board.region.y


@awaited
async def test_words_are_wrapped_once_when_a_scroll_bar_appears() -> None:
    tasks = drills(KNOT, 3, 6 if SLOW else 2)
    async with drilling(KNOT, count=len(tasks)) as (screen, pilot):
        panel, said = screen.query_one(WordsPanel), screen.query_one("#drill-said", Static)
        for columns, task in enumerate(tasks, 80):
            await pilot.resize_terminal(columns, 16)
            await settle(pilot)
            await press(pilot, *mistake(task), "enter", "@")
            assert panel.show_vertical_scrollbar
            assert said.region.height == len(str(said.content).split("\n"))
            await press(pilot, "enter", "@")


@awaited
async def test_a_mistake_is_punished_on_the_board_step_by_step() -> None:
    (task,) = drills(KNOT, 3, 1)
    async with drilling(KNOT, count=1) as (screen, pilot):
        await press(pilot, *mistake(task), "enter", "@")
        board = screen.query_one(BoardView)
        answered = board.parts
        assert answered != board_of(task), "the answer is on the board"
        await press(pilot, "p")
        replay = pilot.app.screen
        assert isinstance(replay, ReplayScreen)
        assert PUNISHED in str(replay.query_one("#table-title", Static).content)
        shown = replay.query_one(BoardView)
        assert (shown.parts, shown.names) == (answered, board.names)
        await press(pilot, "left")
        assert shown.parts == board_of(task)
        for key in ("right", *["enter"] * (len(screen.scene.frames) - 2)):
            await press(pilot, key)
        assert replay.scene.stage == OVER
        said = str(replay.query_one("#log-lines", Static).content)
        assert told_mistake(task) in " ".join(said.split())
        await press(pilot, "q", "enter", "@")
        assert "0 of 1 right" in str(screen.query_one(Notice).content)


@awaited
async def test_the_footer_is_never_redrawn_while_an_answer_is_judged() -> None:
    (task,) = drills(KNOT, 3, 1)
    async with drilling(KNOT, count=1) as (screen, pilot):
        stages = list[str]()
        screen.bindings_updated_signal.subscribe(
            screen, lambda _: stages.append(screen.scene.stage), immediate=True
        )
        await press(pilot, *mistake(task), "enter", "@")
        assert stages[-1] == TOLD
        assert WORKING not in stages
        assert {"Next", "See it punished"} <= set(footer(screen))


@awaited
async def test_the_learner_is_on_the_left_in_every_step_of_a_lesson() -> None:
    seats = set()
    async with sitting_at(Plan("lesson", "number-knot")) as (screen, pilot):
        while screen.scene.stage != OVER:
            scene, board = screen.scene, screen.query_one(BoardView)
            assert board.names == ("You", "Opponent")
            assert scene.you is not None
            assert screen.scene.sides[scene.you].name == "You"
            seats.add(scene.you)
            for seat, owner in zip((scene.you, scene.you.other), Seat, strict=True):
                (life,) = (part for part in scene.board if part.owner is seat)
                assert replace(life, owner=owner) in board.parts
            await press(pilot, "enter" if scene.stage == SAID else "x", "@")
    assert seats == set(Seat)


@awaited
async def test_a_missed_position_is_asked_again_at_once_and_both_answers_count() -> None:
    (task,) = drills(KNOT, 3, 1)
    async with drilling(KNOT, count=1) as (screen, pilot):
        assert "Try again" not in footer(screen)
        await press(pilot, *mistake(task), "enter", "@")
        assert "Try again" in footer(screen)
        assert "Add to mistake book" not in footer(screen)  # it is there already
        await press(pilot, "p", "q", "f", "@")
        assert (screen.scene.stage, screen.scene.verdict) == (ASKED, None)
        assert screen.query_one(BoardView).parts == board_of(task)
        await press(pilot, *task.exercise.best[0], "enter", "@")
        assert "Try again" not in footer(screen)  # what was right is not asked again
        await press(pilot, "f", "enter", "@")
        assert "1 of 2 right" in str(screen.query_one(Notice).content)
    assert [(one.kind, one.right) for one in book().answers] == [("drill", False), ("drill", True)]
    (card,) = book().cards
    assert (card.tries, card.misses) == (1, 0)


@awaited
async def test_a_card_is_asked_again_and_a_puzzle_is_not() -> None:
    (task,) = drills(KNOT, 3, 1)
    BookFile().append(AddCard.of(task.spot, datetime.now(UTC), source="drill", cost=0.5))
    for plan, can_repeat in ((Plan("book"), True), (Plan("puzzle", KNOT.name), False)):
        async with sitting_at(plan) as (screen, pilot):
            screen.chosen(mistake(screen.session.asked_task()))
            await settle(pilot)
            assert screen.scene.stage == TOLD
            assert ("Try again" in footer(screen)) is can_repeat


def footer(screen: DrillScreen) -> set[str]:
    """What the keys that are shown do."""
    return {one.binding.description for one in screen.active_bindings.values() if one.binding.show}


@pytest.mark.parametrize("by", ["sliders", "typing", "one slider"])
@awaited
async def test_a_mixed_strategy_is_put_together(by: str) -> None:
    scope = Scope(form=MIXED)
    (task,) = drills(CARDS, 3, 1, scope)
    last = str(task.spot.options[-1])
    first = str(task.spot.options[0])
    keys = {
        "sliders": [*["right"] * 5, "up", *["right"] * 15],
        "typing": [*first, "colon", *"25", "space", *last, "colon", *"75"],
        "one slider": ["end"],
    }[by]
    async with drilling(CARDS, scope, 1) as (screen, pilot):
        await press(pilot, "enter")
        assert "Give at least one choice more than 0%" in shown(screen)
        await press(pilot, *keys)
        assert "100% set" in shown(screen)
        await press(pilot, "enter", "@")
        assert screen.scene.stage == TOLD
        assert "against an opponent who knows it" in str(screen.query_one(Notice).content)
        assert ("Your mix" in words(screen), "Perfect mix" in words(screen)) == (True, True)
        move = task.spot.question.answers[-1].label.lower()
        if by == "sliders":
            assert re.search(rf"{move} +75%", words(screen))
    (answer,) = book().answers
    mix = first if by == "one slider" else f"{first}:25 {last}:75"
    assert (answer.form, answer.answer) == (MIXED, mix)


def words(screen: DrillScreen) -> str:
    """What stands beside the board."""
    return str(screen.query_one("#drill-said", Static).content)


def shown(screen: DrillScreen) -> str:
    """What stands where the sliders are."""
    return str(screen.query_one(Sliders).render())


@awaited
async def test_a_bad_mixed_strategy_is_refused_and_a_slider_is_clicked() -> None:
    clock = ManualClock()
    async with drilling(CARDS, Scope(form=MIXED), 1, clock=clock) as (screen, pilot):
        sliders = screen.query_one(Sliders)
        await press(pilot, *sliders.moves[0], "z")
        assert "That does not fit" in shown(screen)
        await pilot.press("z", "enter")
        assert screen.scene.stage == ASKED  # the Enter right after a refused key
        head = len(sliders.head(sliders.content_size.width))
        await pilot.click(Sliders, offset=(sliders.label_width + 5, head))
        assert sliders.weights[0] == 50
        await press(pilot, "end", "right")
        assert sliders.weights[0] == 100
        await press(pilot, "home", "left")
        assert sliders.weights[0] == 0
        assert screen.scene.stage == ASKED


@awaited
async def test_a_mixed_strategy_is_judged_only_if_it_adds_up_to_100() -> None:
    async with drilling(CARDS, Scope(form=MIXED), 1) as (screen, pilot):
        sliders = screen.query_one(Sliders)
        one, two = sliders.moves[0], sliders.moves[-1]
        await press(pilot, *["right"] * 12, "enter", "@")
        assert "60% set, 40% left" in shown(screen)
        assert sliders.reason.startswith("Set 40% more, so that")
        await press(pilot, "escape")
        assert (sliders.reason, sum(sliders.weights)) == ("", 60)
        await press(pilot, "escape")
        assert sum(sliders.weights) == 0
        await press(pilot, *one, "colon", *"60", "space", *two, "colon", *"60", "enter", "@")
        assert "120% set, 20% too much" in shown(screen)
        assert sliders.reason.startswith("Set 20% less, so that")
        await press(pilot, "escape")
        assert (sliders.reason, sliders.text) == ("", f"{one}:60 {two}:60")
        assert screen.scene.stage == ASKED
    assert book().answers == ()


@awaited
async def test_where_nothing_can_be_kept_the_drill_goes_on_and_says_so() -> None:
    first, second = drills(KNOT, 3, 2)
    async with drilling(KNOT, count=2) as (screen, pilot):
        BookFile().path.mkdir(parents=True)
        await press(pilot, *mistake(first), "enter", "@")
        assert screen.scene.verdict
        said = " ".join(str(screen.query_one(Notice).content).split())
        assert "The mistake book cannot be saved to" in said
        assert "Your answers are not saved." in said
        BookFile().path.rmdir()
        await press(pilot, "enter", "@", *mistake(second), "enter", "@")
        assert "not saved" not in str(screen.query_one(Notice).content)
    assert [one.card for one in book().answers] == [first.spot.id, second.spot.id]


@every_delay
@awaited
async def test_an_enter_that_comes_too_soon_does_not_skip_the_verdict(delay: float) -> None:
    (task, _), clock = drills(KNOT, 3, 2), ManualClock()
    async with drilling(KNOT, count=2, clock=clock) as (screen, pilot):
        await press(pilot, *mistake(task), "enter", "@")
        assert str(screen.query_one(Notice).content).startswith("✗ Wrong: ")
        clock.advance(delay)
        await pilot.press("enter")
        await settle(pilot)
        assert screen.scene.stage == (TOLD if delay < UNSEEN_SECONDS else ASKED)
    assert len(book().answers) == 1


def test_the_effect_of_a_move_does_not_tell_the_answer_of_an_exercise() -> None:
    spot = spot_after(KNOT, None, "S9 A1", None)
    win = KNOT.parse("S8")
    assert spot.game.consequence(spot.view, spot.seat, win).endswith(": wins")
    assert effect(spot, win) == "their life 2 → -6"


@awaited
async def test_an_exercise_says_that_it_has_no_hints() -> None:
    async with drilling(KNOT) as (screen, pilot):
        choices = screen.query_one(Choices)
        await press(pilot, "@", "enter")
        assert choices.reason.startswith("Nothing is selected yet.")
        await press(pilot, "h")
        assert not choices.reason
        assert not pilot.app._notifications
        said = str(screen.query_one(Notice).content)
        assert said.startswith("Exercises have no hints.")


@pytest.mark.parametrize("scope", [None, Scope(form=MIXED)], ids=["move", "mixed"])
@awaited
async def test_a_refused_key_and_enter_answer_nothing(scope: Scope | None) -> None:
    async with drilling(CARDS, scope, 1) as (screen, pilot):
        await press(pilot, "9", "enter", "enter", "enter")
        assert screen.scene.stage == ASKED
    assert book().answers == ()


@awaited
async def test_a_typed_mixed_strategy_moves_the_sliders_and_its_wrong_keys_are_refused() -> None:
    async with drilling(CARDS, Scope(form=MIXED), 1) as (screen, pilot):
        sliders = screen.query_one(Sliders)
        one, two = sliders.moves[0], sliders.moves[-1]
        await press(pilot, *one, "colon", *"60", "comma", "space", *two, "colon", *"40")
        assert [weight for weight in sliders.weights if weight] == [60, 40]
        for key in ("colon", "z"):
            await press(pilot, key)
            assert sliders.text == f"{one}:60, {two}:40"
            assert "That does not fit" in shown(screen)
        await press(pilot, "space", *one)  # each choice once
        assert sliders.text == f"{one}:60, {two}:40 "
        await press(pilot, *["escape"] * 4)  # the first Esc clears the refusal
        assert (sliders.text, sum(sliders.weights)) == ("", 0)


@awaited
async def test_no_example_of_typing_is_a_move_of_the_exercise() -> None:
    async with drilling(CARDS, Scope(form=MIXED), 1) as (screen, pilot):
        asked = "".join(text for line in screen.query_one(Sliders).head(200) for text, _ in line)
        for said in (asked, " ".join(what for _, what in screen.key_notes())):
            assert MIXED_FORM in said
            assert not re.search(r"\d:", said)
        await press(pilot, "r")
        rules = str(pilot.app.screen.query_one(RulesText).content)
        assert "Rulings" in rules
        assert "keyboard" not in rules.casefold()


@pytest.mark.parametrize("key", ["escape", "q"])
@awaited
async def test_an_open_exercise_is_not_left_without_asking(key: str) -> None:
    first, second = drills(KNOT, 3, 2)
    async with drilling(KNOT, count=2) as (screen, pilot):
        await press(pilot, *mistake(first), "enter", "@", "enter", "@", key)
        assert isinstance(pilot.app.screen, Confirm)
        await press(pilot, "n", *mistake(second), "enter", "@", key)
        assert not screen.is_current
        assert isinstance(pilot.app.screen, HomeScreen)


@pytest.mark.parametrize("key", ["escape", "q"])
@awaited
async def test_a_lesson_is_left_at_once_and_says_where_it_goes_on(key: str) -> None:
    for step in range(1, 4):
        async with sitting_at(Plan("lesson", "number-knot")) as (screen, pilot):
            assert screen.scene.progress
            assert screen.scene.progress[0] == step
            if screen.scene.stage == ASKED:
                task = screen.session.asked_task()
                assert isinstance(task, LessonTask)
                screen.chosen(task.step.accepts[0])
                await settle(pilot)
            else:
                await press(pilot, "enter", "@")
            await press(pilot, key)
            assert isinstance(pilot.app.screen, HomeScreen)
            (said,) = (one.message for one in pilot.app._notifications)
            assert said == f"Saved: the lesson resumes at step {step + 1} of 17."


@pytest.mark.parametrize("key", ["escape", "q"])
@awaited
async def test_a_training_without_an_answer_is_left_at_once(key: str) -> None:
    async with drilling(KNOT, count=1) as (screen, pilot):
        await press(pilot, key)
        assert not screen.is_current
        assert isinstance(pilot.app.screen, HomeScreen)


@awaited
async def test_a_position_is_skipped_or_put_into_the_book() -> None:
    first, second = drills(KNOT, 3, 2)
    async with drilling(KNOT) as (screen, pilot):
        assert "Add to mistake book" in footer(screen)
        await press(pilot, "f3")
        (said,) = (one.message for one in pilot.app._notifications)
        assert said == "In your mistake book. It comes back today."
        assert "Add to mistake book" not in footer(screen)
        await press(pilot, "x", "@")
        assert screen.session.asked_task().spot.spot == second.spot.spot
    assert [card.id for card in book().cards] == [first.spot.id]
    assert book().answers == ()


@awaited
async def test_one_spot_again_and_again_tells_the_series() -> None:
    scope = Scope(spot=spot_after(CARDS, None, "", 1).spot)
    async with drilling(CARDS, scope, MIN_SERIES) as (screen, pilot):
        again = ("5", "enter", "@", "enter", "@")
        await press(pilot, *again * (MIN_SERIES - 1), "5", "enter", "@")
        assert f"of your {MIN_SERIES} answers" in " ".join(words(screen).split())
        assert "f" not in screen.active_bindings  # Enter asks it again


@awaited
async def test_the_list_of_all_keys_names_each_working_key_once_and_folds_in_its_column() -> None:
    async with drilling(KNOT, count=1) as (_, pilot):
        await pilot.resize_terminal(40, 20)
        heights = []
        for keys in (("question_mark",), ("escape", *"s1", "enter", "@", "question_mark")):
            await press(pilot, *keys)
            listed = pilot.app.screen
            assert isinstance(listed, KeyHelp)
            names = [key for key, _ in listed.rows()]
            assert names.count("Enter") == 1
            assert not {"h", "how often"}.intersection(names)
            places = [one.region for one in listed.query("Horizontal > Static:last-child")]
            assert len({place.x for place in places}) == 1
            heights += [place.height for place in places]
        assert max(heights) > 1


@awaited
async def test_the_list_of_keys_after_a_lesson_says_what_enter_does() -> None:
    async with sitting_at(Plan("lesson", "number-knot")) as (screen, pilot):
        while screen.scene.stage != OVER:
            await press(pilot, "enter" if screen.scene.stage == SAID else "x", "@")
        await press(pilot, "question_mark")
        listed = pilot.app.screen
        assert isinstance(listed, KeyHelp)
        assert ("Enter", "Play now") in list(listed.rows())


@awaited
async def test_a_lesson_ends_with_a_band_and_its_principles_across_the_screen() -> None:
    async with sitting_at(Plan("lesson", "number-knot")) as (screen, pilot):
        while screen.scene.stage != OVER:
            task = screen.session.task
            if isinstance(task, LessonTask):
                moves = [option.move for option in task.exercise.options]
                answers = [read_answer(task.spot, move, MOVE) for move in moves]
                right = [one for one in answers if task.step.reply(task.exercise, one)[0]]
                screen.chosen(right[0].text)
                await settle(pilot)
            await press(pilot, "enter", "@")
        assert screen.query_one(Ending).headline == "Perfect! You have learned Number Knot"
        said = str(screen.query_one(Notice).content)
        for number, principle in enumerate(lesson("number-knot").principles, 1):
            assert f"{number}. {principle}.\n" in said
        assert not screen.query_one(WordsPanel).region
        assert "Enter  play Number Knot against level 3\nd      drills: " in said
        assert "\nl      next lesson: Number Bid, 4 minutes\n" in said
        keys = {key.description for key in screen.query(FooterKey)}
        assert {"Play now", "Drills", "Next lesson", "New game"} <= keys
        await press(pilot, "l", "@")
        assert isinstance(pilot.app.screen, DrillScreen)
        assert pilot.app.screen.session.plan.game == "number-bid"


@awaited
async def test_a_remark_is_gone_on_the_next_screen() -> None:
    async with drilling(KNOT, count=1) as (screen, pilot):
        await press(pilot, "x", "@")
        assert [one.message for one in screen.app._notifications if "Skipped" in one.message]
        await press(pilot, "enter", "@")
        assert screen.app.screen is not screen
        assert not [one for one in screen.app._notifications if "Skipped" in one.message]
