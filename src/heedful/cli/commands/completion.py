"""`heedful completion`."""

from __future__ import annotations

import argparse

from heedful.cli.completion import SCRIPTS, described

EXAMPLE = """\
example, with bash, zsh and fish:
  heedful completion bash > ~/.local/share/bash-completion/completions/heedful
  heedful completion zsh > ~/.heedful.zsh    # and `source ~/.heedful.zsh` in ~/.zshrc, after compinit
  heedful completion fish > ~/.config/fish/completions/heedful.fish

Run it again after an update. The script starts no Python.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")


def main(args: argparse.Namespace) -> int:
    """Print the script."""
    from heedful.cli.main import COMMANDS, parser_of

    parsers = {name: parser_of(name) for name in COMMANDS}
    print(SCRIPTS[args.shell]([described(name, COMMANDS[name], parser) for name, parser in parsers.items()]))
    return 0
