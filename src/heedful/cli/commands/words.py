"""`heedful words`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import FILES, add_file_flags, print_summaries, reading
from heedful.cli.shared.inputs import check_outputs
from heedful.cli.shared.pages import write_page
from heedful.cli.shared.progress import TextProgress
from heedful.errors import HeedfulError
from heedful.explain.words.label_words import LabelWords
from heedful.explain.words.statistics import TOP, check_can_count, label_words
from heedful.runtime.model import Model, load
from heedful.show.words.page import words_page
from heedful.show.words.terminal import words_view

EXAMPLE = """\
example:
  heedful words model test.csv                      # the words for and against each label, and possible shortcuts
  heedful words model test.csv --label billing --top 20
  heedful words model test.csv --html words.html    # with examples in context
  heedful words model test.csv --json | jq '.shortcuts[].sentence'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder")
    parser.add_argument("file", help=f"file of texts: {FILES}")
    parser.add_argument("--label", metavar="L", help="show only this label of the model")
    parser.add_argument(
        "--top", type=int, default=TOP, metavar="N", help=f"words for and against each label (default {TOP})"
    )
    parser.add_argument(
        "--min-count", type=int, metavar="N", help="texts that a word must occur in (default 3; fewer in a small file)"
    )
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Show the words that drive each label."""
    for flag, value in (("--top", args.top), ("--min-count", args.min_count)):
        if value is not None and value < 1:
            raise HeedfulError(f"{flag} is {value}, expected at least 1")
    check_outputs(args, "html")
    model = load(args.model, threads=args.threads)
    check_can_count(model, args.label)
    try:
        words = _words(model, args)
    except KeyboardInterrupt:
        note("Stopped: nothing was written.")
        raise
    if args.html:
        write_page(args.html, words_page(words))
    if args.json:
        print_json(words.to_dict())
    elif not args.html:
        out.print(words_view(words, width=out.width))
    return 0


def _words(model: Model, args: argparse.Namespace) -> LabelWords:
    faults = reading(args, model.config)
    with TextProgress("texts read", quiet=args.quiet) as progress:
        words = label_words(
            model,
            args.file,
            label=args.label,
            top=args.top,
            min_count=args.min_count,
            text=args.text,
            faults=faults,
            on_progress=progress,
        )
    print_summaries(faults, args)
    return words
