"""`heedful explain` for a translator: where it looked for each word."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.inputs import check_some_left, sources_of
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.picture import write_picture
from heedful.cli.shared.progress import CountProgress
from heedful.data.bad_rows import Faults
from heedful.errors import HeedfulError
from heedful.jobs.run_files import Chunk
from heedful.show.kit.text.sanitise import visible
from heedful.tasks.translate.explain import Alignment, align_texts
from heedful.tasks.translate.model import Translator
from heedful.tasks.translate.show.page import alignment_page

MOST = 100  # texts on one page or screen
FEW = 64  # translated at a time, so that the first are shown soon


def main(args: argparse.Namespace, model: Translator, faults: Faults) -> int:
    """Show each translation, and which words of the text its words looked at."""
    for flag in ("flip", "hop", "label"):
        if getattr(args, flag) not in (None, False):
            raise HeedfulError(f"--{flag} is for models with labels; {model.path.name} translates")
    stream = _alignments(model, sources_of(model, args, faults))
    done = 0
    if args.json:
        with CountProgress(quiet=args.quiet) as progress:
            for done, alignment in enumerate(stream, start=1):
                print_json(alignment.to_dict())
                progress(done)
        check_some_left(done, faults)
    else:
        shown = list(itertools.islice(stream, MOST))
        check_some_left(len(shown), faults, needed=True)
        if next(stream, None) is not None:
            note(f"showing the first {MOST} texts; --json gives all")
        _show(shown, args)
    for line in faults.report:
        note(line)
    return 0


def _alignments(model: Translator, source: Iterator[Chunk]) -> Iterator[Alignment]:
    for chunk in source:
        for start in range(0, len(chunk), FEW):
            yield from align_texts(model, [text for _, text in chunk[start : start + FEW]])


def _show(shown: list[Alignment], args: argparse.Namespace) -> None:
    if args.html:
        write_page(args.html, alignment_page(shown))
    elif args.svg or args.png:
        write_picture(shown, svg=args.svg, png=args.png)
    else:
        for alignment in shown:
            out.print(visible(alignment.text), style="dim", markup=False)
            out.print("\n".join(visible(line) for line in str(alignment).split("\n")), markup=False)
            out.print()
