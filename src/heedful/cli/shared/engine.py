"""`--engine ray`: the same commands on many files, by several processes or machines."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, TextColumn

from heedful.cli.shared.console import has_live_bars, note, print_json
from heedful.cli.shared.progress import EVERY, _Bar, duration, live_bar
from heedful.errors import HeedfulError, need
from heedful.runtime.model import load

if TYPE_CHECKING:
    from heedful.engines.progress import Progress as Far
    from heedful.engines.summary import Summary

ENGINES = ("ray",)
FORMS = ("parquet", "jsonl", "csv")
LEFT_OUT = 3  # exit code: done, except for files or parts that could not be processed
SHOWN = 5
# Arguments that apply only without an engine.
ALONE = (
    "threads",
    "edges",
    "skip_bad",
    "safe_csv",
    "html",
    "svg",
    "png",
    "hop",
    "hops",
    "word",
    "flip",
    "sep",
    "encoding",
    "header",
    "sheet",
)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of an engine."""
    group = parser.add_argument_group("several machines (see docs/scale.md)")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        help="process files, folders, patterns or URLs in parts, by workers; -o is a folder",
    )
    group.add_argument("--address", metavar="HOST:PORT", help="of a Ray cluster (default: this machine)")
    group.add_argument(
        "--workers", type=int, metavar="N", help="processes, each with one thread (default: one per core)"
    )
    group.add_argument("--form", choices=FORMS, help="of the output (default: parquet)")
    group.add_argument("--part-rows", type=int, metavar="N", help="rows of a part (default: 20,000)")
    group.add_argument("--overwrite", action="store_true", help="restart if -o holds an earlier run")


def through_engine(command: str, args: argparse.Namespace, **options: Any) -> int:
    """Run a command on an engine; return 0, or 3 if a file or a part of one was left out."""
    for name in ALONE:
        value = getattr(args, name, None)
        if value not in (None, False) or (name == "header" and value is False):
            raise HeedfulError(f"--{name.replace('_', '-')} does not go with --engine")
    if not args.out:
        raise HeedfulError("--engine needs an output folder: -o FOLDER")
    need("pyarrow", feature="Running on an engine", extra="scale")
    need("ray", feature="Running on Ray", extra="scale")
    from heedful.engines.request import Work
    from heedful.engines.run import PART_ROWS, Request, run

    request = Request(
        work=Work(command, options),
        inputs=args.inputs,
        out=args.out,
        form=args.form or FORMS[0],
        text=args.text,
        part_rows=PART_ROWS if args.part_rows is None else args.part_rows,
        workers=args.workers,
        address=args.address,
        overwrite=args.overwrite,
    )
    try:
        with EngineProgress(quiet=args.quiet) as progress:
            summary = run(request, load(args.model, threads=1), on_progress=progress)
    except KeyboardInterrupt:
        note("Stopped. Run the same command again to resume.")
        return 130
    _say(summary, as_json=args.json, quiet=args.quiet)
    return 0 if summary.is_whole else LEFT_OUT


def check_no_engine(args: argparse.Namespace) -> None:
    """Raise for flags that need an engine."""
    for name in ("address", "workers", "form", "part_rows", "overwrite"):
        if getattr(args, name) not in (None, False):
            raise HeedfulError(f"--{name.replace('_', '-')} goes with --engine ray")


def _say(summary: Summary, *, as_json: bool, quiet: bool) -> None:
    for line in summary.left_out[:SHOWN]:
        note(f"left out: {line}")
    if len(summary.left_out) > SHOWN:
        note(f"left out: … and {len(summary.left_out) - SHOWN:,} more; --json names all")
    if summary.bad:
        rows = "row was" if summary.bad == 1 else "rows were"
        note(f"{summary.bad:,} {rows} set aside: see {summary.out}/_bad")
    if as_json:
        print_json({**asdict(summary), "is_whole": summary.is_whole})
    elif not quiet:
        before = f", {summary.parts_before:,} of them done before" if summary.parts_before else ""
        note(
            f"{summary.rows:,} rows in {summary.parts:,} {'part' if summary.parts == 1 else 'parts'}{before}, "
            f"{summary.bad:,} bad  "
            f"{summary.rows_per_second:,.0f} a second  {duration(summary.seconds)}  {summary.out}"
        )


class EngineProgress(_Bar):
    """Shows parts, rows per second and the time left."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet, self._live = quiet, has_live_bars() and not quiet
        self._bar = live_bar(
            TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.fields[state]}")
        )
        self._task = self._bar.add_task("starting", total=1.0, state="")
        self._said = time.monotonic()

    def __call__(self, far: Far) -> None:
        """Show the progress."""
        parts = f"{far.parts:,} of {far.of_parts:,} parts"
        state = f"{far.rows / max(far.seconds, 1e-9):,.0f} rows/s" if far.rows else ""
        state += f"  about {duration(far.left)} left" if far.left is not None else ""
        if self._live:
            self._bar.update(self._task, description=parts, completed=far.parts / max(1, far.of_parts), state=state)
        elif time.monotonic() - self._said > EVERY and not self._quiet:
            self._said = time.monotonic()
            note(f"{parts}  {state}".rstrip())
