"""Translation metrics by sacrebleu, comparable with published ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.errors import HeedfulError, need


@dataclass(frozen=True)
class TranslationMetrics:
    """Similarity of translations to reference translations."""

    bleu: float  # 0 to 100; cased, on plain text (13a tokens)
    chrf: float  # 0 to 100
    signature: str  # sacrebleu's description of the settings
    n: int

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        return f"BLEU {self.bleu:.2f}   chrF {self.chrf:.2f}   {self.n:,} texts   ({self.signature})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def translation_metrics(truth: Sequence[str], answers: Sequence[str]) -> TranslationMetrics:
    """Compare each translation with one reference."""
    if len(truth) != len(answers):
        raise HeedfulError(f"found {len(answers)} translations of {len(truth)} texts")
    if not truth:
        raise HeedfulError("no texts to evaluate, expected one or more")
    metrics = need("sacrebleu.metrics", feature="Measuring translations", extra="translate")
    bleu, chrf = metrics.BLEU(), metrics.CHRF()
    score = bleu.corpus_score(list(answers), [list(truth)])
    return TranslationMetrics(
        bleu=float(score.score),
        chrf=float(chrf.corpus_score(list(answers), [list(truth)]).score),
        signature=str(bleu.get_signature()),
        n=len(truth),
    )
