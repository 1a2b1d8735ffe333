"""`heedful hops`."""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import FILES, add_file_flags, print_summaries, reading
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
  heedful hops model reviews.csv --keep                # save it with the model, for `heedful serve`

What a hop reads is shown by label too: by the file's label column, or else by the predicted labels.
"""

Labelled = tuple[str, str | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder, or the name of an encoder that comes with heedful")
    parser.add_argument("file", help=f"file of texts: {FILES}")
    parser.add_argument(
        "--texts",
        type=int,
        default=TEXTS,
        metavar="N",
        help=f"size of the random sample; 0 for all (default {TEXTS:,})",
    )
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the label")
    parser.add_argument(
        "--words", type=int, default=WORDS, metavar="N", help=f"words to show for each hop (default {WORDS})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the sample (default 0)")
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--keep", action="store_true", help="also save it in the model's folder, including excerpts of the texts"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


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
        note(f"saved in {keep_atlas(model, atlas)}")
    if args.json:
        print_json(atlas.to_dict())
    elif args.html:
        write_page(args.html, hops_page(atlas))
    else:
        out.print(hops_view(atlas, width=out.width))
    return 0


def _atlas(model: Model, args: argparse.Namespace) -> HopAtlas:
    faults = reading(args, model.config)
    hint = model.config.data.text
    rows = (row for chunk in chunks([args.file], text=args.text, hint=hint, faults=faults) for row in chunk)
    first = next(rows, None)
    if first is None:
        raise DataError(args.file, "no texts: the file is empty, or has nothing after the column names")
    column = _label_column(args.file, first[0], asked=args.label, hint=model.config.data.label)
    labelled = ((text, _label(row, column)) for row, text in itertools.chain([first], rows))
    for_texts, for_labels = itertools.tee(sample(labelled, args.texts, seed=args.seed) if args.texts else labelled)
    texts = (text for text, _ in for_texts)
    labels = (label for _, label in for_labels) if column else None
    with CountProgress(quiet=args.quiet) as progress:
        atlas = hop_atlas(model, texts, labels, words=args.words, file=args.file, on_progress=progress)
    print_summaries(faults, args)
    return atlas


def _label_column(path: str, row: Row, *, asked: str | None, hint: str | None) -> str | None:
    """Return the label column: as asked, that of the training data, or one with an unambiguous name."""
    columns = list(row.values)
    if asked is not None:
        return label_column(path, columns, asked)
    if hint in columns:
        return hint
    named = [name for name in columns if name.lower() in LABEL_NAMES]
    return named[0] if len(named) == 1 else None


def _label(row: Row, column: str | None) -> str | None:
    value = None if column is None else row.values.get(column)
    return None if value is None or value != value else str(value).strip() or None  # NaN is not equal to itself


def sample(rows: Iterator[Labelled], n: int, *, seed: int) -> Iterator[Labelled]:
    """Yield a uniform sample of n rows in their order, by reservoir sampling."""
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
