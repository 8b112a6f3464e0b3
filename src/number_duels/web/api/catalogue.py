"""The catalogue: the games, the computer opponents, and links to other pages."""

from __future__ import annotations

from asyncio import to_thread

from number_duels.core.text import Block, Paragraph, Prose, Section
from number_duels.games import load, names
from number_duels.players.registry import BUILT_IN, KINDS, described, full_name
from number_duels.trainer.drills import may_mix
from number_duels.web.api.models import (
    BlockFacts,
    Catalogue,
    GameFacts,
    OpponentFacts,
    PageFacts,
    SectionFacts,
    SettingMention,
)
from number_duels.web.assets import Asset, compress
from number_duels.web.service.solve_limits import is_solved, solved_settings
from number_duels.web.service.views import preview

PAGES = [
    PageFacts(
        title="Train",
        note="Lessons, drills and puzzles, and a book of your mistakes.",
        path="/train",
    ),
    PageFacts(
        title="My record",
        note="Your results, and what your mistakes cost.",
        path="/record",
    ),
]

_made: dict[int, Asset] = {}


async def catalogue_asset(solve_limit_bytes: int) -> Asset:
    if solve_limit_bytes not in _made:
        made = await to_thread(make_catalogue, solve_limit_bytes)
        body = made.model_dump_json().encode()
        _made[solve_limit_bytes] = Asset(body, "application/json", compress(body))
    return _made[solve_limit_bytes]


def make_catalogue(solve_limit_bytes: int) -> Catalogue:
    opponents = [
        OpponentFacts(who=who, name=full_name(who), note=note, solves=who != "random")
        for who, note in KINDS.items()
        if who in BUILT_IN
    ]
    return Catalogue(
        games=[game_facts(name, solve_limit_bytes) for name in names()],
        opponents=opponents,
        pages=PAGES,
    )


def game_facts(name: str, solve_limit_bytes: int) -> GameFacts:
    game = load(name)
    settings = game.describe_settings()
    return GameFacts(
        name=name,
        title=game.title,
        summary=game.summary,
        settings=settings,
        rules=game.rules,
        sections=[section_facts(section) for section in game.rule_sections()],
        turns="first" in settings,
        mixes=may_mix(game),
        opponents={who: described(who, name) for who in BUILT_IN},
        solved=solved_settings(name, solve_limit_bytes),
        default_solved=is_solved(game, solve_limit_bytes),
        preview=preview(name),
    )


def section_facts(section: Section) -> SectionFacts:
    return SectionFacts(
        title=section.title,
        blocks=[block_facts(block) for block in section.blocks],
        for_keyboard=section.for_keyboard,
    )


def block_facts(block: Block) -> BlockFacts:
    if isinstance(block, Paragraph):
        return BlockFacts(kind="paragraph", items=[prose_facts(block.text)])
    return BlockFacts(
        kind="numbered" if block.numbered else "bullets",
        items=[prose_facts(item) for item in block.items],
    )


def prose_facts(prose: Prose) -> list[str | SettingMention]:
    parts = (prose,) if isinstance(prose, str) else prose
    return [
        part if isinstance(part, str) else SettingMention(name=part.name, value=part.value)
        for part in parts
    ]
