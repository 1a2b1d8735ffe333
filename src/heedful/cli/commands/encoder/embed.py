"""`heedful embed`."""

from __future__ import annotations

import argparse
from functools import partial

from heedful.cli.shared.console import print_json
from heedful.cli.shared.engine import add_engine, check_no_engine, through_engine
from heedful.cli.shared.file_flags import print_summaries, reading
from heedful.cli.shared.inputs import add_model_and_inputs, check_outputs, files_or_texts, sources_of
from heedful.cli.shared.progress import CountProgress
from heedful.errors import HeedfulError
from heedful.jobs.output.sinks import opened
from heedful.jobs.run_files import embed_stream, run_stream
from heedful.runtime.model import load
from heedful.runtime.vector_form import DTYPES, VectorForm

EXAMPLE = """\
example:
  heedful embed model corpus.txt.gz -o vectors.parquet
  heedful embed model reviews.csv --text review -o vectors.npy --normalize
  heedful embed en-base notes.jsonl -o vectors.npy --width 128 --dtype int8
  heedful embed en-small "one text"
  heedful embed en-base 'in/*.parquet' -o out/ --engine ray    # in parts, by workers; run it again to resume

Files may be larger than memory: they are read in chunks. Several files are written to one output, in order.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="parquet, npy or jsonl (needed for files), - for JSON lines on stdout; a folder with --engine",
    )
    parser.add_argument("--normalize", action="store_true", help="scale every vector to length 1")
    parser.add_argument("--normalise", dest="normalize", action="store_true", help=argparse.SUPPRESS)  # old spelling
    parser.add_argument("--width", type=int, metavar="N", help="keep the first N numbers of each vector")
    parser.add_argument("--dtype", choices=DTYPES, default="float32", help="int8: one byte per number, same direction")
    parser.add_argument(
        "--json", action="store_true", help="print texts' vectors as JSON lines (the default for texts)"
    )
    add_engine(parser)


def main(args: argparse.Namespace) -> int:
    """Turn texts into vectors."""
    form = {"normalize": args.normalize, "width": args.width, "dtype": args.dtype}
    if args.engine:
        return through_engine("embed", args, **form)
    check_no_engine(args)
    check_outputs(args, "out")
    model = load(args.model, threads=args.threads)
    files, texts = files_or_texts(args.inputs, model)
    if files and not args.out:
        raise HeedfulError("vectors of a file need an output file: -o vectors.parquet (or .npy, .jsonl)")
    VectorForm(**form).check(model.width)
    if texts and not args.out:
        for text, vector in zip(texts, model.embed(texts, **form), strict=True):
            print_json({"text": text, "vector": [float(f"{x:.7g}") for x in vector.tolist()]})
        return 0
    faults = reading(args, model.config)
    with opened(args.out) as sink, CountProgress(quiet=args.quiet) as progress:
        run_stream(model, sources_of(model, args, faults), sink, partial(embed_stream, **form), on_progress=progress)
    print_summaries(faults, args)
    return 0
