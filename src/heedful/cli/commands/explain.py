"""`heedful explain`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from typing import Any, Protocol

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
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.picture import write_picture
from heedful.cli.shared.progress import CountProgress
from heedful.data.bad_rows import BadRows
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, METHODS
from heedful.jobs.run_files import Chunk
from heedful.lazy import imported
from heedful.runtime.model import Model

MOST = 200  # texts on one page or screen
ATTENTION = "attention"


class ExplainCommand(Protocol):
    """The parts of `heedful explain` that differ from task to task: a module of cli/shared/."""

    MOST: int  # explanations on one page or screen
    INPUTS: str  # name of the inputs

    def check(self, args: argparse.Namespace, model: Any) -> None:
        """Raise if a flag is not for this model."""

    def explanations(self, args: argparse.Namespace, model: Any, chunks: Iterator[Chunk]) -> Iterator[Any]:
        """Yield an explanation for each input."""

    def values(self, args: argparse.Namespace, model: Any, explanation: Any) -> dict[str, Any]:
        """Return plain values for JSON."""

    def page(self, args: argparse.Namespace, model: Any, explanations: list[Any]) -> str:
        """Return an HTML page."""

    def show(self, args: argparse.Namespace, model: Any, explanations: list[Any]) -> None:
        """Print to the terminal."""


EXAMPLE = """\
example:
  heedful explain model "The food was great, but we waited an hour."
  heedful explain model "..." --hops                    # every hop on its own line
  heedful explain model "..." --flip                    # the fewest words whose removal changes the prediction
  heedful explain model "..." --label refund            # what speaks for and against this label
  heedful explain model "..." --methods leave-one-out,gradient,integrated
  heedful explain model "..." --png picture.png         # or --svg picture.svg
  heedful explain pairs "A man sleeps." "A man runs."   # a pair model: both texts side by side
  heedful explain model reviews.csv --html page.html
  heedful explain model reviews.csv --json > explanations.jsonl
  heedful explain model in/ -o out/ --engine ray --form jsonl      # a folder, in parts, by workers
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument("--hops", action="store_true", help="show each hop as well")
    parser.add_argument("--hop", type=int, metavar="N", help="show this hop's weights instead of the overall ones")
    parser.add_argument(
        "--word", metavar="N", help="for a tagger: the word whose tag is explained; for a graph, a node's name"
    )
    parser.add_argument("--label", metavar="LABEL", help="explain this label (default: the predicted one)")
    parser.add_argument(
        "--methods",
        metavar="NAMES",
        help=f"checks beside the contributions: {', '.join(METHODS)}; separated by commas (default: none; "
        f"{LEAVE_ONE_OUT} for a model without contributions)",
    )
    parser.add_argument(
        "--flip", action="store_true", help="find the fewest words whose removal changes the prediction"
    )
    parser.add_argument("--html", metavar="FILE", help=f"write a self-contained page (the first {MOST} texts)")
    parser.add_argument("--svg", metavar="FILE", help="write a picture of one text")
    parser.add_argument("--png", metavar="FILE", help="write a picture of one text")
    parser.add_argument("--json", action="store_true", help="print JSON lines: words, contributions, weights, …")
    add_edges(parser)
    add_skip_bad(parser)
    add_beam(parser)
    parser.add_argument("-o", "--out", metavar="FOLDER", help="with --engine: folder for the parts")
    add_engine(parser)


def main(args: argparse.Namespace) -> int:
    """Show which words the model reads."""
    if args.engine:
        return through_engine("explain", args, methods=args.methods, label=args.label)
    check_no_engine(args)
    if args.out:
        raise HeedfulError("-o goes with --engine ray. For a file of JSON lines: --json > FILE")
    outputs = [name for name in ("html", "svg", "png", "json") if getattr(args, name)]
    if len(outputs) > 1:
        raise HeedfulError(f"give one of --{' and --'.join(outputs)}")
    if args.flip and (args.svg or args.png):
        raise HeedfulError("--flip is not shown in pictures: use --html, --json or the terminal")
    check_outputs(args, "html", "svg", "png")
    model = loaded(args)
    faults = reading(args, model.config)
    set_beam(model, args.beam)
    command: ExplainCommand = imported(model.task.explain_command)
    command.check(args, model)
    stream = command.explanations(args, model, sources_of(model, args, faults))
    if args.json:
        _print_json(args, model, command, stream, faults)
    else:
        _draw(args, model, command, stream, faults)
    print_summaries(faults, args)
    for line in faults.report:
        note(line)
    return 0


def _print_json(
    args: argparse.Namespace, model: Model, command: ExplainCommand, stream: Iterator[Any], faults: BadRows
) -> None:
    done = 0
    with CountProgress(quiet=args.quiet) as progress:
        for done, explanation in enumerate(stream, start=1):
            print_json(command.values(args, model, explanation))
            progress(done)
    check_some_left(done, faults)


def _draw(
    args: argparse.Namespace, model: Model, command: ExplainCommand, stream: Iterator[Any], faults: BadRows
) -> None:
    explanations = list(itertools.islice(stream, command.MOST))
    check_some_left(len(explanations), faults, needed=True)
    if next(stream, None) is not None:
        note(f"showing the first {command.MOST} {command.INPUTS}; --json gives all")
    if args.html:
        write_page(args.html, command.page(args, model, explanations))
    elif args.svg or args.png:
        write_picture(explanations, svg=args.svg, png=args.png)
    else:
        command.show(args, model, explanations)
