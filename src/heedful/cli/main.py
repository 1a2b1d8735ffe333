"""`heedful COMMAND …`: finds the command, and turns a user's fault into one message and exit 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

# Each command is a module of this folder with `add_arguments(parser)` and `main(args) -> int`; it is imported only
# when it is called, so that `heedful --help` costs nothing.
COMMANDS = {
    "demo": "train on the messages that come with the package, and show what the model reads",
    "train": "train a model on a file of labelled texts",
    "evaluate": "accuracy, F1 and confusion matrix of a model on a file of labelled texts",
    "predict": "label texts or files",
    "embed": "turn texts or files into vectors",
    "explain": "show which words a model reads, and what each does to the answer",
    "audit": "test whether a model's heatmaps may be believed; the verdict then stands on each of them",
    "hops": "what each hop of a model reads over a file of texts",
    "steps": "self-attention step by step, with a model's own numbers",
    "similar": "how alike two texts are, and which words make them so",
    "distill": "make a small encoder of texts that gives a teacher's vectors",
    "pretrain": "make an encoder without a teacher, from pairs of texts or from running text",
    "index": "make an index of texts, to be searched by meaning",
    "search": "find texts by meaning, and the words that made them hits",
    "serve": "answer over HTTP: vectors for OpenAI's clients, explanations, and a page to look at",
    "info": "what a model folder is and how good it is",
}

EXAMPLES = """\
a first round:
  heedful demo
  heedful train reviews.csv --text review --label stars --out model
  heedful explain model "The food was great, but we waited an hour."

`heedful COMMAND --help` shows all of a command's options and a worked example.
"""


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    try:
        try:
            code = main(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()  # here, where a closed pipe is caught, and not while Python shuts down
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:  # `heedful … | head` is not a fault
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from heedful.errors import HeedfulError, did_you_mean

    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        from importlib.metadata import version

        print(f"heedful {version('heedful')}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        print(f"heedful: no command {name!r}.{did_you_mean(name, COMMANDS)} Run: heedful --help", file=sys.stderr)
        return 2
    try:
        from heedful.cli.parser import Parser

        command = import_module(f"heedful.cli.{name}")
        parser = Parser(
            prog=f"heedful {name}",
            usage=getattr(command, "USAGE", None),
            description=COMMANDS[name][0].upper() + COMMANDS[name][1:] + ".",
            epilog=command.EXAMPLE,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(parser)
        return int(command.main(parser.parse_args(arguments[1:])))
    except HeedfulError as error:
        from heedful.show.visible import visible

        lines = visible(str(error)).splitlines()
        print("\n".join(f"heedful: {line}" for line in lines), file=sys.stderr)
        return 2


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {about}" for name, about in COMMANDS.items()]
    return "\n".join(
        [
            "heedful: train, run and explain sequence models whose attention you can look at.",
            "",
            "usage: heedful COMMAND …",
            "",
            *lines,
            "",
            EXAMPLES,
        ]
    ).rstrip()
