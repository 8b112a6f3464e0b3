"""The board and its place on the screen: as large as fits, in one block, never cut unseen."""

from __future__ import annotations

import re
from random import Random

import pytest
from textual.geometry import Region

import number_duels as nd
from number_duels.core.board import Cards, Fact, Meter, Numbers, Part, changed, draw_bar
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.games import load
from number_duels.terminal.app.board_view import (
    CROSS,
    MARK,
    PICKED,
    PICKED_CARD,
    BoardView,
    Line,
    cut,
    length,
    widest,
)
from number_duels.terminal.app.board_view import SIZES as SCALES
from number_duels.terminal.app.table_layout import WIDE_WIDTH
from tests.conftest import SLOW
from tests.some_games import CARDS, SOME_GAMES, sample
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import rows_of
from tests.terminal.app.tables import by_notation, new_table, sitting_at, text_of

#: The share of the screen that may be blank at the start of a game, by the screen's size.
SIZES = {(80, 24): 0.55, (120, 40): 0.75, (200, 50): 0.85}
#: The columns and rows that a board has in a terminal of 80 columns and 24 rows.
SMALL_COLUMNS, SMALL_ROWS = 44, 12
CUT_OFF = "enlarge the window"


def drawn(parts: tuple[Part, ...], columns: int, rows: int) -> list[Line]:
    view = BoardView(("Ann", "Bo"))
    view.room = rows
    view.show(parts)
    return view.lines(columns)


def text(lines: list[Line]) -> list[str]:
    return ["".join(piece for piece, _ in line) for line in lines]


# ---- the size of a board ---------------------------------------------------------


@pytest.mark.parametrize("name", nd.games())
def test_a_whole_game_fits_into_a_small_terminal(name: str) -> None:
    for seed in range(20 if SLOW else 3):
        match, rng = Match(load(name), seed), Random(seed)
        while True:
            lines = drawn(match.game.board(match.state), SMALL_COLUMNS, SMALL_ROWS)
            assert len(lines) <= SMALL_ROWS
            assert widest(lines) <= SMALL_COLUMNS
            if match.outcome:
                break
            if isinstance(match.turn, nd.Decision):
                for seat, options in list(match.turn.options.items()):
                    match.submit(seat, rng.choice(options))
            else:
                match.draw()


@pytest.mark.parametrize("name", nd.games())
@awaited
async def test_a_board_grows_with_the_screen_up_to_a_size_that_does_not_shout(name: str) -> None:
    areas = []
    for size, most_blank in SIZES.items():
        async with sitting_at(new_table(load(name), ("human", "random")), size) as driver:
            assert CUT_OFF not in text_of(driver)
            board = driver.table.query_one(BoardView)
            lines = board.lines(board.region.width)
            areas.append(len(lines) * widest(lines))
            assert blank_share(rows_of(driver.pilot.app)) <= most_blank
    assert areas[0] < min(areas[1:])


def blank_share(rows: list[str]) -> float:
    """Return the share of tiles of 8 columns and 3 rows that show nothing."""
    tiles = [
        "".join(row[left : left + 8] for row in rows[top : top + 3])
        for top in range(0, len(rows), 3)
        for left in range(0, len(rows[0]), 8)
    ]
    return sum(not tile.strip() for tile in tiles) / len(tiles)


def test_a_large_board_shows_where_the_next_card_will_be() -> None:
    game = load(CARDS)
    view = BoardView(("Ann", "Bo"))
    view.prepare(game)
    view.show(game.board(game.start()))
    edges = []
    for view.room, columns in ((SMALL_ROWS, SMALL_COLUMNS), (37, 73), (47, 140)):
        shown = "\n".join(text(view.lines(columns)))
        edges.append(len(re.findall("╭┄+╮", shown)))
    assert edges == [0, 3, 3]  # two stacks, and the card to draw


