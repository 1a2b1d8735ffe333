"""`heedful index`."""

from __future__ import annotations

import argparse
import itertools
import shlex
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from heedful.cli.shared.console import note, print_json
from heedful.cli.shared.file_flags import FILES, add_file_flags, print_summaries, reading
from heedful.cli.shared.progress import CountProgress
from heedful.data.bad_rows import BadRows
from heedful.data.columns import text_column
from heedful.data.example import Row
from heedful.data.read import read_rows
from heedful.errors import DataError, HeedfulError, did_you_mean, listed
from heedful.runtime.model import load
from heedful.search.documents import PATH, TEXT, TITLE, is_documents, read_documents
from heedful.search.hit import Added
from heedful.search.index import Index
from heedful.search.index_folder import check_target
from heedful.search.rows import ID

EXAMPLE = """\
example:
  heedful index reviews.csv -o reviews.index --text review
  heedful index more.csv -o reviews.index --add
  heedful index -o reviews.index --delete 17 23
  heedful index notes/ -o notes.index                  # a folder of text and Markdown files
  heedful search reviews.index "the food came late"

Files may be larger than memory. All columns are kept, to be shown and filtered by. A row with an existing id replaces
the old one; without --id and without a column `id`, the id is a hash of the row, so that no row is added twice.
Of a folder of .md and .txt files, and of an .md file, each file is a document with its path as id and its title. Long
texts are split into passages; a search returns the document with its best passage.
"""
NUMBERS_IN_TEXT = (".csv", ".tsv", ".xlsx")  # formats in which a number can only be written as text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("files", nargs="*", metavar="file", help=f"{FILES}; or a folder of text and Markdown files")
    parser.add_argument("-o", "--out", required=True, metavar="INDEX", help="index folder")
    parser.add_argument("--model", metavar="MODEL", help="encoder: a name or a folder (default: en-base)")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--id", metavar="NAME", help="name of the column with the id")
    parser.add_argument("--add", action="store_true", help="add to an existing index")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing index")
    parser.add_argument("--delete", nargs="+", metavar="ID", help="delete rows by their ids")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads of the model (default: all)")
    parser.add_argument("--json", action="store_true", help="print a summary as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Make, extend or prune an index."""
    if args.add and args.overwrite:
        raise HeedfulError("--add and --overwrite exclude each other")
    if not args.files and not args.delete:
        raise HeedfulError("nothing to do: give a file, or ids with --delete")
    if args.delete and (args.overwrite or (args.files and not args.add)):
        raise HeedfulError("--delete needs an existing index: use it alone or with --add, without --overwrite")
    start = time.monotonic()
    index = _opened(args) if args.add or args.delete else _created(args)
    with index.writing():
        deleted = index.delete(args.delete) if args.delete else 0
        try:
            added = _add(index, args)
            index.optimise()
        except KeyboardInterrupt:
            note(_stopped(index, args))
            return 130
        except HeedfulError:
            if args.files and index.count():
                note(_stopped(index, args))
            elif not args.add:
                index.drop_if_empty()
            raise
    done = {"index": str(index.path), "rows": index.count(), **asdict(added), "deleted": deleted}
    if args.json:
        print_json({**done, "seconds": round(time.monotonic() - start, 3)})
    elif not args.quiet:
        note(_summary(index, added, deleted))
    return 0


def _opened(args: argparse.Namespace) -> Index:
    index = Index.open(args.out, model=args.model, threads=args.threads)
    for flag, asked, there in (("--text", args.text, index.about.text), ("--id", args.id, index.about.id)):
        if asked is not None and asked != there:
            raise HeedfulError(f"{flag} is {asked!r}, but {args.out} was made with {there!r}: it cannot change")
    return index


def _created(args: argparse.Namespace) -> Index:
    """Create the index, after checking that the model and the first file can be read."""
    path = Path(args.out)
    check_target(path, overwrite=args.overwrite)
    model = load(args.model or "en-base", threads=args.threads)
    if is_documents(args.files[0]):
        _check_document_flags(args)
        return Index.create(path, model, text=TEXT, id=PATH, overwrite=args.overwrite)
    rows = (
        read_rows(args.files[0], faults=reading(args, model.config))
        if args.files[0] != "-"
        else iter([Row({"text": ""}, 1)])
    )
    first = next(rows, None)
    if first is None:
        raise DataError(args.files[0], "no rows: the file is empty, or has nothing after the column names")
    names = list(first.values)
    if args.id is not None and args.id not in names:
        problem = f"no column {args.id!r} (--id). The columns are {listed(names)}.{did_you_mean(args.id, names)}"
        raise DataError(args.files[0], problem)
    hint = model.config.data.text
    if args.text is not None and args.text not in names and "," in args.text:
        raise DataError(args.files[0], f"--text is {args.text!r:.60}: an index has one text column")
    text = text_column(args.files[0], names, args.text or (hint if hint in names else None), label=args.id)
    return Index.create(path, model, text=text, id=args.id, overwrite=args.overwrite)


def _check_document_flags(args: argparse.Namespace) -> None:
    for flag, asked, own in (("--text", args.text, TEXT), ("--id", args.id, PATH)):
        if asked not in (None, own):
            raise HeedfulError(f"{flag} is {asked!r}, but documents have the columns {PATH}, {TITLE} and {TEXT}")


def _add(index: Index, args: argparse.Namespace) -> Added:
    total = Added()
    if not args.files:
        return total
    faults, unreadable = reading(args), BadRows(skip=True)
    with CountProgress(quiet=args.quiet) as progress:
        for file in args.files:
            before = total.read
            part = index.add(
                _rows(file, index, unreadable if is_documents(file) else faults),
                source=file,
                numbers_in_text=Path(file.removesuffix(".gz")).suffix.lower() in NUMBERS_IN_TEXT,
                on_progress=lambda n, before=before: progress(before + n),  # type: ignore[misc]
            )
            total = Added(total.read + part.read, total.new + part.new, total.replaced + part.replaced)
    print_summaries(faults, args)
    for line in unreadable.report:
        note(line)
    if unreadable.n and not index.count():
        raise HeedfulError("no document could be read")
    return total


def _rows(file: str, index: Index, faults: BadRows) -> Iterator[Row]:
    """Yield the rows of a file; documents and lines of plain text go into the text column of the index."""
    if is_documents(file):
        key, text = index.about.id or ID, index.about.text
        for row in read_documents(file, faults=faults):
            yield Row({key: row.values[PATH], TITLE: row.values[TITLE], text: row.values[TEXT]}, 1, row.file)
        return
    rows = read_rows(file, faults=faults)
    first = next(rows, None)
    if first is None:
        return
    if list(first.values) != ["text"]:
        text_column(file, list(first.values), index.about.text)
    for row in itertools.chain([first], rows):
        yield Row({index.about.text: row.values["text"]}, row.line) if list(row.values) == ["text"] else row


def _summary(index: Index, added: Added, deleted: int) -> str:
    twice = added.read - added.new - added.replaced
    parts = [
        f"{n:,} {what}"
        for n, what in (
            (added.new, "new"),
            (added.replaced, "replaced"),
            (twice, "unchanged"),
            (deleted, "deleted"),
        )
        if n
    ]
    return f"{index.path}: {index.count():,} rows ({', '.join(parts) or 'nothing new'})"


def _stopped(index: Index, args: argparse.Namespace) -> str:
    command = [
        "heedful",
        "index",
        *args.files,
        "-o",
        args.out,
        *(["--model", args.model] if args.model else []),
        "--add",
    ]
    rows = f"{index.count():,} rows are in {index.path}, which can be searched"
    return f"stopped: {rows}. To continue: {shlex.join(command)}"
