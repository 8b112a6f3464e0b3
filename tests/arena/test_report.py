"""The report: what it counts, and that its page needs nothing but itself."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from number_duels.arena.game_result import SCORES, GameResult
from number_duels.arena.grading import Blunder, Cost, Figures
from number_duels.arena.html.page import page
from number_duels.arena.report import OVERALL, Report, report
from number_duels.core.record import Person, Record

ANCHORS = {"random": 0.0, "perfect": 800.0}


def game(
    pair: int,
    swapped: bool,
    result: float,
    *,
    event: str = "number-knot",
    names: tuple[str, str] = ("Ann", "random"),
    luck: tuple[float, float] | None = (0.0, 0.0),
) -> GameResult:
    """A game in the book: Player 1's result, and a loss of a half by Ann."""
    seats = names[::-1] if swapped else names
    own = Cost(0.5, 2.0, decisions=4, blunders=(Blunder(3, "S1", 0.5, ("S9",)),), choices=2)
    one, two = (own if name == "Ann" else Cost(0.0, 2.0, decisions=4) for name in seats)
    first, second = (Person(name, name if name in ANCHORS else "bot:x") for name in seats)
    return GameResult(
        fixture=f"{event} {names} {pair}{swapped}",
        event=event,
        pairing=names,
        pair=pair,
        record=Record(
            *(event, {}, None, 1),
            players=(first, second),
            moves="S5 A3",
            result={score: text for text, score in SCORES.items()}[result],
        ),
        forfeits=("", ""),
        faults=((), ()),
        figures=luck and Figures(*luck, (one, two)),
    )


def pairs(results: list[tuple[float, float]], event: str = "number-knot") -> list[GameResult]:
    """Pairs of games, each by Player 1's results in its two games."""
    return [
        game(n, swapped, result, event=event)
        for n, both in enumerate(results, 1)
        for swapped, result in zip((False, True), both, strict=True)
    ]


def row(found: Report, name: str, event: str = "number-knot"):  # type: ignore[no-untyped-def]
    """One player's row."""
    (one,) = (row for row in found.rows if (row.name, row.event) == (name, event))
    return one


def test_a_score_is_the_mean_over_both_seats() -> None:
    found = report(pairs([(1, 1), (1, -1), (0, -1)]), {})
    # Ann is Player 1 in the first game of a pair, Player 2 in the second.
    assert row(found, "Ann").score.mean == pytest.approx((0 + 1 + 0.5) / 3)
    assert row(found, "random").score.mean == pytest.approx(-(0 + 1 + 0.5) / 3)
    assert row(found, "Ann").games == 6


def test_losses_and_accuracy_are_those_of_the_decisions() -> None:
    ann = row(report(pairs([(1, 1), (1, -1)]), {}), "Ann")
    assert ann.loss_per_game == 0.5
    assert ann.loss_per_decision == 0.125
    assert ann.accuracy == 75
    # Half a point lost in two decisions that were not obvious; a whole chance is two points.
    assert ann.carelessness.mean == 0.125
    assert ann.blunders == 4


def test_a_game_without_its_partner_waits() -> None:
    found = report([*pairs([(1, -1)]), game(2, False, 1)], {})
    assert found.waiting == 1
    assert found.games == 3
    assert row(found, "Ann").score.count == 1


def test_known_luck_is_taken_off() -> None:
    lucky = [
        game(n, swapped, result, luck=(result, 0.0))
        for n in range(1, 61)
        for swapped, result in zip((False, True), (1, -1) if n % 2 else (-1, 1), strict=True)
    ]
    ann = row(report(lucky, {}), "Ann")
    assert ann.corrected.high - ann.corrected.low < (ann.score.high - ann.score.low) / 2
    assert ann.fewer > 4
    assert not ann.plain_interval
    # With fewer than 50 pairs the interval is the plain one, and the row says so.
    few = row(report(lucky[:80], {}), "Ann")
    assert (few.corrected.low, few.corrected.high) == (few.score.low, few.score.high)
    assert few.plain_interval


def test_a_game_that_is_not_solved_has_plain_figures_alone() -> None:
    plain = [replace(result, figures=None) for result in pairs([(1, -1), (1, 1)])]
    ann = row(report(plain, {}), "Ann")
    assert ann.score.mean == 0.5
    assert (ann.corrected, ann.fewer, ann.accuracy, ann.loss_per_game) == (None,) * 4


def test_ratings_stand_on_the_anchors() -> None:
    results = pairs([(1, -1), (1, 1), (1, -1), (-1, -1)] * 10)
    found = report(results, {"number-knot": ANCHORS})
    assert row(found, "random").rating.rating == 0
    assert row(found, "random").anchor
    ann = row(found, "Ann").rating
    # 75% of the points against an anchor at 0.
    assert ann.rating == pytest.approx(190.85, abs=12)
    assert ann.low < 190.85 < ann.high


def test_several_games_are_also_taken_together() -> None:
    results = pairs([(1, -1)]) + pairs([(-1, 1)], event="number-bid")
    found = report(results, {OVERALL: ANCHORS})
    assert found.events == [OVERALL, "number-knot", "number-bid"]
    assert row(found, "Ann", OVERALL).score.mean == 0
    assert row(found, "Ann", OVERALL).rating is not None
    assert row(found, "Ann").rating is None


def test_the_worst_mistakes_are_told_with_their_games() -> None:
    found = report(pairs([(1, -1)] * 9), {})
    assert [one.name for one in found.mistakes] == ["Ann"] * 3
    assert found.mistakes[0].blunder.best == ("S9",)
    assert found.mistakes[0].moves == "S5 A3"


def test_json_holds_no_infinity() -> None:
    found = report(pairs([(1, -1)] * 5), {"number-knot": ANCHORS})
    text = json.dumps(found.as_object(), allow_nan=False)
    assert json.loads(text)["games"] == 10


class Look(HTMLParser):
    """What is on a page, and whether every tag that is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def seen(html: str) -> Look:
    """A page, looked through."""
    look = Look()
    look.feed(html)
    assert look.open == []
    return look


def test_the_page_needs_nothing_but_itself() -> None:
    results = pairs([(1, -1), (0, 0)]) + pairs([(-1, 1)], event="number-bid")
    look = seen(page(report(results, {"number-knot": ANCHORS})))
    assert look.links == []
    assert "script" not in look.tags
    assert {"svg", "table", "figure"} <= look.tags


def test_names_cannot_break_the_page() -> None:
    rude = '<b>&"x'
    results = [
        game(1, swapped, result, names=(rude, "random"))
        for swapped, result in ((False, 1), (True, -1))
    ]
    html = page(report(results, {"number-knot": ANCHORS}))
    seen(html)
    assert rude not in html
    assert "&lt;b&gt;&amp;&quot;x" in html


def test_an_arena_without_games_has_a_page_too() -> None:
    seen(page(report([], {})))
