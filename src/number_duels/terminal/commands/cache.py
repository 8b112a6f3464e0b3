"""The command `duels cache`, which lists or deletes cached solutions, strategies and reviews."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import groupby

from number_duels.core.storage import cache_folder
from number_duels.core.text import counted
from number_duels.games import find, names
from number_duels.review.player_stats import kept_figures
from number_duels.solvers.cache import SOLUTION, STRATEGIES, CachedFile, cached_solutions, size_of
from number_duels.terminal.arguments import game_name
from number_duels.terminal.errors import DONE, CommandError, file_errors, usage
from number_duels.terminal.line.console import (
    Console,
    aligned,
    command,
    confirmed,
    note,
    print_json,
    suggest,
)
from number_duels.terminal.parser import CACHE_WORDS

REVIEW, OUTDATED = "review", "outdated"
KINDS = dict(zip(CACHE_WORDS, (SOLUTION, STRATEGIES, REVIEW, OUTDATED), strict=True))


def show_cache(args: Namespace) -> int:
    files = selected(cached_files(), args.what)
    if args.action == "clear":
        return clear(files, Console(plain=args.plain), yes=args.yes)
    if args.json:
        print_json(cache_json(files))
        return DONE
    Console(plain=args.plain).draw(cache_lines(files))
    if files:
        suggest(f"To empty the cache: {command('cache', 'clear')} (it is filled again when needed)")
    return DONE


def cached_files() -> list[CachedFile]:
    reviews = [
        CachedFile(path, size_of(path), REVIEW, path.stem.rpartition("-")[0], outdated=False)
        for path in kept_figures()
    ]
    return [*cached_solutions(), *reviews]


def selected(files: Sequence[CachedFile], words: Sequence[str]) -> list[CachedFile]:
    meant = set(map(meaning, words))
    return [
        file
        for file in files
        if not meant or {file.kind, file.game} & meant or (file.outdated and OUTDATED in meant)
    ]


def meaning(word: str) -> str:
    try:
        return KINDS.get(word) or game_name(word)
    except CommandError:
        known = ", ".join(CACHE_WORDS)
        raise usage(f"There is no {word!r} in the cache; name {known} or a game.") from None


def cache_json(files: Sequence[CachedFile]) -> dict[str, object]:
    return {
        "folder": str(cache_folder()),
        "bytes": total(files),
        "files": [
            {
                "file": str(file.path),
                "bytes": file.size_bytes,
                "kind": file.kind,
                "game": file.game,
                "settings": file.settings,
                "outdated": file.outdated,
            }
            for file in files
        ],
    }


def cache_lines(files: Sequence[CachedFile]) -> Iterator[str]:
    yield f"{cache_folder()}: {size_text(total(files))}"
    rows = []
    for _, same in groupby(files, key=lambda file: (file.kind, file.game, file.settings)):
        group = list(same)
        about = counted(len(group), "game") if group[0].kind == REVIEW else unusual(group[0])
        old = "outdated" if group[0].outdated else ""
        rows.append((size_text(total(group)), group[0].kind, group[0].game, about, old))
    yield from (f"  {line}" for line in aligned(rows, right=[0]))


def unusual(file: CachedFile) -> str:
    if not file.game:
        return ""
    usual = find(file.game).describe_settings() if file.game in names() else {}
    defaults = {f"{name}={setting.default}" for name, setting in usual.items()}
    return " ".join(s for s in file.settings.split() if s not in defaults) or "default settings"


def total(files: Sequence[CachedFile]) -> int:
    return sum(file.size_bytes for file in files)


def size_text(size: int) -> str:
    return f"{max(1, round(size / 1e3))} kB" if size < 1e6 else f"{size / 1e6:.0f} MB"


def clear(files: Sequence[CachedFile], console: Console, *, yes: bool) -> int:
    if not files:
        note("There is nothing to delete.")
        return DONE
    what = f"{counted(len(files), 'file')}, {size_text(total(files))}"
    if not confirmed(f"Delete {what}, from {cache_folder()}?", console, yes=yes):
        note("Nothing was deleted.")
        return DONE
    for file in files:
        with file_errors(file.path, "deleted"):
            file.path.unlink(missing_ok=True)
    note(f"Deleted: {what}.")
    return DONE
