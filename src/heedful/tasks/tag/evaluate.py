"""How good is a tagger on a file of tagged tokens, or on the nodes of a graph?"""

from __future__ import annotations

from collections.abc import Sequence

from heedful.data.example import Example
from heedful.data.table import Source
from heedful.errors import DataError, listed
from heedful.tasks.tag.metrics import TokenMetrics, tag_metrics
from heedful.tasks.tag.model import Tagger
from heedful.tasks.tag.span_metrics import SpanMetrics


def evaluate(model: Tagger, examples: Sequence[Example], path: Source) -> SpanMetrics | TokenMetrics:
    """Compare the tagger's labels with those of the file; one that it never met counts as missed."""
    tags = {tag for example in examples for tag in example.label if tag}
    if not tags & set(model.labels):
        there, known = (listed(sorted(names)) for names in (tags, model.labels))
        raise DataError(path, f"no tag here is one of this model's. Here are: {there}; it knows: {known}")
    answers = model.predict([example.text for example in examples])
    return tag_metrics([example.label for example in examples], answers, model.labels)
