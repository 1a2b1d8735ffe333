"""`heedful evaluate`."""

from __future__ import annotations

import argparse
from typing import cast

from rich.markup import escape
from rich.table import Column, Table

from heedful.cli.shared.beam_flag import add_beam, set_beam
from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import FILES, add_file_flags, print_summaries, reading
from heedful.cli.shared.inputs import add_edges, add_skip_bad, loaded
from heedful.inputs import INPUTS
from heedful.jobs.evaluate import evaluate_file
from heedful.show.kit.text.sanitise import visible
from heedful.tasks.classify.metrics import ClassificationMetrics

MOST_LABELS = 30  # in a confusion matrix on a screen

EXAMPLE = """\
example:
  heedful evaluate model test.csv
  heedful evaluate model test.csv --json | jq .macro_f1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder")
    parser.add_argument("file", help=f"labelled texts: {FILES}")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the label")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("--json", action="store_true", help="print the metrics as JSON")
    add_edges(parser)
    add_skip_bad(parser)
    add_beam(parser)
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Print the metrics of a model."""
    model = loaded(args)
    faults = reading(args, model.config)
    set_beam(model, args.beam)
    figures = evaluate_file(model, args.file, text=args.text, label=args.label, faults=faults, on_note=note)
    print_summaries(faults, args)
    if args.json:
        print_json(figures.to_dict() | ({"left_out": faults.n} if faults.n else {}))
    elif hasattr(figures, "confusion"):
        print_metrics(cast("ClassificationMetrics", figures), kind=model.config.input)
    else:
        out.print(visible(model.input.wording.rename_end(figures.sentence)), markup=False, soft_wrap=True)
    for line in faults.report:
        note(line)
    return 0


def print_metrics(figures: ClassificationMetrics, *, kind: str = "text") -> None:
    """Print accuracy, the metrics of each label, and the confusion matrix."""
    wording = INPUTS[kind].wording
    out.print(wording.rename_end(figures.sentence))
    name, *numbers, unit = figures.table.columns
    table = Table("", name, *_right(*numbers, wording.rename(unit)), box=None, pad_edge=False)
    for i, (label, *cells) in enumerate(figures.table.rows, start=1):
        table.add_row(str(i), _literal(label), *cells)
    out.print(table)
    if len(figures.classes) <= MOST_LABELS:
        _print_confusion(figures)
    else:
        out.print(f"\nThe confusion matrix of {len(figures.classes)} labels is left out; --json has it.")


def _print_confusion(figures: ClassificationMetrics) -> None:
    """Print the matrix; columns are headed by the numbers of the labels, to save width."""
    numbers = [str(i) for i in range(1, len(figures.classes) + 1)]
    table = Table("", "true \\ answered", *_right(*numbers), box=None, pad_edge=False)
    for number, c, row in zip(numbers, figures.classes, figures.confusion, strict=True):
        table.add_row(number, _literal(c.label), *[str(n) if n else "·" for n in row])
    out.print()
    out.print(table, width=max(out.width, table.columns[1].min_width or 0, 20 + 6 * len(numbers)))


def _literal(label: str) -> str:
    """Return a label without markup for rich."""
    return escape(visible(label))


def _right(*names: str) -> list[Column]:
    return [Column(name, justify="right", no_wrap=True) for name in names]
