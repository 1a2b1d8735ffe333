"""`heedful hops`."""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.inputs import check_outputs
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.progress import CountProgress
from heedful.data.columns import LABEL_NAMES, label_column
from heedful.data.example import Row
from heedful.errors import DataError, HeedfulError
from heedful.explain.hops.atlas import HopAtlas
from heedful.explain.hops.statistics import hop_atlas
from heedful.jobs.run_files import chunks
from heedful.jobs.train.write_hops import keep_atlas
from heedful.runtime.model import Model, load
from heedful.show.hops.page import hops_page
from heedful.show.hops.terminal import hops_view

TEXTS = 2000
WORDS = 8

EXAMPLE = """\
example:
  heedful hops model reviews.csv
  heedful hops model reviews.csv --html hops.html      # a map, and examples for every hop
  heedful hops model reviews.csv --texts 0 --json | jq .needed
  heedful hops model reviews.csv --keep                # stays with the model: whoever serves it can show it

What a hop reads is shown by label as well: by the file's label column, or else by the model's answers.
"""

Labelled = tuple[str, str | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder, or the name of an encoder that comes with heedful")
    parser.add_argument("file", help="csv, tsv, jsonl, parquet or txt file of texts; - for lines from stdin")
    parser.add_argument(
        "--texts", type=int, default=TEXTS, metavar="N", help=f"read N texts at random; 0 for all (default {TEXTS:,})"
    )
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the label")
    parser.add_argument(
        "--words", type=int, default=WORDS, metavar="N", help=f"words shown of each hop (default {WORDS})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed takes other texts (default 0)")
    parser.add_argument("--html", metavar="FILE", help="write a page that needs nothing else")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--keep", action="store_true", help="write it into the model's folder too, with stretches of the texts in it"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def main(args: argparse.Namespace) -> int:
    """Show what each hop reads."""
    if args.html and args.json:
        raise HeedfulError("--html writes a page and --json prints: give one of them")
    if args.text is not None and args.text == args.label:
        raise DataError(args.file, f"column {args.text!r} cannot be both the text and the label")
    for name, given, least in (("texts", args.texts, 0), ("words", args.words, 1)):
        if given < least:
            raise HeedfulError(f"--{name} is {given}, expected at least {least}")
    check_outputs(args, "html")
    model = load(args.model, threads=args.threads)
    atlas = _atlas(model, args)
    if args.keep:
        note(f"kept in {keep_atlas(model, atlas)}")
    if args.json:
        print_json(atlas.to_dict())
    elif args.html:
        write_page(args.html, hops_page(atlas))
    else:
        out.print(hops_view(atlas, width=out.width))
    return 0


def _atlas(model: Model, args: argparse.Namespace) -> HopAtlas:
    rows = (row for chunk in chunks([args.file], text=args.text, hint=model.config.data.text) for row in chunk)
    first = next(rows, None)
    if first is None:
        raise DataError(args.file, "no texts: the file is empty, or has nothing after the column names")
    column = _label_column(args.file, first[0], asked=args.label, hint=model.config.data.label)
    found = ((text, _label(row, column)) for row, text in itertools.chain([first], rows))
    one, two = itertools.tee(sample(found, args.texts, seed=args.seed) if args.texts else found)
    labels = (label for _, label in two) if column else None
    with CountProgress(quiet=args.quiet) as told:
        return hop_atlas(model, (text for text, _ in one), labels, words=args.words, file=args.file, told=told)


def _label_column(path: str, row: Row, *, asked: str | None, hint: str | None) -> str | None:
    """Return the label column: as asked, that of training, or one that is plainly named so."""
    columns = list(row.values)
    if asked is not None:
        return label_column(path, columns, asked)
    if hint in columns:
        return hint
    named = [name for name in columns if name.lower() in LABEL_NAMES]
    return named[0] if len(named) == 1 else None


def _label(row: Row, column: str | None) -> str | None:
    value = None if column is None else row.values.get(column)
    return None if value is None or value != value else str(value).strip() or None  # NaN is not itself


def sample(rows: Iterator[Labelled], n: int, *, seed: int) -> Iterator[Labelled]:
    """Yield n of the rows, each as likely as any other, in their order; no more than n are held."""
    rng = random.Random(seed)
    kept: dict[int, Labelled] = {}
    places: list[int] = []
    for i, row in enumerate(rows):
        if i < n:
            places.append(i)
        elif (j := rng.randrange(i + 1)) < n:
            del kept[places[j]]
            places[j] = i
        else:
            continue
        kept[i] = row
    yield from kept.values()
