"""`heedful search`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.pages import write_page
from heedful.errors import HeedfulError
from heedful.explain.similarity import Similarity
from heedful.search.hit import Hit
from heedful.search.index import Index
from heedful.search.page import hits_page
from heedful.search.terminal import hit_values, hit_view, words_of
from heedful.text.terms.mix import BY, MIXES, By

EXAMPLE = """\
example:
  heedful search reviews.index "the food came late"
  heedful search reviews.index "the food came late" -n 3 --where "stars >= 4 AND lang = 'en'"
  heedful search reviews.index "the food came late" --by words
  heedful search reviews.index "the food came late" --html page.html

A filter compares columns with values: = != < <= > >=, IN (…), BETWEEN … AND …, LIKE 'a%', IS NULL, joined by AND, OR
and NOT. Put texts in single quotes, column names with spaces in double quotes. Words of the query that are in the text
are underlined, words of similar meaning are coloured; the score is the sum of a part for each.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("index", help="index folder, made by `heedful index`")
    parser.add_argument("query", help="what to look for, in your own words")
    parser.add_argument("-n", type=int, default=10, metavar="N", help="number of hits (default: 10)")
    parser.add_argument("--by", choices=BY, default="both", help="rank by words, by meaning or by both (default: both)")
    parser.add_argument("--where", metavar="FILTER", help="only rows that match this filter, such as: stars >= 4")
    parser.add_argument("--model", metavar="FOLDER", help="model of the index, if it was moved")
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads of the model (default: all)")


def main(args: argparse.Namespace) -> int:
    """Search an index."""
    if args.html and args.json:
        raise HeedfulError("--html writes a page and --json prints: give one of them")
    index = Index.open(args.index, model=args.model, threads=args.threads)
    by = index.ranked_by(args.by)
    if by != args.by:
        note(f"{index.path} was made by an older heedful and is searched by meaning. Rebuild it to search by words too")
    hits = index.search(args.query, args.n, where=args.where, by=by)
    reasons = index.explain(args.query, hits) if hits else []
    if args.html:
        write_page(args.html, hits_page(args.query, hits, reasons, where=args.where, by=by))
        return 0
    for rank, (hit, why) in enumerate(zip(hits, reasons, strict=True), start=1):
        _print(rank, hit, why, by, as_json=args.json)
    if not hits:
        note("no row fits the filter." if args.where else "nothing found.")
    return 0


def _print(rank: int, hit: Hit, why: Similarity, by: By, *, as_json: bool) -> None:
    if as_json:
        print_json({**hit_values(hit), "words": words_of(why, weight=MIXES[by].meaning)})
    else:
        out.print(hit_view(rank, hit, why, by=by), soft_wrap=True)
        out.print()
