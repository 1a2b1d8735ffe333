"""`heedful explain` for a tagger."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, cast

from heedful.cli.shared.console import out
from heedful.cli.shared.explain.texts import show_explanation
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation
from heedful.jobs.run_files import Chunk
from heedful.show.heatmaps.page import page as heatmap_page
from heedful.tasks.tag.explanation import TagExplanation
from heedful.tasks.tag.model import Tagger
from heedful.tasks.tag.show.page import tags_page
from heedful.tasks.tag.show.terminal import looked_lines, plain_tags, tagged_text

MOST = 200  # texts on one page or screen
INPUTS = "texts"


def check(args: argparse.Namespace, model: Tagger) -> None:
    """Raise if a flag is not for this model."""
    if args.hop is not None or args.hops or args.flip:
        raise HeedfulError("--hop, --hops and --flip are not for taggers, which have a hop for each word: use --word N")
    _word(args.word, model)


def explanations(
    args: argparse.Namespace, model: Tagger, chunks: Iterator[Chunk]
) -> Iterator[TagExplanation | Explanation]:
    """Yield the labels of each text and the attention of each word; with --word, the explanation of one label."""
    word = _word(args.word, model)
    for chunk in chunks:
        for _, source in chunk:
            yield model.explain([source], word=word, methods=args.methods or LEAVE_ONE_OUT, label=args.label)[0]


def _word(given: str | None, model: Tagger) -> int | str | None:
    """Return the number of a word, or the name of a node."""
    if given is None or not model.input.is_text:
        return given
    if not given.lstrip("-").isdecimal():
        raise HeedfulError(f"--word is {given!r}, expected the number of a word, counted from 1")
    return int(given)


def values(args: argparse.Namespace, model: Tagger, explanation: TagExplanation | Explanation) -> dict[str, Any]:
    """Return plain values for JSON."""
    del args, model
    return explanation.to_dict()


def page(args: argparse.Namespace, model: Tagger, explanations: list[Any]) -> str:
    """Return an HTML page."""
    del model
    return heatmap_page(explanations) if args.word else tags_page(explanations)


def show(args: argparse.Namespace, model: Tagger, explanations: list[Any]) -> None:
    """Print to the terminal."""
    del model
    for explanation in explanations:
        if args.word:
            show_explanation(explanation)
        else:
            _show_tags(cast("TagExplanation", explanation))
        out.print()


def _show_tags(explanation: TagExplanation) -> None:
    if out.is_terminal and not out.no_color:
        out.print(tagged_text(explanation))
        for line in looked_lines(explanation):
            out.print(line, markup=False, style="dim")
    else:
        out.print(plain_tags(explanation), markup=False)
