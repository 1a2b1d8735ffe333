"""`heedful evaluate`."""

from __future__ import annotations

import argparse

from rich.markup import escape
from rich.table import Table

from heedful.cli.console import out, print_json
from heedful.jobs.evaluate import evaluate_file
from heedful.metrics.classify import ClassificationFigures
from heedful.runtime.model import load
from heedful.show.terminal import visible

EXAMPLE = """\
example:
  heedful evaluate model test.csv
  heedful evaluate model test.csv --json | jq .macro_f1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder")
    parser.add_argument("file", help="file of labelled texts")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the answer")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def main(args: argparse.Namespace) -> int:
    """Print figures."""
    model = load(args.model, threads=args.threads)
    figures = evaluate_file(model, args.file, text=args.text, label=args.label)
    if args.json:
        print_json(figures.to_dict())
    else:
        print_figures(figures)
    return 0


def print_figures(figures: ClassificationFigures) -> None:
    """Print accuracy, the figures of each label, and the confusion matrix."""
    out.print(f"accuracy {figures.accuracy:.3f}   macro F1 {figures.macro_f1:.3f}   {figures.n:,} texts")
    table = Table("label", *[_right(name) for name in ("precision", "recall", "F1", "texts")], box=None, pad_edge=False)
    for c in figures.classes:
        table.add_row(_literal(c.label), f"{c.precision:.3f}", f"{c.recall:.3f}", f"{c.f1:.3f}", f"{c.support:,}")
    out.print(table)
    if len(figures.classes) <= 20:
        _print_confusion(figures)


def _print_confusion(figures: ClassificationFigures) -> None:
    names = [_literal(c.label) for c in figures.classes]
    table = Table("true \\ answered", *[_right(name) for name in names], box=None, pad_edge=False)
    for name, row in zip(names, figures.confusion, strict=True):
        table.add_row(name, *[str(n) if n else "·" for n in row])
    out.print()
    out.print(table)


def _literal(label: str) -> str:
    """Return a label that rich shows as it is."""
    return escape(visible(label))


def _right(name: str):  # type: ignore[no-untyped-def]
    from rich.table import Column

    return Column(name, justify="right")
