"""Completion scripts, written from the argument parsers. They start no Python: a completion costs no time."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heedful.store.shipped import shipped_models

BASH = """\
_heedful() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} candidates=
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        candidates="COMMANDS --help --version"
    else
        case "${COMP_WORDS[1]} $previous" in
VALUES
        *)
            case "${COMP_WORDS[1]} $current" in
OPTIONS
            *" en-"*) candidates="MODELS" ;;
            esac ;;
        esac
    fi
    COMPREPLY=( $(compgen -W "$candidates" -- "$current") )
}
complete -o bashdefault -o default -F _heedful heedful"""

ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


@dataclass(frozen=True)
class Option:
    """An option: its names, whether a value follows, the choices for it, and a line of help."""

    names: tuple[str, ...]
    has_value: bool
    choices: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Command:
    """A command with its options, and the choices for its arguments."""

    name: str
    about: str
    options: tuple[Option, ...]
    choices: tuple[str, ...]


def described(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    """Return the parts of a command that can be completed."""
    actions = [action for action in parser._actions if action.option_strings]
    arguments = [action for action in parser._actions if not action.option_strings]
    choices = tuple(str(choice) for action in arguments for choice in action.choices or ())
    return Command(name, about, tuple(map(_option, actions)), choices)


def bash_script(commands: Sequence[Command]) -> str:
    """Return the script for bash. Without a candidate, bash completes the names of files."""
    parts = {
        "COMMANDS": " ".join(command.name for command in commands),
        "VALUES": "\n".join(line for command in commands for line in _bash_values(command)),
        "OPTIONS": "\n".join(line for command in commands for line in _bash_words(command)),
        "MODELS": " ".join(shipped_models()),
    }
    return re.sub("|".join(parts), lambda match: parts[match[0]], BASH)


def zsh_script(commands: Sequence[Command]) -> str:
    """Return the script for zsh, which can run that of bash."""
    return ZSH + bash_script(commands)


def fish_script(commands: Sequence[Command]) -> str:
    """Return the script for fish."""
    lines = []
    for command in commands:
        lines.append(_fish("__fish_use_subcommand", "-f", "-a", _quoted(command.name), "-d", _quoted(command.about)))
        seen = f"__fish_seen_subcommand_from {command.name}"
        if command.choices:
            lines.append(_fish(seen, "-f", "-a", _quoted(" ".join(command.choices))))
        lines += [_fish(seen, *_fish_option(option)) for option in command.options]
    return "\n".join(lines)


SCRIPTS: dict[str, Callable[[Sequence[Command]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}


def _option(action: argparse.Action) -> Option:
    about = "" if action.help in (None, argparse.SUPPRESS) else str(action.help).replace("%%", "%")
    choices = tuple(map(str, action.choices or ()))
    return Option(tuple(action.option_strings), action.nargs != 0, choices, " ".join(about.split()))


def _bash_values(command: Command) -> list[str]:
    """Return a case for each option with choices, and one for all other options with a value."""
    free = [name for option in command.options if option.has_value and not option.choices for name in option.names]
    lines = [
        f"        {_patterns(command, option.names)}) candidates={_quoted(' '.join(option.choices))} ;;"
        for option in command.options
        if option.choices
    ]
    return [*lines, f"        {_patterns(command, free)}) ;;"] if free else lines


def _patterns(command: Command, names: Sequence[str]) -> str:
    return "|".join(f'"{command.name} {name}"' for name in names)


def _bash_words(command: Command) -> list[str]:
    """Return the cases for an option, and for an argument."""
    names = " ".join(name for option in command.options for name in option.names)
    lines = [f'            "{command.name} -"*) candidates={_quoted(names)} ;;']
    if command.choices:
        lines.append(f'            "{command.name} "*) candidates={_quoted(" ".join(command.choices))} ;;')
    return lines


def _fish(condition: str, *words: str) -> str:
    return " ".join(["complete -c heedful -n", _quoted(condition), *words])


def _fish_option(option: Option) -> list[str]:
    words = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.choices:
        words += ["-x", "-a", _quoted(" ".join(option.choices))]
    elif option.has_value:
        words.append("-r")
    return [*words, "-d", _quoted(option.about)] if option.about else words


def _quoted(text: str) -> str:
    """Return text in single quotes, for bash and fish."""
    return "'" + text.replace("\\", "").replace("'", "’") + "'"
