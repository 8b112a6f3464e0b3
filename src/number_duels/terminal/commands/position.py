"""`duels analyze`: facts about a position, also with locks, and its matrix for Gambit."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Hashable, Sequence
from pathlib import Path

from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.review.json import locks_json, position_json
from number_duels.review.locks import LockedPosition, examine_locks, lock_lines
from number_duels.review.position import AnySolution
from number_duels.sessions.analyze import AnalyzeSession
from number_duels.sessions.tables import scene_lines
from number_duels.solvers import Unsolvable
from number_duels.solvers.locked_solution import LockedSolution
from number_duels.solvers.locks import Lock, LockRules
from number_duels.solvers.matrix_games import NFG_MARK
from number_duels.terminal.arguments import make_game, usage
from number_duels.terminal.commands.analysis import solved
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.ui.console import Console, note, thinking
from number_duels.terminal.ui.progress import progress_bar


def analyze(args: Namespace) -> int:
    """What a position and every option in it is worth."""
    game = make_game(args.game, args.set, args.first, 0)
    try:
        session = AnalyzeSession(game, args.deal, args.moves)
        state, moves = session.history.state, str(session.history)
        locks = [Lock.parse(text, here=moves) for text in args.lock]
        rules = LockRules.read(game, locks)
    except ValueError as error:
        raise usage(f"{game.title}: {error}") from None
    if locks and args.nfg:
        raise usage(
            "--nfg writes the matrix of perfect play, without locks; leave out one of them."
        )
    solution = solved(game)
    if work := session.work():
        work.run(solution)
    position = session.position
    assert position
    locked = examine_locked(solution, state, locks, rules) if locks else None
    if args.nfg:
        write_matrix(solution, state, moves, Path(args.nfg))
    if args.json:
        extra = {"locks": locks_json(locked)} if locked else {}
        print(json.dumps({**position_json(game, moves, position), **extra}))
        return DONE
    console = Console(plain=args.plain)
    scene = session.scene()
    console.draw([console.paint(scene.title, "bold"), scene.path])
    console.say(["", *scene_lines(scene)])
    if locked:
        console.say(["", *lock_lines(locked, moves)])
    if sys.stderr.isatty() and scene.stage != "over":
        note("\nTry a move: add it to --moves, separated by spaces")
    return DONE


def examine_locked(
    solution: AnySolution,
    state: Hashable,
    locks: Sequence[Lock],
    rules: LockRules[Hashable, Hashable, Hashable],
) -> LockedPosition:
    """What locks change in a position, with a bar while it is worked out."""
    with thinking(), progress_bar(f"Solving {solution.game.title} with locks") as report:
        try:
            return examine_locks(LockedSolution(solution, rules, report), locks, state)
        except Unsolvable as error:
            raise CommandError(str(error)) from None


def write_matrix(solution: AnySolution, state: Hashable, moves: str, path: Path) -> None:
    """Write the matrix of a position as a file that Gambit reads."""
    if path.suffix != ".nfg":
        raise usage("--nfg takes a file that ends in .nfg.")
    try:
        title = solution.game.title
        text = solution.matrix(state).nfg(f"{title} after {moves}" if moves else title)
        check_replaceable(path, NFG_MARK.encode(), "a matrix that this program wrote")
        with replace_file(Path(os.path.realpath(path)), mode=BY_UMASK) as file:
            file.write(text.encode())
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    note(f"The matrix is in {path}.")
