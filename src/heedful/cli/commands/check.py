"""`heedful check`."""

from __future__ import annotations

import argparse
from pathlib import Path

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import FILES, add_file_flags, reading
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.stage_progress import StageProgress
from heedful.data.columns import Columns
from heedful.errors import HeedfulError
from heedful.explain.check.results import Check
from heedful.files.same_file import check_not_input
from heedful.jobs.check.check import check_data
from heedful.jobs.check.fixes import apply_fixes, read_fixes, write_fixes
from heedful.jobs.check.run import MOST_ROWS
from heedful.jobs.check.source import open_data
from heedful.runtime.model import load
from heedful.show.check.page import check_page
from heedful.show.check.terminal import TOP, check_terminal

INTERRUPTED = 130
STDIN = "-"

EXAMPLE = """\
example:
  heedful check messages.csv                              # labels, duplicates, shortcuts, faulty rows
  heedful check messages.csv --test test.csv --html check.html
  heedful check test.csv --model topics                   # labels judged by a model that was not trained on them

  heedful check messages.csv --fixes fixes.csv            # a table of suspicious rows: fill in its last column
  heedful check messages.csv --fixed fixes.csv -o corrected.csv

The file itself is never changed. Ctrl-C prints what is known by then.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", help=f"labelled texts: {FILES}")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--label", metavar="NAME", help="name of the column with the label")
    parser.add_argument("--test", metavar="FILE", help="file whose texts should not be among these")
    parser.add_argument("--model", metavar="FOLDER", help="model that judges the labels if it was not trained on them")
    parser.add_argument(
        "--rows",
        type=int,
        default=MOST_ROWS,
        metavar="N",
        help=f"most rows whose labels are judged, a random sample; 0 for all (default: {MOST_ROWS:,})",
    )
    parser.add_argument(
        "--labels", action=argparse.BooleanOptionalAction, default=True, help="judge the labels (default: yes)"
    )
    parser.add_argument(
        "--curve", action=argparse.BooleanOptionalAction, default=True, help="measure what more data would bring"
    )
    parser.add_argument("--top", type=int, default=TOP, metavar="N", help=f"suspicious rows to print (default: {TOP})")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--fixes", metavar="FILE", help="write a table of suspicious rows to correct the labels in")
    parser.add_argument("--fixed", metavar="FILE", help="take back such a table, and write corrected data to --out")
    parser.add_argument("-o", "--out", metavar="FILE", help="new file for the corrected data")
    parser.add_argument(
        "--new-labels", action="store_true", help="allow corrections with labels that are not in the data"
    )
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads of the model (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Check data and print what was found; or apply corrections."""
    _check_arguments(args)
    if args.fixed:
        return _apply(args)
    faults = reading(args)
    model = load(args.model, threads=args.threads) if args.model else None
    notes: list[str] = []
    with StageProgress(quiet=args.quiet) as progress:
        result = check_data(
            args.file,
            asked=Columns(args.text, args.label),
            form=faults.form,
            test=args.test,
            model=model,
            labels=args.labels,
            curve=args.curve,
            rows=args.rows,
            seed=args.seed,
            on_stage=progress,
            on_note=notes.append,
        )
    for line in [] if args.quiet or args.json else notes:
        note(line)
    if result.is_stopped:
        note(result.notes[0])
    _write(result, args)
    return INTERRUPTED if result.is_stopped else 0


def _check_arguments(args: argparse.Namespace) -> None:
    inputs = [path for path in (args.file, args.test, args.fixed) if path]
    for flag, path in (("--html", args.html), ("--fixes", args.fixes), ("-o", args.out)):
        check_not_input(path, inputs, flag=flag)
    if bool(args.fixed) != bool(args.out):
        raise HeedfulError("--fixed and -o go together: heedful check DATA --fixed fixes.csv -o corrected.csv")
    if (args.fixes or args.fixed) and args.file == STDIN:
        raise HeedfulError("corrections need a file: standard input can be read only once")
    for flag, value in (("--rows", args.rows), ("--top", args.top)):
        if value < 0:
            raise HeedfulError(f"{flag} is {value}, expected 0 or more")


def _write(result: Check, args: argparse.Namespace) -> None:
    if args.fixes:
        data = open_data(args.file, Columns(args.text, args.label), form=reading(args).form)
        n = write_fixes(result, data, Path(args.fixes))
        note(f"{n:,} rows written to {args.fixes}: fill in its column correct, then run")
        note(f"  heedful check {args.file} --fixed {args.fixes} -o NEW")
    if args.html:
        write_page(args.html, check_page(result))
    if args.json:
        print_json(result.to_dict())
    elif not args.html:
        out.print(check_terminal(result, width=out.width, top=args.top))


def _apply(args: argparse.Namespace) -> int:
    data = open_data(args.file, Columns(args.text, args.label), form=reading(args).form)
    fixes = Path(args.fixed)
    n = apply_fixes(data, read_fixes(fixes), fixes, Path(args.out), new_labels=args.new_labels)
    note(f"{n:,} {'label' if n == 1 else 'labels'} changed; written to {args.out}")
    return 0
