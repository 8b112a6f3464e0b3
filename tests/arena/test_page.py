"""The report's page: where its games come from, and how its figures are written."""

from __future__ import annotations

import re
from dataclasses import replace
from platform import python_version

from number_duels.arena.formatting import rated, signed
from number_duels.arena.html import ChartRow, Whisker, bar_chart, stacked, whisker_chart
from number_duels.arena.page import cell, page
from number_duels.arena.report import provenance, report
from number_duels.arena.stats.ratings import Rating
from tests.arena.test_report import game, pairs, seen


def test_the_page_says_what_it_takes_to_play_the_games_again() -> None:
    results = pairs([(1, -1), (0, 0)])
    run = replace(provenance(results), seed=7)
    html = page(report(results, {}), run, "duels arena --players Ann random")
    seen(html)
    known = "duels arena --players Ann random", ">7<", "Ann = bot:x", f"Python {python_version()}"
    for words in known:
        assert words in html
    assert "not in the file" in page(report(results, {}), provenance(results))


def test_the_cross_table_says_that_it_is_corrected() -> None:
    def table(luck: tuple[float, float] | None) -> str:
        results = [
            game(n, swapped, 1, names=names, luck=luck)
            for names in (("Ann", "random"), ("Ann", "Bob"), ("Bob", "random"))
            for n in (1, 2)
            for swapped in (False, True)
        ]
        return page(report(results, {}))

    assert "against every other player, in percent, without luck<" in table((0.0, 0.0))
    assert "against every other player, in percent<" in table(None)


def test_a_figure_stands_above_its_interval_or_the_table_is_wider_than_a_screen() -> None:
    assert stacked("75.0% (70 to 80)") == "75.0% <small>(70 to 80)</small>"
    assert stacked("<b>") == "&lt;b&gt;"


def test_what_is_written_at_the_longest_bar_is_inside_the_chart() -> None:
    chart = bar_chart([("Ann", 1.0, "at least 1.000"), ("Bob", 0.5, "0.500*")], "Gains")
    (width,) = re.findall(r'viewBox="0 0 (\d+)', chart)
    (x, *_) = re.findall(r'class="figure" x="([\d.]+)"', chart)
    assert float(x) + 7 * len("at least 1.000") <= int(width)


def test_the_longest_label_is_whole() -> None:
    name = "number-stack-showdown(first=2,target=30,highest=12)"
    for chart in (
        bar_chart([(name, 1.0, "1.000")], "Gains"),
        whisker_chart([ChartRow(name, (Whisker(1, 0, 2),))], 0, 2, "", "Costs"),
    ):
        (left,) = re.findall(r'viewBox="(-?\d+) 0', chart)
        (x,) = re.findall(r'class="label" x="(\d+)"', chart)
        assert int(left) <= int(x) - 7 * len(name)
    assert 'viewBox="-' in bar_chart([("W" * 20, 1.0, "1.000")], "Gains")


def test_nothing_is_minus_zero() -> None:
    assert rated(Rating(-0.2, -0.4, -0.1, 10), anchor=False) == "0 (0 to 0)"
    assert ">0<" in cell(-1.001)
    assert signed(-0.2) == signed(0.2) == "0"
