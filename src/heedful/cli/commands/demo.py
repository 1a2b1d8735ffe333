"""`heedful demo`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.shared.console import out, print_json
from heedful.cli.shared.explain.texts import show_explanation
from heedful.errors import need
from heedful.jobs.sample_files import write_messages

if TYPE_CHECKING:
    from heedful.jobs.demo import DemoResult

EXAMPLE = """\
example:
  heedful demo
  heedful demo --out /tmp/demo --json
  heedful demo --files .             # write its messages as messages.csv and test.csv, to try other commands on
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("-o", "--out", default="demo", help="folder for the model and report.html (default: demo)")
    parser.add_argument("--json", action="store_true", help="print the metrics as JSON")
    parser.add_argument("--files", metavar="FOLDER", help="only write the messages there: messages.csv and test.csv")


def main(args: argparse.Namespace) -> int:
    """Run the demo and print its results."""
    if args.files is not None:
        for path in write_messages(Path(args.files)):
            out.print(f"written to {path}", markup=False, soft_wrap=True)
        return 0
    need("torch", feature="Training", extra="train")
    from heedful.cli.shared.progress import TrainingProgress
    from heedful.cli.shared.training import said_when_interrupted
    from heedful.jobs.demo import run_demo

    sentence = f"Stopped: the demo is not finished. Run it again: {args.out} is overwritten."
    with said_when_interrupted(lambda: sentence), TrainingProgress(quiet=args.json) as progress:
        result = run_demo(Path(args.out), watcher=progress)
    if args.json:
        print_json({"ours": result.ours.to_dict(), "tfidf": result.rival, "report": str(result.report)})
    else:
        _tell(result)
    return 0


def _tell(result: DemoResult) -> None:
    out.print(f"\nTest accuracy on {result.ours.n} messages (5 topics)", style="bold")
    out.print(
        f"  heedful                        {result.ours.accuracy:.3f}   (trained here in {result.train_seconds:.0f} s)"
    )
    if result.rival is not None:
        out.print(f"  tf-idf + logistic regression   {result.rival:.3f}")
    else:
        out.print("  tf-idf + logistic regression   not measured: scikit-learn is not installed")
    out.print("\nWhat each word adds to the answer (blue: for it; orange and underlined: against it)\n", style="bold")
    for explanation in result.explanations:
        show_explanation(explanation)
    if result.explanations:
        verdict = result.explanations[0].verdict
        out.print("Can these numbers be trusted?", style="bold")
        out.print(verdict.words, style="yellow" if verdict.is_warning else "green", markup=False)
    out.print("\nTry next", style="bold")
    for line in (
        f"open {result.report} and {result.audit_report}",
        f'heedful explain {result.model} "the driver was lovely but my parcel is still missing" --flip',
        f"heedful info {result.model}",
        "heedful train your.csv --text TEXT_COLUMN --label LABEL_COLUMN --out my-model",
    ):
        out.print(f"  {line}", markup=False, soft_wrap=True)
