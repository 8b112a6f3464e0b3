"""The report: what it counts, and that its page needs nothing but itself."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from number_duels.arena.grading import Blunder, Cost, Figures
from number_duels.arena.page import page
from number_duels.arena.report import Report, report
from number_duels.arena.results import SCORES, GameResult
from number_duels.arena.schedule import OVERALL
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
    # Who has no whole pair yet is in the report all the same.
    late = game(1, False, 1, names=("Zoe", "random"))
    zoe = row(report([*pairs([(1, -1)]), late], {"number-knot": ANCHORS}), "Zoe")
    assert (zoe.games, zoe.score.count, zoe.rating, zoe.misfits) == (1, 0, None, ())
    assert zoe.loss_per_decision is None


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
    # With fewer than 50 pairs the score is the plain one, and the row says so.
    few = row(report(lucky[:80], {}), "Ann")
    assert few.corrected == few.score
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


def test_all_games_together_are_the_mean_of_the_games() -> None:
    results = pairs([(1, -1)] * 9) + pairs([(-1, 1)] * 2, event="number-bid")
    found = report(results, {OVERALL: ANCHORS})
    whole = row(found, "Ann", OVERALL)
    assert (row(found, "Ann").score.mean, row(found, "Ann", "number-bid").score.mean) == (1, -1)
    # Nine pairs of one game weigh as much as two pairs of the other.
    assert whole.score.mean == 0
    assert whole.score.count == 11
    assert abs(whole.rating.rating) < 1e-6
    # Two pairs show little, and half of the whole rests on them.
    assert whole.score.high > 0.6


def test_opponents_have_the_same_weight_too() -> None:
    few = [
        game(n, s, r, names=("Ann", "perfect")) for n in (1, 2) for s, r in ((False, -1), (True, 1))
    ]
    ann = row(report(pairs([(1, -1)] * 8) + few, {}), "Ann")
    assert ann.score.mean == 0


def test_losses_vary_from_pair_to_pair() -> None:
    results = pairs([(1, -1)] * 60)
    steady = row(report(results, {}), "Ann")
    low, high = steady.loss_per_decision_interval
    assert low < steady.loss_per_decision == 0.125 < high
    low, high = steady.accuracy_interval
    assert low < steady.accuracy == 75 < high
    # The same losses, all of them in every second pair: less is known.
    uneven = [with_uneven_loss(one) for one in results]
    other = row(report(uneven, {}), "Ann")
    assert other.loss_per_decision == pytest.approx(0.125)
    wide, narrow = (b - a for a, b in (other.accuracy_interval, steady.accuracy_interval))
    assert wide > 1.5 * narrow


def with_uneven_loss(one: GameResult) -> GameResult:
    assert one.figures is not None
    first, second = (
        replace(cost, loss=2 * cost.loss * (one.pair % 2)) for cost in one.figures.costs
    )
    return replace(one, figures=Figures(0.0, 0.0, (first, second)))


def test_a_stopped_score_says_so_beside_itself() -> None:
    results = pairs([(1, -1)] * 5) + pairs([(1, -1)] * 5, event="number-bid")
    place = ("number-knot", "Ann", "random")
    found = report(results, {}, {place: "closer to +50 than to +0 Elo"})
    assert [one.caveat is not None for one in found.meetings] == [True, False]
    for event, stopped in ((OVERALL, True), ("number-knot", True), ("number-bid", False)):
        assert bool(row(found, "Ann", event).caveat) == stopped
    told = page(found)
    assert told.count("), stopped early<") == 4  # both players, in that game and in all of them
    assert "slightly too extreme" in told


def test_a_rating_says_whom_it_rests_on_and_whom_it_does_not_fit() -> None:
    against_random = pairs([(1, -1)] * 40)
    one = row(report(against_random, {"number-knot": ANCHORS}), "Ann")
    assert one.only_opponent == "random"
    # Who beats the weakest every time and loses every game to the best is no number on a scale
    # on which they are 100 apart.
    lost = [
        game(n, s, r, names=("Ann", "perfect"))
        for n in range(40)
        for s, r in ((False, -1), (True, 1))
    ]
    near = {"number-knot": {"random": 0.0, "perfect": 100.0}}
    found = report(against_random + lost, near)
    ann = row(found, "Ann")
    assert ann.only_opponent is None
    fits = {one.opponent: one for one in ann.misfits}
    assert all(one.flagged for one in fits.values())
    assert fits["random"].observed == 1
    assert fits["random"].expected < 0.8
    assert fits["perfect"].observed == 0
    assert "more than chance" in page(found)
    assert row(found, "random").misfits == ()


def test_exploitability_is_exact_or_at_least_what_somebody_gained() -> None:
    results = pairs([(-1, 1)] * 60)
    found = report(results, {}, {}, {"number-knot": {"random": 0.4}})
    exact = row(found, "random").exploitability
    assert (exact.gain, exact.exact) == (0.4, True)
    ann = row(found, "Ann").exploitability
    assert not ann.exact
    # She lost all 60 pairs: with 95% certainty, an opponent gains nearly a whole game.
    assert 0.8 < ann.gain < 1
    assert row(report(pairs([(1, -1)] * 60), {}), "Ann").exploitability.gain == 0


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
