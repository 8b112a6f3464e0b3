"""The commands `duels play`, `duels resume` and `duels replay`."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Outage
from number_duels.core.randomness import fresh_seed
from number_duels.core.record import Person, shown_names
from number_duels.players.registry import is_external
from number_duels.sessions.narration import turn_word
from number_duels.sessions.play import Players
from number_duels.sessions.replay import ReplaySession
from number_duels.terminal.arguments import check_players, make_game, make_players, two_names
from number_duels.terminal.command_options import read_player_options
from number_duels.terminal.config import read_config
from number_duels.terminal.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    CommandError,
    Interrupted,
    refusing_usage,
    usage,
)
from number_duels.terminal.line.board import BoardDisplay
from number_duels.terminal.line.console import Console, Quit, command, note, on_full_screen, suggest
from number_duels.terminal.line.game import LineGame
from number_duels.terminal.saves import (
    SaveFile,
    latest,
    latest_unfinished,
    new_save,
    read_records,
    rebuild,
    saved_path,
)

if TYPE_CHECKING:
    from number_duels.players.external import Limits
    from number_duels.players.players_file import PlayersFile


def play(args: Namespace) -> int:
    file, full_screen = read_player_options(args), on_full_screen(args)
    if full_screen:
        args.hints = args.hints or read_config().hints
    match = new_match(args, file)
    if args.save and os.path.lexists(args.save):
        raise usage(
            f"{args.save} exists already; resume it with `duels resume`, or name another file."
        )
    limits = limits_of(match, args, file)
    players = make_players(match.players, match.game, limits)
    # Write the file only after checking everything.
    try:
        save, notice = new_save(match, Path(args.save) if args.save else None), ""
    except CommandError as error:
        if args.save:
            raise
        save, notice = None, f"{error} This game will not be saved."
    if full_screen:
        return open_table(match, players, save, args, limits=limits, notice=notice)
    if notice:
        note(notice)
    status = run_session(match, players, save, args)
    if save and not args.save and not match.record.moves:
        save.discard()
    return status


def new_match(args: Namespace, file: PlayersFile | None = None) -> AnyMatch:
    seed = fresh_seed() if args.seed is None else args.seed
    game = make_game(args.game, args.set, args.first, seed)
    names, file = two_names(args.names), file or read_player_options(args)
    one, two = (
        Person(name, file.who(word)) for name, word in zip(names, (args.one, args.two), strict=True)
    )
    check_players(one.who, two.who, human=True)
    with refusing_usage():
        return Match(game, seed, args.deal, (one, two), hints=args.hints)


def limits_of(match: AnyMatch, args: Namespace, file: PlayersFile) -> Limits:
    one, two = match.players
    return file.limits({one.name: args.one or "", two.name: args.two or ""})


def resume(args: Namespace) -> int:
    path = saved_path(args.file) if args.file else latest_unfinished()
    if path is None:
        raise CommandError(f"There is no interrupted game; start one: {command('play', 'GAME')}")
    with held(path) as save:
        file = read_player_options(args)
        one, two = (None if word is None else file.who(word) for word in (args.one, args.two))
        match = load_unfinished(path, one, two)
        match.hints = match.hints or args.hints
        limits = limits_of(match, args, file)
        players = make_players(match.players, match.game, limits)
        save.write(match)
    if on_full_screen(args):
        return open_table(match, players, save, args, limits=limits)
    note(f"Resuming {match.game.title}, {turn_word(match.game)} {match.turn_number}.")
    return run_session(match, players, save, args)


def open_table(
    match: AnyMatch,
    players: Players,
    save: SaveFile | None,
    args: Namespace,
    *,
    limits: Limits,
    notice: str = "",
) -> int:
    from number_duels.terminal.app.application import run
    from number_duels.terminal.app.table import TableScreen

    return run(
        calm=args.calm,
        opens=lambda: [TableScreen(match, save, players)],
        notice=notice,
        limits=limits,
        resume_flags={save.path: external_player_flags(match, args)} if save else None,
        stays=False,
    )


def load_unfinished(path: Path, one: str | None = None, two: str | None = None) -> AnyMatch:
    saved = read_records(path)
    if len(saved) > 1:
        raise CommandError(f"{path} holds {len(saved)} games; resume needs a file with one game.")
    match = rebuild(saved[0])
    if match.outcome:
        again = command("replay", str(path))
        raise CommandError(f"{path} is finished ({match.result}); watch it: {again}")
    before = match.players
    match.players = reseat(before[0], one, "--one"), reseat(before[1], two, "--two")
    check_players(*(person.who for person in match.players), human=True)
    return match


def reopened(path: Path) -> tuple[AnyMatch, SaveFile]:
    """Load and lock an unfinished game. Raise CommandError if it can't be resumed."""
    with held(path) as save:
        match = load_unfinished(path)
        save.write(match)
    return match, save


