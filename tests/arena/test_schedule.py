"""Who meets whom, with which cards."""

from __future__ import annotations

from itertools import combinations

import pytest

import number_duels as nd
from number_duels.arena.schedule import Schedule, named
from tests.arena.matches import GAMES, schedule


def test_everybody_meets_everybody_once_at_every_game() -> None:
    what = schedule("random", "level:1", "perfect")
    met = [(p.game.name, p.one.name, p.two.name) for p in what.pairings()]
    names = ["random", "level:1", "perfect"]
    assert met == [(g.name, a, b) for g in GAMES for a, b in combinations(names, 2)]


def test_in_a_gauntlet_one_meets_all_others() -> None:
    what = Schedule(named(["random", "level:1", "perfect"]), GAMES[:1], 2, 1, gauntlet="perfect")
    assert [(p.one.name, p.two.name) for p in what.pairings()] == [
        ("perfect", "random"),
        ("perfect", "level:1"),
    ]


def test_a_pair_has_the_same_cards_with_the_seats_swapped() -> None:
    what = schedule("random", "perfect", pairs=20)
    seeds = set()
    for pairing in what.pairings():
        for first, second in what.pairs_of(pairing):
            assert first.seed == second.seed
            assert first.seats == second.seats[::-1]
            assert first.id != second.id
            seeds.add(first.seed)
    assert len(seeds) == 20 * len(what.pairings())


def test_more_pairs_begin_with_the_same_ones() -> None:
    few, many = schedule("random", "perfect", pairs=2), schedule("random", "perfect", pairs=5)
    for pairing in few.pairings():
        assert list(few.pairs_of(pairing)) == list(many.pairs_of(pairing))[:2]


def test_another_seed_deals_other_cards() -> None:
    one, two = schedule("random", "perfect", seed=1), schedule("random", "perfect", seed=2)
    (a, _), (b, _) = (next(what.pairs_of(what.pairings()[0])) for what in (one, two))
    assert a.seed != b.seed


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["perfect", "level:3"], ["perfect", "level:3"]),
        (["bot:python3 my/first.py", "bot:./first.sh --deep"], ["first", "--deep"]),
        (["me=bot:python3 a.py", "llm:org/model-7"], ["me", "model-7"]),
        (["py:bots.clever:choose", "py:bots.clever:other"], ["clever:choose", "clever:other"]),
        (["random", "random", "random"], ["random", "random 2", "random 3"]),
        (["bot:env A=1 ./x"], ["x"]),
        (["a=random", "a=perfect"], ["a", "a 2"]),
    ],
)
def test_players_get_short_names_that_differ(words: list[str], names: list[str]) -> None:
    assert [person.name for person in named(words)] == names


@pytest.mark.parametrize(
    ("players", "more", "reason"),
    [
        (["perfect"], {}, "two players"),
        (["random", "perfect"], {"pairs": 0}, "pair"),
        (["random", "perfect"], {"games": ()}, "needs at least one game"),
        (["random", "perfect"], {"games": (*GAMES[:1], *GAMES[:1])}, "twice"),
        (["random", "perfect"], {"gauntlet": "nobody"}, "gauntlet"),
    ],
)
def test_a_schedule_that_cannot_be_played_is_refused(
    players: list[str], more: dict[str, object], reason: str
) -> None:
    given: dict[str, object] = {"games": GAMES, "pairs": 1, "seed": 1, **more}
    with pytest.raises(ValueError, match=reason):
        Schedule(named(players), **given)  # type: ignore[arg-type]  # a table of wrong arguments


def test_settings_make_another_event() -> None:
    usual, other = nd.load("number-bid"), nd.load("number-bid", numbers=6)
    what = Schedule(named(["random", "perfect"]), (usual, other), 1, 1)
    assert len({pairing.id for pairing in what.pairings()}) == 2
