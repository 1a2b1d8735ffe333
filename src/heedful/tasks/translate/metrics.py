"""Figures for translations, by sacrebleu: comparable with those that others print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.errors import HeedfulError, need


@dataclass(frozen=True)
class TranslationFigures:
    """How near translations are to those of people, by the words and the letters they share."""

    bleu: float  # 0 to 100; cased, on plain text (13a tokens)
    chrf: float  # 0 to 100
    signature: str  # by which sacrebleu says how it measured
    n: int

    @property
    def sentence(self) -> str:
        """The figures in a line."""
        return f"BLEU {self.bleu:.2f}   chrF {self.chrf:.2f}   {self.n:,} texts   ({self.signature})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def translation_figures(truth: Sequence[str], answers: Sequence[str]) -> TranslationFigures:
    """Compare translations with one true translation each."""
    if len(truth) != len(answers):
        raise HeedfulError(f"found {len(answers)} translations of {len(truth)} texts")
    if not truth:
        raise HeedfulError("no text: expected one or more to measure by")
    metrics = need("sacrebleu.metrics", feature="Measuring translations", extra="translate")
    bleu, chrf = metrics.BLEU(), metrics.CHRF()
    score = bleu.corpus_score(list(answers), [list(truth)])
    return TranslationFigures(
        bleu=float(score.score),
        chrf=float(chrf.corpus_score(list(answers), [list(truth)]).score),
        signature=str(bleu.get_signature()),
        n=len(truth),
    )