@pytest.mark.parametrize(("rows", "style"), [(30, PICKED_CARD), (1, PICKED)])
def test_a_selected_number_has_a_bright_border_and_a_digit_that_can_be_read(
    rows: int, style: str
) -> None:
    pool = Numbers("Pool", None, (1, 2, 3), (1, 2, 3))
    view = BoardView(("Ann", "Bo"))
    view.room = rows
    view.show((pool,))
    view.pick([(0, 2)])
    pieces = [piece for line in view.lines(60) for piece in line]
    assert {shown for text, shown in pieces if "accent" in shown and text not in "┃"} >= {style}
    assert ("┃", "$accent") in pieces or rows == 1
    assert not [shown for _, shown in pieces if " on " in shown] or rows == 1


def test_a_used_number_is_no_card_but_a_cross_and_later_a_dot() -> None:
    pool = Numbers("Pool", None, (1, 2, 3), (3,))
    view = BoardView(("Ann", "Bo"))
    view.room = 10
    view.show((pool,), {pool: frozenset({1})})
    assert text(view.lines(20))[-3:] == [
        "            ╭───╮",
        f"  ·     {CROSS}   │ 3 │",
        "            ╰───╯",
    ]


@pytest.mark.parametrize(
    ("name", "deal", "moves", "marks"),
    [
        ("number-drop", "294753618 672159834", "8-3", {CROSS: "bold $accent"}),
        ("number-stack-showdown", "7", "7k", {"┃": "$accent", "7": f"bold {MARK}"}),
        ("number-knot", None, "S3", {CROSS: "$accent", "7": f"bold {MARK}"}),
    ],
)
def test_what_the_last_move_changed_is_marked(
    name: str, deal: str | None, moves: str, marks: dict[str, str]
) -> None:
    game = load(name)
    start = game.start(deal=deal)
    after = History.read(game, start, moves).state
    view = BoardView(("Ann", "Bo"))
    view.room = 20
    for earlier, count in ((start, len(marks)), (after, 0)):
        view.show(game.board(after), changed(game.board(earlier), game.board(after)))
        pieces = {(text.strip(), style) for line in view.lines(80) for text, style in line}
        assert len(set(marks.items()) & pieces) == count


def test_the_cards_of_both_players_have_the_same_size() -> None:
    parts = (Cards("Stack", nd.Seat.ONE, ("7", "4")), Cards("Stack", nd.Seat.TWO, ("10", "9")))
    for columns, rows in ((44, 12), (100, 20)):
        lines = "\n".join(text(drawn(parts, columns, rows)))
        edges = re.findall("╭─+╮", lines)
        assert len(edges) == 4
        assert len(set(edges)) == 1


@awaited
async def test_both_hands_are_apart_on_a_small_screen_and_answers_do_not_repeat_a_word() -> None:
    async with sitting_at(new_table(load("high-low-battle"), ("human", "random"))) as driver:
        rows = rows_of(driver.pilot.app)
        second = next(n for n, row in enumerate(rows) if row.lstrip().startswith("Bo"))
        assert not rows[second - 1].partition("▏")[0].strip()
        assert "Play 1" not in text_of(driver)


@awaited
async def test_a_low_board_begins_in_the_row_of_its_question() -> None:
    async with sitting_at(new_table(load("number-knot")), (200, 50)) as driver:
        board, choices = driver.table.query_one(BoardView), driver.choices
        assert board.region.y == choices.region.y
        assert choices.region.x - board.region.right < 4


def test_a_bar_never_shrinks_while_its_value_grows() -> None:
    lives = [Meter("Life", 0, life, full=10, most=20) for life in range(-2, 30)]
    lengths = [draw_bar(life, 33)[0].count("█") for life in lives]
    assert lengths == sorted(lengths)
    assert [lengths[2 + life] for life in (0, 10, 20, 27)] == [0, 16, 32, 32]


def test_a_tick_marks_the_life_at_the_start_in_both_bars() -> None:
    game = load("number-knot")
    board = "\n".join(text(drawn(game.board(game.start()), 80, 30)))
    assert board.count("█│░") == 2


def test_facts_are_beside_the_player_they_are_about() -> None:
    parts = Fact("Round", None, "6: sudden death"), Fact("A tie earns", 1, "2 points")
    lines = text(drawn(parts, 60, 10))
    assert lines[0] == "Round 6: sudden death"
    assert lines[-1].endswith("Bo    A tie earns 2 points")


