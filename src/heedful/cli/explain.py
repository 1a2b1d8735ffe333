"""`heedful explain`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

from heedful.cli.console import note, out, print_json
from heedful.cli.inputs import add_model_and_inputs, files_or_texts
from heedful.errors import HeedfulError
from heedful.explain.explanation import Explanation
from heedful.jobs.stream import chunks
from heedful.runtime.model import Model, load
from heedful.show.page import page
from heedful.show.terminal import heatmap, plain

MOST = 200  # texts on one page or screen

EXAMPLE = """\
example:
  heedful explain model "The food was great, but we waited an hour."
  heedful explain model "..." --hops           # every hop on its own line
  heedful explain model reviews.csv --html page.html
  heedful explain model reviews.csv --json > explanations.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument("--hops", action="store_true", help="show each hop as well")
    parser.add_argument("--html", metavar="FILE", help=f"write a page that needs nothing else (the first {MOST} texts)")
    parser.add_argument("--json", action="store_true", help="print JSON lines: words, offsets, weights, probabilities")


def main(args: argparse.Namespace) -> int:
    """Show which words the model reads."""
    if args.html and args.json:
        raise HeedfulError("--html writes a page and --json prints: give one of them")
    model = load(args.model, threads=args.threads)
    files, texts = files_or_texts(args.inputs)
    stream = _explanations(model, files, texts, args.text)
    if args.json:
        for explanation in stream:
            print_json(explanation.to_dict())
        return 0
    shown = list(itertools.islice(stream, MOST))
    if next(stream, None) is not None:
        note(f"showing the first {MOST} texts; --json gives all")
    if args.html:
        _write_page(Path(args.html), shown)
        return 0
    for explanation in shown:
        show(explanation, hops=args.hops)
    if shown:
        out.print(shown[0].verdict, style="yellow", markup=False)
    return 0


def show(explanation: Explanation, *, hops: bool = False) -> None:
    """Print one heatmap."""
    out.print(plain(explanation), markup=False, style="bold")
    out.print(heatmap(explanation))
    if explanation.warning:
        out.print(explanation.warning, style="yellow", markup=False)
    if hops:
        for i in range(len(explanation.weights)):
            out.print(f"  hop {i + 1}:", style="dim", end=" ")
            out.print(heatmap(explanation, hop=i))
    out.print()


def _explanations(model: Model, files: list[str], texts: list[str], column: str | None) -> Iterator[Explanation]:
    if texts:
        yield from model.explain(texts)
    else:
        for chunk in chunks(files, text=column, hint=model.config.data.text):
            yield from model.explain([text for _, text in chunk])


def _write_page(path: Path, explanations: list[Explanation]) -> None:
    try:
        path.write_text(page(explanations), encoding="utf-8")
    except OSError as error:
        raise HeedfulError(f"{path} cannot be written: {error.strerror}") from None
    note(f"page written to {path}")
