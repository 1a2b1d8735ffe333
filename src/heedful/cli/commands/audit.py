"""`heedful audit`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import note, out, print_json
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
  heedful audit model test.csv                     # the verdict then stands on every heatmap of this model
  heedful audit model test.csv --html audit.html   # with plots
  heedful audit model test.csv --deep              # trains again, searches for other weights
  heedful audit model test.csv --json | jq .verdict

Stopped by Ctrl-C, it goes on where it was when you run it again.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder")
    parser.add_argument("file", help="file of texts, best ones that the model was not trained on")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the answer; not needed")
    parser.add_argument(
        "--texts", type=int, default=N_TEXTS, metavar="N", help=f"how many, by chance; 0 for all (default: {N_TEXTS})"
    )
    parser.add_argument("--deep", action="store_true", help="checks that train again, and a search for other weights")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is done by chance (default: 0)")
    parser.add_argument("--no-keep", action="store_true", help="leave the model's folder as it is")
    parser.add_argument("--html", metavar="FILE", help="write a report with plots")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument("--json", action="store_true", help="print everything that was measured as JSON")


def main(args: argparse.Namespace) -> int:
    """Test the heatmaps and say what came out."""
    if args.texts < 0:
        raise HeedfulError(f"--texts is {args.texts}, expected 0 (all) or more")
    if args.deep:
        need("torch", feature="--deep", extra="train")
    check_outputs(args, "html")
    model = load(args.model, threads=args.threads)
    try:
        found = _audited(model, args)
    except KeyboardInterrupt:
        if not args.no_keep:
            note("Stopped. What was measured is kept: run the same command again to go on.")
        raise
    if args.html:
        write_page(args.html, audit_page(found))
    if args.json:
        print_json(found.to_dict())
    else:
        out.print(audit_terminal(found))
    if not (args.no_keep or args.quiet):
        note(f"kept in {model.path}: every heatmap of this model now carries the verdict")
    return 0


def _audited(model: Model, args: argparse.Namespace) -> Audit:
    with TextProgress("texts tested", quiet=args.quiet) as progress:
        return audit(
            model,
            args.file,
            text=args.text,
            label=args.label,
            n_texts=args.texts,
            deep=args.deep,
            seed=args.seed,
            keep=not args.no_keep,
            told=progress,
            note=_note_warning if args.quiet else note,
        )


def _note_warning(message: str) -> None:
    if message.startswith("warning:"):
        note(message)
