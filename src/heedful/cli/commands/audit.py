"""`heedful audit`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import add_file_flags, print_summaries, reading
from heedful.cli.shared.inputs import check_outputs
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.progress import TextProgress
from heedful.errors import HeedfulError, need
from heedful.explain.audit.audit import Audit
from heedful.jobs.audit.audit import N_TEXTS, audit
from heedful.runtime.model import Model, load
from heedful.show.audit.page import audit_page
from heedful.show.audit.terminal import audit_terminal

EXAMPLE = """\
example:
  heedful audit model test.csv                     # every heatmap of this model then carries the verdict
  heedful audit model test.csv --html audit.html   # with plots
  heedful audit model test.csv --deep              # retrains the model, and searches for other weights
  heedful audit model test.csv --json | jq .verdict

After Ctrl-C, run the same command again to resume.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder")
    parser.add_argument("file", help="file of texts, preferably not from the training data")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the label (optional)")
    parser.add_argument(
        "--texts",
        type=int,
        default=N_TEXTS,
        metavar="N",
        help=f"size of the random sample; 0 for all (default: {N_TEXTS})",
    )
    parser.add_argument(
        "--deep", action="store_true", help="also run the checks that retrain, and search for other weights"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--no-keep", action="store_true", help="do not write to the model's folder")
    parser.add_argument("--html", metavar="FILE", help="write a report with plots")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument("--json", action="store_true", help="print all measurements as JSON")
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Test the heatmaps and print the result."""
    if args.texts < 0:
        raise HeedfulError(f"--texts is {args.texts}, expected 0 (all) or more")
    if args.deep:
        need("torch", feature="--deep", extra="train")
    check_outputs(args, "html")
    model = load(args.model, threads=args.threads)
    try:
        result = _audited(model, args)
    except KeyboardInterrupt:
        if not args.no_keep:
            note("Stopped. Progress is saved: run the same command again to resume.")
        raise
    if args.html:
        write_page(args.html, audit_page(result))
    if args.json:
        print_json(result.to_dict())
    else:
        out.print(audit_terminal(result))
    if not (args.no_keep or args.quiet):
        note(f"saved in {model.path}: every heatmap of this model now carries the verdict")
    return 0


def _audited(model: Model, args: argparse.Namespace) -> Audit:
    faults = reading(args, model.config)
    with TextProgress("texts tested", quiet=args.quiet) as progress:
        result = audit(
            model,
            args.file,
            text=args.text,
            label=args.label,
            n_texts=args.texts,
            deep=args.deep,
            seed=args.seed,
            keep=not args.no_keep,
            faults=faults,
            on_progress=progress,
            on_note=_note_warning if args.quiet else note,
        )
    print_summaries(faults, args)
    return result


def _note_warning(message: str) -> None:
    if message.startswith("warning:"):
        note(message)
