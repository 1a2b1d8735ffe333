"""The words of an audit: what its levels, methods and texts are called."""

from __future__ import annotations

from collections.abc import Mapping

from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, LEAVE_ONE_OUT
from heedful.explain.audit.audit import ATTENTION, CONTRIBUTIONS, RANDOM, Audit, Faithfulness
from heedful.explain.audit.checks import Speaks
from heedful.show.kit.text.sanitise import one_line
from heedful.store.verdict import Level

SPOKEN: Mapping[Speaks, tuple[str, str]] = {
    "for": ("✓", "speaks for the heatmaps"),
    "against": ("✗", "speaks against the heatmaps"),
    "open": ("?", "undecided"),
    "neither": ("i", "for information"),
}
TITLE = "How reliable are these heatmaps?"
HEADLINES: Mapping[Level, str] = {
    "better": "Better than chance",
    "barely": "Barely better than chance",
    "unclear": "Not known",
    "no better": "No better than chance",
    "worse": "Worse than chance",
    "not audited": "Not audited",
}
ADVICE: Mapping[Level, str] = {
    "better": "Heatmaps of this model may be shown to others, with this verdict beside them. "
    "Weights say where the model looked; they have no sign and belong to no label.",
    "barely": "Show heatmaps of this model only with this warning, and do not base a decision on a single one.",
    "unclear": "Test on more texts before showing heatmaps of this model to others.",
    "no better": "Do not show heatmaps of this model to others as the reason for an answer.",
    "worse": "Do not show heatmaps of this model to others: "
    "the words they mark matter less to the answer than random words.",
    "not audited": "Do not rely on heatmaps of this model until they have been tested.",
}
NAMES = {GRADIENT: "gradient × input", INTEGRATED: "integrated gradients", RANDOM: "random words"}
SUM_HEADLINES: Mapping[Level, str] = {
    "better": "The contributions are what the model uses",
    "barely": "Take the contributions as a hint",
    "unclear": "Not known",
    "no better": "Do not rely on the contributions",
    "worse": "Do not believe the contributions",
    "not audited": "Not audited",
}
SUM_ADVICE: Mapping[Level, str] = {
    **ADVICE,
    "better": "Heatmaps of this model may be shown to others, with this verdict beside them. "
    "A contribution is what a word adds to the score of a label; bias and contributions sum to the score.",
    "worse": "Do not show heatmaps of this model to others: "
    "the words with the largest contributions matter less to the answer than random words.",
}
KINDS = {ATTENTION: 0, LEAVE_ONE_OUT: 1, GRADIENT: 2, INTEGRATED: 3, RANDOM: 4, CONTRIBUTIONS: 5}  # colours
OTHER = 5


def method_name(method: str) -> str:
    """Return a method's name in full."""
    return NAMES.get(method, one_line(method))


def pair_name(pair: str) -> str:
    """Return the names of two methods that are compared, short enough to stand beside a number."""
    return one_line(" and ".join(pair.split(", ")))


def ordered(audit: Audit) -> list[tuple[str, Faithfulness]]:
    """Return the methods: the one that heatmaps show first, random words last."""
    order = {audit.subject: -1}
    return sorted(
        audit.methods.items(), key=lambda pair: (pair[0] == RANDOM, order.get(pair[0], KINDS.get(pair[0], OTHER)))
    )


def headline(audit: Audit) -> str:
    """Return the verdict in a few words."""
    return (SUM_HEADLINES if audit.subject == CONTRIBUTIONS else HEADLINES)[audit.verdict.level]


def advice(audit: Audit) -> str:
    """Return what to do about the verdict."""
    return (SUM_ADVICE if audit.subject == CONTRIBUTIONS else ADVICE)[audit.verdict.level]


def about(audit: Audit) -> str:
    """Return what was tested on what."""
    right = "" if audit.accuracy is None else f" The model is right on {audit.accuracy * 100:.0f} % of them."
    return f"Model {one_line(audit.model)}, tested on {texts(audit.n_texts)} of {one_line(audit.file)}.{right}"


def texts(n: int) -> str:
    """Return how many texts, in words."""
    return f"{n:,} text{'' if n == 1 else 's'}"
