"""What an audit of a model's heatmaps found, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from heedful.explain.shown import Forms, Shown
from heedful.metrics.bootstrap import Interval
from heedful.store.verdict import Verdict

CONTRIBUTIONS, ATTENTION, RANDOM = "contributions", "attention", "random"
SHARES = (0.01, 0.05, 0.10, 0.20, 0.50)  # of a text's words, as ERASER has them


@dataclass(frozen=True)
class Faithfulness:
    """How a method's most important words fare, over many texts."""

    comprehensiveness: Interval  # how much less probable the answer is without them: more is better
    sufficiency: Interval  # how much less probable it is with them alone: less is better
    needed_beyond_chance: Interval  # comprehensiveness minus that of random words: more than 0 is better than chance
    enough_beyond_chance: Interval  # sufficiency of random words minus this one: more than 0 is better than chance
    without_top: tuple[float, ...]  # mean fall in probability without the top share, for each of SHARES
    only_top: tuple[float, ...]  # mean fall with the top share alone, for each of SHARES


@dataclass(frozen=True)
class HopFigures:
    """How the hops look at words."""

    entropy: tuple[float, ...]  # of each hop, mean over texts: 1 is even over all words, 0 is one word
    overlap: tuple[tuple[float, ...], ...]  # cosine of each hop's weights with each other's, mean over texts

    @property
    def mean_overlap(self) -> float | None:
        """The mean of the overlap of two different hops; None for a single hop."""
        n = len(self.entropy)
        if n < 2:
            return None
        return (sum(map(sum, self.overlap)) - sum(self.overlap[i][i] for i in range(n))) / (n * (n - 1))


@dataclass(frozen=True, repr=False)
class Audit(Shown):
    """Everything that was measured, and the verdict. Printed, it is a short report.

    Attributes:
        verdict: the verdict, as a level and in words.
        model: name of the model's folder.
        file: name of the file of texts.
        n_texts: number of texts.
        accuracy: on these texts; None if they have no labels.
        methods: by method (attention, leave-one-out, gradient, integrated, random), how its top words fare.
        agreement: Kendall's τ of two methods, such as "attention, gradient".
        hops: how the hops look at words.
        permutation: mean total variation of the probabilities if the weights are shuffled.
        deep: results of the deep checks: uniform, seeds, adversarial.
        left_out: checks that were not made, and why.
        seed: of the sample.
        subject: the numbers that heatmaps show, which the verdict is about.
        recovered: share of what leave-one-out finds beyond chance.

    Example:
        >>> import heedful
        >>> audit = heedful.audit(model, (texts, labels), n_texts=10, keep=False)
        >>> audit.verdict.level
        '...'
    """

    FORMS = Forms(
        page="heedful.show.audit.page:audit_page",
        fragment="heedful.show.audit.page:audit_fragment",
        plain="heedful.show.audit.terminal:plain_audit",
    )

    verdict: Verdict
    model: str
    file: str
    n_texts: int
    accuracy: float | None
    methods: Mapping[str, Faithfulness]
    agreement: Mapping[str, Interval]
    hops: HopFigures
    permutation: Interval | None
    deep: Mapping[str, Any] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    subject: str = ATTENTION
    recovered: Mapping[str, Interval] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON.

        Returns:
            All fields.

        Example:
            >>> import heedful
            >>> heedful.audit(model, (texts, labels), n_texts=10, keep=False).to_dict()["n_texts"]
            10
        """
        tree = asdict(self)
        return {"format": 1, "shares": list(SHARES), **tree}
