"""`heedful predict`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from heedful.cli.console import print_json
from heedful.cli.inputs import add_model_and_inputs, files_or_texts
from heedful.cli.progress import CountProgress
from heedful.errors import HeedfulError
from heedful.jobs.sinks import open_sink
from heedful.jobs.stream import as_chunk, chunks, predict_stream, run_stream
from heedful.runtime.model import Model, load
from heedful.show.visible import one_line

EXAMPLE = """\
example:
  heedful predict model "Arrived in two days, very happy."
  heedful predict model new.csv --text review -o labelled.csv
  cat lines.txt | heedful predict model - --json

Without -o a file's answers go to stdout, one line each: label, probability, text. Files larger than memory are fine.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="csv, tsv, jsonl or parquet: the rows with `predicted` and `probability`"
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines, with all probabilities")


def main(args: argparse.Namespace) -> int:
    """Label texts."""
    if args.out and args.json:
        raise HeedfulError("-o writes a file and --json prints: give one of them")
    model = load(args.model, threads=args.threads)
    files, texts = files_or_texts(args.inputs)
    source = [as_chunk(texts)] if texts else chunks(files, text=args.text, hint=model.config.data.text)
    if args.out:
        with open_sink(Path(args.out)) as sink, CountProgress(quiet=args.quiet) as told:
            run_stream(model, source, sink, predict_stream, told=told)
        return 0
    for chunk in source:
        _print(model, [text for _, text in chunk], as_json=args.json)
    return 0


def _print(model: Model, texts: list[str], *, as_json: bool) -> None:
    if model.is_regressor:
        _print_numbers(model, texts, as_json=as_json)
        return
    for text, row in zip(texts, model.predict_proba(texts), strict=True):
        label = model.labels[int(row.argmax())]
        if as_json:
            probabilities = {name: round(float(p), 6) for name, p in zip(model.labels, row, strict=True)}
            print_json({"text": text, "label": label, "probabilities": probabilities})
        else:
            sys.stdout.write(f"{one_line(label)}\t{row.max():.3f}\t{one_line(text)}\n")


def _print_numbers(model: Model, texts: list[str], *, as_json: bool) -> None:
    for text, value in zip(texts, model.predict(texts), strict=True):
        if as_json:
            print_json({"text": text, model.labels[0]: value})
        else:
            sys.stdout.write(f"{value:.4g}\t{one_line(text)}\n")
