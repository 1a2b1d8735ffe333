"""`heedful explain`."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from typing import cast

from heedful.cli.shared.beam_flag import add_beam, set_beam
from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.engine import add_engine, check_no_engine, through_engine
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
from heedful.data.bad_rows import Faults
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import check_can_explain, effect_methods
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, METHODS, Explanation
from heedful.explain.attention.flip import find_flip
from heedful.jobs.run_files import Chunk
from heedful.runtime.model import Model
from heedful.show.heatmaps.page import page
from heedful.show.heatmaps.terminal import effect_map, heatmap, plain, strongest_words, top_words
from heedful.show.heatmaps.view import hop_adds

MOST = 200  # texts on one page or screen
ATTENTION = "attention"
# Tasks whose explanations are of another form. Each module has `main(args, model, faults) -> int`.
HOMES = {
    "tag": "heedful.cli.shared.explain_tags",
    "pair": "heedful.cli.shared.explain_pairs",
    "translate": "heedful.cli.shared.explain_translation",
}

EXAMPLE = """\
example:
  heedful explain model "The food was great, but we waited an hour."
  heedful explain model "..." --hops                    # every hop on its own line
  heedful explain model "..." --flip                    # the fewest words without which the answer would be another
  heedful explain model "..." --label refund            # what speaks for and against this label
  heedful explain model "..." --methods leave-one-out,gradient,integrated
  heedful explain model "..." --png picture.png         # or --svg picture.svg
  heedful explain pairs "A man sleeps." "A man runs."   # a model of pairs: both texts side by side
  heedful explain model reviews.csv --html page.html
  heedful explain model reviews.csv --json > explanations.jsonl
  heedful explain model reviews.csv --json --methods attention     # weights alone: much faster
  heedful explain model in/ -o out/ --engine ray --form jsonl      # a folder, in parts, by workers
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_model_and_inputs(parser)
    parser.add_argument("--hops", action="store_true", help="show each hop as well")
    parser.add_argument("--hop", type=int, metavar="N", help="show this hop's weights instead of the overall ones")
    parser.add_argument(
        "--word", metavar="N", help="of a tagger: what the tag of this word depends on; of a graph, a node's name"
    )
    parser.add_argument("--label", metavar="LABEL", help="whose effects are shown (default: the model's answer)")
    parser.add_argument(
        "--methods",
        default=LEAVE_ONE_OUT,
        metavar="NAMES",
        help=f"{ATTENTION} (always there), {', '.join(METHODS)}; with commas (default: {LEAVE_ONE_OUT})",
    )
    parser.add_argument(
        "--flip", action="store_true", help="find the fewest words without which the answer would be another"
    )
    parser.add_argument("--html", metavar="FILE", help=f"write a page that needs nothing else (the first {MOST} texts)")
    parser.add_argument("--svg", metavar="FILE", help="write a picture of one text")
    parser.add_argument("--png", metavar="FILE", help="write a picture of one text")
    parser.add_argument("--json", action="store_true", help="print JSON lines: words, offsets, weights, effects, …")
    add_edges(parser)
    add_skip_bad(parser)
    add_beam(parser)
    parser.add_argument("-o", "--out", metavar="FOLDER", help="with --engine: where the parts go")
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
        raise HeedfulError("a picture has no room for --flip: --html, --json and the terminal show it")
    check_outputs(args, "html", "svg", "png")
    model, faults = loaded(args), Faults(skip=args.skip_bad)
    set_beam(model, args.beam)
    if home := HOMES.get(model.config.task):
        return cast("Callable[..., int]", import_module(home).main)(args, model, faults)
    methods = effect_methods(args.methods)
    check_can_explain(model, methods, args.label)
    if args.label and not methods:
        raise HeedfulError("--label says whose effects to show, and attention has none: leave out --methods attention")
    _check_hop(model, args.hop)
    stream = _explanations(model, sources_of(model, args, faults), methods, args.label)
    if args.hop is not None:
        stream = (one.of_hop(args.hop) for one in stream)
    if args.json:
        check_some_left(_print_all(model, stream, flip=args.flip, quiet=args.quiet), faults)
        return _told(faults)
    shown = list(itertools.islice(stream, MOST))
    check_some_left(len(shown), faults, needed=True)
    if next(stream, None) is not None:
        note(f"showing the first {MOST} texts; --json gives all")
    flips = [find_flip(model, one.source).sentence for one in shown] if args.flip else []
    if args.html:
        write_page(args.html, page(shown, notes=flips))
    elif args.svg or args.png:
        write_picture(shown, svg=args.svg, png=args.png)
    else:
        _show_all(shown, flips, hops=args.hops)
    return _told(faults)


def _told(faults: Faults) -> int:
    for line in faults.report:
        note(line)
    return 0


def show(explanation: Explanation, *, hops: bool = False, flip: str = "") -> None:
    """Print one heatmap. Where there are no colours, words and numbers say it: the text is printed once."""
    out.print(plain(explanation, effects=_has_colour()), markup=False, style="bold")
    out.print(heatmap(explanation))
    for method in explanation.effects:
        out.print(
            f"  {method}, for {explanation.target}:", style="dim", markup=False, end="\n" if _has_colour() else " "
        )
        out.print(effect_map(explanation, method) if _has_colour() else strongest_words(explanation, method))
    for line in (explanation.warning, *explanation.notes):
        if line:
            out.print(line, style="yellow", markup=False)
    if flip:
        out.print(flip, markup=False)
    if hops:
        for i in range(len(explanation.weights)):
            adds = hop_adds(explanation, i)
            out.print(f"  hop {i + 1}:" + (f" {adds};" if adds else ""), style="dim", end=" ")
            out.print(heatmap(explanation, hop=i) if _has_colour() else top_words(explanation, hop=i), markup=False)
    out.print()


def _has_colour() -> bool:
    return out.is_terminal and not out.no_color


def _show_all(shown: list[Explanation], flips: list[str], *, hops: bool) -> None:
    for explanation, flip in itertools.zip_longest(shown, flips, fillvalue=""):
        assert isinstance(explanation, Explanation)
        show(explanation, hops=hops, flip=str(flip))
    if shown:
        verdict = shown[0].verdict
        out.print(verdict.words, style="yellow" if verdict.is_warning else "green", markup=False)


def _print_all(model: Model, stream: Iterator[Explanation], *, flip: bool, quiet: bool) -> int:
    done = 0
    with CountProgress(quiet=quiet) as progress:
        for done, explanation in enumerate(stream, start=1):
            more = {"flip": find_flip(model, explanation.source).to_dict()} if flip else {}
            print_json(explanation.to_dict() | more)
            progress(done)
    return done


def _explanations(
    model: Model, source: Iterator[Chunk], methods: Collection[str], label: str | None
) -> Iterator[Explanation]:
    for chunk in source:
        for start in range(0, len(chunk), 64):  # a few at a time, so that the first are shown soon
            some = [text for _, text in chunk[start : start + 64]]
            yield from model.explain(some, methods=methods, label=label)


def _check_hop(model: Model, hop: int | None) -> None:
    if hop is not None and not 1 <= hop <= model.facts.n_hops:
        raise HeedfulError(f"--hop is {hop}, but the model has hops 1 to {model.facts.n_hops}")
