"""`heedful COMMAND …`: runs the command; a user's fault becomes one message and exit code 2."""

from __future__ import annotations

import argparse
import errno
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module

# Each command is a module of `commands/` with `add_arguments(parser)` and `main(args) -> int`, imported when it is
# called, so that `heedful --help` is fast.
COMMANDS = {
    "demo": "train on the bundled messages, and show which words the model reads",
    "check": "find wrong labels, duplicates, leaks and shortcuts in a file of labelled texts",
    "train": "train a model on a file of labelled texts",
    "evaluate": "print accuracy, F1 and confusion matrix of a model on a file of labelled texts",
    "predict": "label texts or files",
    "embed": "turn texts or files into vectors",
    "explain": "show which words a model reads, and the effect of each word on the prediction",
    "audit": "test how reliable a model's heatmaps are; every heatmap then carries the verdict",
    "words": "show the words that drive each label over a file of texts, and possible shortcuts",
    "hops": "show what each hop of a model reads over a file of texts",
    "steps": "show self-attention step by step, with a model's own numbers",
    "similar": "show how similar two texts are, and which words make them so",
    "rerank": "rank texts by a query, and show the words behind each score",
    "distill": "train a small sentence encoder to reproduce a teacher's vectors",
    "pretrain": "train a sentence encoder without a teacher, on pairs of texts or on running text",
    "import": "turn a BERT, MiniLM, RoBERTa or MPNet folder into an encoder that runs without torch",
    "index": "build an index of texts or documents to search",
    "search": "search texts by words and by meaning, and show the words that matched",
    "serve": "serve models over HTTP: OpenAI-compatible embeddings, explanations, and a web page",
    "info": "describe a model folder and its metrics",
    "completion": "print a script that completes commands and options in bash, zsh or fish",
}

ENCODER_COMMANDS = ("distill", "embed", "import_transformer", "pretrain", "rerank", "similar")  # in commands/encoder/
MODULES = {"import": "import_transformer"}  # commands whose module has another name: import is a word of Python

# Errors of the system that no code can fix (full disk, missing permission, broken disk): reported in one line.
SYSTEM = {
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE,
    errno.ENFILE, errno.ENAMETOOLONG, errno.ESTALE,
}  # fmt: skip

EXAMPLES = """\
a first round:
  heedful demo
  heedful train reviews.csv --text review --label stars --out model
  heedful explain model "The food was great, but we waited an hour."

`heedful COMMAND --help` shows all of a command's options and a worked example.
"""


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    from heedful.cli.streams import prepared_streams

    given = sys.argv[1:] if arguments is None else list(arguments)
    with prepared_streams():
        code = _code(given)
    sys.exit(code)


def _code(given: Sequence[str]) -> int:
    """Run a command and return its exit code, however it ends."""
    from heedful.cli.streams import abandon_stdout
    from heedful.cli.terminate import Terminated, stopped_by_sigterm
    from heedful.errors import HeedfulError

    serves = given[:1] == ["serve"]  # it shuts down by itself, after pending requests
    try:
        with nullcontext() if serves else stopped_by_sigterm():
            try:
                return main(given)
            finally:
                sys.stdout.flush()  # here, where a closed pipe or a full disk is caught
    except Terminated:
        return 128 + signal.SIGTERM
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `heedful … | head` is not a fault
        abandon_stdout()
        return 0
    except HeedfulError as error:
        abandon_stdout()
        _complain(error)
        return 2


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    from heedful.cli.streams import OutputError
    from heedful.errors import HeedfulError, did_you_mean

    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        from heedful import __version__

        print(f"heedful {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        print(f"heedful: no command {name!r}.{did_you_mean(name, COMMANDS)} Run: heedful --help", file=sys.stderr)
        return 2
    try:
        args = parser_of(name).parse_args(arguments[1:])
        return int(import_module(_module(name)).main(args))
    except OutputError:
        raise  # `run` discards the buffer of stdout
    except HeedfulError as error:
        _complain(error)
        return 2
    except OSError as error:
        if error.errno not in SYSTEM:
            raise
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        _complain(f"{place}{error.strerror}")
        return 2


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command's arguments."""
    from heedful.cli.parser import Parser

    command = import_module(_module(name))
    parser = Parser(
        prog=f"heedful {name}",
        usage=getattr(command, "USAGE", None),
        description=COMMANDS[name][0].upper() + COMMANDS[name][1:] + ".",
        epilog=command.EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    return parser


def _module(name: str) -> str:
    """Return the module of a command."""
    module = MODULES.get(name, name)
    return f"heedful.cli.commands.{'encoder.' if module in ENCODER_COMMANDS else ''}{module}"


def _complain(error: object) -> None:
    from heedful.show.kit.text.sanitise import visible

    lines = visible(str(error)).splitlines()
    print("\n".join(f"heedful: {line}" for line in lines), file=sys.stderr)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {about}" for name, about in COMMANDS.items()]
    return "\n".join(
        [
            "heedful: train, run and explain sequence models with attention that you can inspect.",
            "",
            "usage: heedful COMMAND …",
            "",
            *lines,
            "",
            EXAMPLES,
        ]
    ).rstrip()
