"""Shell completion. A short script for each shell gets its candidates from `duels _complete`."""

from __future__ import annotations

from argparse import SUPPRESS, Action, Namespace, _SubParsersAction
from contextlib import suppress

from number_duels.games import find, full_name, names
from number_duels.players.registry import BUILT_IN, KINDS
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.line.console import suggest
from number_duels.terminal.parser import CACHE_WORDS, TOPICS, Parser, build_parser
from number_duels.terminal.saves import games_folder, read_records

PLAYERS = {"one": KINDS, "two": KINDS, "players": BUILT_IN, "exploit": BUILT_IN}
#: If a setting has more values, only the lowest, default and highest are offered.
MAX_VALUES = 50
#: Bash also splits words at `:` and `=`, and replaces only the part after the last split.
SCRIPTS = {
    "bash": """\
_duels() {
    local line=${COMP_LINE:0:COMP_POINT} words word mark cut=
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[${#words[@]}-1]}
    for mark in : =; do
        [[ $COMP_WORDBREAKS == *$mark* && $word == *$mark* ]] && cut=${word%"${word##*"$mark"}"}
    done
    local IFS=$'\\n'
    COMPREPLY=($(duels _complete "${words[@]:1}" 2>/dev/null))
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o default -F _duels duels
""",
    "zsh": """\
#compdef duels
_duels() {
    local -a found
    found=("${(@f)$(duels _complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "$found" ]]; then _files
    elif [[ "$found[1]" == *[:=] ]]; then compadd -S "" -- $found
    else compadd -- $found; fi
}
compdef _duels duels
""",
    "fish": """\
function __duels_complete
    set -l found (duels _complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if test -n "$found"
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c duels -f -a '(__duels_complete)'
""",
}
WHERE = {
    "bash": 'eval "$(duels completion bash)"   # in ~/.bashrc',
    "zsh": 'eval "$(duels completion zsh)"   # in ~/.zshrc, after compinit',
    "fish": "duels completion fish | source   # in ~/.config/fish/config.fish",
}


def show_script(args: Namespace) -> int:
    print(SCRIPTS[args.shell], end="")
    suggest(f"To turn on completion in every shell: {WHERE[args.shell]}")
    return DONE


def candidates_for(words: list[str]) -> list[str]:
    *before, word = words or [""]
    parser = build_parser()
    commands = subcommands(parser)
    command = next((w for w in before if w in commands), None)
    here = commands[command] if command else parser
    if word.startswith("-"):
        found = [o for a in here._actions for o in a.option_strings if a.help != SUPPRESS]
    elif command is None:
        found = list(commands)
    else:
        found = values(here, before[before.index(command) :], word)
    return sorted(c for c in found if c.startswith(word))


def values(here: Parser, line: list[str], word: str) -> list[str]:
    option = open_option(here, line)
    if option is not None:
        return argument_values(option, line, word)
    places = [
        action
        for action in here._actions
        if not action.option_strings and not {*(action.choices or ())} & {*line[1:]}
    ]
    found = [value for action in places for value in argument_values(action, line, word)]
    single = any(action.dest == "game" for action in places)
    if single and any(map(game_meant, line[1:])):
        return []
    return [value for value in found if value not in line]


def open_option(here: Parser, line: list[str]) -> Action | None:
    place = max((n for n, word in enumerate(line) if word.startswith("-")), default=0)
    option = next((a for a in here._actions if line[place] in a.option_strings), None)
    if option is None or option.nargs == 0:
        return None
    given = len(line) - 1 - place
    return option if given == 0 or option.nargs in ("+", "*") else None


def argument_values(action: Action, line: list[str], word: str) -> list[str]:
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    if known := PLAYERS.get(action.dest):
        return list(known)
    if action.dest in ("game", "games", "search"):
        return game_words(word)
    if action.dest in ("file", "delete"):
        return saved_files(unfinished=line[0] == "resume")
    if action.dest == "what":
        return words_after(line, word)
    game = next(filter(None, map(game_meant, line)), None)
    return setting_values(game, word) if action.dest == "set" and game else []


def words_after(line: list[str], word: str) -> list[str]:
    match line:
        case ["train", *rest]:
            return [] if {*TOPICS} & {*rest} else [*TOPICS]
        case ["cache", *rest] if "clear" in rest:
            return [*CACHE_WORDS, *names()]
        case ["book", "list" | "remove", *_]:
            return game_words(word)
    return []


def game_words(word: str) -> list[str]:
    """Return all game names, or matching parts of names if no name starts with `word`.

    >>> game_words("kn")
    ['knot']
    """
    if any(name.startswith(word) for name in names()):
        return list(names())
    parts = dict.fromkeys(part for name in names() for part in name.split("-"))
    return [part for part in parts if part.startswith(word) and game_meant(part)]


def game_meant(word: str) -> str | None:
    try:
        return full_name(word)
    except ValueError:
        return None


def setting_values(game: str, word: str) -> list[str]:
    """Return completions of `word`: every `NAME=` or, if it names a setting, every `NAME=VALUE`."""
    known = find(game).describe_settings()
    name, equals, _ = word.partition("=")
    if not equals or name not in known:
        return [f"{name}=" for name in known]
    one, defaults = known[name], {name: setting.default for name, setting in known.items()}
    high = defaults[one.high] if isinstance(one.high, str) else one.high
    allowed = one.choices or tuple(range(one.low, int(high) + 1))
    if len(allowed) > MAX_VALUES:
        allowed = (allowed[0], one.default, allowed[-1])
    return [f"{name}={value}" for value in allowed]


def saved_files(*, unfinished: bool) -> list[str]:
    found = []
    for path in filter(lambda path: path.name.isprintable(), games_folder().glob("*.json")):
        with suppress(CommandError):
            if not unfinished or read_records(path)[0].record.result == "*":
                found.append(path.name)
    return found


def subcommands(parser: Parser) -> dict[str, Parser]:
    (action,) = (a for a in parser._actions if isinstance(a, _SubParsersAction))
    return dict(action.choices)
