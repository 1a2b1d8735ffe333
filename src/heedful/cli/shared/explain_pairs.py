"""`heedful explain` for a model of pairs."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Collection, Iterator

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.inputs import check_some_left, sources_of
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.picture import write_picture
from heedful.cli.shared.progress import CountProgress
from heedful.data.bad_rows import Faults
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import effect_methods
from heedful.jobs.run_files import Chunk
from heedful.tasks.pair.explain import check_can_explain_pairs, explain_pairs
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.model import PairModel
from heedful.tasks.pair.show.page import pair_page
from heedful.tasks.pair.show.terminal import pair_view

MOST = 100  # pairs on one page or screen
FEW = 32  # explained at a time, so that the first are shown soon


def main(args: argparse.Namespace, model: PairModel, faults: Faults) -> int:
    """Show which words of either text the model reads, and what each does to the answer."""
    if args.flip or args.hop is not None:
        raise HeedfulError(
            f"--{'flip' if args.flip else 'hop'} is for single texts; {model.path.name} answers to pairs"
        )
    methods = effect_methods(args.methods)
    check_can_explain_pairs(model, methods, args.label)
    stream = _explanations(model, sources_of(model, args, faults), methods, args.label)
    done = 0
    if args.json:
        with CountProgress(quiet=args.quiet) as progress:
            for done, explanation in enumerate(stream, start=1):
                print_json(explanation.to_dict())
                progress(done)
        check_some_left(done, faults)
    else:
        shown = list(itertools.islice(stream, MOST))
        check_some_left(len(shown), faults, needed=True)
        if next(stream, None) is not None:
            note(f"showing the first {MOST} pairs; --json gives all")
        _show(shown, args)
    for line in faults.report:
        note(line)
    return 0


def _explanations(
    model: PairModel, source: Iterator[Chunk], methods: Collection[str], label: str | None
) -> Iterator[PairExplanation]:
    for chunk in source:
        for start in range(0, len(chunk), FEW):
            some = [pair for _, pair in chunk[start : start + FEW]]
            yield from explain_pairs(model, some, methods=methods, label=label)


def _show(shown: list[PairExplanation], args: argparse.Namespace) -> None:
    if args.html:
        write_page(args.html, pair_page(shown))
    elif args.svg or args.png:
        write_picture(shown, svg=args.svg, png=args.png)
    else:
        for explanation in shown:
            out.print(pair_view(explanation, colours=out.is_terminal and not out.no_color, hops=args.hops))
            out.print()
        if shown:
            out.print(shown[0].verdict.words, style="yellow", markup=False)
