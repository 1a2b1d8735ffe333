"""Texts or files: an argument with a known extension (or `-`) is a file, anything else is a text.

A sentence may end in `.csv` too: an argument with a space is a file only if it exists. Every existing path is a file.
"""

from __future__ import annotations

import argparse
import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

from heedful.cli.shared.file_flags import FILES, add_file_flags
from heedful.data.bad_rows import BadRows
from heedful.data.read import READERS
from heedful.errors import HeedfulError
from heedful.files.same_file import check_not_input
from heedful.jobs.read_inputs import is_itself
from heedful.jobs.run_files import Chunk, as_chunk, chunks_for
from heedful.runtime.checked_inputs import checked_text
from heedful.runtime.model import Model, load

MORE = (".conll", ".bio", ".iob", ".npy", ".npz")  # extensions of files that only some models read


def add_model_and_inputs(parser: argparse.ArgumentParser) -> None:
    """Declare the model, the inputs and the options that all such commands share."""
    parser.add_argument("model", help="model folder")
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="text|file",
        help=f"texts; or files: {FILES}",
    )
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


def is_file(argument: str) -> bool:
    """Return whether an argument names a file."""
    if not argument:
        return False
    has_ending = Path(argument.removesuffix(".gz")).suffix.lower() in (*READERS, *MORE)
    return argument == "-" or (has_ending and " " not in argument) or _is_there(argument) or _has_matches(argument)


def _has_matches(argument: str) -> bool:
    """Return whether an argument without spaces is a pattern of files."""
    return "*" in argument and not any(map(str.isspace, argument)) and any(glob.iglob(argument))  # noqa: PTH207


def _is_there(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or with a null byte: a text
        return False


def sources_of(model: Model, args: argparse.Namespace, faults: BadRows) -> Iterator[Chunk]:
    """Yield the inputs of the arguments in chunks: the arguments themselves, or the contents of files."""
    files, given = files_or_texts(args.inputs, model)
    if given:
        return iter([as_chunk(model.from_arguments(given))])
    return chunks_for(model, files, text=args.text, faults=faults)


def add_edges(parser: argparse.ArgumentParser) -> None:
    """Declare the flag for the edges of a graph."""
    parser.add_argument("--edges", metavar="FILE", help="edges of a graph (default: those of the training data)")


def loaded(args: argparse.Namespace) -> Model:
    """Return the model of the arguments, with their edges."""
    model = load(args.model, threads=args.threads)
    if getattr(args, "edges", None):
        model.config = model.config.changed(edges=args.edges)
    return model


def add_skip_bad(parser: argparse.ArgumentParser) -> None:
    """Declare the flag to skip rows that cannot be read."""
    parser.add_argument("--skip-bad", action="store_true", help="skip rows that cannot be read, and report them")


def check_outputs(args: argparse.Namespace, *flags: str) -> None:
    """Raise if an output file is also read: an input, or part of the model."""
    given = [*getattr(args, "inputs", ()), *filter(None, [getattr(args, "file", None), getattr(args, "edges", None)])]
    model = Path(getattr(args, "model", None) or "")
    parts = sorted(model.iterdir()) if getattr(args, "model", None) and model.is_dir() else []
    for name in flags:
        flag = "-o" if name == "out" else f"--{name}"
        check_not_input(getattr(args, name, None), [*given, *parts], flag=flag)


def check_some_left(done: int, faults: BadRows, *, needed: bool = False) -> None:
    """Raise if every row was bad, or if a row is `needed` and there is none."""
    if faults.n and not done:
        raise HeedfulError(f"no row is left: all {faults.n:,} were bad. The first: {faults.first[0]}")
    if needed and not done:
        raise HeedfulError("nothing to show: no input was read. Is the file empty?")


def files_or_texts(arguments: Sequence[str], model: Model | None = None) -> tuple[list[str], list[str]]:
    """Return (files, texts), one of them empty. For an audio model, an audio file is itself an input."""
    files, texts = [], []
    for argument in arguments:
        if is_file(argument) and not (model is not None and is_itself(model, argument)):
            files.append(argument)
        else:
            texts.append(checked_text(argument))
    if files and texts:
        raise HeedfulError(f"{files[0]!r} is a file and {texts[0][:40]!r} a text: give either files or texts")
    return files, texts
