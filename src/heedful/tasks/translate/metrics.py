"""Translation metrics by sacrebleu, comparable with published ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heedful.errors import HeedfulError, need
from heedful.metrics.printed import MetricsTable, PrintedMetrics


@dataclass(frozen=True, repr=False)
class TranslationMetrics(PrintedMetrics):
    """Similarity of translations to reference translations.

    Attributes:
        bleu: 0 to 100; cased, on plain text (13a tokens).
        chrf: 0 to 100.
        signature: sacrebleu's description of the settings.
        n: number of texts.

    Example:
        >>> translator.evaluate("translations.tsv")
        BLEU ...   chrF ...
    """

    bleu: float
    chrf: float
    signature: str
    n: int

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        return f"BLEU {self.bleu:.2f}   chrF {self.chrf:.2f}   {self.n:,} texts   ({self.signature})"

    @property
    def table(self) -> MetricsTable:
        """The metrics as text, which is one line."""
        return MetricsTable(self.sentence)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns:
            All fields.

        Example:
            >>> translator.evaluate("translations.tsv").to_dict()["n"]
            2
        """
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
