"""Texts or files: an argument with a known ending (or `-`) is a file, anything else is a text.

A sentence may end in `.csv` too: with a space in it, it is a file only if there is one. Whatever is there is a file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from heedful.data.read import READERS
from heedful.errors import HeedfulError
from heedful.runtime.model import checked_text


def add_model_and_inputs(parser: argparse.ArgumentParser) -> None:
    """Declare the model, the inputs and the options that all such commands share."""
    parser.add_argument("model", help="model folder")
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="text|file",
        help="texts; or csv, tsv, jsonl, parquet, txt files; - for lines from stdin",
    )
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def is_file(argument: str) -> bool:
    """Return whether an argument names a file."""
    if not argument:
        return False
    has_ending = Path(argument.removesuffix(".gz")).suffix.lower() in READERS
    return argument == "-" or (has_ending and " " not in argument) or _is_there(argument)


def _is_there(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except (OSError, ValueError):  # too long for a name, or with a null byte: a text
        return False


def files_or_texts(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (files, texts), of which one is empty."""
    files = [a for a in arguments if is_file(a)]
    texts = [checked_text(a) for a in arguments if not is_file(a)]
    if files and texts:
        raise HeedfulError(f"{files[0]!r} is a file and {texts[0][:40]!r} a text: give either files or texts")
    return files, texts
