"""Write docs/review_examples.md, as the program says it: `python scripts/write_reviews.py`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import number_duels as nd
from number_duels.core.record import Record
from number_duels.review import position_of
from number_duels.review.position import AnySolution, examine_with_chances
from number_duels.review.words import review_lines
from number_duels.sessions.scene_tables import hint_scene, scene_lines

PAGE = Path(__file__).parent.parent / "docs" / "review_examples.md"
HEAD = """\
# Ten hints and ten reviews

As the program gives them; [reviews](reviews.md) says what every figure means.

"""
WIDTH = 88

#: Settings where the usual ones take seconds to solve.
SETTINGS: dict[str, dict[str, int | str]] = {
    "number-stack-showdown": {"target": 21, "highest": 6, "copies": 3}
}
#: Game, moves so far, deal, who asks.
HINTS = (
    ("number-bid", "7/6", None, nd.Seat.ONE),
    ("number-bid", "10/6", None, nd.Seat.TWO),
    ("high-low-battle", "", None, nd.Seat.ONE),
    ("high-low-battle", "6/9 9/8 8/2", None, nd.Seat.ONE),
    ("high-low-battle", "9/8 1/1", None, nd.Seat.ONE),
    ("number-knot", "", None, nd.Seat.ONE),
    ("number-knot", "S5", None, nd.Seat.TWO),
    ("number-drop", "8-3 9+3", "261395748 286913547", nd.Seat.ONE),
    ("number-stack-showdown", "4", None, nd.Seat.ONE),
    ("number-stack-showdown", "1k 1k 6k 2g 1g 2g 6k 4k 5g 6", None, nd.Seat.TWO),
)
#: Game, moves, deal.
REVIEWS = (
    ("number-bid", "9/10 8/6 7/7 5/5 4/3 1/2", None),
    ("number-bid", "6/5 9/7 4/10 8/2 3/1", None),
    ("high-low-battle", "6/9 9/6 7/1 4/4 8/2 5/3", None),
    ("high-low-battle", "9/5 8/4 7/6 6/9 5/8", None),
    ("number-knot", "S5 A3 S9", None),
    ("number-knot", "S8 S3 A4 A9 S6 A1 A7 S2 A5", None),
    ("number-drop", "6+1 4-1 9+8 6-2 7+2 8-3", "738954162 164385792"),
    ("number-drop", "8-3 7-4 2+1 9+6 7+6 2+1 5+4 8", "492657831 132694785"),
    ("number-stack-showdown", "1k 1k 6k 2g 1g 2g 6k 4k 5g 6k 4g", None),
    ("number-stack-showdown", "5k 3g 6k 4k 2k 4k 6g 2k 1k 4k 5k", None),
)


def block(lines: Iterable[str]) -> str:
    """Lines as a block of text, long ones broken."""
    broken = (
        part for line in lines for part in wrap(line, WIDTH, subsequent_indent="    ") or [""]
    )
    return "\n".join(["```text", *(line.rstrip() for line in broken), "```", ""])


def conditions(name: str, deal: str | None) -> str:
    """The settings and the deal, where they are not the usual ones."""
    chosen = [f"{setting} {value}" for setting, value in SETTINGS.get(name, {}).items()]
    return f" (with {', '.join(chosen)})" if chosen else f" (dealt `{deal}`)" if deal else ""


def hints(names: Container[str]) -> Iterator[str]:
    """The hints of some games."""
    for name, moves, deal, seat in (hint for hint in HINTS if hint[0] in names):
        game = nd.load(name, **SETTINGS.get(name, {}))
        solution: AnySolution = nd.solve(game)
        state, _ = position_of(game, deal, moves)
        scene = replace(hint_scene(examine_with_chances(solution, state), seat), notes=())
        when = f"after `{moves}`" if moves else "at the start"
        yield f"{game.title} {when}{conditions(name, deal)}, for {seat}:\n"
        yield block(scene_lines(scene))


def reviews(names: Container[str]) -> Iterator[str]:
    """The reviews of some games."""
    for name, moves, deal in (review for review in REVIEWS if review[0] in names):
        game = nd.load(name, **SETTINGS.get(name, {}))
        found = nd.review(Record(name, game.settings, deal, 0, moves=moves))
        yield f"{game.title}, `{moves}`{conditions(name, deal)}:\n"
        yield block(review_lines(found))


def page() -> str:
    """The whole document."""
    names = {name for name, *_ in (*HINTS, *REVIEWS)}
    told = ["## Hints\n", *hints(names), "## Reviews\n", *reviews(names)]
    return HEAD + "\n".join(told)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
