"""Shell completion: three short scripts that ask the program itself what could come next."""

from __future__ import annotations

import sys
from argparse import Namespace, _SubParsersAction

from number_duels.games import find, names
from number_duels.players.registry import KINDS
from number_duels.terminal.arguments import game_name
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.parser import Parser, build_parser
from number_duels.terminal.ui.console import note

SCRIPTS = {
    "bash": """\
_duels() {
    local IFS=$'\\n'
    COMPREPLY=($(duels _complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _duels duels
""",
    "zsh": """\
#compdef duels
_duels() {
    local -a found
    found=("${(@f)$(duels _complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _duels duels
""",
    "fish": """\
complete -c duels -a '(duels _complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}
WHERE = {
    "bash": 'eval "$(duels completion bash)"   # in ~/.bashrc',
    "zsh": 'eval "$(duels completion zsh)"   # in ~/.zshrc, after compinit',
    "fish": "duels completion fish | source   # in ~/.config/fish/config.fish",
}


def show_script(args: Namespace) -> int:
    """Print the script for a shell."""
    print(SCRIPTS[args.shell], end="")
    if sys.stderr.isatty():
        note(f"\nTo have it in every shell: {WHERE[args.shell]}")
    return DONE


def candidates_for(words: list[str]) -> list[str]:
    """What could stand for the last word, given those before it."""
    *before, word = words or [""]
    parser = build_parser()
    commands = subcommands(parser)
    command = next((w for w in before if w in commands), None)
    here = commands[command] if command else parser
    found = candidates(here, command, before, list(commands))
    if word.startswith("-"):
        found = [o for a in here._actions for o in a.option_strings if a.help != "==SUPPRESS=="]
    return sorted(c for c in found if c.startswith(word))


def candidates(
    here: Parser, command: str | None, before: list[str], commands: list[str]
) -> list[str]:
    """What fits after an option, or in the place of the next argument."""
    last = before[-1] if before else ""
    option = next((a for a in here._actions if last in a.option_strings), None)
    if option is not None and option.nargs != 0:
        return option_values(option.dest, option.choices, before)
    if command is None:
        return commands
    takes = {action.dest: action.choices for action in here._actions if not action.option_strings}
    if "game" in takes and before[-1] == command:
        return list(names())
    return [str(choice) for choices in takes.values() for choice in choices or ()]


def option_values(dest: str, choices: object, before: list[str]) -> list[str]:
    """What an option can be set to."""
    if dest in ("one", "two"):
        return list(KINDS)
    if dest in ("players", "exploit"):
        return [kind for kind in KINDS if kind != "human"]
    if dest == "games":
        return list(names())
    if dest == "set":
        for word in before:
            try:
                return [f"{name}=" for name in find(game_name(word)).describe_settings()]
            except CommandError:
                continue
    return list(choices) if isinstance(choices, list) else []


def subcommands(parser: Parser) -> dict[str, Parser]:
    """The commands of the program, by name."""
    (action,) = (a for a in parser._actions if isinstance(a, _SubParsersAction))
    return dict(action.choices)
