"""`heedful steps`."""

from __future__ import annotations

import argparse
from pathlib import Path

from heedful.cli.shared.console import out, print_json
from heedful.cli.shared.pages import write_page
from heedful.errors import HeedfulError
from heedful.explain.steps.steps import Steps, steps_of
from heedful.explain.steps.two_contexts import TwoContexts, compare_word
from heedful.runtime.model import Model, load
from heedful.show.contexts.terminal import compare_view
from heedful.show.steps.sentences import KNOWN, TINY
from heedful.show.steps.terminal import steps_view
from heedful.store.folder import is_model_folder
from heedful.store.shipped import shipped_models

USAGE = "heedful steps [MODEL] [TEXT] [--word WORD] [--layer N] [--head N] [--compare TEXT] [--html FILE | --json]"

EXAMPLE = """\
example:
  heedful steps                                    # where "it" looks in "The animal didn't cross the street …"
  heedful steps --layer 2 --head 3 --html steps.html
  heedful steps "time flies like an arrow" --compare "fruit flies like a banana"   # two vectors of "flies", and why
  heedful steps my-model "Your own text" --word own

The default model is en-tiny, a transformer small enough to inspect; your own model needs encoder transformer.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("given", nargs="*", metavar="model, text", help=f"a model (default {TINY}) and a text")
    parser.add_argument("--word", metavar="WORD", help="word to follow (default: the first)")
    parser.add_argument(
        "--layer",
        type=int,
        metavar="N",
        help="layer, counted from 1 (default: a head in which the word looks far)",
    )
    parser.add_argument("--head", type=int, metavar="N", help="head, counted from 1")
    parser.add_argument(
        "--compare", metavar="TEXT", help="the same word in this text: two vectors, and why they differ"
    )
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--json", action="store_true", help="print every number as JSON")


def main(args: argparse.Namespace) -> int:
    """Show self-attention with a model's own numbers."""
    if args.html and args.json:
        raise HeedfulError("--html writes a page and --json prints: give one of them")
    name, text = model_and_text(args.given)
    steps = _steps(load(name, threads=1), text, args)
    if args.json:
        print_json(steps.to_dict())
    elif args.html:
        write_page(args.html, steps.to_html())
    else:
        out.print(_view(steps))
    return 0


def model_and_text(given: list[str]) -> tuple[str, str | None]:
    """Return the model and the text; a single argument is a model if there is one of that name."""
    if len(given) > 2:
        raise HeedfulError(f"found {len(given)} arguments, expected a model and a text. Is the text in quotes?")
    if len(given) == 2:
        return given[0], given[1]
    if given and not (given[0] in shipped_models() or is_model_folder(Path(given[0]))):
        return TINY, given[0]
    return (given[0] if given else TINY), None


def _steps(model: Model, text: str | None, args: argparse.Namespace) -> Steps | TwoContexts:
    if args.compare is not None:
        if text is None:
            raise HeedfulError("--compare needs two texts: heedful steps TEXT --compare TEXT")
        if args.layer is not None or args.head is not None:
            raise HeedfulError("--compare shows all layers and heads: leave out --layer and --head")
        return compare_word(model, text, args.compare, word=args.word)
    default, word, _ = KNOWN
    chosen = args.word if text is not None or args.word is not None else word
    text = default if text is None else text
    return steps_of(model, text, word=chosen, layer=args.layer, head=args.head)


def _view(steps: Steps | TwoContexts) -> object:
    match steps:
        case TwoContexts():
            return compare_view(steps, width=out.width)
        case Steps():
            return steps_view(steps, width=out.width)
