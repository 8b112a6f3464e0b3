"""Number Stack Showdown: when to give a card away, and what the first turn is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

import number_duels as nd
from game_pictures.drawing import INK, LOSS, WIN, legend, new_axes, new_figure
from number_duels.core.history import History
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown
from number_duels.players.builtin import PerfectPlayer

if TYPE_CHECKING:
    from game_pictures.stack_totals import Totals

Place: TypeAlias = tuple[int, int]
GAME = NumberStackShowdown()
#: The cards whose maps are drawn.
SHOWN = (2, 5, 7, 10)
TARGET = GAME.target
CARDS = range(1, GAME.highest + 1)
#: Games that are played to count decisions.
PLAYED_GAMES = 20_000
#: Between keeping and giving.
MIDDLE = "#c9ced6"
#: Of the lesson: open the forties, spoil, keep room.
EXAMPLES = {
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
    """In percent, in which positions and in which decisions of play to give."""

    #: By card and totals, over all positions; -1 where there is no choice.
    maps: dict[str, list[list[int]]]
    #: By region, over the decisions of games in which both play perfectly.
    regions: dict[str, float]
    first: dict[str, Pair]
    examples: dict[str, Pair]


def measured() -> Facts:
    """Every position of the game, by both totals; the first card; and three examples."""
    from game_pictures.stack_totals import totals  # with Numba, which only this needs

    found = totals(nd.solve(GAME))
    return {
        "maps": {str(card): share_to_give(found, card) for card in SHOWN},
        "regions": in_play(),
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


def in_play() -> dict[str, float]:
    """In how many of 100 decisions of a region perfect play gives, in games that it plays.

    Only decisions count in which both choices are open and neither ends the game.
    """
    player = PerfectPlayer(GAME)
    met, given = (dict.fromkeys(REGIONS, 0) for _ in range(2))
    for seed in range(PLAYED_GAMES):
        match = nd.Match(GAME, seed)
        nd.play_match(match, [player, player])
        for step in match.history.steps:
            for seat, choice in step.moves.items():
                state = step.before
                assert isinstance(state.card, Card)
                at = state.total(seat), state.total(seat.other)
                after = at[0] + state.card.number, at[1] + state.card.number
                if max(after) < TARGET:
                    for name, inside in REGIONS.items():
                        met[name] += inside(at, after)
                        given[name] += inside(at, after) and choice is Choice.GIVE
    return {name: round(100 * given[name] / met[name], 1) for name in REGIONS}


def pair(moves: str) -> Pair:
    """What becomes of the card that was drawn last."""
    state = History.read(GAME, GAME.start(), moves).state
    assert isinstance(state.card, Card)
    values = nd.solve(GAME).values(state, state.mover)
    keep, give = (round(50 + 50 * values[choice], 1) for choice in (Choice.KEEP, Choice.GIVE))
    return {"keep": keep, "give": give}


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
