"""`heedful similar`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import out, print_json
from heedful.cli.shared.inputs import check_outputs
from heedful.cli.shared.pages import write_page
from heedful.errors import HeedfulError
from heedful.runtime.model import load
from heedful.show.similarity.page import similar_page
from heedful.show.similarity.terminal import similar_view

EXAMPLE = """\
example:
  heedful similar en-base "The parcel came on Monday." "My package arrived today."
  heedful similar en-base "..." "..." --html page.html    # with every pair of words
  heedful similar en-base "..." "..." --json | jq .similarity
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="folder of an encoder, or the name of one that comes with heedful")
    parser.add_argument("first", metavar="text", help="a text")
    parser.add_argument("second", metavar="text", help="the text to compare it with")
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print JSON: words, offsets, contributions, every pair")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")


def main(args: argparse.Namespace) -> int:
    """Show how similar two texts are, and which words make them so."""
    if args.html and args.json:
        raise HeedfulError("--html writes a page and --json prints: give one of them")
    check_outputs(args, "html")
    similarity = load(args.model, threads=args.threads).similarity(args.first, args.second)
    if args.json:
        print_json(similarity.to_dict())
    elif args.html:
        write_page(args.html, similar_page(similarity))
    else:
        out.print(similar_view(similarity, width=out.width))
    return 0
