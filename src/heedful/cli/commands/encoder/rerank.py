"""`heedful rerank`."""

from __future__ import annotations

import argparse

from heedful.cli.shared.console import note, out, print_json
from heedful.cli.shared.file_flags import add_file_flags, print_summaries, reading
from heedful.data.read import read_texts
from heedful.errors import HeedfulError
from heedful.explain.similarity import pair_similarity, word_parts
from heedful.runtime.model import Model, load
from heedful.runtime.rerank import Ranked
from heedful.search.hit import Hit
from heedful.search.terminal import hit_values, hit_view, words_of
from heedful.text.terms.mix import BY, MIXES, By, checked_by

EXAMPLE = """\
example:
  heedful rerank en-base "where is my parcel?" "The food was good." "My order has not come."
  heedful rerank en-base "where is my parcel?" --file messages.csv --text message -n 5

Words are counted over these texts alone. To search many texts again and again, make an index: heedful index.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="folder of an encoder, or the name of a bundled one")
    parser.add_argument("query", help="what to rank the texts by")
    parser.add_argument("documents", nargs="*", metavar="text", help="texts to rank")
    parser.add_argument("--file", metavar="FILE", help="texts to rank, in a file of any format; - for standard input")
    parser.add_argument("--text", metavar="NAME", help="name of the column with the text")
    parser.add_argument("-n", type=int, default=10, metavar="N", help="number of texts to show (default: 10)")
    parser.add_argument("--by", choices=BY, default="both", help="rank by words, by meaning or by both (default: both)")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--threads", type=int, metavar="N", help="CPU threads (default: all)")
    add_file_flags(parser)


def main(args: argparse.Namespace) -> int:
    """Rank texts by a query."""
    if bool(args.documents) == bool(args.file):
        raise HeedfulError("give the texts to rank, or a file of them with --file")
    model = load(args.model, threads=args.threads)
    by = checked_by(args.by)
    documents = args.documents or _from_file(args)
    results = model.rerank(args.query, documents, n=args.n, by=by)
    for rank, each in enumerate(results, start=1):
        _print(model, args.query, rank, each, by, as_json=args.json)
    if not results:
        note("no texts to rank.")
    return 0


def _from_file(args: argparse.Namespace) -> list[str]:
    faults = reading(args)
    texts = [text for _, text in read_texts(args.file, text=args.text, faults=faults)]
    print_summaries(faults, args)
    return texts


def _print(model: Model, query: str, rank: int, each: Ranked, by: By, *, as_json: bool) -> None:
    why = pair_similarity(*word_parts(model, [query, each.text])) if MIXES[by].meaning else None
    hit = Hit(str(each.index + 1), each.score, each.text, {}, each.by_words, each.matches)
    if not as_json:
        out.print(hit_view(rank, hit, why, by=by), soft_wrap=True)
        out.print()
        return
    values = {name: value for name, value in hit_values(hit).items() if name not in ("id", "columns", "passage")}
    words = [] if why is None else words_of(why, weight=MIXES[by].meaning)
    print_json({"index": each.index, **values, "words": words})
