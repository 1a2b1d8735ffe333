"""`heedful explain` for a model with one label or number per input."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from heedful.cli.shared.console import out
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import check_can_explain, default_methods, effect_methods
from heedful.explain.attention.explanation import Explanation
from heedful.explain.attention.flip import find_flip
from heedful.explain.contributions import has_contributions
from heedful.jobs.run_files import Chunk
from heedful.runtime.model import Model
from heedful.show.heatmaps.page import page as heatmap_page
from heedful.show.heatmaps.terminal import effect_map, heatmap, plain, strongest_words, top_words
from heedful.show.heatmaps.view import hop_adds, total

MOST = 200  # texts on one page or screen
INPUTS = "texts"
FEW = 64  # explained at a time, so that the first are shown soon


def check(args: argparse.Namespace, model: Model) -> None:
    """Raise if a flag is not for this model."""
    methods = _methods(args, model)
    check_can_explain(model, methods, args.label)
    if args.label and not methods and not has_contributions(model):
        raise HeedfulError("--label chooses the label of the effects, and attention has none: omit --methods attention")
    if args.hop is not None and not 1 <= args.hop <= model.facts.n_hops:
        raise HeedfulError(f"--hop is {args.hop}, but the model has hops 1 to {model.facts.n_hops}")


def _methods(args: argparse.Namespace, model: Model) -> list[str]:
    return effect_methods(default_methods(model) if args.methods is None else args.methods)


def explanations(args: argparse.Namespace, model: Model, chunks: Iterator[Chunk]) -> Iterator[Explanation]:
    """Yield an explanation for each input."""
    methods = _methods(args, model)
    for chunk in chunks:
        for start in range(0, len(chunk), FEW):
            sources = [source for _, source in chunk[start : start + FEW]]
            for explanation in model.explain(sources, methods=methods, label=args.label):
                yield explanation if args.hop is None else explanation.of_hop(args.hop)


def values(args: argparse.Namespace, model: Model, explanation: Explanation) -> dict[str, Any]:
    """Return plain values for JSON."""
    flip = {"flip": find_flip(model, explanation.source).to_dict()} if args.flip else {}
    return explanation.to_dict() | flip


def page(args: argparse.Namespace, model: Model, explanations: list[Explanation]) -> str:
    """Return an HTML page."""
    return heatmap_page(explanations, notes=_flips(args, model, explanations))


def show(args: argparse.Namespace, model: Model, explanations: list[Explanation]) -> None:
    """Print to the terminal."""
    flips = _flips(args, model, explanations)
    for explanation, flip in zip(explanations, flips or [""] * len(explanations), strict=True):
        show_explanation(explanation, hops=args.hops, flip=flip)
    verdict = explanations[0].verdict
    out.print(verdict.words, style="yellow" if verdict.is_warning else "green", markup=False)


def _flips(args: argparse.Namespace, model: Model, explanations: list[Explanation]) -> list[str]:
    return [find_flip(model, each.source).sentence for each in explanations] if args.flip else []


def show_explanation(explanation: Explanation, *, hops: bool = False, flip: str = "") -> None:
    """Print a heatmap; without colours, as words and numbers."""
    out.print(plain(explanation, effects=_has_colour()), markup=False, style="bold")
    out.print(heatmap(explanation))
    if sum_line := total(explanation):
        out.print(f"  {sum_line}", style="dim", markup=False)
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
