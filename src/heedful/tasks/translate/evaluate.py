"""How good is a translator on texts with their translations?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heedful.data.example import Example
from heedful.tasks.translate.metrics import TranslationMetrics, translation_metrics
from heedful.tasks.translate.model import Translator


def evaluate(model: Translator, examples: Sequence[Example], _: str | Path) -> TranslationMetrics:
    """Compare the model's translations with those of a file, as plain text."""
    return translation_metrics([e.label for e in examples], model.translate([e.text for e in examples]))
