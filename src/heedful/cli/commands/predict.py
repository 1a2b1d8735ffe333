"""`heedful predict`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from heedful.cli.shared.beam_flag import add_beam, set_beam
from heedful.cli.shared.console import note, print_json
from heedful.cli.shared.engine import add_engine, check_no_engine, through_engine
from heedful.cli.shared.file_flags import print_summaries, reading
from heedful.cli.shared.inputs import (
    add_edges,
    add_model_and_inputs,
    add_skip_bad,
    check_outputs,
    check_some_left,
    loaded,
    sources_of,
)
from heedful.cli.shared.progress import CountProgress
from heedful.data.example import texts_in
from heedful.errors import HeedfulError
from heedful.jobs.output.sinks import opened
from heedful.jobs.run_files import predict_stream, run_stream
from heedful.runtime.model import Model
from heedful.show.kit.text.sanitise import one_line

EXAMPLE = """\
example:
  heedful predict model "Arrived in two days, very happy."
  heedful predict model new.csv --text review -o labelled.csv
  cat lines.txt | heedful predict model - --json
  zcat big.csv.gz | heedful predict model - --text review -o - | head    # a table; -o - writes csv to stdout
  heedful predict pairs "A man sleeps." "Nobody is awake."   # a pair model takes two texts, or a file of pairs
  heedful predict translator english.txt --beam 10 -o german.csv
  heedful predict tagger new.conll > tagged.conll       # a token and its tag on each line
  heedful predict model in/ -o out/ --engine ray        # a folder, in parts, by workers; run it again to resume

Without -o, predictions are printed, one per line: label, probability, text. Files may be larger than memory.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="csv, tsv, jsonl or parquet: the rows with `predicted` and `probability`; - for csv on stdout",
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines, with all probabilities")
    parser.add_argument(
        "--safe-csv",
        action="store_true",
        help="put an apostrophe before csv and tsv cells that a spreadsheet would run as a formula",
    )
    add_edges(parser)
    add_skip_bad(parser)
    add_beam(parser)
    add_engine(parser)


def main(args: argparse.Namespace) -> int:
    """Predict for texts or other inputs."""
    if args.engine:
        return through_engine("predict", args, **({} if args.beam is None else {"beam": args.beam}))
    check_no_engine(args)
    if args.out and args.json:
        raise HeedfulError("-o writes a file and --json prints: give one of them")
    check_outputs(args, "out")
    if args.safe_csv and not (args.out and (args.out.endswith((".csv", ".tsv")) or args.out == "-")):
        raise HeedfulError("--safe-csv goes with -o FILE.csv or FILE.tsv")
    model = loaded(args)
    faults = reading(args, model.config)
    set_beam(model, args.beam)
    source = sources_of(model, args, faults)
    if args.out:
        with opened(args.out, safe_csv=args.safe_csv) as sink, CountProgress(quiet=args.quiet) as progress:
            done = run_stream(model, source, sink, predict_stream, on_progress=progress)
            check_some_left(done, faults)
    else:
        done = 0
        for chunk in source:
            _print(model, [text for _, text in chunk], as_json=args.json)
            sys.stdout.flush()  # for the next program of a pipe
            done += len(chunk)
        check_some_left(done, faults)
    print_summaries(faults, args)
    for line in faults.report:
        note(line)
    return 0


def _print(model: Model, sources: list[Any], *, as_json: bool) -> None:
    for source, answer in zip(sources, model.answers(sources), strict=True):
        if as_json:
            print_json({"text": named(source), **answer.values})
        elif answer.block is not None:
            sys.stdout.write("\n".join(map(visible_line, answer.block.split("\n"))) + "\n\n")
        else:
            sys.stdout.write(f"{visible_line(answer.line)}\t{one_line(named(source))}\n")


def named(source: Any) -> str:
    """Return an input as text: tokens joined by spaces, two texts by a bar."""
    if isinstance(source, str):
        return source
    if len(texts := texts_in(source)) > 1:
        return " | ".join(texts)
    if isinstance(source, (list, tuple)):
        return " ".join(map(str, source))
    if (shape := getattr(source, "shape", None)) is not None:
        return f"{len(source)} vectors" if len(shape) == 2 else "1 vector"
    return str(getattr(source, "name", "") or type(source).__name__)


def visible_line(line: str) -> str:
    """Return a line without control characters other than its tabs."""
    return "\t".join(one_line(cell) for cell in line.split("\t"))
