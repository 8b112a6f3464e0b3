"""`duels play` and `duels resume`."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.randomness import fresh_seed
from number_duels.core.record import Person, Record
from number_duels.core.text import shown
from number_duels.players.registry import is_external
from number_duels.terminal import saves
from number_duels.terminal.arguments import (
    check_players,
    make_game,
    read_limits,
    seat_both,
    two_names,
    usage,
)
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError, Interrupted
from number_duels.terminal.session import Quit, Table
from number_duels.terminal.ui.console import Console, command, note


def play(args: Namespace) -> int:
    """Play a new game to its end."""
    seed = fresh_seed() if args.seed is None else args.seed
    game = make_game(args.game, args.set, args.first, seed)
    names = two_names(args.names)
    one, two = (Person(name, who) for name, who in zip(names, (args.one, args.two), strict=True))
    check_players(args.one, args.two)
    try:
        match = Match(game, seed, args.deal, (one, two))
    except ValueError as error:
        raise usage(str(error)) from None
    if args.save and os.path.lexists(args.save):
        raise usage(f"{args.save} exists; go on with it by `duels resume`, or name another file.")
    keeper = saves.Keeper(Path(args.save) if args.save else saves.new_path(game.name))
    if not args.save:
        try:
            keeper.keep(match)
        except CommandError as error:
            note(f"{error} This game is played without being saved.")
            return sit_down(match, None, args)
    status = sit_down(match, keeper, args)
    if not args.save and not match.record.moves:
        keeper.discard()
    return status


def resume(args: Namespace) -> int:
    """Go on with a game that was cut off."""
    path = Path(args.file) if args.file else saves.latest_unfinished()
    if path is None:
        raise CommandError(f"There is no interrupted game; start one: {command('play', 'GAME')}")
    keeper = saves.Keeper(path)
    keeper.take()
    try:
        match = taken_up(path, args)
    except CommandError:
        keeper.release()
        raise
    note(f"Going on with {match.game.title}, turn {match.turn_number}.")
    return sit_down(match, keeper, args)


def taken_up(path: Path, args: Namespace) -> AnyMatch:
    """The unfinished match of a file, with the players that are to go on with it."""
    saved = saves.read_records(path)
    if len(saved) > 1:
        raise CommandError(f"{path} holds {len(saved)} games; resume takes a file of one.")
    match = saves.rebuild(saved[0])
    if match.result != "*":
        again = command("replay", str(path))
        raise CommandError(f"{path} is finished ({match.result}); watch it: {again}")
    one, two = match.players
    match.players = reseat(one, args.one, "--one"), reseat(two, args.two, "--two")
    check_players(*(person.who for person in match.players))
    return match


def reseat(person: Person, who: str | None, option: str) -> Person:
    """Who sits in a chair again; programs named inside a file are never started."""
    if who is None and person.who.partition(":")[0] in ("bot", "llm", "py"):
        raise usage(
            f"{person.who!r} played here; name the player again with {option},"
            " because a program named inside a file is not started."
        )
    return person if who is None else replace(person, who=who)


def sit_down(match: AnyMatch, keeper: saves.Keeper | None, args: Namespace) -> int:
    """Play a match at this terminal, and end well however it ends."""
    one, two = match.players
    console = Console(plain=args.plain, names=(one.name, two.name))
    limits = read_limits(args.seconds, args.retries, args.url)
    seated = seat_both(one.who, two.who, match.game, limits)
    table = Table(match, seated, console, keeper, hints=args.hints)
    try:
        table.play()
    except Quit:
        farewell(keeper, "Until next time.", match)
        return DONE
    except KeyboardInterrupt:
        console.draw([""])  # the prompt's line is still open
        farewell(keeper, "Interrupted.", match)
        return INTERRUPTED
    except Interrupted:
        farewell(keeper, "Interrupted.", match)
        return INTERRUPTED
    finally:
        for _, player in table.external_players():
            player.close()
        if keeper:
            keeper.release()
    if keeper and sys.stderr.isatty():
        note(f"\nWhat each move cost: {command('review', str(keeper.path))}")
        note(f"Watch it again:      {command('replay', str(keeper.path))}")
    return DONE


def farewell(keeper: saves.Keeper | None, word: str, match: AnyMatch) -> None:
    """Say how an interrupted game is continued, if there is anything to continue."""
    if not match.record.moves:
        note(word)
    elif keeper:
        again = command("resume", str(keeper.path), *named_again(match))
        note(f"{word} The game is saved; go on with: {again}")
    else:
        note(f"{word} This game was not saved.")


def named_again(match: AnyMatch) -> list[str]:
    """The programs at the table, which a resumed game does not start by itself."""
    seats = zip(("--one", "--two"), match.players, strict=True)
    return [word for flag, one in seats if is_external(one.who) for word in (flag, one.who)]


def standing(record: Record) -> str:
    """When a recorded game was played and how it stands, in a few words."""
    one, two = (person.name for person in record.players)
    ends = {"1-0": f"{one} won", "0-1": f"{two} won", "1/2-1/2": "a draw", "*": "unfinished"}
    return f"{shown(record.started[:10])}, {ends[record.result]}"
