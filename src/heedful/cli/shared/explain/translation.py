"""`heedful explain` for a translator: the source words of each word that it wrote."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from heedful.cli.shared.console import out
from heedful.errors import HeedfulError
from heedful.jobs.run_files import Chunk
from heedful.show.kit.text.sanitise import visible
from heedful.tasks.translate.explain import Alignment, align_texts
from heedful.tasks.translate.model import Translator
from heedful.tasks.translate.show.page import alignment_page

MOST = 100  # texts on one page or screen
INPUTS = "texts"
FEW = 64  # translated at a time, so that the first are shown soon


def check(args: argparse.Namespace, model: Translator) -> None:
    """Raise if a flag is not for this model."""
    for flag in ("flip", "hop", "label"):
        if getattr(args, flag) not in (None, False):
            raise HeedfulError(f"--{flag} is for models with labels; {model.path.name} translates")


def explanations(args: argparse.Namespace, model: Translator, chunks: Iterator[Chunk]) -> Iterator[Alignment]:
    """Yield an alignment for each text."""
    del args
    for chunk in chunks:
        for start in range(0, len(chunk), FEW):
            yield from align_texts(model, [text for _, text in chunk[start : start + FEW]])


def values(args: argparse.Namespace, model: Translator, explanation: Alignment) -> dict[str, Any]:
    """Return plain values for JSON."""
    del args, model
    return explanation.to_dict()


def page(args: argparse.Namespace, model: Translator, explanations: list[Alignment]) -> str:
    """Return an HTML page."""
    del args, model
    return alignment_page(explanations)


def show(args: argparse.Namespace, model: Translator, explanations: list[Alignment]) -> None:
    """Print to the terminal."""
    del args, model
    for alignment in explanations:
        out.print(visible(alignment.text), style="dim", markup=False)
        out.print("\n".join(visible(line) for line in str(alignment).split("\n")), markup=False)
        out.print()
