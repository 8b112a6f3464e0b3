"""A scene as JSON is the same from every process."""

from __future__ import annotations

from number_duels.core.game import Seat
from number_duels.core.scene import Chart, Curve, Mark, Row, Table, chart_json, table_json


def test_bars_and_curves_have_six_digits() -> None:
    table = table_json(Table((Row("bid 3", ("33%",), 1 / 3, mark=2 / 3),)))
    assert isinstance(table["rows"], list)
    assert (table["rows"][0]["share"], table["rows"][0]["mark"]) == (0.333333, 0.666667)
    mark = Mark(1, 1 / 3, Seat.ONE, "bid 3")
    chart = chart_json(Chart((Curve("You", ((1, 2 / 3),)),), (mark,), (), "Your chance", ""))
    assert isinstance(chart["curves"], list)
    assert chart["curves"][0]["points"] == [(1, 0.666667)]
    assert isinstance(chart["marks"], list)
    assert chart["marks"][0]["height"] == 0.333333
