"""`render_mode="rgb_array"`: a board as a picture, in one way for all games."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from PIL import ImageColor

import number_duels as nd
from number_duels.adapters.gymnasium import DuelEnv
from number_duels.adapters.pettingzoo import parallel_env
from number_duels.adapters.picture import ACCENTS, FADED, HEIGHT, PAPER, WIDTH, Picture, draw_board
from number_duels.core.board import Cards, Grid, Meter, Numbers, Part
from tests.adapters.pettingzoo_envs import aec, parallel
from tests.adapters.tables import every_table, every_table_at_once
from tests.core.playing import Table


def points(picture: Picture, colour: str) -> int:
    """How many points have a colour, but for what smoothing does."""
    difference = picture.astype(int) - ImageColor.getrgb(colour)
    return int((np.abs(difference).max(axis=2) < 12).sum())


def is_picture(shown: object) -> bool:
    return (
        isinstance(shown, np.ndarray)
        and shown.shape == (HEIGHT, WIDTH, 3)
        and shown.dtype == np.uint8
    )


def same(one: Picture, other: Picture) -> bool:
    return bool((one == other).all())


# ---- in the environments -------------------------------------------------------


@every_table
def test_every_turn_of_a_game_is_a_new_picture_of_the_same_size(table: Table) -> None:
    room, rng = aec(table, "rgb_array"), np.random.default_rng(1)
    room.reset(seed=1)
    shown, ended = [room.render()], False
    while not ended:
        seen, _, ended, *_ = room.last()
        if not ended:
            room.step(rng.choice(np.flatnonzero(seen["action_mask"])))
            if not room.unwrapped._single_game.holds_choice:
                shown.append(room.render())
    assert all(map(is_picture, shown))
    assert not any(same(one, two) for one, two in pairwise(shown))


def test_a_picture_belongs_to_who_asked_for_it() -> None:
    room = DuelEnv("number-knot", render_mode="rgb_array")
    room.reset(seed=1)
    first = room.render()
    assert isinstance(first, np.ndarray)
    first[:] = 0
    assert points(np.asarray(room.render()), PAPER) > 1000


def test_both_libraries_draw_the_same() -> None:
    room = parallel_env("number-bid", render_mode="rgb_array")
    room.reset(seed=1, options={"moves": "7/6"})
    env = DuelEnv("number-bid", render_mode="rgb_array")
    env.reset(seed=2, options={"moves": "7/6"})
    assert same(np.asarray(room.render()), np.asarray(env.render()))


@every_table_at_once
def test_a_choice_that_waits_is_not_in_the_picture(table: Table) -> None:
    room, other = aec(table, "rgb_array"), aec(table, "rgb_array")
    for one, action in ((room, 0), (other, 1)):
        one.reset(seed=1)
        before = one.render()
        one.step(action)
        assert same(before, one.render())
    assert same(room.render(), other.render())


def test_a_hidden_card_lies_face_down() -> None:
    pictures = []
    for card in ("7", "10"):
        room = DuelEnv("number-stack-showdown", render_mode="rgb_array")
        room.reset(seed=1, options={"moves": f"5k 5g {card}"})
        pictures.append(np.asarray(room.render()))
    assert same(*pictures)


def test_an_ended_game_tells_why(monkeypatch: pytest.MonkeyPatch) -> None:
    captions: list[str] = []
    monkeypatch.setattr(
        "number_duels.adapters.picture.draw_board", lambda *told: captions.append(told[2])
    )
    room = DuelEnv("number-knot", render_mode="rgb_array", opponent="random")
    room.reset(seed=1, options={"moves": "S5 A1"})
    room.render()
    room.step(17)  # S9
    room.render()
    room.reset(seed=1)
    room.step(99)
    room.render()
    both = parallel_env("number-bid", render_mode="rgb_array")
    both.reset(seed=1)
    both.render()
    assert captions == [
        "Player 1 to move.",
        "Player 2's life total has reached zero or below.",
        "Player 1 has made an illegal move.",
        "Both choose at once.",
    ]


def test_gymnasium_collects_them_as_it_does_for_a_video() -> None:
    room = gymnasium.make("number_duels/NumberKnot-v0", render_mode="rgb_array_list")
    _, info = room.reset(seed=1)
    room.step(int(np.argmax(info["action_mask"])))
    frames: Any = room.render()
    assert len(frames) == 2
    assert all(map(is_picture, frames))
    seen = gymnasium.wrappers.AddRenderObservation(
        gymnasium.make("number_duels/NumberKnot-v0", render_mode="rgb_array")
    )
    assert is_picture(seen.reset(seed=1)[0])


# ---- parts ---------------------------------------------------------------------


def drawn(*parts: Part) -> Picture:
    return draw_board("A game", parts, "")


def test_what_is_used_looks_used() -> None:
    fresh = drawn(Numbers("Pool", None, (1, 2, 3), (1, 2, 3)))
    used = drawn(Numbers("Pool", None, (1, 2, 3), (1, 3)))
    assert points(fresh, FADED) < points(used, FADED)
    assert not same(
        drawn(Grid("Grid", 0, ((1, 2), (3, 4)))), drawn(Grid("Grid", 0, ((1, None), (3, 4))))
    )


def test_a_bar_is_as_long_as_it_is_full() -> None:
    bars = [points(drawn(Meter("Life", 0, life, 10)), ACCENTS[0]) for life in (-3, 0, 5, 10, 14)]
    assert bars[0] == bars[1]
    assert bars[1] < bars[2] < bars[3]
    assert bars[3] == bars[4]


def test_each_player_has_a_side_and_a_colour() -> None:
    one, two = (drawn(Meter("Score", seat, 7, 7)) for seat in (0, 1))
    for picture, half, other in ((one, slice(0, 320), 1), (two, slice(320, None), 0)):
        assert points(picture[:, half], ACCENTS[1 - other]) > 100
        assert points(picture, ACCENTS[other]) == 0


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (Cards("Nothing", None, ()),),
        (Grid("Empty", 0, ()),),
        (Numbers("Many", 1, tuple(range(1, 200)), (1,)),),
        (Grid("Large", 0, ((1000,) * 20,) * 20),),
        (Cards("Long", None, ("a card with a name that is longer than the board is wide" * 3,)),),
        tuple(Meter(f"Figure {n}", n % 2, n, 50) for n in range(40)),
    ],
    ids=lambda parts: parts[0].label if parts else "no parts",
)
def test_any_board_of_any_game_is_drawn(parts: tuple[Part, ...]) -> None:
    assert is_picture(draw_board("A sixth game", parts, "It is over. " * 30))


def test_the_boards_of_the_games_are_drawn_at_their_largest() -> None:
    for name in nd.games():
        settings = nd.load(name).describe_settings()
        highest = {setting: known.high for setting, known in settings.items()}
        game = nd.load(name, **{s: n for s, n in highest.items() if isinstance(n, int) and n})
        board = game.board(game.start())
        assert is_picture(draw_board(game.title, board, ""))


@every_table_at_once
def test_parallel_environments_are_drawn_too(table: Table) -> None:
    room = parallel(table, "rgb_array")
    room.reset(seed=1)
    assert is_picture(room.render())
