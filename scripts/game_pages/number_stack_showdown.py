"""Number Stack Showdown: when to give a card away, and what the first turn is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

import number_duels as nd
from game_pages.drawing import INK, LOSS, WIN, legend, new_axes, new_figure
from number_duels.core.history import History
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown

if TYPE_CHECKING:
    from game_pages.stack_totals import Totals

LAWS = (
    "neither above 11: keep every card",
    "both below 20: nearly always keep",
    "both below 40: nearly always keep what takes you to the forties",
    "both below 40: nearly always keep what takes them to 40 to 45",
)
Place: TypeAlias = tuple[int, int]
GAME = NumberStackShowdown()
SHORT = "stack"
ANALYZE = "stack --moves 10"
NOT_RUN = "<!-- not run: it would solve the largest game first -->\n\n"
WORKED_SEED, WORKED_TURNS = 1, (-2, None)
WORKED_MOVES = "7k 6k 5k 1k 6k 10k 4k 6k 10k 6k 10k 3g 5k"
#: The cards whose maps are drawn.
SHOWN = (2, 5, 7, 10)
TARGET = GAME.target
CARDS = range(1, GAME.highest + 1)
#: Between keeping and giving.
MIDDLE = "#c9ced6"
#: Before the end of the game that is told; and of the lesson: open the forties, spoil, keep room.
EXAMPLES = {
    "worked": WORKED_MOVES.removesuffix("g 5k"),
    "open": "10g 2k 7k 10k 7k 4k 5k 1k 10k 7k 7",
    "spoil": "10k 1k 5k 8k 7g 6k 1k 9k 4k 9k 1g 6k 2",
    "room": "9k 10k 6k 5k 10k 6k 8k 5k 9k 5k 1k 10k 4",
}
#: Regions of the map: by own total and the other's, before the card and with it.
REGIONS: dict[str, Callable[[Place, Place], bool]] = {
    "both below 20": lambda at, _: max(at) < 20,
    "to own forties": lambda at, after: max(at) < 40 <= after[0],
    "to their forties": lambda at, after: max(at) < 40 <= after[1] <= 45,
    "they are in the forties": lambda at, _: at[0] < 35 and at[1] >= 40,
    "both in the forties": lambda at, _: min(at) >= 40,
}


class Pair(TypedDict):
    """How many games of 100 whoever drew the card wins by keeping it, and by giving it."""

    keep: float
    give: float


class Facts(TypedDict):
    """The share, in percent, of positions in which to give; -1 where there is no choice."""

    maps: dict[str, list[list[int]]]
    regions: dict[str, float]
    first: dict[str, Pair]
    examples: dict[str, Pair]


def measured() -> Facts:
    """Every position of the game, by both totals; the first card; and three examples."""
    from game_pages.stack_totals import totals  # with Numba, which only this needs

    found = totals(nd.solve(GAME))
    return {
        "maps": {str(card): share_to_give(found, card) for card in SHOWN},
        "regions": {name: in_region(found, inside) for name, inside in REGIONS.items()},
        "first": {str(card): pair(str(card)) for card in CARDS},
        "examples": {name: pair(moves) for name, moves in EXAMPLES.items()},
    }


def share_to_give(found: Totals, card: int) -> list[list[int]]:
    positions, given = found.positions[card - 1], found.given[card - 1]
    return [
        [
            round(100 * float(given[at] / positions[at])) if positions[at] else -1
            for at in ((own, other) for other in range(TARGET))
        ]
        for own in range(TARGET)
    ]


def in_region(found: Totals, inside: Callable[[Place, Place], bool]) -> float:
    """In how many of 100 positions of a region to give."""
    places = [
        (card - 1, own, other)
        for card in CARDS
        for own in range(TARGET)
        for other in range(TARGET)
        if inside((own, other), (own + card, other + card))
    ]
    given = sum(float(found.given[place]) for place in places)
    return round(100 * given / sum(float(found.positions[place]) for place in places), 1)


def pair(moves: str) -> Pair:
    """What becomes of the card that was drawn last."""
    state = History.read(GAME, GAME.start(), moves).state
    assert isinstance(state.card, Card)
    values = nd.solve(GAME).values(state, state.mover)
    keep, give = (round(50 + 50 * values[choice], 1) for choice in (Choice.KEEP, Choice.GIVE))
    return {"keep": keep, "give": give}


def words(facts: Facts) -> dict[str, str]:
    """The prose says where to keep and where to give."""
    shares = facts["regions"]
    assert shares["both below 20"] < 1
    assert shares["to own forties"] < 30
    assert shares["to their forties"] < 10
    assert shares["they are in the forties"] > 70
    assert shares["both in the forties"] > 60
    first = facts["first"].values()
    assert all(one["keep"] > one["give"] for one in first)
    gaps = [one["keep"] - one["give"] for one in first]
    assert gaps == sorted(gaps)
    examples = facts["examples"]
    assert examples["open"]["keep"] > examples["open"]["give"]
    lost = {name: abs(one["keep"] - one["give"]) for name, one in examples.items()}
    assert all(
        examples[name]["give"] > examples[name]["keep"] for name in ("worked", "spoil", "room")
    )
    return {
        **{name.replace(" ", "_"): f"{share:.0f}" for name, share in shares.items()},
        **{f"cost_{name}": f"{games:.0f}" for name, games in lost.items()},
        "kept_to_own_forties": f"{100 - shares['to own forties']:.0f}",
        "worked_give": f"{examples['worked']['give']:.0f}",
        "worked_keep": f"{examples['worked']['keep']:.0f}",
        "first_10": f"{gaps[-1]:.0f}",
        "first_1": f"{gaps[0]:.1f}",
    }


def drawings(facts: Facts) -> Iterator[tuple[str, Figure]]:
    """Where to give four of the cards, and what the first card brings."""
    yield "give", maps(facts)
    yield "first", first_card(facts)


def maps(facts: Facts) -> Figure:
    figure = new_figure(6.2)
    mixed = LinearSegmentedColormap.from_list("keep to give", [WIN, MIDDLE, LOSS])
    colours = mixed.with_extremes(under=(0, 0, 0, 0))
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (card, table) in zip(panels.flat, facts["maps"].items(), strict=True):
        axes.imshow(table, origin="lower", cmap=colours, vmin=0, vmax=100, interpolation="nearest")
        axes.set_title(f"you drew a {card}", fontsize=11)
        axes.set_xticks(range(0, TARGET, 10))
        axes.set_yticks(range(0, TARGET, 10))
        axes.spines[:].set_visible(False)
    for end in range(2):
        panels[end, 0].set_ylabel("your total")
        panels[1, end].set_xlabel("their total")
    legend(figure, {"keep it": WIN, "it depends": MIDDLE, "give it": LOSS})
    return figure


def first_card(facts: Facts) -> Figure:
    figure, axes = new_axes(3.2)
    for offset, choice, colour in ((-0.2, "keep", WIN), (0.2, "give", LOSS)):
        games = [facts["first"][str(card)][choice] - 50 for card in CARDS]  # type: ignore[literal-required]  # both are keys
        axes.bar([card + offset for card in CARDS], games, width=0.38, color=colour)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xticks(CARDS)
    axes.set_xlabel("the first card")
    axes.set_ylabel("games of 100, from 50")
    legend(figure, {"kept": WIN, "given": LOSS}, 2)
    return figure