# ---- its place -------------------------------------------------------------------


@pytest.mark.parametrize("size", sample([(size,) for size in SIZES], 2), ids=str)
@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_the_question_is_below_or_beside_the_board_and_the_block_is_centred(
    name: str, size: tuple[int, int]
) -> None:
    async with sitting_at(new_table(load(name), ("human", "random")), size) as driver:
        board, block = driver.table.query_one(BoardView), driver.table.query_one("#block")
        log, whole = driver.table.query_one("#log"), driver.table.query_one("#table")
        if size[0] < WIDE_WIDTH:
            assert 0 <= driver.choices.region.y - board.region.bottom <= 1
        else:
            assert driver.choices.region.x >= board.region.right
            assert driver.choices.region.bottom <= log.region.y
        assert driver.choices.region.bottom <= block.region.bottom
        assert log.region.x >= board.region.right
        for before, after in (
            (block.region.x - whole.region.x, whole.region.right - block.region.right),
            (block.region.y - whole.region.y, whole.region.bottom - block.region.bottom),
        ):
            assert before >= 0
            assert abs(before - after) <= 1


@pytest.mark.parametrize("size", sample([(size,) for size in SIZES], 1), ids=str)
@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_nothing_moves_while_a_game_goes_on(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("number_duels.terminal.app.table.megabytes_to_solve", lambda _: 0)
    table = new_table(load(name), ("human", "random"), hints=True)
    async with sitting_at(table, size) as driver:

        def places() -> set[Region]:
            return {table.query_one(one).region for one in ("#board", "#actions", "#beside")}

        before, seen = places(), set[tuple[int, str]]()
        while not table.match.outcome:
            if table.asked is None:
                await driver.press("enter")  # a card to draw
            else:
                await driver.press("h", "h", "h")
                assert places() == before
                await by_notation(driver)
            assert places() == before
            board = table.query_one(BoardView)
            rows = text(board.lines(board.content_size.width))
            seen |= {(len(rows), edge) for row in rows for edge in re.findall("╭─+╮", row)}
        assert len(seen) <= 1


@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_a_resize_and_back_gives_the_same_picture(name: str) -> None:
    table = new_table(load(name), ("human", "random"))
    async with sitting_at(table, (120, 40)) as driver:
        if table.asked is not None:
            await by_notation(driver)
        before = driver.screen_picture
        for size in ((119, 40), (80, 24), (120, 40)):
            await driver.pilot.resize_terminal(*size)
            await driver.settle()
        assert driver.screen_picture == before


@pytest.mark.parametrize("size", SIZES, ids=str)
@awaited
async def test_the_card_that_is_drawn_is_the_largest(size: tuple[int, int]) -> None:
    table = new_table(load("number-stack-showdown"), ("human", "random"))
    async with sitting_at(table, size) as driver:
        await driver.press("enter", "k", "enter", "enter")
        board = table.query_one(BoardView)
        rows = text(board.lines(board.content_size.width))
        top = next(n for n, row in enumerate(rows) if "Drawn Card" in row) + 1
        height = next(n for n, row in enumerate(rows[top:], 1) if "┗" in row)
        width = max(map(len, re.findall("┏━+┓", rows[top])))
        assert height >= max(3, SCALES[board.extent(board.content_size.width).place][0].rows)
        assert width > max(
            (len(edge) for row in rows for edge in re.findall("╭─+╮", row)), default=0
        )


# ---- too small a window ----------------------------------------------------------


@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_a_window_that_is_too_small_says_so(name: str) -> None:
    async with sitting_at(new_table(load(name), ("human", "random")), (40, 10)) as driver:
        assert CUT_OFF in text_of(driver)


def test_a_line_that_is_too_long_ends_with_an_ellipsis() -> None:
    line = ("Score", ""), (" 12 of 20", "bold")
    assert text([cut(line, 9)]) == ["Score 12…"]
    assert cut(line, length(line)) == line
    assert text([cut((("牌牌牌", ""),), 4)]) == ["牌…"]
