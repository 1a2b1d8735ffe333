"""Labels of which one has most of the texts: accuracy says little then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from heedful.config import Config
from heedful.tasks import answer_kind
from heedful.training.dataset import TrainingData

MUCH = 0.8  # share of the most frequent label from which accuracy says little


@dataclass(frozen=True)
class Imbalance:
    """The most frequent label, and its share of the training texts."""

    label: str
    share: float

    def notes(self, *, by_macro_f1: bool) -> list[str]:
        """Return lines for the user."""
        chosen = "the best epoch is chosen by macro F1" if by_macro_f1 else "look at macro F1"
        return [
            f"{self.share:.0%} of the texts have the label {self.label}: always answering that has accuracy "
            f"{self.share:.2f}, so {chosen}; train.class_weights = balanced gives rare labels more weight"
        ]


def imbalance_of(config: Config, material: TrainingData) -> Imbalance | None:
    """Return the imbalance of the labels; None if there is none, or if texts have no label of their own."""
    if answer_kind(config, many=material.many) != "label" or len(material.labels) < 2:
        return None
    label, count = Counter(str(example.label) for example in material.train).most_common(1)[0]
    share = count / len(material.train)
    return Imbalance(label, share) if share >= MUCH else None


def with_fair_figure(config: Config) -> Config:
    """Return the config with the best epoch chosen by macro F1, unless the metric was chosen."""
    is_open = "figure" not in config.given and config.train.figure == Config().train.figure
    return config.changed(figure="macro_f1") if is_open else config
