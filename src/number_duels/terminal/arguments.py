"""Turn command-line arguments into games, players and names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from number_duels.core.game import AnyGame
from number_duels.core.player import Player
from number_duels.core.randomness import toss
from number_duels.core.record import Person, check_names, split_names
from number_duels.core.settings import read_settings
from number_duels.games import find, full_name, load, split_word
from number_duels.players.external import Limits
from number_duels.players.registry import (
    HUMAN,
    check_who,
    has_policy,
    is_external,
    make_external,
    seat_player,
)
from number_duels.terminal.errors import refusing, refusing_usage
from number_duels.terminal.line.progress import preparation


def game_name(part: str) -> str:
    with refusing_usage():
        return full_name(part)


def make_game(part: str, settings: Sequence[str], first: str | None, seed: int) -> AnyGame:
    part, own = split_word(part)
    name = game_name(part)
    known = find(name).describe_settings()
    with refusing_usage("--set: "):
        chosen = read_settings([*own, *settings], known)
    if first is not None:
        chosen["first"] = toss(seed) if first == "random" else int(first)
    with refusing_usage():
        return load(name, **chosen)


def two_names(text: str) -> tuple[str, str]:
    with refusing_usage("--names: "):
        one, two = split_names(text)
        check_names(one, two)
    return one, two


def check_players(*words: str, human: bool = False) -> None:
    with refusing_usage():
        for who in words:
            check_who(who, human=human)


def check_external(people: Iterable[Person], limits: Limits, games: Sequence[AnyGame]) -> None:
    with refusing_usage():
        for person in filter(lambda person: is_external(person.who), people):
            for game in games if has_policy(person.who) else games[:1]:
                make_external(person.who, limits.of(person.name), game).close()


def make_players(
    people: tuple[Person, Person], game: AnyGame, limits: Limits
) -> tuple[Player | None, Player | None]:
    def seated(progress: Callable[[float], None] | None) -> tuple[Player | None, Player | None]:
        one, two = (seat_player(p.who, game, progress, limits.of(p.name)) for p in people)
        return one, two

    with refusing():
        if not any(needs_solution(person.who) for person in people):
            return seated(None)
        with preparation(f"Preparing {game.title}", game) as report:
            return seated(report)


def needs_solution(who: str) -> bool:
    return who not in (HUMAN, "random") and not is_external(who)
