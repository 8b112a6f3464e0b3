"""What a seat reads never depends on the deck, on a hidden card or on a choice that waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import number_duels as nd
from number_duels.adapters.text import Ask, Seat
from tests.adapters.tables import every_small_table, every_small_table_at_once
from tests.adapters.text_games import asks, said
from tests.core.playing import Table


def texts(asked: Mapping[Seat, Ask]) -> dict[Seat, tuple[str, tuple[str, ...]]]:
    return {seat: (ask.text, ask.moves) for seat, ask in asked.items()}


@every_small_table_at_once
def test_a_choice_that_waits_for_the_other_is_not_told(table: Table) -> None:
    compared = 0
    for env in asks(table):
        if len(env.asked) < 2:
            continue
        for seat in nd.Seat:
            shown = []
            for move in env.asked[seat].moves:
                other = env.copy()
                step = other.step({seat: said(move), seat.other: "What did they choose?"})
                shown.append((texts(step.asked), step.rewards, step.losses, step.refused))
            assert set(step.asked) == {seat.other}
            assert all(one == shown[0] for one in shown)
            compared += len(shown)
    assert compared


@every_small_table
def test_what_will_be_drawn_is_told_nobody(table: Table) -> None:
    for env in asks(table):
        for seed in range(3):
            other = env.copy()
            other.match.seed = seed  # everything drawn from here on is drawn otherwise
            for seat, ask in env.asked.items():
                again = other.copy()
                again.step({seat: "What comes next?"})
                assert again.asked[seat].messages[0] == ask.messages[0]
            answers = {seat: said(ask.moves[0]) for seat, ask in env.asked.items()}
            assert other.step(answers).losses == env.copy().step(answers).losses


@every_small_table
def test_a_seat_reads_nothing_but_its_view_and_its_history(table: Table) -> None:
    """A match that was rebuilt from what the seat may see asks it the same."""
    for env in asks(table):
        match = env.match
        for seat, ask in env.asked.items():
            seen = replace(match.record, moves=match.moves(seat), seed=0)
            rebuilt = env.copy()
            rebuilt._match = nd.Match.from_record(env.game, seen)
            rebuilt.asked = {}
            rebuilt._go_on()
            assert rebuilt.match.view(seat) == match.view(seat)
            assert rebuilt.asked[seat].text == ask.text