@contextmanager
def held(path: Path) -> Iterator[SaveFile]:
    save = SaveFile(path)
    save.lock()
    try:
        yield save
    except CommandError:
        save.release()
        raise


def reseat(person: Person, who: str | None, option: str) -> Person:
    """Return `person` with `who` as the player, or unchanged if `who` is None.

    Raise a usage error for an external player without `who`, because duels never starts a program
    that is named in a file.
    """
    if who is None and is_external(person.who):
        raise usage(
            f"{person.who!r} played this game; name it again with {option},"
            " because duels never starts a program that is named in a file."
        )
    return person if who is None else replace(person, who=who)


def run_session(match: AnyMatch, players: Players, save: SaveFile | None, args: Namespace) -> int:
    console = Console(plain=args.plain, names=shown_names(match.players))
    game = LineGame(match, players, console, save, board=args.board)
    word, status = "", DONE
    try:
        game.play()
    except Quit:
        word = "Until next time."
    except (KeyboardInterrupt, Interrupted) as cut:
        word, status = "Interrupted.", INTERRUPTED
        if isinstance(cut, KeyboardInterrupt):
            console.draw([""])  # the prompt's line is still open
    except Outage as outage:
        word, status = f"duels: {outage.reason[0].upper()}{outage.reason[1:]}.", FAILED
    finally:
        for _, player in game.session.external_players:
            player.close()
        game.saver.release()
    file = game.saver.file
    if word:
        print_resume_hint(file, word, match, args)
    elif file:
        path = str(file.path)
        suggest(("What each move cost:", "review", path), ("Watch it again:     ", "replay", path))
    return status


def print_resume_hint(save: SaveFile | None, word: str, match: AnyMatch, args: Namespace) -> None:
    if not match.record.moves:
        note(word)
    elif save:
        again = command("resume", str(save.path), *external_player_flags(match, args))
        note(f"{word} The game is saved; go on with: {again}")
    else:
        note(f"{word} This game was not saved.")


def external_player_flags(match: AnyMatch, args: Namespace) -> list[str]:
    """Return the options for external players that the user must repeat to resume the game."""
    seats = zip(("one", "two"), match.players, strict=True)
    named = [
        word
        for seat, person in seats
        if is_external(person.who)
        for word in (f"--{seat}", getattr(args, seat) or person.who)
    ]
    said = {name: getattr(args, name) for name in ("players_file", "seconds", "url")}
    limits = [
        word
        for name, value in said.items()
        if value is not None
        for word in (f"--{name.replace('_', '-')}", str(value))
    ]
    return [*named, *limits] if named else []


def replay(args: Namespace) -> int:
    path = saved_path(args.file) if args.file else latest()
    matches = [rebuild(saved) for saved in read_records(path)]
    delay = args.delay if args.delay is not None else float(sys.stdout.isatty())
    for match in matches:
        console = Console(plain=args.plain, names=shown_names(match.players))
        display = BoardDisplay(console, match.game.title, args.board)
        watch(ReplaySession.of(match), display, delay)
    return DONE


def watch(session: ReplaySession, display: BoardDisplay, delay: float) -> None:
    display.say(session.frames[0].lines)
    for before, frame in pairwise(session.frames):
        announced, told = frame.lines[: frame.announced], frame.lines[frame.announced :]
        display.show(before.board, announced)
        display.say(announced)
        display.say(told, changed=True)
        time.sleep(delay)
