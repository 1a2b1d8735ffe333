"""Flags for the form of input files, and the line about what was read."""

from __future__ import annotations

import argparse
from typing import Any

from heedful.cli.shared.console import note
from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.file_form import form_of

NAMES = ("sep", "encoding", "header", "sheet")
FILES = "csv, tsv, xlsx, json, jsonl, parquet, txt; a folder, a pattern such as 'parts/*.csv', or - for stdin"


def add_file_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags for the form of a file; without them it is detected."""
    group = parser.add_argument_group("form of the file (detected by default)")
    flags: dict[str, dict[str, Any]] = {
        "--sep": {"metavar": "CHARACTER", "help": "separator of csv files, such as ; or tab"},
        "--encoding": {"metavar": "NAME", "help": "encoding of text files, such as cp1252 or utf-16"},
        "--header": {"action": argparse.BooleanOptionalAction, "help": "whether the first row has the column names"},
        "--sheet": {"metavar": "NAME", "help": "sheet of an Excel file (default: the first)"},
    }
    for flag, options in flags.items():
        group.add_argument(flag, default=argparse.SUPPRESS, **options)


def reading(args: argparse.Namespace, config: Config | None = None) -> BadRows:
    """Return how files are read: by the flags. A model that was trained without a header reads files without one."""
    given = {name: getattr(args, name, None) for name in NAMES}
    columns = [getattr(args, name, None) for name in ("text", "label", "id")]
    if config is not None:
        columns += [config.data.text, config.data.label]
        given["header"] = config.data.header if given["header"] is None else given["header"]
    form = form_of(Config().changed(**given).data, columns=columns)
    return BadRows(skip=getattr(args, "skip_bad", False), form=form)


def print_summaries(faults: BadRows, args: argparse.Namespace) -> None:
    """Print what was detected in each file, unless the command is quiet or prints JSON."""
    if not (getattr(args, "quiet", False) or getattr(args, "json", False)):
        for line in faults.summaries.values():
            note(line)
