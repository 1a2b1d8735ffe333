"""`heedful explain` for a pair model."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from heedful.cli.shared.console import out
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import default_methods, effect_methods
from heedful.jobs.run_files import Chunk
from heedful.tasks.pair.explain import check_can_explain_pairs, explain_pairs
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.model import PairModel
from heedful.tasks.pair.show.page import pair_page
from heedful.tasks.pair.show.terminal import pair_view

MOST = 100  # pairs on one page or screen
INPUTS = "pairs"
FEW = 32  # explained at a time, so that the first are shown soon


def check(args: argparse.Namespace, model: PairModel) -> None:
    """Raise if a flag is not for this model."""
    if args.flip or args.hop is not None:
        raise HeedfulError(f"--{'flip' if args.flip else 'hop'} is for single texts; {model.path.name} is a pair model")
    check_can_explain_pairs(model, _methods(args, model), args.label)


def _methods(args: argparse.Namespace, model: PairModel) -> list[str]:
    return effect_methods(args.methods or default_methods(model))


def explanations(args: argparse.Namespace, model: PairModel, chunks: Iterator[Chunk]) -> Iterator[PairExplanation]:
    """Yield an explanation for each pair."""
    methods = _methods(args, model)
    for chunk in chunks:
        for start in range(0, len(chunk), FEW):
            pairs = [pair for _, pair in chunk[start : start + FEW]]
            yield from explain_pairs(model, pairs, methods=methods, label=args.label)


def values(args: argparse.Namespace, model: PairModel, explanation: PairExplanation) -> dict[str, Any]:
    """Return plain values for JSON."""
    del args, model
    return explanation.to_dict()


def page(args: argparse.Namespace, model: PairModel, explanations: list[PairExplanation]) -> str:
    """Return an HTML page."""
    del args, model
    return pair_page(explanations)


def show(args: argparse.Namespace, model: PairModel, explanations: list[PairExplanation]) -> None:
    """Print to the terminal."""
    del model
    for explanation in explanations:
        out.print(pair_view(explanation, colours=out.is_terminal and not out.no_color, hops=args.hops))
        out.print()
    out.print(explanations[0].verdict.words, style="yellow", markup=False)
