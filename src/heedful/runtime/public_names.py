"""The public names of each class: what completion in a notebook offers. All other names are internal."""

from __future__ import annotations

_ALL = ("config", "fingerprint", "load", "path", "save", "verdict")
_LABELLED = (*_ALL, "evaluate", "explain", "labels", "predict")
_SCORED = (*_LABELLED, "predict_proba", "scores")
_VECTORS = ("embed", "encode", "encode_document", "encode_query", "self_attention", "similarity", "width")
_PAGE = ("to_dict", "to_html")
_PICTURE = (*_PAGE, "to_png", "to_svg")

MODELS: dict[str, tuple[str, ...]] = {
    "Model": (*_ALL, "evaluate", "labels"),
    "Classifier": (*_SCORED, *_VECTORS, "flip", "words"),
    "MultilabelClassifier": (*_SCORED, *_VECTORS, "words"),
    "Regressor": (*_LABELLED, *_VECTORS, "scores", "words"),
    "Encoder": (*_ALL, *_VECTORS, "rerank"),
    "Tagger": (*_SCORED, "tag"),
    "PairModel": (*_SCORED, "names"),
    "Translator": (*_ALL, "beam", "candidates", "evaluate", "explain", "predict", "translate"),
}

# Class → its module, and its public methods and properties. Fields are public, too.
RESULTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Explanation": (
        "heedful.explain.attention.explanation",
        (
            *_PICTURE, "contributions_to", "hop_contributions_to", "labels", "left_out", "of_hop", "overall", "top",
            "warning",
        ),
    ),
    "PairExplanation": (
        "heedful.tasks.pair.explanation",
        (
            *_PICTURE, "is_number", "label", "labels", "pair_contributions_to", "probabilities", "sides", "target",
            "top", "top_pairs", "verdict",
        ),
    ),
    "TagExplanation": (
        "heedful.tasks.tag.explanation",
        (
            *_PICTURE, "contributions", "contributions_of", "contributions_to", "has_contributions", "has_spans",
            "spans", "top",
        ),
    ),
    "Alignment": ("heedful.tasks.translate.explain", (*_PICTURE, "matrix", "top")),
    "SelfAttention": ("heedful.explain.steps.self_attention_maps", (*_PICTURE, "top")),
    "Heatmap": ("heedful.show.heatmaps.api", _PICTURE),
    "Matrix": ("heedful.show.matrices.api", _PICTURE),
    "Similarity": ("heedful.explain.similarity", (*_PAGE, "by_word", "top")),
    "Flip": ("heedful.explain.attention.flip", (*_PAGE, "sentence")),
    "LabelWords": ("heedful.explain.words.label_words", (*_PAGE, "of")),
    "Audit": ("heedful.explain.audit.audit", _PAGE),
    "Check": ("heedful.explain.check.results", (*_PAGE, "suspects")),
    "Tags": ("heedful.tasks.tag.tags", ("spans", "to_dict", "tokens")),
    "Translation": ("heedful.tasks.translate.model", ()),
    "Hit": ("heedful.search.hit", ("by_meaning", "to_dict")),
    "Passage": ("heedful.search.hit", ()),
    "WordMatch": ("heedful.text.terms.matches", ()),
    "Ranked": ("heedful.runtime.rerank", ("by_meaning", "to_dict")),
    "Added": ("heedful.search.hit", ()),
    "ClassificationMetrics": ("heedful.tasks.classify.metrics", ("sentence", "to_dict")),
    "MultilabelMetrics": ("heedful.tasks.multilabel.metrics", ("sentence", "to_dict")),
    "RegressionMetrics": ("heedful.tasks.regress.metrics", ("sentence", "to_dict")),
    "SpanMetrics": ("heedful.tasks.tag.span_metrics", ("sentence", "to_dict")),
    "TokenMetrics": ("heedful.tasks.tag.metrics", ("sentence", "to_dict")),
    "TranslationMetrics": ("heedful.tasks.translate.metrics", ("sentence", "to_dict")),
}  # fmt: skip

INDEX = (
    "add", "columns", "count", "create", "delete", "document", "explain", "is_approximate", "model", "open", "optimise",
    "path", "ranked_by", "search",
)  # fmt: skip


def public_names(kind: type) -> tuple[str, ...]:
    """Return the public names of a class of models: its own, or those of its nearest class in the table."""
    return next(MODELS[base.__name__] for base in kind.__mro__ if base.__name__ in MODELS)
